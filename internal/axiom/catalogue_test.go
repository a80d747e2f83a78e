package axiom_test

import (
	"bytes"
	"context"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/internal/axiom"
	"github.com/ibcheck/ibcheck/internal/axiom/axiomtest"
	"github.com/ibcheck/ibcheck/invariants"
	"github.com/ibcheck/ibcheck/scenarios"
	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// How much of a scenario is judged, at least: the traces that a search of so
// many states finds, and random runs.
const (
	judgedStates = 3_000
	judgedWalks  = 10
)

// TestCatalogue judges runs of every scenario of the catalogue: those that the
// search shows for its properties, and random ones.
func TestCatalogue(t *testing.T) {
	judged := 0
	catalogue(t, func(t *testing.T, sc *spec.Scenario) {
		watch, err := invariants.Compile(sc)
		if err != nil {
			t.Fatal(err)
		}
		opt := explore.Options{Workers: 2, MaxStates: uint64(judgedStates * *times)}
		m, res, err := axiomtest.Search(context.Background(), axiomtest.Recorded(sc), watch, opt)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := axiomtest.NewRecorder(m)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range res.Goals {
			if g.Trace != nil {
				judge(t, rec, g.Trace, false)
				judged++
			}
		}
		rnd := rand.New(rand.NewPCG(3, 5))
		for range judgedWalks * *times {
			steps, complete := walk(t, m, rnd)
			judge(t, rec, steps, complete)
			judged++
		}
	})
	t.Logf("%d runs judged", judged)
}

func judge(t *testing.T, rec *axiomtest.Recorder, steps []explore.Step, complete bool) {
	t.Helper()
	trace, err := rec.Trace(steps, complete)
	if err != nil {
		t.Fatal(err)
	}
	breaches, err := axiom.Judge(trace)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range breaches {
		t.Error(b)
	}
}

// longestWalk is how many actions a random run has at most.
const longestWalk = 400

// walk takes random actions from the initial state. The run is complete if it
// stops because nothing is left to do.
func walk(t *testing.T, m *spec.Model, rnd *rand.Rand) (steps []explore.Step, complete bool) {
	t.Helper()
	out := explore.NewSuccessors(m)
	if err := out.Start(m); err != nil {
		t.Fatal(err)
	}
	for len(steps) < longestWalk {
		if out.Len() == 0 {
			return steps, true
		}
		i := rnd.IntN(out.Len())
		action, state, _ := out.At(i)
		steps = append(steps, explore.Step{Action: action, State: bytes.Clone(state)})
		if out.Ended(i) {
			return steps, false
		}
		if err := out.Expand(m, steps[len(steps)-1].State); err != nil {
			t.Fatal(err)
		}
	}
	return steps, false
}

// catalogue calls f for every scenario of the catalogue and its variants.
func catalogue(t *testing.T, f func(t *testing.T, sc *spec.Scenario)) {
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
			t.Run(path+" "+v.Text, func(t *testing.T) {
				sc, errs := v.Scenario()
				if errs != nil {
					t.Fatal(errs)
				}
				f(t, sc)
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
