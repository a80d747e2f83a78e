package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

const varyHelp = `Explores a scenario for every choice of values of some assumptions, and shows the
verdicts as a matrix. What can be varied are fault budgets, the profile, dials and
the file's params: those that its vary statements name, or those of --vary.

Below the matrix stands for each property what its verdict depends on: the weakest
assumptions under which it still holds, and where it begins to break.`

// varyFlags are the flags of the verb vary.
type varyFlags struct {
	axes  []string
	model modelFlags
}

func newVary(a *app) *cobra.Command {
	var flags varyFlags
	c := &cobra.Command{
		Use:   "vary FILE",
		Short: "Show how verdicts depend on faults, dials, profiles and params",
		Long:  varyHelp,
		Example: "  ibcheck vary mine.ibl\n" +
			"  ibcheck vary --vary 'drop(ACK)=0..2' --vary profile=iba,arrival_order mine.ibl",
		Args: oneFile,
		RunE: func(_ *cobra.Command, args []string) error { return a.vary(args[0], &flags) },

		ValidArgsFunction: completeScenarios,
	}
	c.Flags().StringArrayVar(&flags.axes, "vary", nil, "vary this instead of what the file says, as 'drop(ACK)=0..2' or profile=iba,arrival_order")
	flags.model.add(c.Flags())
	completeModelFlags(c)
	return c
}

func (a *app) vary(path string, flags *varyFlags) error {
	var axes []ibcheck.VaryAxis
	for _, text := range flags.axes {
		axis, err := parseAxis(text)
		if err != nil {
			return err
		}
		axes = append(axes, axis)
	}
	r, ok, err := explored(a, path, &flags.model, func(ctx context.Context, f *scenario.File, opt ibcheck.Options) (*ibcheck.VaryReport, error) {
		return ibcheck.Vary(ctx, f, opt, axes)
	})
	if !ok {
		return err
	}
	if slices.ContainsFunc(r.Points, func(p ibcheck.VaryPoint) bool { return !p.Complete }) {
		a.fail(ibcheck.ExitInconclusive)
	}
	return a.write(r.WriteJSON, func(w io.Writer) error { return r.WriteText(w, a.flags.verbose) })
}

// parseAxis reads NAME=VALUE,VALUE or NAME=LOW..HIGH.
func parseAxis(text string) (ibcheck.VaryAxis, error) {
	name, list, ok := strings.Cut(text, "=")
	axis := ibcheck.VaryAxis{Name: strings.TrimSpace(name)}
	bad := fmt.Errorf("--vary %s: want NAME=VALUE,VALUE or NAME=LOW..HIGH, as 'drop(ACK)=0..2'", quoted([]string{text}))
	if !ok || axis.Name == "" {
		return axis, bad
	}
	if lo, hi, isRange := strings.Cut(list, ".."); isRange {
		m, err1 := strconv.Atoi(strings.TrimSpace(lo))
		n, err2 := strconv.Atoi(strings.TrimSpace(hi))
		if err1 != nil || err2 != nil || m > n || n-m > 99 {
			return axis, bad
		}
		for k := m; k <= n; k++ {
			axis.Values = append(axis.Values, strconv.Itoa(k))
		}
		return axis, nil
	}
	for _, v := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == '|' }) {
		if v = strings.TrimSpace(v); v == "" {
			return axis, bad
		}
		axis.Values = append(axis.Values, v)
	}
	if len(axis.Values) == 0 {
		return axis, bad
	}
	return axis, nil
}
