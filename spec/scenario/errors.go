package scenario

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// An Error is one mistake in a scenario file.
type Error struct {
	Pos    spec.Pos // columns count characters, from 1
	Len    int      // characters underlined, at least 1
	Msg    string   // the mistake in a few words, no trailing stop
	Found  string   // what stands there, "" if that is no help
	Wanted string   // what should stand there, "" if unknown
	Help   string   // a suggestion, "" if none
	Code   string   // of warnings and findings: which check, "unused-cq"; "" for mistakes
	line   string   // the source line
}

// Error gives the error on one line: file:line:col: message (help).
func (e *Error) Error() string {
	s := fmt.Sprintf("%s:%d:%d: %s", e.Pos.File, e.Pos.Line, e.Pos.Col, e.Msg)
	if e.Help != "" {
		s += " (" + e.Help + ")"
	}
	return s
}

// instead are the words before a help that names what may stand there instead.
var instead = []string{"did you mean ", "write ", "say which event of it: ", "ask for "}

// Instead returns the texts that may stand in place of what is underlined, as
// the help suggests them, the likeliest first. They are what an editor offers
// as quick fixes.
func (e *Error) Instead() []string {
	for _, words := range instead {
		rest, ok := strings.CutPrefix(e.Help, words)
		if !ok {
			continue
		}
		var out []string
		for i, text := range strings.Split(rest, "`") {
			if i%2 == 1 && !strings.Contains(text, "…") {
				out = append(out, text)
			}
		}
		return out
	}
	return nil
}

// label returns the words after the caret.
func (e *Error) label() string {
	switch {
	case e.Found != "" && e.Wanted != "":
		return "found " + e.Found + ", wanted " + e.Wanted
	case e.Wanted != "":
		return "wanted " + e.Wanted
	}
	return e.Found
}

// Errors are the mistakes of a file in the order of their positions, each
// once. A file without mistakes has none: the slice is nil.
type Errors []*Error

// Err returns the errors as one error, or nil if there are none.
func (es Errors) Err() error {
	if len(es) == 0 {
		return nil
	}
	return es
}

// Error returns the errors, one line each.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Render writes the errors for people: position, source line, caret, help.
// With color it uses ANSI colours.
func (es Errors) Render(w io.Writer, color bool) error {
	return es.render(w, "error", color)
}

// RenderWarnings writes the errors as Render does, but calls them warnings.
func (es Errors) RenderWarnings(w io.Writer, color bool) error {
	return es.render(w, "warning", color)
}

func (es Errors) render(w io.Writer, word string, color bool) error {
	paint := func(code, s string) string {
		if !color || s == "" {
			return s
		}
		return "\x1b[" + code + "m" + s + "\x1b[0m"
	}
	var b strings.Builder
	for i, e := range es {
		if i > 0 {
			b.WriteByte('\n')
		}
		num := fmt.Sprint(e.Pos.Line)
		pad := strings.Repeat(" ", len(num))
		hue := "1;31"
		if word == "warning" {
			hue = "1;33"
		}
		title := word
		if e.Code != "" {
			title += "[" + e.Code + "]"
		}
		fmt.Fprintf(&b, "%s: %s\n", paint(hue, title), e.Msg)
		fmt.Fprintf(&b, "%s%s %s:%d:%d\n", pad, paint("34", "-->"), e.Pos.File, e.Pos.Line, e.Pos.Col)
		if e.line != "" || e.label() != "" {
			fmt.Fprintf(&b, "%s %s\n", pad, paint("34", "|"))
			fmt.Fprintf(&b, "%s %s %s\n", paint("34", num), paint("34", "|"), strings.TrimRight(e.line, " \t"))
			caret := strings.Repeat("^", max(1, e.Len))
			fmt.Fprintf(&b, "%s %s %s%s\n", pad, paint("34", "|"), under(e.line, e.Pos.Col), paint(hue, strings.TrimRight(caret+" "+e.label(), " ")))
		}
		if e.Help != "" {
			fmt.Fprintf(&b, "%s %s help: %s\n", pad, paint("34", "="), e.Help)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// under returns blanks as wide as the first col-1 characters of line; tabs
// stay tabs so that the caret stands where the reader's terminal puts it.
func under(line string, col int) string {
	var b strings.Builder
	n := 1
	for _, r := range line {
		if n >= col {
			break
		}
		if r == '\t' {
			b.WriteByte('\t')
		} else {
			b.WriteByte(' ')
		}
		n++
	}
	for ; n < col; n++ {
		b.WriteByte(' ')
	}
	return b.String()
}

// A collector gathers errors and knows the sources they are in.
type collector struct {
	errs    Errors
	sources map[string][]string // lines by file name
}

func (c *collector) addSource(name string, src []byte) {
	if c.sources == nil {
		c.sources = map[string][]string{}
	}
	c.sources[name] = strings.Split(strings.ReplaceAll(string(src), "\r\n", "\n"), "\n")
}

// add fills in what every error has and keeps it.
func (c *collector) add(e Error) {
	e.Len = max(1, e.Len)
	lines := c.sources[e.Pos.File]
	if n := e.Pos.Line; n >= 1 && n <= len(lines) {
		e.line = lines[n-1]
	}
	c.errs = append(c.errs, &e)
}

// at adds an error about a token.
func (c *collector) at(t Token, msg, found, wanted, help string) {
	c.add(Error{Pos: t.Pos, Len: t.width(), Msg: msg, Found: found, Wanted: wanted, Help: help})
}

// sorted returns the errors by position, one for each position: at one place
// the first that was found is the cause of the others.
func (c *collector) sorted(fileOrder map[string]int) Errors {
	sort.SliceStable(c.errs, func(i, j int) bool {
		a, b := c.errs[i].Pos, c.errs[j].Pos
		if a.File != b.File {
			return fileOrder[a.File] < fileOrder[b.File]
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Col < b.Col
	})
	var out Errors
	for _, e := range c.errs {
		if n := len(out); n > 0 && out[n-1].Pos == e.Pos {
			continue
		}
		out = append(out, e)
	}
	return out
}
