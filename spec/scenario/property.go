package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// uniqueNames gives WRs of one name on several nodes the node's name too.
func (b *builder) uniqueNames() {
	count := map[string]int{}
	for _, w := range b.sc.WRs {
		count[w.Name]++
	}
	for i := range b.sc.WRs {
		if w := &b.sc.WRs[i]; count[w.Name] > 1 {
			w.Name = b.sc.Nodes[w.Node].Name + "." + w.Name
		}
	}
}

// properties reads assert and reach.
func (b *builder) properties(s *Stmt) {
	c := s.call
	name := c.args[0].toks[0]
	if b.declare(b.file, name, symProp, len(b.sc.Asserts)+len(b.sc.Reaches)) == nil {
		return
	}
	p := spec.Property{Name: b.text(name), Pos: name.Pos, ExpectFaults: -1}
	env := &exprEnv{}
	if a := c.arg(aProp); a != nil {
		p.Kind, p.Text = a.prop.kind, b.joined(a.prop.text)
		p.L = b.expr(a.prop.left, env, tBool)
		if a.prop.right != nil {
			p.R = b.expr(a.prop.right, env, tBool)
		}
	} else {
		a := c.arg(aExpr)
		p.Kind, p.Text = spec.PropReach, b.joined(a.toks)
		p.L = b.expr(a.expr, env, tBool)
	}
	b.expect(&p, c, c.row.Word)
	p.Allow = replaced(&p)
	if c.row.Word == "reach" {
		b.sc.Reaches = append(b.sc.Reaches, p)
	} else {
		b.sc.Asserts = append(b.sc.Asserts, p)
	}
}

// joined writes tokens as fmt does, with the number of `*` in place.
func (b *builder) joined(toks []Token) string {
	out := slices.Clone(toks)
	for i := range out {
		out[i].Text = b.text(out[i])
	}
	return joinTokens(out)
}

// expect reads the expected verdict of a property, given at itself or in a
// check with.
func (b *builder) expect(p *spec.Property, c *call, kind string) {
	a := c.arg(aVerdict)
	if a == nil {
		return
	}
	t := a.toks[0]
	fits := []string{"holds", "violated", "unknown"}
	breaks := "violated"
	if kind == "reach" {
		fits, breaks = []string{"reachable", "unreachable", "unknown"}, "reachable"
	}
	if !slices.Contains(fits, t.Text) {
		b.fail(t, fmt.Sprintf("%s is not `%s`", map[string]string{"assert": "an assert", "reach": "a reach"}[kind], t.Text), "", strings.Join(fits, ", "), "")
		return
	}
	p.Expect, p.ExpectFaults = t.Text, -1
	if n := c.after("faults"); n != nil {
		if t.Text != breaks {
			b.fail(n.toks[0], fmt.Sprintf("`faults` after `%s`", t.Text), "", "", fmt.Sprintf("only `%s` has a run to count faults of", breaks))
			return
		}
		p.ExpectFaults = b.int(n.toks[0], c.row)
	}
}

// replaced lists the sanitizers that a property stands in for: those it asks
// about.
func replaced(p *spec.Property) []string {
	var out []string
	for _, side := range []*spec.Expr{p.L, p.R} {
		walkExpr(side, func(x *spec.Expr) {
			a := x.Atom
			about := a.Kind == spec.AtomHCAAccess || a.Kind == spec.AtomOverflow || a.Kind == spec.AtomSanitizer
			if x.Op == spec.ExprAtom && about && !slices.Contains(out, a.Text) {
				out = append(out, a.Text)
			}
		})
	}
	return out
}

// expectations applies the verdicts of the variant being built, and checks
// those of all variants.
func (b *builder) expectations() {
	for _, s := range b.f.all {
		if s.call == nil || s.bad || s.call.row.Word != "check" {
			continue
		}
		b.bindings(s.call)
		seen := map[string]int{}
		for _, e := range s.call.blocks()[0].block.Stmts {
			t := e.word()
			if line, twice := seen[t.Text]; twice {
				b.fail(t, fmt.Sprintf("`%s` has a verdict already", t.Text), fmt.Sprintf("also in line %d", line), "", "")
			}
			seen[t.Text] = t.Pos.Line
			if e.call == nil || e.bad {
				continue
			}
			p, kind := b.property(t.Text)
			if p == nil {
				b.undeclared(b.file, t, symProp)
				continue
			}
			b.use(t, b.file.syms[t.Text])
			if s == b.variant {
				b.expect(p, e.call, kind)
			} else {
				scratch := *p
				b.expect(&scratch, e.call, kind)
			}
		}
	}
}

// bindings checks the params of a check with.
func (b *builder) bindings(c *call) {
	toks := c.arg(aBindings).toks
	for i := 0; i < len(toks); i += 2 {
		v, ok := b.params[toks[i].Text]
		b.useParam(toks[i])
		switch {
		case !ok:
			b.undeclared(b.file, toks[i], symParam)
		case kindOfValue(v) != kindOfValue(toks[i+1]):
			b.fail(toks[i+1], fmt.Sprintf("param `%s` is %s, not %s", toks[i].Text, kindOfValue(v), kindOfValue(toks[i+1])), "", kindOfValue(v), "")
		}
	}
}

// takes reports whether the file has the params of a variant.
func (b *builder) takes(v Variant) bool {
	for name, value := range v.Params {
		p, ok := b.params[name]
		t := Token{Kind: Word, Text: value}
		if _, err := strconv.Atoi(value); err == nil {
			t.Kind = Int
		}
		if !ok || kindOfValue(p) != kindOfValue(t) {
			return false
		}
	}
	return true
}

// property finds a property by name, nil if there is none.
func (b *builder) property(name string) (*spec.Property, string) {
	for i := range b.sc.Asserts {
		if b.sc.Asserts[i].Name == name {
			return &b.sc.Asserts[i], "assert"
		}
	}
	for i := range b.sc.Reaches {
		if b.sc.Reaches[i].Name == name {
			return &b.sc.Reaches[i], "reach"
		}
	}
	return nil, ""
}
