package spec_test

import (
	"bytes"
	"context"
	"flag"
	"io/fs"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/explore/exploretest"
	"github.com/ibcheck/ibcheck/invariants"
	"github.com/ibcheck/ibcheck/scenarios"
	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

var long = flag.Bool("long", false, "check the laws on all of the catalogue's models with up to 100,000 states, not only on the small ones")

// An effort is how much of each model is checked.
type effort struct {
	states uint64 // the search is compared if there are at most so many
	sample int    // states for the laws of explore.Model
	walks  int    // random runs for the packing
}

var (
	shortEffort = effort{700, 20, 4}
	longEffort  = effort{100_000, 200, 50}
)

// TestLaws checks the laws of explore.Model, the packing of states, and the
// search itself on every model of the catalogue.
func TestLaws(t *testing.T) {
	e := shortEffort
	if *long {
		e = longEffort
	}
	checked, skipped := 0, 0
	catalogue(t, func(t *testing.T, name string, sc *spec.Scenario) {
		m, res := search(t, sc, e.states)
		if err := exploretest.Laws(m, e.sample); err != nil {
			t.Error(err)
		}
		packing(t, m, e.walks)
		if !res.Complete {
			skipped++
			t.Logf("%s has more than %d states: the search is not compared", name, e.states)
			return
		}
		checked++
		textbook(t, m, res)
	})
	t.Logf("%d models compared with the textbook search, %d are too large for that", checked, skipped)
	if checked == 0 {
		t.Error("no model was small enough")
	}
}

// catalogue calls f for every scenario of the catalogue and its variants.
func catalogue(t *testing.T, f func(t *testing.T, name string, sc *spec.Scenario)) {
	t.Helper()
	err := fs.WalkDir(scenarios.Files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".ibl") {
			return err
		}
		text, err := scenarios.Files.ReadFile(path)
		if err != nil {
			return err
		}
		file, errs := scenario.Parse(path, text, scenario.Options{})
		if errs != nil {
			t.Errorf("%s does not parse:\n%v", path, errs)
			return nil
		}
		for _, v := range file.Variants() {
			name := strings.TrimSuffix(path, ".ibl")
			if v.Text != "" {
				name += " " + v.Text
			}
			t.Run(name, func(t *testing.T) {
				sc, errs := v.Scenario()
				if errs != nil {
					t.Fatal(errs)
				}
				f(t, name, sc)
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// search makes a scenario's model, with parts of a state as large as its runs
// need, and its monitors, and explores it up to so many states.
func search(t *testing.T, sc *spec.Scenario, most uint64) (*spec.Model, *explore.Result) {
	t.Helper()
	for bounds := spec.DefaultBounds(sc); ; {
		m, err := spec.Compile(sc, bounds)
		if err != nil {
			t.Fatal(err)
		}
		w, err := invariants.Compile(sc)
		if err != nil {
			t.Fatal(err)
		}
		m.Observe(w)
		res, err := explore.Run(context.Background(), m, explore.Options{Workers: 2, MaxStates: most})
		if err != nil {
			t.Fatal(err)
		}
		more, ok := grow(m, res)
		if !ok {
			return m, res
		}
		bounds = more
	}
}

// grow returns larger bounds if the search ran into one that can grow.
func grow(m *spec.Model, res *explore.Result) (spec.Bounds, bool) {
	for b := spec.BoundWire; b.IsBound(); b++ {
		if g := res.Goals[spec.BadGoal(b)]; g.Found {
			end := m.Unpack(g.Trace[len(g.Trace)-1].State)
			return m.Grow(b, int(end.Env.BadArg))
		}
	}
	return spec.Bounds{}, false
}

// packing checks the packing of the states of random runs.
func packing(t *testing.T, m *spec.Model, runs int) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	for n := 0; n < runs && !t.Failed(); n++ {
		walk(t, m, rnd, func(state []byte, _ *explore.Successors) bool {
			if err := m.CheckPacking(state); err != nil {
				t.Error(err)
				return false
			}
			return true
		})
	}
}

// walk takes random actions from the initial state until none is left or visit
// returns false, and at most 300.
func walk(t *testing.T, m *spec.Model, rnd *rand.Rand, visit func(state []byte, out *explore.Successors) bool) {
	t.Helper()
	out := explore.NewSuccessors(m)
	if err := out.Start(m); err != nil {
		t.Fatal(err)
	}
	for range 300 {
		i := rnd.IntN(out.Len())
		_, next, _ := out.At(i)
		if out.Ended(i) {
			return
		}
		state := bytes.Clone(next)
		if err := out.Expand(m, state); err != nil {
			t.Fatal(err)
		}
		if !visit(state, out) || out.Len() == 0 {
			return
		}
	}
}

// textbook compares a result with the textbook search, and with those of other
// numbers of workers.
func textbook(t *testing.T, m *spec.Model, res *explore.Result) {
	t.Helper()
	want, err := exploretest.Textbook(m)
	if err != nil {
		t.Fatal(err)
	}
	got := exploretest.Count{States: res.States, Transitions: res.Transitions, Depth: res.Depth, Costs: res.Costs}
	for i, g := range res.Goals {
		got.Goals = append(got.Goals, exploretest.Found{Found: g.Found, Cost: g.Cost, Depth: g.Depth})
		if !g.Found {
			continue
		}
		if err := exploretest.CheckTrace(m, i, g); err != nil {
			t.Errorf("trace of goal %d: %v", i, err)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the search finds\n%+v\nthe textbook search\n%+v", got, want)
	}
	for _, workers := range []int{1, 5} {
		again, err := explore.Run(context.Background(), m, explore.Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(res, again) {
			t.Errorf("%d workers find\n%+v\n2 find\n%+v", workers, again, res)
		}
	}
}
