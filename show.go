package ibcheck

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/spec/scenario"
)

// Show returns a report whose properties are sample runs, of kind "run": at most
// n, unlike each other, the first with the fewest faults. Each goes on until
// nothing more can complete. Runs with different orders of completions come
// first, then runs to the same orders with more faults.
func Show(ctx context.Context, f *scenario.File, opt Options, n int) (ScenarioReport, error) {
	ctx, cancel := opt.limited(ctx)
	defer cancel()
	s, err := newOrderSearch(ctx, f, opt, false)
	if err != nil {
		return ScenarioReport{}, err
	}
	orders := s.report()
	if err := s.witnesses(orders, false); err != nil {
		return ScenarioReport{}, err
	}
	runs := diverse(orders.Outcomes, n)
	if more := n - len(runs); more > 0 {
		again, err := s.withMoreFaults(orders.Outcomes)
		if err != nil {
			return ScenarioReport{}, err
		}
		runs = append(runs, again[:min(more, len(again))]...)
	}
	r := s.head()
	r.Params = opt.Params
	r.Complete, r.Stopped = orders.Complete, orders.Stopped
	for i := range runs {
		p := PropertyReport{Name: fmt.Sprintf("run %d", i+1), Kind: "run", Property: orders.outcomeText(&runs[i]), AsExpected: true,
			Faults: s.cost(runs[i].steps)}
		if err := s.words(&p, runs[i].steps, nil, 0); err != nil {
			return r, err
		}
		r.Properties = append(r.Properties, p)
	}
	return r, nil
}

// ShowProperty returns a report with one property of a scenario, whose run shows
// that a reach is reachable or how an assert is violated. If there is no such run
// the error says so.
func ShowProperty(ctx context.Context, f *scenario.File, opt Options, name string) (ScenarioReport, error) {
	r, err := oneProperty(ctx, f, opt, name)
	if err == nil && r.Properties[0].Run == nil {
		p := &r.Properties[0]
		return r, fmt.Errorf("%s %s %s: there is no run to show", p.Kind, p.Name, p.verdictText())
	}
	return r, err
}

// ExplainProperty returns a report with one property of a scenario, fully explained
// if it is violated or reachable.
func ExplainProperty(ctx context.Context, f *scenario.File, opt Options, name string) (ScenarioReport, error) {
	opt.Explain, opt.only = Fully, name
	r, err := oneProperty(ctx, f, opt, name)
	if err != nil {
		return r, err
	}
	return r, r.suggest(ctx, f, opt)
}

// oneProperty checks a scenario and keeps one property.
func oneProperty(ctx context.Context, f *scenario.File, opt Options, name string) (ScenarioReport, error) {
	ctx, cancel := opt.limited(ctx)
	defer cancel()
	sc, errs := f.Scenario(opt.Params)
	if errs != nil {
		return ScenarioReport{}, errs
	}
	r, err := CheckScenario(ctx, sc, opt)
	if err != nil {
		return r, err
	}
	r.Params = opt.Params
	var names []string
	for i := range r.Properties {
		if p := r.Properties[i]; p.Name == name {
			r.Properties = []PropertyReport{p}
			return r, nil
		}
		names = append(names, r.Properties[i].Name)
	}
	return r, fmt.Errorf("no property named %q (properties: %s)", name, strings.Join(names, ", "))
}

// verdictText is the verdict as a sentence goes on.
func (p *PropertyReport) verdictText() string {
	switch p.Verdict {
	case "holds":
		return "holds"
	case "unknown":
		return "is open"
	}
	return "is " + p.Verdict
}

// diverse picks outcomes: the first, and then always the one that is least like
// those picked.
func diverse(all []Outcome, n int) []Outcome {
	var left, out []Outcome
	for _, o := range all {
		if o.steps != nil {
			left = append(left, o)
		}
	}
	for len(out) < n && len(left) > 0 {
		best, most := 0, -1
		for i := range left {
			near := -1
			for k := range out {
				if d := distance(&left[i], &out[k]); near < 0 || d < near {
					near = d
				}
			}
			if near > most {
				best, most = i, near
			}
			if len(out) == 0 {
				break // the first has the fewest faults
			}
		}
		out = append(out, left[best])
		left = slices.Delete(left, best, best+1)
	}
	return out
}

// distance counts what two outcomes disagree about: completions that only one
// has, pairs that lie the other way, how they end.
func distance(a, b *Outcome) int {
	n := 0
	if a.Ends != b.Ends {
		n++
	}
	for k := range a.Orders {
		x, y := a.Orders[k], b.Orders[k]
		for i, c := range x {
			at := slices.Index(y, c)
			if at < 0 {
				n++
			}
			for _, d := range x[i+1:] {
				if before := slices.Index(y, d); before >= 0 && before < at {
					n++
				}
			}
		}
		for _, c := range y {
			if !slices.Contains(x, c) {
				n++
			}
		}
	}
	return n
}

// withMoreFaults finds runs to the outcomes with more faults than they need, those
// with the fewest first.
func (s *orderSearch) withMoreFaults(all []Outcome) ([]Outcome, error) {
	most := 0
	for i := range s.sc.Faults {
		most += s.sc.Faults[i].Max
	}
	var wants []want
	var of []int
	for faults := 1; faults <= most; faults++ {
		for i := range all {
			if w := all[i].want; w.kind != wantCut && all[i].Faults < faults && len(wants) < 64 {
				w.more = faults
				wants, of = append(wants, w), append(of, i)
			}
		}
	}
	if len(wants) == 0 {
		return nil, nil
	}
	runs, err := s.runs(wants)
	var out []Outcome
	for i, run := range runs {
		if run != nil {
			o := all[of[i]]
			o.steps = run
			out = append(out, o)
		}
	}
	return out, err
}

// outcomeText says in a line what an outcome shows.
func (r *OrdersReport) outcomeText(o *Outcome) string {
	var parts []string
	for n, order := range o.Orders {
		if len(order) > 0 {
			parts = append(parts, r.Nodes[n]+" "+strings.Join(order, " "))
		}
	}
	text := strings.Join(parts, "; ")
	if o.Ends != "" {
		text += ", " + o.endWords()
	}
	return text
}
