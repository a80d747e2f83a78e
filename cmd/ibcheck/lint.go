package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

const lintHelp = `Says what is legal in scenarios but probably not meant: things that nothing uses,
receives that no message is left for, loops that fill a send queue, properties
that say the same or of which nothing is expected, and what else is listed in
docs/editor.md. Findings do not change the exit code unless --strict is given.`

// lintSchema is the version of the JSON form of findings.
const lintSchema = "ibcheck-lint/1"

// A lintReport is what lint found, as -o json prints it. Additions are allowed,
// changes raise lintSchema.
type lintReport struct {
	Schema   string        `json:"schema"`
	Findings []lintFinding `json:"findings"`
}

type lintFinding struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"` // in characters, from 1
	Length  int    `json:"length"` // characters
	Code    string `json:"code"`
	Message string `json:"message"`
	Help    string `json:"help,omitempty"`
}

func newLint(a *app) *cobra.Command {
	strict := false
	c := &cobra.Command{
		Use:     "lint [PATH...]",
		Short:   "Say what in scenarios is legal but probably not meant",
		Long:    lintHelp,
		Example: "  ibcheck lint mine.ibl\n  ibcheck lint --strict ./...",
		RunE:    func(_ *cobra.Command, args []string) error { return a.lint(args, strict) },

		ValidArgsFunction: completeScenarios,
	}
	c.Flags().BoolVar(&strict, "strict", false, "exit with 1 if there is a finding")
	return c
}

func (a *app) lint(args []string, strict bool) error {
	if o := a.flags.output.value; o != "text" && o != "json" {
		return fmt.Errorf("lint writes text or json, not %s", o)
	}
	if len(args) == 0 {
		args = []string{"./..."}
	}
	paths, err := scenarioFiles(args)
	if err != nil {
		return err
	}
	var findings, mistakes scenario.Errors
	for _, path := range paths {
		f, errs := scenario.Load(path)
		if mistakes = append(mistakes, errs...); len(errs) == 0 {
			findings = append(findings, f.Lint()...)
		}
	}
	if strict && len(findings) > 0 {
		a.fail(ibcheck.ExitUnexpected)
	}
	if len(mistakes) > 0 {
		if err := a.showMistakes(mistakes); err != nil {
			return err
		}
	}
	return a.writeFindings(findings, len(paths))
}

// writeFindings writes findings and, for people, how many there are.
func (a *app) writeFindings(findings scenario.Errors, files int) error {
	if a.flags.output.value == "json" {
		return a.writeFindingsJSON(findings)
	}
	if err := findings.RenderWarnings(a.stdout, color(a.stdout)); err != nil {
		return err
	}
	if len(findings) > 0 {
		fmt.Fprintln(a.stdout)
	}
	_, err := fmt.Fprintf(a.stdout, "%s in %s\n", counted(len(findings), "finding"), counted(files, "file"))
	return err
}

// counted writes a number of things.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func (a *app) writeFindingsJSON(findings scenario.Errors) error {
	r := lintReport{Schema: lintSchema, Findings: []lintFinding{}}
	for _, e := range findings {
		r.Findings = append(r.Findings, lintFinding{e.Pos.File, e.Pos.Line, e.Pos.Col, e.Len, e.Code, e.Msg, e.Help})
	}
	out := json.NewEncoder(a.stdout)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(r)
}
