package exploretest

import (
	"bytes"
	"fmt"

	"github.com/ibcheck/ibcheck/explore"
)

// CheckTrace replays a trace and returns an error unless each step is an
// action of the state before it, and the run costs, lasts and hits what g says.
func CheckTrace(m explore.Model, goal int, g explore.GoalResult) error {
	if len(g.Trace) != g.Depth+1 {
		return fmt.Errorf("trace has %d steps, want %d", len(g.Trace), g.Depth+1)
	}
	out := explore.NewSuccessors(m)
	err := out.Start(m)
	cost, hit := 0, false
	for i, step := range g.Trace {
		if err != nil {
			return err
		}
		k := out.Index(step.Action)
		if k < 0 {
			return fmt.Errorf("step %d: no action %#x", i, uint64(step.Action))
		}
		_, state, hits := out.At(k)
		if !bytes.Equal(state, step.State) {
			return fmt.Errorf("step %d: state %x, want %x", i, step.State, state)
		}
		if i > 0 {
			cost += priceOf(m)(step.Action)
		}
		hit = hits>>uint(goal)&1 != 0
		if out.Ended(k) {
			if i < len(g.Trace)-1 {
				return fmt.Errorf("step %d: the run has ended", i)
			}
			break
		}
		err = out.Expand(m, step.State)
	}
	if hit = hit || out.StateHits()>>uint(goal)&1 != 0; !hit {
		return fmt.Errorf("the last step does not hit goal %d", goal)
	}
	if cost != g.Cost {
		return fmt.Errorf("trace costs %d, want %d", cost, g.Cost)
	}
	return nil
}

// Changes counts the changes of lane in a trace. The initial state has none.
func Changes(m explore.Model, trace []explore.Step) (n int) {
	lane := laneOf(m)
	for i := 2; i < len(trace); i++ {
		if lane(trace[i].Action) != lane(trace[i-1].Action) {
			n++
		}
	}
	return n
}

// Best looks at every run of the cost and depth of g, and returns the actions
// of the one with the fewest changes of lane and then the smallest actions. It
// takes time exponential in the depth.
func Best(m explore.Model, goal int, g explore.GoalResult) ([]explore.Action, error) {
	b := &best{m: m, goal: goal, g: g}
	out := explore.NewSuccessors(m)
	if err := out.Start(m); err != nil {
		return nil, err
	}
	err := b.step(out, 0)
	return b.actions, err
}

type best struct {
	m       explore.Model
	goal    int
	g       explore.GoalResult
	run     []explore.Step
	actions []explore.Action
	changes int
}

// step tries the successors in out, the first of which would end a run of
// len(b.run) actions and the given cost.
func (b *best) step(out *explore.Successors, cost int) error {
	for i := range out.Len() {
		a, state, hits := out.At(i)
		to := cost
		if len(b.run) > 0 {
			to += priceOf(b.m)(a)
		}
		b.run = append(b.run, explore.Step{Action: a, State: bytes.Clone(state)})
		if err := b.visit(out.Ended(i), hits, to); err != nil {
			return err
		}
		b.run = b.run[:len(b.run)-1]
	}
	return nil
}

func (b *best) visit(ended bool, hits uint64, cost int) error {
	next := explore.NewSuccessors(b.m)
	if !ended {
		if err := next.Expand(b.m, b.run[len(b.run)-1].State); err != nil {
			return err
		}
		hits |= next.StateHits()
	}
	if len(b.run) == b.g.Depth+1 {
		if cost == b.g.Cost && hits>>uint(b.goal)&1 != 0 {
			b.offer()
		}
		return nil
	}
	return b.step(next, cost)
}

// offer keeps the current run if it is better than the best so far.
func (b *best) offer() {
	var actions []explore.Action
	for _, s := range b.run {
		actions = append(actions, s.Action)
	}
	n := Changes(b.m, b.run)
	if b.actions == nil || n < b.changes || n == b.changes && less(actions, b.actions) {
		b.actions, b.changes = actions, n
	}
}

func less(a, b []explore.Action) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}
