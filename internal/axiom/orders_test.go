package axiom_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/internal/axiom"
	"github.com/ibcheck/ibcheck/internal/axiom/axiomtest"
	"github.com/ibcheck/ibcheck/spec"
)

func TestSeed(t *testing.T) {
	for _, profile := range []string{"iba", "arrival_order", "rxe", "rxe_smp"} {
		for losses := range 2 {
			for _, cqs := range []int{1, 2} {
				for _, v := range []axiom.View{axiom.Written, axiom.Polled, axiom.Both} {
					p := &axiom.Program{CQs: cqs, MaxRdAtomic: 1, WRs: []axiom.WR{{Side: 0, Op: spec.SEND, Signaled: true}, {Side: 1, Op: spec.SEND, Signaled: true, After: 1}}}
					compare(t, p, profile, losses, v)
				}
			}
		}
	}
}

func compare(t *testing.T, p *axiom.Program, profile string, losses int, v axiom.View) {
	t.Helper()
	dials, err := spec.ResolveDials(profile, nil)
	if err != nil {
		t.Fatal(err)
	}
	t0 := time.Now()
	want := axiom.Orders(p, dials, losses, v)
	t1 := time.Now()
	got, err := axiomtest.Orders(context.Background(), p, axiomtest.Scenario(p, profile, nil, axiomtest.AnyLoss(losses)), v, explore.Options{Workers: 2, Trace: func(g int) bool { return g < 8 }})
	if err != nil {
		t.Fatal(err)
	}
	t2 := time.Now()
	fmt.Println(profile, losses, v, p, len(want), len(got.Orders), got.States, t1.Sub(t0), t2.Sub(t1))
	var lines []string
	for o := range got.Orders {
		if !want[o] {
			lines = append(lines, "only the search: "+o.Format(p, v))
		}
	}
	for o := range want {
		if !got.Orders[o] {
			lines = append(lines, "only the axioms: "+o.Format(p, v))
		}
	}
	slices.Sort(lines)
	if len(lines) > 6 {
		lines = lines[:6]
	}
	if len(lines) > 0 || got.Hits != nil {
		t.Errorf("%s, %d losses, %v: %v", profile, losses, p, got.Hits)
		for _, l := range lines {
			t.Log(l)
		}
	}
}
