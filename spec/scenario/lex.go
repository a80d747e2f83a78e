package scenario

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ibcheck/ibcheck/spec"
)

// A TokenKind is the kind of a Token.
type TokenKind uint8

// The kinds of token. EOF ends every file.
const (
	EOF    TokenKind = iota
	Word             // letters, digits, _ and *, dotted: "host.q"; in the short form of LANGUAGE 1
	Int              // decimal digits
	String           // with its quotes
	Op               // an operator or bracket
)

// A Token is a word, number, string or operator of a file.
type Token struct {
	Kind  TokenKind
	Text  string   // canonical: "post_send" for "ibv_post_send", "and" for "&&"
	Pos   spec.Pos // of its first character
	Off   int      // bytes before it
	End   int      // bytes before what follows it
	NL    bool     // first of its line
	Blank bool     // a blank line stands before it, comments aside
	chars int      // its width in characters
	param string   // the param whose value Text is, "" if Text stands there
}

func (t Token) width() int { return max(1, t.chars) }

// is reports whether t is the operator or word s.
func (t Token) is(s string) bool {
	return (t.Kind == Op || t.Kind == Word) && t.Text == s
}

// String says what the token is, for messages.
func (t Token) String() string {
	switch t.Kind {
	case EOF:
		return "the end of the file"
	case String:
		return "a string"
	}
	return "`" + t.Text + "`"
}

// str returns the value of a String token.
func (t Token) str() string {
	if s, err := strconv.Unquote(t.Text); err == nil {
		return s
	}
	return strings.Trim(t.Text, `"`)
}

// A comment is a # or // comment; fmt writes both as #.
type comment struct {
	text  string // after the marker, as written
	off   int
	own   bool // alone on its line
	blank bool // a blank line stands before it
}

// operators, longest first.
var operators = []string{"<->", "<=", ">=", "==", "!=", "=>", "->", "<-", "..", "&&", "||",
	"{", "}", "(", ")", "[", "]", ",", ":", ";", "=", "<", ">", "+", "-", "*", "/", "|", "&", "!", "."}

// spelled gives the words for operators that C has and this language spells out.
var spelled = map[string]string{"&&": "and", "||": "or", "!": "not"}

// typographic characters that word processors put in place of operators.
var typographic = map[rune]string{'“': `"`, '”': `"`, '„': `"`, '‘': "'", '’': "'", '–': "-", '—': "-", '−': "-",
	'→': "->", '↔': "<->", '≤': "<=", '≥': ">=", '≠': "!=", '⇒': "=>", '¬': "not", '∧': "and", '∨': "or", '…': ".."}

type lexer struct {
	c        *collector
	name     string
	src      string
	off      int
	line     int
	col      int
	nl       bool // nothing but blanks on this line so far
	blank    int  // newlines since the last token or comment
	toks     []Token
	comments []comment
	bad      []int // offsets of lexical errors: statements there are judged no further
	broken   bool  // a string did not end: brackets after it cannot be trusted
}

// lex splits src into tokens, the last of them EOF, and comments.
func lex(c *collector, name string, src []byte) *lexer {
	l := &lexer{c: c, name: name, src: string(src), line: 1, col: 1, nl: true}
	l.src = strings.TrimPrefix(l.src, "\ufeff")
	c.addSource(name, []byte(l.src))
	for l.off < len(l.src) {
		l.next()
	}
	l.emit(EOF, 0)
	return l
}

// fail reports a lexical error of n characters at the current place.
func (l *lexer) fail(e Error) {
	e.Pos = spec.Pos{File: l.name, Line: l.line, Col: l.col}
	l.bad = append(l.bad, l.off)
	l.c.add(e)
}

// next reads one token, comment or piece of white space.
func (l *lexer) next() {
	rest := l.src[l.off:]
	switch ch := rest[0]; {
	case ch == '\n':
		l.off++
		l.line, l.col, l.nl = l.line+1, 1, true
		l.blank++
	case ch == ' ' || ch == '\t' || ch == '\r':
		l.skip(1)
	case ch == '#':
		l.comment(1)
	case strings.HasPrefix(rest, "//"):
		l.comment(2)
	case isWordByte(ch):
		l.word()
	case ch == '"':
		l.stringLit()
	default:
		for _, op := range operators {
			if strings.HasPrefix(rest, op) {
				l.emit(Op, len(op))
				return
			}
		}
		l.illegal()
	}
}

func (l *lexer) skip(n int) {
	l.col += utf8.RuneCountInString(l.src[l.off : l.off+n])
	l.off += n
}

// emit adds a token of n bytes.
func (l *lexer) emit(kind TokenKind, n int) {
	text := l.src[l.off : l.off+n]
	t := Token{Kind: kind, Text: text, Pos: spec.Pos{File: l.name, Line: l.line, Col: l.col}, Off: l.off, End: l.off + n,
		NL: l.nl, Blank: l.blank > 1, chars: utf8.RuneCountInString(text)}
	if w, ok := spelled[text]; ok && kind == Op {
		t.Kind, t.Text = Word, w
	}
	if kind == Word {
		t.Text = shortName(text)
		if t.Text != text && strings.Trim(t.Text, "0123456789") == "" {
			t.Kind = Int // IBV_MTU_1024
		}
	}
	l.toks = append(l.toks, t)
	l.skip(n)
	l.nl, l.blank = false, 0
}

func (l *lexer) comment(marker int) {
	n := strings.IndexByte(l.src[l.off:], '\n')
	if n < 0 {
		n = len(l.src) - l.off
	}
	text := strings.TrimRight(l.src[l.off+marker:l.off+n], " \t\r")
	l.comments = append(l.comments, comment{text: text, off: l.off, own: l.nl, blank: l.blank > 1})
	l.skip(n)
	l.blank = 0
}

func isWordByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// word reads a word or a number: segments joined by single dots. A star ends a
// segment ("q*", "R*.wc"). Digits alone take no dot, so 0..3 is a range.
func (l *lexer) word() {
	s := l.src[l.off:]
	n, digits := 0, true
	for n < len(s) {
		start := n
		for n < len(s) && isWordByte(s[n]) {
			digits = digits && '0' <= s[n] && s[n] <= '9'
			n++
		}
		if digits {
			break
		}
		if n > start && n < len(s) && s[n] == '*' {
			n++
		}
		if n+1 >= len(s) || s[n] != '.' || !isWordByte(s[n+1]) {
			break
		}
		n++
	}
	if !digits {
		l.emit(Word, n)
		return
	}
	if n > 9 {
		l.fail(Error{Len: n, Msg: "number too large", Found: "more than 9 digits"})
	}
	l.emit(Int, n)
}

// stringLit reads a string; one that does not end on its line is an error and
// reaches to the end of the line.
func (l *lexer) stringLit() {
	s := l.src[l.off:]
	for n := 1; n < len(s) && s[n] != '\n'; n++ {
		switch {
		case s[n] == '\\' && n+1 < len(s) && s[n+1] != '\n':
			n++
		case s[n] == '"':
			if _, err := strconv.Unquote(s[:n+1]); err != nil {
				l.fail(Error{Len: utf8.RuneCountInString(s[:n+1]), Msg: "string with an unknown escape", Wanted: `only \" and \\`})
			}
			l.emit(String, n+1)
			return
		}
	}
	n := strings.IndexByte(s, '\n')
	if n < 0 {
		n = len(s)
	}
	l.broken = true
	l.fail(Error{Msg: "string without an end", Wanted: "`\"` before the end of the line"})
	l.emit(String, n)
}

// illegal reports a run of characters that no token has, once.
func (l *lexer) illegal() {
	rest := l.src[l.off:]
	first, _ := utf8.DecodeRuneInString(rest)
	n := strings.IndexFunc(rest, func(r rune) bool {
		return r < utf8.RuneSelf && (r <= ' ' || isWordByte(byte(r)) || strings.ContainsRune("#\"<>=!-.&|{}()[],:;+*/", r))
	})
	if n < 0 {
		n = len(rest)
	}
	n = max(n, 1)
	e := Error{Len: utf8.RuneCountInString(rest[:n]), Msg: fmt.Sprintf("illegal character %q", first)}
	if first == utf8.RuneError {
		e.Msg = "bytes that are not UTF-8"
	}
	if s, ok := typographic[first]; ok {
		e.Help = "write `" + s + "`"
	}
	l.fail(e)
	l.skip(n)
	l.nl, l.blank = false, 0
}
