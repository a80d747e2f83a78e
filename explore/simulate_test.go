package explore_test

import (
	"context"
	"encoding/binary"
	"reflect"
	"testing"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/explore/exploretest"
)

func simulate(t *testing.T, m explore.Model, opt explore.SimOptions) *explore.SimResult {
	t.Helper()
	res, err := explore.Simulate(context.Background(), m, opt)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestSimulate compares what walks meet with what the textbook search finds:
// nothing that it does not find, nothing better, and with an exact search behind
// the walks just what it finds.
func TestSimulate(t *testing.T) {
	met, possible := 0, 0
	for seed := range uint64(40) {
		m := exploretest.NewRandom(seed, 20+int(seed)*int(seed), 1+float64(seed%5), int(seed%9))
		want, err := exploretest.Textbook(m)
		if err != nil {
			t.Fatal(err)
		}
		opt := explore.SimOptions{Walks: 600, Seed: seed, MaxSteps: 300, Workers: 1}
		rough := simulate(t, m, opt)
		opt.ShrinkStates = 1 << 20
		fine := simulate(t, m, opt)
		for i, w := range want.Goals {
			r, f := rough.Goals[i], fine.Goals[i]
			if w.Found {
				possible++
			}
			if !r.Found && !f.Found {
				continue
			}
			met++
			if !w.Found || r.Minimal || r.Cost < w.Cost || r.Cost == w.Cost && r.Depth < w.Depth {
				t.Errorf("seed %d, goal %d: walks meet %+v, the textbook search %+v", seed, i, r, w)
			}
			if !f.Minimal || f.Cost != w.Cost || f.Depth != w.Depth {
				t.Errorf("seed %d, goal %d: with a search behind the walks %+v, the textbook search %+v", seed, i, f, w)
			}
			for _, g := range []explore.SimGoal{r, f} {
				if err := exploretest.CheckTrace(m, i, g.GoalResult); err != nil {
					t.Errorf("seed %d, goal %d: %v", seed, i, err)
				}
			}
		}
		for _, workers := range []int{2, 5} {
			opt.Workers = workers
			if again := simulate(t, m, opt); !reflect.DeepEqual(fine, again) {
				t.Errorf("seed %d: %d workers meet\n%+v\none meets\n%+v", seed, workers, again, fine)
			}
		}
	}
	if possible < 60 || met < possible*8/10 {
		t.Errorf("only %d of %d goals met", met, possible)
	}
}

// dials is a model whose shortest runs can be read off: n dials that are each
// turned up to 9 one step at a time, and from 7 on also back to 0. The first goal
// is that they stand at 9, 8, 7, … or more, the second that all are at 9.
type dials struct{ n int }

func (d dials) Width() int                      { return d.n }
func (d dials) Goals() int                      { return 2 }
func (d dials) Lane(a explore.Action) int       { return int(a & 63) }
func (d dials) Initial(out *explore.Successors) { out.Fork(0) }

func (d dials) Successors(state []byte, out *explore.Successors) {
	stairs, all := true, true
	for i, v := range state {
		stairs = stairs && int(v) >= 9-i
		all = all && v == 9
	}
	if stairs {
		out.HitState(0)
	}
	if all {
		out.HitState(1)
	}
	for i, v := range state {
		if v < 9 {
			out.Fork(explore.Action(1<<56 | i))[i]++
		}
		if v > 6 {
			out.Fork(explore.Action(2<<56 | i))[i] = 0
		}
	}
}

// TestShrink holds a run without detours to be the shortest, though no exact
// search comes near: there are 10^12 states.
func TestShrink(t *testing.T) {
	res := simulate(t, dials{12}, explore.SimOptions{Walks: 300, Seed: 3, ShrinkStates: 1000})
	g := res.Goals[0]
	if !g.Found || g.Met <= 45 || g.Depth != 45 || g.Minimal {
		t.Errorf("goal 0: found %v in %d steps, shrunk to %d, minimal %v; want 45 steps, as it takes, but not known to be minimal",
			g.Found, g.Met, g.Depth, g.Minimal)
	}
	if res.Walks != 300 || res.Cut != 300 || res.Ends != 0 || res.Longest != 2000 || res.Steps != 300*2000 || res.Kinds[1]+res.Kinds[2] != res.Steps {
		t.Errorf("%d walks, %d cut, %d ends, longest %d, %d steps", res.Walks, res.Cut, res.Ends, res.Longest, res.Steps)
	}
}

// tree is a full binary tree of some depth: every leaf is an end of its own.
type tree struct{ depth int }

func (m tree) Width() int                      { return 4 }
func (m tree) Initial(out *explore.Successors) { binary.LittleEndian.PutUint32(out.Fork(0), 1) }

func (m tree) Successors(state []byte, out *explore.Successors) {
	n := binary.LittleEndian.Uint32(state)
	if n>>m.depth != 0 {
		return
	}
	for k := range uint32(2) {
		binary.LittleEndian.PutUint32(out.Fork(explore.Action(k)<<56), 2*n+k)
	}
}

// TestSimulationCounts finds every leaf of a small tree, each by a walk of the
// tree's depth, and other walks for another seed.
func TestSimulationCounts(t *testing.T) {
	opt := explore.SimOptions{Walks: 1000, Seed: 1, Workers: 2}
	res := simulate(t, tree{5}, opt)
	if res.Walks != 1000 || res.Cut != 0 || res.Steps != 5000 || res.Longest != 5 || res.Ends != 32 {
		t.Errorf("%+v, want 1000 walks of 5 steps to 32 ends", res)
	}
	few := explore.SimOptions{Walks: 6, Seed: 1}
	one := simulate(t, tree{30}, few)
	few.Seed = 2
	if two := simulate(t, tree{30}, few); one.Kinds == two.Kinds {
		t.Error("another seed makes the same walks")
	}
}

// TestSimulationStops holds a stopped simulation to what it says.
func TestSimulationStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	res, err := explore.Simulate(ctx, dials{4}, explore.SimOptions{Walks: 1e6})
	if err != nil || res.Stop != explore.StopInterrupt || res.Walks != 0 {
		t.Errorf("%+v, %v; want no walks after a cancel", res, err)
	}
	res = simulate(t, dials{2}, explore.SimOptions{Walks: 1e6, Until: 2})
	if g := res.Goals[1]; res.Stop != explore.StopGoal || res.Walks == 1e6 || !g.Found || g.Depth != g.Met {
		t.Errorf("%d walks, stopped by %q, %+v; want a stop at the goal, not shrunk", res.Walks, res.Stop, g)
	}
}

// broken is a model that panics a few steps from the start.
type broken struct{ tree }

func (m broken) Successors(state []byte, out *explore.Successors) {
	if binary.LittleEndian.Uint32(state) == 13 {
		panic("thirteen")
	}
	m.tree.Successors(state, out)
}

// TestSimulationErrors reports a model's fault with the state that has it.
func TestSimulationErrors(t *testing.T) {
	_, err := explore.Simulate(context.Background(), broken{tree{6}}, explore.SimOptions{Walks: 1000})
	if e, ok := err.(*explore.ModelError); !ok || binary.LittleEndian.Uint32(e.State) != 13 {
		t.Errorf("error %v, want one with state 13", err)
	}
}
