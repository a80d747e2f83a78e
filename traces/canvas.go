package traces

import (
	"strings"
)

// The characters of a ladder. Only narrow ones, so that every terminal and
// every mail reader agrees on the columns.
const (
	lifeline   = '│'
	dimLine    = '╎'
	waitLine   = '┊'
	teeRight   = '├'
	teeLeft    = '┤'
	dash       = '─'
	dotted     = '┄'
	headRight  = '►'
	headLeft   = '◄'
	crossMark  = '✗'
	wireStart  = '╶'
	wireStartL = '╴'
	turnDownR  = '╮' // a rightward arrow turns into a wait
	turnDownL  = '╭' // a leftward one
	turnOutR   = '╰' // a wait turns into a rightward arrow
	turnOutL   = '╯'
	barOpen    = '┬'
	barLine    = '┃'
	barClose   = '┴'
	ruleLine   = '━'
)

// asciiOf is the second symbol table: the same layout without Unicode.
var asciiOf = map[rune]rune{
	lifeline: '|', dimLine: ':', waitLine: '!', teeRight: '+', teeLeft: '+', dash: '-', dotted: '.',
	headRight: '>', headLeft: '<', crossMark: 'X', wireStart: '-', wireStartL: '-', turnDownR: '.',
	turnDownL: '.', turnOutR: '\'', turnOutL: '\'', barOpen: '+', barLine: '#', barClose: '+', ruleLine: '=',
}

// toASCII replaces the characters of a drawing, column by column.
func toASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if a, ok := asciiOf[r]; ok {
			return a
		}
		return r
	}, s)
}

// plain makes text from outside safe to put in columns: printable ASCII stays,
// the arrow of state differences becomes "->", anything else a question mark.
func plain(s string) string {
	clean := true
	for _, r := range s {
		clean = clean && r >= ' ' && r <= '~'
	}
	if clean {
		return s
	}
	s = strings.NewReplacer("→", "->", "\n", " ", "\t", " ", "–", "-", "…", "...").Replace(s)
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, s)
}

// A canvas is one line of a drawing.
type canvas []rune

func newCanvas(n int) canvas { return canvas([]rune(strings.Repeat(" ", max(n, 0)))) }

func (c canvas) put(x int, r rune) {
	if x >= 0 && x < len(c) {
		c[x] = r
	}
}

func (c canvas) text(x int, s string) {
	for i, r := range []rune(s) {
		c.put(x+i, r)
	}
}

// line draws r from x to y, both included, in either direction. What is there
// already shows through if it is upright.
func (c canvas) line(x, y int, r rune) {
	for i := min(x, y); i <= max(x, y); i++ {
		if i >= 0 && i < len(c) && !strings.ContainsRune("│╎┊", c[i]) {
			c[i] = r
		}
	}
}

func (c canvas) String() string { return strings.TrimRight(string(c), " ") }
