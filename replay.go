package ibcheck

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/invariants"
	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// Replay takes the run of a token again and returns a report with one property:
// the one that the run decides, or just the run, of kind "run". The token may
// belong to the file as the options have it or to one of its variants; if it
// belongs to none, the error says that it is stale.
func Replay(ctx context.Context, f *scenario.File, tok string, opt Options) (ScenarioReport, error) {
	t, err := parseToken(tok)
	if err != nil {
		return ScenarioReport{}, err
	}
	sc, params, err := t.scenario(f, opt)
	if err != nil {
		return ScenarioReport{}, err
	}
	c := &checker{ctx: ctx, sc: sc, opt: opt}
	steps, err := c.retake(t)
	if err != nil {
		return ScenarioReport{}, err
	}
	r := c.head()
	r.Params = params
	p, err := c.shown(steps)
	r.Properties = []PropertyReport{p}
	return r, err
}

// scenario finds the scenario that a token belongs to.
func (t parsedToken) scenario(f *scenario.File, opt Options) (*spec.Scenario, map[string]string, error) {
	var prints []string
	try := func(sc *spec.Scenario, errs scenario.Errors) (bool, error) {
		if errs != nil {
			return false, errs
		}
		if err := opt.override(sc); err != nil {
			return false, err
		}
		prints = append(prints, fingerprint(sc))
		return prints[len(prints)-1] == t.print, nil
	}
	if len(opt.Params) > 0 {
		sc, errs := f.Scenario(opt.Params)
		if ok, err := try(sc, errs); ok || err != nil {
			return sc, opt.Params, err
		}
	} else {
		for _, v := range f.Variants() {
			sc, errs := v.Scenario()
			if ok, err := try(sc, errs); ok || err != nil {
				return sc, v.Params, err
			}
		}
	}
	return nil, nil, fmt.Errorf("the token is stale: its run is of scenario %s, but %s is %s now; "+
		"the program, profile, dials, budgets or params are not those that it was made with", t.print, f.Name, strings.Join(slices.Compact(prints), " or "))
}

// retake takes the run of a token, with states as large as it needs.
func (c *checker) retake(t parsedToken) ([]explore.Step, error) {
	for c.sizes = spec.DefaultBounds(c.sc); ; {
		if err := c.compile(spec.NoReduction); err != nil {
			return nil, err
		}
		steps, err := t.take(c.model)
		if len(steps) == 0 {
			return nil, err
		}
		end := c.model.Unpack(steps[len(steps)-1].State)
		grown := false
		if end.Env.Bad.IsBound() {
			c.sizes, grown = c.model.Grow(end.Env.Bad, int(end.Env.BadArg))
		}
		if !grown {
			return steps, err
		}
	}
}

// shown says what a run decides.
func (c *checker) shown(steps []explore.Step) (PropertyReport, error) {
	hits, err := c.lastHits(steps)
	if err != nil {
		return PropertyReport{}, err
	}
	loop := 0
	last := steps[len(steps)-1].State
	if i := slices.IndexFunc(steps, func(s explore.Step) bool { return string(s.State) == string(last) }); i < len(steps)-1 {
		loop = i + 1
		due := c.model.Pending(last)
		for _, s := range steps[i:] {
			due &= c.model.Pending(s.State)
		}
		hits |= due << uint(spec.ObserverGoal(0))
	}
	p := PropertyReport{Kind: "run", Name: "run", AsExpected: true, Faults: c.cost(steps)}
	for g := range c.model.Goals() {
		if g = (g + spec.ObserverGoal(0)) % c.model.Goals(); hits>>uint(g)&1 == 1 { // the properties first
			p = c.decided(g, steps)
			break
		}
	}
	if loop > 0 {
		p.Breaks = repeats
	}
	var more []explore.Step
	if loop == 0 && p.Kind != "run" && !c.opt.NoEpilogue {
		if more, err = c.epilogue(last); err != nil {
			return p, err
		}
	}
	return p, c.words(&p, steps, more, loop)
}

// decided describes the goal that a run hits.
func (c *checker) decided(g int, steps []explore.Step) PropertyReport {
	var p PropertyReport
	if i := g - spec.ObserverGoal(0); i >= 0 {
		p = c.target(i)
	} else {
		b := spec.Bad(g)
		p = PropertyReport{Name: b.String(), Kind: "sanitizer"}
		i := slices.IndexFunc(c.watch.Targets, func(t invariants.Target) bool { // an assert may speak of it
			return t.Prop != nil && invariants.Sanitizer(t.Prop) == b
		})
		if i >= 0 {
			p = c.target(i)
		}
		p.Breaks = c.finding(steps)
	}
	p.Verdict, p.Faults = "violated", c.cost(steps)
	if p.Kind == "reach" {
		p.Verdict = "reachable"
	}
	judge(&p)
	return p
}

// cost counts the faults of a run.
func (c *checker) cost(steps []explore.Step) (n int) {
	for _, s := range steps[1:] {
		n += c.model.Cost(s.Action)
	}
	return n
}

// lastHits returns the goals that the last action of a run hits, or its last
// state.
func (c *checker) lastHits(steps []explore.Step) (uint64, error) {
	out := explore.NewSuccessors(c.model)
	hits, ended := uint64(0), false
	if n := len(steps); n > 1 {
		if err := out.Expand(c.model, steps[n-2].State); err != nil {
			return 0, err
		}
		i := out.Index(steps[n-1].Action)
		_, _, hits = out.At(i)
		ended = out.Ended(i)
	}
	if !ended {
		if err := out.Expand(c.model, steps[len(steps)-1].State); err != nil {
			return 0, err
		}
		hits |= out.StateHits()
	}
	return hits, nil
}
