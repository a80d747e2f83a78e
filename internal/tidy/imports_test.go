package tidy

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Names for what a package may import, besides folders of this module.
const (
	anything = "*"
	standard = "std"
)

// An importRule says what the files of a folder that match a pattern may
// import: folders of this module, import path prefixes, standard, anything.
type importRule struct {
	folder  string // "x/..." is x and all below
	files   string // pattern of path.Match
	allowed []string
}

// importRules are the directions of docs/design.md. The first row that matches
// a file counts; a Go file that no row matches is a problem.
var importRules = []importRule{
	{"spec/scenario", "*", []string{standard, "spec"}},
	{"spec", "model*.go", []string{standard, "explore"}},
	{"spec", "*", []string{standard}},
	{"explore/exploretest", "*", []string{standard, "explore", "gonum.org/v1/gonum"}},
	{"explore", "*", []string{standard, "gonum.org/v1/gonum", "golang.org/x/sys"}},
	{"invariants", "*", []string{standard, "spec"}},
	{"traces", "*", []string{standard, "spec", "github.com/gopacket/gopacket"}},
	{"scenarios", "*", []string{standard}},
	{"docs", "*", []string{standard}},
	{"internal/axiom", "*", []string{standard, "spec"}},
	{"internal/tidy", "*", []string{standard}},
	{"internal/...", "*", []string{anything}},
	{"cmd/...", "*", []string{anything}},
	{"ibchecktest", "*", []string{anything}},
	{"bench/...", "*", []string{anything}},
	{".", "*", []string{anything}},
}

// checkImports looks at what is built, not at tests, which may use test
// libraries and compare packages that do not know each other.
func checkImports(t *tree) []problem {
	var out []problem
	for _, f := range t.files {
		if !f.isGo() || f.isTest() {
			continue
		}
		rule, ok := importRuleOf(f)
		if !ok {
			out = append(out, problem{f.path, 1, "no row of importRules says what this package may import"})
			continue
		}
		for _, spec := range f.ast.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil || rule.allows(name) {
				continue
			}
			text := fmt.Sprintf("%s must not import %s (allowed: %s)", f.dir(), name, strings.Join(rule.allowed, ", "))
			out = append(out, problem{f.path, t.line(spec.Pos()), text})
		}
	}
	return out
}

func importRuleOf(f *file) (importRule, bool) {
	for _, r := range importRules {
		below, tree := strings.CutSuffix(r.folder, "/...")
		inFolder := f.dir() == below || tree && strings.HasPrefix(f.dir(), below+"/")
		if match, _ := path.Match(r.files, path.Base(f.path)); match && inFolder {
			return r, true
		}
	}
	return importRule{}, false
}

func (r importRule) allows(name string) bool {
	if slices.Contains(r.allowed, anything) {
		return true
	}
	if folder, ours := moduleFolder(name); ours {
		return slices.Contains(r.allowed, folder)
	}
	first, _, _ := strings.Cut(name, "/")
	if !strings.Contains(first, ".") {
		return name != "C" && slices.Contains(r.allowed, standard)
	}
	return slices.ContainsFunc(r.allowed, func(p string) bool {
		return name == p || strings.HasPrefix(name, p+"/")
	})
}

// moduleFolder returns the folder of an import path of this module.
func moduleFolder(name string) (string, bool) {
	if name == modulePath {
		return ".", true
	}
	return strings.CutPrefix(name, modulePath+"/")
}
