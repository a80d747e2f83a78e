package explore

import "math/rand/v2"

// A simWorker makes random walks, one after the other, and counts what it passes.
type simWorker struct {
	*simulation
	out    *Successors
	cost   func(Action) int
	lane   func(Action) int
	pcg    *rand.PCG
	rnd    *rand.Rand
	policy func() int // chooses a successor, of at least one

	path  []Action
	spent int
	state []byte
	ranks [64]int   // of the lanes; only their order counts
	least int       // of the ranks
	odds  int       // against a change of ranks
	shy   [4]uint64 // the kinds of action that wait, as a set

	best    []met
	walks   uint64
	cut     uint64
	steps   uint64
	longest int
	kinds   [256]uint64
	ends    map[uint64]bool // hashes of end states not yet gathered
}

func newSimWorker(s *simulation) *simWorker {
	w := &simWorker{simulation: s, out: NewSuccessors(s.m), cost: costOf(s.m), lane: laneOf(s.m), pcg: rand.NewPCG(0, 0),
		state: make([]byte, s.m.Width()), best: make([]met, len(s.best)), ends: map[uint64]bool{}}
	w.rnd = rand.New(w.pcg)
	return w
}

func costOf(m Model) func(Action) int {
	if c, ok := m.(Coster); ok {
		return c.Cost
	}
	return func(Action) int { return 0 }
}

func laneOf(m Model) func(Action) int {
	if l, ok := m.(Laner); ok {
		return l.Lane
	}
	return func(Action) int { return 0 }
}

// walk makes a walk. Its number and the seed alone decide where it goes. It
// returns the error of the context if that ends the walk.
func (w *simWorker) walk(number uint64) error {
	w.begin(number)
	err := expandState(w.m, w.out, nil)
	for err == nil {
		w.look(number)
		if w.out.Len() == 0 {
			w.end()
			return nil
		}
		i := w.policy()
		a, state, _ := w.out.At(i)
		w.take(a)
		copy(w.state, state)
		switch depth := len(w.path) - 1; {
		case w.out.Ended(i):
			w.end()
			return nil
		case depth >= w.opt.MaxSteps:
			w.walks++
			w.cut++
			return nil
		case depth%64 == 0 && w.ctx.Err() != nil:
			return w.ctx.Err()
		}
		err = expandState(w.m, w.out, w.state)
	}
	return err
}

// begin draws the policy of a walk.
func (w *simWorker) begin(number uint64) {
	w.pcg.Seed(w.opt.Seed, number)
	w.path, w.spent = w.path[:0], 0
	switch number % 3 {
	case 0:
		w.policy = w.uniform
	case 1:
		w.policy = w.byRank
		w.odds = 4 << uint(w.rnd.IntN(5))
		w.least = 0
		for lane, rank := range w.rnd.Perm(len(w.ranks)) {
			w.ranks[lane] = rank
		}
	case 2:
		w.policy = w.swarm
		for i := range w.shy {
			w.shy[i] = w.rnd.Uint64()
		}
	}
}

// take adds an action to the path. The first is the choice of an initial state,
// which is no step.
func (w *simWorker) take(a Action) {
	if len(w.path) > 0 {
		w.spent += w.cost(a)
		w.steps++
		w.kinds[a.Kind()]++
	}
	w.path = append(w.path, a)
	w.longest = max(w.longest, len(w.path)-1)
}

func (w *simWorker) end() {
	w.walks++
	w.ends[hash(w.state)] = true
}

// look notes the goals that the state just expanded hits, or one of its
// actions would hit: it has been computed, so the walk need not go there.
func (w *simWorker) look(number uint64) {
	if w.out.any == 0 {
		return
	}
	if len(w.path) > 0 {
		w.meet(w.out.hits, met{cost: w.spent, walk: number, actions: w.path})
	}
	for i := range w.out.edges {
		e := &w.out.edges[i]
		if e.hits == 0 {
			continue
		}
		m := met{cost: w.spent, walk: number, actions: append(w.path, e.act)}
		if len(w.path) > 0 {
			m.cost += w.cost(e.act)
		}
		w.meet(e.hits, m)
	}
}

// meet keeps a run for the goals that it hits better than any before it.
func (w *simWorker) meet(mask uint64, m met) {
	for ; mask != 0; mask &= mask - 1 {
		if best := &w.best[firstGoal(mask)]; m.compare(best) < 0 {
			m.actions = append([]Action(nil), m.actions...)
			*best = m
		}
	}
}

// uniform takes any action.
func (w *simWorker) uniform() int { return w.rnd.IntN(w.out.Len()) }

// byRank takes an action of the lane that ranks highest, and now and then lets
// that lane fall behind all others: runs with few changes of lane, as PCT
// (Burckhardt et al., ASPLOS 2010) has them for threads. The changes do not run
// out as there, so that a lane that goes round in circles does not stop the rest.
func (w *simWorker) byRank() int {
	top := w.pick(func(a Action) int { return w.ranks[w.place(a)] })
	if w.rnd.IntN(w.odds) == 0 {
		w.least--
		w.ranks[w.place(w.out.edges[top].act)] = w.least
	}
	return top
}

func (w *simWorker) place(a Action) int { return w.lane(a) & 63 }

// swarm lets about half of the kinds of action wait until nothing else can
// happen (Groce et al., ISSTA 2012, leave them out).
func (w *simWorker) swarm() int {
	return w.pick(func(a Action) int {
		k := a.Kind()
		return -int(w.shy[k/64] >> (k % 64) & 1)
	})
}

// pick takes one of the actions of the greatest rank.
func (w *simWorker) pick(rank func(Action) int) int {
	chosen, best, n := 0, 0, 0
	for i := range w.out.edges {
		r := rank(w.out.edges[i].act)
		if n == 0 || r > best {
			best, n = r, 0
		}
		if r == best {
			if n++; w.rnd.IntN(n) == 0 {
				chosen = i
			}
		}
	}
	return chosen
}
