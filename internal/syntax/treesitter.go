package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// unique returns the classes with each word in the first that has it: a
// tree-sitter token is known by its text, not by where it stands. Fields stand
// after a dot, where no other word does.
func (w *words) unique() []class {
	seen := map[string]bool{}
	var out []class
	for _, c := range w.classes {
		one := *c
		if !c.field {
			one.words = slices.DeleteFunc(slices.Clone(c.words), func(word string) bool { return seen[word] })
		}
		for _, word := range one.words {
			seen[word] = seen[word] || !c.field
		}
		out = append(out, one)
	}
	return out
}

// treeSitter writes the grammar. It sees words, brackets and what is in them;
// where statements end is left to the checker. So it has no conflicts and takes
// whatever the checker takes. Of two tokens that match tree-sitter takes the
// longer and, of those as long, the one that comes first: words before
// identifiers.
func treeSitter(w *words) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// A tree-sitter grammar for ibcheck scenarios: words by their class, and brackets.\n// %s\n\n", generated)
	b.WriteString("module.exports = grammar({\n  name: 'ibl',\n\n  extras: $ => [/\\s/, $.comment],\n\n  rules: {\n")
	b.WriteString("    source_file: $ => repeat($._item),\n\n    _item: $ => choice(\n      $.block,\n      $.list,\n      $.arguments,\n      $.access,\n")
	b.WriteString("      $.string,\n      $.number,\n      $.symbol,\n      $.identifier,\n")
	for _, c := range w.unique() {
		if !c.field {
			fmt.Fprintf(&b, "      $.%s,\n", c.name)
		}
	}
	b.WriteString("    ),\n\n    block: $ => seq('{', repeat($._item), '}'),\n    list: $ => seq('[', repeat($._item), ']'),\n")
	b.WriteString("    arguments: $ => seq('(', repeat($._item), ')'),\n    access: $ => seq(token.immediate('.'), choice($.field, $.identifier)),\n\n")
	for _, c := range w.unique() {
		fmt.Fprintf(&b, "    %s: $ => /%s/,\n", c.name, c.tmWordsJS())
	}
	b.WriteString("\n    identifier: $ => /[0-9]*[A-Za-z_][A-Za-z0-9_]*\\*?/,\n    number: $ => /[0-9]+/,\n")
	b.WriteString("    string: $ => /\"([^\"\\\\\\n]|\\\\[^\\n])*\"/,\n")
	b.WriteString("    symbol: $ => token(choice(\n      '<->', '->', '<-', '==', '!=', '<=', '>=', '=>', '..', '&&', '||',\n")
	b.WriteString("      '=', '<', '>', '+', '-', '*', '|', '!', ',', ';', ':',\n    )),\n")
	b.WriteString("    comment: $ => token(choice(seq('#', /.*/), seq('//', /.*/))),\n  },\n});\n")
	return b.String()
}

// tmWordsJS is tmWords without groups that JavaScript's u flag or tree-sitter
// would not take.
func (c *class) tmWordsJS() string {
	words := c.pattern("|", regexp.QuoteMeta)
	if p := c.prefixes("|"); p != "" {
		return "(" + p + ")?(" + words + ")"
	}
	return words
}

// highlights writes the queries that colour by the grammar.
func highlights(w *words) string {
	var b strings.Builder
	fmt.Fprintf(&b, "; %s\n\n(identifier) @variable\n", generated)
	for _, c := range w.classes {
		fmt.Fprintf(&b, "(%s) @%s\n", c.name, c.capture)
	}
	b.WriteString("((declaration) @keyword . (identifier) @function (#any-of? @keyword \"assert\" \"reach\"))\n")
	b.WriteString("((declaration) @keyword . (identifier) @module (#eq? @keyword \"node\"))\n")
	b.WriteString("(string) @string\n(number) @number\n(symbol) @operator\n(comment) @comment\n")
	b.WriteString("[\"{\" \"}\" \"[\" \"]\" \"(\" \")\"] @punctuation.bracket\n\".\" @punctuation.delimiter\n")
	return b.String()
}
