package scenario

import (
	"strings"
	"unicode/utf8"
)

// alignedRun takes statements from the front of list as long as they are
// aligned with the first, and returns their texts: "" for one that takes
// several lines. There is at least one.
func alignedRun(list []*Stmt, indent int) []string {
	var rows [][]string
	key := alignKey(list[0])
	for i, s := range list {
		text, ok := oneLine(s, indent)
		if i > 0 && (!ok || alignKey(s) != key || s.blank || len(s.lead) > 0) {
			break
		}
		if !ok {
			return []string{""}
		}
		rows = append(rows, cells(s, text))
		if key == "" {
			break
		}
	}
	return align(rows, key)
}

// alignKey says with which others a statement is aligned: those of the same
// key. "" means none.
func alignKey(s *Stmt) string {
	if s.call == nil || s.bad {
		return ""
	}
	switch r := s.call.row; {
	case r.In&InLitmus != 0:
		return "litmus"
	case r.declares == symCQ || r.declares == symQP || r.declares == symSRQ || r.declares == symMR:
		return "declaration"
	case r.declares == symProp:
		return "property"
	case losses[r.Word] == symWR:
		return r.Word + " " + s.call.args[0].toks[0].Text
	}
	return ""
}

// cells cuts the text of a statement into what is aligned.
func cells(s *Stmt, text string) []string {
	switch key := alignKey(s); key {
	case "":
		return []string{text}
	case "property":
		return propertyCells(s)
	case "declaration":
		word, rest, _ := strings.Cut(text, " ")
		if i := strings.Index(rest, " {"); i >= 0 {
			return []string{word, rest[:i], rest[i+1:]}
		}
		return []string{word, rest}
	case "litmus":
		word, rest, _ := strings.Cut(text, " ")
		return []string{word, rest}
	default:
		name, rest, _ := strings.Cut(strings.TrimPrefix(text, key+" "), " ")
		if rest == "" {
			return []string{key, name}
		}
		return []string{key, name, rest}
	}
}

// propertyCells cuts "assert NAME: PROP expect …" into four.
func propertyCells(s *Stmt) []string {
	var toks []Token
	for _, it := range s.Items {
		toks = append(toks, it.Tok)
	}
	out := []string{joinTokens(toks[:1]), joinTokens(toks[1:3])}
	for i := 3; i < len(toks); i++ {
		if toks[i].is("expect") {
			return append(out, joinTokens(toks[3:i]), joinTokens(toks[i:]))
		}
	}
	return append(out, joinTokens(toks[3:]))
}

// gaps says how many spaces stand after the widest cell of each column.
var gaps = map[string][]int{"litmus": {2}, "declaration": {2, 1}, "property": {1, 1, 2}}

// align joins the cells of each row. A column is as wide as the widest cell
// that has another after it.
func align(rows [][]string, key string) []string {
	gap := func(col int) int {
		if g := gaps[key]; len(rows) > 1 && col < len(g) {
			return g[col]
		}
		return 1
	}
	var width []int
	for _, r := range rows {
		for i := 0; i+1 < len(r); i++ {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], utf8.RuneCountInString(r[i]))
		}
	}
	out := make([]string, len(rows))
	for n, r := range rows {
		var b strings.Builder
		for i, cell := range r {
			b.WriteString(cell)
			if i+1 < len(r) {
				b.WriteString(strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell)+gap(i)))
			}
		}
		out[n] = b.String()
	}
	return out
}
