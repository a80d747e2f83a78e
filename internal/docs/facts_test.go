package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// citations are the numbers that code, documents and scenarios may cite, and how
// docs/facts.md lists them: as the first cell of a row.
var citations = regexp.MustCompile(`\b(F\d\.\d+|[CI]\d+-\d+(\.\d+)*)\b`)

// TestCitedFactsAreListed: whoever meets a fact or a clause by its number
// finds it in docs/facts.md.
func TestCitedFactsAreListed(t *testing.T) {
	page, err := os.ReadFile("../../docs/facts.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, line := range strings.Split(string(page), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < 3 {
			continue
		}
		for _, n := range citations.FindAllString(cells[1], -1) {
			listed[n] = true
		}
	}
	if !listed["F1.14"] || !listed["C9-95"] {
		t.Fatalf("%d numbers were found in docs/facts.md, not those that are there", len(listed))
	}
	err = filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "bin") {
			return fs.SkipDir
		}
		if strings.HasSuffix(path, "_test.go") {
			return nil // tests also cite what must not be found
		}
		switch filepath.Ext(path) {
		case ".go", ".md", ".ibl", ".txt":
		default:
			return nil
		}
		text, err := os.ReadFile(path)
		for _, n := range citations.FindAllString(string(text), -1) {
			if !listed[n] {
				t.Errorf("%s cites %s, which docs/facts.md does not list", path, n)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
