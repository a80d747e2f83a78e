package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/ibcheck/ibcheck"
)

// An app is one run of the program.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	quit           func(code int) // ends the program at once
	flags          globalFlags
	exit           int               // the exit code, unless a command returns an error
	vacuousIsError bool              // as in a test run
	problems       []ibcheck.Problem // shown so far, for reports that are not text
}

const rootHelp = `ibcheck asks of a scenario of RDMA verbs programs: can this completion come
before that one? It explores every interleaving of what queue pairs, completion
queues, programs and the wire may do, under a bounded number of faults, and
answers with a verdict or with the shortest run that shows the contrary.

Exit codes: 0 every verdict is as expected; 1 some verdict differs; 2 bad
scenario or usage; 3 inconclusive, a limit or an interrupt came first;
4 vacuous; 70 internal error.`

// newRoot returns the command with all its verbs.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:                        "ibcheck",
		Short:                      "Model checker for RDMA verbs: can this completion come before that one?",
		Long:                       rootHelp,
		Args:                       cobra.NoArgs,
		SilenceErrors:              true,
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		Run:                        func(c *cobra.Command, _ []string) { _ = c.Help() },
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetIn(a.stdin)
	root.AddCommand(newVary(a), newDiff(a), newShow(a), newFix(a), newExplain(a))
	root.SetFlagErrorFunc(explainFlag)
	a.flags.add(root.PersistentFlags())
	completeFlag(root, "output", a.flags.output.allowed)
	completeFlag(root, "style", a.flags.style.allowed)
	root.AddCommand(newCheck(a), newTest(a), newGraph(a), newOrders(a), newReplay(a), newFmt(a), newLint(a), newLSP(a), newCatalog(a),
		newDoc(a), newNew(a), newMan(a), newVersion(a))
	return root
}

// explainFlag adds to pflag's words what to do about them.
func explainFlag(c *cobra.Command, err error) error {
	text := err.Error()
	if name, unknown := strings.CutPrefix(text, "unknown flag: --"); unknown {
		if near := nearest(name, flagNames(c)); near != "" {
			text += fmt.Sprintf("\ndid you mean --%s?", near)
		}
	}
	return fmt.Errorf("%s\nsee '%s --help'", text, c.CommandPath())
}

func flagNames(c *cobra.Command) []string {
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// nearest returns the candidate most like word, as cobra judges commands, or "".
func nearest(word string, candidates []string) string {
	parent := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, name := range candidates {
		parent.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	if near := parent.SuggestionsFor(word); len(near) > 0 {
		return near[0]
	}
	return ""
}

// atLeastOneFile is cobra.MinimumNArgs(1) in words that help.
func atLeastOneFile(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("%s needs a scenario file, for example scenarios/seed/send-vs-recv-cqe.ibl\nsee '%[1]s --help'", c.CommandPath())
	}
	return nil
}

// fail makes the run end with the exit code, or with a worse one.
func (a *app) fail(code int) { a.exit = ibcheck.WorseExit(a.exit, code) }

// color says whether w is a terminal whose user wants colours.
func color(w io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(w)
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// unicodeLocale says whether the user's locale is UTF-8.
func unicodeLocale() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := os.Getenv(name); value != "" {
			value = strings.ToLower(value)
			return slices.ContainsFunc([]string{"utf-8", "utf8"}, func(s string) bool { return strings.Contains(value, s) })
		}
	}
	return false
}
