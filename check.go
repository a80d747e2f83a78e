package ibcheck

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/invariants"
	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
	"github.com/ibcheck/ibcheck/traces"
)

// Options say how to check. The zero value explores everything, on all
// processors, with half of the machine's memory.
type Options struct {
	Workers    int                    // goroutines that explore, 0: as many as processors; never changes a report
	MaxStates  uint64                 // stop after so many states, 0: never
	MaxMem     uint64                 // stop before states take more bytes, 0: explore.DefaultMaxMem
	Timeout    time.Duration          // stop after so long, all variants together, 0: never
	Progress   func(explore.Progress) // called many times a second from the goroutine that called Check; nil: nobody
	Profile    string                 // instead of the file's, "" keeps it
	Dials      map[string]string      // set beside the file's
	Params     map[string]string      // of the file, instead of its defaults
	Faults     map[string]int         // budgets by name, instead of the file's
	Reduce     string                 // "auto" or "", "none", or kinds of eager steps: "polls,acks"
	NoEpilogue bool                   // leave out how runs go on after the break
	Explain    Explain                // how much to say of why a property is violated

	// Simulate, unless 0, tries so many random runs instead of exploring: then
	// verdicts are violated, reachable or unknown. Seed makes them other runs.
	Simulate, Seed uint64

	only string // explain this property alone
}

// Check explores a scenario file and its variants. The error is a mistake in
// the file or the options (scenario.Errors or spec.CompileErrors among them);
// limits and interrupts are not errors but make the report partial.
func Check(ctx context.Context, f *scenario.File, opt Options) (ScenarioReport, error) {
	ctx, cancel := opt.limited(ctx)
	defer cancel()
	if len(opt.Params) > 0 {
		// The verdicts of check with are for the values that it names.
		sc, errs := f.Scenario(opt.Params)
		if errs != nil {
			return ScenarioReport{}, errs
		}
		r, err := CheckScenario(ctx, sc, opt)
		if err != nil {
			return r, err
		}
		return r, r.suggest(ctx, f, opt)
	}
	var report ScenarioReport
	for i, v := range f.Variants() {
		sc, errs := v.Scenario()
		if errs != nil {
			return report, errs
		}
		r, err := CheckScenario(ctx, sc, opt)
		if err != nil {
			return report, err
		}
		own := opt
		own.Params = v.Params
		if err := r.suggest(ctx, f, own); err != nil {
			return report, err
		}
		if i == 0 {
			report = r
			continue
		}
		r.Params = v.Params
		report.Variants = append(report.Variants, r)
	}
	return report, nil
}

// CheckScenario explores one scenario.
func CheckScenario(ctx context.Context, sc *spec.Scenario, opt Options) (ScenarioReport, error) {
	if err := opt.override(sc); err != nil {
		return ScenarioReport{}, err
	}
	begin := time.Now()
	c := &checker{ctx: ctx, sc: sc, opt: opt}
	if err := c.explore(); err != nil {
		return ScenarioReport{}, err
	}
	return c.report(time.Since(begin))
}

// limited returns a context that ends with the time the options give.
func (opt *Options) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if opt.Timeout > 0 {
		return context.WithTimeout(ctx, opt.Timeout)
	}
	return context.WithCancel(ctx)
}

// search returns the options of a search.
func (opt *Options) search() explore.Options {
	return explore.Options{Workers: opt.Workers, MaxStates: opt.MaxStates, MaxMem: opt.MaxMem, Progress: opt.Progress}
}

// override applies the options that change what a scenario assumes.
func (opt *Options) override(sc *spec.Scenario) error {
	if opt.Profile != "" {
		if err := scenario.Override(sc, "profile", opt.Profile); err != nil {
			return err
		}
		sc.Dials = map[string]string{}
	}
	for _, name := range slices.Sorted(maps.Keys(opt.Dials)) {
		if err := scenario.Override(sc, name, opt.Dials[name]); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(opt.Faults)) {
		if err := scenario.Override(sc, name, fmt.Sprint(opt.Faults[name])); err != nil {
			return err
		}
	}
	return nil
}

// A checker checks one scenario.
type checker struct {
	ctx    context.Context
	sc     *spec.Scenario
	opt    Options
	model  *spec.Model
	watch  *invariants.Watch
	res    *explore.Result
	sim    *explore.SimResult // of a simulation, which res then repeats
	sizes  spec.Bounds
	bounds []string // parts of a state that could not grow

	notShortest bool // a limit came before all shortest runs were found
}

// smallSpace is how many states are searched in full before reductions are
// tried: a small space is searched as it is, so that its numbers are those of
// the model itself.
const smallSpace = 300_000

// explore searches the scenario's states: in full, or if the space is not small
// by eager steps, with the shortest runs still taken from the full space.
func (c *checker) explore() error {
	if c.opt.Simulate > 0 {
		return c.simulate()
	}
	reduction, err := c.opt.reduction()
	if err != nil {
		return err
	}
	auto := c.opt.Reduce == "" || c.opt.Reduce == "auto"
	limit := c.opt.MaxStates
	if auto && (limit == 0 || limit > smallSpace) {
		limit = smallSpace
	}
	if auto {
		if err := c.fit(spec.NoReduction, limit); err != nil {
			return err
		}
		if c.res.Stop != explore.StopStates || limit == c.opt.MaxStates {
			return nil
		}
	}
	if err := c.fit(reduction, c.opt.MaxStates); err != nil || reduction == spec.NoReduction {
		return err
	}
	return c.shortest()
}

// reduction returns the eager steps that the options ask for.
func (opt *Options) reduction() (spec.Reduction, error) {
	switch opt.Reduce {
	case "", "auto":
		return spec.AllReduction, nil
	case "none":
		return spec.NoReduction, nil
	}
	r, ok := spec.ReductionOf(strings.Split(opt.Reduce, ","))
	if !ok {
		return 0, fmt.Errorf("no reduction %q (auto, none, or some of %s)", opt.Reduce, strings.Join(spec.Reductions(), ","))
	}
	return r, nil
}

// fit searches with the sizes that some parts of a state need. They are found by
// trying: when a run needs more, the search begins anew.
func (c *checker) fit(r spec.Reduction, maxStates uint64) error {
	if c.sizes.Inst == nil {
		c.sizes = spec.DefaultBounds(c.sc)
	}
	for last := false; ; {
		if err := c.compile(r); err != nil {
			return err
		}
		opt := explore.Options{Workers: c.opt.Workers, MaxStates: maxStates, MaxMem: c.opt.MaxMem, Progress: c.opt.Progress}
		if !last {
			opt.Until = boundGoals
		}
		res, err := explore.Run(c.ctx, c.model, opt)
		if err != nil {
			return err
		}
		c.res = res
		if grown := c.grow(); grown {
			continue
		}
		if last || len(c.bounds) == 0 {
			return nil
		}
		last = true // nothing can grow: explore what fits and say so
	}
}

// grow gives a part of the state that a run found too small more room, and
// reports whether it could; what cannot grow is noted.
func (c *checker) grow() bool {
	c.bounds = nil
	for b := spec.Bad(1); int(b) < spec.ObserverGoal(0); b++ {
		if !b.IsBound() || !c.res.Goals[spec.BadGoal(b)].Found {
			continue
		}
		trace := c.res.Goals[spec.BadGoal(b)].Trace
		end := c.model.Unpack(trace[len(trace)-1].State)
		if more, ok := c.model.Grow(b, int(end.Env.BadArg)); ok {
			c.sizes = more
			return true
		}
		c.bounds = append(c.bounds, c.model.BadText(end))
	}
	return false
}

// shortest takes the runs of the goals that a reduced search hit from the full
// space: with the same faults, but the fewest actions. If a limit comes first,
// the runs stay as they are and the report says so.
func (c *checker) shortest() error {
	var hit uint64
	for i := range c.res.Goals {
		if c.res.Goals[i].Found {
			hit |= 1 << uint(i)
		}
	}
	hit &^= boundGoals
	if hit == 0 || c.model.Reduction() == spec.NoReduction {
		return nil
	}
	res, err := explore.Run(c.ctx, c.model.Full(), explore.Options{Workers: c.opt.Workers, MaxStates: c.opt.MaxStates, MaxMem: c.opt.MaxMem,
		Progress: c.opt.Progress, UntilAll: hit, Trace: func(g int) bool { return hit>>uint(g)&1 == 1 }})
	if err != nil {
		return err
	}
	for i := range res.Goals {
		if hit>>uint(i)&1 == 1 && res.Goals[i].Minimal {
			c.res.Goals[i] = res.Goals[i]
		} else if hit>>uint(i)&1 == 1 {
			c.notShortest = true
		}
	}
	return nil
}

// boundGoals is the mask of the goals that mean a part of the state is too
// small.
var boundGoals = func() (mask uint64) {
	for b := spec.Bad(1); int(b) < spec.ObserverGoal(0); b++ {
		if b.IsBound() {
			mask |= 1 << uint(spec.BadGoal(b))
		}
	}
	return mask
}()

func (c *checker) compile(r spec.Reduction) (err error) {
	if c.model, err = spec.Compile(c.sc, c.sizes); err != nil {
		return err
	}
	if c.watch, err = invariants.Compile(c.sc); err != nil {
		return err
	}
	c.model.Observe(c.watch)
	c.model.Reduce(r)
	return nil
}

// report turns the result of the search into words.
func (c *checker) report(took time.Duration) (ScenarioReport, error) {
	res := c.res
	r := c.head()
	r.States, r.Transitions, r.Depth, r.Complete, r.Stopped = res.States, res.Transitions, res.Depth, res.Complete, string(res.Stop)
	r.Seconds, r.StatesBy, r.CompleteTo, r.Bounds = took.Seconds(), res.Costs, res.CompleteCost, c.bounds
	r.Reduced, r.NotShortest = c.model.Reduction().Names(), c.notShortest
	r.Simulated, r.Exact = c.simulated(), c.sim == nil
	for k, name := range spec.Rules() {
		if res.Kinds[k] == 0 && c.model.CanFire(k) {
			r.NeverFired = append(r.NeverFired, name)
		}
	}
	r.Posted = posted(c.sc)
	for i, b := range c.model.Budgets() {
		r.Budgets = append(r.Budgets, Budget{Name: b.Name, Max: b.Max, Used: c.watch.Spent(i)})
	}
	for i := range c.watch.Targets {
		p, err := c.property(i)
		if err != nil {
			return r, err
		}
		r.Properties = append(r.Properties, p)
	}
	err := c.sanitizers(&r)
	return r, err
}

// head says what is reported on.
func (c *checker) head() ScenarioReport {
	r := ScenarioReport{File: c.sc.File, Name: c.sc.Name, Profile: c.model.Profile(), Dials: map[string]string{}, Faults: budgetsOf(c.sc), Exact: true}
	maps.Copy(r.Dials, c.sc.Dials)
	return r
}

// property reports on one target of the watch.
func (c *checker) property(i int) (PropertyReport, error) {
	t := &c.watch.Targets[i]
	p := c.target(i)
	g := &c.res.Goals[c.goalOf(i)]
	c.verdict(&p, g)
	p.Met = c.met(c.goalOf(i))
	cycle := c.watch.Live(i) && c.cycle(&p, g, &c.res.Live[i])
	if t.Prop != nil {
		if g.Found && invariants.Sanitizer(t.Prop) != spec.BadNone {
			p.Breaks = c.finding(g.Trace)
		}
		if g.Found && c.watch.Live(i) {
			p.Breaks = c.model.HowItEnds(c.model.Unpack(g.Trace[len(g.Trace)-1].State)) + "; " + p.Breaks
		}
		if c.res.Complete && p.Verdict == "holds" {
			p.Vacuous = c.watch.Vacuous(i)
		}
	}
	judge(&p)
	if t.Prop != nil && t.Prop.ExpectFaults >= 0 && (g.Found || cycle) && p.Faults != t.Prop.ExpectFaults {
		p.AsExpected = false
		p.Why = fmt.Sprintf("expected with %d faults", t.Prop.ExpectFaults)
	}
	if cycle {
		return p, c.lasso(&p, &c.res.Live[i])
	}
	return p, c.trace(&p, g)
}

// goalOf returns the goal that a violation of target i hits.
func (c *checker) goalOf(i int) int {
	if p := c.watch.Targets[i].Prop; p != nil && invariants.Sanitizer(p) != spec.BadNone {
		return spec.BadGoal(invariants.Sanitizer(p))
	}
	return spec.ObserverGoal(i)
}

// target describes target i of the watch, without a verdict.
func (c *checker) target(i int) PropertyReport {
	t := &c.watch.Targets[i]
	p := PropertyReport{Name: t.Name, Kind: t.Kind, Property: t.Text}
	if t.Prop != nil {
		p.Expect = t.Prop.Expect
		p.Pos = position(t.Prop.Pos)
		p.Bars, p.Breaks = invariants.Bars(c.model, t.Prop), invariants.Breaks(c.model, t.Prop)
	}
	return p
}

// cycle takes a fair cycle as the violation of a liveness property, unless an
// end state shows it with no more faults.
func (c *checker) cycle(p *PropertyReport, g *explore.GoalResult, l *explore.LiveResult) bool {
	if !l.Violated || g.Found && g.Cost <= l.Cost {
		return false
	}
	p.Verdict, p.Faults = "violated", l.Cost
	return true
}

// repeats says what breaks a property that waits for something for ever.
const repeats = "livelock: the last steps repeat for ever"

// lasso puts a run that repeats for ever into words.
func (c *checker) lasso(p *PropertyReport, l *explore.LiveResult) error {
	p.Breaks = repeats
	return c.words(p, append(slices.Clip(l.Stem), l.Loop[1:]...), nil, len(l.Stem))
}

func position(p spec.Pos) string {
	if p.Line == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// verdict says whether the goal was hit, cannot be hit, or is open.
func (c *checker) verdict(p *PropertyReport, g *explore.GoalResult) {
	yes, no := "violated", "holds"
	if p.Kind == "reach" {
		yes, no = "reachable", "unreachable"
	}
	switch {
	case g.Found:
		p.Verdict, p.Faults = yes, g.Cost
	case c.res.Complete && len(c.bounds) == 0:
		p.Verdict = no
	default:
		p.Verdict = "unknown"
	}
}

// judge compares a verdict with what is expected; without expectation only a
// violation is a surprise.
func judge(p *PropertyReport) {
	if p.Expect == "" {
		p.AsExpected = p.Verdict != "violated"
	} else {
		p.AsExpected = p.Verdict == p.Expect
	}
}

// sanitizers reports on the checks that are always on, but for those that are
// allowed or that an assert of the file speaks of.
func (c *checker) sanitizers(r *ScenarioReport) error {
	for b := spec.Bad(1); int(b) < spec.ObserverGoal(0); b++ {
		if b.IsBound() || c.model.Allowed(b) || invariants.Mentions(c.sc, b) {
			continue
		}
		p := PropertyReport{Name: b.String(), Kind: "sanitizer"}
		g := &c.res.Goals[spec.BadGoal(b)]
		c.verdict(&p, g)
		p.Met = c.met(spec.BadGoal(b))
		judge(&p)
		if g.Found {
			p.Breaks = c.finding(g.Trace)
		}
		if err := c.trace(&p, g); err != nil {
			return err
		}
		r.Properties = append(r.Properties, p)
	}
	return nil
}

// finding says where the sanitizer fires that ends a run.
func (c *checker) finding(steps []explore.Step) string {
	end := c.model.Unpack(steps[len(steps)-1].State)
	if where := c.model.BadPlace(end); where != "" {
		return where + " at %d"
	}
	return "the run ends so at %d"
}

// trace puts the goal's run into words, with the shortest way to quiescence
// behind it.
func (c *checker) trace(p *PropertyReport, g *explore.GoalResult) error {
	if !g.Found || g.Trace == nil {
		return nil
	}
	var more []explore.Step
	if !c.opt.NoEpilogue {
		var err error
		if more, err = c.epilogue(g.Trace[len(g.Trace)-1].State); err != nil {
			return err
		}
	}
	return c.words(p, g.Trace, more, 0)
}

// words fills in everything of a report that comes from the run: loop, unless
// 0, is the number of steps before the part that repeats.
func (c *checker) words(p *PropertyReport, steps, epilogue []explore.Step, loop int) error {
	p.Actions = len(steps) - 1
	tok, err := token(c.model.Full(), steps, fingerprint(c.sc))
	if err != nil {
		return err
	}
	p.Token = tok
	all := append(append([]explore.Step(nil), steps...), epilogue...)
	if p.Run, err = c.model.Explain(all, p.Actions, loop); err != nil {
		return err
	}
	l := traces.Layout(p.Run, traces.Options{Bars: p.Bars})
	p.Steps = l.Steps()
	if err := c.explain(p, all, l); err != nil {
		return err
	}
	p.Trace = traceSteps(l, p.Run)
	return nil
}

// epilogueStates bounds the search for a way to quiescence.
const epilogueStates = 200_000

// epilogue returns the steps of the shortest way from a state to an end state
// without further faults, or none if that is too far.
func (c *checker) epilogue(state []byte) ([]explore.Step, error) {
	m := c.model.Full().Tail(state)
	goal := c.model.TailGoal()
	res, err := explore.Run(c.ctx, m, explore.Options{Workers: c.opt.Workers, MaxStates: epilogueStates, Until: 1 << uint(goal),
		Trace: func(g int) bool { return g == goal }})
	if err != nil {
		return nil, err
	}
	if g := res.Goals[goal]; g.Found && len(g.Trace) > 0 {
		return g.Trace[1:], nil
	}
	return nil, nil
}
