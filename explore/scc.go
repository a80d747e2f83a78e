package explore

import (
	"bytes"
	"errors"
	"math"
	"slices"
)

// A tarjan finds strongly connected components of pending states in a layer, by
// Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972)
// without recursion. No edges are stored: a state is expanded when it is
// entered, and the ids of its successors are kept only while it is on the path.
type tarjan struct {
	*liver
	cost    int
	ids     *ids
	num     []uint32 // by id: order of entry from 1, 0 before, complete after
	count   uint32
	classes classes

	mask  uint64 // the properties looked at
	path  []frame
	succs []uint64 // of the states on the path, one after the other
	stack []uint64 // states whose component is not complete
}

// A frame is a state on the depth-first path.
type frame struct {
	id   uint64
	low  uint32 // least num seen from here
	base int    // in succs: the first successor
	next int    // in succs: the first not yet followed
	self bool   // an action leads from the state to itself
}

const (
	complete = math.MaxUint32     // the component is complete
	inside   = math.MaxUint32 - 1 // in the component being judged

	tarjanBytes = 16 // about what a state takes, path and stack included
)

// errStopped ends a search that was interrupted.
var errStopped = errors.New("stopped")

// run judges properties, starting from the states to which actions lead back.
// It returns false if it was interrupted.
func (t *tarjan) run() (ok bool, err error) {
	err = t.ids.back(func(id uint64) error {
		if t.num[id] != 0 || !t.waits(t.ids.state(id)) {
			return nil
		}
		return t.visit(id)
	})
	if err == errStopped {
		return false, nil
	}
	return err == nil, err
}

// waits reports whether one of the properties is pending.
func (t *tarjan) waits(state []byte) bool { return t.pending(state)&t.mask != 0 }

// visit follows everything that can be reached from a root.
func (t *tarjan) visit(root uint64) error {
	if err := t.enter(root); err != nil {
		return err
	}
	for len(t.path) > 0 {
		f := &t.path[len(t.path)-1]
		if f.next < len(t.succs) {
			id := t.succs[f.next]
			f.next++
			switch n := t.num[id]; {
			case n == 0:
				if err := t.enter(id); err != nil {
					return err
				}
			case n != complete:
				f.low = min(f.low, n)
				f.self = f.self || id == f.id
			}
			continue
		}
		if err := t.leave(); err != nil {
			return err
		}
	}
	return nil
}

// enter puts a state on the path.
func (t *tarjan) enter(id uint64) error {
	if t.done%4096 == 0 {
		t.progress(Liveness)
		if t.interrupted() {
			return errStopped
		}
	}
	t.done++
	t.count++
	t.num[id] = t.count
	t.stack = append(t.stack, id)
	t.path = append(t.path, frame{id: id, low: t.count, base: len(t.succs), next: len(t.succs)})
	out := t.workers[0].out
	if err := t.expand(out, t.ids.state(id)); err != nil {
		return err
	}
	for i := range out.edges {
		if next := t.step(out, i); next != nil && t.waits(next) {
			if to, ok := t.ids.lookup(next); ok {
				t.succs = append(t.succs, to)
			}
		}
	}
	return nil
}

// leave takes the last state off the path, and its component off the stack if
// the state is the first of it.
func (t *tarjan) leave() error {
	f := t.path[len(t.path)-1]
	t.path = t.path[:len(t.path)-1]
	if len(t.path) > 0 {
		up := &t.path[len(t.path)-1]
		up.low = min(up.low, f.low)
	}
	t.succs = t.succs[:f.base]
	if f.low != t.num[f.id] {
		return nil
	}
	k := len(t.stack) - 1
	for t.stack[k] != f.id {
		k--
	}
	scc := t.stack[k:]
	t.stack = t.stack[:k]
	if len(scc) == 1 && !f.self {
		t.num[f.id] = complete
		return nil
	}
	return t.split(scc)
}

// split judges the properties that are pending in all of a component, and looks
// for components of their own for those that are pending in some of it.
func (t *tarjan) split(scc []uint64) error {
	every, some := t.mask, uint64(0)
	for _, id := range scc {
		pending := t.pending(t.ids.state(id)) & t.mask
		every &= pending
		some |= pending
	}
	for ; some != 0; some &= some - 1 {
		property := firstGoal(some)
		var err error
		if every>>uint(property)&1 != 0 {
			err = t.judge(property, scc)
		} else {
			err = t.within(property, scc)
		}
		if err != nil {
			return err
		}
	}
	for _, id := range scc {
		t.num[id] = complete
	}
	return nil
}

// within looks for components among the states of a component in which one
// property is pending. All that can be reached from the component is complete,
// so the search stays inside.
func (t *tarjan) within(property int, scc []uint64) error {
	inner := &tarjan{liver: t.liver, cost: t.cost, ids: t.ids, num: t.num, classes: t.classes, mask: 1 << uint(property)}
	for _, id := range scc {
		t.num[id] = complete
		if inner.waits(t.ids.state(id)) {
			t.num[id] = 0
		}
	}
	for _, id := range scc {
		if t.num[id] == 0 {
			if err := inner.visit(id); err != nil {
				return err
			}
		}
	}
	return nil
}

// judge keeps a component as a violation of a property if it is fair and better
// than the best so far.
func (t *tarjan) judge(property int, scc []uint64) error {
	for _, id := range scc {
		t.num[id] = inside
	}
	var always, taken bitmap // classes enabled in all states; with an action inside
	out := t.workers[0].out
	for k, id := range scc {
		if err := t.expand(out, t.ids.state(id)); err != nil {
			return err
		}
		if enabled := t.classes.enabled(out); k == 0 {
			always = enabled
		} else {
			always.and(enabled)
		}
		for i := range out.edges {
			if next := t.step(out, i); next != nil {
				class, fair := t.classes.of(out.edges[i].act)
				if to, ok := t.ids.lookup(next); ok && fair && t.num[to] == inside {
					taken.set(class)
				}
			}
		}
	}
	if always.within(taken) {
		t.offer(property, scc)
	}
	return nil
}

// offer makes a fair component the best violation if it is better.
func (t *tarjan) offer(property int, scc []uint64) {
	first := scc[0]
	at := place{t.cost, t.ids.depth(first)}
	for _, id := range scc[1:] {
		d := t.ids.depth(id)
		if d < at.depth || d == at.depth && bytes.Compare(t.ids.state(id), t.ids.state(first)) < 0 {
			first, at.depth = id, d
		}
	}
	if best := &t.best[property]; best.better(at, t.ids.state(first)) {
		scc = slices.Clone(scc)
		slices.Sort(scc)
		*best = lasso{found: true, at: at, state: bytes.Clone(t.ids.state(first)), scc: scc}
	}
}

// classes numbers the fairness classes that occur, from 0.
type classes struct {
	fair  func(Action) int
	index map[int]uint64
}

// of returns the number of an action's class, or false if the action need
// never be taken.
func (c *classes) of(a Action) (i uint64, fair bool) {
	class := c.fair(a)
	if class == 0 {
		return 0, false
	}
	i, ok := c.index[class]
	if !ok {
		i = uint64(len(c.index))
		c.index[class] = i
	}
	return i, true
}

// enabled returns the classes of the actions of a state just expanded.
func (c *classes) enabled(out *Successors) (b bitmap) {
	for i := range out.edges {
		if class, fair := c.of(out.edges[i].act); fair {
			b.set(class)
		}
	}
	for _, a := range out.held {
		if class, fair := c.of(a); fair {
			b.set(class)
		}
	}
	return b
}
