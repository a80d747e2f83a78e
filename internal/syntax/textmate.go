package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// A tmPattern is a pattern of a TextMate grammar.
type tmPattern struct {
	Name          string               `json:"name,omitempty"`
	Include       string               `json:"include,omitempty"`
	Match         string               `json:"match,omitempty"`
	Begin         string               `json:"begin,omitempty"`
	End           string               `json:"end,omitempty"`
	Captures      map[string]tmPattern `json:"captures,omitempty"`
	BeginCaptures map[string]tmPattern `json:"beginCaptures,omitempty"`
	EndCaptures   map[string]tmPattern `json:"endCaptures,omitempty"`
	Patterns      []tmPattern          `json:"patterns,omitempty"`
}

// A tmGrammar is a TextMate grammar.
type tmGrammar struct {
	Comment   string      `json:"comment"`
	Name      string      `json:"name"`
	ScopeName string      `json:"scopeName"`
	FileTypes []string    `json:"fileTypes"`
	Patterns  []tmPattern `json:"patterns"`
}

const generated = "Generated from the tables of the language by go generate ./internal/syntax; changes go there."

// The start of a statement: the first word of a line or after `{` or `;`; also
// what `replicate N` and `else` have after them.
const tmStart = `(?:^\s*|(?<=[{;])\s*|(?<=\breplicate)\s+\w+\s+|(?<=\belse)\s+)`

// textMate writes the grammar for VS Code.
func textMate(w *words) string {
	g := tmGrammar{Comment: generated, Name: "ibcheck scenario", ScopeName: "source.ibl", FileTypes: []string{"ibl"}}
	add := func(p ...tmPattern) { g.Patterns = append(g.Patterns, p...) }
	add(tmPattern{Name: "comment.line.number-sign.ibl", Match: `#.*$`},
		tmPattern{Name: "comment.line.double-slash.ibl", Match: `//.*$`},
		tmPattern{Name: "string.quoted.double.ibl", Begin: `"`, End: `"|$`, Patterns: []tmPattern{{Name: "constant.character.escape.ibl", Match: `\\["\\]`}}})
	add(tmPattern{Match: tmStart + `(assert|reach)\s+([A-Za-z_][\w*]*)\s*:`,
		Captures: map[string]tmPattern{"1": {Name: w.class("declaration").scope + ".ibl"}, "2": {Name: "entity.name.function.ibl"}}})
	for _, c := range w.classes {
		if c.start {
			add(tmPattern{Match: tmStart + "(" + c.tmWords() + `)\b(?![.*])`, Captures: map[string]tmPattern{"1": {Name: c.scope + ".ibl"}}})
		}
	}
	for _, c := range w.classes {
		switch {
		case c.field:
			add(tmPattern{Match: `(?<=[\w*\]]\.)(` + c.tmWords() + `)\b(?!\.)`, Captures: map[string]tmPattern{"1": {Name: c.scope + ".ibl"}}})
		case !c.start:
			add(tmPattern{Name: c.scope + ".ibl", Match: `(?<![\w.])(?:` + c.tmWords() + `)\b(?![.*])`})
		}
	}
	add(tmPattern{Name: "constant.numeric.ibl", Match: `\b\d+\b`},
		tmPattern{Name: "keyword.operator.ibl", Match: `<->|->|<-|==|!=|<=|>=|=>|\.\.|&&|\|\||[=<>+\-!|]`})
	out, err := json.MarshalIndent(g, "", "  ")
	if err != nil {
		panic(fmt.Sprintf("syntax: %v", err)) // only strings, which marshal
	}
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(out)) + "\n"
}

// tmWords is a class's words with their long forms.
func (c *class) tmWords() string {
	words := c.pattern("|", regexp.QuoteMeta)
	if p := c.prefixes("|"); p != "" {
		return "(?:" + p + ")?(?:" + words + ")"
	}
	return words
}
