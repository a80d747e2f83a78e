package axiom_test

import (
	"context"
	"slices"
	"testing"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/internal/axiom"
	"github.com/ibcheck/ibcheck/internal/axiom/axiomtest"
	"github.com/ibcheck/ibcheck/spec"
)

// TestFailures compares, for programs of up to three WRs, how their runs end
// in the search when a's QP may fail, with what the relations allow.
func TestFailures(t *testing.T) {
	compared := 0
	for p := range axiomtest.Programs() {
		for _, s := range settings() {
			if s.losses > 0 || !picked(s.String()+p.String(), 6000) {
				continue
			}
			compared++
			if diff := compareEndings(t, p, s); len(diff) > 0 {
				t.Errorf("%v\n%v", p, s)
				for _, d := range diff {
					t.Log(d)
				}
			}
		}
	}
	t.Logf("%d compared", compared)
	if compared < 40 {
		t.Errorf("only %d programs compared", compared)
	}
}

// compareEndings returns the endings that only the search or only the relations
// have.
func compareEndings(t *testing.T, p *axiom.Program, s setting) []string {
	t.Helper()
	dials, err := spec.ResolveDials(s.profile, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(axiom.Orders(p, dials, 0, s.view)) == 0 {
		return nil // each of two answers waits for the other
	}
	allowed := axiom.Endings(p, dials, s.view)
	sc := axiomtest.Scenario(p, s.profile, nil, axiomtest.KillOfA())
	sc.Allows = []string{"retry_exhausted", "open_wr"}
	found, err := axiomtest.Endings(context.Background(), p, sc, s.view, explore.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	var diff []string
	for _, hit := range found.Hits {
		diff = append(diff, "the search fires "+hit)
	}
	for e := range found.Endings {
		if !allowed[e] {
			diff = append(diff, "only the search has "+e.Format(p, s.view))
		}
	}
	for e := range allowed {
		if !found.Endings[e] {
			diff = append(diff, "only the relations have "+e.Format(p, s.view))
		}
	}
	slices.Sort(diff)
	return diff[:min(len(diff), mostDiffs)]
}
