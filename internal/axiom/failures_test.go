package axiom_test

import (
	"testing"

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
			if s.losses > 0 || !picked(s.String()+p.String(), 8000) || len(allowedOrders(t, p, s)) == 0 {
				continue
			}
			compared++
			dials, err := spec.ResolveDials(s.profile, nil)
			if err != nil {
				t.Fatal(err)
			}
			sc := axiomtest.Scenario(p, s.profile, nil, axiomtest.KillOfA())
			sc.Allows = []string{"retry_exhausted", "open_wr"}
			compare(t, p, s, axiom.Endings(p, dials, s.view), sc)
		}
	}
	t.Logf("%d compared", compared)
	if compared < 30 {
		t.Errorf("only %d programs compared", compared)
	}
}
