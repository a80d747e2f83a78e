package explore

import (
	"bytes"
	"fmt"
	"slices"
)

// drawLassos adds the stems and loops to the violations found.
func (l *liver) drawLassos() error {
	t := newTracer(l.search)
	t.targets = map[string]uint64{}
	for i := range l.best {
		if b := &l.best[i]; b.found {
			t.targets[string(b.state)] |= 1 << uint(i)
			t.ends[b.at] |= 1 << uint(i)
		}
	}
	if err := t.markAll(); err != nil {
		return err
	}
	for i := range l.best {
		b := &l.best[i]
		if !b.found {
			continue
		}
		r := &l.res.Live[i]
		*r = LiveResult{Violated: true, Cost: b.at.cost, Depth: b.at.depth}
		var err error
		if r.Stem, err = t.trace(i, b.at); err != nil {
			return err
		}
		w := &walker{liver: l, ids: newIDs(l.layers[b.at.cost]), scc: b.scc, classes: classes{l.fair, map[int]uint64{}}}
		if r.Loop, err = w.loop(b.state); err != nil {
			return err
		}
	}
	return nil
}

// A walker makes a fair loop in a component: from its first state it goes to
// the nearest place that does justice to one more class, and in the end back.
type walker struct {
	*liver
	ids     *ids
	scc     []uint64 // ascending
	classes classes
	at      uint64
	need    bitmap // classes that were neither taken nor missing so far
	run     []Step
}

// A hop is how a search within the component came to a state.
type hop struct {
	to   uint64
	act  Action
	prev int // index of the hop before, -1 if this is the first
}

// loop returns the run from a state of the component back to it.
func (w *walker) loop(state []byte) ([]Step, error) {
	start, _ := w.ids.lookup(state)
	out := w.workers[0].out
	if err := w.expand(out, state); err != nil {
		return nil, err
	}
	w.at, w.need = start, w.classes.enabled(out)
	w.run = []Step{{State: state}}
	for !w.need.within(nil) {
		if err := w.advance(w.takes, w.lacks); err != nil {
			return nil, err
		}
	}
	if len(w.run) == 1 || w.at != start {
		home := func(h hop) bool { return h.to == start }
		if err := w.advance(home, func(bitmap) bool { return false }); err != nil {
			return nil, err
		}
	}
	return w.run, nil
}

// takes reports whether a hop takes an action of a class that is needed.
func (w *walker) takes(h hop) bool {
	class, fair := w.classes.of(h.act)
	return fair && w.need.has(class)
}

// lacks reports whether a state lacks actions of a class that is needed.
func (w *walker) lacks(enabled bitmap) bool { return !w.need.within(enabled) }

// advance goes on, breadth first, to the nearest hop or state that will do.
func (w *walker) advance(hopDoes func(hop) bool, stateDoes func(enabled bitmap) bool) error {
	var hops []hop
	seen := map[uint64]bool{w.at: true}
	out := w.workers[0].out
	for k := -1; k < len(hops); k++ {
		at := w.at
		if k >= 0 {
			at = hops[k].to
		}
		if err := w.expand(out, w.ids.state(at)); err != nil {
			return err
		}
		if k >= 0 && stateDoes(w.classes.enabled(out)) {
			return w.follow(hops, k)
		}
		for i := range out.edges {
			h, ok := w.hop(out, i, k)
			if !ok {
				continue
			}
			if hopDoes(h) {
				return w.follow(append(hops, h), len(hops))
			}
			if !seen[h.to] {
				seen[h.to] = true
				hops = append(hops, h)
			}
		}
	}
	return fmt.Errorf("explore: no fair loop from state %x", w.ids.state(w.at))
}

// hop returns successor i of a state as a hop, if it stays in the component.
func (w *walker) hop(out *Successors, i, prev int) (hop, bool) {
	next := w.step(out, i)
	if next == nil {
		return hop{}, false
	}
	to, ok := w.ids.lookup(next)
	if !ok {
		return hop{}, false
	}
	_, ok = slices.BinarySearch(w.scc, to)
	return hop{to, out.edges[i].act, prev}, ok
}

// follow appends the hops up to hops[k] to the run.
func (w *walker) follow(hops []hop, k int) error {
	var way []hop
	for ; k >= 0; k = hops[k].prev {
		way = append(way, hops[k])
	}
	slices.Reverse(way)
	out := w.workers[0].out
	for _, h := range way {
		state := bytes.Clone(w.ids.state(h.to))
		if err := w.expand(out, state); err != nil {
			return err
		}
		w.need.and(w.classes.enabled(out))
		if class, fair := w.classes.of(h.act); fair && w.need.has(class) {
			w.need[class/64] &^= 1 << (class % 64)
		}
		w.run = append(w.run, Step{h.act, state})
		w.at = h.to
	}
	return nil
}
