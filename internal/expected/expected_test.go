package expected

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck"
)

func report(depth int) *ibcheck.ScenarioReport {
	return &ibcheck.ScenarioReport{Name: "x", Profile: "iba", States: 5, Transitions: 7, Depth: depth, Complete: true,
		Properties: []ibcheck.PropertyReport{{Name: "order", Kind: "assert", Verdict: "holds"}}}
}

func TestRecordedThenCompared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.ibl")
	if diff, err := Compare(path, report(3)); diff != "" || err != nil {
		t.Errorf("nothing is recorded, got %q, %v", diff, err)
	}
	for i, want := range []bool{true, false} {
		if changed, err := Update(path, report(3)); changed != want || err != nil {
			t.Errorf("update %d: %v, %v", i+1, changed, err)
		}
	}
	if diff, err := Compare(path, report(3)); diff != "" || err != nil {
		t.Errorf("got %q, %v", diff, err)
	}
	diff, err := Compare(path, report(4))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"--- " + path + ".expected\n+++ now\n@@ ", "\n-  depth: 3\n+  depth: 4\n", "\n   transitions: 7\n"} {
		if !strings.Contains(diff, want) {
			t.Errorf("no %q in\n%s", want, diff)
		}
	}
	recorded, err := os.ReadFile(Name(path))
	if err != nil || !strings.Contains(string(recorded), "depth: 3") {
		t.Errorf("a comparison changed the file: %s, %v", recorded, err)
	}
}

func TestHalfASearchIsNotRecorded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.ibl")
	half := report(3)
	half.Variants = []ibcheck.ScenarioReport{{Name: "x"}}
	if _, err := Update(path, half); err == nil {
		t.Error("recorded")
	}
	if _, err := os.Stat(Name(path)); err == nil {
		t.Error("written")
	}
}

func TestErrorsOfTheDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.ibl")
	if err := os.Mkdir(Name(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Compare(path, report(3)); err == nil {
		t.Error("compared with a folder")
	}
	if _, err := Update(path, report(3)); err == nil {
		t.Error("recorded in a folder")
	}
}
