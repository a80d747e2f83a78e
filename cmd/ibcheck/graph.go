package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

const graphHelp = `Writes the state graph of a scenario in the language of Graphviz: a node for
each state, which says how far each work request has come and what is on the
wire, and an edge for each step. The initial state has a bold frame, end states a
double one; states in which a property breaks are filled red, faults are dashed,
and the shortest run to the first violation is drawn in thick red.

A graph of more than some hundred nodes cannot be read: --path draws the run
alone, --project cqe one node for each set of completions that have happened.`

// graphFlags are the flags of the verb graph.
type graphFlags struct {
	output   string
	project  choice
	maxNodes count
	opt      ibcheck.GraphOptions
	model    modelFlags
}

func newGraph(a *app) *cobra.Command {
	flags := graphFlags{project: choice{"", []string{"cqe"}}, maxNodes: ibcheck.DefaultMaxNodes}
	c := &cobra.Command{
		Use:     "graph FILE",
		Short:   "Write the state graph of a scenario",
		Long:    graphHelp,
		Example: "  ibcheck graph mine.ibl -o mine.dot && dot -Tsvg mine.dot -o mine.svg\n  ibcheck graph --project cqe mine.ibl",
		Args:    exactlyOneFile,
		RunE:    func(_ *cobra.Command, args []string) error { return a.graph(args[0], &flags) },

		ValidArgsFunction: completeScenarios,
	}
	c.Flags().StringVarP(&flags.output, "output", "o", "-", "write this file, *.dot or *.gv; - is the standard output")
	c.Flags().BoolVar(&flags.opt.PathOnly, "path", false, "draw only the run that is highlighted")
	c.Flags().Var(&flags.project, "project", "draw states together: cqe, by the completions that have happened")
	c.Flags().Var(&flags.maxNodes, "max-nodes", "draw at most this many states")
	c.Flags().StringVar(&flags.opt.Property, "property", "", "highlight the run of this property")
	c.MarkFlagsMutuallyExclusive("path", "project")
	completeFlag(c, "project", flags.project.allowed)
	flags.model.add(c.Flags())
	completeModelFlags(c)
	return c
}

func exactlyOneFile(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("%s draws one scenario, not %d", c.CommandPath(), len(args))
	}
	return atLeastOneFile(c, args)
}

func (a *app) graph(path string, flags *graphFlags) error {
	switch ending := filepath.Ext(flags.output); {
	case flags.output == "-" || ending == ".dot" || ending == ".gv":
	default:
		return fmt.Errorf("cannot write %s: graphs are written as *.dot or *.gv", quoted([]string{flags.output}))
	}
	opt, err := a.options(&flags.model)
	if err != nil {
		return err
	}
	f, errs := scenario.Load(path)
	if len(errs) > 0 {
		return a.showMistakes(errs)
	}
	ctx, stop := a.interruptible()
	defer stop()
	m := a.newMeter()
	opt.Progress = m.update
	flags.opt.MaxNodes = int(flags.maxNodes)
	flags.opt.Completions = flags.project.value == "cqe"
	g, err := ibcheck.Graph(ctx, f, opt, flags.opt)
	m.done()
	if err != nil {
		return a.explain(path, err)
	}
	if err := a.writeGraph(flags.output, g); err != nil {
		return err
	}
	return a.tellOfGraph(g, flags)
}

func (a *app) writeGraph(name string, g *ibcheck.StateGraph) error {
	if name == "-" {
		return g.WriteDOT(a.stdout)
	}
	return writeFile(name, func(w io.Writer) error { return g.WriteDOT(w) })
}

// tellOfGraph says what is in the graph, and what is not and how to get it.
func (a *app) tellOfGraph(g *ibcheck.StateGraph, flags *graphFlags) error {
	if g.Cut {
		advice := "--project cqe or --path draw less, --max-nodes more"
		if flags.opt.Completions {
			advice = "the scenario is too big to be drawn whole"
		}
		fmt.Fprintf(a.stderr, "ibcheck: not all states are drawn, only the first %d; %s\n", len(g.Nodes), advice)
	}
	if flags.output == "-" || a.flags.quiet {
		return nil
	}
	words := []string{fmt.Sprintf("%d nodes", len(g.Nodes)), fmt.Sprintf("%d edges", len(g.Edges))}
	if g.Run != "" {
		words = append(words, "highlighted: the run of "+g.Run)
	}
	_, err := fmt.Fprintf(a.stdout, "%s: %s; %s\n", flags.output, strings.Join(words, ", "), g.Under)
	return err
}
