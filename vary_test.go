package ibcheck

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"testing"
)

func varied(t *testing.T, file string, opt Options, axes ...VaryAxis) *VaryReport {
	t.Helper()
	r, err := Vary(context.Background(), load(t, file), opt, axes)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestMatricesOfTheCatalogue pins verdict matrices.
func TestMatricesOfTheCatalogue(t *testing.T) {
	profiles := VaryAxis{"profile", []string{"iba", "rxe", "rxe_smp", "arrival_order"}}
	for name, c := range map[string]struct {
		file string
		axes []VaryAxis
	}{
		"seed":     {"seed/send-vs-recv-cqe.ibl", []VaryAxis{{"drop(ACK)", []string{"0", "1", "2"}}, profiles}},
		"v6":       {"variants/v6-all-acks-lost.ibl", []VaryAxis{{"drop(ACK)", []string{"0", "1", "2", "3"}}}},
		"arm-race": {"arming/cq-arm-race-srq.ibl", []VaryAxis{{"repoll", []string{"false", "true"}}, {"srq.fifo", []string{"yes", "no"}}}},
		"reposted": {"receive/i06-spdk-repost-after-response.ibl", []VaryAxis{{"retries", []string{"0", "1", "7"}}, {"repost_first", []string{"false", "true"}}}},
		"unmapped": {"reply/a02-nvme-unmap-at-response.ibl", []VaryAxis{{"drop(ACK)", []string{"0", "1"}}, {"requester.cqe_delay", []string{"none", "free"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			var text bytes.Buffer
			if err := varied(t, c.file, Options{}, c.axes...).WriteText(&text, false); err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join("vary", name+".txt"), text.String())
		})
	}
}

// TestVaryAgreesWithCheck: a point has the verdicts that Check has there.
func TestVaryAgreesWithCheck(t *testing.T) {
	file := "seed/send-vs-recv-cqe.ibl"
	r := varied(t, file, Options{}, VaryAxis{"drop(ACK)", []string{"0", "2"}}, VaryAxis{"profile", []string{"iba", "arrival_order"}})
	for _, p := range r.Points {
		drops := int(p.Values[0][0] - '0')
		s, err := Check(context.Background(), load(t, file), Options{Profile: p.Values[1], Faults: map[string]int{"drop(ACK)": drops}})
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Properties {
			q := &s.Properties[i]
			k := slices.IndexFunc(r.Properties, func(v VaryProperty) bool { return v.Name == q.Name })
			if v := p.Verdicts[k]; v.Verdict != q.Verdict || v.Faults != q.Faults || v.Token != q.Token {
				t.Errorf("%v %s: %+v, but check says %s with %d faults, token %s", p.Values, q.Name, v, q.Verdict, q.Faults, q.Token)
			}
		}
	}
}

// TestExtremePoints: what is called weakest has nothing weaker beside it that
// holds, and what is called breaking nothing stronger that breaks.
func TestExtremePoints(t *testing.T) {
	r := varied(t, "seed/send-vs-recv-cqe.ibl", Options{}, VaryAxis{"drop(ACK)", []string{"0", "1", "2"}},
		VaryAxis{"requester.cqe_delay", []string{"none", "free"}})
	values := func(points []int) (out [][]string) {
		for _, i := range points {
			out = append(out, r.Points[i].Values)
		}
		return out
	}
	order := &r.Properties[slices.IndexFunc(r.Properties, func(p VaryProperty) bool { return p.Name == "order" })]
	equal := func(a, b [][]string) bool {
		return slices.EqualFunc(a, b, func(x, y []string) bool { return slices.Equal(x, y) })
	}
	if got, want := values(order.Weakest), [][]string{{"0", "none"}}; !equal(got, want) {
		t.Errorf("weakest %v, want %v", got, want)
	}
	if got, want := values(order.Breaking), [][]string{{"0", "free"}, {"1", "none"}}; !equal(got, want) {
		t.Errorf("breaking %v, want %v", got, want)
	}
}

// TestDiffOfVariants: the fix of a bug gains the orders that the bug cut short.
func TestDiffOfVariants(t *testing.T) {
	f := load(t, "reply/a06-rtrs-unsignaled-write.ibl")
	d, err := Diff(context.Background(), Side{File: f}, Side{File: f, Options: Options{Params: map[string]string{"fixed": "true"}}}, false)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Gained) != 2 || len(d.Lost) != 3 || d.Same() {
		t.Errorf("gained %v, lost %v", d.Gained, d.Lost)
	}
	for _, o := range d.Lost {
		if p := replayed(t, f, o.Token); p.Faults != o.Faults {
			t.Errorf("%s: %d faults, want %d", o.Token, p.Faults, o.Faults)
		}
	}
}
