package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

const explainHelp = `Draws the run that violates a property and says why it can happen:

Let   what the property speaks of, and at which step of the ladder it happened
Then  the chain of causes that the property would need, and the one there is
But   what the missing event waits for, and why nothing brought it
Key   which faults and which freedoms of the HCA the violation needs, found by
      asking again without each of them
Fix   an edit under which the property holds, or what to do instead
Run   the command that takes the run again

check prints the same below its ladders where the space is small; explain asks in
any case. A reach that is reachable is explained in the same way.`

func newExplain(a *app) *cobra.Command {
	var model modelFlags
	c := &cobra.Command{
		Use:     "explain FILE PROPERTY",
		Short:   "Say why a property is violated",
		Long:    explainHelp,
		Example: "  ibcheck explain scenarios/seed/send-vs-recv-cqe.ibl order",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("%s needs a scenario file and the name of a property\nsee '%[1]s --help'", c.CommandPath())
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.explainProperty(args[0], args[1], &model) },

		ValidArgsFunction: completeScenarios,
	}
	model.add(c.Flags())
	completeModelFlags(c)
	return c
}

func (a *app) explainProperty(path, name string, model *modelFlags) error {
	s, ok, err := explored(a, path, model, func(ctx context.Context, f *scenario.File, opt ibcheck.Options) (ibcheck.ScenarioReport, error) {
		return ibcheck.ExplainProperty(ctx, f, opt, name)
	})
	if !ok {
		return err
	}
	if !s.Complete {
		a.fail(ibcheck.ExitInconclusive)
	}
	r := ibcheck.Report{Schema: ibcheck.Schema, Scenarios: []ibcheck.ScenarioReport{s}}
	text := a.textOptions()
	return a.write(r.WriteJSON, func(w io.Writer) error { return s.WriteText(w, text) })
}
