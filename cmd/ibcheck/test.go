package main

import (
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
	"github.com/ibcheck/ibcheck/explore"
)

const testHelp = `Explores scenarios and compares every verdict with the file's expect. Beside a
scenario x.ibl may stand x.ibl.expected, its report as --update records it: then
that must be the same too, ladders and numbers of states included, and what
differs is shown as a diff.

Prints a line for each scenario, below it what failed, and in the end a line with
the totals. A verdict that says nothing because its property was never put to the
test is a failure. A scenario that passed is not explored again until its text,
what it imports, the flags or the program change. --timeout is for each scenario;
--max-mem is for all that are explored at the same time.

PATH is a scenario file, a folder, or FOLDER/... for all below it; ./... if there
is none.`

// testFlags are the flags of the verb test.
type testFlags struct {
	update  bool
	run     string
	shard   string
	events  bool
	noCache bool
}

func newTest(a *app) *cobra.Command {
	var flags testFlags
	c := &cobra.Command{
		Use:     "test [PATH...]",
		Short:   "Compare the verdicts of scenarios with what they expect",
		Long:    testHelp,
		Example: "  ibcheck test ./scenarios/...\n  ibcheck test --run 'rnr|srq' -v ./...\n  ibcheck test --shard 1/4 -o json ./... > 1.json",
		Args:    cobra.ArbitraryArgs,
		RunE:    func(_ *cobra.Command, args []string) error { return a.test(args, &flags) },

		ValidArgsFunction: completeScenarios,
	}
	c.Flags().BoolVar(&flags.update, "update", false, "record the reports of all scenarios anew")
	c.Flags().StringVar(&flags.run, "run", "", "only files whose path this regular expression matches")
	c.Flags().StringVar(&flags.shard, "shard", "", "only every n-th file from the i-th on, as 1/4")
	c.Flags().BoolVar(&flags.events, "json", false, "print what happens as go test -json does, an event a line")
	c.Flags().BoolVar(&flags.noCache, "no-cache", false, "explore also what passed before")
	c.AddCommand(newTestMerge(a))
	return c
}

func (a *app) test(args []string, flags *testFlags) error {
	if len(args) == 0 {
		args = []string{"./..."}
	}
	if flags.events && a.flags.output.value != "text" {
		return fmt.Errorf("--json prints events; it cannot be combined with -o %s", a.flags.output.value)
	}
	paths, err := scenarioFiles(args)
	if err != nil {
		return err
	}
	if paths, err = flags.selected(paths); err != nil {
		return err
	}
	if len(paths) == 0 && flags.shard == "" { // a shard may be empty
		return fmt.Errorf("no scenario (*.ibl) in %s", quoted(args))
	}
	t := &tester{read: os.ReadFile, recorded: true, update: flags.update}
	if !flags.noCache {
		t.cache = openTestCache()
	}
	var p testPrinter = &testLines{a: a}
	if flags.events {
		p = newTestEvents(a.stdout, paths)
	}
	return a.testAll(paths, t, p, flags.shard)
}

// testAll tests files, several at a time, and hands what became of them to the
// printer in order.
func (a *app) testAll(paths []string, t *tester, p testPrinter, shard string) error {
	opt, err := a.options(&modelFlags{})
	if err != nil {
		return err
	}
	a.vacuousIsError = true
	t.asked = opt
	slots := max(1, min(a.jobs(), len(paths)))
	opt.Workers = max(1, a.jobs()/slots)
	if opt.MaxMem == 0 {
		opt.MaxMem = explore.DefaultMaxMem()
	}
	opt.MaxMem /= uint64(slots)
	opt.NoEpilogue = false // it is recorded how runs go on, whatever is drawn now
	t.opt = opt
	ctx, stop := a.interruptible()
	defer stop()
	outcomes := make([]chan outcome, len(paths))
	for i := range outcomes {
		outcomes[i] = make(chan outcome, 1)
	}
	free := make(chan struct{}, slots)
	go func() {
		for i, path := range paths {
			free <- struct{}{}
			go func() {
				outcomes[i] <- t.test(ctx, path)
				<-free
			}()
		}
	}()
	report := ibcheck.Report{Schema: ibcheck.Schema, Shard: shard}
	for _, c := range outcomes {
		o := <-c
		a.fail(o.exit)
		o.addTo(&report)
		p.outcome(&o)
	}
	p.end()
	return a.finish(&report)
}

// selected applies --run and --shard.
func (f *testFlags) selected(paths []string) ([]string, error) {
	pattern, err := regexp.Compile(f.run)
	if err != nil {
		return nil, fmt.Errorf("--run: %v", err)
	}
	index, of := 1, 1
	if f.shard != "" {
		var ok bool
		if index, of, ok = parseShard(f.shard); !ok {
			return nil, fmt.Errorf("--shard %s: want i/n with 1 <= i <= n, as 1/4", quoted([]string{f.shard}))
		}
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return !pattern.MatchString(p) })
	if len(paths) == 0 {
		return nil, nil
	}
	var out []string
	for i := index - 1; i < len(paths); i += of {
		out = append(out, paths[i])
	}
	return out, nil
}

// parseShard reads "i/n".
func parseShard(text string) (index, of int, ok bool) {
	first, second, _ := strings.Cut(text, "/")
	index, err1 := strconv.Atoi(first)
	of, err2 := strconv.Atoi(second)
	return index, of, err1 == nil && err2 == nil && index >= 1 && index <= of
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
