package explore

import (
	"encoding/binary"
	"sync"
)

// A pile is states on their way to the shards, in the order in which a worker
// found them.
type pile struct {
	states []byte
	shards []uint8     // of each state
	bytes  [shards]int // of each shard
}

func (p *pile) reset() {
	p.states, p.shards = p.states[:0], p.shards[:0]
	p.bytes = [shards]int{}
}

func (p *pile) add(state []byte) {
	sh := shardOf(hash(state))
	p.shards = append(p.shards, uint8(sh))
	p.bytes[sh] += len(state)
	p.states = append(p.states, state...)
}

// A sorted is the states of a pile laid out shard by shard, those of a shard
// in the order of the pile.
type sorted struct {
	states []byte
	ends   [shards]int // of each shard in states
}

// of returns the states of a shard.
func (s *sorted) of(sh int) []byte {
	if sh == 0 {
		return s.states[:s.ends[0]]
	}
	return s.states[s.ends[sh-1]:s.ends[sh]]
}

// sortTo lays out the pile in space from r. The pile is written once, in
// order, and read once, in order; only here the writes are scattered.
func (p *pile) sortTo(dst *sorted, r *room) error {
	dst.states, dst.ends = nil, [shards]int{}
	if len(p.shards) == 0 {
		return nil
	}
	space, err := r.get(len(p.states))
	if err != nil {
		return err
	}
	at := 0
	for sh, n := range p.bytes {
		dst.ends[sh] = at // moves on to the end of the shard below
		at += n
	}
	dst.states = space
	if width := len(p.states) / len(p.shards); width == 8 {
		for i, sh := range p.shards {
			word := binary.LittleEndian.Uint64(p.states[8*i:])
			binary.LittleEndian.PutUint64(space[dst.ends[sh]:], word)
			dst.ends[sh] += 8
		}
	} else {
		for i, sh := range p.shards {
			dst.ends[sh] += copy(space[dst.ends[sh]:], p.states[i*width:(i+1)*width])
		}
	}
	return nil
}

// A room is the memory for the sorted states of one round. Workers share it.
type room struct {
	mem   *memory // where it comes from; it is not counted there
	mu    sync.Mutex
	slabs [][]byte
	slab  int    // the one in use
	at    int    // bytes used of it
	used  uint64 // bytes of this round
	peak  uint64 // bytes of the largest round
}

func (r *room) reset() { r.slab, r.at, r.used = 0, 0, 0 }

func (r *room) get(n int) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.slab < len(r.slabs) && r.at+n > len(r.slabs[r.slab]) {
		r.slab, r.at = r.slab+1, 0
	}
	if r.slab == len(r.slabs) {
		slab, err := r.mem.mmap(max(roomSlab, n))
		if err != nil {
			return nil, errNoMemory
		}
		r.slabs = append(r.slabs, slab)
	}
	b := r.slabs[r.slab][r.at : r.at+n : r.at+n]
	r.at += n
	r.used += uint64(n)
	r.peak = max(r.peak, r.used)
	return b, nil
}

func (r *room) release() {
	for _, s := range r.slabs {
		unmapBytes(s)
	}
	r.slabs = nil
}
