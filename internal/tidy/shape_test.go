package tidy

import (
	"fmt"
	"go/ast"
	"path"
	"strings"
	"unicode/utf8"
)

const (
	maxFunctionLines = 80
	maxLineLength    = 160
	maxRowLength     = 200 // of a row of a Go table, which reads best on one line
)

func checkFunctionLength(t *tree) []problem {
	var out []problem
	for _, f := range t.files {
		if !f.isGo() {
			continue
		}
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := t.line(fn.End()) - t.line(fn.Pos()) + 1; n > maxFunctionLines {
				text := fmt.Sprintf("%s has %d lines, at most %d", fn.Name.Name, n, maxFunctionLines)
				out = append(out, problem{f.path, t.line(fn.Pos()), text})
			}
		}
	}
	return out
}

// checkLineLength counts characters. Tables and links of documents, the doc and
// ref lines of scenarios, recorded test data and files that others wrote may be
// wider.
func checkLineLength(t *tree) []problem {
	var out []problem
	for _, f := range t.files {
		if !hasOurLines(f) {
			continue
		}
		for i, line := range strings.Split(f.text, "\n") {
			if mayBeWide(f, line) {
				continue
			}
			most := maxLineLength
			if row := strings.TrimLeft(line, "\t"); f.isGo() && strings.HasPrefix(row, "{") && strings.HasSuffix(row, "},") {
				most = maxRowLength
			}
			if n := utf8.RuneCountInString(line); n > most {
				out = append(out, problem{f.path, i + 1, fmt.Sprintf("%d characters, at most %d", n, most)})
			}
		}
	}
	return out
}

func mayBeWide(f *file, line string) bool {
	switch path.Ext(f.path) {
	case ".md":
		return strings.HasPrefix(line, "|") || strings.Contains(line, "](")
	case ".ibl":
		first := strings.Fields(line + " -")[0]
		return first == "doc" || first == "ref"
	}
	return false
}

func hasOurLines(f *file) bool {
	if strings.Contains(f.path, "testdata/") {
		return false
	}
	switch path.Ext(f.path) {
	case ".go", ".md", ".ibl", ".sh", "":
		return f.path != "LICENSE"
	}
	return false
}
