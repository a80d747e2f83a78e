package tidy

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
)

// selfEvident are methods whose meaning their interface fixes.
var selfEvident = []string{"String", "Error", "Unwrap", "Is", "As", "Len", "Less", "Swap",
	"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText"}

// checkDocComments finds exported names without a comment and packages without
// a package comment. One comment may stand for a group of constants.
func checkDocComments(t *tree) []problem {
	var out []problem
	packages := map[string]bool{} // folder: has a package comment
	var folders []string
	for _, f := range t.files {
		if !f.isGo() || strings.Contains(f.path, "testdata/") {
			continue
		}
		if _, seen := packages[f.dir()]; !seen {
			folders = append(folders, f.dir())
		}
		packages[f.dir()] = packages[f.dir()] || f.ast.Doc != nil
		if f.isTest() || f.ast.Name.Name == "main" {
			continue
		}
		for _, d := range f.ast.Decls {
			for _, name := range undocumented(d) {
				text := fmt.Sprintf("%s is exported and has no comment", name.Name)
				out = append(out, problem{f.path, t.line(name.Pos()), text})
			}
		}
	}
	for _, folder := range folders {
		if !packages[folder] {
			out = append(out, problem{folder, 1, "the package has no comment"})
		}
	}
	return out
}

// undocumented returns the exported names of a declaration without a comment.
func undocumented(d ast.Decl) []*ast.Ident {
	switch d := d.(type) {
	case *ast.FuncDecl:
		method := d.Recv != nil
		if method && (!exportedReceiver(d.Recv) || slices.Contains(selfEvident, d.Name.Name)) {
			return nil
		}
		if d.Name.IsExported() && d.Doc == nil {
			return []*ast.Ident{d.Name}
		}
	case *ast.GenDecl:
		if d.Tok == token.IMPORT || d.Doc != nil {
			return nil
		}
		return undocumentedSpecs(d.Specs)
	}
	return nil
}

func undocumentedSpecs(specs []ast.Spec) []*ast.Ident {
	var out []*ast.Ident
	for _, s := range specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() && s.Doc == nil && s.Comment == nil {
				out = append(out, s.Name)
			}
		case *ast.ValueSpec:
			for _, name := range s.Names {
				if name.IsExported() && s.Doc == nil && s.Comment == nil {
					out = append(out, name)
				}
			}
		}
	}
	return out
}

func exportedReceiver(recv *ast.FieldList) bool {
	x := recv.List[0].Type
	for {
		switch e := x.(type) {
		case *ast.StarExpr:
			x = e.X
		case *ast.IndexExpr:
			x = e.X
		case *ast.IndexListExpr:
			x = e.X
		case *ast.Ident:
			return e.IsExported()
		default:
			return false
		}
	}
}

// Every scenario of the catalogue says what it shows and who said so.
var scenarioLines = []struct {
	name    string
	pattern *regexp.Regexp
}{
	{"doc", regexp.MustCompile(`(?m)(^|[\s{;])doc\s+"[^"]`)},
	{"ref", regexp.MustCompile(`(?m)(^|[\s{;])ref\s+"[^"]`)},
}

func checkScenarios(t *tree) []problem {
	var out []problem
	for _, f := range t.files {
		if path.Ext(f.path) != ".ibl" || !strings.HasPrefix(f.path, "scenarios/") {
			continue
		}
		for _, l := range scenarioLines {
			if !l.pattern.MatchString(f.text) {
				out = append(out, problem{f.path, 1, "the litmus block has no " + l.name + ` "…" line`})
			}
		}
	}
	return out
}
