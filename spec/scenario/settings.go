package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// settings reads litmus, assume, faults and allow.
func (b *builder) settings(s *Stmt) {
	switch c := s.call; c.row.Word {
	case "litmus":
		b.litmus(c)
	case "assume":
		b.each(c.blocks()[0].block.Stmts, b.assume)
	case "faults":
		b.each(c.blocks()[0].block.Stmts, b.fault)
	case "allow":
		for _, t := range c.args[0].toks {
			b.allow(t)
		}
	}
}

func (b *builder) litmus(c *call) {
	b.sc.Name = c.args[0].toks[0].str()
	for _, s := range c.blocks()[0].block.Stmts {
		if s.call == nil || s.bad {
			continue
		}
		var words []string
		for _, t := range s.call.args[0].toks {
			if t.Kind == String {
				words = append(words, t.str())
			} else {
				words = append(words, t.Text)
			}
		}
		switch s.call.row.Word {
		case "doc":
			b.sc.Doc = strings.Join(words, " ")
		case "ref":
			b.sc.Refs = append(b.sc.Refs, words...)
		case "spec":
			b.sc.Clauses = append(b.sc.Clauses, words...)
		case "tags":
			b.sc.Tags = append(b.sc.Tags, words...)
		}
	}
}

// allow turns a sanitizer off. A name without its kind means every kind.
func (b *builder) allow(t Token) {
	names := withPrefix(words(AsAllow), t.Text+"(")
	if lookup(AsAllow, t.Text) != nil {
		names = []string{t.Text}
	}
	if len(names) == 0 {
		b.fail(t, fmt.Sprintf("no sanitizer `%s`", t.Text), "", "", suggest(t.Text, words(AsAllow), "sanitizers"))
	}
	for _, n := range names {
		if !slices.Contains(b.sc.Allows, n) {
			b.sc.Allows = append(b.sc.Allows, n)
		}
	}
}

// branches calls f for the statements of the branch that an if over params
// takes; the other branch is checked only.
func (b *builder) branches(s *Stmt, f func(*Stmt)) {
	cond := s.call.arg(aExpr).expr
	v, ok := b.constant(cond)
	if !ok {
		b.paramsOnly(cond)
	}
	for _, a := range s.call.blocks() {
		if taken := (v != 0) == (a.label != "else"); ok && taken {
			b.each(a.block.Stmts, f)
			continue
		}
		b.dead++
		b.each(a.block.Stmts, f)
		b.dead--
	}
}

// paramsOnly reports what in a condition is no param.
func (b *builder) paramsOnly(e *expr) {
	reported := false
	walkNames(e, func(x *expr) {
		if _, ok := b.params[x.tok.Text]; !ok && !reported && !b.excused(x.tok.Text, symParam) {
			b.fail(x.tok, fmt.Sprintf("no param named `%s`", x.tok.Text), "not declared", "", suggest(x.tok.Text, b.file.names(symParam), "params"))
			reported = true
		}
	})
	if !reported && !b.gone(symParam) {
		b.failExpr(e, "not an expression over params", "", "the choice is made before the run")
	}
}

// assume reads one dial, or an if.
func (b *builder) assume(s *Stmt) {
	c := s.call
	if c.row.Word == "if" {
		b.branches(s, b.assume)
		return
	}
	t := c.args[0].toks[0]
	value := t.Text
	if v, ok := b.params[t.Text]; ok {
		b.useParam(t)
		value = v.Text
	}
	if c.row.Word == "profile" {
		if lookup(AsProfile, value) == nil {
			b.fail(t, fmt.Sprintf("no profile `%s`", value), "", "", suggest(value, words(AsProfile), "profiles"))
			return
		}
	} else if !dialTakes(c.row.Word, value) {
		d := dial(c.row.Word)
		list := d.Values
		if d.Number {
			list = append([]string{"1, 2, 3 …"}, list...)
		}
		b.fail(t, fmt.Sprintf("%s is not `%s`", d.Name, value), "", "", suggest(value, list, "choose from"))
		return
	}
	if b.dead > 0 {
		return
	}
	if before, ok := b.dials[c.row.Word]; ok {
		b.fail(s.word(), fmt.Sprintf("`%s` is chosen twice", c.row.Word), fmt.Sprintf("also in line %d", before.Pos.Line), "", "")
		return
	}
	b.dials[c.row.Word] = s.word()
	if c.row.Word == "profile" {
		b.sc.Profile = value
	} else {
		b.sc.Dials[c.row.Word] = value
	}
}

func dial(name string) *spec.Dial {
	for i := range spec.Dials {
		if spec.Dials[i].Name == name {
			return &spec.Dials[i]
		}
	}
	return nil
}

// dialTakes reports whether a dial has a value.
func dialTakes(name, value string) bool {
	d := dial(name)
	if d == nil {
		return false
	}
	n := atoi(value)
	return slices.Contains(d.Values, value) || d.Number && n > 0 && n < 1000
}

// fault reads one budget, or an if.
func (b *builder) fault(s *Stmt) {
	c := s.call
	if c.row.Word == "if" {
		b.branches(s, b.fault)
		return
	}
	f := spec.Fault{Kind: c.row.Word, WR: -1, On: spec.QPRef{Node: -1, QP: -1}, Pos: s.word().Pos}
	t, _ := c.tok1(aInt)
	f.Max = b.int(t, &Row{lo: 0, hi: 99})
	var classes []Token
	for _, a := range c.args {
		switch a.kind {
		case aClass:
			classes = append(classes, a.toks[0])
		case aPeer:
			f.On.Node, f.On.QP = b.far(a.toks[0], symQP)
		}
	}
	if !b.classes(&f, classes) || b.dead > 0 {
		return
	}
	for _, old := range b.sc.Faults {
		if old.Kind == f.Kind && old.Class == f.Class && old.Other == f.Other && old.WR == f.WR && old.On == f.On {
			b.fail(s.word(), "this budget is given twice", fmt.Sprintf("also in line %d", old.Pos.Line), "", "")
			return
		}
	}
	b.sc.Faults = append(b.sc.Faults, f)
}

// classes resolves what a budget is about: packet classes, or a WR, whose
// request packets are meant.
func (b *builder) classes(f *spec.Fault, toks []Token) bool {
	var names []string
	for _, t := range toks {
		t = b.meant(t)
		if t.Text = b.text(t); lookup(AsClass, t.Text) != nil {
			names = append(names, t.Text)
			continue
		}
		if f.Kind == "reorder" {
			b.fail(t, fmt.Sprintf("`%s` is not a packet class", t.Text), "", "", suggest(t.Text, words(AsClass), "packet classes"))
			return false
		}
		wr := b.findWR(t)
		if wr < 0 {
			return false
		}
		f.WR = wr
		names = append(names, "request")
	}
	if len(names) > 0 {
		f.Class = names[0]
	}
	if f.Kind == "reorder" {
		f.Other = names[len(names)-1]
	}
	return true
}

// findWR resolves the WR of a budget, -1 if there is none.
func (b *builder) findWR(t Token) int {
	node, name, qualified := strings.Cut(t.Text, ".")
	var found, all []string
	wr := -1
	parts := segments(t)
	for _, nb := range b.nodes {
		local := t.Text
		if qualified && nb.scope.name == node {
			local = name
		}
		all = append(all, nb.scope.names(symWR)...)
		if y := nb.scope.syms[local]; y != nil && y.kind == symWR {
			wr = y.index
			b.use(parts[len(parts)-1], y)
			if qualified {
				b.use(parts[0], b.file.syms[node])
			}
			found = append(found, "`"+nb.scope.name+"."+y.name+"`")
		}
	}
	switch {
	case len(found) > 1:
		b.fail(t, fmt.Sprintf("`%s` is on %d nodes", t.Text, len(found)), "", "", "write "+strings.Join(found, " or "))
		return -1
	case wr < 0:
		if !b.excused(t.Text, symWR) {
			candidates := append(slices.Clone(words(AsClass)), all...)
			b.fail(t, fmt.Sprintf("`%s` is neither a packet class nor a WR", t.Text), "not declared", "", suggest(t.Text, candidates, "choose from"))
		}
		return -1
	case b.sc.WRs[wr].Recv:
		b.fail(t, fmt.Sprintf("`%s` is a receive and has no packets", t.Text), "", "", "")
		return -1
	}
	return wr
}
