package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

const testHelp = `Explores scenarios and compares every verdict with the file's expect. Beside a
scenario x.ibl may stand x.golden, the report as check writes it: then all of it
must be the same, ladders and numbers of states included.

Prints a line for each scenario and in the end a line with the totals. A verdict
that says nothing because its property was never put to the test is a failure.`

// testFlags are the flags of the verb test.
type testFlags struct {
	update bool
	run    string
	shard  string
}

func newTest(a *app) *cobra.Command {
	var flags testFlags
	c := &cobra.Command{
		Use:     "test [PATH...]",
		Short:   "Compare the verdicts of scenarios with what they expect",
		Long:    testHelp,
		Example: "  ibcheck test ./scenarios/...\n  ibcheck test --run 'rnr|srq' ./...",
		RunE:    func(_ *cobra.Command, args []string) error { return a.test(args, &flags) },

		ValidArgsFunction: completeScenarios,
	}
	c.Flags().BoolVar(&flags.update, "update", false, "write the golden reports anew where they differ")
	c.Flags().StringVar(&flags.run, "run", "", "only files whose path this regular expression matches")
	c.Flags().StringVar(&flags.shard, "shard", "", "only every n-th file from the i-th on, as 1/4")
	return c
}

func (a *app) test(args []string, flags *testFlags) error {
	if len(args) == 0 {
		args = []string{"./..."}
	}
	paths, err := scenarioFiles(args)
	if err != nil {
		return err
	}
	if paths, err = flags.selected(paths); err != nil {
		return err
	}
	if len(paths) == 0 {
		return fmt.Errorf("no scenario (*.ibl) in %s", quoted(args))
	}
	return a.testAll(paths, &tester{load: scenario.Load, golden: true, update: flags.update})
}

// A tester explores scenarios and judges them.
type tester struct {
	load   func(path string) (*scenario.File, scenario.Errors)
	golden bool // compare with the golden report beside the file, if there is one
	update bool // write it instead
	opt    ibcheck.Options
}

// testAll tests files, several at a time, and writes their lines in order.
func (a *app) testAll(paths []string, t *tester) error {
	opt, err := a.options(&modelFlags{})
	if err != nil {
		return err
	}
	t.opt = opt
	slots := make(chan struct{}, a.jobs())
	if len(paths) > 1 { // the files share the processors and the memory
		t.opt.Workers = 1
		t.opt.MaxMem /= uint64(cap(slots))
	}
	ctx, stop := a.interruptible()
	defer stop()
	outcomes := make([]chan outcome, len(paths))
	for i := range outcomes {
		outcomes[i] = make(chan outcome, 1)
	}
	go func() {
		for i, path := range paths {
			slots <- struct{}{}
			go func() {
				outcomes[i] <- t.test(ctx, path)
				<-slots
			}()
		}
	}()
	return a.collect(outcomes)
}

// collect writes outcomes in their order, the totals, and the report.
func (a *app) collect(outcomes []chan outcome) error {
	report := ibcheck.Report{Schema: ibcheck.Schema}
	passed := 0
	for _, c := range outcomes {
		o := <-c
		a.fail(o.exit)
		if o.report != nil {
			report.Scenarios = append(report.Scenarios, *o.report)
		}
		if o.exit == ibcheck.ExitExpected {
			passed++
		}
		if a.flags.output.value == "text" {
			fmt.Fprint(a.stdout, o.line)
		}
	}
	if a.flags.output.value == "text" {
		fmt.Fprintf(a.stdout, "%d passed, %d failed\n", passed, len(outcomes)-passed)
	}
	return a.finish(&report)
}

// An outcome is what became of one file of a test.
type outcome struct {
	exit   int
	line   string // as shown, with its newline
	report *ibcheck.ScenarioReport
}

// test explores one file and judges it.
func (t *tester) test(ctx context.Context, path string) outcome {
	if ctx.Err() != nil {
		return verdictLine(path, ibcheck.ExitInconclusive, "interrupted before it was explored")
	}
	f, errs := t.load(path)
	if len(errs) > 0 {
		return verdictLine(path, ibcheck.ExitUsage, mistakes(errs))
	}
	s, err := ibcheck.Check(ctx, f, t.opt)
	if err != nil {
		return failure(path, err)
	}
	code := s.ExitCode(true)
	o := verdictLine(path, code, s.Complaints(true)...)
	if code == ibcheck.ExitExpected {
		o.line = fmt.Sprintf("ok    %s  %s\n", path, s.Summary())
		if complaint := t.compareGolden(path, &s); complaint != "" {
			o = verdictLine(path, ibcheck.ExitUnexpected, complaint)
		}
	}
	o.report = &s
	return o
}

// failure is the outcome of a file that could not be explored. What a report of
// a fault of the program needs is more than a line: check gives it.
func failure(path string, err error) outcome {
	what, _, more := strings.Cut(err.Error(), "\n")
	code := exitOf(err)
	if code == ibcheck.ExitInternal {
		what = "internal error: " + what
	}
	if more {
		what += " (see ibcheck check " + quoted([]string{path}) + ")"
	}
	return verdictLine(path, code, what)
}

func verdictLine(path string, code int, complaints ...string) outcome {
	return outcome{exit: code, line: fmt.Sprintf("FAIL  %s  %s\n", path, strings.Join(complaints, "; "))}
}

// mistakes is the first mistake of a file and how many more there are.
func mistakes(errs scenario.Errors) string {
	text := errs[0].Error()
	if len(errs) > 1 {
		text += fmt.Sprintf(" (and %d more)", len(errs)-1)
	}
	return text
}

// compareGolden compares a report with the one recorded beside its scenario, if
// there is one, or records it. It returns what is wrong, "" if nothing is.
func (t *tester) compareGolden(path string, s *ibcheck.ScenarioReport) string {
	if !t.golden {
		return ""
	}
	name := strings.TrimSuffix(path, ".ibl") + ".golden"
	var got bytes.Buffer
	if err := s.WriteText(&got, ibcheck.TextOptions{Timeless: true}); err != nil {
		return err.Error()
	}
	want, err := os.ReadFile(name)
	switch {
	case t.update && !bytes.Equal(got.Bytes(), want):
		if err := os.WriteFile(name, got.Bytes(), 0o666); err != nil {
			return err.Error()
		}
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err.Error()
	case !bytes.Equal(got.Bytes(), want):
		line := firstDifference(got.String(), string(want))
		return fmt.Sprintf("the report differs from %s in line %d; --update records the new one", name, line)
	}
	return ""
}

// firstDifference returns the number of the first line in which a and b differ.
func firstDifference(a, b string) int {
	other := strings.Split(b, "\n")
	for i, line := range strings.Split(a, "\n") {
		if i >= len(other) || line != other[i] {
			return i + 1
		}
	}
	return strings.Count(a, "\n") + 1
}

// selected applies --run and --shard.
func (f *testFlags) selected(paths []string) ([]string, error) {
	pattern, err := regexp.Compile(f.run)
	if err != nil {
		return nil, fmt.Errorf("--run: %v", err)
	}
	index, of := 1, 1
	if f.shard != "" {
		first, second, _ := strings.Cut(f.shard, "/")
		var err1, err2 error
		index, err1 = strconv.Atoi(first)
		of, err2 = strconv.Atoi(second)
		if err1 != nil || err2 != nil || index < 1 || index > of {
			return nil, fmt.Errorf("--shard %s: want i/n with 1 <= i <= n, as 1/4", quoted([]string{f.shard}))
		}
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return !pattern.MatchString(p) })
	var out []string
	for i := index - 1; i < len(paths); i += of {
		out = append(out, paths[i])
	}
	return out, nil
}

// scenarioFiles returns the scenarios that arguments name, each once, sorted: a
// file is itself, a folder the *.ibl directly in it, FOLDER/... all below it.
func scenarioFiles(args []string) ([]string, error) {
	var out []string
	for _, arg := range args {
		root, deep := strings.CutSuffix(arg, "...")
		root = filepath.Clean(root)
		info, err := os.Stat(root)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			out = append(out, root)
			continue
		}
		err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && path != root && (!deep || strings.HasPrefix(d.Name(), ".")) {
				return fs.SkipDir
			}
			if err == nil && !d.IsDir() && filepath.Ext(path) == ".ibl" {
				out = append(out, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// jobs returns the number of processors to use.
func (a *app) jobs() int {
	if a.flags.jobs > 0 {
		return int(a.flags.jobs)
	}
	return runtime.NumCPU()
}
