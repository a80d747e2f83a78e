package explore_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/explore/exploretest"
)

// grid is counters that count up to most, one at a time, and of these at most
// budget from an odd number, which costs. Goal i is that counter i is full.
type grid struct {
	counters, most, budget int
}

func (g grid) Width() int                      { return g.counters + 1 }
func (g grid) Goals() int                      { return g.counters }
func (g grid) Initial(out *explore.Successors) { out.Fork(0) }
func (g grid) Cost(a explore.Action) int       { return int(a >> 8 & 1) }

func (g grid) Successors(state []byte, out *explore.Successors) {
	for i, n := range state[:g.counters] {
		odd := int(n & 1)
		if int(n) == g.most || int(state[g.counters])+odd > g.budget {
			continue
		}
		next := out.Fork(explore.Action(odd<<8 | i))
		next[i]++
		next[g.counters] += byte(odd)
		if int(next[i]) == g.most {
			out.Hit(i)
		}
	}
}

// TestMaxStates stops at many points and checks that what is said about the
// part that was explored is true of the whole.
func TestMaxStates(t *testing.T) {
	m := grid{counters: 5, most: 7, budget: 6}
	full := run(t, m, explore.Options{})
	for _, limit := range []uint64{1, 2, 50, 1000, 5000, 7000, full.States - 1} {
		res := run(t, m, explore.Options{Workers: 1, MaxStates: limit})
		if res.States <= limit || res.Stop != explore.StopStates || res.Complete {
			t.Errorf("limit %d: %d states, stop %q, complete %v", limit, res.States, res.Stop, res.Complete)
		}
		truePart(t, m, full, res)
		for _, workers := range []int{2, 5} {
			if again := run(t, m, explore.Options{Workers: workers, MaxStates: limit}); !reflect.DeepEqual(res, again) {
				t.Errorf("limit %d: %d workers find\n%+v\none finds\n%+v", limit, workers, again, res)
			}
		}
	}
	// Reaching the limit with the last state is no reason to stop.
	if res := run(t, m, explore.Options{MaxStates: full.States}); !reflect.DeepEqual(res, full) {
		t.Errorf("the limit equals the number of states: %+v", res)
	}
}

// truePart checks a result of a stopped search against that of the whole.
func truePart(t *testing.T, m explore.Model, full, res *explore.Result) {
	t.Helper()
	for c := range res.CompleteCost + 1 {
		if res.Costs[c] != full.Costs[c] {
			t.Errorf("%d states: %d of cost %d, want %d", res.States, res.Costs[c], c, full.Costs[c])
		}
	}
	for i, g := range res.Goals {
		want := full.Goals[i]
		if !g.Found {
			if want.Found && want.Cost <= res.CompleteCost {
				t.Errorf("%d states: goal %d is not found, but all of cost %d was explored", res.States, i, want.Cost)
			}
			continue
		}
		if err := exploretest.CheckTrace(m, i, g); err != nil {
			t.Errorf("%d states: goal %d: %v", res.States, i, err)
		}
		if g.Minimal && (g.Cost != want.Cost || g.Depth != want.Depth) {
			t.Errorf("%d states: goal %d at cost %d, depth %d is said to be minimal, but there is %d, %d",
				res.States, i, g.Cost, g.Depth, want.Cost, want.Depth)
		}
	}
}

// TestMaxStatesRandom does the same with graphs of all shapes.
func TestMaxStatesRandom(t *testing.T) {
	stopped, minimal := 0, 0
	for seed := range uint64(80) {
		m := exploretest.NewRandom(seed, 400, 2.5, 8)
		full := run(t, m, explore.Options{})
		for _, part := range []uint64{10, 3, 2} {
			res := run(t, m, explore.Options{Workers: int(1 + seed%3), MaxStates: max(1, full.States/part)})
			truePart(t, m, full, res)
			if res.Stop == explore.StopStates {
				stopped++
			}
			for _, g := range res.Goals {
				if g.Minimal {
					minimal++
				}
			}
		}
	}
	if stopped < 100 || minimal < 100 {
		t.Errorf("%d searches were stopped, %d goals minimal; the graphs test nothing", stopped, minimal)
	}
}

func TestMaxMem(t *testing.T) {
	m := grid{counters: 8, most: 7, budget: 32}
	for _, limit := range []uint64{1, 1 << 20, 4 << 20, 12 << 20} {
		res := run(t, m, explore.Options{Workers: 1, MaxMem: limit})
		if res.Stop != explore.StopMemory || res.Complete {
			t.Errorf("limit %d: stop %q, complete %v, %d states", limit, res.Stop, res.Complete, res.States)
		}
		if limit > 1<<20 && (res.Bytes > limit*105/100 || res.Bytes < limit/2) {
			t.Errorf("limit %d: used %d bytes", limit, res.Bytes)
		}
		if again := run(t, m, explore.Options{Workers: 3, MaxMem: limit}); !reflect.DeepEqual(res, again) {
			t.Errorf("limit %d: 3 workers find another result", limit)
		}
	}
}

func TestInterrupt(t *testing.T) {
	m := grid{counters: 7, most: 7, budget: 28}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var seen explore.Progress
	res, err := explore.Run(ctx, m, explore.Options{Progress: func(p explore.Progress) {
		if p.Phase == explore.Exploring && p.States > 10_000 {
			seen = p
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if res.Stop != explore.StopInterrupt || res.States < 10_000 || res.Complete || res.States != seen.States {
		t.Errorf("stop %q, %d states, complete %v, progress %+v", res.Stop, res.States, res.Complete, seen)
	}
	past, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	if res, err = explore.Run(past, m, explore.Options{}); err != nil || res.Stop != explore.StopTime || res.States != 1 {
		t.Errorf("after the deadline: %+v, %v", res, err)
	}
}

// TestUntil stops as soon as one goal has its shortest run.
func TestUntil(t *testing.T) {
	for seed := range uint64(40) {
		m := exploretest.NewRandom(seed, 400, 2.5, 8)
		full := run(t, m, explore.Options{})
		for i, want := range full.Goals {
			res := run(t, m, explore.Options{Until: 1 << uint(i)})
			g := res.Goals[i]
			if !reflect.DeepEqual(g, want) {
				t.Errorf("seed %d, goal %d: got %+v, want %+v", seed, i, g, want)
			}
			if want.Found && !res.Complete && res.Stop != explore.StopGoal {
				t.Errorf("seed %d, goal %d: stop %q", seed, i, res.Stop)
			}
			truePart(t, m, full, res)
		}
	}
}

// TestTraceFilter makes only the traces that are asked for.
func TestTraceFilter(t *testing.T) {
	m := grid{counters: 3, most: 3, budget: 9}
	res := run(t, m, explore.Options{Trace: func(goal int) bool { return goal == 1 }})
	for i, g := range res.Goals {
		if !g.Found || (g.Trace != nil) != (i == 1) {
			t.Errorf("goal %d: %+v", i, g)
		}
	}
}

// bad is a model that breaks its contract in one of several ways.
type bad struct {
	width, goals, cost, lane int
	panics, early, hit       bool
}

func (b bad) Width() int              { return b.width }
func (b bad) Goals() int              { return b.goals }
func (b bad) Cost(explore.Action) int { return b.cost }
func (b bad) Lane(explore.Action) int { return b.lane }

func (b bad) Initial(out *explore.Successors) {
	if b.early {
		out.Hit(0)
	}
	out.Fork(0)
}

func (b bad) Successors(state []byte, out *explore.Successors) {
	if state[0] > 3 {
		return
	}
	if b.panics {
		panic("broken")
	}
	out.Fork(1)[0]++
	if b.hit {
		out.Hit(1)
	}
	if state[0] == 3 && b.goals > 0 {
		out.Hit(0)
	}
}

func TestBrokenModels(t *testing.T) {
	for _, test := range []struct {
		m    bad
		want string
	}{
		{bad{width: 0}, "width 0"},
		{bad{width: 1, goals: 65}, "65 goals"},
		{bad{width: 1, goals: 1, cost: 2}, "costs 2"},
		{bad{width: 1, goals: 1, lane: 64}, "lane 64"},
		{bad{width: 1, goals: 1, panics: true}, "expanding state 00: panic: broken"},
		{bad{width: 1, goals: 1, early: true}, "before any Fork"},
		{bad{width: 1, goals: 1, hit: true}, "goal 1 hit, but the model has 1 goals"},
	} {
		for _, workers := range []int{1, 3} {
			_, err := explore.Run(context.Background(), test.m, explore.Options{Workers: workers})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%+v: got %v, want %q", test.m, err, test.want)
			}
			var broken *explore.ModelError
			if test.m.panics && !errors.As(err, &broken) {
				t.Errorf("%+v: %T is no ModelError", test.m, err)
			}
		}
	}
}
