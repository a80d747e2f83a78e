package tidy

import (
	"strings"
	"testing"
)

// planted are small trees, each with one mistake, and what the check of that
// name must say about it. Every check has at least one.
var planted = []struct {
	check string
	files map[string]string
	want  string
}{
	{"imports", map[string]string{"spec/rules.go": "package spec\nimport \"github.com/ibcheck/ibcheck/explore\"\n"},
		"spec/rules.go:2: spec must not import github.com/ibcheck/ibcheck/explore"},
	{"imports", map[string]string{"spec/model.go": "package spec\nimport \"github.com/ibcheck/ibcheck/traces\"\n"}, "spec must not import"},
	{"imports", map[string]string{"explore/run.go": "package explore\nimport \"github.com/spf13/cobra\"\n"}, "explore must not import"},
	{"imports", map[string]string{"traces/draw.go": "package traces\nimport \"github.com/ibcheck/ibcheck/explore\"\n"}, "traces must not import"},
	{"imports", map[string]string{"other/x.go": "package other\n"}, "no row of importRules"},
	{"functions", map[string]string{"x.go": "package x\nfunc long() {" + strings.Repeat("\n", maxFunctionLines) + "}\n"}, "x.go:2: long has 81 lines"},
	{"lines", map[string]string{"docs/x.md": "\n" + strings.Repeat("é", maxLineLength+1)}, "docs/x.md:2: 161 characters"},
	{"lines", map[string]string{"x.go": "package x\n\nvar table = []string{\n\t{\"" + strings.Repeat("x", maxRowLength) + "\"},\n}\n"},
		"x.go:4: 206 characters, at most 200"},
	{"packages", map[string]string{"traces/x.go": "package traces\n"}, "traces/x.go:1: nothing imports package traces"},
	{"packages", map[string]string{"x.go": "//go:build ignore\n\npackage x\n"}, "x.go:1: this file is never built"},
	{"docs", map[string]string{"README.md": "[a](docs/a.md)", "docs/a.md": "", "docs/b.md": "[a](a.md)"}, "docs/b.md:1: no chain of links"},
	{"links", map[string]string{"docs/a.md": "see\n[b](b.md#top)"}, "docs/a.md:2: link to docs/b.md"},
	{"comments", map[string]string{"x.go": "// Package x is.\npackage x\n\nfunc Do() {}\n"}, "x.go:4: Do is exported"},
	{"comments", map[string]string{"x.go": "// Package x is.\npackage x\n\n// T is.\ntype T int\nfunc (t *T) Do() {}\n"}, "x.go:6: Do is exported"},
	{"comments", map[string]string{"x.go": "// Package x is.\npackage x\n\nconst (\nA = 1\n)\n"}, "x.go:5: A is exported"},
	{"comments", map[string]string{"y/x.go": "package y\n"}, "y:1: the package has no comment"},
	{"scenarios", map[string]string{"scenarios/a/b.ibl": "litmus \"b\" { doc \"x\" }\n"}, `no ref "…" line`},
}

func TestPlantedMistakesAreFound(t *testing.T) {
	tested := map[string]bool{"words": true} // by the test below
	for _, p := range planted {
		tested[p.check] = true
		got := runOn(t, p.check, p.files)
		if len(got) != 1 || !strings.Contains(got[0].String(), p.want) {
			t.Errorf("%s on %q: got %v, want one problem with %q", p.check, p.files, got, p.want)
		}
	}
	for _, c := range checks {
		if !tested[c.name] {
			t.Errorf("no planted mistake for the check %q", c.name)
		}
	}
}

func TestPlantedWordsAreFound(t *testing.T) {
	if len(plantedWords) != len(words) {
		t.Fatalf("%d rows of words, %d planted lines", len(words), len(plantedWords))
	}
	for i, line := range plantedWords {
		if !words[i].pattern.MatchString(line) {
			t.Errorf("row %d (%s) misses %q", i, words[i].pattern, line)
		}
		if got := runOn(t, "words", map[string]string{"x.txt": "\n" + line}); len(got) != 1 || got[0].line != 2 {
			t.Errorf("%q: got %v", line, got)
		}
	}
}

// cleanFiles break no rule.
var cleanFiles = map[string]string{
	"README.md": "# x\n[d](docs/a.md) [web](https://example.org/x)\n| " + strings.Repeat("wide ", 60) + "|\n",
	"docs/a.md": "[back](../README.md)\n",
	"x.go": `// Package x is.
package x

import _ "github.com/ibcheck/ibcheck/spec"

// The sizes.
const (
	A = 1
	B = 2
)

type t int

func (t) Do() {}
`,
	"spec/a.go":         "// Package spec is.\npackage spec\n\nimport \"fmt\"\n\n// E is.\ntype E int\nfunc (E) String() string { return fmt.Sprint(1) }\n",
	"scenarios/a/b.ibl": "litmus \"b\" {\n  doc \"" + strings.Repeat("x", 2*maxLineLength) + "\"\n  ref \"y\"\n}\n",
}

func TestCleanTreeHasNoProblems(t *testing.T) {
	for _, c := range checks {
		if got := runOn(t, c.name, cleanFiles); len(got) > 0 {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func runOn(t *testing.T, check string, files map[string]string) []problem {
	t.Helper()
	tree, err := newTree(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if c.name == check {
			return c.run(tree)
		}
	}
	t.Fatalf("no check named %q", check)
	return nil
}
