package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/ibcheck/ibcheck"
)

// testEvents shows outcomes as the events of go tool test2json: a folder is a
// package, a scenario a test, and each of its properties a subtest. Events have
// no time, as cached ones never have.
type testEvents struct {
	out     *json.Encoder
	left    map[string]int     // files of a package that are still to come
	seconds map[string]float64 // of a package
	failed  map[string]bool
}

// A testEvent is an event as test2json defines it.
type testEvent struct {
	Action  string
	Package string
	Test    string   `json:",omitempty"`
	Elapsed *float64 `json:",omitempty"`
	Output  string   `json:",omitempty"`
}

func newTestEvents(w io.Writer, paths []string) *testEvents {
	t := &testEvents{out: json.NewEncoder(w), left: map[string]int{}, seconds: map[string]float64{}, failed: map[string]bool{}}
	t.out.SetEscapeHTML(false)
	for _, p := range paths {
		t.left[packageOf(p)]++
	}
	return t
}

// packageOf names the folder of a file.
func packageOf(file string) string { return path.Dir(filepath.ToSlash(file)) }

func (t *testEvents) outcome(o *outcome) {
	pkg := packageOf(o.path)
	if _, begun := t.seconds[pkg]; !begun {
		t.seconds[pkg] = 0
		t.emit(testEvent{Action: "start", Package: pkg})
	}
	test := strings.TrimSuffix(path.Base(filepath.ToSlash(o.path)), ".ibl")
	t.begin(pkg, test)
	cases := o.cases(ibcheck.FormatOptions{VacuousIsError: true})
	for i := range cases {
		name := subtestName(test, &cases[i])
		t.begin(pkg, name)
		if !cases[i].Passed() {
			for line := range strings.Lines(strings.TrimRight(failureText(&cases[i]), "\n") + "\n") {
				t.output(pkg, name, "    "+line)
			}
		}
	}
	t.output(pkg, test, "    "+o.line()+"\n")
	seconds, passed := o.seconds(), o.exit == ibcheck.ExitExpected
	t.output(pkg, test, fmt.Sprintf("--- %s: %s (%.2fs)\n", passOrFail(passed), test, seconds))
	for i := range cases {
		name := subtestName(test, &cases[i])
		t.output(pkg, name, fmt.Sprintf("    --- %s: %s (0.00s)\n", passOrFail(cases[i].Passed()), name))
		t.verdict(pkg, name, cases[i].Passed(), 0)
	}
	t.verdict(pkg, test, passed, seconds)
	t.seconds[pkg] += seconds
	t.failed[pkg] = t.failed[pkg] || !passed
	if t.left[pkg]--; t.left[pkg] == 0 {
		t.endPackage(pkg)
	}
}

// seconds is how long it took to explore a file now.
func (o *outcome) seconds() float64 {
	if o.report == nil || o.cached {
		return 0
	}
	sum := o.report.Seconds
	for i := range o.report.Variants {
		sum += o.report.Variants[i].Seconds
	}
	return sum
}

func (t *testEvents) begin(pkg, test string) {
	t.emit(testEvent{Action: "run", Package: pkg, Test: test})
	t.output(pkg, test, "=== RUN   "+test+"\n")
}

func (t *testEvents) endPackage(pkg string) {
	word := "ok  "
	if t.failed[pkg] {
		t.output(pkg, "", "FAIL\n")
		word = "FAIL"
	}
	t.output(pkg, "", fmt.Sprintf("%s\t%s\t%.3fs\n", word, pkg, t.seconds[pkg]))
	t.verdict(pkg, "", !t.failed[pkg], t.seconds[pkg])
}

func (t *testEvents) end() {} // the last file of a package ends it

func (t *testEvents) output(pkg, test, text string) {
	t.emit(testEvent{Action: "output", Package: pkg, Test: test, Output: text})
}

// verdict ends a test or, without one, a package.
func (t *testEvents) verdict(pkg, test string, passed bool, seconds float64) {
	t.emit(testEvent{Action: strings.ToLower(passOrFail(passed)), Package: pkg, Test: test, Elapsed: &seconds})
}

func passOrFail(passed bool) string {
	if passed {
		return "PASS"
	}
	return "FAIL"
}

func (t *testEvents) emit(e testEvent) {
	_ = t.out.Encode(e) // as with all that is printed, nobody is left to tell
}

// subtestName makes a name as go test does: without blanks, and without slashes,
// which would make it a subtest of a subtest.
func subtestName(test string, c *ibcheck.Case) string {
	return test + "/" + strings.NewReplacer(" ", "_", "/", "|").Replace(c.Name)
}
