package explore

import (
	"bytes"
	"context"
)

// Reach returns the best run of m to a state: of least cost, then fewest
// actions, then fewest changes of lane. It is nil if the search was stopped
// before.
func Reach(ctx context.Context, m Model, state []byte, opt Options) ([]Step, error) {
	r := &reacher{Model: m, state: state}
	goal := r.Goals() - 1
	opt.Until = 1 << uint(goal)
	opt.Trace = func(g int) bool { return g == goal }
	res, err := Run(ctx, r, opt)
	if err != nil {
		return nil, err
	}
	return res.Goals[goal].Trace, nil
}

// A reacher is a model with one more goal: to be in a state.
type reacher struct {
	Model
	state []byte
}

func (r *reacher) Goals() int { return goals(r.Model) + 1 }

func (r *reacher) Cost(a Action) int {
	if c, ok := r.Model.(Coster); ok {
		return c.Cost(a)
	}
	return 0
}

func (r *reacher) Lane(a Action) int {
	if l, ok := r.Model.(Laner); ok {
		return l.Lane(a)
	}
	return 0
}

func (r *reacher) Successors(state []byte, out *Successors) {
	if bytes.Equal(state, r.state) {
		out.HitState(r.Goals() - 1)
	}
	r.Model.Successors(state, out)
}
