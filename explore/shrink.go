package explore

import "slices"

// A shrinker makes a run to a goal shorter. It leaves out stretches of its
// actions, long ones first, and takes those of the others that are possible, in
// their order: without a post the packets of the post are not there to be
// delivered, and their steps fall away by themselves (delta debugging; Zeller
// and Hildebrandt, TSE 2002). What remains may be longer than the shortest run,
// which can do things in an order that no part of the run has.
type shrinker struct {
	m      Model
	out    *Successors
	cost   func(Action) int
	goal   uint64 // its bit
	best   met
	effort int // states that may still be expanded
}

// shrinkEffort is a second or so.
const shrinkEffort = 200_000

// shrink makes the best run to a goal shorter.
func (s *simulation) shrink(goal int) error {
	w := s.walkers[0]
	k := &shrinker{m: s.m, out: w.out, cost: w.cost, goal: 1 << uint(goal), best: s.best[goal], effort: shrinkEffort}
	if err := k.cutLoops(); err != nil {
		return err
	}
	for size := len(k.best.actions) / 2; size > 0; size /= 2 {
		// The last pass is repeated as long as it helps.
		for again := true; again; {
			shorter, err := k.pass(size)
			if err != nil {
				return err
			}
			again = shorter && size == 1
		}
	}
	s.best[goal] = k.best
	return nil
}

// pass leaves out each stretch of a size, and reports whether that helped. The
// initial state stays.
func (k *shrinker) pass(size int) (helped bool, err error) {
	for from := 1; from < len(k.best.actions) && k.effort > 0; {
		to := min(from+size, len(k.best.actions))
		better, err := k.try(slices.Concat(k.best.actions[:from], k.best.actions[to:]))
		if err != nil {
			return helped, err
		}
		if helped = helped || better; !better {
			from = to
		}
	}
	return helped, nil
}

// try takes those of the actions that are possible. If that hits the goal by a
// better run than the best, it becomes the best.
func (k *shrinker) try(actions []Action) (better bool, err error) {
	run := met{walk: k.best.walk, actions: make([]Action, 0, len(actions))}
	var state []byte
	for next := 0; ; {
		k.effort--
		if err := expandState(k.m, k.out, state); err != nil {
			return false, err
		}
		if k.finish(run) {
			return true, nil
		}
		i := -1
		for ; i < 0 && next < len(actions); next++ {
			i = k.out.Index(actions[next])
		}
		if i < 0 || k.out.Ended(i) || run.compare(&k.best) >= 0 {
			return false, nil
		}
		run = k.with(run, k.out.edges[i].act)
		state = slices.Clone(k.out.state(i))
	}
}

// with returns a run and one more action.
func (k *shrinker) with(run met, a Action) met {
	if len(run.actions) > 0 {
		run.cost += k.cost(a)
	}
	run.actions = append(run.actions, a)
	return run
}

// finish keeps a run, or the run and one more action, if that hits the goal and
// is better than the best. The state it leads to was just expanded.
func (k *shrinker) finish(run met) bool {
	if len(run.actions) > 0 && k.out.hits&k.goal != 0 && run.compare(&k.best) < 0 {
		k.best = run
		return true
	}
	found := false
	for i := range k.out.edges {
		if k.out.edges[i].hits&k.goal == 0 {
			continue
		}
		if longer := k.with(run, k.out.edges[i].act); longer.compare(&k.best) < 0 {
			longer.actions = slices.Clone(longer.actions)
			k.best, found = longer, true
		}
	}
	return found
}

// cutLoops leaves out the ways from a state back to itself.
func (k *shrinker) cutLoops() error {
	last := len(k.best.actions) - 1 // hits the goal, so it stays wherever it leads
	at := map[string]int{}          // how many of the kept actions lead to a state
	var kept []Action
	var states []string // that the kept actions lead to
	var state []byte
	for _, a := range k.best.actions[:last] {
		k.effort--
		if err := expandState(k.m, k.out, state); err != nil {
			return err
		}
		i := k.out.Index(a)
		if i < 0 {
			return nil // trace will say what is wrong with the model
		}
		state = slices.Clone(k.out.state(i))
		if n := at[string(state)]; n > 0 {
			for _, s := range states[n:] {
				delete(at, s)
			}
			kept, states = kept[:n], states[:n]
			continue
		}
		kept, states = append(kept, a), append(states, string(state))
		at[string(state)] = len(kept)
	}
	_, err := k.try(append(kept, k.best.actions[last]))
	return err
}
