package explore

import (
	"bytes"
	"context"
	"errors"
	"math/bits"
)

// A run that never ends violates a liveness property if from some state on the
// property is pending in every state, and the run is fair. In a finite space
// that means a cycle, and by the weakness of the fairness a whole strongly
// connected component of pending states will do: going round all of it takes
// every action in it and sees every state in which an action is missing, so if
// the component as a whole is not fair, no cycle in it is.
//
// All ways to a state cost the same, so no action of a cycle costs anything and
// a cycle stays within a layer. It has an action that does not lead to the next
// level. One parallel pass over the pending states finds these actions; only
// from where they lead are components looked for.

// A liver checks the liveness properties of a search.
type liver struct {
	*search
	pending func([]byte) uint64
	fair    func(Action) int
	best    [64]lasso // by property
}

// A lasso is the best violation of a property found so far.
type lasso struct {
	found bool
	at    place
	state []byte   // where the cycle begins
	scc   []uint64 // ids of the component, ascending
}

// better reports whether a violation with this state would be better than l:
// cheaper, nearer, or, for a choice that does not depend on the order of the
// states, smaller.
func (l *lasso) better(at place, state []byte) bool {
	switch {
	case !l.found:
		return true
	case at.cost != l.at.cost:
		return at.cost < l.at.cost
	case at.depth != l.at.depth:
		return at.depth < l.at.depth
	}
	return bytes.Compare(state, l.state) < 0
}

// checkLive judges the liveness properties. What it finds in a search stopped
// for its size is real, but there may be more.
func (s *search) checkLive() error {
	m, ok := s.m.(Liver)
	if !ok || s.res.Stop != StopNone && s.res.Stop != StopStates {
		return nil
	}
	l := &liver{search: s, pending: m.Pending, fair: func(Action) int { return 0 }}
	if f, ok := s.m.(Fairer); ok {
		l.fair = f.Fair
	}
	for cost := range s.layers {
		ok, err := l.checkLayer(cost)
		if err != nil {
			return err
		}
		if !ok {
			s.res.Complete = false
			break
		}
	}
	return l.drawLassos()
}

// stop ends the check early: there is nothing definite to say.
func (l *liver) stop(why Stop) {
	if l.res.Stop == StopNone {
		l.res.Stop = why
	}
}

// interrupted reports whether the context is done, and if so stops.
func (l *liver) interrupted() bool {
	switch err := l.ctx.Err(); {
	case err == nil:
		return false
	case errors.Is(err, context.DeadlineExceeded):
		l.stop(StopTime)
	default:
		l.stop(StopInterrupt)
	}
	return true
}

// checkLayer looks for violations among the states of a layer. It returns false
// if it had to stop.
func (l *liver) checkLayer(cost int) (ok bool, err error) {
	ids := newIDs(l.layers[cost])
	back := newBitmap(ids.len())
	var mask uint64 // properties that are pending on both sides of an action back
	for l.depth = 0; l.depth <= l.res.Depth; l.depth++ {
		m, ok, err := l.scan(l.layers[cost].level(l.depth), ids, back)
		if !ok || err != nil {
			return false, err
		}
		mask |= m
	}
	if mask == 0 {
		return true, nil
	}
	if l.bytes()+tarjanBytes*ids.len() > l.maxMem {
		l.stop(StopMemory)
		return false, nil
	}
	t := &tarjan{liver: l, cost: cost, ids: ids, num: make([]uint32, ids.len()),
		classes: classes{l.fair, map[int]uint64{}}}
	for ; mask != 0; mask &= mask - 1 {
		if ok, err := t.run(firstGoal(mask), back); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// scanned is what a chunk of a scan found.
type scanned struct {
	back []uint64 // ids to which actions lead back
	mask uint64   // properties that are pending on both sides of such an action
	err  error
}

// scan expands the states of a level in which a property is pending. It notes
// in back the states of this or an earlier level that actions lead to.
func (l *liver) scan(lev *level, ids *ids, back bitmap) (mask uint64, ok bool, err error) {
	n := lev.len()
	size := l.chunkStates(n)
	for l.frontier, l.done = n, 0; l.done < n; {
		if l.interrupted() {
			return 0, false, nil
		}
		chunks := int(min(roundChunks, (n-l.done+size-1)/size))
		found := make([]scanned, chunks)
		l.parallel(chunks, func(w *worker, i int) {
			lo := l.done + uint64(i)*size
			found[i].err = lev.each(lo, min(n, lo+size), func(n uint64, state []byte) error {
				return l.scanState(w.out, lev, n, state, ids, &found[i])
			})
		})
		for i := range found {
			if found[i].err != nil {
				return 0, false, found[i].err
			}
			mask |= found[i].mask
			for _, id := range found[i].back {
				back.set(id)
			}
		}
		l.done = min(n, l.done+uint64(chunks)*size)
		l.progress(Liveness)
	}
	return mask, true, nil
}

// scanState looks for actions of one state that lead back while a property is
// pending.
func (l *liver) scanState(out *Successors, lev *level, n uint64, state []byte, ids *ids, found *scanned) error {
	pending := l.pending(state)
	if pending == 0 {
		return nil
	}
	return l.guard(lev, n, n+1, out, func(uint64) error {
		for i := range out.edges {
			next := l.step(out, i)
			if next == nil {
				continue
			}
			h := hash(next)
			k, ok := lev.set.find(h, next)
			if !ok || k >= lev.hi[shardOf(h)] {
				continue
			}
			if mask := l.pending(next) & pending; mask != 0 {
				found.mask |= mask
				found.back = append(found.back, ids.id(shardOf(h), k))
			}
		}
		return nil
	})
}

// step returns the state that successor i leads to within the layer, or nil.
func (l *liver) step(out *Successors, i int) []byte {
	e := &out.edges[i]
	if e.end || l.cost != nil && l.cost(e.act) != 0 {
		return nil
	}
	return out.state(i)
}

// ids numbers the states of a layer through, shard after shard.
type ids struct {
	set   *set
	first [shards + 1]uint64
}

func newIDs(s *set) *ids {
	d := &ids{set: s}
	for sh := range s.shards {
		d.first[sh+1] = d.first[sh] + uint64(s.shards[sh].sealed)
	}
	return d
}

func (d *ids) len() uint64 { return d.first[shards] }

func (d *ids) id(sh int, i uint32) uint64 { return d.first[sh] + uint64(i) }

// where returns the shard and index of a state.
func (d *ids) where(id uint64) (sh int, i uint32) {
	lo, hi := 0, shards-1
	for lo < hi {
		mid := (lo + hi) / 2
		if d.first[mid+1] > id {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo, uint32(id - d.first[lo])
}

func (d *ids) state(id uint64) []byte { return d.set.state(d.where(id)) }

// lookup returns the id of a state.
func (d *ids) lookup(state []byte) (id uint64, ok bool) {
	h := hash(state)
	i, ok := d.set.find(h, state)
	return d.id(shardOf(h), i), ok && i < d.set.shards[shardOf(h)].sealed
}

// depth returns the level of a state.
func (d *ids) depth(id uint64) int {
	sh, i := d.where(id)
	levels := d.set.shards[sh].levels
	k := len(levels) - 1
	for levels[k].start > i {
		k--
	}
	return int(levels[k].depth)
}

// A bitmap is a set of small numbers.
type bitmap []uint64

func newBitmap(n uint64) bitmap { return make(bitmap, (n+63)/64) }

func (b *bitmap) set(i uint64) {
	for i/64 >= uint64(len(*b)) {
		*b = append(*b, 0)
	}
	(*b)[i/64] |= 1 << (i % 64)
}

func (b bitmap) has(i uint64) bool { return i/64 < uint64(len(b)) && b[i/64]>>(i%64)&1 != 0 }

// and removes what is not in c.
func (b bitmap) and(c bitmap) {
	for i := range b {
		if i < len(c) {
			b[i] &= c[i]
		} else {
			b[i] = 0
		}
	}
}

// within reports whether everything in b is in c.
func (b bitmap) within(c bitmap) bool {
	for i, word := range b {
		if i < len(c) {
			word &^= c[i]
		}
		if word != 0 {
			return false
		}
	}
	return true
}

// each calls f for the numbers in the set, in order.
func (b bitmap) each(f func(i uint64) error) error {
	for w, word := range b {
		for ; word != 0; word &= word - 1 {
			if err := f(uint64(w)*64 + uint64(bits.TrailingZeros64(word))); err != nil {
				return err
			}
		}
	}
	return nil
}
