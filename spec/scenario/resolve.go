package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// A typ is the type of an expression; all values are small integers.
type typ uint8

const (
	tBad typ = iota // has a mistake that was reported
	tBool
	tInt
	tStatus
	tState
	tNode
	tWR
	tQP
	tOpcode
	tData // abstract value of memory: compared with numbers and WRs
)

var typeNames = map[typ]string{tBool: "true or false", tInt: "a number", tStatus: "a status", tState: "a QP state", tNode: "a node", tWR: "a WR",
	tQP: "a qp", tOpcode: "an opcode of a completion", tData: "a value of memory"}

// An exprEnv is where an expression stands.
type exprEnv struct {
	nb      *nodeBuild // whose names are meant, nil at the top level
	wcs     []*sym     // names of completions, the innermost last
	program bool       // in a program: no past
}

// expr resolves an expression that should have type want.
func (b *builder) expr(e *expr, env *exprEnv, want typ) *spec.Expr {
	x, t := b.typed(e, env)
	if t == tBad {
		return x
	}
	if want == tBool {
		return b.truth(e, x, t)
	}
	if t != want && t != tBool {
		b.failExpr(e, fmt.Sprintf("this is %s", typeNames[t]), typeNames[want], "")
	}
	return x
}

// failExpr reports a mistake at a whole expression.
func (b *builder) failExpr(e *expr, msg, wanted, help string) {
	t := e.first
	t.chars = max(t.chars, e.end-e.first.Off)
	b.fail(t, msg, "", wanted, help)
}

// truth makes a condition of an expression: a number counts as true unless it
// is 0.
func (b *builder) truth(e *expr, x *spec.Expr, t typ) *spec.Expr {
	switch t {
	case tBool, tBad:
		return x
	case tInt:
		if x.Op == spec.ExprInt {
			return intExpr(x.Pos, b2i(x.Int != 0))
		}
		return &spec.Expr{Op: spec.ExprNe, Pos: x.Pos, Kids: []*spec.Expr{x, intExpr(x.Pos, 0)}}
	}
	help := ""
	if t == tWR {
		help = fmt.Sprintf("say which event of it: `%s.cqe`, `%s.wc`, `%s.ok`, …", e.tok.Text, e.tok.Text, e.tok.Text)
	}
	b.failExpr(e, fmt.Sprintf("this is %s", typeNames[t]), "a condition", help)
	return x
}

func b2i(v bool) int {
	if v {
		return 1
	}
	return 0
}

func intExpr(pos spec.Pos, n int) *spec.Expr { return &spec.Expr{Op: spec.ExprInt, Pos: pos, Int: n} }

// typed resolves an expression and finds its type.
func (b *builder) typed(e *expr, env *exprEnv) (*spec.Expr, typ) {
	switch e.kind {
	case eInt:
		return intExpr(e.tok.Pos, e.n), tInt
	case eName:
		return b.name(e, env, tBad)
	case eCall:
		return b.function(e, env)
	case eUnary:
		if e.op == spec.ExprNot {
			return b.fold(&spec.Expr{Op: spec.ExprNot, Pos: e.tok.Pos, Kids: []*spec.Expr{b.expr(e.kids[0], env, tBool)}}), tBool
		}
		return b.fold(&spec.Expr{Op: spec.ExprNeg, Pos: e.tok.Pos, Kids: []*spec.Expr{b.expr(e.kids[0], env, tInt)}}), tInt
	}
	return b.binary(e, env)
}

func (b *builder) binary(e *expr, env *exprEnv) (*spec.Expr, typ) {
	out := &spec.Expr{Op: e.op, Pos: e.tok.Pos}
	switch e.op {
	case spec.ExprAdd, spec.ExprSub:
		out.Kids = []*spec.Expr{b.expr(e.kids[0], env, tInt), b.expr(e.kids[1], env, tInt)}
		return b.fold(out), tInt
	case spec.ExprEq, spec.ExprNe, spec.ExprLt, spec.ExprLe, spec.ExprGt, spec.ExprGe:
		return b.comparison(e, out, env)
	case spec.ExprSince:
		b.past(e, env)
	}
	out.Kids = []*spec.Expr{b.expr(e.kids[0], env, tBool), b.expr(e.kids[1], env, tBool)}
	return b.fold(out), tBool
}

// past reports operators that look back where there is nobody to remember.
func (b *builder) past(e *expr, env *exprEnv) {
	if env.program {
		b.fail(e.tok, fmt.Sprintf("`%s` in a program", e.tok.Text), "", "", "programs see the present only; keep a var")
	}
}

// comparison resolves both sides. A bare name may stand for different things;
// the other side says which.
func (b *builder) comparison(e *expr, out *spec.Expr, env *exprEnv) (*spec.Expr, typ) {
	if n, ok := b.sameWord(e); ok {
		return intExpr(e.tok.Pos, n), tBool
	}
	l, r := e.kids[0], e.kids[1]
	var xl, xr *spec.Expr
	var tl, tr typ
	if bare(l) && !bare(r) {
		xr, tr = b.typed(r, env)
		xl, tl = b.operand(l, env, tr)
	} else if xl, tl = b.typed(l, env); tl != tBad || !bare(r) {
		xr, tr = b.operand(r, env, tl)
	}
	out.Kids = []*spec.Expr{xl, xr}
	if tl == tBad || tr == tBad {
		return out, tBad
	}
	numbers := func(t typ) bool { return t == tInt || t == tBool }
	switch {
	case tl == tr, numbers(tl) && numbers(tr), tl == tData && (numbers(tr) || tr == tWR), tr == tData && (numbers(tl) || tl == tWR):
	default:
		b.failExpr(r, fmt.Sprintf("%s compared with %s", typeNames[tl], typeNames[tr]), typeNames[tl], "")
		return out, tBad
	}
	if ordered := out.Op != spec.ExprEq && out.Op != spec.ExprNe; ordered && !numbers(tl) && tl != tData {
		b.fail(e.tok, fmt.Sprintf("`%s` of %s", e.tok.Text, typeNames[tl]), "", "`==` or `!=`", "")
		return out, tBad
	}
	return b.fold(out), tBool
}

// bare reports whether an expression is a name alone.
func bare(e *expr) bool { return e.kind == eName && e.n < 0 && !strings.Contains(e.tok.Text, ".") }

// operand resolves one side of a comparison with something of type hint.
func (b *builder) operand(e *expr, env *exprEnv, hint typ) (*spec.Expr, typ) {
	switch {
	case hint == tBad && bare(e): // it might have been a name of the other's type
		return intExpr(e.tok.Pos, 0), tBad
	case e.kind == eName:
		return b.name(e, env, hint)
	}
	return b.typed(e, env)
}

// name resolves a name: a question to a thing, a var, a param or, where the
// other side of a comparison asks for one, a constant.
func (b *builder) name(e *expr, env *exprEnv, hint typ) (*spec.Expr, typ) {
	text := b.text(e.tok)
	if e.n < 0 {
		if x, t := b.constantName(e, text, env, hint); t != tBad {
			return x, t
		}
		if y := named(env.wcs, e.tok); y != nil {
			return b.completion(e, y, text, env)
		}
	}
	if x := sanitizerAtom(e, text, env); x != nil && e.n < 0 {
		return x, tBool
	}
	y, field := b.find(e, text, env)
	if y == nil {
		return intExpr(e.tok.Pos, 0), tBad
	}
	if e.n >= 0 {
		if field = e.field.Text; !b.numberFits(e, y, field) {
			return intExpr(e.tok.Pos, 0), tBad
		}
	}
	if field == "" {
		return b.whole(e, y)
	}
	return b.field(e, y, field)
}

// numberFits checks what a number in brackets counts: the instances of a WR,
// or the units of an mr, which are placed one by one.
func (b *builder) numberFits(e *expr, y *sym, field string) bool {
	switch {
	case y.kind == symMR && field == "value":
		units := b.sc.Nodes[y.node].MRs[y.index].Units
		if e.n > units {
			b.fail(e.tok, fmt.Sprintf("`%s` has no unit %d", b.text(e.tok), e.n), "", fmt.Sprintf("1 to %d", units), "`units` of the mr says how many it has")
			return false
		}
	case y.kind == symMR:
		b.fail(*e.field, fmt.Sprintf("`%s` is of all of `%s`", field, b.text(e.tok)), "", "`value`, which units have one by one", "")
		return false
	case y.kind != symWR:
		b.fail(e.tok, fmt.Sprintf("`%s` is %s; only WRs have instances, and mrs units", b.text(e.tok), y.kind), "", "", "")
		return false
	}
	return true
}

// sanitizerAtom resolves the name of a sanitizer, in properties only; nil if
// it is none.
func sanitizerAtom(e *expr, text string, env *exprEnv) *spec.Expr {
	row := lookup(InExpr, text)
	if row == nil || row.field != spec.AtomSanitizer || env.nb != nil {
		return nil
	}
	a := noAtom(spec.AtomSanitizer, text)
	a.Name = text
	return &spec.Expr{Op: spec.ExprAtom, Pos: e.tok.Pos, Atom: a}
}

// valuePlaces says in which table the values of a type are.
var valuePlaces = map[typ]Where{tStatus: AsStatus, tState: AsState, tOpcode: AsWCOpcode}

// constantName resolves the names of values.
func (b *builder) constantName(e *expr, text string, env *exprEnv, hint typ) (*spec.Expr, typ) {
	pos := e.tok.Pos
	switch text {
	case "true", "false":
		return intExpr(pos, b2i(text == "true")), tBool
	}
	lists := map[typ][]string{tStatus: spec.Statuses(), tState: spec.QPStates(), tOpcode: spec.WCOpcodes()}
	if list := lists[hint]; list != nil {
		w := text
		if v, ok := b.params[text]; ok {
			w = shortName(v.Text)
		}
		if i := slices.Index(list, w); i >= 0 {
			b.useRow(e.tok, lookup(valuePlaces[hint], w))
			b.useParam(e.tok)
			return constant(e, i, map[typ]string{tStatus: "status", tState: "state", tOpcode: "opcode"}[hint]), hint
		}
	}
	if hint == tNode {
		if y := b.file.syms[text]; y != nil && y.kind == symNode {
			b.use(e.tok, y)
			return constant(e, y.index, "node"), tNode
		}
	}
	v, ok := b.params[text]
	b.useParam(e.tok)
	switch {
	case !ok:
	case v.Kind == Int:
		return intExpr(pos, atoi(v.Text)), tInt
	case v.Text == "true" || v.Text == "false":
		return intExpr(pos, b2i(v.Text == "true")), tBool
	}
	return nil, tBad
}

// constant makes the atom of a named value.
func constant(e *expr, n int, kind string) *spec.Expr {
	a := noAtom(spec.AtomConst, e.tok.Text)
	a.Name = kind
	if kind == "wr" {
		a.WR = n
	}
	return &spec.Expr{Op: spec.ExprAtom, Pos: e.tok.Pos, Int: n, Atom: a}
}

func noAtom(kind spec.AtomKind, text string) spec.Atom {
	return spec.Atom{Kind: kind, WR: -1, Instance: -1, Node: -1, Index: -1, Text: text}
}

// find resolves a dotted name to a thing and the field after it, "" if none.
// Inside of a node its own names come first; elsewhere a name without a node
// must be that of one node only.
func (b *builder) find(e *expr, text string, env *exprEnv) (*sym, string) {
	parts := strings.Split(text, ".")
	first := segments(e.tok)[0]
	if env.nb != nil {
		if y := env.nb.scope.syms[parts[0]]; y != nil && len(parts) <= 2 {
			b.use(first, y)
			return y, strings.Join(parts[1:], ".")
		}
	}
	if y := b.file.syms[parts[0]]; y != nil && y.kind == symNode && len(parts) > 1 {
		return b.findIn(e, y, parts)
	}
	if len(parts) > 2 {
		b.undeclared(b.file, first, symNode)
		return nil, ""
	}
	if y := b.file.syms[text]; y != nil && y.kind == symNode {
		b.use(first, y)
		return y, ""
	}
	var found []*sym
	for _, nb := range b.nodes {
		if y := nb.scope.syms[parts[0]]; y != nil && env.nb == nil {
			found = append(found, y)
		}
	}
	switch len(found) {
	case 1:
		b.use(first, found[0])
		return found[0], strings.Join(parts[1:], ".")
	case 0:
		b.unknown(e, parts, env)
		return nil, ""
	}
	var homes []string
	for _, y := range found {
		homes = append(homes, "`"+b.nodes[y.node].scope.name+"."+text+"`")
	}
	b.fail(e.tok, fmt.Sprintf("`%s` is on %d nodes", parts[0], len(found)), "", "", "write "+strings.Join(homes, " or "))
	return nil, ""
}

// findIn resolves NODE.NAME or NODE.NAME.field.
func (b *builder) findIn(e *expr, node *sym, parts []string) (*sym, string) {
	scope := b.nodes[node.index].scope
	toks := segments(e.tok)
	b.use(toks[0], node)
	y := scope.syms[parts[1]]
	if y != nil && len(parts) <= 3 {
		b.use(toks[1], y)
		return y, strings.Join(parts[2:], ".")
	}
	if y == nil {
		kind := symVar
		if len(parts) > 2 || e.field != nil {
			kind = fieldKind(append(parts, fieldText(e))[2])
		}
		b.undeclared(scope, toks[1], kind)
		return nil, ""
	}
	b.fail(e.tok, fmt.Sprintf("`%s` has too many parts", e.tok.Text), "", "NODE.NAME.field", "")
	return nil, ""
}

func fieldText(e *expr) string {
	if e.field != nil {
		return e.field.Text
	}
	return ""
}

// fieldKind says what kind of thing has a field, a WR if several do.
func fieldKind(field string) symKind {
	for _, k := range fieldPlaces {
		if lookup(k.in, field) != nil {
			return k.kind
		}
	}
	return symWR
}

// fieldPlaces says in which table the fields of a kind of thing are.
var fieldPlaces = []struct {
	kind symKind
	in   Where
}{{symWR, OfWR}, {symCQ, OfCQ}, {symQP, OfQP}, {symMR, OfMR}}

// unknown reports a name that is nowhere.
func (b *builder) unknown(e *expr, parts []string, env *exprEnv) {
	kind := symVar
	if len(parts) > 1 || e.field != nil {
		kind = fieldKind(append(parts, fieldText(e))[1])
	}
	if b.excused(parts[0], kind) || b.excused(parts[0], symNode) || kind == symVar && (b.gone(symParam) || b.gone(symWR)) {
		return
	}
	t := e.tok
	t.Text, t.chars = parts[0], len(parts[0])
	if v, ok := b.params[t.Text]; ok {
		b.wordAlone(e, t, v)
		return
	}
	use := missing{b.file, t.Text, kind}
	if env.nb != nil {
		use.scope = env.nb.scope
	}
	if b.missed[use] {
		return
	}
	b.missed[use] = true
	scopes := b.nodes
	if env.nb != nil {
		scopes = []*nodeBuild{env.nb}
	}
	var names []string
	for _, nb := range scopes {
		names = append(names, nb.scope.names(kind)...)
	}
	k, title := kindNames[kind], kindNames[kind]+"s"
	if kind == symVar {
		names = append(names, b.file.names(symParam)...)
		k, title = "var or param", "vars and params"
	}
	slices.Sort(names)
	help := suggest(t.Text, slices.Compact(names), title)
	for _, in := range []Where{AsStatus, AsState, AsWCOpcode} {
		if lookup(in, t.Text) != nil && len(parts) == 1 {
			help = "compare it with something that has such a value"
		}
	}
	b.fail(t, fmt.Sprintf("no %s named `%s`", k, t.Text), "not declared", "", help)
}

// wordAlone reports a param whose value is a word where a value is wanted.
func (b *builder) wordAlone(e *expr, t, value Token) {
	if e.n >= 0 || strings.Contains(e.tok.Text, ".") {
		b.fail(t, fmt.Sprintf("`%s` is a param, and params have no fields", t.Text), "", "", "")
		return
	}
	b.fail(t, fmt.Sprintf("the value of param `%s` is a word", t.Text), "", "an expression", fmt.Sprintf("compare it: `%s == %s`", t.Text, value.Text))
}

// whole resolves a thing without a field: the value of a var, or the thing
// itself to be compared with.
func (b *builder) whole(e *expr, y *sym) (*spec.Expr, typ) {
	switch y.kind {
	case symVar:
		b.asked[y] = true
		a := noAtom(spec.AtomVar, b.text(e.tok))
		a.Node, a.Index = y.node, y.index
		return &spec.Expr{Op: spec.ExprAtom, Pos: e.tok.Pos, Atom: a}, tInt
	case symWR:
		return constant(e, y.index, "wr"), tWR
	case symQP:
		x := constant(e, y.index, "qp")
		x.Atom.Node, x.Atom.Index = y.node, y.index
		return x, tQP
	case symNode:
		return constant(e, y.index, "node"), tNode
	}
	help := ""
	for _, k := range fieldPlaces {
		if k.kind == y.kind {
			help = fmt.Sprintf("ask for `%s.%s`", e.tok.Text, strings.Join(words(k.in), "`, `"+e.tok.Text+".")) + "`"
		}
	}
	b.fail(e.tok, fmt.Sprintf("`%s` is %s and has no value", e.tok.Text, y.kind), "", "an expression", help)
	return intExpr(e.tok.Pos, 0), tBad
}

// fieldTypes are the types of fields that are not events.
var fieldTypes = map[spec.AtomKind]typ{spec.AtomStatus: tStatus, spec.AtomSrc: tNode, spec.AtomMsg: tWR, spec.AtomData: tData, spec.AtomCQLen: tInt,
	spec.AtomQPState: tState, spec.AtomSQFree: tInt, spec.AtomMRValue: tData, spec.AtomMRState: tBool, spec.AtomWCStatus: tStatus,
	spec.AtomWCWR: tWR, spec.AtomWCQP: tQP, spec.AtomWCOpcode: tOpcode, spec.AtomWCSrc: tNode}

// field resolves a question to a thing.
func (b *builder) field(e *expr, y *sym, field string) (*spec.Expr, typ) {
	bad := intExpr(e.tok.Pos, 0)
	at, last := e.tok, e.tok
	if e.field != nil {
		at, last = *e.field, *e.field
	} else if parts := segments(e.tok); len(parts) > 1 {
		last = parts[len(parts)-1]
	}
	var in Where
	for _, k := range fieldPlaces {
		if k.kind == y.kind {
			in = k.in
		}
	}
	row := lookup(in, field)
	if in == 0 || row == nil {
		b.fail(at, fmt.Sprintf("%s has no `%s`", y.kind, field), "", "", suggest(field, words(in), "fields of "+y.kind.String()))
		return bad, tBad
	}
	b.useRow(last, row)
	a := noAtom(spec.AtomWR, b.text(e.tok))
	if e.field != nil {
		a.Text = fmt.Sprintf("%s[%d].%s", b.text(e.tok), e.n, field)
	}
	out := &spec.Expr{Op: spec.ExprAtom, Pos: e.tok.Pos}
	if y.kind == symWR {
		a.WR, a.Instance = y.index, e.n
		if !b.suits(at, y, field) {
			return bad, tBad
		}
	} else {
		a.Node, a.Index, a.Instance = y.node, y.index, e.n
	}
	if f, ok := row.field.(spec.WRField); ok {
		a.Field = f
		out.Atom = a
		return out, tBool
	}
	a.Kind = row.field.(spec.AtomKind)
	if a.Kind == spec.AtomMRState {
		a.Name = field
	}
	out.Atom = a
	return out, fieldTypes[a.Kind]
}

// Questions that only sends, or only receives, can answer.
const (
	ofSends    = "sent arrived executed acked retried"
	ofReceives = "src msg"
)

// suitable reports whether a receive, or a send, can be asked for a field.
func suitable(field string, recv bool) bool {
	if recv {
		return !contains(ofSends, field)
	}
	return !contains(ofReceives, field)
}

// suits reports fields that a WR of its kind never has.
func (b *builder) suits(t Token, y *sym, field string) bool {
	recv := b.sc.WRs[y.index].Recv
	switch {
	case suitable(field, recv):
		return true
	case recv:
		b.fail(t, fmt.Sprintf("`%s` is a receive; `%s` is of sends", y.name, field), "", "", "ask the send whose message it takes")
	default:
		b.fail(t, fmt.Sprintf("`%s` is a send; `%s` is of receives", y.name, field), "", "", "")
	}
	return false
}

// named returns the innermost completion that a dotted name asks, nil if none.
func named(wcs []*sym, t Token) *sym {
	name, _, dotted := strings.Cut(t.Text, ".")
	for i := len(wcs) - 1; i >= 0; i-- {
		if dotted && wcs[i].name == name {
			return wcs[i]
		}
	}
	return nil
}

// completion resolves a question to a polled completion.
func (b *builder) completion(e *expr, y *sym, text string, env *exprEnv) (*spec.Expr, typ) {
	name, field, _ := strings.Cut(text, ".")
	b.use(segments(e.tok)[0], y)
	bad := intExpr(e.tok.Pos, 0)
	row := lookup(OfWC, field)
	if row == nil {
		b.fail(e.tok, fmt.Sprintf("a completion has no `%s`", field), "", "", suggest(field, words(OfWC), "fields of a completion"))
		return bad, tBad
	}
	if last := env.wcs[len(env.wcs)-1]; last != y {
		b.fail(e.tok, fmt.Sprintf("`%s` is not the completion at hand", name), "", "", "only the innermost, `"+last.name+"`, can be asked")
		return bad, tBad
	}
	b.useRow(segments(e.tok)[1], row)
	kind := row.field.(spec.AtomKind)
	return &spec.Expr{Op: spec.ExprAtom, Pos: e.tok.Pos, Atom: noAtom(kind, text)}, fieldTypes[kind]
}
