package spec_test

import (
	"context"
	"testing"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/scenarios"
	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// TestMutants puts every wrong rule in force and asks the scenarios of the
// catalogue's group mutants, which are small, to notice: some verdict must
// differ from what its file expects. With the right rules none does.
func TestMutants(t *testing.T) {
	files := mutantFiles(t)
	for _, f := range files {
		if red := verdict(t, f); red != "" {
			t.Errorf("%s with the right rules: %s", f.Name, red)
		}
	}
	noticed := map[string]bool{}
	for _, x := range spec.Mutants() {
		t.Run(x.Name, func(t *testing.T) {
			defer x.On()()
			red := ""
			for _, f := range files {
				if why := verdict(t, f); why != "" {
					red += "\n" + f.Name + ": " + why
					noticed[f.Name] = true
					if !*long {
						break
					}
				}
			}
			if red == "" {
				t.Errorf("nobody notices: %s", x.Doc)
			}
			t.Log(red)
		})
	}
	for _, f := range files {
		if *long && !noticed[f.Name] {
			t.Errorf("%s notices nothing", f.Name)
		}
	}
}

func mutantFiles(t *testing.T) []*scenario.File {
	t.Helper()
	dir, err := scenarios.Files.ReadDir("mutants")
	if err != nil {
		t.Fatal(err)
	}
	var files []*scenario.File
	for _, d := range dir {
		name := "mutants/" + d.Name()
		text, err := scenarios.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, errs := scenario.Parse(name, text, scenario.Options{})
		if errs != nil {
			t.Fatal(errs)
		}
		files = append(files, f)
	}
	return files
}

// verdict returns the first verdict of a file that is not as expected, or "".
func verdict(t *testing.T, f *scenario.File) string {
	t.Helper()
	r, err := ibcheck.Check(context.Background(), f, ibcheck.Options{NoEpilogue: true, MaxStates: 20_000})
	if err != nil {
		t.Errorf("%s: %v", f.Name, err)
		return ""
	}
	for _, s := range append([]ibcheck.ScenarioReport{r}, r.Variants...) {
		for _, p := range s.Properties {
			if !p.AsExpected || p.Vacuous != "" {
				return p.Name + " " + p.Verdict + " " + p.Vacuous
			}
		}
		if !s.Complete {
			return "explored without an end"
		}
	}
	return ""
}
