package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// A Check is a thing that Lint looks for.
type Check struct {
	Code string // as findings carry it
	Doc  string // one line
}

// Checks lists what Lint looks for, by code.
func Checks() []Check {
	out := []Check{
		{"no-doc", "the litmus has no `doc`: nothing says what the scenario shows"},
		{"no-expect", "a property without `expect` is explored, not tested"},
		{"no-ref", "the litmus has no `ref`: nothing says where the case comes from"},
		{"repeated-property", "a property says what another says"},
		{"self-wait", "a program waits for a completion that only it could poll"},
		{"unasked-counter", "a counter that is counted and never asked"},
		{"unmatched-receive", "a receive that nothing names and no message can be left for"},
		{"unsignaled-loop", "a loop sends, and nothing signaled ever frees the slots of the queue"},
		{"unused-WR", "a send that nothing depends on"},
		{"zero-budget", "a budget of 0 allows what never happens anyway"},
	}
	for kind := range helpUnused {
		out = append(out, Check{"unused-" + kindNames[kind], kind.String() + " that is declared and named nowhere else"})
	}
	slices.SortFunc(out, func(a, b Check) int { return strings.Compare(a.Code, b.Code) })
	return out
}

// A linter looks for what is legal but probably not meant.
type linter struct {
	x   *index
	b   *builder // of the file itself
	out *collector
}

// Lint returns what is legal in a file but probably not meant, its Warnings
// among it: each with a Code. What imported files say is not judged.
func (f *File) Lint() Errors {
	x := f.look()
	l := &linter{x: x, b: x.base, out: &collector{sources: f.c.sources}}
	l.out.errs = slices.Clone(f.Warnings)
	if l.b == nil || f.broken {
		return l.out.sorted(f.order)
	}
	l.litmus()
	l.unused()
	l.unheard()
	l.budgets()
	l.properties()
	l.sendsInLoops()
	l.receives()
	l.out.errs = slices.DeleteFunc(l.out.errs, func(e *Error) bool { return e.Pos.File != f.Name })
	return l.out.sorted(f.order)
}

// find notes a finding at a token.
func (l *linter) find(t Token, code, msg, help string) { l.find2(t, code, msg, "", help) }

// find2 is find with words for what is underlined.
func (l *linter) find2(t Token, code, msg, found, help string) {
	l.out.add(Error{Pos: t.Pos, Len: t.width(), Code: code, Msg: msg, Found: found, Help: help})
}

// litmus wants to know what a file shows, and who said so.
func (l *linter) litmus() {
	at := Token{Pos: spec.Pos{File: l.x.f.Name, Line: 1, Col: 1}}
	for _, s := range l.x.f.Stmts {
		if s.word().is("litmus") {
			at = s.word()
		}
	}
	if l.b.sc.Doc == "" {
		l.find(at, "no-doc", "nothing says what the scenario shows", "`doc \"…\"` in its litmus")
	} else if len(l.b.sc.Refs) == 0 {
		l.find(at, "no-ref", "nothing says where the case comes from", "`ref \"…\"` in its litmus")
	}
}

// helpUnused says what to do about things of a kind that nothing uses.
var helpUnused = map[symKind]string{symNode: "`connect` one of its qps", symCQ: "name it in a qp, or leave it out", symQP: "`connect` it",
	symSRQ: "name it in a qp, or leave it out", symMR: "name it in the sg or remote of a WR", symCh: "`channel` of a cq", symOOB: "`tell` and `hear` on it",
	symVar: "leave it out", symParam: "leave it out, or let an `if`, a budget or an attribute depend on it"}

// unused finds what is declared and named nowhere else. That a variant gives a
// param another value is no use of it.
func (l *linter) unused() {
	given := l.x.f.givenParams()
	for _, t := range l.x.f.Things() {
		help, ok := helpUnused[t.kind]
		if !ok || t.kind == symVar && l.counted(t) {
			continue
		}
		used := slices.ContainsFunc(t.Names, func(n *Name) bool { return !n.Def && !given[n.Pos] })
		if !used {
			l.find2(Token{Pos: t.Pos, chars: t.Len}, "unused-"+t.Kind, fmt.Sprintf("%s `%s` is not used", t.Kind, t.Name), "named nowhere else", help)
		}
	}
}

// counted reports whether a var is declared by counting it: if nothing asks it,
// a warning says so.
func (l *linter) counted(t *Thing) bool {
	return slices.ContainsFunc(l.b.counters, func(c counter) bool { return c.tok.Pos == t.Pos })
}

// givenParams are the places where variants and vary give params values.
func (f *File) givenParams() map[spec.Pos]bool {
	out := map[spec.Pos]bool{}
	for _, s := range f.all {
		if s.call == nil || s.call.row.Word != "check" && s.call.row.Word != "vary" {
			continue
		}
		for _, t := range s.ownTokens() {
			out[t.Pos] = true
		}
	}
	return out
}

// budgets finds those that allow nothing. A param or a variant may change one.
func (l *linter) budgets() {
	for _, s := range l.x.f.Stmts {
		s.walk(func(s *Stmt) {
			if s.call == nil || s.in != InFaults || s.call.arg(aInt) == nil {
				return
			}
			if t := s.call.arg(aInt).toks[0]; t.is0() {
				l.find(t, "zero-budget", fmt.Sprintf("a budget of 0 for `%s`", s.word().Text), "nothing goes wrong that is not budgeted: leave it out")
			}
		})
	}
}

// is0 reports whether a token is the number 0.
func (t Token) is0() bool { return t.Kind == Int && strings.Trim(t.Text, "0") == "" }

// properties finds those that nobody expects anything of, and those that say
// what another says.
func (l *linter) properties() {
	said := map[string]*spec.Property{}
	for _, list := range [][]spec.Property{l.b.sc.Asserts, l.b.sc.Reaches} {
		for i := range list {
			p := &list[i]
			at := Token{Pos: p.Pos, chars: len(p.Name)}
			if y := l.b.file.syms[p.Name]; y != nil {
				at = y.tok
			}
			if p.Expect == "" {
				l.find(at, "no-expect", fmt.Sprintf("no verdict is expected of `%s`", p.Name), "`expect` a verdict, or it is explored and not tested")
			}
			meaning := meaningOf(p)
			if first := said[meaning]; first != nil {
				l.find2(at, "repeated-property", fmt.Sprintf("`%s` says what `%s` says", p.Name, first.Name), fmt.Sprintf("also in line %d", first.Pos.Line), "")
				continue
			}
			said[meaning] = p
		}
	}
}

// meaningOf writes what a property means: names resolved, and `never e` as
// `always not e`.
func meaningOf(p *spec.Property) string {
	kind, left := p.Kind, exprMeaning(p.L)
	switch kind {
	case spec.PropState:
		kind = spec.PropAlways
	case spec.PropNever:
		kind, left = spec.PropAlways, negated(p.L)
	}
	right := ""
	if p.R != nil {
		right = exprMeaning(p.R)
	}
	return fmt.Sprintf("%d %s | %s", kind, left, right)
}

func negated(x *spec.Expr) string {
	if x.Op == spec.ExprNot {
		return exprMeaning(x.Kids[0])
	}
	return fmt.Sprintf("%d(%s)", spec.ExprNot, exprMeaning(x))
}

func exprMeaning(x *spec.Expr) string {
	if x.Op == spec.ExprInt || x.Op == spec.ExprAtom {
		a := x.Atom
		a.Text = ""
		return fmt.Sprintf("%d %d %v", x.Op, x.Int, a)
	}
	if x.Op == spec.ExprNot {
		return negated(x.Kids[0])
	}
	var kids []string
	for _, k := range x.Kids {
		kids = append(kids, exprMeaning(k))
	}
	if x.Op == spec.ExprAnd || x.Op == spec.ExprOr || x.Op == spec.ExprEq || x.Op == spec.ExprNe {
		slices.Sort(kids)
	}
	return fmt.Sprintf("%d(%s)", x.Op, strings.Join(kids, ", "))
}
