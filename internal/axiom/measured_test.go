package axiom_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/internal/axiom"
	"github.com/ibcheck/ibcheck/spec"
)

// TestMeasured: what was measured on rxe (PROTOCOL.md 11) is all that a can poll
// in those programs.
func TestMeasured(t *testing.T) {
	send := axiom.WR{Op: spec.SEND, Signaled: true}
	answer := func(after int) axiom.WR { return axiom.WR{Side: 1, After: after, Op: spec.SEND} }
	for _, m := range []struct {
		name   string
		wrs    []axiom.WR
		losses int
		want   []string
	}{
		{"M1", []axiom.WR{send, answer(1)}, 0, []string{"S1 Ra1"}},
		{"M2, M3", []axiom.WR{send, answer(1)}, 1, []string{"Ra1 S1", "S1 Ra1"}},
		{"M5", []axiom.WR{send, answer(0)}, 0, []string{"Ra1 S1", "S1 Ra1"}},
		{"M8, M9, M11: without the loss of both ACKs recv2 is not the first", []axiom.WR{send, send, answer(2)}, 1, []string{"S1 Ra1 S2", "S1 S2 Ra1"}},
		{"M14", []axiom.WR{send, {Op: spec.RDMA_READ, Signaled: true}, answer(1)}, 1,
			[]string{"Ra1 S1 S2", "S1 Ra1 S2", "S1 S2 Ra1"}},
	} {
		dials, err := spec.ResolveDials("rxe", nil)
		if err != nil {
			t.Fatal(err)
		}
		p := &axiom.Program{CQs: 1, MaxRdAtomic: 1, WRs: m.wrs}
		seen := map[string]bool{}
		for o := range axiom.Orders(p, dials, m.losses, axiom.Polled) {
			seen[polledByA(o.Format(p, axiom.Polled))] = true
		}
		if got := slices.Sorted(maps.Keys(seen)); !slices.Equal(got, m.want) {
			t.Errorf("%s: a polls %q, wanted %q", m.name, got, m.want)
		}
	}
}

// polledByA keeps the completions of a, which are all but those of the last WR
// and of b's receives.
func polledByA(order string) string {
	var own []string
	for _, name := range strings.Fields(order) {
		if name = strings.TrimSuffix(name, ".wc"); !strings.HasPrefix(name, "Rb") {
			own = append(own, name)
		}
	}
	return strings.Join(own, " ")
}
