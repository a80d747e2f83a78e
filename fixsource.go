package ibcheck

import (
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/spec/scenario"
)

// A source is a scenario's text with its statements, ready to be edited.
type source struct {
	text  string
	sites []site
	nodes []nodeSite
}

// A site is a statement of a program or a declaration in a node.
type site struct {
	node  int // in nodes
	stmt  *scenario.Stmt
	block []*scenario.Stmt // the statements it stands among
	at    int              // its place in block
	outer []*scenario.Stmt // the statements around it, the innermost last
}

// A nodeSite is the text of a node.
type nodeSite struct {
	name string
	body []*scenario.Stmt
}

// An edit replaces the text between two offsets.
type edit struct {
	from, to int
	text     string
}

// newSource finds the statements of a file. Those of imported files cannot be
// edited.
func newSource(text string, f *scenario.File) *source {
	x := &source{text: text}
	for _, s := range f.Stmts {
		name := ""
		switch {
		case word(s, 0) == "node":
			name = word(s, 1)
		case word(s, 0) == "replicate":
			name = word(s, 3)
		default:
			continue
		}
		for _, b := range blocks(s) {
			x.nodes = append(x.nodes, nodeSite{name, b.Stmts})
			x.collect(len(x.nodes)-1, b.Stmts, nil)
		}
	}
	return x
}

func (x *source) collect(node int, block []*scenario.Stmt, outer []*scenario.Stmt) {
	for i, s := range block {
		x.sites = append(x.sites, site{node, s, block, i, outer})
		for _, b := range blocks(s) {
			x.collect(node, b.Stmts, append(slices.Clip(outer), s))
		}
	}
}

// word returns token i of a statement, in its canonical spelling, or "".
func word(s *scenario.Stmt, i int) string {
	if i < len(s.Items) && s.Items[i].Block == nil {
		return s.Items[i].Tok.Text
	}
	return ""
}

// has reports whether one of a statement's tokens is the word.
func has(s *scenario.Stmt, w string) bool {
	return slices.ContainsFunc(s.Items, func(it scenario.Item) bool { return it.Block == nil && it.Tok.Text == w })
}

func blocks(s *scenario.Stmt) []*scenario.Block {
	var out []*scenario.Block
	for _, it := range s.Items {
		if it.Block != nil {
			out = append(out, it.Block)
		}
	}
	return out
}

// words returns the tokens of a statement before its first block, with one space
// between them: "free cmd", "modify_qp q ERR".
func words(s *scenario.Stmt) string {
	var out []string
	for _, it := range s.Items {
		if it.Block != nil {
			break
		}
		out = append(out, it.Tok.Text)
	}
	return strings.Join(out, " ")
}

func begin(s *scenario.Stmt) int { return s.Items[0].Tok.Off }

func end(s *scenario.Stmt) int {
	it := s.Items[len(s.Items)-1]
	if it.Block != nil {
		return it.Block.Close.End
	}
	return it.Tok.End
}

// of returns a statement as it is written.
func (x *source) of(s *scenario.Stmt) string { return x.text[begin(s):end(s)] }

// lineStart returns where the line of an offset begins.
func (x *source) lineStart(off int) int { return strings.LastIndexByte(x.text[:off], '\n') + 1 }

// lineEnd returns where the line of an offset ends, its newline aside.
func (x *source) lineEnd(off int) int {
	if i := strings.IndexByte(x.text[off:], '\n'); i >= 0 {
		return off + i
	}
	return len(x.text)
}

// opens reports whether a statement is the first of its line.
func (x *source) opens(s *scenario.Stmt) bool {
	return strings.TrimSpace(x.text[x.lineStart(begin(s)):begin(s)]) == ""
}

// closes reports whether nothing but a comment comes after a statement in its line.
func (x *source) closes(s *scenario.Stmt) bool {
	rest := strings.TrimSpace(x.text[end(s):x.lineEnd(end(s))])
	return rest == "" || strings.HasPrefix(rest, "#") || strings.HasPrefix(rest, "//")
}

// indent returns the blanks before a statement's line.
func (x *source) indent(s *scenario.Stmt) string {
	line := x.text[x.lineStart(begin(s)):begin(s)]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// before inserts a statement before another.
func (x *source) before(s *scenario.Stmt, text string) edit {
	if x.opens(s) {
		return edit{begin(s), begin(s), text + "\n" + x.indent(s)}
	}
	return edit{begin(s), begin(s), text + "; "}
}

// after inserts a statement after another.
func (x *source) after(s *scenario.Stmt, text string) edit {
	if x.opens(s) && x.closes(s) {
		at := x.lineEnd(end(s))
		return edit{at, at, "\n" + x.indent(s) + text}
	}
	return edit{end(s), end(s), "; " + text}
}

// remove takes a statement out, with its line and the comment there if it stands
// alone in it.
func (x *source) remove(t site) edit {
	s := t.stmt
	switch {
	case x.opens(s) && x.closes(s):
		return edit{x.lineStart(begin(s)), min(x.lineEnd(end(s))+1, len(x.text)), ""}
	case t.at+1 < len(t.block):
		return edit{begin(s), begin(t.block[t.at+1]), ""}
	case t.at > 0:
		return edit{end(t.block[t.at-1]), end(s), ""}
	}
	return edit{begin(s), end(s), ""}
}

// replace puts other words in place of a token.
func replaceToken(t scenario.Token, text string) edit { return edit{t.Off, t.End, text} }

// swap exchanges two statements that follow each other; comments stay.
func (x *source) swap(a, b *scenario.Stmt) []edit {
	return []edit{{begin(a), end(a), x.of(b)}, {begin(b), end(b), x.of(a)}}
}

// apply makes edits; ok is false if two of them touch the same text.
func (x *source) apply(edits []edit) (text string, ok bool) {
	list := slices.Clone(edits)
	slices.SortStableFunc(list, func(a, b edit) int { return a.from - b.from })
	var out strings.Builder
	at := 0
	for _, e := range list {
		if e.from < at {
			return "", false
		}
		out.WriteString(x.text[at:e.from])
		out.WriteString(e.text)
		at = e.to
	}
	out.WriteString(x.text[at:])
	return out.String(), true
}

// within reports whether a site is inside a statement with that word, and returns
// the innermost.
func (t *site) within(w string) *scenario.Stmt {
	for i := len(t.outer) - 1; i >= 0; i-- {
		if word(t.outer[i], 0) == w {
			return t.outer[i]
		}
	}
	return nil
}
