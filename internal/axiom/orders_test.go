package axiom_test

import (
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"slices"
	"testing"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/internal/axiom"
	"github.com/ibcheck/ibcheck/internal/axiom/axiomtest"
	"github.com/ibcheck/ibcheck/spec"
)

var times = flag.Int("times", 1, "compare and judge so many times what is usual")

// picked reports whether the thing of that name is among those that are compared:
// one in oneIn, spread evenly, or more with -times.
func picked(name string, oneIn int) bool {
	h := fnv.New64a()
	h.Write([]byte(name))
	return (h.Sum64()>>7)%uint64(max(oneIn / *times, 1)) == 0
}

// A setting is under what a program is compared.
type setting struct {
	profile string
	losses  int
	view    axiom.View
}

func (s setting) String() string {
	return fmt.Sprintf("%s, %d losses, %s", s.profile, s.losses, [...]string{"CQEs written", "CQEs polled", "both"}[s.view])
}

func settings() []setting {
	var list []setting
	for _, p := range spec.Profiles {
		for losses := range 2 {
			for _, v := range []axiom.View{axiom.Written, axiom.Polled} {
				list = append(list, setting{p.Name, losses, v})
			}
		}
	}
	return list
}

// TestOrders compares, for programs of up to three WRs, the completion orders
// that the search finds with those that the relations allow.
func TestOrders(t *testing.T) {
	list := settings()
	compared, stuck := 0, 0
	for p := range axiomtest.Programs() {
		for _, s := range list {
			if !picked(p.String()+s.String(), 3000) {
				continue
			}
			switch diff := compare(t, p, s); {
			case diff == nil:
				stuck++
			case len(diff) > 0:
				t.Errorf("%v\n%v", p, s)
				for _, d := range diff {
					t.Log(d)
				}
			default:
				compared++
			}
		}
	}
	t.Logf("%d compared; %d cannot come to an end: each of two answers waits for the other", compared, stuck)
	if compared < 100 {
		t.Errorf("only %d programs compared", compared)
	}
}

// mostDiffs is how many differences of one program are shown.
const mostDiffs = 6

// compare returns the orders that only the search or only the relations have;
// nil if the program cannot come to an end.
func compare(t *testing.T, p *axiom.Program, s setting) []string {
	t.Helper()
	dials, err := spec.ResolveDials(s.profile, nil)
	if err != nil {
		t.Fatal(err)
	}
	allowed := axiom.Orders(p, dials, s.losses, s.view)
	if len(allowed) == 0 {
		return nil
	}
	sc := axiomtest.Scenario(p, s.profile, nil, axiomtest.AnyLoss(s.losses))
	found, err := axiomtest.Endings(context.Background(), p, sc, s.view, explore.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	diff := []string{}
	for _, hit := range found.Hits {
		diff = append(diff, "the search fires "+hit)
	}
	for e := range found.Endings {
		if e.Status != 0 || !allowed[e.Order] {
			diff = append(diff, "only the search has "+e.Format(p, s.view))
		}
	}
	for o := range allowed {
		if !found.Endings[axiom.Ending{Order: o}] {
			diff = append(diff, "only the relations have "+o.Format(p, s.view))
		}
	}
	slices.Sort(diff)
	return diff[:min(len(diff), mostDiffs)]
}
