// Package invariants names what must hold and watches runs for it: the
// properties of a scenario, compiled to monitors that remember a few bits, and
// the built-in checks that are always on.
//
// It knows states only through package spec and nothing of the search. Its one
// law: a property's verdict depends on the run alone, so two runs that lead to
// one state with one memory agree on everything that follows.
package invariants

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/ibcheck/ibcheck/spec"
)

// A Watch is the compiled properties of one scenario. It implements
// spec.Observer; goal i belongs to Goals[i].
type Watch struct {
	Targets []Target
	bits    uint
	err     error
	ended   atomic.Bool // some run came to an end
	budgets []int
	spent   []atomic.Int32 // by budget: the most that some run used
}

// A Target is one property, reach or built-in check and how it is watched.
type Target struct {
	Kind  string // "assert", "reach", "builtin"
	Name  string
	Text  string
	Prop  *spec.Property // nil for a built-in check
	check func(m *spec.Model, prev, next *spec.State) bool
	l, r  *formula
	due   int     // liveness: the bit that is set while something is still due, -1 for safety
	needs []*need // what must happen in some run for the property to say anything
}

// A formula is an expression whose temporal operators have bits.
type formula struct {
	e      *spec.Expr
	op     spec.ExprOp
	kids   []*formula
	bit    uint // of a temporal operator
	static bool // no temporal operator in it
	sticky bool // once true, always true
}

// Compile prepares every property of a scenario. The error says what does not
// fit.
func Compile(sc *spec.Scenario) (*Watch, error) {
	w := &Watch{spent: make([]atomic.Int32, len(sc.Faults))}
	for i := range sc.Faults {
		w.budgets = append(w.budgets, sc.Faults[i].Max)
	}
	for i := range sc.Asserts {
		w.add("assert", &sc.Asserts[i])
	}
	for i := range sc.Reaches {
		w.add("reach", &sc.Reaches[i])
	}
	for i := range builtins {
		b := &builtins[i]
		w.Targets = append(w.Targets, Target{Kind: "builtin", Name: b.name, Text: b.text, check: b.check, due: -1})
	}
	if w.err != nil {
		return nil, w.err
	}
	if n := len(w.Targets); n > spec.MaxObserverGoals {
		return nil, fmt.Errorf("%d properties; at most %d fit beside the built-in checks", n-len(builtins), spec.MaxObserverGoals-len(builtins))
	}
	if w.bits > 64 {
		return nil, fmt.Errorf("the properties need %d bits of memory; 64 fit", w.bits)
	}
	return w, nil
}

// add compiles one property.
func (w *Watch) add(kind string, p *spec.Property) {
	t := Target{Kind: kind, Name: p.Name, Text: p.Text, Prop: p, l: w.formula(p.L), r: w.formula(p.R), due: -1}
	switch p.Kind {
	case spec.PropPrecedes:
		t.need(t.r, "%s never happens")
		if !t.l.sticky || !t.l.static {
			t.l = w.once(t.l)
		}
	case spec.PropSince:
		t.l = w.temporal(&formula{op: spec.ExprSince, kids: []*formula{t.l, t.r}})
		t.r = nil
	case spec.PropEventually, spec.PropLeadsTo, spec.PropUntil:
		t.due = int(w.bits)
		w.bits++
		if p.Kind == spec.PropEventually {
			t.need(t.l, "%s is true in no run")
		}
		if p.Kind == spec.PropLeadsTo {
			t.need(t.l, "%s is never true")
		}
	}
	if p.Kind == spec.PropFinal && usesPrev(p.L) {
		w.err = fmt.Errorf("%s: prev cannot stand in a final property, which looks at end states alone", p.Name)
	}
	if len(t.needs) == 0 && t.l != nil && t.l.op == spec.ExprImplies {
		t.need(t.l.kids[0], "%s is never true")
	}
	w.namedWRs(&t)
	w.Targets = append(w.Targets, t)
}

// A need is something without which a property that holds says nothing.
type need struct {
	f    *formula
	text string // what is wrong if it never is
	met  atomic.Bool
}

func (t *Target) need(f *formula, text string) {
	t.needs = append(t.needs, &need{f: f, text: fmt.Sprintf(text, spec.Words(f.e))})
}

// namedWRs makes a property need that every WR it names is posted, but for
// those it names as alternatives.
func (w *Watch) namedWRs(t *Target) {
	if t.Kind == "reach" {
		return
	}
	seen := map[int]bool{}
	var visit func(e *spec.Expr)
	visit = func(e *spec.Expr) {
		if e == nil || e.Op == spec.ExprOr {
			return
		}
		for _, k := range e.Kids {
			visit(k)
		}
		if e.Op != spec.ExprAtom || e.Atom.Kind != spec.AtomWR || seen[e.Atom.WR] {
			return
		}
		seen[e.Atom.WR] = true
		a := e.Atom
		a.Field, a.Instance = spec.WRPosted, -1
		name, _, _ := strings.Cut(a.Text, ".")
		f := &formula{e: &spec.Expr{Op: spec.ExprAtom, Atom: a}, op: spec.ExprAtom, static: true}
		t.needs = append(t.needs, &need{f: f, text: name + " is never posted"})
	}
	visit(t.Prop.L)
	visit(t.Prop.R)
}

// usesPrev reports whether an expression asks for the state before.
func usesPrev(e *spec.Expr) bool {
	if e == nil {
		return false
	}
	return e.Op == spec.ExprPrev || slices.ContainsFunc(e.Kids, usesPrev)
}

// formula compiles an expression; nil stays nil.
func (w *Watch) formula(e *spec.Expr) *formula {
	if e == nil {
		return nil
	}
	x := *e
	x.Kids = nil
	f := &formula{e: &x, op: e.Op, static: true}
	for _, k := range e.Kids {
		g := w.formula(k)
		f.kids = append(f.kids, g)
		f.static = f.static && g.static
		x.Kids = append(x.Kids, g.e) // a kid may be simpler than what was written
	}
	switch e.Op {
	case spec.ExprOnce:
		if f.kids[0].static && f.kids[0].sticky {
			return f.kids[0] // once of what stays true is itself
		}
		return w.temporal(f)
	case spec.ExprHistorically, spec.ExprSince:
		return w.temporal(f)
	case spec.ExprPrev:
		if f.kids[0].static {
			f.static = false // read off the previous state; no memory
			return f
		}
		return w.temporal(f)
	case spec.ExprAnd, spec.ExprOr:
		f.sticky = f.kids[0].sticky && f.kids[1].sticky
	case spec.ExprAtom:
		f.sticky = e.Atom.Kind == spec.AtomWR || e.Atom.Kind == spec.AtomRNR || e.Atom.Kind == spec.AtomConst
	case spec.ExprInt:
		f.sticky = true
	}
	return f
}

// temporal gives a formula a bit of memory.
func (w *Watch) temporal(f *formula) *formula {
	f.bit, f.static, f.sticky = w.bits, false, false
	w.bits++
	return f
}

func (w *Watch) once(f *formula) *formula {
	return w.temporal(&formula{op: spec.ExprOnce, kids: []*formula{f}})
}

// Bits implements spec.Observer.
func (w *Watch) Bits() uint { return w.bits }

// Goals implements spec.Observer.
func (w *Watch) Goals() int { return len(w.Targets) }

// A look is one step seen through the monitors.
type look struct {
	m          *spec.Model
	prev, next *spec.State
	old, new   uint64
}

// Step implements spec.Observer.
func (w *Watch) Step(m *spec.Model, prev, next *spec.State, bits uint64) (uint64, uint64) {
	k := look{m: m, prev: prev, next: next, old: bits}
	for i, most := range w.budgets {
		if used := int32(most) - int32(next.Env.Budgets[i]); used > w.spent[i].Load() {
			w.raise(i, used)
		}
	}
	hits := uint64(0)
	for i := range w.Targets {
		t := &w.Targets[i]
		if w.hit(t, &k) {
			hits |= 1 << uint(i)
		}
		for _, n := range t.needs {
			if !n.met.Load() && k.peek(n.f) {
				n.met.Store(true)
			}
		}
	}
	return k.new, hits
}

// raise notes that a run used that much of a budget.
func (w *Watch) raise(budget int, used int32) {
	for {
		had := w.spent[budget].Load()
		if used <= had || w.spent[budget].CompareAndSwap(had, used) {
			return
		}
	}
}

// Spent returns the most that a run used of the scenario's i-th budget.
func (w *Watch) Spent(i int) int { return int(w.spent[i].Load()) }

// hit reports whether the step violates, or for a reach satisfies, the target.
func (w *Watch) hit(t *Target, k *look) bool {
	if t.check != nil {
		return k.prev != nil && t.check(k.m, k.prev, k.next)
	}
	switch t.Prop.Kind {
	case spec.PropPrecedes:
		before := false
		if t.l.static {
			before = k.prev != nil && k.m.Eval(k.prev, t.l.e) != 0
		} else {
			before = k.prev != nil && k.old>>t.l.bit&1 == 1
			k.value(t.l)
		}
		return k.value(t.r) != 0 && !before
	case spec.PropNever, spec.PropReach:
		return k.value(t.l) != 0
	case spec.PropState, spec.PropAlways, spec.PropSince:
		return k.value(t.l) == 0
	case spec.PropFinal:
		k.value(t.l) // keep its memory
	case spec.PropEventually, spec.PropLeadsTo, spec.PropUntil:
		return k.live(t)
	}
	return false
}

// live keeps the due bit of a liveness property: eventually p is due until p
// happens; A leadsto B from an A on until a B; L until R until R, and before
// that L must hold, which live reports when it does not.
func (k *look) live(t *Target) bool {
	due := k.prev == nil || k.old>>uint(t.due)&1 == 1
	l := k.value(t.l) != 0
	r := t.r != nil && k.value(t.r) != 0
	switch t.Prop.Kind {
	case spec.PropEventually:
		due = due && !l
	case spec.PropLeadsTo:
		due = (k.prev != nil && due || l) && !r
	case spec.PropUntil:
		due = due && !r
	}
	if due {
		k.new |= 1 << uint(t.due)
	}
	return t.Prop.Kind == spec.PropUntil && due && !l
}

// Due returns the targets of which something is still due in a state with that
// memory: runs that end there, or stay among such states fairly for ever,
// violate them.
func (w *Watch) Due(bits uint64) (targets uint64) {
	for i := range w.Targets {
		if d := w.Targets[i].due; d >= 0 && bits>>uint(d)&1 == 1 {
			targets |= 1 << uint(i)
		}
	}
	return targets
}

// Live reports whether target i is a liveness property.
func (w *Watch) Live(i int) bool { return w.Targets[i].due >= 0 }

// End implements spec.Observer: in end states final properties are judged, and
// what is still due will never come.
func (w *Watch) End(m *spec.Model, s *spec.State) uint64 {
	if !w.ended.Load() {
		w.ended.Store(true)
	}
	hits := w.Due(s.Env.Monitor)
	for i := range w.Targets {
		t := &w.Targets[i]
		if t.Prop != nil && t.Prop.Kind == spec.PropFinal && (&look{m: m, prev: s, next: s, old: s.Env.Monitor}).held(t.l) == 0 {
			hits |= 1 << uint(i)
		}
	}
	return hits
}

// value returns a formula's value after the step and stores what it must
// remember. Every temporal operator is visited in every step.
func (k *look) value(f *formula) int {
	if f.static {
		return k.m.Eval(k.next, f.e)
	}
	switch f.op {
	case spec.ExprOnce:
		return k.keep(f, k.value(f.kids[0]) != 0 || k.was(f))
	case spec.ExprSince:
		a, b := k.value(f.kids[0]) != 0, k.value(f.kids[1]) != 0
		return k.keep(f, b || a && k.was(f))
	case spec.ExprHistorically: // the bit says that it was false once
		return 1 - k.keep(f, k.value(f.kids[0]) == 0 || k.was(f))
	case spec.ExprPrev:
		return k.previous(f)
	case spec.ExprNot:
		return truth(k.value(f.kids[0]) == 0)
	case spec.ExprNeg:
		return -k.value(f.kids[0])
	}
	a, b := k.value(f.kids[0]), k.value(f.kids[1])
	return spec.Combine(f.op, a, b)
}

// previous returns the value before the step; nothing was true before the
// first state.
func (k *look) previous(f *formula) int {
	if kid := f.kids[0]; kid.static {
		if k.prev == nil {
			return 0
		}
		return k.m.Eval(k.prev, kid.e)
	}
	was := truth(k.was(f))
	k.keep(f, k.value(f.kids[0]) != 0)
	return was
}

// held returns a formula's value in a state that a step led to before: the
// temporal operators are read from memory, which holds their values there.
func (k *look) held(f *formula) int {
	if f.static {
		return k.m.Eval(k.next, f.e)
	}
	switch f.op {
	case spec.ExprOnce, spec.ExprSince:
		return truth(k.was(f))
	case spec.ExprHistorically:
		return truth(!k.was(f))
	case spec.ExprNot:
		return truth(k.held(f.kids[0]) == 0)
	case spec.ExprNeg:
		return -k.held(f.kids[0])
	}
	return spec.Combine(f.op, k.held(f.kids[0]), k.held(f.kids[1]))
}

// peek returns a formula's value after the step without storing anything.
func (k *look) peek(f *formula) bool {
	c := *k
	return c.value(f) != 0
}

func (k *look) was(f *formula) bool { return k.prev != nil && k.old>>f.bit&1 == 1 }

func (k *look) keep(f *formula, v bool) int {
	if v {
		k.new |= 1 << f.bit
		return 1
	}
	return 0
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Vacuous says why a target that holds says nothing, or "". It is meaningful
// after a complete search.
func (w *Watch) Vacuous(i int) string {
	for _, n := range w.Targets[i].needs {
		if !n.met.Load() {
			return n.text
		}
	}
	if t := &w.Targets[i]; t.Prop != nil && t.Prop.Kind == spec.PropFinal && !w.ended.Load() {
		return "no run comes to an end"
	}
	return ""
}
