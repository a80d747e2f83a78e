package lsp

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/spec/scenario"
	"github.com/ibcheck/ibcheck/traces"
)

// runCommand is the command that lenses carry: it explores a document, or one
// variant of it, and answers with the verdicts.
const runCommand = "ibcheck.run"

// runArgs are the argument of runCommand.
type runArgs struct {
	URI     protocol.DocumentURI `json:"uri"`
	Variant string               `json:"variant"` // "repoll = true" of a check with, "" for the file itself
	All     bool                 `json:"all"`     // the file itself and every variant
}

// A verdict is what the last run said of a property.
type verdict struct {
	text   string // of the document that was run
	report ibcheck.PropertyReport
	line   string // "violated with 1 fault in 7 steps, as expected"
	ladder string // the run that shows it, "" if there is none
}

// verdicts are the last ones of a document, by variant and property.
type verdicts map[string]map[string]verdict

// lenses puts a lens over every property and variant, and one at the top.
func (s *server) lenses(p *protocol.CodeLensParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	out := []protocol.CodeLens{}
	if len(d.mistakes) > 0 {
		return out, nil
	}
	text := lines(d.text)
	add := func(y scenario.Symbol, title string, args runArgs) {
		args.URI = d.uri
		out = append(out, protocol.CodeLens{
			Range:   span(text, y.Pos, len(y.Word)),
			Command: &protocol.Command{Title: title, Command: runCommand, Arguments: []any{args}},
		})
	}
	for i, y := range d.file.Outline() {
		if i == 0 {
			add(y, "▶ run all", runArgs{All: true})
		}
		switch y.Word {
		case "assert", "reach":
			add(y, "▶ run"+d.verdicts.last("", y.Name, d.text), runArgs{})
		case "check":
			variant := strings.TrimPrefix(y.Name, "check with ")
			add(y, "▶ run variant"+d.verdicts.counted(variant, d.text), runArgs{Variant: variant})
		}
	}
	return out, nil
}

// last tells the last verdict of a property, and whether it is of this text. A
// property over `*` is several.
func (v verdicts) last(variant, name, text string) string {
	one, ok := v[variant][name]
	if !ok && strings.Contains(name, "*") {
		one, ok = v[variant][strings.Replace(name, "*", "0", 1)]
	}
	switch {
	case !ok:
		return ""
	case one.text != text:
		return " (" + one.line + ", before the last change)"
	}
	return " (" + one.line + ")"
}

// counted sums up the last verdicts of a variant.
func (v verdicts) counted(variant, text string) string {
	good, all, stale := 0, 0, ""
	for _, one := range v[variant] {
		if all++; one.report.AsExpected {
			good++
		}
		if one.text != text {
			stale = ", before the last change"
		}
	}
	if all == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d of %d verdicts as expected%s)", good, all, stale)
}

// told is the last verdict of a property as its hover tells it, with the run
// that shows it.
func (v verdicts) told(name, text string) string {
	one, ok := v[""][name]
	if !ok {
		return ""
	}
	out := "\n" + strings.TrimSuffix(strings.TrimPrefix(v.last("", name, text), " ("), ")") + "\n"
	if one.ladder != "" {
		out += "\n```text\n" + one.ladder + "```\n"
	}
	return out
}

// newVerdict puts a report into words.
func newVerdict(text string, s *ibcheck.ScenarioReport, p *ibcheck.PropertyReport) verdict {
	v := verdict{text: text, report: *p, line: p.Verdict}
	if p.Run != nil {
		v.line += fmt.Sprintf(" with %s in %s", counted(p.Faults, "fault"), counted(p.Steps, "step"))
		var b strings.Builder
		if err := s.Ladder(p).Write(&b, traces.Style{}); err == nil {
			v.ladder = b.String()
		}
	}
	switch {
	case p.Verdict == "unknown" && s.Stopped != "":
		v.line += ": stopped by " + s.Stopped
	case p.Vacuous != "":
		v.line += ", vacuously: " + p.Vacuous
	case p.Expect != "" && p.AsExpected:
		v.line += ", as expected"
	case p.Expect != "":
		v.line += ", but expected " + p.Expect
		if p.Why != "" {
			v.line += " (" + p.Why + ")"
		}
	}
	return v
}

func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// surprises are diagnostics of verdicts that are not as expected: at their
// property or, of sanitizers, at the first statement.
func (d *document) surprises(text []string) []protocol.Diagnostic {
	var out []protocol.Diagnostic
	for _, y := range d.file.Outline() {
		if y.Word != "assert" && y.Word != "reach" {
			continue
		}
		if v, ok := d.verdicts[""][y.Name]; ok && v.text == d.text && !v.report.AsExpected {
			out = append(out, protocol.Diagnostic{Severity: protocol.DiagnosticSeverityWarning, Source: source, Code: "verdict",
				Message: y.Name + " is " + v.line, Range: span(text, y.NamePos, y.NameLen)})
		}
	}
	return append(out, d.fired(text)...)
}

// fired are diagnostics of sanitizers that fired.
func (d *document) fired(text []string) []protocol.Diagnostic {
	var out []protocol.Diagnostic
	for _, name := range slices.Sorted(maps.Keys(d.verdicts[""])) {
		v := d.verdicts[""][name]
		if v.text != d.text || v.report.Kind != "sanitizer" || v.report.AsExpected {
			continue
		}
		out = append(out, protocol.Diagnostic{Severity: protocol.DiagnosticSeverityWarning, Source: source, Code: "verdict",
			Message: "the sanitizer " + name + " fires: " + v.line, Range: span(text, d.file.Outline()[0].Pos, 1)})
	}
	return out
}
