package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

const ordersHelp = `Lists every order in which the completions of a scenario can be seen, each with
the fewest faults that show it and the token of a shortest such run. An order is
what the nodes have seen when nothing more can complete: each node the order of its
own completions, for nodes have no common clock.

Then, for every pair of completions, also of two nodes: whether one has always
happened when the other does, or both orders occur and with how many faults.

The CQEs count as the HCA writes them; with --polled, as polls return them.`

// ordersFlags are the flags of the verb orders.
type ordersFlags struct {
	polled bool
	dot    string
	model  modelFlags
}

func newOrders(a *app) *cobra.Command {
	var flags ordersFlags
	c := &cobra.Command{
		Use:   "orders FILE",
		Short: "List the orders of completions that can be seen",
		Long:  ordersHelp,
		Example: "  ibcheck orders mine.ibl\n" +
			"  ibcheck orders --polled --profile iba mine.ibl\n" +
			"  ibcheck orders mine.ibl --dot sure.dot && dot -Tsvg sure.dot -o sure.svg",
		Args: oneFile,
		RunE: func(_ *cobra.Command, args []string) error { return a.orders(args[0], &flags) },

		ValidArgsFunction: completeScenarios,
	}
	c.Flags().BoolVar(&flags.polled, "polled", false, "order completions as polls return them")
	c.Flags().StringVar(&flags.dot, "dot", "", "also write the guaranteed orders as a diagram for Graphviz; - is the standard output")
	flags.model.add(c.Flags())
	completeModelFlags(c)
	return c
}

func (a *app) orders(path string, flags *ordersFlags) error {
	r, ok, err := explored(a, path, &flags.model, func(ctx context.Context, f *scenario.File, opt ibcheck.Options) (*ibcheck.OrdersReport, error) {
		return ibcheck.Orders(ctx, f, opt, flags.polled)
	})
	if !ok {
		return err
	}
	if !r.Complete || len(r.Bounds) > 0 {
		a.fail(ibcheck.ExitInconclusive)
	}
	if flags.dot == "-" {
		return r.WriteDOT(a.stdout)
	}
	if flags.dot != "" {
		if err := writeFile(flags.dot, r.WriteDOT); err != nil {
			return err
		}
	}
	return a.write(r.WriteJSON, func(w io.Writer) error { return r.WriteText(w, a.flags.verbose) })
}
