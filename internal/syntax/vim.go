package main

import (
	"fmt"
	"strings"
)

// vim writes a syntax file for vim and neovim. Later matches win over earlier
// ones, so the classes come last first.
func vim(w *words) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\" Syntax of ibcheck scenarios.\n\" %s\n\n", generated)
	b.WriteString("if exists('b:current_syntax')\n  finish\nendif\n\n")
	b.WriteString("syntax match iblNumber /\\<\\d\\+\\>/\n")
	b.WriteString("syntax match iblSymbol /<->\\|->\\|<-\\|==\\|!=\\|<=\\|>=\\|=>\\|\\.\\.\\|&&\\|||\\|[=<>+|!-]/\n")
	for i := len(w.classes) - 1; i >= 0; i-- {
		if c := w.classes[i]; !c.start {
			c.vimMatch(&b)
		}
	}
	for i := len(w.classes) - 1; i >= 0; i-- {
		if c := w.classes[i]; c.start {
			c.vimMatch(&b)
		}
	}
	b.WriteString("syntax match iblProperty /\\v%(<%(assert|reach)\\s+)@<=[A-Za-z_][A-Za-z0-9_*]*/\n")
	b.WriteString("syntax match iblEscape /\\\\[\"\\\\]/ contained\n")
	b.WriteString("syntax region iblString start=/\"/ skip=/\\\\[\"\\\\]/ end=/\"\\|$/ contains=iblEscape oneline\n")
	b.WriteString("syntax keyword iblTodo BUG NOTE contained\n")
	b.WriteString("syntax match iblComment /#.*$\\|\\/\\/.*$/ contains=iblTodo,@Spell\n")
	b.WriteString("syntax region iblFold start=/{/ end=/}/ transparent fold\n\n")
	for _, c := range w.classes {
		fmt.Fprintf(&b, "highlight default link %s %s\n", c.vimGroup(), c.group)
	}
	for _, link := range []string{"iblNumber Number", "iblSymbol Operator", "iblProperty Function", "iblEscape SpecialChar", "iblString String",
		"iblTodo Todo", "iblComment Comment"} {
		fmt.Fprintf(&b, "highlight default link %s\n", link)
	}
	b.WriteString("\nlet b:current_syntax = 'ibl'\n")
	return b.String()
}

func (c *class) vimGroup() string { return "ibl" + strings.ToUpper(c.name[:1]) + c.name[1:] }

// vimMatch writes the match of a class, in the very magic form.
func (c *class) vimMatch(b *strings.Builder) {
	before, after := `%(\.)@1<!<`, `>%([.*])@!`
	switch {
	case c.start:
		before = `%(^\s*|[{;]\s*|<replicate\s+\w+\s+|<else\s+)@<=<`
	case c.field:
		before, after = `%([A-Za-z0-9_*\]]\.)@2<=<`, `>\.@!`
	}
	quoted := func(word string) string { return strings.ReplaceAll(word, ".", `\.`) }
	words := "%(" + c.pattern("|", quoted) + ")"
	if p := c.prefixes("|"); p != "" {
		words = "%(" + p + ")?" + words
	}
	fmt.Fprintf(b, "syntax match %s /\\v%s%s%s/\n", c.vimGroup(), before, words, after)
}
