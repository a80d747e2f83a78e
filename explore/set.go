package explore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"
	"sort"
)

const (
	shardBits = 8
	shards    = 1 << shardBits // fixed, so that results do not depend on workers

	indexBits = 24
	indexMask = 1<<indexBits - 1
	maxStates = indexMask // of a shard: an entry holds the index plus one

	minSlots  = 16
	lineSlots = 16      // slots in a line of the processor's cache
	warmSlots = 1 << 17 // slots in half a megabyte
)

// errFull is a shard with as many states as an entry can name.
var errFull = errors.New("explore: too many states: the tables hold about 4 billion")

// A set stores distinct states of one width, spread over shards by their hash.
// A shard keeps its states in the order of their arrival, in blocks that never
// move, and finds them through an open-addressing table of one 32-bit word a
// slot: 8 bits of the hash and 24 bits of index. Different shards may be used
// concurrently; one shard may not.
type set struct {
	mem   *memory
	width int
	shift uint   // log2 of the states in a block
	most  uint32 // states of a shard

	noteBack bool   // whether insertAll fills back
	slots    uint32 // of each shard's table
	table    []uint32
	shards   [shards]shard
}

// A shard is one part of a set.
type shard struct {
	n      uint32 // states
	sealed uint32 // of these, in sealed levels
	freed  uint32 // blocks given back
	warmth uint32 // see warm
	blocks [][]byte
	levels []levelStart
	back   bitmap // states of sealed levels that were inserted again
}

// A levelStart says where the states of a level begin in a shard. Levels
// without states in the shard have none, so a deep and narrow space stays
// small.
type levelStart struct {
	depth, start uint32
}

// blockShift returns log2 of the number of states in a block.
func blockShift(width int) uint {
	return uint(bits.Len(uint(max(1, blockBytes/width))) - 1)
}

func newSet(mem *memory, width int) (*set, error) {
	s := &set{mem: mem, width: width, shift: blockShift(width), most: maxStates}
	return s, s.resize(minSlots)
}

// shardOf, slotOf and tagOf use different bits of a hash.
func shardOf(h uint64) int { return int(h >> (64 - shardBits)) }

func slotOf(h uint64, slots uint32) uint32 {
	return uint32(uint64(uint32(h>>16)) * uint64(slots) >> 32)
}

func tagOf(h uint64) uint32 { return uint32(h) << indexBits }

// state returns a stored state. The caller must not alter it.
func (s *set) state(sh int, i uint32) []byte {
	b := s.shards[sh].blocks[i>>s.shift]
	o := int(i&(1<<s.shift-1)) * s.width
	return b[o : o+s.width : o+s.width]
}

// find returns the index of a state in its shard.
func (s *set) find(h uint64, state []byte) (i uint32, ok bool) {
	sh := shardOf(h)
	table := s.shardTable(sh)
	tag := tagOf(h)
	for p := slotOf(h, s.slots); ; {
		e := table[p]
		if e == 0 {
			return 0, false
		}
		if e&^indexMask == tag && equal(s.state(sh, e&indexMask-1), state) {
			return e&indexMask - 1, true
		}
		if p++; p == s.slots {
			p = 0
		}
	}
}

// insert adds a state of shard sh unless it is there, and returns its index.
// There must be a free slot.
func (s *set) insert(sh int, h uint64, state []byte) (i uint32, err error) {
	table := s.shardTable(sh)
	tag := tagOf(h)
	for p := slotOf(h, s.slots); ; {
		e := table[p]
		if e == 0 {
			i, err := s.push(sh, state)
			if err == nil {
				table[p] = tag | (i + 1)
			}
			return i, err
		}
		if e&^indexMask == tag && equal(s.state(sh, e&indexMask-1), state) {
			return e&indexMask - 1, nil
		}
		if p++; p == s.slots {
			p = 0
		}
	}
}

// insertAll inserts the states of buf, one after the other.
func (s *set) insertAll(sh int, buf []byte) error {
	d := &s.shards[sh]
	for ; len(buf) > 0; buf = buf[s.width:] {
		state := buf[:s.width:s.width]
		i, err := s.insert(sh, hash(state), state)
		if err != nil {
			return err
		}
		if s.noteBack && i < d.sealed {
			d.back.set(uint64(i))
		}
	}
	return nil
}

// warm reads the table of a shard from end to end if n insertions would touch
// most of it and it fits into a cache. The order makes that cheap, and the
// insertions, which go everywhere, then find it near.
func (s *set) warm(sh int, n uint64) {
	table := s.shardTable(sh)
	if len(table) > warmSlots || n < uint64(len(table)/lineSlots) {
		return
	}
	sum := uint32(0)
	for p := 0; p < len(table); p += lineSlots {
		sum += table[p]
	}
	s.shards[sh].warmth = sum // so that the reading is not optimized away
}

// push appends a state to a shard.
func (s *set) push(sh int, state []byte) (uint32, error) {
	d := &s.shards[sh]
	i := d.n
	if i == s.most {
		return 0, errFull
	}
	if int(i>>s.shift) == len(d.blocks) {
		b, err := s.mem.getBlock()
		if err != nil {
			return 0, err
		}
		d.blocks = append(d.blocks, b)
	}
	copy(s.state(sh, i), state)
	d.n++
	return i, nil
}

func (s *set) shardTable(sh int) []uint32 {
	return s.table[sh*int(s.slots) : (sh+1)*int(s.slots)]
}

// resize drops the table and makes an empty one; rebuild fills it.
func (s *set) resize(slots uint32) error {
	s.mem.putTable(s.table)
	s.table = nil
	table, err := s.mem.getTable(shards * int(slots))
	if err != nil {
		return err
	}
	s.table, s.slots = table, slots
	return nil
}

// rebuild enters the states of a shard into an empty table. They are known to
// differ, so nothing is compared and the order of the blocks is followed.
func (s *set) rebuild(sh int) {
	table := s.shardTable(sh)
	for i := range s.shards[sh].n {
		h := hash(s.state(sh, i))
		p := slotOf(h, s.slots)
		for table[p] != 0 {
			if p++; p == s.slots {
				p = 0
			}
		}
		table[p] = tagOf(h) | (i + 1)
	}
}

// seal closes a level: the states added since the last call have this depth.
// It returns how many there are.
func (s *set) seal(depth int) (n uint64) {
	for sh := range s.shards {
		d := &s.shards[sh]
		if d.n > d.sealed {
			d.levels = append(d.levels, levelStart{uint32(depth), d.sealed})
			n += uint64(d.n - d.sealed)
			d.sealed = d.n
		}
	}
	return n
}

// len returns the number of states.
func (s *set) len() (n uint64) {
	for sh := range s.shards {
		n += uint64(s.shards[sh].n)
	}
	return n
}

// dropTable releases the table; the states stay.
func (s *set) dropTable() {
	s.mem.putTable(s.table)
	s.table = nil
}

// dropBefore gives back the blocks that hold only states before the level.
func (s *set) dropBefore(l *level) {
	for sh := range s.shards {
		d := &s.shards[sh]
		for ; d.freed < l.lo[sh]>>s.shift; d.freed++ {
			s.mem.putBlock(d.blocks[d.freed])
			d.blocks[d.freed] = nil
		}
	}
}

// drop gives back everything.
func (s *set) drop() {
	s.dropTable()
	for sh := range s.shards {
		d := &s.shards[sh]
		for ; int(d.freed) < len(d.blocks); d.freed++ {
			s.mem.putBlock(d.blocks[d.freed])
			d.blocks[d.freed] = nil
		}
	}
}

// A level is the states of one depth of a set: lo[sh] up to hi[sh] of each
// shard. Its states are numbered through, shard after shard; first[sh] is the
// number of the first in the shard.
type level struct {
	set    *set
	depth  int
	lo, hi [shards]uint32
	first  [shards + 1]uint64
}

// level returns the states of a depth, which may be none.
func (s *set) level(depth int) *level {
	l := &level{set: s, depth: depth}
	for sh := range s.shards {
		l.lo[sh], l.hi[sh] = s.shards[sh].bounds(uint32(depth))
		l.first[sh+1] = l.first[sh] + uint64(l.hi[sh]-l.lo[sh])
	}
	return l
}

func (d *shard) bounds(depth uint32) (lo, hi uint32) {
	i := sort.Search(len(d.levels), func(i int) bool { return d.levels[i].depth >= depth })
	if i == len(d.levels) {
		return d.sealed, d.sealed
	}
	lo, hi = d.levels[i].start, d.sealed
	if d.levels[i].depth > depth {
		return lo, lo
	}
	if i+1 < len(d.levels) {
		hi = d.levels[i+1].start
	}
	return lo, hi
}

// len returns the number of states of the level.
func (l *level) len() uint64 { return l.first[shards] }

// number returns the number in the level of state i of shard sh.
func (l *level) number(sh int, i uint32) (n uint64, ok bool) {
	if i < l.lo[sh] || i >= l.hi[sh] {
		return 0, false
	}
	return l.first[sh] + uint64(i-l.lo[sh]), true
}

// state returns a state by its number.
func (l *level) state(n uint64) []byte {
	sh := l.shard(n)
	return l.set.state(sh, l.lo[sh]+uint32(n-l.first[sh]))
}

// shard returns the shard of a state by its number.
func (l *level) shard(n uint64) int {
	return sort.Search(shards, func(sh int) bool { return l.first[sh+1] > n })
}

// each calls f for the states numbered from to to-1, in order.
func (l *level) each(from, to uint64, f func(n uint64, state []byte) error) error {
	sh := l.shard(from)
	for n := from; n < to; n++ {
		for n >= l.first[sh+1] {
			sh++
		}
		if err := f(n, l.set.state(sh, l.lo[sh]+uint32(n-l.first[sh]))); err != nil {
			return err
		}
	}
	return nil
}

// equal compares two states of the same width. The first word decides nearly
// always when they differ.
func equal(a, b []byte) bool {
	if len(a) < 8 || len(b) < 8 {
		return bytes.Equal(a, b)
	}
	if binary.LittleEndian.Uint64(a) != binary.LittleEndian.Uint64(b) {
		return false
	}
	return len(a) == 8 || bytes.Equal(a[8:], b[8:])
}
