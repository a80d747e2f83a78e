// Command syntax writes the syntax files of editors/ from the tables of the
// language: a TextMate grammar for VS Code, files for vim and emacs, a grammar
// and queries for tree-sitter. It knows how each of them is written and which
// words are coloured alike; the words themselves are those of package scenario.
//
//go:generate go run . ../../editors
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// files are what is written, by path below the folder of the editors.
var files = []struct {
	path string
	text func(*words) string
}{
	{"vscode/syntaxes/ibl.tmLanguage.json", textMate},
	{"vim/syntax/ibl.vim", vim},
	{"emacs/ibl-mode.el", emacs},
	{"tree-sitter-ibl/grammar.js", treeSitter},
	{"tree-sitter-ibl/queries/highlights.scm", highlights},
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: syntax FOLDER")
		os.Exit(2)
	}
	w := newWords()
	for _, f := range files {
		path := filepath.Join(os.Args[1], f.path)
		err := os.MkdirAll(filepath.Dir(path), 0o777)
		if err == nil {
			err = os.WriteFile(path, []byte(f.text(w)), 0o666)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "syntax:", err)
			os.Exit(1)
		}
	}
}
