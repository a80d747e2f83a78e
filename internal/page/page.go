// Package page lays out text for a terminal.
package page

import (
	"strings"
	"unicode/utf8"
)

// Width is the number of columns that text is made for.
const Width = 100

// Fold breaks text, which may be empty, into lines of at most Width characters;
// from the second on they are indented. A word that is wider stays whole.
func Fold(text string, indent int) []string {
	var lines []string
	for utf8.RuneCountInString(text) > Width {
		cut := foldAt(text, indent)
		if cut < 0 {
			break
		}
		lines = append(lines, strings.TrimRight(text[:cut], " "))
		text = strings.Repeat(" ", indent) + text[cut+1:]
	}
	if text != "" {
		lines = append(lines, text)
	}
	return lines
}

// foldAt returns the blank where text too wide for a page goes on in a new
// line: after a comma or a semicolon if that leaves half a line, else the last
// one, or -1 if there is none behind the indent.
func foldAt(text string, indent int) int {
	page := string([]rune(text)[:Width+1])
	if cut := max(strings.LastIndex(page, ", "), strings.LastIndex(page, "; ")) + 1; cut > Width/2 {
		return cut
	}
	if cut := strings.LastIndex(page, " "); cut > indent {
		return cut
	}
	return -1
}
