package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ibcheck/ibcheck"
)

const replayHelp = `Takes one run of a scenario again, named by the token that check, orders and
vary print, and draws it. A token belongs to a program with its profile, dials,
budgets and params: if any of these has changed since, the token is stale.

With --step the run is walked through, forwards and backwards, with what each step
changed in the state.`

// replayFlags are the flags of the verb replay.
type replayFlags struct {
	format choice
	step   bool
	model  modelFlags
}

func newReplay(a *app) *cobra.Command {
	flags := replayFlags{format: choice{"ladder", formatNames()}}
	c := &cobra.Command{
		Use:     "replay FILE TOKEN",
		Short:   "Take one run again, step by step",
		Long:    replayHelp,
		Example: "  ibcheck replay mine.ibl 12-5b2a1f-9k2\n  ibcheck replay --format pcap mine.ibl 12-5b2a1f-9k2 > run.pcapng",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("%s needs a scenario file and a token, as check prints it behind Run\nsee '%[1]s --help'", c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return a.replay(args[0], args[1], &flags, c.Flags().Changed("format"))
		},

		ValidArgsFunction: completeScenarios,
	}
	c.Flags().Var(&flags.format, "format", "how the run is drawn")
	c.Flags().BoolVar(&flags.step, "step", false, "walk through the run")
	c.MarkFlagsMutuallyExclusive("format", "step")
	completeFlag(c, "format", formatNames())
	flags.model.add(c.Flags())
	completeModelFlags(c)
	return c
}

func (a *app) replay(path, token string, flags *replayFlags, drawn bool) error {
	opt, err := a.options(&flags.model)
	if err != nil {
		return err
	}
	files, err := a.loadAll([]string{path})
	if files == nil {
		return err
	}
	ctx, stop := a.interruptible()
	defer stop()
	s, err := ibcheck.Replay(ctx, files[0], token, opt)
	switch {
	case err != nil:
		return a.explain(path, err)
	case flags.step:
		return a.walk(s.Ladder(&s.Properties[0]))
	case a.flags.output.value == "json" && !drawn:
		r := ibcheck.Report{Schema: ibcheck.Schema, Scenarios: []ibcheck.ScenarioReport{s}}
		return r.WriteJSON(a.stdout)
	}
	return a.draw(&s, flags.format.value)
}
