package docs_test

import (
	"flag"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/scenarios"
	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

var update = flag.Bool("update", false, "write generated tables anew")

const profilesPage = "../../docs/profiles.md"

// TestProfileTables holds the table of each profile in docs/profiles.md against
// the profile: every dial with its value, in the order of the dials.
func TestProfileTables(t *testing.T) {
	page, err := os.ReadFile(profilesPage)
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| `(\\S+)` \\| (\\w+) \\| (.+) \\|$")
	for _, p := range spec.Profiles {
		_, rest, found := strings.Cut(string(page), "<!-- profile: "+p.Name+" -->\n\n")
		if !found {
			t.Errorf("no table of profile %s", p.Name)
			continue
		}
		table, _, _ := strings.Cut(rest, "\n\n")
		values, err := spec.ResolveDials(p.Name, nil)
		if err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for _, d := range spec.Dials {
			want = append(want, d.Name+" "+values[d.Name])
		}
		for _, m := range row.FindAllStringSubmatch(table, -1) {
			got = append(got, m[1]+" "+m[2])
		}
		for _, line := range want {
			if !slices.Contains(got, line) {
				t.Errorf("profile %s: the page does not say that it has %s, nor why", p.Name, line)
			}
		}
		if len(got) != len(want) {
			t.Errorf("profile %s: %d rows for %d dials", p.Name, len(got), len(want))
		}
	}
}

// TestDifferencesOfProfiles holds the table of what the files of the group
// profiles expect under each profile against the files.
func TestDifferencesOfProfiles(t *testing.T) {
	page, err := os.ReadFile(profilesPage)
	if err != nil {
		t.Fatal(err)
	}
	mark := regexp.MustCompile(`<!-- table: differences -->\n(\n\|.*(\n\|.*)*\n)?`)
	text := mark.ReplaceAllLiteralString(string(page), "<!-- table: differences -->\n"+differences(t))
	if text == string(page) {
		return
	}
	if !*update {
		t.Fatalf("%s does not show what the files expect (go test ./internal/docs -update writes it anew)", profilesPage)
	}
	if err := os.WriteFile(profilesPage, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func differences(t *testing.T) string {
	t.Helper()
	var names []string
	for _, p := range spec.Profiles {
		names = append(names, "`"+p.Name+"`")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n| file | property | %s |\n| --- | --- |%s\n", strings.Join(names, " | "), strings.Repeat(" --- |", len(names)))
	files, err := scenarios.Files.ReadDir("profiles")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name := "profiles/" + f.Name()
		for _, line := range rows(t, name) {
			fmt.Fprintf(&b, "| [%s](../scenarios/%s) | %s |\n", strings.TrimSuffix(path.Base(name), ".ibl"), name, line)
		}
	}
	return b.String()
}

// rows returns, for each property of a file, its text and what is expected of it
// under each profile, which the param device names.
func rows(t *testing.T, name string) []string {
	t.Helper()
	src, err := scenarios.Files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	f, errs := scenario.Parse(name, src, scenario.Options{})
	if errs != nil {
		t.Fatal(errs)
	}
	var out []string
	under := map[string][]string{}
	for _, v := range f.Variants() {
		sc, errs := v.Scenario()
		if errs != nil {
			t.Fatal(errs)
		}
		if len(v.Params) > 1 || len(v.Params) == 1 && v.Params["device"] == "" {
			continue // it is about something else
		}
		all := slices.Concat(sc.Asserts, sc.Reaches)
		for i := range all {
			if v.Params == nil {
				out = append(out, "`"+all[i].Text+"`")
			}
			under[sc.Profile] = append(under[sc.Profile], all[i].Expect)
		}
	}
	for i := range out {
		for _, p := range spec.Profiles {
			if i >= len(under[p.Name]) {
				t.Fatalf("%s says nothing of profile %s", name, p.Name)
			}
			out[i] += " | " + under[p.Name][i]
		}
	}
	return out
}
