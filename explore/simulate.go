package explore

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
)

// SimOptions say how to simulate. The zero value makes no walks.
type SimOptions struct {
	Walks    uint64 // random runs to try
	Seed     uint64 // of the random numbers; the same seed makes the same walks
	MaxSteps int    // actions after which a walk is cut; 0 means 2000
	Workers  int    // as in Options; never changes a SimResult
	Progress func(Progress)
	// Until is a mask of goals. When one of them was hit the simulation stops
	// soon, with StopGoal, and shows all runs as they were met, not shrunk.
	Until uint64
	// ShrinkStates is the limit of the exact search for better runs than those
	// met; 0 means that there is none. MaxMem is its limit in bytes.
	ShrinkStates, MaxMem uint64
}

// A SimResult is what random walks met. It is a function of the model, the seed
// and the limits; only a stop by time or interrupt depends on the machine. It
// never says that something cannot happen.
type SimResult struct {
	Walks   uint64      // made, to their end or until they were cut
	Cut     uint64      // of these, how many were cut
	Steps   uint64      // actions taken in all walks
	Longest int         // most actions in a walk
	Ends    uint64      // distinct states without successors, told apart by 64 bits of hash
	Kinds   [256]uint64 // actions taken, by kind
	Goals   []SimGoal
	Stop    Stop
}

// A SimGoal says whether a goal was met, and by which run. The run is not the
// one met, but what shrinking made of it; Minimal says, as ever, that no better
// one exists, which is known only if the exact search came far enough.
type SimGoal struct {
	GoalResult
	Walk uint64 // number of the walk that met it by the least run, from 1
	Met  int    // actions of that run before it was shrunk
}

const (
	simMaxSteps = 2000
	simRound    = 256 // walks between two looks at limits; may not depend on the workers
)

// Simulate takes random walks through m from its initial states. For each goal
// that a walk passes, or could have hit with its next action, it keeps the least
// run and shrinks it: first by leaving out actions (see [shrinker]), then by
// looking for a better one with Run, within opt.ShrinkStates.
func Simulate(ctx context.Context, m Model, opt SimOptions) (*SimResult, error) {
	n := goals(m)
	if m.Width() < 1 || n < 0 || n > 64 {
		return nil, fmt.Errorf("explore: states of %d bytes and %d goals; at least 1 and 0 to 64 are possible", m.Width(), n)
	}
	s := &simulation{ctx: ctx, m: m, opt: opt, best: make([]met, n), ends: map[uint64]bool{}}
	if opt.MaxSteps <= 0 {
		s.opt.MaxSteps = simMaxSteps
	}
	if opt.Workers <= 0 {
		s.opt.Workers = runtime.GOMAXPROCS(0)
	}
	for range s.opt.Workers {
		s.walkers = append(s.walkers, newSimWorker(s))
	}
	if err := s.walkAll(); err != nil {
		return nil, err
	}
	if err := s.show(); err != nil {
		return nil, err
	}
	return &s.res, nil
}

// A simulation is the state of one Simulate.
type simulation struct {
	ctx     context.Context
	m       Model
	opt     SimOptions
	walkers []*simWorker
	best    []met
	ends    map[uint64]bool // hashes of end states
	res     SimResult
}

// A met is a run that hits a goal: the choice of the initial state and then
// actions. None has no actions.
type met struct {
	cost    int
	walk    uint64
	actions []Action
}

// compare says which of two runs is better: it costs less, or it is shorter, or
// it was met first.
func (a *met) compare(b *met) int {
	if a.actions == nil || b.actions == nil {
		return cmp.Compare(len(b.actions), len(a.actions))
	}
	return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(len(a.actions), len(b.actions)), cmp.Compare(a.walk, b.walk))
}

// walkAll makes the walks, a round at a time.
func (s *simulation) walkAll() error {
	errs := make([]error, simRound)
	for from := uint64(0); from < s.opt.Walks && s.res.Stop == StopNone; {
		n := min(simRound, s.opt.Walks-from)
		parallel(s.walkers, int(n), func(w *simWorker, i int) { errs[i] = w.walk(from + uint64(i) + 1) })
		from += n
		s.gather()
		for _, err := range errs[:n] {
			if errors.As(err, new(*ModelError)) {
				return err
			}
		}
		s.limit()
		if s.opt.Progress != nil {
			s.opt.Progress(Progress{Phase: Simulating, Depth: s.res.Longest, Transitions: s.res.Steps, Frontier: s.opt.Walks, Done: s.res.Walks})
		}
	}
	return nil
}

// gather adds up what the walkers have counted and met so far.
func (s *simulation) gather() {
	total := SimResult{}
	for _, w := range s.walkers {
		total.Walks += w.walks
		total.Cut += w.cut
		total.Steps += w.steps
		total.Longest = max(total.Longest, w.longest)
		for k, n := range w.kinds {
			total.Kinds[k] += n
		}
		for h := range w.ends {
			s.ends[h] = true
		}
		clear(w.ends)
		for goal := range w.best {
			if w.best[goal].compare(&s.best[goal]) < 0 {
				s.best[goal] = w.best[goal]
			}
		}
	}
	total.Ends = uint64(len(s.ends))
	s.res = total
}

func (s *simulation) limit() {
	switch err := s.ctx.Err(); {
	case errors.Is(err, context.DeadlineExceeded):
		s.res.Stop = StopTime
	case err != nil:
		s.res.Stop = StopInterrupt
	case s.opt.Until&s.hit() != 0:
		s.res.Stop = StopGoal
	}
}

// hit returns the goals met so far.
func (s *simulation) hit() (mask uint64) {
	for goal := range s.best {
		if s.best[goal].actions != nil {
			mask |= 1 << uint(goal)
		}
	}
	return mask
}

// show makes the goals of the result.
func (s *simulation) show() error {
	s.res.Goals = make([]SimGoal, len(s.best))
	for goal := range s.best {
		b := &s.best[goal]
		if b.actions == nil {
			continue
		}
		g := SimGoal{Walk: b.walk, Met: len(b.actions) - 1}
		if s.res.Stop == StopNone {
			if err := s.shrink(goal); err != nil {
				return err
			}
		}
		trace, err := s.trace(b.actions)
		if err != nil {
			return err
		}
		g.GoalResult = GoalResult{Found: true, Cost: b.cost, Depth: len(b.actions) - 1, Trace: trace}
		s.res.Goals[goal] = g
	}
	return s.exact()
}

// exact looks for better runs than those met, to all goals at once.
func (s *simulation) exact() error {
	hit := s.hit()
	if hit == 0 || s.opt.ShrinkStates == 0 || s.res.Stop != StopNone {
		return nil
	}
	res, err := Run(s.ctx, s.m, Options{Workers: s.opt.Workers, MaxStates: s.opt.ShrinkStates, MaxMem: s.opt.MaxMem,
		Progress: s.opt.Progress, UntilAll: hit, Trace: func(goal int) bool { return hit>>uint(goal)&1 != 0 }})
	if err != nil {
		return err
	}
	for i := range s.res.Goals {
		// A run as good as the one met is better to read.
		g, r := &s.res.Goals[i].GoalResult, &res.Goals[i]
		if g.Found && r.Found && (r.Cost < g.Cost || r.Cost == g.Cost && r.Depth <= g.Depth) {
			*g = *r
		}
	}
	return nil
}

// trace repeats a run to have its states.
func (s *simulation) trace(actions []Action) ([]Step, error) {
	out := s.walkers[0].out
	var steps []Step
	for _, a := range actions {
		if err := expandFrom(s.m, out, steps); err != nil {
			return nil, err
		}
		i := out.Index(a)
		if i < 0 {
			return nil, &ModelError{Err: fmt.Errorf("action %#x was possible once, but not again", uint64(a))}
		}
		steps = append(steps, Step{a, bytes.Clone(out.state(i))})
	}
	return steps, nil
}

// expandFrom expands the last state of a run, or finds the initial states.
func expandFrom(m Model, out *Successors, steps []Step) error {
	if len(steps) == 0 {
		return expandState(m, out, nil)
	}
	return expandState(m, out, steps[len(steps)-1].State)
}

// expandState expands a state, or finds the initial states if it is nil. What a
// model does wrong, a panic included, becomes a ModelError.
func expandState(m Model, out *Successors, state []byte) error {
	err := protect(func() error {
		if state == nil {
			return out.Start(m)
		}
		return out.Expand(m, state)
	})
	if err != nil {
		return &ModelError{State: bytes.Clone(state), Err: err}
	}
	return nil
}
