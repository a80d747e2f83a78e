package scenario

import "github.com/ibcheck/ibcheck/spec"

// A Symbol is an entry of a file's outline: a statement that declares something
// or holds such statements.
type Symbol struct {
	Name     string   // "S1"; of what has no name, its words: "connect host.q <-> target.q"
	Word     string   // its statement's: "node", "post_send", "assert"
	Detail   string   // what else its line says: "SEND on q", of a property its text
	Pos, End spec.Pos // of the whole statement; End is after its last character
	NamePos  spec.Pos // of Name in it
	NameLen  int      // characters
	Inner    []Symbol
}

// Outline returns what a file declares, in the order of the text, without what
// it imports. A file with mistakes has one too, as far as it can be read.
func (f *File) Outline() []Symbol {
	f.look() // lays the tables over a file whose brackets do not match
	return outline(f.Stmts)
}

// outlined are the statements without a name that an outline shows.
var outlined = "litmus connect check assume faults allow vary import on"

func outline(stmts []*Stmt) []Symbol {
	var out []Symbol
	for _, s := range stmts {
		var inner []Symbol
		for _, it := range s.Items {
			if it.Block != nil && (s.call == nil || !contains("litmus assume faults cq qp srq mr check", s.call.row.Word) || s.in == InProgram) {
				inner = append(inner, outline(it.Block.Stmts)...)
			}
		}
		own := symbolsOf(s)
		if len(own) == 0 { // an if, a loop: show what it holds
			out = append(out, inner...)
			continue
		}
		own[0].Inner = inner
		out = append(out, own...)
	}
	return out
}

// symbolsOf returns the symbols of one statement, one for each name that it
// declares.
func symbolsOf(s *Stmt) []Symbol {
	last := s.last()
	y := Symbol{Word: s.word().Text, Pos: s.word().Pos, End: last.Pos, NamePos: s.word().Pos}
	y.End.Col += last.chars
	if s.call == nil {
		return nil
	}
	call := s.call
	if a := call.arg(aDecl); a != nil {
		call = a.calls[0]
		y.Word, y.Detail = call.row.Word, "replicated"
	}
	var names []Token
	switch {
	case losses[call.row.Word] == symWR:
		names = call.arg(aWR).toks
		y.Detail = postText(call)
	case call.row.declares == symProp:
		names = call.arg(aName).toks
		y.Detail = propertyText(call)
	case call.row.declares != symNone:
		names = call.arg(aName).toks
	case contains(outlined, call.row.Word) && s.in != InProgram:
		y.Name, y.NameLen = joinTokens(s.ownTokens()), s.word().chars
		return []Symbol{y}
	}
	var out []Symbol
	for _, t := range names {
		one := y
		one.Name, one.NamePos, one.NameLen = t.Text, t.Pos, t.chars
		out = append(out, one)
	}
	return out
}

// propertyText writes what an assert or reach asks.
func propertyText(c *call) string {
	if a := c.arg(aProp); a != nil {
		return joinTokens(a.prop.text)
	}
	return joinTokens(c.arg(aExpr).toks)
}

// postText says what a post posts, and where to.
func postText(c *call) string {
	text := c.row.Word + " " + c.args[0].toks[0].Text
	if op := c.arg(aOpcode); op != nil {
		text = op.toks[0].Text + " on " + c.args[0].toks[0].Text
	}
	return text
}

// ownTokens returns the tokens of a statement outside of its blocks.
func (s *Stmt) ownTokens() []Token {
	var out []Token
	for _, it := range s.Items {
		if it.Block == nil {
			out = append(out, it.Tok)
		}
	}
	return out
}
