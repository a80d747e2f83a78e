package explore_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/explore/exploretest"
)

func run(t *testing.T, m explore.Model, opt explore.Options) *explore.Result {
	t.Helper()
	res, err := explore.Run(context.Background(), m, opt)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestTextbook compares the search with the textbook one on random graphs, and
// itself with other numbers of workers.
func TestTextbook(t *testing.T) {
	found := 0
	for seed := range uint64(60) {
		m := exploretest.NewRandom(seed, 20+int(seed)*int(seed), 1+float64(seed%5), int(seed%9))
		want, err := exploretest.Textbook(m)
		if err != nil {
			t.Fatal(err)
		}
		res := run(t, m, explore.Options{Workers: 1})
		compare(t, seed, want, res)
		for i, g := range res.Goals {
			if !g.Found {
				continue
			}
			found++
			if err := exploretest.CheckTrace(m, i, g); err != nil {
				t.Errorf("seed %d, goal %d: %v", seed, i, err)
			}
		}
		for _, workers := range []int{2, 5} {
			if again := run(t, m, explore.Options{Workers: workers}); !reflect.DeepEqual(res, again) {
				t.Errorf("seed %d: %d workers find\n%+v\none finds\n%+v", seed, workers, again, res)
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d goals were hit; the graphs test nothing", found)
	}
}

func compare(t *testing.T, seed uint64, want exploretest.Count, res *explore.Result) {
	t.Helper()
	got := exploretest.Count{States: res.States, Transitions: res.Transitions, Depth: res.Depth, Costs: res.Costs,
		Goals: make([]exploretest.Found, len(res.Goals))}
	for i, g := range res.Goals {
		got.Goals[i] = exploretest.Found{Found: g.Found, Cost: g.Cost, Depth: g.Depth}
		if g.Found && !g.Minimal {
			t.Errorf("seed %d: goal %d is not minimal in a complete search", seed, i)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("seed %d: Run finds\n%+v\nthe textbook search\n%+v", seed, got, want)
	}
	if !res.Complete || res.Stop != explore.StopNone || res.CompleteCost != len(res.Costs)-1 {
		t.Errorf("seed %d: complete %v, stop %q, complete cost %d", seed, res.Complete, res.Stop, res.CompleteCost)
	}
	kinds := uint64(0)
	for _, n := range res.Kinds {
		kinds += n
	}
	if kinds != res.Transitions {
		t.Errorf("seed %d: kinds sum to %d of %d transitions", seed, kinds, res.Transitions)
	}
}

// TestLanes compares the traces with the best ones found by brute force.
func TestLanes(t *testing.T) {
	checked := 0
	for seed := range uint64(300) {
		m := exploretest.NewRandom(seed, 30, 2.5, 6)
		res := run(t, m, explore.Options{Workers: 1 + int(seed%2)})
		for i, g := range res.Goals {
			if !g.Found || g.Depth < 3 || g.Depth > 7 {
				continue
			}
			want, err := exploretest.Best(m, i, g)
			if err != nil {
				t.Fatal(err)
			}
			var got []explore.Action
			for _, s := range g.Trace {
				got = append(got, s.Action)
			}
			checked++
			if !reflect.DeepEqual(got, want) {
				t.Errorf("seed %d, goal %d: %d changes of lane:\n%x\nwant\n%x", seed, i,
					exploretest.Changes(m, g.Trace), got, want)
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d traces were compared", checked)
	}
}
