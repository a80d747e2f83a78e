package axiom_test

import (
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
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
	compared, stuck := 0, 0
	for p := range axiomtest.Programs() {
		for _, s := range settings() {
			if !picked(p.String()+s.String(), 3000) {
				continue
			}
			allowed := allowedOrders(t, p, s)
			if len(allowed) == 0 {
				stuck++
				continue
			}
			compared++
			compare(t, p, s, allowed, axiomtest.Scenario(p, s.profile, nil, axiomtest.AnyLoss(s.losses)))
		}
	}
	t.Logf("%d compared; %d cannot come to an end: each of two answers waits for the other", compared, stuck)
	if compared < 100 {
		t.Errorf("only %d programs compared", compared)
	}
}

// TestFaultsAddNothing: where CQEs may be late, no single fault of any kind
// shows an order that is not there without it.
func TestFaultsAddNothing(t *testing.T) {
	compared := 0
	for p := range axiomtest.Programs() {
		for _, kind := range spec.FaultKinds() {
			for _, profile := range []string{"iba", "qib"} {
				s := setting{profile, 0, axiom.Written}
				if kind == "kill" || !picked(p.String()+s.String()+kind, 20000) {
					continue
				}
				f := axiomtest.AnyLoss(1)
				if f.Kind = kind; kind == "early_timeout" {
					f.Class = ""
				}
				if allowed := allowedOrders(t, p, s); len(allowed) > 0 {
					compared++
					compare(t, p, s, allowed, axiomtest.Scenario(p, profile, nil, f))
				}
			}
		}
	}
	t.Logf("%d compared", compared)
	if compared < 10 {
		t.Errorf("only %d programs compared", compared)
	}
}

// allowedOrders returns what the relations allow as endings, which are all
// successes; none if the program cannot come to an end.
func allowedOrders(t *testing.T, p *axiom.Program, s setting) map[axiom.Ending]bool {
	t.Helper()
	dials, err := spec.ResolveDials(s.profile, nil)
	if err != nil {
		t.Fatal(err)
	}
	allowed := map[axiom.Ending]bool{}
	for o := range axiom.Orders(p, dials, s.losses, s.view) {
		allowed[axiom.Ending{Order: o}] = true
	}
	return allowed
}

// mostDiffs is how many differences of one program are shown.
const mostDiffs = 6

// compare reports the endings of a program that only the search or only the
// relations have.
func compare(t *testing.T, p *axiom.Program, s setting, allowed map[axiom.Ending]bool, sc *spec.Scenario) {
	t.Helper()
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
	if len(diff) > 0 {
		t.Errorf("%v\n%v, faults %v\n%s", p, s, sc.Faults, strings.Join(diff[:min(len(diff), mostDiffs)], "\n"))
	}
}
