package scenario

import (
	"fmt"
	"strconv"

	"github.com/ibcheck/ibcheck/spec"
)

// An exprKind is the kind of an expr.
type exprKind uint8

const (
	eInt    exprKind = iota
	eName            // a dotted name, perhaps with [INT] and a field after it
	eCall            // a function and its arguments
	eUnary           // not, -
	eBinary          // and, or, =>, comparison, + -, since
)

// An expr is an expression as written; names are not yet resolved.
type expr struct {
	kind  exprKind
	op    spec.ExprOp // eUnary, eBinary
	tok   Token       // what it is named or operated by
	first Token       // where it begins
	end   int         // offset of its end
	n     int         // eInt: value; eName: instance, -1 if none
	field *Token      // eName: the field after an instance
	kids  []*expr
	paren bool
}

// A prop is a property as written.
type prop struct {
	kind  spec.PropKind
	left  *expr
	right *expr // of the binary kinds
	text  []Token
}

// binding power of the binary operators, loosest first.
var binary = map[string]struct {
	power int
	op    spec.ExprOp
}{
	"=>": {1, spec.ExprImplies}, "or": {2, spec.ExprOr}, "and": {3, spec.ExprAnd},
	"==": {4, spec.ExprEq}, "!=": {4, spec.ExprNe}, "<": {4, spec.ExprLt}, "<=": {4, spec.ExprLe}, ">": {4, spec.ExprGt}, ">=": {4, spec.ExprGe},
	"+": {5, spec.ExprAdd}, "-": {5, spec.ExprSub},
}

const comparing = 4

var propPrefix = map[string]spec.PropKind{"always": spec.PropAlways, "never": spec.PropNever, "eventually": spec.PropEventually, "final": spec.PropFinal}

var propBinary = map[string]spec.PropKind{"precedes": spec.PropPrecedes, "leadsto": spec.PropLeadsTo, "until": spec.PropUntil, "since": spec.PropSince}

// prop reads a property: PREFIX expr, expr BINARY expr, or an expr.
func (m *matcher) prop(c *cursor) (*prop, bool) {
	start := c.i
	p := &prop{}
	first := c.peek()
	kind, prefixed := propPrefix[first.Text]
	if prefixed = prefixed && first.Kind == Word; prefixed {
		p.kind = kind
		c.take()
	}
	var ok bool
	if p.left, ok = m.expr(c, 1, 0); !ok {
		return nil, false
	}
	m.want(c, want{op: aProp, prefixed: prefixed})
	op := c.peek()
	if kind, binary := propBinary[op.Text]; binary && op.Kind == Word {
		if prefixed {
			m.fail(op, fmt.Sprintf("`%s` and `%s` do not combine", first.Text, op.Text), "", "",
				fmt.Sprintf("`A %s B` already speaks of all runs", op.Text))
			return nil, false
		}
		c.take()
		p.kind = kind
		if p.right, ok = m.expr(c, 1, 0); !ok {
			return nil, false
		}
		if t := c.peek(); t.Kind == Word && propBinary[t.Text] != 0 {
			m.fail(t, fmt.Sprintf("`%s` after `%s`", t.Text, op.Text), "", "", "a property has one of precedes, leadsto, until, since")
			return nil, false
		}
	}
	p.text = c.since(start)
	return p, true
}

// expr reads an expression whose operators bind at least as tightly as power.
func (m *matcher) expr(c *cursor, power, depth int) (*expr, bool) {
	if depth > 64 {
		m.fail(c.peek(), "expression nested more than 64 deep", "", "", "")
		return nil, false
	}
	left, ok := m.unary(c, depth)
	if !ok {
		return nil, false
	}
	for {
		m.want(c, want{op: aExpr})
		t := c.peek()
		b, isOp := binary[t.Text]
		if !isOp || t.Kind != Op && t.Kind != Word || b.power < power {
			return left, true
		}
		c.take()
		next := b.power + 1
		if t.Text == "=>" { // a => b => c is a => (b => c)
			next = b.power
		}
		if b.power == comparing {
			m.want(c, want{compared: left})
		}
		right, ok := m.expr(c, next, depth+1)
		if !ok {
			return nil, false
		}
		if b.power == comparing && !m.comparable(c, t, left) {
			return nil, false
		}
		left = &expr{kind: eBinary, op: b.op, tok: t, first: left.first, end: right.end, kids: []*expr{left, right}}
	}
}

// comparable rejects comparisons that do not mean what they look like.
func (m *matcher) comparable(c *cursor, op Token, left *expr) bool {
	if left.kind == eUnary && left.op == spec.ExprNot && !left.paren {
		m.fail(left.tok, fmt.Sprintf("`not` binds tighter than `%s`", op.Text), "", "", "write `not (…)`")
		return false
	}
	if t := c.peek(); t.Kind == Op && binary[t.Text].power == comparing {
		m.fail(t, "comparisons do not chain", "", "", fmt.Sprintf("as in `a %s b and b %s c`", op.Text, t.Text))
		return false
	}
	return true
}

func (m *matcher) unary(c *cursor, depth int) (*expr, bool) {
	t := c.peek()
	op := spec.ExprNot
	switch {
	case t.is("not"):
	case t.is("-"):
		op = spec.ExprNeg
	default:
		return m.primary(c, depth)
	}
	if depth > 64 {
		m.fail(t, "expression nested more than 64 deep", "", "", "")
		return nil, false
	}
	c.take()
	kid, ok := m.unary(c, depth+1)
	if !ok {
		return nil, false
	}
	return &expr{kind: eUnary, op: op, tok: t, first: t, end: kid.end, kids: []*expr{kid}}, true
}

func (m *matcher) primary(c *cursor, depth int) (*expr, bool) {
	m.want(c, want{arg: aExpr})
	t := c.peek()
	switch {
	case t.Kind == Int:
		c.take()
		n, _ := strconv.Atoi(t.Text) // the lexer bounds its digits
		return &expr{kind: eInt, tok: t, first: t, end: t.End, n: n}, true
	case t.is("("):
		return m.parens(c, depth)
	case t.is("="):
		m.fail(t, "`=` does not compare", "", "", "write `==`")
		return nil, false
	case t.Kind != Word || exprWord(t.Text) && lookup(InExpr, t.Text).Usage != "" && lookup(InExpr, t.Text).field == nil:
		m.wrong(c, "an expression")
		return nil, false
	}
	c.take()
	if c.peek().is("(") {
		return m.function(c, t, depth)
	}
	e := &expr{kind: eName, tok: t, first: t, end: t.End, n: -1}
	if c.peek().is("[") {
		return e, m.instance(c, e)
	}
	return e, true
}

// parens reads "( expr )", in which since may stand too.
func (m *matcher) parens(c *cursor, depth int) (*expr, bool) {
	open := c.take()
	e, ok := m.expr(c, 1, depth+1)
	if !ok {
		return nil, false
	}
	m.want(c, want{lit: "since"})
	if t := c.peek(); t.is("since") {
		c.take()
		right, ok := m.expr(c, 1, depth+1)
		if !ok {
			return nil, false
		}
		e = &expr{kind: eBinary, op: spec.ExprSince, tok: t, first: e.first, kids: []*expr{e, right}}
	} else if t.Kind == Word && propBinary[t.Text] != 0 {
		m.fail(t, fmt.Sprintf("`%s` in parentheses", t.Text), "", "", fmt.Sprintf("`%s` stands once, at the top of a property", t.Text))
		return nil, false
	}
	if !c.peek().is(")") {
		m.wrong(c, "`)`")
		return nil, false
	}
	e.end = c.take().End
	e.first = open
	e.paren = true
	return e, true
}

// function reads the arguments of a function.
func (m *matcher) function(c *cursor, name Token, depth int) (*expr, bool) {
	row := lookup(InExpr, name.Text)
	if row == nil || row.field == nil || row.Usage == "" {
		m.fail(name, fmt.Sprintf("no function `%s`", name.Text), "", "", suggest(name.Text, functions(), "functions"))
		return nil, false
	}
	e := &expr{kind: eCall, tok: name, first: name}
	c.take()
	for {
		m.want(c, want{function: row, n: len(e.kids)})
		kid, ok := m.expr(c, 1, depth+1)
		if !ok {
			return nil, false
		}
		e.kids = append(e.kids, kid)
		if !c.peek().is(",") {
			break
		}
		c.take()
	}
	if !c.peek().is(")") {
		m.wrong(c, "`)`")
		return nil, false
	}
	e.end = c.take().End
	if want := countArgs(row); len(e.kids) != want {
		m.fail(name, fmt.Sprintf("`%s` has %d arguments", name.Text, len(e.kids)), "", fmt.Sprintf("%s%s", row.Word, row.Usage), "")
		return nil, false
	}
	return e, true
}

// instance reads "[INT].field" after a WR's name.
func (m *matcher) instance(c *cursor, e *expr) bool {
	c.take()
	n := c.peek()
	if n.Kind != Int {
		m.wrong(c, "the number of an instance")
		return false
	}
	c.take()
	if n.Text == "0" {
		m.fail(n, "instances are counted from 1", "", "", "")
		return false
	}
	e.n, _ = strconv.Atoi(n.Text)
	for _, want := range []string{"]", "."} {
		if !c.peek().is(want) {
			m.wrong(c, "`"+want+"`")
			return false
		}
		c.take()
	}
	m.want(c, want{fieldOf: e.tok.Text})
	f := c.peek()
	if f.Kind != Word {
		m.wrong(c, "an event of the WR")
		return false
	}
	c.take()
	e.field, e.end = &f, f.End
	return true
}

// exprWord reports whether w is a word of the expression language.
func exprWord(w string) bool { return lookup(InExpr, w) != nil }

func functions() []string {
	var out []string
	for _, r := range exprRows {
		if r.field != nil && r.Usage != "" {
			out = append(out, r.Word)
		}
	}
	return out
}

func countArgs(r *Row) int {
	n := 0
	for _, e := range r.pattern {
		if e.arg != "" {
			n++
		}
	}
	return n
}
