package explore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
)

// Run explores every run of m and returns what it found. The order is: first
// all runs of cost 0, breadth first, then those of cost 1, and so on, so that
// a search that is stopped still says something definite about the cheap runs.
//
// Cancelling ctx, its deadline and the limits in opt end the search early, with
// a Result that says so. An error means a model that breaks its contract, or a
// space too large for the tables.
func Run(ctx context.Context, m Model, opt Options) (*Result, error) {
	s, err := newSearch(ctx, m, opt)
	if err != nil {
		return nil, err
	}
	defer s.release()
	err = s.explore()
	if err == nil {
		err = s.checkLive()
	}
	if err == nil {
		err = s.traceGoals()
	}
	if err != nil {
		return nil, err
	}
	return &s.res, nil
}

// A search is the state of one Run.
//
// The states of each cost form a layer with a set of its own; all ways to a
// state cost the same, so the layers are disjoint. While a layer is explored,
// the actions that cost something lead to seeds, which wait in the set next,
// by depth, until the layer is finished and they start the next one.
type search struct {
	ctx     context.Context
	m       Model
	cost    func(Action) int // nil: everything is free
	opt     Options
	maxMem  uint64
	mem     *memory
	workers []*worker
	chunks  []chunk
	room    room

	layers     []*set
	seeds      *set  // of the current layer; nil in the first
	seedDepths []int // depths that still have seeds
	next       *set  // seeds of the next layer
	nextDepths []int
	depth      int // of the level being expanded
	frontier   uint64
	done       uint64
	res        Result
}

// A worker is what one goroutine needs for itself.
type worker struct {
	out         *Successors
	free, costs pile
	kinds       [256]uint64
	transitions uint64
}

func newSearch(ctx context.Context, m Model, opt Options) (*search, error) {
	width, n := m.Width(), goals(m)
	if width < 1 {
		return nil, fmt.Errorf("explore: width %d of a state is less than 1", width)
	}
	if n < 0 || n > 64 {
		return nil, fmt.Errorf("explore: %d goals; 0 to 64 are possible", n)
	}
	s := &search{ctx: ctx, m: m, opt: opt, maxMem: opt.MaxMem}
	if s.maxMem == 0 {
		s.maxMem = DefaultMaxMem()
	}
	if c, ok := m.(Coster); ok {
		s.cost = c.Cost
	}
	s.mem = newMemory(width)
	s.room.mem = s.mem
	s.chunks = make([]chunk, roundChunks)
	s.res.CompleteCost = -1
	s.res.Goals = make([]GoalResult, n)
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	for range opt.Workers {
		s.workers = append(s.workers, &worker{out: NewSuccessors(m)})
	}
	return s, nil
}

// explore fills the layers and the result, but for the traces.
func (s *search) explore() error {
	err := s.start()
	for err == nil && s.res.Stop == StopNone {
		if err = s.exploreLayer(); err != nil || s.res.Stop != StopNone {
			break
		}
		s.res.CompleteCost = len(s.layers) - 1
		if len(s.nextDepths) == 0 {
			s.res.Complete = true
			break
		}
		err = s.openLayer()
	}
	if errors.Is(err, errNoMemory) {
		s.res.Stop, err = StopMemory, nil
	}
	s.finish()
	return err
}

// start stores the initial states as level 0 of layer 0.
func (s *search) start() error {
	if err := s.openLayer(); err != nil {
		return err
	}
	out := s.workers[0].out
	if err := protect(func() error { return out.Start(s.m) }); err != nil {
		return &ModelError{Err: err}
	}
	p := &s.workers[0].free
	for i := range out.edges {
		s.found(out.edges[i].hits, 0, 0)
		if !out.edges[i].end {
			p.add(out.state(i))
		}
	}
	if err := p.sortTo(&s.chunks[0].free, &s.room); err != nil {
		return err
	}
	ok, err := s.store(s.layer(), 1, chunkFree)
	if !ok {
		s.res.Stop = StopMemory
	}
	return err
}

// openLayer makes the seeds that wait the current ones.
func (s *search) openLayer() error {
	if s.seeds != nil {
		s.seeds.drop()
	}
	s.seeds, s.seedDepths = s.next, s.nextDepths
	s.next, s.nextDepths = nil, nil
	if s.seeds != nil {
		s.seeds.dropTable() // only their order is needed from now on
	}
	layer, err := newSet(s.mem, s.m.Width())
	if err != nil {
		return err
	}
	_, layer.noteBack = s.m.(Liver)
	s.layers = append(s.layers, layer)
	if s.cost != nil {
		s.next, err = newSet(s.mem, s.m.Width())
	}
	return err
}

// layer returns the current layer.
func (s *search) layer() *set { return s.layers[len(s.layers)-1] }

// exploreLayer expands the levels of the current layer one after the other.
// The states of a level are the seeds of its depth and the successors, without
// cost, of the level before.
func (s *search) exploreLayer() error {
	depth := 0
	for {
		if err := s.sow(depth); err != nil || s.res.Stop != StopNone {
			return err
		}
		if s.layer().seal(depth) == 0 {
			if len(s.seedDepths) == 0 {
				return nil
			}
			depth = s.seedDepths[0]
			continue
		}
		s.res.Depth = max(s.res.Depth, depth)
		if s.untilHit(depth) {
			s.depth, s.res.Stop = depth, StopGoal
			return nil
		}
		if err := s.expandLevel(s.layer().level(depth)); err != nil || s.res.Stop != StopNone {
			return err
		}
		depth++
	}
}

// sow adds the seeds of a depth to the current layer.
func (s *search) sow(depth int) error {
	if len(s.seedDepths) == 0 || s.seedDepths[0] != depth {
		return nil
	}
	s.seedDepths = s.seedDepths[1:]
	l := s.seeds.level(depth)
	layer := s.layer()
	ok, err := s.reserve(layer, func(sh int) uint64 { return uint64(l.hi[sh] - l.lo[sh]) })
	if err != nil {
		return err
	}
	if !ok {
		s.res.Stop = StopMemory
		return nil
	}
	err = s.perShard(l.len(), func(sh int) error {
		for i := l.lo[sh]; i < l.hi[sh]; i++ {
			state := s.seeds.state(sh, i)
			if _, err := layer.insert(sh, hash(state), state); err != nil {
				return err
			}
		}
		return nil
	})
	s.seeds.dropBefore(l)
	return err
}

// expandLevel expands the states of a level, a round at a time.
func (s *search) expandLevel(l *level) error {
	s.depth, s.frontier = l.depth, l.len()
	for s.done = 0; s.done < s.frontier; {
		if s.limit(); s.res.Stop != StopNone {
			break
		}
		n, err := s.round(l, s.done)
		if errors.Is(err, errNoMemory) {
			s.res.Stop = StopMemory
			break
		}
		if err != nil {
			return err
		}
		s.done = n
		s.progress(Exploring)
	}
	if s.next != nil && s.next.seal(l.depth+1) > 0 {
		s.nextDepths = append(s.nextDepths, l.depth+1)
	}
	if s.res.Stop != StopNone && s.layer().seal(l.depth+1) > 0 {
		s.res.Depth = max(s.res.Depth, l.depth+1)
	}
	return nil
}

// untilHit reports whether a goal of Until, or all goals of UntilAll, were hit in
// at most depth actions and at no more than the cost of the layer. Then no run
// is better.
func (s *search) untilHit(depth int) bool {
	settled := uint64(0)
	for i, g := range s.res.Goals {
		if g.Found && (g.Cost < len(s.layers)-1 || g.Cost < len(s.layers) && g.Depth <= depth) {
			settled |= 1 << uint(i)
		}
	}
	return s.opt.Until&settled != 0 || s.opt.UntilAll != 0 && s.opt.UntilAll&^settled == 0
}

// limit stops the search if a limit is reached.
func (s *search) limit() {
	switch err := s.ctx.Err(); {
	case errors.Is(err, context.DeadlineExceeded):
		s.res.Stop = StopTime
	case err != nil:
		s.res.Stop = StopInterrupt
	case s.opt.MaxStates > 0 && s.states() > s.opt.MaxStates:
		s.res.Stop = StopStates
	case s.bytes() > s.maxMem:
		s.res.Stop = StopMemory
	}
}

// states returns how many states the layers hold.
func (s *search) states() (n uint64) {
	for _, l := range s.layers {
		n += l.len()
	}
	return n
}

// found notes that goals are hit by a run of this cost and length.
func (s *search) found(mask uint64, cost, depth int) {
	for ; mask != 0; mask &= mask - 1 {
		g := &s.res.Goals[firstGoal(mask)]
		if !g.Found || cost < g.Cost || cost == g.Cost && depth < g.Depth {
			g.Found, g.Cost, g.Depth = true, cost, depth
		}
	}
}

// expand expands one state outside the parallel parts.
func (s *search) expand(out *Successors, state []byte) error {
	if err := protect(func() error { return out.Expand(s.m, state) }); err != nil {
		return &ModelError{State: bytes.Clone(state), Err: err}
	}
	return nil
}

// finish completes the numbers of the result.
func (s *search) finish() {
	for _, l := range s.layers {
		n := l.len()
		s.res.Costs = append(s.res.Costs, n)
		s.res.States += n
	}
	for _, w := range s.workers {
		s.res.Transitions += w.transitions
		for k, n := range w.kinds {
			s.res.Kinds[k] += n
		}
	}
	s.res.Bytes = s.mem.peak + s.room.peak
	s.res.StateBytes = s.mem.used
	for i := range s.res.Goals {
		g := &s.res.Goals[i]
		// In the layer where the search stopped, the levels before the one
		// being expanded are finished, and so are the actions that lead to it.
		g.Minimal = g.Found && (s.res.Complete || g.Cost <= s.res.CompleteCost ||
			g.Cost == s.res.CompleteCost+1 && g.Cost == len(s.layers)-1 && g.Depth <= s.depth)
	}
}

// release gives everything back to the operating system.
func (s *search) release() {
	for _, l := range append(s.layers, s.seeds, s.next) {
		if l != nil {
			l.dropTable()
		}
	}
	s.mem.release()
	s.room.release()
}

func (s *search) progress(phase Phase) {
	if s.opt.Progress == nil {
		return
	}
	p := Progress{Phase: phase, Cost: len(s.layers) - 1, Depth: s.depth, States: s.states(),
		Frontier: s.frontier, Done: s.done, Bytes: s.bytes(), MaxMem: s.maxMem}
	for _, w := range s.workers {
		p.Transitions += w.transitions
	}
	s.opt.Progress(p)
}
