package axiom_test

import (
	"context"
	"testing"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/internal/axiom"
	"github.com/ibcheck/ibcheck/internal/axiom/axiomtest"
	"github.com/ibcheck/ibcheck/spec"
)

// TestOutcomes compares, for programs of up to three WRs on one location, what
// they observe in the search with what the relations allow.
func TestOutcomes(t *testing.T) {
	compared := 0
	for p := range axiomtest.MemoryPrograms() {
		for _, profile := range spec.Profiles {
			for losses := range 2 {
				if !picked(p.String()+profile.Name, 150) {
					continue
				}
				compared++
				compareOutcomes(t, p, profile.Name, losses)
			}
		}
	}
	t.Logf("%d compared", compared)
	if compared < 100 {
		t.Errorf("only %d programs compared", compared)
	}
}

func compareOutcomes(t *testing.T, p *axiom.Program, profile string, losses int) {
	t.Helper()
	dials, err := spec.ResolveDials(profile, nil)
	if err != nil {
		t.Fatal(err)
	}
	allowed := axiom.Outcomes(p, dials, losses)
	sc := axiomtest.MemoryScenario(p, profile, axiomtest.AnyLoss(losses))
	found, err := axiomtest.Outcomes(context.Background(), p, sc, explore.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	for o := range found {
		if !allowed[o] {
			t.Errorf("%s, %d losses, %v: only the search has %s", profile, losses, p, p.FormatOutcome(o))
		}
	}
	for o := range allowed {
		if !found[o] {
			t.Errorf("%s, %d losses, %v: only the relations have %s", profile, losses, p, p.FormatOutcome(o))
		}
	}
}
