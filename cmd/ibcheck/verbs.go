package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// oneFile is the argument of a verb that looks at one scenario.
func oneFile(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("%s takes one scenario, not %d\nsee '%[1]s --help'", c.CommandPath(), len(args))
	}
	return atLeastOneFile(c, args)
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
