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
	if !a.printsText() {
		return nil
	}
	if again {
		fmt.Fprintln(a.stdout)
	}
	return s.WriteText(a.stdout, a.textOptions())
}

// printsText says whether the report is printed for people, as it comes.
func (a *app) printsText() bool {
	return a.flags.output.value == "text" || a.flags.output.value == "github"
}

// formatOptions are the flags as the forms for other programs take them.
func (a *app) formatOptions() ibcheck.FormatOptions {
	return ibcheck.FormatOptions{VacuousIsError: a.vacuousIsError, Version: version(), Ladder: a.textOptions().Ladder}
}

// finish completes a report whose exit code is settled: it writes the forms for
// other programs and the files of --out.
func (a *app) finish(r *ibcheck.Report) error {
	r.Exit = a.exit
	r.Problems = append(r.Problems, a.problems...)
	if err := a.writeReport(r); err != nil {
		return err
	}
	if a.flags.outDir == "" {
		return nil
	}
	return a.writeFolder(a.flags.outDir, r)
}

// writeReport writes a report in the form that -o asks for, if it is not text.
func (a *app) writeReport(r *ibcheck.Report) error {
	opt := a.formatOptions()
	switch a.flags.output.value {
	case "json":
		return r.WriteJSON(a.stdout)
	case "junit":
		return r.WriteJUnit(a.stdout, opt)
	case "sarif":
		return r.WriteSARIF(a.stdout, opt)
	case "tap":
		return r.WriteTAP(a.stdout, opt)
	case "github":
		return errors.Join(r.WriteGitHub(a.stdout, opt), a.writeJobSummary(r, opt))
	}
	return nil
}

// writeJobSummary adds a report to the summary of the job that runs this
// program, if GitHub runs it.
func (a *app) writeJobSummary(r *ibcheck.Report, opt ibcheck.FormatOptions) error {
	name := os.Getenv("GITHUB_STEP_SUMMARY")
	if name == "" {
		return nil
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	return errors.Join(r.WriteGitHubSummary(f, opt), f.Close())
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
func (a *app) explain(file string, err error) error {
	var mistakes scenario.Errors
	switch {
	case errors.As(err, &mistakes):
		return a.showMistakes(mistakes)
	case exitOf(err) == ibcheck.ExitInternal:
		return &internalError{err}
	}
	a.problem(ibcheck.Problem{File: file, Text: err.Error(), Exit: ibcheck.ExitUsage})
	_, err = fmt.Fprintf(a.stderr, "ibcheck: %v\n", err)
	return err
}

// notExplored says which files were left out after an interrupt.
func (a *app) notExplored(paths []string) {
	fmt.Fprintf(a.stderr, "ibcheck: not explored: %s\n", quoted(paths))
	for _, path := range paths {
		a.problem(ibcheck.Problem{File: path, Text: "interrupted before it was explored", Exit: ibcheck.ExitInconclusive})
	}
}

// problem keeps a problem for the report and makes the run end with its code.
func (a *app) problem(p ibcheck.Problem) {
	a.problems = append(a.problems, p)
	a.fail(p.Exit)
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
	for _, e := range errs {
		a.problem(mistakeProblem(e))
	}
	return errs.Render(a.stderr, color(a.stderr))
}

// mistakeProblem is a mistake of a scenario as a problem of its file.
func mistakeProblem(e *scenario.Error) ibcheck.Problem {
	pos := fmt.Sprintf("%s:%d:%d", e.Pos.File, e.Pos.Line, e.Pos.Col)
	return ibcheck.Problem{File: e.Pos.File, Pos: pos, Text: strings.TrimPrefix(e.Error(), pos+": "), Exit: ibcheck.ExitUsage}
}
