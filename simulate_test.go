package ibcheck

import (
	"context"
	"path/filepath"
	"reflect"
	"testing"
)

// TestSimulationOfTheSeed meets the run of the mail at random and shrinks it to
// the very run that exploring shows.
func TestSimulationOfTheSeed(t *testing.T) {
	f := load(t, "seed/send-vs-recv-cqe.ibl")
	want, err := Check(context.Background(), f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Check(context.Background(), f, Options{Simulate: 300, Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	for i := range want.Properties {
		w, g := &want.Properties[i], &got.Properties[i]
		if w.Verdict == "violated" && (g.Token != w.Token || !reflect.DeepEqual(g.Trace, w.Trace) || g.Met == nil || !g.Met.Minimal || g.Met.Actions < w.Actions) {
			t.Errorf("%s: %s, %+v; want the run of the search, from a longer one", w.Name, g.Verdict, g.Met)
		}
		if w.Verdict == "holds" && g.Verdict != "unknown" {
			t.Errorf("%s: %s, but random runs can show nothing of the kind", w.Name, g.Verdict)
		}
	}
	if got.Complete || got.ExitCode(false) != ExitInconclusive {
		t.Errorf("complete %v, exit code %d; want an inconclusive report", got.Complete, got.ExitCode(false))
	}
}

// TestSimulationOfTheCatalogue: random runs contradict no verdict of a part of
// the catalogue, say of nothing that it holds, and find most of what is there.
func TestSimulationOfTheCatalogue(t *testing.T) {
	files, err := filepath.Glob("scenarios/*/*.ibl")
	if err != nil {
		t.Fatal(err)
	}
	there, met := 0, 0
	for i := 0; i < len(files); i += 6 {
		name := files[i][len("scenarios/"):]
		r, err := Check(context.Background(), load(t, name), Options{Simulate: 250, Seed: 1, MaxStates: 2000, NoEpilogue: true})
		if err != nil {
			t.Fatal(err)
		}
		for k := range r.Properties {
			p := &r.Properties[k]
			can := p.Expect == "violated" || p.Expect == "reachable"
			if can {
				there++
			}
			switch {
			case p.Verdict == "unknown":
			case p.Met == nil || p.Run == nil || p.Verdict != "violated" && p.Verdict != "reachable":
				t.Errorf("%s: %s is %s without a run", name, p.Name, p.Verdict)
			case can && p.Verdict == p.Expect:
				met++
			case p.Kind != "reach" && !p.AsExpected || p.Expect == "unreachable":
				t.Errorf("%s: %s is %s, expected %s", name, p.Name, p.Verdict, p.Expect)
			}
		}
	}
	if there < 20 || met < there*9/10 {
		t.Errorf("%d of %d runs met", met, there)
	}
}
