// Package tidy checks the code itself: which package may import which, how
// long functions and lines are, words that do not belong, files that nothing
// reaches, and exported names without a comment. It has tests only.
//
// Every check is a function from a tree of files to problems, so that each is
// also run on a small tree that breaks its rule.
package tidy

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const modulePath = "github.com/ibcheck/ibcheck"

// A file is one file of the tree that people read.
type file struct {
	path string // from the root of the tree, with slashes
	text string
	ast  *ast.File // of Go files
}

func (f *file) isGo() bool   { return f.ast != nil }
func (f *file) isTest() bool { return strings.HasSuffix(f.path, "_test.go") }
func (f *file) dir() string  { return path.Dir(f.path) }

// A tree is all files of the project, sorted by path.
type tree struct {
	fset  *token.FileSet
	files []*file
}

// A problem is one line of a failed check.
type problem struct {
	path string
	line int
	text string
}

func (p problem) String() string { return fmt.Sprintf("%s:%d: %s", p.path, p.line, p.text) }

// readTree reads what belongs to the project below root: no build products,
// no hidden folders but .ci, nothing that is not text.
func readTree(root string) (*tree, error) {
	sources := map[string]string{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if skipFolder(rel) {
				return fs.SkipDir
			}
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil || bytes.IndexByte(data, 0) >= 0 {
			return err
		}
		sources[rel] = string(data)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return newTree(sources)
}

func skipFolder(rel string) bool {
	base := path.Base(rel)
	hidden := strings.HasPrefix(base, ".") && base != "." && base != ".ci"
	return hidden || rel == "bin" || rel == "dist" || strings.HasSuffix(rel, "testdata/fuzz")
}

// newTree makes a tree of sources by path.
func newTree(sources map[string]string) (*tree, error) {
	t := &tree{fset: token.NewFileSet()}
	for name, text := range sources {
		f := &file{path: name, text: text}
		if strings.HasSuffix(name, ".go") {
			parsed, err := parser.ParseFile(t.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			f.ast = parsed
		}
		t.files = append(t.files, f)
	}
	slices.SortFunc(t.files, func(a, b *file) int { return strings.Compare(a.path, b.path) })
	return t, nil
}

// line returns the line of a position in a Go file.
func (t *tree) line(pos token.Pos) int { return t.fset.Position(pos).Line }

// has says whether the tree has a file, or a folder with files, at name.
func (t *tree) has(name string) bool {
	for _, f := range t.files {
		if f.path == name || strings.HasPrefix(f.path, name+"/") {
			return true
		}
	}
	return false
}

// checks are all checks, by the name of their subtest.
var checks = []struct {
	name string
	run  func(*tree) []problem
}{
	{"imports", checkImports},
	{"functions", checkFunctionLength},
	{"lines", checkLineLength},
	{"words", checkWords},
	{"packages", checkDeadPackages},
	{"docs", checkDeadDocs},
	{"links", checkLinks},
	{"comments", checkDocComments},
	{"scenarios", checkScenarios},
}

func TestTidy(t *testing.T) {
	tree, err := readTree("../..")
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.files) < 10 {
		t.Fatalf("only %d files below the root: the checks look at the wrong place", len(tree.files))
	}
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			for _, p := range c.run(tree) {
				t.Error(p)
			}
		})
	}
}
