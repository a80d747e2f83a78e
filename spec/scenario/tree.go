package scenario

import "fmt"

// A Stmt is a statement: a word, and the tokens and blocks after it. It is
// what the first phase reads; Row and the rest are the second's.
type Stmt struct {
	Items []Item
	lead  []comment // on the lines before it
	trail *comment  // at the end of its last line
	blank bool      // a blank line stands before it and its leading comments

	in   Where // where it stands
	call *call // what the tables make of it; nil before the second phase
	bad  bool  // has a mistake that was reported: nothing it lacks is reported again

	unclear bool // bad, and it is not even clear what statements it is
	matched int  // items of a bad statement that were as they should be
}

// An Item is a token of a statement or, if Block is not nil, a block.
type Item struct {
	Tok   Token // of a block, its opening brace
	Block *Block
}

// A Block is a sequence of statements in braces.
type Block struct {
	Open, Close Token
	Stmts       []*Stmt
	first       *comment  // on the line of the opening brace
	tail        []comment // before the closing brace
}

// word returns the first token.
func (s *Stmt) word() Token { return s.Items[0].Tok }

// last returns the last token, the closing brace if the statement ends in a
// block.
func (s *Stmt) last() Token {
	it := s.Items[len(s.Items)-1]
	if it.Block != nil {
		return it.Block.Close
	}
	return it.Tok
}

// each calls f for every token of the statement, blocks included.
func (s *Stmt) each(f func(*Token)) {
	for i := range s.Items {
		if b := s.Items[i].Block; b != nil {
			for _, t := range b.Stmts {
				t.each(f)
			}
			continue
		}
		f(&s.Items[i].Tok)
	}
}

// walk calls f for the statement and those within.
func (s *Stmt) walk(f func(*Stmt)) {
	f(s)
	for _, it := range s.Items {
		if it.Block == nil {
			continue
		}
		for _, t := range it.Block.Stmts {
			t.walk(f)
		}
	}
}

// A parser is the first phase: it knows words, ends of lines and brackets.
type parser struct {
	l    *lexer
	c    *collector
	i    int     // next token
	com  int     // next comment
	lex  int     // next lexical error
	open []Token // of the blocks being read
	bad  bool    // brackets do not match: what they hold is judged no further
}

// parseTree reads a file into statements. ok is false when its brackets do
// not match; the statements are then a guess.
func parseTree(c *collector, name string, src []byte) (stmts []*Stmt, tail []comment, ok bool) {
	l := lex(c, name, src)
	p := &parser{l: l, c: c}
	for {
		more, end := p.stmts()
		stmts = append(stmts, more...)
		if p.peek().Kind == EOF {
			return stmts, end, !p.bad
		}
		p.stray(stmts)
	}
}

func (p *parser) peek() Token { return p.l.toks[p.i] }

// take returns the next token and moves on; EOF stays.
func (p *parser) take() Token {
	t := p.l.toks[p.i]
	if t.Kind != EOF {
		p.i++
	}
	return t
}

// stray reports a closing brace that closes nothing. Where a statement that
// needs a block lacks one, the mistake is there.
func (p *parser) stray(stmts []*Stmt) {
	t := p.take()
	if p.bad || p.l.broken {
		p.bad = true
		return
	}
	p.bad = true
	for i := len(stmts) - 1; i >= 0; i-- {
		s := stmts[i]
		if needsBlock(s) {
			last := s.last()
			p.c.at(last, fmt.Sprintf("no `{` after `%s`", s.word().Text), "", "`{` after this", "")
			return
		}
	}
	p.c.at(t, "`}` closes nothing", "", "", "")
}

// needsBlock reports whether a statement lacks the block that its word calls
// for wherever it stands.
func needsBlock(s *Stmt) bool {
	for _, it := range s.Items {
		if it.Block != nil {
			return false
		}
	}
	return alwaysBlock(s.word().Text)
}

// stmts reads statements up to a closing brace or the end, and the comments
// after the last of them.
func (p *parser) stmts() ([]*Stmt, []comment) {
	var out []*Stmt
	for {
		for p.peek().is(";") {
			p.take()
		}
		t := p.peek()
		if t.Kind == EOF || t.is("}") || p.runaway(t) {
			return out, p.comments(t.Off)
		}
		lead := p.comments(t.Off)
		s := p.stmt()
		if s == nil {
			continue
		}
		s.lead = lead
		s.blank = t.Blank
		if len(lead) > 0 {
			s.blank = lead[0].blank
		}
		out = append(out, s)
		p.trail(s)
	}
}

// runaway reports whether t, at the margin, begins a statement that no block
// holds: the block being read has lost its closing brace.
func (p *parser) runaway(t Token) bool {
	return len(p.open) > 0 && t.NL && t.Pos.Col == 1 && t.Kind == Word && topOnly(t.Text)
}

// comments takes the comments before offset off.
func (p *parser) comments(off int) []comment {
	var out []comment
	for p.com < len(p.l.comments) && p.l.comments[p.com].off < off {
		out = append(out, p.l.comments[p.com])
		p.com++
	}
	return out
}

// trail gives the comment on the line where s ends to s. One that stands in
// the middle of a statement goes there too.
func (p *parser) trail(s *Stmt) {
	end := p.l.toks[p.i-1].End
	for p.com < len(p.l.comments) {
		c := p.l.comments[p.com]
		inside := c.off < end
		if !inside && (c.own || c.off > p.peek().Off) {
			return
		}
		p.com++
		if s.trail == nil {
			s.trail = &c
			continue
		}
		joined := comment{text: s.trail.text + " " + c.text, off: s.trail.off}
		s.trail = &joined
	}
}

// stmt reads one statement, or reports what stands there instead of one and
// returns nil.
func (p *parser) stmt() *Stmt {
	if t := p.peek(); t.Kind != Word {
		if !p.bad {
			p.c.at(t, fmt.Sprintf("%s does not begin a statement", t), "", "a statement", "")
		}
		p.rest()
		return nil
	}
	for p.lex < len(p.l.bad) && p.l.bad[p.lex] < p.peek().Off {
		p.lex++
	}
	s := &Stmt{Items: []Item{{Tok: p.take()}}}
	var open []Token // brackets
	for {
		t := p.peek()
		ends := p.ends(t, len(open))
		for p.lex < len(p.l.bad) && p.l.bad[p.lex] < t.Off && !(ends && p.newline(p.l.bad[p.lex])) {
			s.bad = true
			p.lex++
		}
		if ends {
			p.finish(s, open)
			return s
		}
		if t.is("{") {
			s.Items = append(s.Items, Item{Tok: t, Block: p.block()})
			continue
		}
		if t.is("(") || t.is("[") {
			open = append(open, t)
		} else if n := len(open); n > 0 && (t.is(")") || t.is("]")) {
			open = open[:n-1]
		}
		s.Items = append(s.Items, Item{Tok: p.take()})
	}
}

// finish ends a statement. One that ends in an operator or within brackets, or
// begins with a word that continues a line, is a mistake whatever it is about:
// on lines of their own it and its neighbour would read as one.
func (p *parser) finish(s *Stmt, open []Token) {
	first, last := s.word(), s.last()
	switch {
	case s.bad:
	case continues[first.Text]:
		p.c.at(first, fmt.Sprintf("`%s` does not begin a statement", first.Text), "", "a statement", "")
		s.bad = true
	case len(open) > 0:
		t := open[len(open)-1]
		p.c.at(t, fmt.Sprintf("`%s` is never closed", t.Text), "", map[string]string{"(": "`)`", "[": "`]`"}[t.Text], "")
		s.bad = true
	case p.peek().is(";") && p.hangs(last):
		p.c.at(last, fmt.Sprintf("nothing after `%s`", last.Text), "the end of the statement", "", "")
		s.bad = true
	}
	if p.peek().is(";") {
		p.take()
	}
}

// hangs reports whether a line goes on after a token.
func (p *parser) hangs(t Token) bool {
	if t.Kind == Op {
		return !t.is("}") && !t.is(")") && !t.is("]")
	}
	return t.Kind == Word && goesOn[t.Text]
}

// newline reports whether a line ends between offset off and the token before
// the next one.
func (p *parser) newline(off int) bool {
	for i := p.l.toks[p.i-1].End; i < off && i < len(p.l.src); i++ {
		if p.l.src[i] == '\n' {
			return true
		}
	}
	return false
}

// rest skips a statement that could not be read.
func (p *parser) rest() {
	for first := true; first || !p.ends(p.peek(), 0); first = false {
		if p.peek().is("{") {
			p.bad = true
			p.block()
		} else {
			p.take()
		}
	}
}

// goesOn are the words and operators after which a line goes on.
var goesOn = map[string]bool{"and": true, "or": true, "not": true, "precedes": true, "leadsto": true, "until": true, "since": true}

// continues are the words with which a line continues the one before.
var continues = map[string]bool{"and": true, "or": true, "else": true, "precedes": true, "leadsto": true, "until": true, "since": true, "expect": true}

// ends reports whether the statement being read ends before t.
func (p *parser) ends(t Token, depth int) bool {
	if t.Kind == EOF || t.is("}") || t.is(";") {
		return true
	}
	if !t.NL {
		return false
	}
	prev := p.l.toks[p.i-1]
	switch {
	case t.Kind == Word && continues[t.Text]:
		return false
	case t.Kind == Word && isStatement(t.Text):
		return true
	case t.Kind == Op:
		return false
	case depth > 0:
		return false
	}
	return !p.hangs(prev)
}

// block reads a block with its braces.
func (p *parser) block() *Block {
	b := &Block{Open: p.take()}
	if len(p.open) >= 64 {
		p.tooDeep(b)
		return b
	}
	if p.com < len(p.l.comments) {
		if c := p.l.comments[p.com]; !c.own && c.off < p.peek().Off {
			b.first = &c
			p.com++
		}
	}
	p.open = append(p.open, b.Open)
	b.Stmts, b.tail = p.stmts()
	p.open = p.open[:len(p.open)-1]
	if t := p.peek(); t.is("}") {
		b.Close = p.take()
		return b
	} else if !p.bad && !p.l.broken {
		p.c.at(b.Open, "`{` is never closed", fmt.Sprintf("%s in line %d first", t, t.Pos.Line), "`}`", "")
	}
	p.bad = true
	b.Close = p.peek()
	return b
}

// tooDeep reports blocks nested beyond any use, and skips the block: the
// recursion of later phases stays bounded.
func (p *parser) tooDeep(b *Block) {
	p.c.at(b.Open, "blocks nested more than 64 deep", "", "", "")
	p.bad = true
	for depth := 1; depth > 0 && p.peek().Kind != EOF; {
		t := p.take()
		if t.is("{") {
			depth++
		} else if t.is("}") {
			depth--
		}
		b.Close = t
	}
}
