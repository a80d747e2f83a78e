package scenario

import "github.com/ibcheck/ibcheck/spec"

// A Spot is what stands at a position: a name, or a word of the tables.
type Spot struct {
	Pos  spec.Pos
	Len  int   // characters
	Name *Name // nil if it is no name
	Row  *Row  // nil if it is no word of the tables
}

// At returns what stands at a position, or just before it. ok is false where
// neither a name nor a word of the tables stands.
func (f *File) At(p spec.Pos) (s Spot, ok bool) {
	if n := f.NameAt(p); n != nil {
		return Spot{Pos: n.Pos, Len: n.Len, Name: n}, true
	}
	covers := func(t Token) bool {
		return t.Pos.File == p.File && t.Pos.Line == p.Line && t.Pos.Col <= p.Col && p.Col <= t.Pos.Col+t.chars
	}
	for _, w := range f.look().words {
		if covers(w.tok) {
			return Spot{Pos: w.tok.Pos, Len: w.tok.chars, Row: w.row}, true
		}
	}
	eachWord(f.all, func(t Token, r *Row) {
		if !ok && covers(t) {
			s, ok = Spot{Pos: t.Pos, Len: t.chars, Row: r}, true
		}
	})
	return s, ok
}

// eachWord calls f for every word of the tables that stands in statements.
func eachWord(stmts []*Stmt, f func(Token, *Row)) {
	for _, s := range stmts {
		if s.call != nil {
			s.call.eachWord(f)
			continue
		}
		if r := lookup(s.in, s.word().Text); r != nil {
			f(s.word(), r)
		}
		for _, it := range s.Items {
			if it.Block != nil {
				eachWord(it.Block.Stmts, f)
			}
		}
	}
}

func (c *call) eachWord(f func(Token, *Row)) {
	f(c.tok, c.row)
	for i := range c.args {
		c.args[i].eachWord(c.row, f)
	}
}

// eachWord of an argument: of the row r whose argument it is.
func (a *arg) eachWord(r *Row, f func(Token, *Row)) {
	if a.block != nil {
		eachWord(a.block.Stmts, f)
	}
	for _, c := range a.calls {
		c.eachWord(f)
	}
	for _, x := range a.axes {
		if row := lookup(InFaults|InAssume, x.tok.Text); row != nil {
			f(x.tok, row)
		}
	}
	in := argPlaces[a.kind]
	toks := a.toks
	switch a.kind {
	case aOpcode:
		return // the call says it
	case aClass:
		in = AsClass
	case aAllow:
		in = AsAllow
	case aExpr:
		in = InExpr
	case aProp:
		in, toks = InExpr, a.prop.text
	case aValue:
		if r.Word == "profile" {
			in = AsProfile
		}
	}
	for _, t := range toks {
		if row := lookup(in, t.Text); row != nil && t.Kind == Word {
			f(t, row)
		}
	}
}
