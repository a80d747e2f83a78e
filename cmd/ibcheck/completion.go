package main

import (
	"github.com/spf13/cobra"

	"github.com/ibcheck/ibcheck/spec"
)

// completeScenarios makes the shell complete names of scenario files.
func completeScenarios(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"ibl"}, cobra.ShellCompDirectiveFilterFileExt
}

// completeModelFlags registers the values of the model's flags.
func completeModelFlags(c *cobra.Command) {
	var profiles, dials []string
	for _, p := range spec.Profiles {
		profiles = append(profiles, cobra.CompletionWithDesc(p.Name, p.Doc))
	}
	for _, d := range spec.Dials {
		for _, v := range d.Values {
			dials = append(dials, cobra.CompletionWithDesc(d.Name+"="+v, d.Doc))
		}
	}
	completeFlag(c, "profile", profiles)
	completeFlag(c, "set", dials)
}

// completeFlag registers the values of a flag that c has.
func completeFlag(c *cobra.Command, flag string, values []string) {
	err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag is missing: a mistake in this package
	}
}
