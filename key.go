package ibcheck

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/invariants"
	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/traces"
)

// What a violation needs is found by asking again with less: without each of the
// faults of its run, and without each freedom that the HCA takes.

// The sizes of spaces, in states, up to which a check asks by itself.
const (
	askFaults = 50_000
	askDials  = 10_000
	askFixes  = 10_000
)

// A question is a violation to be looked for again under other assumptions.
type question struct {
	c    *checker
	p    *PropertyReport
	most uint64 // states to explore for each answer, 0: no limit of its own
}

// key says which faults and freedoms a violation needs, as far as the space is small
// enough to ask or the options want it in any case.
func (c *checker) key(p *PropertyReport) ([]string, error) {
	if c.opt.Simulate > 0 {
		return nil, nil // the space is out of reach
	}
	states, all := c.res.States, c.opt.Explain == Fully
	q := question{c: c, p: p}
	if !all {
		q.most = 2 * askFaults
	}
	var out []string
	if all || states <= askFaults {
		words, err := q.faults()
		if err != nil {
			return nil, err
		}
		out = append(out, words...)
	}
	if all || states <= askDials {
		words, err := q.freedoms()
		if err != nil {
			return nil, err
		}
		out = append(out, words...)
	}
	return out, nil
}

// used counts the faults of the run by budget, and lists their steps.
func (q *question) used() (count map[string]int, at map[string][]string) {
	count, at = map[string]int{}, map[string][]string{}
	steps := ladderSteps(traces.Layout(q.p.Run, traces.Options{Bars: q.p.Bars}), q.p.Run)
	for i := range q.p.Run.Events[:q.p.Run.Broken] {
		if fault := q.p.Run.Events[i].Fault; fault != "" {
			name := fault[:strings.LastIndexByte(fault, ' ')]
			count[name]++
			at[name] = append(at[name], fmt.Sprint(steps[i]))
		}
	}
	return count, at
}

// faults asks without each budget that the run used.
func (q *question) faults() ([]string, error) {
	count, at := q.used()
	if len(count) == 0 {
		return []string{"No fault is needed."}, nil
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(count)) {
		without := maps.Clone(budgetsOf(q.c.sc))
		without[name] = 0
		breaks, known, err := q.ask(without, nil)
		if err != nil {
			return nil, err
		}
		fault, is, it := "fault", "is", "it"
		if count[name] > 1 {
			fault, is, it = "faults", "are", "them"
		}
		what := fmt.Sprintf("The %s at %s, %s,", fault, strings.Join(at[name], " and "), name)
		switch {
		case !known:
		case breaks && q.p.Kind == "reach":
			out = append(out, fmt.Sprintf("%s %s not the only way: %s is reached without %s too.", what, is, q.p.Name, it))
		case breaks:
			out = append(out, fmt.Sprintf("%s %s not the only way: %s breaks without %s too.", what, is, q.p.Name, it))
		case q.p.Kind == "reach":
			out = append(out, fmt.Sprintf("%s %s necessary: no run without %s reaches %s.", what, is, it, q.p.Name))
		default:
			out = append(out, fmt.Sprintf("%s %s necessary: every run without %s keeps %s.", what, is, it, q.p.Name))
		}
	}
	return out, nil
}

// freedoms asks with the faults of the run and without the freedoms of the HCA.
func (q *question) freedoms() ([]string, error) {
	dials, err := spec.ResolveDials(q.c.sc.Profile, q.c.sc.Dials)
	if err != nil {
		return nil, err
	}
	kind := map[string]string{}
	var free []string
	for i := range spec.Dials {
		d := &spec.Dials[i]
		kind[d.Name] = dials[d.Name]
		if dials[d.Name] != d.ArrivalOrder && d.Covers(dials[d.Name], d.ArrivalOrder) {
			kind[d.Name] = d.ArrivalOrder
			free = append(free, d.Name)
		}
	}
	budgets := map[string]int{}
	count, _ := q.used()
	for name := range budgetsOf(q.c.sc) {
		budgets[name] = count[name]
	}
	breaks, known, err := q.ask(budgets, kind)
	switch {
	case err != nil || !known:
		return nil, err
	case breaks:
		return []string{"No freedom of the HCA is needed."}, nil
	}
	var necessary, enough []string
	for _, name := range free {
		with := fmt.Sprintf("%s = %s", name, dials[name])
		one := maps.Clone(dials)
		one[name] = kind[name]
		if breaks, known, err = q.ask(budgets, one); err != nil {
			return nil, err
		}
		if known && !breaks {
			necessary = append(necessary, with)
		}
		one = maps.Clone(kind)
		one[name] = dials[name]
		if breaks, _, err = q.ask(budgets, one); err != nil {
			return nil, err
		}
		if breaks {
			enough = append(enough, with)
		}
	}
	switch {
	case len(necessary) == 1 && slices.Equal(necessary, enough):
		return []string{fmt.Sprintf("%s is the freedom that it takes.", necessary[0])}, nil
	case len(necessary) > 0:
		return []string{fmt.Sprintf("It takes %s.", strings.Join(necessary, " and "))}, nil
	case len(enough) > 0:
		return []string{fmt.Sprintf("Of the HCA's freedoms one is enough: %s.", strings.Join(enough, ", or "))}, nil
	}
	return []string{"It takes several freedoms of the HCA together."}, nil
}

// ask looks for the violation under other budgets and dials; known is false if a
// limit came before the answer.
func (q *question) ask(budgets map[string]int, dials map[string]string) (breaks, known bool, err error) {
	sc := *q.c.sc
	sc.Faults = slices.Clone(sc.Faults)
	for i := range sc.Faults {
		sc.Faults[i].Max = budgets[spec.FaultName(&sc, &sc.Faults[i])]
	}
	if dials != nil {
		sc.Dials = dials
	}
	c := &checker{ctx: q.c.ctx, sc: &sc, opt: q.c.opt}
	target := -1
	err = c.fitting(func(until uint64) (err error) {
		if err = c.compile(spec.NoReduction); err != nil {
			return err
		}
		goal := int(spec.BadFor(q.p.Name))
		target = slices.IndexFunc(c.watch.Targets, func(t invariants.Target) bool { return t.Name == q.p.Name && t.Kind == q.p.Kind })
		if target >= 0 {
			goal = c.goalOf(target)
		}
		opt := c.opt.search()
		opt.Until, opt.Trace = until|1<<uint(goal), onlyBounds
		if q.most > 0 && (opt.MaxStates == 0 || opt.MaxStates > q.most) {
			opt.MaxStates = q.most
		}
		c.res, err = explore.Run(c.ctx, c.model, opt)
		if err == nil {
			breaks = c.res.Goals[goal].Found || target >= 0 && c.watch.Live(target) && c.res.Live[target].Violated
		}
		return err
	})
	return breaks, breaks || err == nil && c.res.Complete && len(c.bounds) == 0, err
}
