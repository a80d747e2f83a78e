package axiomtest

import (
	"context"
	"fmt"
	"sync"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/internal/axiom"
	"github.com/ibcheck/ibcheck/spec"
)

// A watch remembers in the monitor bits of a state which completions were
// written or polled and in which order, and collects what end states have.
type watch struct {
	view axiom.View
	n    int // steps an order can have
	mu   sync.Mutex
	ends map[axiom.Ending]bool
}

// Bits implements spec.Observer.
func (w *watch) Bits() uint { return uint(4 * w.n) }

// Goals implements spec.Observer.
func (w *watch) Goals() int { return 0 }

// Due implements spec.Observer.
func (w *watch) Due(uint64) uint64 { return 0 }

// Step implements spec.Observer.
func (w *watch) Step(m *spec.Model, prev, next *spec.State, bits uint64) (uint64, uint64) {
	if prev == nil {
		return 0, 0
	}
	o := axiom.Order(bits)
	for i := range next.WRs {
		before, now := prev.WRs[i].Phase, next.WRs[i].Phase
		if now == before {
			continue
		}
		if now == spec.Completed && w.view != axiom.Polled || now == spec.Polled && w.view != axiom.Written {
			o = o.Then(i, now == spec.Polled, w.view)
		}
	}
	return uint64(o), 0
}

// End implements spec.Observer.
func (w *watch) End(m *spec.Model, s *spec.State) uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	e := axiom.Ending{Order: axiom.Order(s.Env.Monitor)}
	for i := range s.WRs {
		if s.WRs[i].Phase >= spec.Completed {
			e = e.With(i, s.WRs[i].Status)
		}
	}
	w.ends[e] = true
	return 0
}

// Found is what a search of all runs found.
type Found struct {
	Endings map[axiom.Ending]bool // of the runs that come to their end
	Hits    []string              // sanitizers that fired
}

// Endings searches all runs of a scenario of a program for its completion
// orders, with statuses.
func Endings(ctx context.Context, p *axiom.Program, sc *spec.Scenario, v axiom.View, opt explore.Options) (*Found, error) {
	w := &watch{view: v, n: p.Completions(), ends: map[axiom.Ending]bool{}}
	if v == axiom.Both {
		w.n *= 2
	}
	_, res, err := Search(ctx, sc, w, opt)
	if err != nil {
		return nil, err
	}
	if !res.Complete {
		return nil, fmt.Errorf("the search stopped after %d states", res.States)
	}
	f := &Found{Endings: w.ends}
	for b := spec.Bad(1); int(b) < spec.ObserverGoal(0); b++ {
		if res.Goals[spec.BadGoal(b)].Found {
			f.Hits = append(f.Hits, b.String())
		}
	}
	return f, nil
}

// Search compiles a scenario, with parts of a state as large as its runs need,
// and explores it with an observer.
func Search(ctx context.Context, sc *spec.Scenario, o spec.Observer, opt explore.Options) (*spec.Model, *explore.Result, error) {
	for bounds := spec.DefaultBounds(sc); ; {
		m, err := spec.Compile(sc, bounds)
		if err != nil {
			return nil, nil, err
		}
		m.Observe(o)
		res, err := explore.Run(ctx, m, opt)
		if err != nil {
			return nil, nil, err
		}
		more, grown := grow(m, res)
		if !grown {
			return m, res, nil
		}
		bounds = more
	}
}

// grow returns larger bounds if a run reached one that can grow.
func grow(m *spec.Model, res *explore.Result) (spec.Bounds, bool) {
	for b := spec.Bad(1); int(b) < spec.ObserverGoal(0); b++ {
		if g := res.Goals[spec.BadGoal(b)]; b.IsBound() && g.Found {
			end := m.Unpack(g.Trace[len(g.Trace)-1].State)
			return m.Grow(b, int(end.Env.BadArg))
		}
	}
	return spec.Bounds{}, false
}
