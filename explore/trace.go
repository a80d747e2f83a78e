package explore

import (
	"bytes"
	"fmt"
	"slices"
)

// No state remembers how it was reached. A shortest run passes through states
// each of which is as far from the start as its place in the run says, so the
// levels alone tell which states can be part of one. For all goals at once, the
// tracer goes through the levels backwards and marks the states from which a
// goal can be hit in exactly the actions and costs that remain; then, for each
// goal, it finds the run with the fewest changes of lane among the marked ones.
// What it finds depends on neither the order within levels nor the workers.
type tracer struct {
	*search
	lane  func(Action) int
	ends  map[place]uint64     // goals by the place where their best run ends
	marks map[place]*markLevel // marked states of each level
	next  map[int]*denseLevel  // by cost: the level after the one being marked
	maybe filter               // what is marked in next

	// targets, unless nil, are states to trace instead of what the model says
	// is hit.
	targets map[string]uint64
}

// A place is a cost and a depth: the coordinates of a level.
type place struct{ cost, depth int }

// root is the place before the initial states.
var root = place{0, -1}

// A markLevel is the marked states of a level, by their number in it.
type markLevel struct {
	level *level
	pos   []uint64
	mask  []uint64 // goals that can still be hit
}

// A denseLevel has the mask of every state of a level.
type denseLevel struct {
	level *level
	mask  []uint64
}

// traceGoals rebuilds the traces that are wanted.
func (s *search) traceGoals() error {
	t := newTracer(s)
	for i, g := range s.res.Goals {
		if g.Found && (s.opt.Trace == nil || s.opt.Trace(i)) {
			t.ends[place{g.Cost, g.Depth}] |= 1 << uint(i)
		}
	}
	if err := t.markAll(); err != nil {
		return err
	}
	for i := range s.res.Goals {
		g := &s.res.Goals[i]
		at := place{g.Cost, g.Depth}
		if t.ends[at]&(1<<uint(i)) != 0 {
			var err error
			if g.Trace, err = t.trace(i, at); err != nil {
				return err
			}
		}
	}
	return nil
}

func newTracer(s *search) *tracer {
	t := &tracer{search: s, lane: func(Action) int { return 0 },
		ends: map[place]uint64{}, marks: map[place]*markLevel{}}
	if l, ok := s.m.(Laner); ok {
		t.lane = l.Lane
	}
	return t
}

// stateHits returns the goals that the state just expanded hits.
func (t *tracer) stateHits(out *Successors) uint64 {
	if t.targets != nil {
		return t.targets[string(out.parent)]
	}
	return out.hits
}

// edgeHits returns the goals that taking an action hits.
func (t *tracer) edgeHits(e *edge) uint64 {
	if t.targets != nil {
		return 0
	}
	return e.hits
}

// markAll marks the states of all levels.
func (t *tracer) markAll() error {
	last := root
	for p := range t.ends {
		last.cost, last.depth = max(last.cost, p.cost), max(last.depth, p.depth)
	}
	for t.depth = last.depth; t.depth >= 0; t.depth-- {
		if err := t.markDepth(t.depth, last.cost); err != nil {
			return err
		}
	}
	return nil
}

// markDepth marks the states of a depth, in all layers up to a cost.
func (t *tracer) markDepth(depth, cost int) error {
	here := map[int]*denseLevel{}
	for c := 0; c <= cost && c < len(t.layers); c++ {
		l := t.layers[c].level(depth)
		if l.len() == 0 || !t.open(place{c, depth}) {
			continue
		}
		d := &denseLevel{l, make([]uint64, l.len())}
		if err := t.markStates(d, place{c, depth}); err != nil {
			return err
		}
		m := &markLevel{level: l}
		for n, mask := range d.mask {
			if mask != 0 {
				m.pos = append(m.pos, uint64(n))
				m.mask = append(m.mask, mask)
			}
		}
		if len(m.pos) > 0 {
			t.marks[place{c, depth}] = m
			here[c] = d
		}
	}
	t.next = here
	t.maybe = t.newFilter(depth)
	return nil
}

// open reports whether a run to a goal may pass through a place: it ends there
// or in the action after, or there are marked states after it.
func (t *tracer) open(p place) bool {
	for _, end := range []place{p, {p.cost, p.depth + 1}, {p.cost + 1, p.depth + 1}} {
		if t.ends[end] != 0 {
			return true
		}
	}
	return t.next[p.cost] != nil || t.next[p.cost+1] != nil
}

// markStates computes the masks of a level whose successors are marked.
func (t *tracer) markStates(d *denseLevel, p place) error {
	n := d.level.len()
	size := t.chunkStates(n)
	chunks := int((n + size - 1) / size)
	t.frontier, t.done = n, 0
	ends := t.ends[p]
	errs := make([]error, chunks)
	t.parallel(chunks, func(w *worker, i int) {
		lo := uint64(i) * size
		errs[i] = t.guard(d.level, lo, min(n, lo+size), w.out, func(n uint64) error {
			mask := uint64(0)
			if ends != 0 {
				mask = t.stateHits(w.out) & ends
			}
			for i := range w.out.edges {
				mask |= t.through(w.out, i, p)
			}
			d.mask[n] = mask
			return nil
		})
	})
	t.progress(Tracing)
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// through returns the goals whose best runs may continue from place p with
// successor i.
func (t *tracer) through(out *Successors, i int, p place) uint64 {
	e := &out.edges[i]
	to := t.after(p, e.act)
	mask := t.edgeHits(e) & t.ends[to]
	if next := t.next[to.cost]; next != nil && !e.end {
		h := hash(out.state(i))
		if !t.maybe.has(h) {
			return mask
		}
		if n, ok := next.level.lookup(h, out.state(i)); ok {
			mask |= next.mask[n]
		}
	}
	return mask
}

// A filter says of hashes that are not in it, nearly always, that they are
// not. It is small enough to be near when a table is not, and where the runs
// pass through few states of a level it saves most look-ups.
type filter struct {
	bits []uint64
	mask uint64
}

const filterBits = 1 << 22 // at most: half a megabyte

// newFilter returns a filter with the marked states of a depth.
func (t *tracer) newFilter(depth int) filter {
	n := 0
	for c := range t.next {
		n += len(t.marks[place{c, depth}].pos)
	}
	size := uint64(64)
	for size < filterBits && size < 16*uint64(n) {
		size *= 2
	}
	f := filter{make([]uint64, size/64), size - 1}
	for c, d := range t.next {
		for _, n := range t.marks[place{c, depth}].pos {
			h := hash(d.level.state(n)) & f.mask
			f.bits[h/64] |= 1 << (h % 64)
		}
	}
	return f
}

func (f filter) has(h uint64) bool {
	h &= f.mask
	return f.bits[h/64]>>(h%64)&1 != 0
}

// after returns the place that an action leads to. Being an initial state
// costs nothing.
func (t *tracer) after(p place, a Action) place {
	if t.cost != nil && p != root {
		p.cost += t.cost(a)
	}
	p.depth++
	return p
}

// lookup returns the number in the level of a state with its hash.
func (l *level) lookup(h uint64, state []byte) (n uint64, ok bool) {
	i, ok := l.set.find(h, state)
	if !ok {
		return 0, false
	}
	return l.number(shardOf(h), i)
}

// A cell says how well a state can go on to the goal: with least changes of
// lane, if the action before it was in one of these lanes, and with one more
// otherwise.
type cell struct {
	changes int
	lanes   uint64
}

const allLanes = ^uint64(0)

// from returns the least changes after an action in a lane.
func (c cell) from(lane int) int {
	if c.lanes>>uint(lane)&1 != 0 {
		return c.changes
	}
	return c.changes + 1
}

// A pathLevel is the states of a level through which best runs to one goal
// may pass.
type pathLevel struct {
	level *level
	pos   []uint64 // ascending
	cells []cell
}

// A path is what is needed to choose the run to one goal.
type path struct {
	*tracer
	goal   int
	end    place
	levels map[place]*pathLevel
}

// trace builds the trace of a goal.
func (t *tracer) trace(goal int, end place) ([]Step, error) {
	p := &path{tracer: t, goal: goal, end: end, levels: map[place]*pathLevel{}}
	for depth := end.depth; depth >= 0; depth-- {
		for cost := 0; cost <= end.cost; cost++ {
			if err := p.fill(place{cost, depth}); err != nil {
				return nil, err
			}
		}
	}
	return p.walk()
}

// fill computes the cells of a place from those of the places after it.
func (p *path) fill(at place) error {
	m := p.marks[at]
	if m == nil {
		return nil
	}
	l := &pathLevel{level: m.level}
	for i, mask := range m.mask {
		if mask>>uint(p.goal)&1 != 0 {
			l.pos = append(l.pos, m.pos[i])
		}
	}
	l.cells = make([]cell, len(l.pos))
	p.levels[at] = l
	const size = 256
	chunks := (len(l.pos) + size - 1) / size
	errs := make([]error, chunks)
	p.parallel(chunks, func(w *worker, i int) {
		for k := i * size; k < min(len(l.pos), (i+1)*size) && errs[i] == nil; k++ {
			errs[i] = p.guard(l.level, l.pos[k], l.pos[k]+1, w.out, func(uint64) (err error) {
				l.cells[k], err = p.cell(w.out, at)
				return err
			})
		}
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// cell computes the cell of a state just expanded.
func (p *path) cell(out *Successors, at place) (cell, error) {
	if at == p.end && p.stateHits(out)>>uint(p.goal)&1 != 0 {
		return cell{0, allLanes}, nil
	}
	best := cell{changes: -1}
	for i := range out.edges {
		rest, ok := p.rest(out, i, at)
		if !ok {
			continue
		}
		lane := p.lane(out.edges[i].act)
		if lane < 0 || lane > 63 {
			return cell{}, fmt.Errorf("action %#x is in lane %d; 0 to 63 are possible", uint64(out.edges[i].act), lane)
		}
		switch n := rest.from(lane); {
		case best.changes < 0 || n < best.changes:
			best = cell{n, 1 << uint(lane)}
		case n == best.changes:
			best.lanes |= 1 << uint(lane)
		}
	}
	return best, nil
}

// rest returns the cell after successor i, if it leads to the goal.
func (p *path) rest(out *Successors, i int, at place) (cell, bool) {
	e := &out.edges[i]
	to := p.after(at, e.act)
	if to == p.end && p.edgeHits(e)>>uint(p.goal)&1 != 0 {
		return cell{0, allLanes}, true
	}
	next := p.levels[to]
	if next == nil || e.end {
		return cell{}, false
	}
	n, ok := next.level.lookup(hash(out.state(i)), out.state(i))
	if !ok {
		return cell{}, false
	}
	k, ok := slices.BinarySearch(next.pos, n)
	if !ok {
		return cell{}, false
	}
	return next.cells[k], true
}

// walk follows the cells from the initial states to the goal.
func (p *path) walk() ([]Step, error) {
	out := p.workers[0].out
	err := protect(func() error { return out.Start(p.m) })
	var steps []Step
	for at, lane := root, -1; err == nil; {
		i := p.choose(out, at, lane)
		if i < 0 {
			return nil, fmt.Errorf("explore: lost the run to goal %d after %d actions", p.goal, at.depth)
		}
		a := out.edges[i].act
		steps = append(steps, Step{a, bytes.Clone(out.state(i))})
		if at != root {
			lane = p.lane(a)
		}
		if at = p.after(at, a); at.depth == p.end.depth {
			return steps, nil
		}
		err = protect(func() error { return out.Expand(p.m, steps[len(steps)-1].State) })
	}
	return nil, &ModelError{Err: err}
}

// choose returns the successor with the fewest changes of lane, counting the
// one from the lane before (-1: none). Among equals it takes the smallest
// action, so that the choice is unique. It returns -1 if none leads on.
func (p *path) choose(out *Successors, at place, lane int) int {
	best, least := -1, 0
	for i := range out.edges {
		rest, ok := p.rest(out, i, at)
		if !ok {
			continue
		}
		a := out.edges[i].act
		n := rest.changes
		if at != root {
			to := p.lane(a)
			if n = rest.from(to); lane >= 0 && lane != to {
				n++
			}
		}
		if best < 0 || n < least || n == least && a < out.edges[best].act {
			best, least = i, n
		}
	}
	return best
}
