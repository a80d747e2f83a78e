package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// function resolves a function of an expression.
func (b *builder) function(e *expr, env *exprEnv) (*spec.Expr, typ) {
	row := lookup(InExpr, e.tok.Text)
	if op, ok := row.field.(spec.ExprOp); ok {
		switch op {
		case spec.ExprAnd, spec.ExprOr:
			return b.quantified(e, env, op), tBool
		}
		b.past(e, env)
		return &spec.Expr{Op: op, Pos: e.tok.Pos, Kids: []*spec.Expr{b.expr(e.kids[0], env, tBool)}}, tBool
	}
	a := noAtom(row.field.(spec.AtomKind), "")
	out := &spec.Expr{Op: spec.ExprAtom, Pos: e.tok.Pos}
	var names []string
	for _, k := range e.kids {
		if k.kind != eName || k.n >= 0 {
			b.failExpr(k, fmt.Sprintf("`%s` asks about a name", e.tok.Text), usage(row), "")
			return out, tBad
		}
		names = append(names, b.text(k.tok))
	}
	a.Text = e.tok.Text + "(" + strings.Join(names, ", ") + ")"
	if !b.ask(&a, e, names, env) {
		return intExpr(e.tok.Pos, 0), tBad
	}
	out.Atom = a
	if a.Kind == spec.AtomInvoked {
		return out, tInt
	}
	return out, tBool
}

// ask resolves the arguments of a function to an atom.
func (b *builder) ask(a *spec.Atom, e *expr, names []string, env *exprEnv) bool {
	first := e.kids[0]
	switch a.Kind {
	case spec.AtomHCAAccess, spec.AtomOverflow:
		a.Name = names[0]
		whole := e.tok.Text + "(" + names[0] + ")"
		if lookup(AsAllow, whole) == nil {
			help := suggest(whole, withPrefix(words(AsAllow), e.tok.Text+"("), "choose from")
			b.fail(first.tok, fmt.Sprintf("`%s` is not known to %s", names[0], e.tok.Text), "", "", help)
			return false
		}
		return true
	case spec.AtomRNR:
		return b.askedOf(a, first, env, symQP)
	case spec.AtomEvent:
		return b.askedOf(a, first, env, symCh)
	case spec.AtomAsleep:
		return b.askedThread(a, first, names[0], env)
	case spec.AtomInvoked:
		return b.askedHandler(a, first, names[0], env)
	case spec.AtomAsync:
		event := e.kids[1].tok
		if a.Name = event.Text; lookup(AsEvent, a.Name) == nil {
			b.fail(event, fmt.Sprintf("`%s` is not %s", a.Name, argWords[aEvent]), "", "", suggest(a.Name, words(AsEvent), "choose from"))
			return false
		}
		kind := symQP
		switch a.Name {
		case "CQ_ERR":
			kind = symCQ
		case "SRQ_LIMIT_REACHED":
			kind = symSRQ
		}
		return b.askedOf(a, first, env, kind)
	}
	return false
}

func withPrefix(list []string, prefix string) []string {
	var out []string
	for _, w := range list {
		if strings.HasPrefix(w, prefix) {
			out = append(out, w)
		}
	}
	return out
}

// askedOf resolves the thing an atom asks about.
func (b *builder) askedOf(a *spec.Atom, e *expr, env *exprEnv, kind symKind) bool {
	y, field := b.find(e, b.text(e.tok), env)
	switch {
	case y == nil:
		return false
	case y.kind != kind || field != "":
		b.fail(e.tok, fmt.Sprintf("`%s` is not %s", e.tok.Text, kind), "", kind.String(), "")
		return false
	}
	a.Node, a.Index = y.node, y.index
	return true
}

// askedThread resolves a thread; a node, or NODE.main, is its main thread.
func (b *builder) askedThread(a *spec.Atom, e *expr, name string, env *exprEnv) bool {
	node := strings.TrimSuffix(name, ".main")
	if y := b.file.syms[node]; y != nil && y.kind == symNode {
		b.use(segments(e.tok)[0], y)
		a.Node, a.Index = y.index, 0
		return true
	}
	return b.askedOf(a, e, env, symThread)
}

// askedHandler resolves the handler on WR.wc or CQ.wc.
func (b *builder) askedHandler(a *spec.Atom, e *expr, name string, env *exprEnv) bool {
	y, field := b.find(e, name, env)
	if y == nil {
		return false
	}
	if field != "wc" || y.kind != symWR && y.kind != symCQ {
		b.fail(e.tok, fmt.Sprintf("`%s` is not a completion", name), "", argWords[aDone], "")
		return false
	}
	node := y.node
	a.Index = slices.IndexFunc(b.sc.Nodes[node].Handlers, func(h spec.Handler) bool {
		return y.kind == symWR && h.WR == y.index || y.kind == symCQ && h.CQ == y.index
	})
	a.Node = node
	if a.Index < 0 && !b.gone(lostHandler) {
		b.fail(e.tok, fmt.Sprintf("nothing runs on `%s`", name), "", "", fmt.Sprintf("`on %s { … }` in node %s", name, b.sc.Nodes[node].Name))
		return false
	}
	return true
}

// quantified writes out all(…) and any(…) over the numbers of `*`.
func (b *builder) quantified(e *expr, env *exprEnv, op spec.ExprOp) *spec.Expr {
	zero := intExpr(e.tok.Pos, 0)
	n := -1
	bad := false
	walkNames(e.kids[0], func(x *expr) {
		base, _, ok := strings.Cut(x.tok.Text, "*")
		if !ok || bad {
			return
		}
		count := b.group(base)
		if count == 0 || n >= 0 && count != n {
			b.fail(x.tok, fmt.Sprintf("nothing replicated so often is called `%s`", base), "", "", "")
			bad = true
		}
		n = count
	})
	switch {
	case bad:
		return zero
	case n < 0 || b.star >= 0:
		b.fail(e.tok, fmt.Sprintf("`%s` without a `*` to count by", e.tok.Text), "", "", "as in `all(c*.S.wc)`")
		return zero
	}
	var out *spec.Expr
	for b.star = 0; b.star < n; b.star++ {
		x := b.expr(e.kids[0], env, tBool)
		if out == nil {
			out = x
		} else {
			out = b.fold(&spec.Expr{Op: op, Pos: e.tok.Pos, Kids: []*spec.Expr{out, x}})
		}
	}
	b.star = -1
	return out
}

func walkNames(e *expr, f func(*expr)) {
	if e.kind == eName {
		f(e)
	}
	for _, k := range e.kids {
		walkNames(k, f)
	}
}

// constant evaluates an expression over params and numbers; ok is false if it
// asks for anything else.
func (b *builder) constant(e *expr) (n int, ok bool) {
	switch e.kind {
	case eInt:
		return e.n, true
	case eName:
		v, known := b.params[e.tok.Text]
		b.useParam(e.tok)
		switch {
		case e.n >= 0:
			return 0, false
		case e.tok.Text == "true" || known && v.Text == "true":
			return 1, true
		case e.tok.Text == "false" || known && v.Text == "false":
			return 0, true
		}
		return atoi(v.Text), known && v.Kind == Int
	case eUnary, eBinary:
		if e.op == spec.ExprSince {
			return 0, false
		}
		if n, ok := b.sameWord(e); ok {
			return n, true
		}
		kids := make([]int, len(e.kids))
		for i, k := range e.kids {
			if kids[i], ok = b.constant(k); !ok {
				return 0, false
			}
		}
		return evaluate(e.op, kids), true
	}
	return 0, false
}

// sameWord evaluates "param == word" and "param != word" for params that are
// words.
func (b *builder) sameWord(e *expr) (n int, ok bool) {
	if e.op != spec.ExprEq && e.op != spec.ExprNe || !bare(e.kids[0]) || !bare(e.kids[1]) {
		return 0, false
	}
	name, word := e.kids[0].tok, e.kids[1].tok
	v, known := b.params[name.Text]
	if !known {
		name, word = word, name
		v, known = b.params[name.Text]
	}
	if !known || kindOfValue(v) != "a word" {
		return 0, false
	}
	b.useParam(name)
	if values := b.f.values[name.Text]; !slices.Contains(values, word.Text) {
		b.fail(word, fmt.Sprintf("param `%s` is never `%s`", name.Text, word.Text), "", "", suggest(word.Text, values, "its values"))
	}
	return b2i((v.Text == word.Text) == (e.op == spec.ExprEq)), true
}

// fold replaces an operator on numbers by its value. It leaves what asks the
// state, and what is wrong, alone.
func (b *builder) fold(x *spec.Expr) *spec.Expr {
	kids := make([]int, len(x.Kids))
	for i, k := range x.Kids {
		if k.Op != spec.ExprInt {
			return x
		}
		kids[i] = k.Int
	}
	if x.Op == spec.ExprSince {
		return x
	}
	return intExpr(x.Pos, evaluate(x.Op, kids))
}

func evaluate(op spec.ExprOp, k []int) int {
	switch op {
	case spec.ExprNot:
		return b2i(k[0] == 0)
	case spec.ExprNeg:
		return -k[0]
	case spec.ExprAnd:
		return b2i(k[0] != 0 && k[1] != 0)
	case spec.ExprOr:
		return b2i(k[0] != 0 || k[1] != 0)
	case spec.ExprImplies:
		return b2i(k[0] == 0 || k[1] != 0)
	case spec.ExprEq:
		return b2i(k[0] == k[1])
	case spec.ExprNe:
		return b2i(k[0] != k[1])
	case spec.ExprLt:
		return b2i(k[0] < k[1])
	case spec.ExprLe:
		return b2i(k[0] <= k[1])
	case spec.ExprGt:
		return b2i(k[0] > k[1])
	case spec.ExprGe:
		return b2i(k[0] >= k[1])
	case spec.ExprAdd:
		return k[0] + k[1]
	}
	return k[0] - k[1]
}
