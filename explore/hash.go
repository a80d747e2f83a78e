package explore

import (
	"encoding/binary"
	"math/bits"
)

// Odd constants with well mixed bits, from the digits of the golden ratio and
// of the square roots of 2 and 3.
const (
	key0 = 0x9e3779b97f4a7c15
	key1 = 0x6a09e667f3bcc909
	key2 = 0xbb67ae8584caa73b
)

// hash spreads a state over 64 bits by folded multiplication. It decides only
// where a state is stored, never whether two states are equal, but it does
// decide the order of a level, so it must stay the same on every machine.
func hash(b []byte) uint64 {
	if len(b) == 8 {
		return mix(mix(binary.LittleEndian.Uint64(b)^key0, key1), key2)
	}
	h := uint64(len(b)) * key2
	for len(b) > 16 {
		h = mix(binary.LittleEndian.Uint64(b)^key0, binary.LittleEndian.Uint64(b[8:])^h)
		b = b[16:]
	}
	x, y := tail(b)
	return mix(mix(x^key0, y^h), key1)
}

// tail reads the last 1 to 16 bytes of a state as two words.
func tail(b []byte) (x, y uint64) {
	switch n := len(b); {
	case n >= 8:
		return binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[n-8:])
	case n >= 4:
		return uint64(binary.LittleEndian.Uint32(b)), uint64(binary.LittleEndian.Uint32(b[n-4:]))
	case n > 0:
		return uint64(b[0]) | uint64(b[n/2])<<8 | uint64(b[n-1])<<16, 0
	}
	return 0, 0
}

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}
