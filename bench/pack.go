package main

import "encoding/binary"

// The layout of a packed state, lowest bits first: eight counters of 3 bits,
// the channels' lengths of 3 bits, four flags, drops in 2 bits, and the
// channels of 12 and 16 bits.
const (
	lenShift  = 8 * 3
	flagShift = lenShift + 2*3
	dropShift = flagShift + 4
	reqShift  = dropShift + 2
	ackShift  = reqShift + 12
)

func pack(s *gbn) uint64 {
	w := uint64(s.posted) | uint64(s.nxt)<<3 | uint64(s.una)<<6 | uint64(s.spoll)<<9 |
		uint64(s.retry)<<12 | uint64(s.xp)<<15 | uint64(s.rposted)<<18 | uint64(s.rpoll)<<21
	w |= uint64(s.rl)<<lenShift | uint64(s.al)<<(lenShift+3)
	w |= (bit(s.err) | bit(s.ackp)<<1 | bit(s.nakp)<<2 | bit(s.nakst)<<3) << flagShift
	return w | uint64(s.drops)<<dropShift | uint64(s.rq)<<reqShift | uint64(s.aq)<<ackShift
}

func unpack(state []byte) gbn {
	w := binary.LittleEndian.Uint64(state)
	field := func(shift uint) uint8 { return uint8(w >> shift & 7) }
	return gbn{
		posted: field(0), nxt: field(3), una: field(6), spoll: field(9),
		retry: field(12), xp: field(15), rposted: field(18), rpoll: field(21),
		rl: field(lenShift), al: field(lenShift + 3),
		err: w>>flagShift&1 != 0, ackp: w>>(flagShift+1)&1 != 0,
		nakp: w>>(flagShift+2)&1 != 0, nakst: w>>(flagShift+3)&1 != 0,
		drops: field(dropShift) & 3,
		rq:    uint16(w >> reqShift & (1<<12 - 1)), aq: uint16(w >> ackShift),
	}
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
