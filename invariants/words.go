package invariants

import (
	"fmt"

	"github.com/ibcheck/ibcheck/spec"
)

// Mentions reports whether an assert of the scenario speaks of what sanitizer
// b checks; it then replaces the sanitizer.
func Mentions(sc *spec.Scenario, b spec.Bad) bool {
	for i := range sc.Asserts {
		if (b == spec.BadLostWakeup || b == spec.BadOpenWR) && foreseesEnd(&sc.Asserts[i]) {
			return true
		}
		for _, e := range []*spec.Expr{sc.Asserts[i].L, sc.Asserts[i].R} {
			if mentions(e, b) {
				return true
			}
		}
	}
	return false
}

// foreseesEnd reports whether an assert is expected to be violated by how a run
// ends, which is what the sanitizers of end states look for.
func foreseesEnd(p *spec.Property) bool {
	switch p.Kind {
	case spec.PropEventually, spec.PropLeadsTo, spec.PropUntil, spec.PropFinal:
		return p.Expect == "violated"
	}
	return false
}

// Sanitizer returns the sanitizer that a property names with nothing else, as
// "never sanitizer(open_wr)" does, or BadNone.
func Sanitizer(p *spec.Property) spec.Bad {
	if p.Kind == spec.PropNever && p.L != nil && p.L.Op == spec.ExprAtom {
		return spec.BadOfAtom(&p.L.Atom)
	}
	return spec.BadNone
}

func mentions(e *spec.Expr, b spec.Bad) bool {
	if e == nil {
		return false
	}
	if e.Op == spec.ExprAtom && spec.BadOfAtom(&e.Atom) == b && b != spec.BadNone {
		return true
	}
	for _, k := range e.Kids {
		if mentions(k, b) {
			return true
		}
	}
	return false
}

// Bars returns the WRs that a property names, in its order, each with ".wc"
// behind it when the property asks for its poll: the bars of a ladder.
func Bars(m *spec.Model, p *spec.Property) []string {
	var bars []string
	seen := map[string]bool{}
	var walk func(e *spec.Expr)
	walk = func(e *spec.Expr) {
		if e == nil {
			return
		}
		if e.Op == spec.ExprAtom && e.Atom.Kind == spec.AtomWR {
			name := m.WRName(e.Atom.WR, e.Atom.Instance)
			if !seen[name] {
				seen[name] = true
				if f := e.Atom.Field; f >= spec.WRWC && f <= spec.WRFlushed {
					name += ".wc"
				}
				bars = append(bars, name)
			}
		}
		for _, k := range e.Kids {
			walk(k)
		}
	}
	walk(p.L)
	walk(p.R)
	return bars
}

// happened and missing are the words for an event of a WR and for its absence.
var happened = [...]string{spec.WRPosted: "posted", spec.WRSent: "sent", spec.WRArrived: "arrived", spec.WRExecuted: "executed",
	spec.WRPlaced: "placed", spec.WRAcked: "acknowledged", spec.WRCQE: "completed", spec.WRWC: "polled", spec.WROK: "polled with success",
	spec.WRFailed: "failed", spec.WRFlushed: "flushed", spec.WRRetried: "resent"}

// Breaks says in words what breaks a property or reaches its goal; %d stands
// for the step.
func Breaks(m *spec.Model, p *spec.Property) string {
	switch p.Kind {
	case spec.PropPrecedes:
		l, r := wrAtom(p.L), wrAtom(p.R)
		if l == nil || r == nil {
			return "the right side of precedes is true at %d, the left never was"
		}
		text := fmt.Sprintf("%s %s at %%d, ", m.WRName(r.WR, r.Instance), happened[r.Field])
		if l.Field == spec.WRCQE || l.Field == spec.WRWC {
			return text + m.WRName(l.WR, l.Instance) + " still open"
		}
		return text + fmt.Sprintf("%s not yet %s", m.WRName(l.WR, l.Instance), happened[l.Field])
	case spec.PropFinal:
		return "the run is over after %d without it"
	case spec.PropEventually, spec.PropUntil:
		return "after %d it will not come any more"
	case spec.PropLeadsTo:
		return "after %d the answer will not come any more"
	case spec.PropNever:
		return "it happens at %d"
	case spec.PropReach:
		return "reached at %d"
	}
	return "false from %d on"
}

// wrAtom returns the expression's atom if it is nothing but an event of a WR.
func wrAtom(e *spec.Expr) *spec.Atom {
	if e != nil && e.Op == spec.ExprAtom && e.Atom.Kind == spec.AtomWR {
		return &e.Atom
	}
	return nil
}
