package ibcheck

import (
	"fmt"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/spec"
)

// A Simulation says what was tried where not everything was explored.
type Simulation struct {
	Asked   uint64 `json:"asked"` // random runs that were to be made
	Runs    uint64 `json:"runs"`  // … and were
	Seed    uint64 `json:"seed"`
	Actions uint64 `json:"actions"` // in all runs
	Longest int    `json:"longest"` // actions of the longest
	Cut     uint64 `json:"cut"`     // runs that were cut because they were too long
	Ends    uint64 `json:"ends"`    // distinct states in which runs ended
}

// A Meeting says how a simulation came by the run that it shows.
type Meeting struct {
	Run     uint64 `json:"run"`     // number of the random run, from 1
	Actions int    `json:"actions"` // up to the break, before it was shrunk
	Minimal bool   `json:"minimal"` // no run is better; else a better one may exist
}

// simulate tries random runs, of the model itself: what the reductions leave out
// costs a run nothing.
func (c *checker) simulate() error {
	most := uint64(smallSpace)
	if c.opt.MaxStates > 0 {
		most = min(most, c.opt.MaxStates)
	}
	return c.fitting(func(until uint64) (err error) {
		if err = c.compile(spec.NoReduction); err != nil {
			return err
		}
		c.sim, err = explore.Simulate(c.ctx, c.model, explore.SimOptions{Walks: c.opt.Simulate, Seed: c.opt.Seed,
			Workers: c.opt.Workers, Progress: c.opt.Progress, Until: until, ShrinkStates: most, MaxMem: c.opt.MaxMem})
		if err != nil {
			return err
		}
		c.res = &explore.Result{Transitions: c.sim.Steps, Depth: c.sim.Longest, Kinds: c.sim.Kinds, CompleteCost: -1, Stop: c.sim.Stop}
		for _, g := range c.sim.Goals {
			c.res.Goals = append(c.res.Goals, g.GoalResult)
		}
		return nil
	})
}

// simulated is the report's part on a simulation, nil if there was none.
func (c *checker) simulated() *Simulation {
	if c.sim == nil {
		return nil
	}
	return &Simulation{Asked: c.opt.Simulate, Runs: c.sim.Walks, Seed: c.opt.Seed, Actions: c.sim.Steps,
		Longest: c.sim.Longest, Cut: c.sim.Cut, Ends: c.sim.Ends}
}

// met says how the run to a goal was met, nil if it was not met at random.
func (c *checker) met(goal int) *Meeting {
	if c.sim == nil || !c.sim.Goals[goal].Found {
		return nil
	}
	g := &c.sim.Goals[goal]
	return &Meeting{Run: g.Walk, Actions: g.Met, Minimal: g.Minimal}
}

// extent says in words what was tried.
func (s *Simulation) extent() string {
	text := fmt.Sprintf("%s with seed %d, %s, at most %s a run",
		plural(s.Runs, "run"), s.Seed, plural(s.Actions, "action"), grouped(uint64(s.Longest)))
	if s.Cut > 0 {
		text += fmt.Sprintf("; %s too long and cut", plural(s.Cut, "run"))
	}
	return text + fmt.Sprintf("; %s; not exhaustive", plural(s.Ends, "end state"))
}

// words says where a run comes from and whether a better one may exist.
func (m *Meeting) words() string {
	from := fmt.Sprintf("random run %s of %s", grouped(m.Run), plural(uint64(m.Actions), "action"))
	if m.Minimal {
		return "minimal: from " + from + "; nothing better exists"
	}
	return "shrunk from " + from + "; a better one may exist"
}
