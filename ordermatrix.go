package ibcheck

import (
	"context"

	"github.com/ibcheck/ibcheck/spec/scenario"
)

// matrixStates bounds the search for an order matrix that is recorded beside a
// scenario; what is larger is recorded without one.
const matrixStates = 200_000

// OrderMatrix returns the guarantee matrix of a scenario's written CQEs as Orders
// shows it, a line each, without looking for witnesses: which of two completions
// always comes first, or the fewest faults with which each does. A space that is
// too large gives one line that says so.
func OrderMatrix(ctx context.Context, f *scenario.File, opt Options) ([]string, error) {
	if opt.MaxStates == 0 || opt.MaxStates > matrixStates {
		opt.MaxStates = matrixStates
	}
	s, err := newOrderSearch(ctx, f, opt, false)
	if err != nil {
		return nil, err
	}
	r := s.report()
	switch {
	case !r.Complete || len(r.Bounds) > 0:
		return []string{"too large: not explored to the end"}, nil
	case len(r.Pairs) == 0:
		return []string{"no two completions"}, nil
	}
	return r.pairLines(), nil
}
