package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"strings"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/internal/expected"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// A tester explores scenarios and judges them.
type tester struct {
	read     func(path string) ([]byte, error)
	recorded bool       // compare with the report recorded beside the file, if there is one
	update   bool       // record it instead
	cache    *testCache // nil: none
	asked    ibcheck.Options
	opt      ibcheck.Options // asked, with its limits shared among parallel runs
}

// An outcome is what became of one file of a test.
type outcome struct {
	path     string
	exit     int
	report   *ibcheck.ScenarioReport // nil if it was not explored
	problems []ibcheck.Problem
	cached   bool // not explored now, because it passed before
	updated  bool // its report was recorded anew
}

// addTo adds an outcome to the report of a test.
func (o *outcome) addTo(r *ibcheck.Report) {
	if o.report != nil {
		r.Scenarios = append(r.Scenarios, *o.report)
	}
	r.Problems = append(r.Problems, o.problems...)
}

// test explores one file and judges it.
func (t *tester) test(ctx context.Context, path string) outcome {
	if ctx.Err() != nil {
		return outcome{path: path}.with(ibcheck.Problem{Text: "interrupted before it was explored", Exit: ibcheck.ExitInconclusive})
	}
	f, key, errs := t.load(path)
	o := outcome{path: path}
	if len(errs) > 0 {
		for _, e := range errs {
			o = o.with(mistakeProblem(e))
		}
		return o
	}
	if o.report = t.cache.get(key); o.report != nil {
		o.cached = true
		return t.compare(ctx, f, key, o)
	}
	s, err := ibcheck.Check(ctx, f, t.opt)
	if err != nil {
		return o.with(failure(path, err))
	}
	o.report, o.exit = &s, s.ExitCode(true)
	if o.exit != ibcheck.ExitExpected {
		return o
	}
	t.cache.put(key, &s)
	return t.compare(ctx, f, key, o)
}

// addMatrix adds the order matrix to a report that is recorded with it.
func (t *tester) addMatrix(ctx context.Context, f *scenario.File, key cacheKey, o *outcome) error {
	if len(o.report.OrderMatrix) > 0 {
		return nil
	}
	lines, err := ibcheck.OrderMatrix(ctx, f, t.opt)
	if err != nil {
		return err
	}
	o.report.OrderMatrix = lines
	t.cache.put(key, o.report)
	return nil
}

// load reads a file and what it imports. The key is the name of its outcome in
// the cache: it stands for all that was read, the flags, and the program.
func (t *tester) load(path string) (*scenario.File, cacheKey, scenario.Errors) {
	h := sha256.New()
	fmt.Fprintf(h, "%q %d %d\n", path, t.asked.MaxStates, t.asked.MaxMem)
	read := func(name string) ([]byte, error) {
		src, err := t.read(name)
		fmt.Fprintf(h, "%q %d %v\n", name, len(src), err)
		h.Write(src)
		return src, err
	}
	src, err := read(path)
	if err != nil {
		_, errs := scenario.Load(path) // says so with a position
		return nil, cacheKey{}, errs
	}
	f, errs := scenario.Parse(path, src, scenario.Options{ReadFile: read})
	return f, cacheKey(h.Sum(nil)), errs
}

// compare holds the report of a scenario that passed against the recorded one.
func (t *tester) compare(ctx context.Context, f *scenario.File, key cacheKey, o outcome) outcome {
	if _, err := os.Stat(expected.Name(o.path)); !t.recorded || err != nil && !t.update {
		return o
	}
	var diff string
	err := t.addMatrix(ctx, f, key, &o)
	switch {
	case err != nil:
	case t.update:
		o.updated, err = expected.Update(o.path, o.report)
	default:
		diff, err = expected.Compare(o.path, o.report)
	}
	if err != nil {
		return o.with(ibcheck.Problem{Text: err.Error(), Exit: ibcheck.ExitUnexpected})
	}
	if diff != "" {
		text := "the report differs from " + expected.Name(o.path) + "; --update records the new one"
		return o.with(ibcheck.Problem{Text: text, More: diff, Exit: ibcheck.ExitUnexpected})
	}
	return o
}

// with adds a problem of the file.
func (o outcome) with(p ibcheck.Problem) outcome {
	p.File = o.path
	o.problems = append(o.problems, p)
	o.exit = ibcheck.WorseExit(o.exit, p.Exit)
	return o
}

// failure is the problem of a file that could not be explored. What a report of
// a fault of the program needs is more than a line: check gives it.
func failure(path string, err error) ibcheck.Problem {
	what, _, more := strings.Cut(err.Error(), "\n")
	code := exitOf(err)
	if code == ibcheck.ExitInternal {
		what = "internal error: " + what
	}
	if more {
		what += " (see ibcheck check " + quoted([]string{path}) + ")"
	}
	return ibcheck.Problem{File: path, Text: what, Exit: code}
}
