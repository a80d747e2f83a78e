package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ibcheck/ibcheck"
)

const showHelp = `Draws sample runs of a scenario, as unlike each other as can be found: first runs
in which completions come in different orders, then runs with more faults. With the
name of a reach or an assert it draws the run that reaches or violates that.`

// showFlags are the flags of the verb show.
type showFlags struct {
	number count
	format choice
	model  modelFlags
}

func newShow(a *app) *cobra.Command {
	flags := showFlags{number: 3, format: choice{"ladder", formatNames()}}
	c := &cobra.Command{
		Use:     "show FILE [PROPERTY]",
		Short:   "Draw sample runs, or the run of a property",
		Long:    showHelp,
		Example: "  ibcheck show -n 5 mine.ibl\n  ibcheck show --format svg --out runs mine.ibl\n  ibcheck show mine.ibl early",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 2 {
				return fmt.Errorf("%s shows one scenario and at most one of its properties\nsee '%[1]s --help'", c.CommandPath())
			}
			return atLeastOneFile(c, args)
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.show(args, &flags) },

		ValidArgsFunction: completeScenarios,
	}
	c.Flags().VarP(&flags.number, "number", "n", "draw so many runs")
	c.Flags().Var(&flags.format, "format", "how runs are drawn")
	completeFlag(c, "format", formatNames())
	flags.model.add(c.Flags())
	completeModelFlags(c)
	return c
}

func (a *app) show(args []string, flags *showFlags) error {
	opt, err := a.options(&flags.model)
	if err != nil {
		return err
	}
	files, err := a.loadAll(args[:1])
	if files == nil {
		return err
	}
	ctx, stop := a.interruptible()
	defer stop()
	m := a.newMeter()
	opt.Progress = m.update
	var s ibcheck.ScenarioReport
	if len(args) > 1 {
		s, err = ibcheck.ShowProperty(ctx, files[0], opt, args[1])
	} else {
		s, err = ibcheck.Show(ctx, files[0], opt, int(flags.number))
	}
	m.done()
	switch {
	case err != nil:
		return a.explain(args[0], err)
	case len(s.Properties) == 0:
		a.fail(ibcheck.ExitInconclusive)
		_, err := fmt.Fprintln(a.stderr, "ibcheck: no run came to an end before a limit stopped the search")
		return err
	case a.flags.output.value == "json":
		r := ibcheck.Report{Schema: ibcheck.Schema, Scenarios: []ibcheck.ScenarioReport{s}}
		return r.WriteJSON(a.stdout)
	}
	return a.draw(&s, flags.format.value)
}
