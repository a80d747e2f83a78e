package ibcheck

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/internal/page"
	"github.com/ibcheck/ibcheck/invariants"
	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// A FixReport lists edits of a scenario's programs under which what was violated
// holds.
type FixReport struct {
	Schema   string            `json:"schema"`
	File     string            `json:"file"`
	Name     string            `json:"name"`
	Params   map[string]string `json:"params,omitempty"`
	Profile  string            `json:"profile"`
	Dials    map[string]string `json:"dials"`
	Faults   map[string]int    `json:"faults"`
	Violated []string          `json:"violated"` // names of properties
	Tried    int               `json:"tried"`    // edits that were checked
	Fixes    []Fix             `json:"fixes"`    // those that turn most first, then the smallest
	Advice   []string          `json:"advice"`   // what no edit can change, and what to do instead
	Complete bool              `json:"complete"` // the scenario itself was explored to the end

	flags string // that the options stand for on the command line
}

// A Fix is an edit that was checked: it turns violated properties into ones that
// hold, and nothing that held breaks.
type Fix struct {
	Title string   `json:"title"` // what it does, in a line
	Turns []string `json:"turns"` // properties
	Diff  string   `json:"diff"`  // unified
	Text  string   `json:"-"`     // the file with the edit

	changed int // lines
	order   int // in which it was tried
}

// FixOptions say how much to try. The zero value tries everything.
type FixOptions struct {
	Options
	Property string // only this property counts; "": all that are violated
	Enough   int    // stop after so many fixes; 0: never
	Most     int    // check at most so many edits; 0: all
}

// FindFixes looks for edits of a scenario file's programs that turn violated
// properties, sanitizers included, into ones that hold. An edit counts if nothing
// that held is violated by it, in no variant of the file either, and if whatever
// was sure to be completed, freed or set before still is. The text is that of the
// file, whose name serves messages. Errors are as those of Check.
func FindFixes(ctx context.Context, name string, text []byte, opt FixOptions) (*FixReport, error) {
	ctx, cancel := opt.limited(ctx)
	defer cancel()
	x, err := newFixer(ctx, name, text, opt)
	if err != nil {
		return nil, err
	}
	if len(x.r.Violated) == 0 {
		return x.r, nil
	}
	if err := x.try(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(x.r.Fixes, func(a, b Fix) int {
		if len(a.Turns) != len(b.Turns) {
			return len(b.Turns) - len(a.Turns)
		}
		if a.changed != b.changed {
			return a.changed - b.changed
		}
		return a.order - b.order
	})
	x.r.Advice = x.advice()
	return x.r, nil
}

// A fixer looks for fixes of one scenario.
type fixer struct {
	ctx  context.Context
	name string
	opt  FixOptions
	src  *source
	f    *scenario.File
	sc   *spec.Scenario
	base ScenarioReport
	was  *judgement
	need []guard // what must still come
	seen map[string]bool
	r    *FixReport
}

func newFixer(ctx context.Context, name string, text []byte, opt FixOptions) (*fixer, error) {
	x := &fixer{ctx: ctx, name: name, opt: opt, seen: map[string]bool{}}
	var errs scenario.Errors
	if x.f, errs = scenario.Parse(name, text, scenario.Options{ReadFile: os.ReadFile}); errs != nil {
		return nil, errs
	}
	var err error
	if x.sc, err = x.scenario(x.f, opt.Params); err != nil {
		return nil, err
	}
	x.src = newSource(string(text), x.f)
	plain := opt.Options
	plain.NoEpilogue, plain.Profile, plain.Dials, plain.Faults = true, "", nil, nil
	if x.base, err = CheckScenario(ctx, x.sc, plain); err != nil {
		return nil, err
	}
	x.r = &FixReport{Schema: Schema, File: x.sc.File, Name: x.sc.Name, Params: opt.Params, Profile: x.base.Profile, Dials: x.base.Dials,
		Faults: x.base.Faults, Violated: []string{}, Fixes: []Fix{}, Advice: []string{}, Complete: x.base.Complete, flags: opt.flags()}
	for i := range x.base.Properties {
		p := &x.base.Properties[i]
		if p.Verdict == "violated" && (opt.Property == "" || opt.Property == p.Name) {
			x.r.Violated = append(x.r.Violated, p.Name)
		}
	}
	if len(x.r.Violated) > 0 {
		err = x.learn()
	}
	return x, err
}

// scenario makes the scenario of a file with the options' params, or others, and
// their assumptions.
func (x *fixer) scenario(f *scenario.File, params map[string]string) (*spec.Scenario, error) {
	sc, errs := f.Scenario(params)
	if errs != nil {
		return nil, errs
	}
	return sc, x.opt.override(sc)
}

// learn finds out what is sure to come, and what can come, before any edit.
func (x *fixer) learn() error {
	all := guards(x.sc)
	for {
		was, err := x.judge(x.sc, all, 0)
		if err == nil {
			x.was = was
			break
		}
		if len(all) == 0 {
			return err
		}
		all = all[:len(all)*2/3] // more than a search can ask about at once
	}
	for _, g := range all {
		switch {
		case g.certain && !x.was.broken[g.name()], !g.certain && x.was.broken[g.name()]:
			x.need = append(x.need, g)
		}
	}
	return nil
}

// A candidate is an edit that may be a fix.
type candidate struct {
	title string
	edits []edit
}

// try checks the candidates of all kinds and, if nothing was found, the pairs of
// those that are most likely to play a part.
func (x *fixer) try() error {
	var singles []candidate
	for _, kind := range editKinds {
		singles = append(singles, kind(x)...)
	}
	for _, c := range singles {
		if done, err := x.check(c); done || err != nil {
			return err
		}
	}
	if len(x.r.Fixes) > 0 {
		return nil
	}
	for i := range singles {
		for k := range i {
			if i+k > mostPairs {
				break
			}
			a, b := singles[k], singles[i]
			if done, err := x.check(candidate{a.title + "; " + b.title, append(slices.Clip(a.edits), b.edits...)}); done || err != nil {
				return err
			}
		}
	}
	return nil
}

// mostPairs bounds the pairs of candidates: only those whose places in the list
// add up to no more are tried.
const mostPairs = 24

// check checks one candidate and reports whether that is enough.
func (x *fixer) check(c candidate) (done bool, err error) {
	if x.ctx.Err() != nil || x.opt.Most > 0 && x.r.Tried >= x.opt.Most {
		return true, nil
	}
	text, ok := x.src.apply(c.edits)
	if !ok || x.seen[text] {
		return false, nil
	}
	x.seen[text] = true
	f, errs := scenario.Parse(x.name, []byte(text), scenario.Options{ReadFile: os.ReadFile})
	if errs != nil {
		return false, nil // not a scenario
	}
	sc, err := x.scenario(f, x.opt.Params)
	if err != nil {
		return false, nil
	}
	print := fingerprint(sc)
	if x.seen[print] || print == fingerprint(x.sc) {
		return false, nil // nothing that the params leave was edited, or the same was done
	}
	x.seen[print] = true
	x.r.Tried++
	turns, err := x.turns(sc)
	if err != nil || len(turns) == 0 {
		return false, err
	}
	if ok, err := x.variantsHold(f); !ok || err != nil {
		return false, err
	}
	x.r.Fixes = append(x.r.Fixes, x.fix(c.title, turns, text))
	return x.opt.Enough > 0 && len(x.r.Fixes) >= x.opt.Enough, nil
}

func (x *fixer) fix(title string, turns []string, text string) Fix {
	d := string(diff.Diff(x.name, []byte(x.src.text), x.name, []byte(text)))
	_, d, _ = strings.Cut(d, "\n") // the line that names the command
	f := Fix{Title: title, Turns: turns, Diff: d, Text: text, order: len(x.r.Fixes)}
	for _, line := range strings.Split(d, "\n") {
		if strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-") {
			f.changed++
		}
	}
	return f
}

// turns returns the violated properties that hold in an edited scenario, none if
// the edit breaks something.
func (x *fixer) turns(sc *spec.Scenario) ([]string, error) {
	now, err := x.judge(sc, x.need, x.limit())
	if err != nil || now == nil || !now.complete {
		return nil, nil // it cannot be compiled, or takes too long to know
	}
	for name, broken := range now.broken {
		if was, known := x.was.broken[name]; broken && !(known && was) && !strings.HasPrefix(name, canPrefix) {
			return nil, nil
		}
	}
	for _, g := range x.need {
		if now.broken[g.name()] == g.certain {
			return nil, nil
		}
	}
	for program := range now.stuck {
		if !x.was.stuck[program] && !strings.Contains(program, newThread) {
			return nil, nil
		}
	}
	var turns []string
	for _, name := range x.r.Violated {
		broken, asked := now.broken[name]
		if asked && !broken && now.vacuous[name] == "" {
			turns = append(turns, name)
		}
	}
	return turns, nil
}

// limit is how many states of an edited scenario are explored: an edit that makes
// the space much larger is not worth its price.
func (x *fixer) limit() uint64 {
	n := max(4*x.base.States, 50_000)
	if x.opt.MaxStates > 0 {
		n = min(n, x.opt.MaxStates)
	}
	return n
}

// variantsHold reports whether an edit breaks nothing in the variants of the file.
func (x *fixer) variantsHold(f *scenario.File) (bool, error) {
	if len(x.opt.Params) > 0 {
		return true, nil
	}
	old, now := x.f.Variants(), f.Variants()
	for i := 1; i < len(old) && i < len(now); i++ {
		before, err := x.variant(old[i])
		if err != nil {
			return false, err
		}
		after, err := x.variant(now[i])
		if err != nil {
			return false, nil
		}
		for name, broken := range after.broken {
			if broken && !before.broken[name] {
				return false, nil
			}
		}
	}
	return true, nil
}

func (x *fixer) variant(v scenario.Variant) (*judgement, error) {
	sc, errs := v.Scenario()
	if errs != nil {
		return nil, errs
	}
	if err := x.opt.override(sc); err != nil {
		return nil, err
	}
	return x.judge(sc, nil, x.limit())
}

// A judgement is what a search found out about properties, by name.
type judgement struct {
	broken   map[string]bool
	vacuous  map[string]string
	stuck    map[string]bool // programs that in some run do not come to their end
	complete bool
}

// judge explores a scenario with guards, without runs to show. With a limit on
// states, it stops as soon as an edit is known to be no fix: something breaks that
// held, or everything is violated that was.
func (x *fixer) judge(sc *spec.Scenario, gs []guard, maxStates uint64) (*judgement, error) {
	watched := *sc
	watched.Asserts = slices.Clone(sc.Asserts)
	for _, g := range gs {
		p, ok := g.property(sc)
		if !ok {
			return nil, fmt.Errorf("%s is not there any more", g.what)
		}
		watched.Asserts = append(watched.Asserts, p)
	}
	c := &checker{ctx: x.ctx, sc: &watched, opt: x.opt.Options}
	var ends *endWatch
	err := c.fitting(func(until uint64) (err error) {
		if err = c.compile(spec.NoReduction); err != nil {
			return err
		}
		ends = &endWatch{Watch: c.watch, stuck: map[string]bool{}}
		c.model.Observe(ends)
		opt := c.opt.search()
		opt.Until, opt.Trace = until, onlyBounds
		if maxStates > 0 {
			keep, aim := x.stops(c, sc)
			opt.MaxStates, opt.Until, opt.UntilAll = maxStates, until|keep, aim
		}
		c.res, err = explore.Run(c.ctx, c.model, opt)
		return err
	})
	if err != nil {
		return nil, err
	}
	j := x.judgement(c, sc)
	j.stuck = ends.stuck
	return j, nil
}

// An endWatch also notes which programs never come to their end.
type endWatch struct {
	*invariants.Watch
	mu    sync.Mutex
	stuck map[string]bool
}

// End implements spec.Observer.
func (w *endWatch) End(m *spec.Model, s *spec.State) uint64 {
	w.mu.Lock()
	for _, name := range m.Stuck(s) {
		w.stuck[name] = true
	}
	w.mu.Unlock()
	return w.Watch.End(m, s)
}

// stops returns the goals of what held before any edit, and of what was violated.
func (x *fixer) stops(c *checker, sc *spec.Scenario) (keep, aim uint64) {
	each(c, sc, func(name string, goal, _ int) {
		broken, known := x.was.broken[name]
		switch {
		case strings.HasPrefix(name, canPrefix):
		case slices.Contains(x.r.Violated, name):
			aim |= 1 << uint(goal)
		case known && !broken:
			keep |= 1 << uint(goal)
		}
	})
	return keep, aim
}

// each calls f for everything that can break in a scenario: its name, the goal
// that a violation hits and, unless it is -1, its number among the targets.
func each(c *checker, sc *spec.Scenario, f func(name string, goal, target int)) {
	for i := range c.watch.Targets {
		if t := &c.watch.Targets[i]; t.Kind != "reach" {
			f(t.Name, c.goalOf(i), i)
		}
	}
	for b := spec.Bad(1); int(b) < spec.ObserverGoal(0); b++ {
		if !b.IsBound() && !c.model.Allowed(b) && !invariants.Mentions(sc, b) {
			f(b.String(), spec.BadGoal(b), -1)
		}
	}
}

func (x *fixer) judgement(c *checker, sc *spec.Scenario) *judgement {
	j := &judgement{broken: map[string]bool{}, vacuous: map[string]string{}, complete: c.res.Complete && len(c.bounds) == 0}
	each(c, sc, func(name string, goal, target int) {
		j.broken[name] = c.res.Goals[goal].Found || target >= 0 && c.watch.Live(target) && c.res.Live[target].Violated
		if target >= 0 && j.complete {
			j.vacuous[name] = c.watch.Vacuous(target)
		}
	})
	return j
}

// A guard is something that programs must still bring about after an edit: it is
// certain to come in every run, or it can come.
type guard struct {
	what    string // "Scmd.wc", "host.data.freed"
	certain bool
	make    func(sc *spec.Scenario) (*spec.Expr, bool)
}

const (
	canPrefix  = "can: "
	surePrefix = "sure: "
)

func (g *guard) name() string {
	if g.certain {
		return surePrefix + g.what
	}
	return canPrefix + g.what
}

// property makes the guard a property of a scenario, which must have what it
// speaks of. What can come is one that is violated.
func (g *guard) property(sc *spec.Scenario) (spec.Property, bool) {
	e, ok := g.make(sc)
	p := spec.Property{Name: g.name(), Kind: spec.PropEventually, L: e, ExpectFaults: -1}
	if !g.certain {
		p.Kind = spec.PropNever
	}
	return p, ok
}

// guards lists what programs of a scenario may bring about: polled completions,
// freed memory, variables that change. That a variable can change is none: it may
// well count what goes wrong.
func guards(sc *spec.Scenario) []guard {
	var out []guard
	add := func(what string, can bool, make func(sc *spec.Scenario) (*spec.Expr, bool)) {
		if out = append(out, guard{what, true, make}); can {
			out = append(out, guard{what, false, make})
		}
	}
	for i := range sc.WRs {
		name := sc.WRs[i].Name
		add(name+".wc", true, func(sc *spec.Scenario) (*spec.Expr, bool) {
			k := slices.IndexFunc(sc.WRs, func(w spec.WR) bool { return w.Name == name })
			return atom(spec.Atom{Kind: spec.AtomWR, WR: k, Instance: -1, Field: spec.WRWC}), k >= 0
		})
	}
	for n := range sc.Nodes {
		for k := range sc.Nodes[n].MRs {
			add(sc.Nodes[n].Name+"."+sc.Nodes[n].MRs[k].Name+".freed", true, func(*spec.Scenario) (*spec.Expr, bool) {
				return atom(spec.Atom{Kind: spec.AtomMRState, Node: n, Index: k, Name: "freed"}), true
			})
		}
		for k := range sc.Nodes[n].Vars {
			v := &sc.Nodes[n].Vars[k]
			add(sc.Nodes[n].Name+"."+v.Name+" changed", false, func(*spec.Scenario) (*spec.Expr, bool) {
				value := atom(spec.Atom{Kind: spec.AtomVar, Node: n, Index: k})
				return &spec.Expr{Op: spec.ExprNe, Kids: []*spec.Expr{value, {Op: spec.ExprInt, Int: v.Init}}}, true
			})
		}
	}
	slices.SortStableFunc(out, func(a, b guard) int { // what is certain says more, and not all may fit
		return strings.Compare(fmt.Sprint(b.certain), fmt.Sprint(a.certain))
	})
	return out
}

func atom(a spec.Atom) *spec.Expr { return &spec.Expr{Op: spec.ExprAtom, Atom: a} }

// advice says what to do about violations that no edit turns.
func (x *fixer) advice() []string {
	var out []string
	for _, name := range x.r.Violated {
		if slices.ContainsFunc(x.r.Fixes, func(f Fix) bool { return slices.Contains(f.Turns, name) }) {
			continue
		}
		i := slices.IndexFunc(x.sc.Asserts, func(p spec.Property) bool { return p.Name == name })
		if i < 0 {
			continue
		}
		if text := unordered(x.sc, &x.sc.Asserts[i]); text != "" {
			out = append(out, name+": "+text)
		}
	}
	return out
}

// unordered says of a property that wants two completions of one node in order
// that nothing orders them, if that is so.
func unordered(sc *spec.Scenario, p *spec.Property) string {
	if p.Kind != spec.PropPrecedes || p.L.Op != spec.ExprAtom || p.R.Op != spec.ExprAtom {
		return ""
	}
	a, b := &p.L.Atom, &p.R.Atom
	if a.Kind != spec.AtomWR || b.Kind != spec.AtomWR || a.Field < spec.WRAcked || b.Field < spec.WRCQE {
		return ""
	}
	v, w := &sc.WRs[a.WR], &sc.WRs[b.WR]
	if v.Node != w.Node || v.Recv == w.Recv && v.QP == w.QP {
		return ""
	}
	fact := "the send queue and the receive queue of a QP (F2.7)"
	if v.QP != w.QP {
		fact = "two QPs (F2.8)"
	}
	return fmt.Sprintf("nothing orders the completions of %s; what needs both waits for both: wait %s.wc and %s.wc", fact, shortWR(v.Name), shortWR(w.Name))
}

// WriteText writes the report for people: the fixes as unified diffs, numbered for
// --apply.
func (r *FixReport) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	say := func(format string, args ...any) {
		for _, line := range page.Fold(fmt.Sprintf(format, args...), 2) {
			fmt.Fprintln(out, line)
		}
	}
	say("%s: %s", r.Name, under(r.Profile, r.Dials, r.Faults))
	if len(r.Violated) == 0 {
		say("nothing is violated")
		return out.Flush()
	}
	say("violated: %s", strings.Join(r.Violated, ", "))
	for i, f := range r.Fixes {
		fmt.Fprintln(out)
		say("fix %d: %s", i+1, f.Title)
		say("turns %s", strings.Join(f.Turns, ", "))
		fmt.Fprint(out, f.Diff)
	}
	fmt.Fprintln(out)
	for _, a := range r.Advice {
		say("%s", a)
	}
	say("%d of %s that were checked turn something and break nothing", len(r.Fixes), plural(r.Tried, "edit"))
	return out.Flush()
}

// WriteJSON writes the report in the form that docs/explain.md describes.
func (r *FixReport) WriteJSON(w io.Writer) error { return writeJSON(w, r) }
