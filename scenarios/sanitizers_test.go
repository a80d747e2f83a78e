package scenarios_test

import (
	"io/fs"
	"testing"

	"github.com/ibcheck/ibcheck/invariants"
	"github.com/ibcheck/ibcheck/scenarios"
	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// TestSanitizersHaveTheirFiles: each sanitizer has a file in the group
// sanitizers in which it fires, with a variant in which it nearly does. That it
// is so is for the verdicts of the file, which the catalogue's run compares.
func TestSanitizersHaveTheirFiles(t *testing.T) {
	names, err := fs.Glob(scenarios.Files, "sanitizers/*.ibl")
	if err != nil {
		t.Fatal(err)
	}
	files := map[spec.Bad]string{}
	for _, name := range names {
		text, err := scenarios.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, errs := scenario.Parse(name, text, scenario.Options{})
		if errs != nil {
			t.Fatal(errs)
		}
		var expected []string
		for _, v := range f.Variants() {
			sc, errs := v.Scenario()
			if errs != nil {
				t.Fatal(errs)
			}
			for i := range sc.Asserts {
				expected = append(expected, sc.Asserts[i].Expect)
				files[invariants.Sanitizer(&sc.Asserts[i])] = name
			}
		}
		if len(expected) != 2 || expected[0] != "violated" || expected[1] != "holds" {
			t.Errorf("%s expects %v, not that its sanitizer fires and nearly does", name, expected)
		}
	}
	delete(files, spec.BadNone)
	if len(files) != len(names) {
		t.Errorf("%d files for %d sanitizers", len(names), len(files))
	}
	for b := spec.BadFreed; b <= spec.BadAssert; b++ {
		if files[b] == "" {
			t.Errorf("no file for %s", b)
		}
	}
}
