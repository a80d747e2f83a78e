package scenarios_test

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/scenarios"
	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// An entry is one file of the catalogue.
type entry struct {
	path     string // "reply/a01-founding-ladder.ibl"
	group    string
	name     string // "a01-founding-ladder"
	lines    []string
	file     *scenario.File
	variants []variant // as written, then each check with
}

// A variant is an entry with a choice of params, and what is known of it.
type variant struct {
	with string // "fixed = true", "" as written
	sc   *spec.Scenario
	finding
}

// catalogue reads all files, group by group.
func catalogue(t *testing.T) []*entry {
	t.Helper()
	var all []*entry
	for _, g := range scenarios.Groups {
		names, err := fs.Glob(scenarios.Files, g.Name+"/*.ibl")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			all = append(all, read(t, name))
		}
	}
	return all
}

func read(t *testing.T, name string) *entry {
	t.Helper()
	src, err := scenarios.Files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	e := &entry{path: name, group: path.Dir(name), name: strings.TrimSuffix(path.Base(name), ".ibl"), lines: strings.Split(string(src), "\n")}
	var errs scenario.Errors
	if e.file, errs = scenario.Parse(name, src, scenario.Options{ReadFile: scenarios.Files.ReadFile}); errs != nil {
		t.Fatal(errs)
	}
	for _, v := range e.file.Variants() {
		sc, errs := v.Scenario()
		if errs != nil {
			t.Fatal(errs)
		}
		e.variants = append(e.variants, variant{with: v.Text, sc: sc})
	}
	return e
}

func (e *entry) asWritten() *spec.Scenario { return e.variants[0].sc }

// expects says whether the variant expects a verdict of a property.
func (v *variant) expects(property, verdict string) bool {
	return slices.ContainsFunc(v.sc.Asserts, func(p spec.Property) bool { return p.Name == property && p.Expect == verdict })
}

func TestEveryFolderIsAGroup(t *testing.T) {
	var groups []string
	for _, g := range scenarios.Groups {
		groups = append(groups, g.Name)
	}
	folders, err := fs.ReadDir(scenarios.Files, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if !slices.Contains(groups, f.Name()) {
			t.Errorf("the folder %s is not among scenarios.Groups", f.Name())
		}
	}
	if len(folders) != len(groups) {
		t.Errorf("%d folders, %d groups", len(folders), len(groups))
	}
}

func TestNamesAndTags(t *testing.T) {
	used := map[string]bool{}
	names := map[string]string{}
	for _, e := range catalogue(t) {
		sc := e.asWritten()
		if sc.Name != e.name {
			t.Errorf("%s: the scenario is named %q", e.path, sc.Name)
		}
		if other := names[e.name]; other != "" {
			t.Errorf("%s: %s has the same name", e.path, other)
		}
		names[e.name] = e.path
		for _, tag := range sc.Tags {
			if !slices.ContainsFunc(scenarios.Features, func(f scenarios.Feature) bool { return f.Name == tag }) {
				t.Errorf("%s: the tag %s is not among scenarios.Features", e.path, tag)
			}
			used[tag] = true
		}
		if len(sc.Tags) == 0 && isCase(e) {
			t.Errorf("%s: no tags", e.path)
		}
	}
	for _, f := range scenarios.Features {
		if !used[f.Name] {
			t.Errorf("no scenario has the tag %s", f.Name)
		}
	}
}

// caseName is the name of a recorded bug (a to j), a user's question (q), a
// variant of the seed (v) or a measurement (m): its number comes first.
var caseName = regexp.MustCompile(`^([a-j]|[qvm])(\d\d?)b?-`)

// isCase is true of recorded bugs.
func isCase(e *entry) bool {
	m := caseName.FindStringSubmatch(e.name)
	return m != nil && m[1] < "k"
}

// absent says why a number has no file.
var absent = map[string]string{
	"g07": "GPU memory behind a path of its own, flushed by a READ: two paths of placement in one host are not modelled",
	"q09": "whether a CPU's read of GPU memory flushes what the HCA wrote: two paths of placement in one host are not modelled",
}

func TestCasesAreCovered(t *testing.T) {
	count := map[string]int{}
	have := map[string]bool{}
	for _, e := range catalogue(t) {
		if m := caseName.FindStringSubmatch(e.name); m != nil {
			count[m[1]]++
			have[m[1]+m[2]] = true
		}
	}
	cases := 0
	for _, letter := range strings.Split("abcdefghij", "") {
		cases += count[letter]
		if count[letter] == 0 {
			t.Errorf("no case of group %s", strings.ToUpper(letter))
		}
	}
	if cases < 60 {
		t.Errorf("%d recorded bugs, at least 60", cases)
	}
	for _, wanted := range []struct {
		format      string
		first, last int
	}{{"q%02d", 1, 17}, {"v%d", 0, 9}, {"m%02d", 1, 14}} {
		for n := wanted.first; n <= wanted.last; n++ {
			checkNumber(t, have, wanted.format, n)
		}
	}
	for name, why := range absent {
		if have[name] {
			t.Errorf("%s has a file, although it is absent: %s", name, why)
		}
	}
	t.Logf("%d recorded bugs: %v", cases, count)
}

func checkNumber(t *testing.T, have map[string]bool, format string, n int) {
	t.Helper()
	if name := fmt.Sprintf(format, n); !have[name] && absent[name] == "" {
		t.Errorf("no file for %s, and no reason", name)
	}
}
