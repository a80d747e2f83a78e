package main

import (
	"fmt"
	"strings"

	"github.com/ibcheck/ibcheck"
)

// A testPrinter shows the outcomes of a test, in the order of their files.
type testPrinter interface {
	outcome(o *outcome)
	end()
}

// testLines shows a line for each outcome, below it what failed, and in the end
// a line with the totals.
type testLines struct {
	a              *app
	passed, failed int
}

func (t *testLines) outcome(o *outcome) {
	if o.exit == ibcheck.ExitExpected {
		t.passed++
	} else {
		t.failed++
	}
	if !t.a.printsText() {
		return
	}
	fmt.Fprintln(t.a.stdout, o.line())
	cases := o.cases(t.a.formatOptions())
	if t.a.flags.verbose {
		for i := range cases {
			t.caseLine(&cases[i])
		}
	}
	if o.exit == ibcheck.ExitExpected || t.a.flags.quiet {
		return
	}
	for i := range cases {
		if c := &cases[i]; !c.Passed() && c.Details != "" {
			fmt.Fprintf(t.a.stdout, "\n%s\n", failureText(c))
		}
	}
}

func (t *testLines) end() {
	if t.a.printsText() {
		fmt.Fprintf(t.a.stdout, "%d passed, %d failed\n", t.passed, t.failed)
	}
}

// caseLine is what -v shows of a case.
func (t *testLines) caseLine(c *ibcheck.Case) {
	mark, words := "ok  ", c.Verdict
	if !c.Passed() {
		mark, words = "FAIL", c.Message
	}
	line := "      " + mark + "  " + c.Name
	if words != "" {
		line += ": " + words
	}
	fmt.Fprintln(t.a.stdout, line)
}

// failureText says what failed, where, and all that is known of it. The line of
// the file has said already what its problem is.
func failureText(c *ibcheck.Case) string {
	if c.Verdict == "" {
		return c.Details
	}
	return fmt.Sprintf("%s: %s: %s\n%s", c.Pos(), c.Name, c.Message, c.Details)
}

// line is an outcome in a line.
func (o *outcome) line() string {
	if o.exit == ibcheck.ExitExpected {
		line := fmt.Sprintf("ok    %s  %s", o.path, o.report.Summary())
		if o.updated {
			line += ", recorded"
		}
		if o.cached {
			line += " (cached)"
		}
		return line
	}
	var words []string
	if o.report != nil {
		words = o.report.Complaints(true)
	}
	return fmt.Sprintf("FAIL  %s  %s", o.path, strings.Join(append(words, problemWords(o.problems)...), "; "))
}

// problemWords are the problems of a file; of many mistakes only the first.
func problemWords(problems []ibcheck.Problem) []string {
	if len(problems) == 0 {
		return nil
	}
	p := &problems[0]
	text := p.Text
	if p.Pos != "" {
		text = p.Pos + ": " + text
	}
	if len(problems) > 1 {
		text += fmt.Sprintf(" (and %d more)", len(problems)-1)
	}
	return []string{text}
}

// cases are the verdicts and the problems of an outcome.
func (o *outcome) cases(opt ibcheck.FormatOptions) []ibcheck.Case {
	var out []ibcheck.Case
	if o.report != nil {
		out = o.report.Cases(opt)
	}
	for i := range o.problems {
		out = append(out, o.problems[i].Case())
	}
	return out
}
