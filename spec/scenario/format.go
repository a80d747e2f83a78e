package scenario

import (
	"strings"
	"unicode/utf8"
)

// maxLine is how long, in characters, a block on one line may make its line.
const maxLine = 120

// Format returns a scenario file in canonical form: short names, one space
// between words, lists of like statements aligned. Comments, blank lines
// between groups and the choice between a block on one line and one on several
// stay. It needs brackets and strings that match, nothing more; the Errors say
// where they do not.
func Format(src []byte) ([]byte, Errors) {
	c := &collector{}
	stmts, tail, _ := parseTree(c, "", src)
	if len(c.errs) > 0 {
		return nil, c.sorted(nil)
	}
	m := &matcher{c: c, quiet: true, params: map[string]bool{}}
	m.block(stmts, InFile) // for the words that depend on their place
	var p printer
	p.stmts(stmts, 0)
	p.comments(tail, 0, len(stmts) > 0)
	return p.bytes(), nil
}

// A printer collects lines; comments at their ends are aligned at last.
type printer struct {
	lines []outLine
}

type outLine struct {
	indent  int
	text    string // "" for a blank line, unless there is a comment
	comment string // "# …"
}

func (p *printer) line(indent int, text string) {
	p.lines = append(p.lines, outLine{indent: indent, text: text})
}

// bytes writes the lines. Comments at the ends of lines that stand together
// begin in one column.
func (p *printer) bytes() []byte {
	var b strings.Builder
	for i := 0; i < len(p.lines); {
		j, width := i, 0
		for ; j < len(p.lines) && p.lines[j].indent == p.lines[i].indent && p.lines[j].text != ""; j++ {
			if p.lines[j].comment != "" {
				width = max(width, utf8.RuneCountInString(p.lines[j].text))
			}
		}
		j = max(j, i+1)
		for ; i < j; i++ {
			l := p.lines[i]
			if l.text != "" || l.comment != "" {
				b.WriteString(strings.Repeat("  ", l.indent))
			}
			b.WriteString(l.text)
			if l.comment != "" && l.text != "" {
				b.WriteString(strings.Repeat(" ", width-utf8.RuneCountInString(l.text)+2))
			}
			b.WriteString(l.comment)
			b.WriteByte('\n')
		}
	}
	return []byte(b.String())
}

// commentText writes a comment with its marker.
func commentText(c comment) string {
	if c.text == "" || strings.HasPrefix(c.text, " ") || strings.HasPrefix(c.text, "#") || strings.HasPrefix(c.text, "\t") {
		return "#" + c.text
	}
	return "# " + c.text
}

// comments writes comments on lines of their own; after says whether
// something stands before them in their block.
func (p *printer) comments(list []comment, indent int, after bool) {
	for i, c := range list {
		if c.blank && (after || i > 0) {
			p.line(indent, "")
		}
		p.lines = append(p.lines, outLine{indent: indent, comment: commentText(c)})
	}
}

// stmts writes the statements of a block.
func (p *printer) stmts(list []*Stmt, indent int) {
	for i := 0; i < len(list); {
		run := alignedRun(list[i:], indent)
		for j, s := range list[i : i+len(run)] {
			p.lead(s, indent, i+j > 0)
			p.stmt(s, indent, run[j])
		}
		i += len(run)
	}
}

// lead writes the blank line and the comments before a statement.
func (p *printer) lead(s *Stmt, indent int, after bool) {
	if s.blank && after && len(s.lead) == 0 {
		p.line(indent, "")
	}
	p.comments(s.lead, indent, after)
	if len(s.lead) > 0 && s.word().Blank {
		p.line(indent, "")
	}
}

// stmt writes a statement: as the given text, if it is on one line, or piece
// by piece.
func (p *printer) stmt(s *Stmt, indent int, text string) {
	if text != "" {
		p.line(indent, text)
	} else {
		p.pieces(s, indent)
	}
	if s.trail != nil {
		p.endComment(*s.trail)
	}
}

// endComment puts a comment at the end of the last line.
func (p *printer) endComment(c comment) {
	last := &p.lines[len(p.lines)-1]
	if last.comment == "" {
		last.comment = commentText(c)
		return
	}
	last.comment += " " + strings.TrimLeft(c.text, " \t")
}

// pieces writes a statement that takes several lines: its blocks open, its
// continued lines indented.
func (p *printer) pieces(s *Stmt, indent int) {
	var toks []Token
	begin, depth := "", indent
	flush := func(end string) {
		text := begin + joinTokens(toks)
		if begin != "" && len(toks) > 0 {
			text = begin + " " + joinTokens(toks)
		}
		if end != "" && text != "" {
			end = " " + end
		}
		p.line(depth, text+end)
		toks, begin = nil, ""
	}
	for i, it := range s.Items {
		switch {
		case it.Block != nil:
			flush("{")
			if it.Block.first != nil {
				p.endComment(*it.Block.first)
			}
			p.stmts(it.Block.Stmts, indent+1)
			p.comments(it.Block.tail, indent+1, len(it.Block.Stmts) > 0)
			begin, depth = "}", indent
		case it.Tok.NL && i > 0 && s.Items[i-1].Block == nil:
			flush("")
			toks, depth = []Token{it.Tok}, indent+2
		default:
			toks = append(toks, it.Tok)
		}
	}
	if begin != "" || len(toks) > 0 {
		flush("")
	}
}

// oneLine returns a statement as one line; ok is false if it takes several.
func oneLine(s *Stmt, indent int) (string, bool) {
	text, ok := inline(s)
	return text, ok && 2*indent+utf8.RuneCountInString(text) <= maxLine || ok && !hasBlocks(s)
}

func hasBlocks(s *Stmt) bool {
	for _, it := range s.Items {
		if it.Block != nil {
			return true
		}
	}
	return false
}

// inline writes a statement on one line, if it stands on one and holds no
// comments.
func inline(s *Stmt) (string, bool) {
	var parts []string
	var toks []Token
	for i, it := range s.Items {
		if it.Block == nil {
			if it.Tok.NL && i > 0 && s.Items[i-1].Block == nil {
				return "", false
			}
			toks = append(toks, it.Tok)
			continue
		}
		if len(toks) > 0 {
			parts = append(parts, joinTokens(toks))
			toks = nil
		}
		text, ok := inlineBlock(it.Block)
		if !ok {
			return "", false
		}
		parts = append(parts, text)
	}
	if len(toks) > 0 {
		parts = append(parts, joinTokens(toks))
	}
	return strings.Join(parts, " "), true
}

func inlineBlock(b *Block) (string, bool) {
	if b.Open.Pos.Line != b.Close.Pos.Line || b.first != nil || len(b.tail) > 0 {
		return "", false
	}
	var parts []string
	for _, s := range b.Stmts {
		text, ok := inline(s)
		if !ok || len(s.lead) > 0 || s.trail != nil {
			return "", false
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return "{ }", true
	}
	return "{ " + strings.Join(parts, "; ") + " }", true
}
