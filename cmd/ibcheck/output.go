package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/spec/scenario"
	"github.com/ibcheck/ibcheck/traces"
)

// textOptions are the global flags as the text report takes them.
func (a *app) textOptions() ibcheck.TextOptions {
	opt := ibcheck.TextOptions{Color: color(a.stdout)}
	switch {
	case a.flags.quiet:
		opt.Detail = ibcheck.Quiet
	case a.flags.verbose:
		opt.Detail = ibcheck.Verbose
	}
	opt.Ladder = traces.Style{
		Wide:       a.flags.wide,
		NoEpilogue: a.flags.noEpilogue,
		State:      a.flags.state,
		Color:      opt.Color,
	}
	switch {
	case a.flags.style.value == "lore":
		opt.Ladder.Form = traces.Lore
	case a.flags.ascii || !unicodeLocale():
		opt.Ladder.Form = traces.ASCII
	}
	return opt
}

// writeScenario writes one scenario's report as soon as it is there, which only
// text allows. A blank line parts it from the one before.
func (a *app) writeScenario(s *ibcheck.ScenarioReport, again bool) error {
	if a.flags.output.value != "text" {
		return nil
	}
	if again {
		fmt.Fprintln(a.stdout)
	}
	return s.WriteText(a.stdout, a.textOptions())
}

// finish completes a report whose exit code is settled: it writes the JSON and
// the files of --out.
func (a *app) finish(r *ibcheck.Report) error {
	r.Exit = a.exit
	if a.flags.output.value == "json" {
		if err := r.WriteJSON(a.stdout); err != nil {
			return err
		}
	}
	if a.flags.outDir == "" {
		return nil
	}
	return a.writeFolder(a.flags.outDir, r)
}

// writeFolder writes a report into a folder: all of it as report.json, and each
// scenario under the name of its file as text and, if it has runs to show, as a
// page that walks through them.
func (a *app) writeFolder(dir string, r *ibcheck.Report) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(dir, "report.json"), r.WriteJSON); err != nil {
		return err
	}
	opt := a.textOptions()
	opt.Color, opt.Ladder.Color = false, false
	taken := map[string]int{}
	for i := range r.Scenarios {
		s := &r.Scenarios[i]
		name := strings.TrimSuffix(filepath.Base(s.File), ".ibl")
		if taken[name]++; taken[name] > 1 {
			name += fmt.Sprintf("-%d", taken[name])
		}
		err := writeFile(filepath.Join(dir, name+".txt"), func(w io.Writer) error { return s.WriteText(w, opt) })
		if err != nil {
			return err
		}
		ladders := laddersOf(s)
		if len(ladders) == 0 {
			continue
		}
		err = writeFile(filepath.Join(dir, name+".html"), func(w io.Writer) error { return traces.WriteHTML(w, s.Name, ladders) })
		if err != nil {
			return err
		}
	}
	return nil
}

// laddersOf lays out all runs of a scenario and its variants.
func laddersOf(s *ibcheck.ScenarioReport) []*traces.Ladder {
	var out []*traces.Ladder
	for i := range s.Properties {
		if p := &s.Properties[i]; p.Run != nil {
			out = append(out, s.Ladder(p))
		}
	}
	for i := range s.Variants {
		out = append(out, laddersOf(&s.Variants[i])...)
	}
	return out
}

func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// explain shows an error of the checker and makes the run end with its code.
func (a *app) explain(err error) error {
	var mistakes scenario.Errors
	switch {
	case errors.As(err, &mistakes):
		return a.showMistakes(mistakes)
	case exitOf(err) == ibcheck.ExitInternal:
		return &internalError{err}
	}
	a.fail(ibcheck.ExitUsage)
	_, err = fmt.Fprintf(a.stderr, "ibcheck: %v\n", err)
	return err
}

// exitOf returns the exit code of an error of the checker.
func exitOf(err error) int {
	var broken *explore.ModelError
	if errors.As(err, &broken) {
		return ibcheck.ExitInternal
	}
	return ibcheck.ExitUsage
}

func (a *app) showMistakes(errs scenario.Errors) error {
	a.fail(ibcheck.ExitUsage)
	return errs.Render(a.stderr, color(a.stderr))
}
