package main

import (
	"regexp"
	"strings"

	"github.com/ibcheck/ibcheck/docs"
)

// A fact is a row of a table of the page of facts.
type fact struct {
	id   string   // "F1.14"
	text string   // what the second column says
	more []string // the other columns with their heads: "source: C: rxe, mail"
}

var factID = regexp.MustCompile(`^([FIM]\d+|F\d+\.\d+)$`)

// facts are the numbered rows of all tables of the page, in its order.
func facts() []fact {
	var out []fact
	var head, last []string
	for line := range strings.Lines(docs.Facts) {
		cells := tableCells(line)
		if len(cells) > 0 && strings.Trim(cells[0], "-") == "" {
			head = last // the line below the head of a table
		}
		last = cells
		if len(cells) < 2 || !factID.MatchString(cells[0]) || len(cells) != len(head) {
			continue
		}
		f := fact{id: cells[0], text: cells[1]}
		for i := 2; i < len(cells); i++ {
			if cells[i] != "" {
				f.more = append(f.more, head[i]+": "+cells[i])
			}
		}
		out = append(out, f)
	}
	return out
}

// tableCells returns the cells of a row of a table, nil of any other line.
func tableCells(line string) []string {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "|") || !strings.HasSuffix(line, "|") || len(line) < 2 {
		return nil
	}
	const bar = "\x00" // stands for one that is no border
	cells := strings.Split(strings.ReplaceAll(line[1:len(line)-1], `\|`, bar), "|")
	for i := range cells {
		cells[i] = strings.ReplaceAll(plainText(strings.TrimSpace(cells[i])), bar, "|")
	}
	return cells
}

var markdownLink = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

// plainText takes the marks of Markdown out of a line.
func plainText(text string) string {
	return strings.NewReplacer("**", "", "`", "").Replace(markdownLink.ReplaceAllString(text, "$1"))
}

// cites says whether text names a fact or clause, and not only a longer one.
func cites(text, id string) bool {
	for rest := text; ; {
		i := strings.Index(rest, id)
		if i < 0 {
			return false
		}
		before, after := rest[:i], rest[i+len(id):]
		if !endsInNumber(before) && !goesOn(after) {
			return true
		}
		rest = after
	}
}

func endsInNumber(text string) bool {
	return text != "" && strings.ContainsAny(text[len(text)-1:], "0123456789.-")
}

// goesOn says whether a number that ends before text would go on with it.
func goesOn(text string) bool {
	if text == "" {
		return false
	}
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	return digit(text[0]) || len(text) > 1 && (text[0] == '.' || text[0] == '-') && digit(text[1])
}
