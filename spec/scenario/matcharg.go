package scenario

import "fmt"

// arg matches one argument of a kind and adds it to a.
func (m *matcher) arg(c *cursor, got *call, a *arg, in Where) bool {
	m.want(c, want{arg: a.kind, call: got, label: a.label})
	if a.kind == aOptions {
		return m.options(c, got, a, in)
	}
	if c.block() != nil {
		m.wrong(c, argWords[a.kind])
		return false
	}
	var ok bool
	switch a.kind {
	case aExpr:
		start := c.i
		a.expr, ok = m.expr(c, 1, 0)
		a.toks = c.since(start)
		return ok
	case aProp:
		a.prop, ok = m.prop(c)
		return ok
	case aMRs:
		return m.bracketed(c, a)
	case aAllow:
		return m.allow(c, a)
	case aOpcode:
		return m.opcode(c, a, in)
	case aDecl:
		return m.declaration(c, a, in)
	case aBindings:
		return m.bindings(c, a)
	case aAxes:
		return m.axes(c, a)
	}
	return m.token(c, a)
}

// token matches an argument that is a single token.
func (m *matcher) token(c *cursor, a *arg) bool {
	t := c.peek()
	ok := t.Kind == Word
	switch a.kind {
	case aName, aWR, aAs, aAsCQ, aLock, aMessage:
		if ok && !m.newName(c, a.kind) {
			return false
		}
	case aString:
		ok = t.Kind == String
	case aInt, aValue:
		ok = ok || t.Kind == Int
		if t.is("-") && c.i+1 < len(c.items) && c.items[c.i+1].Tok.Kind == Int {
			c.take()
			n := c.take()
			n.Text, n.Pos, n.Off, n.chars = "-"+n.Text, t.Pos, t.Off, n.chars+1
			a.toks = append(a.toks, n)
			return true
		}
	case aState, aEvent, aType, aAccess, aVerdict:
		if ok && !m.fromTable(c, a.kind) {
			return false
		}
	}
	if !ok {
		m.wrong(c, argWords[a.kind])
		return false
	}
	a.toks = append(a.toks, c.take())
	return true
}

// newName checks that a word is fit to be a name.
func (m *matcher) newName(c *cursor, kind argKind) bool {
	t := c.peek()
	for i := 0; i < len(t.Text); i++ {
		if t.Text[i] == '.' {
			m.fail(t, fmt.Sprintf("`%s` is not a name", t.Text), "", "a name without dots", "")
			return false
		}
	}
	if reserved(t.Text) {
		m.wrong(c, argWords[kind])
		return false
	}
	return true
}

// reserved reports whether the language keeps a word for itself: a name like
// it could not be told from it where names and words meet.
func reserved(w string) bool {
	if lookup(AsOpcode|AsStatus|AsWCOpcode|AsState|AsClass|AsEvent|AsAccess|InExpr, w) != nil {
		return true
	}
	if r := lookup(InSend|InNotify, w); r != nil && r.Usage == "" {
		return true
	}
	switch w {
	case "expect", "else", "in", "as", "on", "main":
		return true
	}
	return false
}

// fromTable checks a word against the table for its kind; a param may stand
// for it.
func (m *matcher) fromTable(c *cursor, kind argKind) bool {
	t := c.peek()
	place := argPlaces[kind]
	if r := lookup(place, t.Text); r != nil {
		c.items[c.i].Tok.Text = r.Word
		return true
	}
	if m.params[t.Text] && kind != aVerdict {
		return true
	}
	m.fail(t, fmt.Sprintf("`%s` is not %s", t.Text, argWords[kind]), "", "", suggest(t.Text, words(place), "choose from"))
	return false
}

// bracketed matches "[ a, b ]".
func (m *matcher) bracketed(c *cursor, a *arg) bool {
	if !c.peek().is("[") {
		m.wrong(c, argWords[a.kind])
		return false
	}
	c.take()
	for {
		m.want(c, want{arg: aMR})
		if t := c.peek(); t.Kind != Word {
			m.wrong(c, "an mr")
			return false
		}
		a.toks = append(a.toks, c.take())
		if c.peek().is("]") {
			c.take()
			return true
		}
		if !c.peek().is(",") {
			m.wrong(c, "`,` or `]`")
			return false
		}
		c.take()
	}
}

// allow matches NAME or NAME(KIND) and makes one token of it.
func (m *matcher) allow(c *cursor, a *arg) bool {
	t := c.peek()
	if t.Kind != Word {
		m.wrong(c, argWords[aAllow])
		return false
	}
	c.take()
	if c.peek().is("(") {
		c.take()
		m.want(c, want{arg: aAllow, label: t.Text})
		kind := c.peek()
		if kind.Kind != Word {
			m.wrong(c, "a word")
			return false
		}
		c.take()
		if !c.peek().is(")") {
			m.wrong(c, "`)`")
			return false
		}
		end := c.take()
		t.Text = t.Text + "(" + kind.Text + ")"
		t.End, t.chars = end.End, end.Pos.Col-t.Pos.Col+1
	}
	a.toks = append(a.toks, t)
	return true
}

// opcode matches an opcode with its arguments.
func (m *matcher) opcode(c *cursor, a *arg, in Where) bool {
	t := c.peek()
	row := lookup(AsOpcode, t.Text)
	if t.Kind != Word || row == nil {
		if near := nearest(t.Text, words(AsOpcode)); t.Kind == Word && (near != "" || !reserved(t.Text)) {
			m.fail(t, fmt.Sprintf("no opcode `%s`", t.Text), "", "", suggest(t.Text, words(AsOpcode), "opcodes"))
			return false
		}
		m.wrong(c, argWords[aOpcode])
		return false
	}
	c.take()
	op := m.call(c, row, t, in)
	if op == nil {
		return false
	}
	a.toks = append(a.toks, t)
	a.calls = append(a.calls, op)
	return true
}

// options matches the options of a row in any order.
func (m *matcher) options(c *cursor, got *call, a *arg, in Where) bool {
	for !c.done() && c.block() == nil {
		m.want(c, want{in: got.row.options, call: got, given: a.calls})
		t := c.peek()
		row := lookup(got.row.options, t.Text)
		if t.Kind != Word || row == nil {
			m.badOption(c, got)
			return false
		}
		for _, o := range a.calls {
			if o.row == row {
				m.fail(t, fmt.Sprintf("`%s` is given twice", t.Text), "", "", "")
				return false
			}
		}
		c.items[c.i].Tok.Text = row.Word
		c.take()
		o := m.call(c, row, t, in)
		if o == nil {
			return false
		}
		a.calls = append(a.calls, o)
	}
	return true
}

func (m *matcher) badOption(c *cursor, got *call) {
	t := c.peek()
	switch list := words(got.row.options); {
	case t.Kind != Word:
		m.extra(c, got.row)
	case lookup(InSend, t.Text) != nil && lookup(InSend, t.Text).Usage == "" && got.row.options == InRecv:
		m.fail(t, fmt.Sprintf("`%s` is a flag of sends", t.Text), "", "", "receives always get a CQE (F2.10)")
	case isStatement(t.Text) && nearest(t.Text, list) == "":
		m.extra(c, got.row)
	default:
		m.fail(t, fmt.Sprintf("`%s` has no option `%s`", got.row.Word, t.Text), "", "", suggest(t.Text, list, "options"))
	}
}

// declaration matches the rest of a statement as a declaration.
func (m *matcher) declaration(c *cursor, a *arg, in Where) bool {
	t := c.peek()
	row := lookup(in, t.Text)
	if t.Kind != Word || row == nil || row.declares == 0 || row.declares == symProp || row.declares == symParam {
		m.wrong(c, "a declaration")
		return false
	}
	c.take()
	d := m.call(c, row, t, in)
	if d == nil {
		return false
	}
	a.calls = append(a.calls, d)
	return true
}

// bindings matches "x = v, y = w"; toks holds names and values in turn.
func (m *matcher) bindings(c *cursor, a *arg) bool {
	for {
		m.want(c, want{arg: aBindings})
		t := c.peek()
		if t.Kind != Word || c.block() != nil {
			m.wrong(c, "a param")
			return false
		}
		a.toks = append(a.toks, c.take())
		if !c.peek().is("=") {
			m.wrong(c, "`=`")
			return false
		}
		c.take()
		m.want(c, want{valueOf: t.Text})
		v := arg{kind: aValue}
		if !m.arg(c, nil, &v, 0) {
			return false
		}
		a.toks = append(a.toks, v.toks[0])
		if !c.peek().is(",") || c.block() != nil {
			return true
		}
		c.take()
	}
}

// axes matches "drop(ACK) 0..2, profile iba|arrival_order".
func (m *matcher) axes(c *cursor, a *arg) bool {
	for {
		m.want(c, want{arg: aAxes})
		t := c.peek()
		if t.Kind != Word {
			m.wrong(c, argWords[aAxes])
			return false
		}
		start := c.i
		var args []Token
		c.take()
		if c.peek().is("(") {
			for !c.done() && !c.peek().is(")") {
				m.want(c, want{arg: aClass})
				if t := c.take(); t.Kind == Word {
					args = append(args, t)
				}
			}
			if !c.peek().is(")") {
				m.wrong(c, "`)`")
				return false
			}
			c.take()
		}
		x := axis{tok: t, args: args, name: joinTokens(c.since(start))}
		if !m.axisValues(c, &x) {
			return false
		}
		a.axes = append(a.axes, x)
		if !c.peek().is(",") {
			return true
		}
		c.take()
	}
}

// axisValues matches "LO..HI" or "a|b|c".
func (m *matcher) axisValues(c *cursor, x *axis) bool {
	for {
		m.want(c, want{valueOf: x.name})
		v := arg{kind: aValue}
		if !m.arg(c, nil, &v, 0) {
			return false
		}
		x.values = append(x.values, v.toks[0])
		sep := c.peek()
		if !sep.is("|") && !sep.is("..") {
			return true
		}
		c.take()
		if sep.is("..") {
			return m.axisRange(c, x)
		}
	}
}

// axisRange writes out a range whose lower end was read.
func (m *matcher) axisRange(c *cursor, x *axis) bool {
	lo := x.values[len(x.values)-1]
	hi := c.peek()
	if lo.Kind != Int || hi.Kind != Int {
		m.wrong(c, "a number")
		return false
	}
	c.take()
	a, b := atoi(lo.Text), atoi(hi.Text)
	if b < a || b-a > 64 {
		m.fail(hi, fmt.Sprintf("range %d..%d", a, b), "", "a range that rises, by at most 64", "")
		return false
	}
	for n := a + 1; n <= b; n++ {
		v := lo
		v.Text = fmt.Sprint(n)
		x.values = append(x.values, v)
	}
	return true
}
