package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// fmtFlags are the flags of the verb fmt.
type fmtFlags struct {
	write bool
	list  bool
	json  bool
}

func newFmt(a *app) *cobra.Command {
	var flags fmtFlags
	c := &cobra.Command{
		Use:     "fmt FILE...",
		Short:   "Write scenarios in the usual layout",
		Long:    "Writes each scenario in the usual layout and with the short names of verbs. The\nfile - is the standard input.",
		Example: "  ibcheck fmt --write mine.ibl\n  ibcheck fmt --list *.ibl",
		Args:    atLeastOneFile,
		RunE:    func(_ *cobra.Command, args []string) error { return a.format(args, &flags) },

		ValidArgsFunction: completeScenarios,
	}
	c.Flags().BoolVarP(&flags.write, "write", "w", false, "write the files themselves where they differ")
	c.Flags().BoolVarP(&flags.list, "list", "l", false, "only list the files that differ; if there are any, exit with 1")
	c.Flags().BoolVar(&flags.json, "json", false, "print the parsed scenario as JSON")
	c.MarkFlagsMutuallyExclusive("write", "list", "json")
	return c
}

func (a *app) format(paths []string, flags *fmtFlags) error {
	for _, path := range paths {
		src, err := a.readSource(path)
		if err != nil {
			return err
		}
		if flags.json {
			err = a.printParsed(path, src)
		} else {
			err = a.formatOne(path, src, flags)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *app) readSource(path string) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(a.stdin)
	}
	return os.ReadFile(path)
}

func (a *app) formatOne(path string, src []byte, flags *fmtFlags) error {
	out, errs := scenario.Format(src)
	if len(errs) > 0 {
		for _, e := range errs {
			e.Pos.File = path
		}
		return a.showMistakes(errs)
	}
	differs := !bytes.Equal(src, out)
	switch {
	case flags.list:
		if differs {
			fmt.Fprintln(a.stdout, path)
			a.fail(ibcheck.ExitUnexpected)
		}
	case flags.write && path != "-":
		if differs {
			return os.WriteFile(path, out, 0o666)
		}
	default:
		_, err := a.stdout.Write(out)
		return err
	}
	return nil
}

func (a *app) printParsed(path string, src []byte) error {
	f, errs := scenario.Parse(path, src, scenario.Options{ReadFile: os.ReadFile})
	if len(errs) > 0 {
		return a.showMistakes(errs)
	}
	out, err := f.JSON()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s\n", bytes.TrimSpace(out))
	return err
}
