package tidy

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// checkDeadPackages finds Go files that no program and no test builds: those of
// a package that nobody else imports, and those whose build constraint is
// never true.
func checkDeadPackages(t *tree) []problem {
	imported := map[string]bool{".": true, "ibchecktest": true} // these are for users
	for _, f := range t.files {
		if !f.isGo() {
			continue
		}
		for _, spec := range f.ast.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			if folder, ours := moduleFolder(name); ours && folder != f.dir() {
				imported[folder] = true
			}
		}
	}
	var out []problem
	for _, f := range t.files {
		if !f.isGo() || strings.Contains(f.path, "testdata/") {
			continue
		}
		if !f.isTest() && f.ast.Name.Name != "main" && !imported[f.dir()] {
			out = append(out, problem{f.path, 1, "nothing imports package " + f.dir()})
		}
		if line, never := neverBuilt(t, f.ast); never {
			out = append(out, problem{f.path, line, "this file is never built"})
		}
	}
	return out
}

// neverBuilt says whether a file's constraint names the tag "ignore".
func neverBuilt(t *tree, f *ast.File) (line int, never bool) {
	for _, group := range f.Comments {
		if group.Pos() > f.Package {
			break
		}
		for _, c := range group.List {
			expr, err := constraint.Parse(c.Text)
			if err == nil && !expr.Eval(func(tag string) bool { return tag != "ignore" }) && strings.Contains(c.Text, "ignore") {
				return t.line(c.Pos()), true
			}
		}
	}
	return 0, false
}

var markdownLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// linksOf returns the targets of a document's relative links, from the root of
// the tree, with the line of each.
func linksOf(f *file) (targets []string, lines []int) {
	for i, line := range strings.Split(f.text, "\n") {
		for _, m := range markdownLink.FindAllStringSubmatch(line, -1) {
			target, _, _ := strings.Cut(m[1], "#")
			if target == "" || strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			targets = append(targets, path.Join(f.dir(), target))
			lines = append(lines, i+1)
		}
	}
	return targets, lines
}

// checkDeadDocs finds files below docs that cannot be reached by links from
// README.md. A link to a folder reaches what is directly in it.
func checkDeadDocs(t *tree) []problem {
	byPath := map[string]*file{}
	for _, f := range t.files {
		byPath[f.path] = f
	}
	reached := map[string]bool{"README.md": true}
	queue := []string{"README.md"}
	for len(queue) > 0 {
		f := byPath[queue[0]]
		queue = queue[1:]
		if f == nil || path.Ext(f.path) != ".md" {
			continue
		}
		targets, _ := linksOf(f)
		for _, target := range targets {
			if !reached[target] {
				reached[target] = true
				queue = append(queue, target)
			}
		}
	}
	var out []problem
	for _, f := range t.files {
		if strings.HasPrefix(f.path, "docs/") && !f.isGo() && !reached[f.path] && !reached[f.dir()] {
			out = append(out, problem{f.path, 1, "no chain of links leads here from README.md"})
		}
	}
	return out
}

// checkLinks finds relative links of documents to what is not there.
func checkLinks(t *tree) []problem {
	var out []problem
	for _, f := range t.files {
		if path.Ext(f.path) != ".md" {
			continue
		}
		targets, lines := linksOf(f)
		for i, target := range targets {
			if !t.has(target) {
				out = append(out, problem{f.path, lines[i], fmt.Sprintf("link to %s, which does not exist", target)})
			}
		}
	}
	return out
}
