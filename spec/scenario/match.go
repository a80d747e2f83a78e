package scenario

import (
	"fmt"
	"strings"
)

// A call is a statement, option or opcode with what the tables make of it.
type call struct {
	row  *Row
	tok  Token
	args []arg
}

// An arg is one argument of a call. Which fields are set follows from its
// kind; a block has the kind "".
type arg struct {
	kind  argKind
	label string // the literal before it: "else", "faults", "on"
	toks  []Token
	expr  *expr
	prop  *prop
	block *Block
	where Where   // of a block: where its statements stand
	calls []*call // aOptions: the options; aOpcode: the opcode; aDecl: the declaration
	axes  []axis
}

// An axis is one thing that vary varies.
type axis struct {
	tok    Token   // its first token
	args   []Token // words in its parentheses
	name   string
	values []Token
}

// arg returns the first argument of a kind, nil if there is none.
func (c *call) arg(kind argKind) *arg {
	for i := range c.args {
		if c.args[i].kind == kind {
			return &c.args[i]
		}
	}
	return nil
}

// after returns the argument after a literal, nil if there is none.
func (c *call) after(label string) *arg {
	for i := range c.args {
		if c.args[i].label == label {
			return &c.args[i]
		}
	}
	return nil
}

// tok1 returns the first token of the first argument of a kind.
func (c *call) tok1(kind argKind) (Token, bool) {
	if a := c.arg(kind); a != nil && len(a.toks) > 0 {
		return a.toks[0], true
	}
	return Token{}, false
}

// blocks returns the block arguments in order.
func (c *call) blocks() []*arg {
	var out []*arg
	for i := range c.args {
		if c.args[i].block != nil {
			out = append(out, &c.args[i])
		}
	}
	return out
}

// A cursor walks over the items of a statement.
type cursor struct {
	items []Item
	i     int
	end   Token // stands for the end of the statement
}

func (c *cursor) peek() Token {
	if c.i < len(c.items) {
		return c.items[c.i].Tok
	}
	return c.end
}

func (c *cursor) block() *Block {
	if c.i < len(c.items) {
		return c.items[c.i].Block
	}
	return nil
}

func (c *cursor) done() bool { return c.i >= len(c.items) }

func (c *cursor) take() Token {
	t := c.peek()
	if c.i < len(c.items) {
		c.i++
	}
	return t
}

// since returns the tokens taken from item i on.
func (c *cursor) since(i int) []Token {
	var out []Token
	for _, it := range c.items[i:c.i] {
		out = append(out, it.Tok)
	}
	return out
}

// A matcher lays the tables over statements.
type matcher struct {
	c      *collector
	params map[string]bool // names of params, which may stand for words of a table
	quiet  bool            // report nothing: the statement had a mistake already
	wants  *[]want         // what is wanted at the cursor, nil if nobody asks
	beside []*Stmt         // the statements of the block being matched
}

// fail reports a mistake at a token.
func (m *matcher) fail(t Token, msg, found, wanted, help string) {
	if !m.quiet {
		m.c.at(t, msg, found, wanted, help)
	}
}

// wrong reports that something else stands where wanted should.
func (m *matcher) wrong(c *cursor, wanted string) {
	if c.done() {
		t := c.items[len(c.items)-1].Tok
		if b := c.items[len(c.items)-1].Block; b != nil {
			t = b.Close
		}
		m.fail(t, fmt.Sprintf("`%s` lacks %s", c.items[0].Tok.Text, wanted), "", wanted+" after this", "")
		return
	}
	t := c.peek()
	m.fail(t, fmt.Sprintf("%s where %s should stand", t, wanted), described(t), wanted, "")
}

// described says what a token is, with its role if the language has one for it.
func described(t Token) string {
	for _, role := range []struct {
		in   Where
		name string
	}{{AsOpcode, "the opcode"}, {AsStatus, "the status"}, {AsClass, "the packet class"}} {
		if t.Kind == Word && lookup(role.in, t.Text) != nil {
			return role.name + " " + t.String()
		}
	}
	return t.String()
}

// block matches the statements of a block or file.
func (m *matcher) block(stmts []*Stmt, in Where) {
	seen := map[*Row]Token{}
	for _, s := range stmts {
		m.beside = stmts
		m.stmt(s, in)
		if s.bad || s.call.row.flags&many != 0 || in&(InProgram|InNode) != 0 {
			continue
		}
		if before, ok := seen[s.call.row]; ok {
			m.fail(s.word(), fmt.Sprintf("`%s` is given twice", s.word().Text), fmt.Sprintf("also in line %d", before.Pos.Line), "", "")
		}
		seen[s.call.row] = s.word()
	}
}

// stmt matches one statement. If that fails, its blocks are matched all the
// same where it is clear what they are.
func (m *matcher) stmt(s *Stmt, in Where) {
	s.in = in
	m.want(&cursor{items: s.Items}, want{in: in, beside: m.beside})
	row, sure := m.row(s.word(), in)
	if row == nil {
		s.bad, s.unclear = true, true
		return
	}
	if in == InNode && row.In&InNode == 0 {
		in = InProgram
	}
	quiet := m.quiet
	m.quiet = quiet || s.bad || !sure
	c := &cursor{items: s.Items, i: 1, end: Token{Kind: EOF, Pos: s.last().Pos}}
	got := m.call(c, row, s.word(), in)
	s.bad = s.bad || got == nil || !sure
	s.unclear = s.unclear || !sure
	s.matched = c.i
	clear := len(s.Items)
	if !c.done() && got != nil {
		m.extra(c, row)
		s.bad, s.unclear, clear = true, true, c.i
		got = nil
	}
	m.quiet = quiet
	s.call = got
	if row.Word != "PROPERTY" && sure {
		s.Items[0].Tok.Text = row.Word
	}
	m.inner(s, s.Items[:clear], row, in)
}

// inner matches the blocks among the items of a statement.
func (m *matcher) inner(s *Stmt, items []Item, row *Row, in Where) {
	body := bodyOf(row, in)
	if s.call != nil {
		if a := s.call.arg(aDecl); a != nil { // its blocks are the declaration's
			body = bodyOf(a.calls[0].row, in)
		}
	}
	for i, it := range items {
		if it.Block != nil {
			m.block(it.Block.Stmts, body)
		} else if i > 0 && it.Tok.is("if") && s.Items[i-1].Tok.is("else") {
			if s.call == nil {
				continue
			}
			return // the blocks are those of the statement made of "else if"
		}
	}
}

// bodyOf returns where the statements in a row's blocks stand.
func bodyOf(row *Row, in Where) Where {
	if row.body != 0 {
		return row.body
	}
	if in == InNode {
		return InProgram
	}
	return in
}

// row finds the row of a statement's word. If there is none it says so and
// returns the row that was probably meant, and false.
func (m *matcher) row(t Token, in Where) (*Row, bool) {
	places := in
	if in == InNode {
		places |= InProgram
	}
	if r := lookup(in, t.Text); r != nil && r.Word != "PROPERTY" {
		return r, true
	}
	if r := lookup(places, t.Text); r != nil && r.Word != "PROPERTY" {
		return r, true
	}
	if in == InVariant {
		return lookup(InVariant, "PROPERTY"), true
	}
	if why, ok := notModelled[t.Text]; ok {
		m.fail(t, fmt.Sprintf("`%s` has no meaning here", t.Text), "", "", why)
		return nil, false
	}
	if other := byWord[t.Text]; len(other) > 0 && other[0].In&(AsOpcode|InExpr) == 0 {
		m.fail(t, fmt.Sprintf("`%s` does not stand %s", t.Text, in), "", "", fmt.Sprintf("`%s` stands %s", t.Text, other[0].In))
		return nil, false
	}
	m.fail(t, fmt.Sprintf("no statement `%s` %s", t.Text, in), "", "", suggest(t.Text, words(places), "statements"))
	if len(t.Text) < 3 {
		return nil, false // too short to guess from
	}
	return lookup(places, nearest(t.Text, words(places))), false
}

// notModelled are names of verbs that programmers will look for, and why the
// language does without.
var notModelled = map[string]string{
	"sq_psn": "PSNs count from 0 on every QP", "rq_psn": "PSNs count from 0 on every QP", "dest_qp_num": "`connect` pairs the QPs",
	"qp_num": "a QP is known by its name", "wr_id": "a WR is known by its name", "max_send_sge": "an sg list has any length",
	"max_recv_sge": "an sg list has any length", "max_inline_data": "INLINE is always possible", "port_num": "there is one path",
	"ah_attr": "there is one path", "pkey_index": "there is one path", "qp_access_flags": "the access flags of the mr decide",
	"pd": "a node has one protection domain", "alloc_pd": "a node has one protection domain", "open_device": "a node has one HCA",
	"create_cq": "declare it: `cq NAME`", "create_srq": "declare it: `srq NAME`", "imm_data": "immediate data has no value here",
}

// extra reports what stands after the end of a complete statement.
func (m *matcher) extra(c *cursor, row *Row) {
	t := c.peek()
	help := "usage: " + usage(row)
	if near := nearest(t.Text, joining); near != "" && t.Kind == Word && len(t.Text) > 3 {
		help = "did you mean `" + near + "`?"
	} else if t.Kind == Word && isStatement(t.Text) && c.i > 0 {
		help = "a statement ends with its line or `;`"
	}
	m.fail(t, fmt.Sprintf("%s after the end of the statement", t), "", "", help)
}

// joining are the words that go on with a statement.
var joining = []string{"precedes", "leadsto", "until", "since", "expect", "else", "faults"}

// usage shows how a row is written.
func usage(r *Row) string { return strings.TrimSpace(r.Word + " " + r.Usage) }

// call matches the arguments of a row.
func (m *matcher) call(c *cursor, row *Row, tok Token, in Where) *call {
	got := &call{row: row, tok: tok}
	if !m.seq(c, got, row.pattern, "", in) {
		return nil
	}
	return got
}

// seq matches a sequence of elements; label is the literal before it.
func (m *matcher) seq(c *cursor, got *call, pattern []element, label string, in Where) bool {
	for _, e := range pattern {
		switch {
		case e.opt != nil:
			for m.starts(c, e.opt[0]) {
				if !m.seq(c, got, e.opt, "", in) {
					return false
				}
				if !e.rep {
					break
				}
			}
		case e.lit != "":
			m.want(c, want{lit: e.lit})
			if !c.peek().is(e.lit) || c.block() != nil {
				m.wrong(c, "`"+e.lit+"`")
				return false
			}
			c.take()
			label = e.lit
			continue
		case e.block:
			if !m.blockArg(c, got, label, in) {
				return false
			}
		default:
			if !m.args(c, got, e, label, in) {
				return false
			}
		}
		label = ""
	}
	return true
}

// starts reports whether an optional group begins here.
func (m *matcher) starts(c *cursor, e element) bool {
	if e.lit != "" {
		m.want(c, want{lit: e.lit})
	}
	switch {
	case c.done():
		return false
	case e.block:
		return c.block() != nil
	case e.lit != "":
		return c.block() == nil && c.peek().is(e.lit)
	}
	t := c.peek()
	return c.block() == nil && (t.Kind == Int || t.Kind == Word)
}

// blockArg takes a block. "else if" counts as "else { if … }".
func (m *matcher) blockArg(c *cursor, got *call, label string, in Where) bool {
	a := arg{label: label, where: bodyOf(got.row, in)}
	if label == "else" {
		m.want(c, want{lit: "if"})
	}
	if label == "else" && c.peek().is("if") {
		nested := &Stmt{Items: c.items[c.i:]}
		c.i = len(c.items)
		m.stmt(nested, in)
		a.block = &Block{Open: nested.word(), Close: nested.last(), Stmts: []*Stmt{nested}}
		got.args = append(got.args, a)
		return true
	}
	if a.block = c.block(); a.block == nil {
		m.wrong(c, "`{`")
		return false
	}
	c.take()
	got.args = append(got.args, a)
	return true
}

// args matches an argument or a list of them.
func (m *matcher) args(c *cursor, got *call, e element, label string, in Where) bool {
	a := arg{kind: e.arg, label: label}
	for {
		if !m.arg(c, got, &a, in) {
			return false
		}
		sep := c.peek()
		if !e.list || !(sep.is(",") || sep.is("|") && a.kind == aAccess || a.kind == aString && sep.Kind == String) || c.block() != nil {
			got.args = append(got.args, a)
			return true
		}
		if sep.Kind != String {
			c.items[c.i].Tok.Text = ","
			c.take()
		}
	}
}
