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
// level. Such an action shows while the layer is explored: its successor is
// there already, in a level that is finished. Only from these successors are
// components looked for; if there are none there is nothing to do.

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
	if err := protect(l.checkLayers); err != nil {
		return err
	}
	return l.drawLassos()
}

func (l *liver) checkLayers() error {
	for cost := range l.layers {
		ok, err := l.checkLayer(cost)
		if err != nil {
			return err
		}
		if !ok {
			l.res.Complete = false
			break
		}
	}
	return nil
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
	var mask uint64 // properties pending where actions lead back to
	err = ids.back(func(id uint64) error {
		mask |= l.pending(ids.state(id))
		return nil
	})
	if mask == 0 || err != nil {
		return true, err
	}
	l.depth, l.frontier, l.done = 0, ids.len(), 0
	l.progress(Liveness)
	if l.bytes()+tarjanBytes*ids.len() > l.maxMem {
		l.stop(StopMemory)
		return false, nil
	}
	t := &tarjan{liver: l, cost: cost, ids: ids, num: make([]uint32, ids.len()),
		classes: classes{l.fair, map[int]uint64{}}, mask: mask}
	return t.run()
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

// back calls f for the states to which an action leads back.
func (d *ids) back(f func(id uint64) error) error {
	for sh := range d.set.shards {
		err := d.set.shards[sh].back.each(func(i uint64) error { return f(d.first[sh] + i) })
		if err != nil {
			return err
		}
	}
	return nil
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
