package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

const checkHelp = `Explores every scenario to the end, or to a limit, and reports: the verdict of
every property with the profile, dials and fault budgets it stands under, the
shortest run that shows each violation, and what was explored.

A verdict that differs from the file's expect makes the exit code 1, and so does
a violation that no expect foresaw. Ctrl-C ends the exploration and reports what
was covered.

Where a scenario is too big to explore, --simulate tries random runs instead. It
can find violations, which are shrunk before they are shown, but never says that
something holds; so the exit code is 3 at best.`

func newCheck(a *app) *cobra.Command {
	var model modelFlags
	var sim simFlags
	format := choice{"", formatNames()}
	c := &cobra.Command{
		Use:     "check FILE...",
		Short:   "Explore scenarios and report what holds",
		Long:    checkHelp,
		Example: "  ibcheck check scenarios/seed/send-vs-recv-cqe.ibl\n  ibcheck check --profile iba --faults 'drop(ACK)<=2' mine.ibl",
		Args:    atLeastOneFile,
		RunE:    func(_ *cobra.Command, args []string) error { return a.check(args, &model, &sim, format.value) },

		ValidArgsFunction: completeScenarios,
	}
	c.Flags().Var(&format, "format", "also draw the runs in this form into the folder of --out")
	completeFlag(c, "format", formatNames())
	model.add(c.Flags())
	sim.add(c.Flags())
	completeModelFlags(c)
	return c
}

func (a *app) check(paths []string, model *modelFlags, sim *simFlags, format string) error {
	if format != "" && a.flags.outDir == "" {
		return fmt.Errorf("--format %s needs --out DIR, a folder for the drawings", format)
	}
	opt, err := a.options(model)
	if err != nil {
		return err
	}
	opt.Simulate, opt.Seed = uint64(sim.runs), sim.seed
	report := ibcheck.Report{Schema: ibcheck.Schema}
	files, err := a.loadAll(paths)
	if err != nil || files == nil {
		return cmp.Or(err, a.finish(&report))
	}
	ctx, stop := a.interruptible()
	defer stop()
	m := a.newMeter()
	opt.Progress = m.update
	if !a.flags.quiet {
		opt.Explain = ibcheck.Briefly
	}
	for i, f := range files {
		if ctx.Err() != nil {
			a.notExplored(paths[i:])
			break
		}
		m.maxFaults = maxFaults(f, opt)
		s, err := ibcheck.Check(ctx, f, opt)
		m.done()
		if err != nil {
			if err := a.explain(paths[i], err); err != nil {
				return err
			}
			continue
		}
		report.Scenarios = append(report.Scenarios, s)
		if err := a.writeScenario(&s, len(report.Scenarios) > 1); err != nil {
			return err
		}
	}
	a.fail(report.ExitCode(false))
	if err := a.finish(&report); err != nil || format == "" {
		return err
	}
	for i := range report.Scenarios {
		if err := a.draw(&report.Scenarios[i], format); err != nil {
			return err
		}
	}
	return nil
}

// options are the global flags and the model's flags as the checker takes them.
func (a *app) options(model *modelFlags) (ibcheck.Options, error) {
	dials, err1 := pairs("set", model.dials)
	params, err2 := pairs("param", model.params)
	faults, err3 := budgets(model.faults)
	opt := ibcheck.Options{
		Workers:    int(a.flags.jobs),
		MaxStates:  uint64(a.flags.maxStates),
		MaxMem:     uint64(a.flags.maxMem),
		Timeout:    a.flags.timeout,
		NoEpilogue: a.flags.noEpilogue,
		Profile:    model.profile,
		Dials:      dials,
		Params:     params,
		Faults:     faults,
		Reduce:     model.reduce,
	}
	return opt, errors.Join(err1, err2, err3)
}

// loadAll reads all files. If there is a mistake in any of them it shows the
// mistakes of all, fails, and returns no files.
func (a *app) loadAll(paths []string) ([]*scenario.File, error) {
	var files []*scenario.File
	var mistakes scenario.Errors
	for _, path := range paths {
		f, errs := scenario.Load(path)
		mistakes = append(mistakes, errs...)
		files = append(files, f)
	}
	if len(mistakes) > 0 {
		return nil, a.showMistakes(mistakes)
	}
	for _, f := range files {
		if err := f.Warnings.RenderWarnings(a.stderr, color(a.stderr)); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// maxFaults returns the sum of a scenario's fault budgets.
func maxFaults(f *scenario.File, opt ibcheck.Options) int {
	sum := 0
	for _, n := range opt.Faults {
		sum += n
	}
	sc, _ := f.Scenario(opt.Params)
	if sc == nil {
		return sum // Check will say what is wrong with it
	}
	for i := range sc.Faults {
		if _, ours := opt.Faults[spec.FaultName(sc, &sc.Faults[i])]; !ours {
			sum += sc.Faults[i].Max
		}
	}
	return sum
}

func (a *app) newMeter() *meter {
	m := newMeter(a.stderr, isTerminal(a.stderr))
	if f, ok := a.stderr.(*os.File); ok {
		m.width = func() int { w, _, _ := term.GetSize(int(f.Fd())); return w }
	}
	return m
}
