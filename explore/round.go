package explore

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// A level is expanded in rounds of up to roundChunks chunks. In a round the
// workers first expand chunks, each into space that belongs to the chunk, laid
// out by shard; then they insert shards, each going through the chunks in their
// order. So the order of the states in a shard does not depend on which worker
// did what, and nobody needs a lock.
//
// A shard is smaller than a processor's cache, and the longer a round is, the
// more states are inserted while the shard is in it; so rounds are long.
const (
	roundChunks = 64
	minChunk    = 16        // states
	chunkBytes  = 128 << 10 // of states expanded, at most …
	chunkShare  = 4096      // … and at most this part of the memory
	minParallel = 512       // states below which one worker is faster than two
)

// A chunk is some consecutive states of a level and what was found from them.
type chunk struct {
	free  sorted // successors without cost
	costs sorted // successors that cost 1

	hits     uint64 // goals hit by the states themselves
	freeHits uint64 // … by actions without cost
	costHits uint64 // … by actions that cost 1
	err      error
}

func chunkFree(c *chunk) *sorted { return &c.free }
func chunkCost(c *chunk) *sorted { return &c.costs }

// chunkStates returns the number of states in a chunk of a level of n states.
// It may not depend on the workers.
func (s *search) chunkStates(n uint64) uint64 {
	most := min(chunkBytes, s.maxMem/chunkShare) / uint64(s.m.Width())
	return max(minChunk, min(most, (n+roundChunks-1)/roundChunks))
}

// round expands states of l from number from on, stores what it finds, and
// returns where the next round begins.
func (s *search) round(l *level, from uint64) (to uint64, err error) {
	size := s.chunkStates(l.len())
	n := int(min(roundChunks, (l.len()-from+size-1)/size))
	to = min(l.len(), from+uint64(n)*size)
	s.room.reset()
	s.parallel(n, func(w *worker, i int) {
		lo := from + uint64(i)*size
		s.expandChunk(w, &s.chunks[i], l, lo, min(lo+size, to))
	})
	if err := s.merge(s.chunks[:n], l.depth); err != nil {
		return 0, err
	}
	ok, err := s.store(s.layer(), n, chunkFree)
	if ok && err == nil && s.next != nil {
		ok, err = s.store(s.next, n, chunkCost)
	}
	if !ok {
		s.res.Stop = StopMemory
	}
	return to, err
}

// expandChunk expands the states of l numbered lo to hi-1 into c.
func (s *search) expandChunk(w *worker, c *chunk, l *level, lo, hi uint64) {
	c.hits, c.freeHits, c.costHits = 0, 0, 0
	w.free.reset()
	c.err = s.guard(l, lo, hi, w.out, func(uint64) error { return s.collect(w, c) })
	if c.err == nil {
		c.err = w.free.sortTo(&c.free, &s.room)
	}
	if c.err == nil && s.cost != nil {
		c.err = w.costs.sortTo(&c.costs, &s.room)
		w.costs.reset()
	}
}

// guard expands the states of l numbered lo to hi-1 into out and calls f after
// each. What a model does wrong, a panic included, becomes a ModelError.
func (s *search) guard(l *level, lo, hi uint64, out *Successors, f func(n uint64) error) (err error) {
	var at []byte
	defer func() {
		if r := recover(); r != nil {
			err = &ModelError{State: bytes.Clone(at), Err: fmt.Errorf("panic: %v\n%s", r, debug.Stack())}
		}
	}()
	return l.each(lo, hi, func(n uint64, state []byte) error {
		at = state
		err := out.Expand(s.m, state)
		if err == nil {
			err = f(n)
		}
		if err != nil {
			err = &ModelError{State: bytes.Clone(at), Err: err}
		}
		return err
	})
}

// collect sorts what w has just expanded into the buffers of c.
func (s *search) collect(w *worker, c *chunk) error {
	out := w.out
	w.transitions += uint64(len(out.edges))
	c.hits |= out.hits
	for i := range out.edges {
		e := &out.edges[i]
		w.kinds[e.act.Kind()]++
		pile, hits := &w.free, &c.freeHits
		if s.cost != nil {
			switch cost := s.cost(e.act); cost {
			case 0:
			case 1:
				pile, hits = &w.costs, &c.costHits
			default:
				return fmt.Errorf("action %#x costs %d; only 0 and 1 are possible", uint64(e.act), cost)
			}
		}
		*hits |= e.hits
		if !e.end {
			pile.add(out.state(i))
		}
	}
	return nil
}

// merge adds up what chunks found from states of a depth, but for the states.
func (s *search) merge(chunks []chunk, depth int) error {
	cost := len(s.layers) - 1
	for i := range chunks {
		c := &chunks[i]
		if c.err != nil {
			return c.err
		}
		s.found(c.hits, cost, depth)
		s.found(c.freeHits, cost, depth+1)
		s.found(c.costHits, cost+1, depth+1)
	}
	return nil
}

// store inserts the buffers of the first n chunks into dst. It returns false
// and leaves dst alone if there is no memory for them.
func (s *search) store(dst *set, n int, pick func(*chunk) *sorted) (ok bool, err error) {
	width := uint64(s.m.Width())
	var total uint64
	var sizes [shards]uint64
	ok, err = s.reserve(dst, func(sh int) uint64 {
		for i := range s.chunks[:n] {
			sizes[sh] += uint64(len(pick(&s.chunks[i]).of(sh))) / width
		}
		total += sizes[sh]
		return sizes[sh]
	})
	if !ok || err != nil {
		return ok, err
	}
	err = s.perShard(total, func(sh int) error {
		dst.warm(sh, sizes[sh])
		for i := range s.chunks[:n] {
			if err := dst.insertAll(sh, pick(&s.chunks[i]).of(sh)); err != nil {
				return err
			}
		}
		return nil
	})
	if errors.Is(err, errNoMemory) {
		return false, nil
	}
	return true, err
}

// reserve makes sure that add(sh) more states fit into the table of each shard
// of dst, and that there is room left to find a state quickly. It returns
// false if the memory does not suffice. A table is given back before the next
// one is made, so that growing needs no more memory than having grown.
func (s *search) reserve(dst *set, add func(sh int) uint64) (ok bool, err error) {
	have, need := uint64(0), uint64(0)
	for sh := range dst.shards {
		n := uint64(dst.shards[sh].n)
		have = max(have, n)
		need = max(need, n+add(sh))
	}
	slots := uint64(dst.slots)
	if have*5 <= slots*4 && need*20 < slots*19 {
		return true, nil
	}
	slots = max(slots*3/2, need*9/8+1)
	if more := 4 * shards * (slots - uint64(dst.slots)); s.bytes()+more > s.maxMem {
		return false, nil
	}
	if slots > math.MaxUint32 {
		return false, errFull
	}
	return s.grow(dst, uint32(slots))
}

// grow gives dst a larger table. If the system has no memory for it, dst gets
// one as large as before, for the traces, and the answer is false.
func (s *search) grow(dst *set, slots uint32) (ok bool, err error) {
	before := dst.slots
	ok = dst.resize(slots) == nil
	if !ok && dst.resize(before) != nil {
		return false, errors.New("explore: the system has no memory left, not even for what it had")
	}
	return ok, s.perShard(dst.len(), func(sh int) error { dst.rebuild(sh); return nil })
}

// bytes returns the memory in use.
func (s *search) bytes() uint64 { return s.mem.used + s.room.peak }

// perShard calls f for every shard, in parallel if there is much work.
func (s *search) perShard(work uint64, f func(sh int) error) error {
	var errs [shards]error
	if work < minParallel {
		for sh := range errs {
			errs[sh] = f(sh)
		}
	} else {
		s.parallel(shards, func(_ *worker, sh int) { errs[sh] = f(sh) })
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// parallel calls f for 0 to n-1, spread over the workers.
func (s *search) parallel(n int, f func(w *worker, i int)) { parallel(s.workers, n, f) }

func parallel[W any](workers []W, n int, f func(w W, i int)) {
	k := min(n, len(workers))
	if k <= 1 {
		for i := range n {
			f(workers[0], i)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for _, w := range workers[:k] {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(w, i)
			}
		})
	}
	wg.Wait()
}

// A ModelError is a model that broke its contract.
type ModelError struct {
	State []byte // that was being expanded; nil for the initial states
	Err   error
}

func (e *ModelError) Error() string {
	if e.State == nil {
		return fmt.Sprintf("initial states: %v", e.Err)
	}
	return fmt.Sprintf("expanding state %x: %v", e.State, e.Err)
}

// Unwrap returns what went wrong.
func (e *ModelError) Unwrap() error { return e.Err }

// protect turns a panic of f into an error.
func protect(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return f()
}
