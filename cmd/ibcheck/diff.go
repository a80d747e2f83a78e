package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ibcheck/ibcheck"
)

const diffHelp = `Compares the orders of completions that two scenarios can show, or one scenario
under two profiles or with other params: what is gained, what is lost, what takes
more or fewer faults, each with the token of a run, and which guarantees change.

The exit code is 0 if there is no difference and 1 if there is one.`

// diffFlags are the flags of the verb diff.
type diffFlags struct {
	polled             bool
	profileA, profileB string
	paramsA, paramsB   []string
	model              modelFlags
}

func newDiff(a *app) *cobra.Command {
	var flags diffFlags
	c := &cobra.Command{
		Use:   "diff A [B]",
		Short: "Compare the orders that two scenarios can show",
		Long:  diffHelp,
		Example: "  ibcheck diff mine.ibl other.ibl\n" +
			"  ibcheck diff --profile-a arrival_order --profile-b iba mine.ibl\n" +
			"  ibcheck diff --param-b fixed=true mine.ibl",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 2 {
				return fmt.Errorf("%s compares two scenarios, not %d\nsee '%[1]s --help'", c.CommandPath(), len(args))
			}
			return atLeastOneFile(c, args)
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.diff(args, &flags) },

		ValidArgsFunction: completeScenarios,
	}
	c.Flags().BoolVar(&flags.polled, "polled", false, "order completions as polls return them")
	c.Flags().StringVar(&flags.profileA, "profile-a", "", "assume this profile for A")
	c.Flags().StringVar(&flags.profileB, "profile-b", "", "assume this profile for B")
	c.Flags().StringArrayVar(&flags.paramsA, "param-a", nil, "set a param of A, as repoll=true")
	c.Flags().StringArrayVar(&flags.paramsB, "param-b", nil, "set a param of B, as repoll=true")
	flags.model.add(c.Flags())
	completeModelFlags(c)
	return c
}

func (a *app) diff(paths []string, flags *diffFlags) error {
	if len(paths) == 1 {
		if flags.profileA == flags.profileB && len(flags.paramsA)+len(flags.paramsB) == 0 {
			return fmt.Errorf("one scenario is compared with itself: name another, or two profiles (--profile-a, --profile-b), or params (--param-a, --param-b)")
		}
		paths = append(paths, paths[0])
	}
	optA, err := a.sideOptions(flags, flags.profileA, flags.paramsA)
	if err != nil {
		return err
	}
	optB, err := a.sideOptions(flags, flags.profileB, flags.paramsB)
	if err != nil {
		return err
	}
	files, err := a.loadAll(paths)
	if files == nil {
		return err
	}
	ctx, stop := a.interruptible()
	defer stop()
	m := a.newMeter()
	optA.Progress, optB.Progress = m.update, m.update
	d, err := ibcheck.Diff(ctx, ibcheck.Side{File: files[0], Options: optA}, ibcheck.Side{File: files[1], Options: optB}, flags.polled)
	m.done()
	switch {
	case err != nil:
		return a.explain(paths[0], err)
	case !d.Same():
		a.fail(ibcheck.ExitUnexpected)
	case !d.A.Complete || !d.B.Complete:
		a.fail(ibcheck.ExitInconclusive)
	}
	return a.write(d.WriteJSON, d.WriteText)
}

// sideOptions are the options of one side.
func (a *app) sideOptions(flags *diffFlags, profile string, params []string) (ibcheck.Options, error) {
	model := flags.model
	if profile != "" {
		model.profile = profile
	}
	model.params = append(model.params[:len(model.params):len(model.params)], params...)
	return a.options(&model)
}
