// Package ibchecktest checks scenarios in Go tests: every scenario is a test, and
// every property a subtest of it whose failure shows the ladder. It knows no more
// of scenarios than package ibcheck does, and judges as ibcheck test does.
//
//	func TestOrders(t *testing.T) { ibchecktest.Run(t, "testdata/*.ibl") }
package ibchecktest

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/internal/expected"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// An Option changes how Run and Check do their work.
type Option func(*config)

type config struct {
	opt    ibcheck.Options
	update bool
}

// With checks with these options: other limits, another profile, other budgets.
// Without it everything is explored. Scenarios run in parallel, as many at a time
// as -parallel allows, each on one processor and with its share of the memory,
// unless the options set Workers or MaxMem.
func With(opt ibcheck.Options) Option { return func(c *config) { c.opt = opt } }

// Update, if on, records the reports of scenarios in x.ibl.expected beside x.ibl,
// where Run compares them from then on. It is meant for a flag of the test.
func Update(on bool) Option { return func(c *config) { c.update = on } }

// Run checks the scenario files that a pattern of filepath.Glob matches, in
// parallel. A file fails for the same reasons as in ibcheck test: a mistake in it,
// a verdict that is not as it expects or says nothing, a limit that comes before
// the verdict, a report that is not the recorded one. A pattern without files is a
// failure too.
func Run(t *testing.T, pattern string, opts ...Option) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatalf("%s: %v", pattern, err)
	}
	if len(paths) == 0 {
		t.Fatalf("no file matches %s", pattern)
	}
	c := newConfig(opts)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".ibl"), func(t *testing.T) {
			t.Parallel()
			f, err := ibcheck.Load(path)
			if err != nil {
				t.Fatal(err)
			}
			if s := c.check(t, f); s != nil {
				c.compare(t, f, s)
			}
		})
	}
}

// Check checks one scenario that a test made, with ibcheck.MustParse for example,
// and returns its report for closer looks; it is nil if the test failed before
// there was one. There is no recorded report to compare with.
func Check(t *testing.T, f *scenario.File, opts ...Option) *ibcheck.ScenarioReport {
	t.Helper()
	return newConfig(opts).check(t, f)
}

func newConfig(opts []Option) *config {
	var c config
	for _, o := range opts {
		o(&c)
	}
	if c.opt.Workers == 0 {
		c.opt.Workers = 1
	}
	if c.opt.MaxMem == 0 {
		c.opt.MaxMem = explore.DefaultMaxMem() / uint64(runtime.GOMAXPROCS(0))
	}
	return &c
}

// check explores a scenario and makes each of its cases a subtest.
func (c *config) check(t *testing.T, f *scenario.File) *ibcheck.ScenarioReport {
	t.Helper()
	ctx, cancel := beforeDeadline(t)
	defer cancel()
	s, err := ibcheck.Check(ctx, f, c.opt)
	if err != nil {
		t.Error(err)
		return nil
	}
	for _, v := range s.Cases(ibcheck.FormatOptions{VacuousIsError: true}) {
		t.Run(v.Name, func(t *testing.T) {
			if !v.Passed() {
				t.Errorf("%s: %s\n%s", v.Pos(), v.Message, v.Details)
			}
		})
	}
	return &s
}

// beforeDeadline returns a context that ends shortly before the test does, so
// that it says how far it came instead of where it was.
func beforeDeadline(t *testing.T) (context.Context, context.CancelFunc) {
	const rest = 2 * time.Second
	if deadline, ok := t.Deadline(); ok {
		return context.WithDeadline(t.Context(), deadline.Add(-rest))
	}
	return context.WithCancel(t.Context())
}

// compare holds the report of a scenario that is as it expects against the
// recorded one, or records it.
func (c *config) compare(t *testing.T, f *scenario.File, s *ibcheck.ScenarioReport) {
	t.Helper()
	if s.ExitCode(true) != ibcheck.ExitExpected {
		return
	}
	if _, err := os.Stat(expected.Name(f.Name)); err != nil && !c.update {
		return
	}
	ctx, cancel := beforeDeadline(t)
	defer cancel()
	var err error
	if s.OrderMatrix, err = ibcheck.OrderMatrix(ctx, f, c.opt); err != nil {
		t.Fatal(err)
	}
	if c.update {
		if _, err := expected.Update(f.Name, s); err != nil {
			t.Error(err)
		}
		return
	}
	diff, err := expected.Compare(f.Name, s)
	if err != nil {
		t.Error(err)
	}
	if diff != "" {
		t.Errorf("the report differs from %s\n%s", expected.Name(f.Name), diff)
	}
}
