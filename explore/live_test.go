package explore_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/explore/exploretest"
)

// TestLive compares the fair cycles with those found by the definition.
func TestLive(t *testing.T) {
	violated, held := 0, 0
	for seed := range uint64(120) {
		m := exploretest.NewRandom(seed, 20+int(seed), 1+float64(seed%4)/2, 2)
		want, err := exploretest.Lassos(m)
		if err != nil {
			t.Fatal(err)
		}
		res := run(t, m, explore.Options{Workers: 1 + int(seed%3)})
		for bit, r := range res.Live {
			if got := (exploretest.Found{Found: r.Violated, Cost: r.Cost, Depth: r.Depth}); got != want[bit] {
				t.Errorf("seed %d, property %d: got %+v, want %+v", seed, bit, got, want[bit])
				continue
			}
			if !r.Violated {
				if bit < 4 {
					held++
				}
				continue
			}
			violated++
			if err := exploretest.CheckLasso(m, bit, r); err != nil {
				t.Errorf("seed %d, property %d: %v", seed, bit, err)
			}
		}
	}
	if violated < 100 || held < 100 {
		t.Errorf("%d violations, %d properties hold; the graphs test nothing", violated, held)
	}
}

// ring is a cycle of states with a way out of each, which is of a class of its
// own or unfair; a state off the ring has met the property.
type ring struct {
	size   int
	class  int  // of the way out
	gap    bool // there is no way out of state 1
	ending bool // the way out ends the run
	held   bool // the way out is held up for ever
}

func (r ring) Width() int                      { return 2 }
func (r ring) Initial(out *explore.Successors) { out.Fork(0) }
func (r ring) Pending(state []byte) uint64     { return uint64(1 - state[1]) }

func (r ring) Fair(a explore.Action) int {
	if a == 2 {
		return r.class
	}
	return 1
}

func (r ring) Successors(state []byte, out *explore.Successors) {
	if state[1] == 1 {
		return
	}
	out.Fork(1)[0] = byte((int(state[0]) + 1) % r.size)
	if r.gap && state[0] == 1 {
		return
	}
	if r.held {
		out.Hold(2)
		return
	}
	out.Fork(2)[1] = 1
	if r.ending {
		out.End()
	}
}

// TestFairness shows what weak fairness rules out and what it does not.
func TestFairness(t *testing.T) {
	for _, test := range []struct {
		name     string
		m        ring
		violated bool
	}{
		{"the way out may be put off for ever", ring{size: 5, class: 0}, true},
		{"the way out is always open", ring{size: 5, class: 2}, false},
		{"the way out is shut again and again", ring{size: 5, class: 2, gap: true}, true},
		{"the way out is of the class of the ring", ring{size: 5, class: 1}, true},
		{"one state that is its own successor", ring{size: 1, class: 0}, true},
		{"one state with a fair way out", ring{size: 1, class: 2}, false},
		{"the way out is held up", ring{size: 3, class: 2, held: true}, false},
		{"the way out is unfair and held up", ring{size: 3, class: 0, held: true}, true},
		{"the way out ends the run", ring{size: 3, class: 2, ending: true}, false},
	} {
		res := run(t, test.m, explore.Options{})
		r := res.Live[0]
		if r.Violated != test.violated {
			t.Errorf("%s: violated %v, want %v", test.name, r.Violated, test.violated)
		}
		if r.Violated && (len(r.Loop) != test.m.size+1 || len(r.Stem) != 1) {
			t.Errorf("%s: stem of %d, loop of %d steps", test.name, len(r.Stem)-1, len(r.Loop)-1)
		}
	}
}

// TestLiveInterrupted stops while the liveness is judged: then nothing is said
// to be complete.
func TestLiveInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	res, err := explore.Run(ctx, ring{size: 200, class: 2}, explore.Options{Progress: func(p explore.Progress) {
		if p.Phase == explore.Liveness {
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if res.Stop != explore.StopInterrupt || res.Complete {
		t.Errorf("stop %q, complete %v", res.Stop, res.Complete)
	}
}

// TestLiveDeterministic compares results, lassos included, of other numbers of
// workers.
func TestLiveDeterministic(t *testing.T) {
	for seed := range uint64(10) {
		m := exploretest.NewRandom(seed, 2000, 2, 2)
		res := run(t, m, explore.Options{Workers: 1})
		for _, workers := range []int{2, 5} {
			if again := run(t, m, explore.Options{Workers: workers}); !reflect.DeepEqual(res, again) {
				t.Errorf("seed %d: %d workers find another result", seed, workers)
			}
		}
	}
}
