package spec_test

import (
	"context"
	"fmt"
	"slices"
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

// TestBuiltinsFire: each check that is always on has a wrong rule that it
// notices, in a file in which it holds with the right ones.
func TestBuiltinsFire(t *testing.T) {
	wrong := map[string][2]string{
		"one_cqe":              {"completes again at a ghost ACK", "cqe-order"},
		"send_cqe_order":       {"merges the CQEs of one ACK", "cqe-order"},
		"recv_cqe_order":       {"writes the youngest recv CQE first", "cqe-order"},
		"success_is_accepted":  {"completes at transmission", "lost-ack"},
		"one_recv_per_message": {"executes a duplicate SEND", "duplicate-send"},
	}
	seen := 0
	for _, f := range mutantFiles(t) {
		for name, w := range wrong {
			if f.Name != "mutants/"+w[1]+".ibl" {
				continue
			}
			seen++
			if !slices.Contains(builtinsOf(t, f, "holds"), name) {
				t.Errorf("%s does not hold in %s with the right rules", name, f.Name)
			}
			off := mutant(t, w[0]).On()
			if !slices.Contains(builtinsOf(t, f, "violated"), name) {
				t.Errorf("%s does not notice a device that %s, in %s", name, w[0], f.Name)
			}
			off()
			all := builtinsOf(t, f, "holds")
			if len(all) != len(wrong) {
				t.Errorf("there are built-in checks %v, and wrong rules for %d of them", all, len(wrong))
			}
		}
	}
	if seen != len(wrong) {
		t.Errorf("%d of %d files are there", seen, len(wrong))
	}
}

func mutant(t *testing.T, name string) *spec.Mutant {
	t.Helper()
	for _, x := range spec.Mutants() {
		if x.Name == name {
			return &x
		}
	}
	t.Fatalf("no mutant %q", name)
	return nil
}

// builtinsOf names the built-in checks that have a verdict in a file.
func builtinsOf(t *testing.T, f *scenario.File, verdict string) []string {
	t.Helper()
	r, err := ibcheck.Check(context.Background(), f, ibcheck.Options{NoEpilogue: true, MaxStates: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range r.Properties {
		if p.Kind == "builtin" && p.Verdict == verdict {
			names = append(names, p.Name)
		}
	}
	return names
}

// TestDialsMatter: every value of every dial makes a difference to some file of
// the group mutants, to its states or verdicts, beside each other value.
func TestDialsMatter(t *testing.T) {
	files := mutantFiles(t)
	for _, d := range spec.Dials {
		for i, v := range d.Values {
			for _, other := range d.Values[:i] {
				if d.Name == "error.older_first" && v == "free" && other == "flush_all" {
					continue // without time, at once is a case of at any time
				}
				if !slices.ContainsFunc(files, func(f *scenario.File) bool { return differ(t, f, d.Name, v, other) }) {
					t.Errorf("%s %s and %s make no difference to any file", d.Name, v, other)
				}
			}
		}
	}
}

// differ reports whether two values of a dial give a file other states or
// verdicts.
func differ(t *testing.T, f *scenario.File, dial, a, b string) bool {
	t.Helper()
	var seen [2]string
	for i, v := range []string{a, b} {
		r, err := ibcheck.Check(context.Background(), f, ibcheck.Options{NoEpilogue: true, MaxStates: 5_000, Dials: map[string]string{dial: v}})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range append([]ibcheck.ScenarioReport{r}, r.Variants...) {
			seen[i] += fmt.Sprintln(s.States, s.Transitions)
			for _, p := range s.Properties {
				seen[i] += fmt.Sprintln(p.Name, p.Verdict)
			}
		}
	}
	return seen[0] != seen[1]
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
