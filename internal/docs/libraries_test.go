package docs_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestLibrariesAreListed: docs/design.md says what each module is for that code
// of the project imports.
func TestLibrariesAreListed(t *testing.T) {
	page, err := os.ReadFile("../../docs/design.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, line := range strings.Split(string(page), "\n") {
		if cells := strings.Split(line, " | "); len(cells) == 2 {
			listed = append(listed, strings.Split(strings.TrimPrefix(cells[0], "| "), ", ")...)
		}
	}
	err = filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return nil // the compiler says more of it
		}
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil || !outside(name) {
				continue
			}
			found := false
			for _, module := range listed {
				found = found || name == module || strings.HasPrefix(name, module+"/")
			}
			if !found {
				t.Errorf("%s imports %s, of which docs/design.md says nothing", path, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// outside reports whether an import path is of another module.
func outside(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return strings.Contains(first, ".") && !strings.HasPrefix(name, "github.com/ibcheck/ibcheck")
}
