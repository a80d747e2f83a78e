package scenarios_test

import (
	"context"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/spec"
)

// A finding is what exploring a variant tells.
type finding struct {
	report ibcheck.ScenarioReport
	caught []string // sanitizers that fire when the file's own properties are left out
	never  []string // properties that say nothing: their "eventually" cannot come, or no run ends
}

var (
	exploreOnce     sync.Once
	exploredEntries []*entry
)

// explored explores the whole catalogue, once for all tests.
func explored(t *testing.T) []*entry {
	t.Helper()
	if testing.Short() {
		t.Skip("explores the whole catalogue")
	}
	exploreOnce.Do(func() {
		all := catalogue(t)
		var group sync.WaitGroup
		slots := make(chan struct{}, runtime.GOMAXPROCS(0))
		for _, e := range all {
			group.Add(1)
			slots <- struct{}{}
			go func() {
				defer group.Done()
				defer func() { <-slots }()
				if err := e.explore(); err != nil {
					t.Errorf("%s: %v", e.path, err)
				}
			}()
		}
		group.Wait()
		exploredEntries = all
	})
	if exploredEntries == nil {
		t.Fatal("the catalogue could not be explored")
	}
	return exploredEntries
}

func (e *entry) explore() error {
	for i := range e.variants {
		v := &e.variants[i]
		var err error
		if v.report, err = check(v.sc); err != nil {
			return err
		}
		if !isCase(e) && v.report.States > 1_000_000 {
			continue // a minute more, for what its smaller variants say
		}
		if err := v.probe(); err != nil {
			return err
		}
	}
	return nil
}

func check(sc *spec.Scenario) (ibcheck.ScenarioReport, error) {
	return ibcheck.CheckScenario(context.Background(), sc, ibcheck.Options{Workers: 1, NoEpilogue: true})
}

// probe explores the variant without its properties: what do the sanitizers say
// alone, and can what "eventually" and "final" speak of happen at all?
func (v *variant) probe() error {
	bare := *v.sc
	bare.Asserts, bare.Reaches = nil, nil
	for _, p := range v.sc.Asserts {
		switch p.Kind {
		case spec.PropEventually:
			bare.Reaches = append(bare.Reaches, spec.Property{Name: p.Name, Kind: spec.PropReach, L: p.L, ExpectFaults: -1})
		case spec.PropFinal:
			never := &spec.Expr{Op: spec.ExprInt}
			bare.Asserts = append(bare.Asserts, spec.Property{Name: p.Name, Kind: spec.PropFinal, L: never, ExpectFaults: -1})
		}
	}
	r, err := check(&bare)
	if err != nil {
		return err
	}
	for _, p := range r.Properties {
		switch {
		case p.Kind == "sanitizer" && p.Verdict == "violated" && !isWritten(p.Name):
			v.caught = append(v.caught, p.Name)
		case p.Kind == "reach" && p.Verdict == "unreachable", p.Kind == "assert" && p.Verdict == "holds":
			v.never = append(v.never, p.Name)
		}
	}
	return nil
}

// isWritten is true of sanitizers that only say what the author of a file wrote
// into it.
func isWritten(sanitizer string) bool { return sanitizer == "bug_on" || sanitizer == "out_of_range" }

// staysViolated is a sentence of a comment that names properties.
var staysViolated = regexp.MustCompile(`([^.:;]*)\bstays? violated\b`)

// keeps says whether a comment of the file says that the property stays
// violated, whatever is done.
func (e *entry) keeps(p *spec.Property) bool {
	var comments strings.Builder
	for _, line := range e.lines {
		_, comment, _ := strings.Cut(line, "# ")
		comments.WriteString(comment + " ")
	}
	for _, m := range staysViolated.FindAllStringSubmatch(comments.String(), -1) {
		if slices.Contains(strings.Fields(strings.ReplaceAll(m[1], ",", " ")), p.Name) {
			return true
		}
	}
	return false
}

// buggy says whether the variant breaks something that it need not.
func (e *entry) buggy(v *variant) bool {
	return slices.ContainsFunc(v.sc.Asserts, func(p spec.Property) bool { return p.Expect == "violated" && !e.keeps(&p) })
}

func TestVerdicts(t *testing.T) {
	for _, e := range explored(t) {
		for i := range e.variants {
			v := &e.variants[i]
			for _, complaint := range v.report.Complaints(true) {
				t.Errorf("%s: with %q: %s", e.path, v.with, complaint)
			}
			for _, name := range v.never {
				if v.expects(name, "holds") {
					t.Errorf("%s: with %q: %s holds, but no run comes to where it speaks of", e.path, v.with, name)
				}
			}
		}
	}
}

// TestViolationsHaveTwins: what is violated holds in another variant of the
// file, which is the fix or the absence of the cause. Where nothing can make it
// hold the file says so.
func TestViolationsHaveTwins(t *testing.T) {
	for _, e := range catalogue(t) {
		if e.group == "mutants" {
			continue // these say what the rules do, not what goes wrong
		}
		for _, p := range e.asWritten().Asserts {
			violated, holds := false, false
			for i := range e.variants {
				violated = violated || e.variants[i].expects(p.Name, "violated")
				holds = holds || e.variants[i].expects(p.Name, "holds")
			}
			if violated && !holds && !e.keeps(&p) {
				t.Errorf("%s:%d: %s is violated and holds in no variant: add one, or a comment why it stays violated", e.path, p.Pos.Line, p.Name)
			}
			if holds && e.keeps(&p) {
				t.Errorf("%s:%d: %s holds in a variant, so it does not stay violated", e.path, p.Pos.Line, p.Name)
			}
		}
	}
}

// TestSanitizersFindBugs: what nobody wrote a property for is found all the
// same, in many of the buggy variants and in none of the others.
func TestSanitizersFindBugs(t *testing.T) {
	var table strings.Builder
	fmt.Fprintf(&table, "%-12s %6s %9s %6s %6s\n", "group", "files", "variants", "buggy", "found")
	var bugs, found int
	var list []string
	groups := slices.Collect(chunks(explored(t)))
	for _, group := range groups {
		var variants, groupBugs, groupFound int
		for _, e := range group {
			for i := range e.variants {
				v := &e.variants[i]
				variants++
				switch {
				case !isCase(e):
				case !e.buggy(v) && len(v.caught) > 0:
					t.Errorf("%s: with %q: %v fires, but nothing is wrong", e.path, v.with, v.caught)
				case e.buggy(v):
					groupBugs++
					if len(v.caught) > 0 {
						groupFound++
						list = append(list, fmt.Sprintf("%-44s %-36s %s", e.name, v.with, strings.Join(v.caught, ", ")))
					}
				}
			}
		}
		fmt.Fprintf(&table, "%-12s %6d %9d %6d %6d\n", group[0].group, len(group), variants, groupBugs, groupFound)
		bugs += groupBugs
		found += groupFound
	}
	if found < 30 {
		t.Errorf("sanitizers alone find %d of %d buggy variants, at least 30", found, bugs)
	}
	t.Logf("recorded bugs, and those that a sanitizer finds without a property:\n%s%d of %d\n\n%s", &table, found, bugs, strings.Join(list, "\n"))
}

// chunks splits entries by group.
func chunks(all []*entry) func(yield func([]*entry) bool) {
	return func(yield func([]*entry) bool) {
		for len(all) > 0 {
			n := 1
			for n < len(all) && all[n].group == all[0].group {
				n++
			}
			if !yield(all[:n]) {
				return
			}
			all = all[n:]
		}
	}
}
