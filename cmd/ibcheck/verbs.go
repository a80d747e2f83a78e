package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// oneFile is the argument of a verb that looks at one scenario.
func oneFile(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("%s takes one scenario, not %d\nsee '%[1]s --help'", c.CommandPath(), len(args))
	}
	return atLeastOneFile(c, args)
}

// fileAndProperty makes the arguments of a verb that does something with one
// scenario and at most one of its properties.
func fileAndProperty(does string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 2 {
			return fmt.Errorf("%s %s one scenario and at most one of its properties\nsee '%[1]s --help'", c.CommandPath(), does)
		}
		return atLeastOneFile(c, args)
	}
}

// explored runs a verb's question on one scenario file, with progress shown and
// interrupts heard. If ok is false there is nothing to report: mistakes have been
// shown, and err is what the verb returns.
func explored[R any](a *app, path string, model *modelFlags,
	ask func(ctx context.Context, f *scenario.File, opt ibcheck.Options) (R, error)) (r R, ok bool, err error) {
	opt, err := a.options(model)
	if err != nil {
		return r, false, err
	}
	files, err := a.loadAll([]string{path})
	if files == nil {
		return r, false, err
	}
	ctx, stop := a.interruptible()
	defer stop()
	m := a.newMeter()
	opt.Progress = m.update
	r, err = ask(ctx, files[0], opt)
	m.done()
	if err != nil {
		return r, false, a.explain(path, err)
	}
	return r, true, nil
}

// write writes a report to the standard output in the form that was asked for.
func (a *app) write(asJSON, asText func(io.Writer) error) error {
	switch a.flags.output.value {
	case "json":
		return asJSON(a.stdout)
	case "text":
		return asText(a.stdout)
	}
	return fmt.Errorf("-o %s is for verdicts: check and test have them; here it is text or json", a.flags.output.value)
}
