package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/ibcheck/ibcheck"
)

const fixHelp = `Looks for small edits of a scenario's programs under which what is violated holds:
wait for a completion, poll again after arming, post receives earlier, signal or
fence a send, one more slot, and so on. Every edit is checked; shown are those that
turn a violated property, sanitizers included, into one that holds, and break
nothing: what held still holds, also in the file's variants, and what was sure to
complete still does. Those that turn most come first, then the smallest.

--apply N writes the N-th into the file. The exit code is 1 if something is violated
and no fix was found.`

// fixFlags are the flags of the verb fix.
type fixFlags struct {
	apply uint
	most  count
	model modelFlags
}

func newFix(a *app) *cobra.Command {
	var flags fixFlags
	c := &cobra.Command{
		Use:     "fix FILE [PROPERTY]",
		Short:   "Look for edits that turn violated properties",
		Long:    fixHelp,
		Example: "  ibcheck fix mine.ibl\n  ibcheck fix mine.ibl dma --apply 1",
		Args:    fileAndProperty("takes"),
		RunE:    func(_ *cobra.Command, args []string) error { return a.fix(args, &flags) },

		ValidArgsFunction: completeScenarios,
	}
	c.Flags().UintVar(&flags.apply, "apply", 0, "write the file with this fix")
	c.Flags().Var(&flags.most, "max-edits", "check at most so many edits (default all)")
	flags.model.add(c.Flags())
	completeModelFlags(c)
	return c
}

func (a *app) fix(args []string, flags *fixFlags) error {
	opt, err := a.options(&flags.model)
	if err != nil {
		return err
	}
	files, err := a.loadAll(args[:1])
	if files == nil {
		return err
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	ctx, stop := a.interruptible()
	defer stop()
	m := a.newMeter()
	opt.Progress = m.update
	fix := ibcheck.FixOptions{Options: opt, Most: int(flags.most)}
	if len(args) > 1 {
		fix.Property = args[1]
	}
	r, err := ibcheck.FindFixes(ctx, args[0], text, fix)
	m.done()
	switch {
	case err != nil:
		return a.explain(args[0], err)
	case flags.apply > uint(len(r.Fixes)):
		return fmt.Errorf("--apply %d: there are %d fixes", flags.apply, len(r.Fixes))
	case !r.Complete || ctx.Err() != nil:
		a.fail(ibcheck.ExitInconclusive)
	case len(r.Violated) > 0 && len(r.Fixes) == 0:
		a.fail(ibcheck.ExitUnexpected)
	}
	if flags.apply == 0 {
		return a.write(r.WriteJSON, r.WriteText)
	}
	chosen := &r.Fixes[flags.apply-1]
	if err := os.WriteFile(args[0], []byte(chosen.Text), 0o666); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s: %s\n", args[0], chosen.Title)
	return err
}
