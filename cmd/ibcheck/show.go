package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/spec/scenario"
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
		Args:    fileAndProperty("shows"),
		RunE:    func(_ *cobra.Command, args []string) error { return a.show(args, &flags) },

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
	s, ok, err := explored(a, args[0], &flags.model, func(ctx context.Context, f *scenario.File, opt ibcheck.Options) (ibcheck.ScenarioReport, error) {
		if len(args) > 1 {
			return ibcheck.ShowProperty(ctx, f, opt, args[1])
		}
		return ibcheck.Show(ctx, f, opt, int(flags.number))
	})
	switch {
	case !ok:
		return err
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
