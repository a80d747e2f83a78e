package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which ibcheck this is",
		Args:  cobra.NoArgs,
		Run:   func(*cobra.Command, []string) { fmt.Fprintln(a.stdout, "ibcheck "+versionLine()) },
	}
}

// version names the program's version, "devel" if it has none.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}

// versionLine names the program's version, its commit if known, and what
// built it.
func versionLine() string {
	return fmt.Sprintf("%s%s (%s %s/%s)", version(), commit(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// commit names what the program was built from, " 0123456789ab", "" if unknown.
func commit() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return " " + s.Value[:min(12, len(s.Value))]
			}
		}
	}
	return ""
}
