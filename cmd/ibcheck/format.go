package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/traces"
)

// A format is a form in which a run can be drawn.
type format struct {
	name, ending string
	binary       bool
	write        func(w io.Writer, l *traces.Ladder, title string, s traces.Style) error
}

var formats = []format{
	{"ladder", "txt", false, func(w io.Writer, l *traces.Ladder, _ string, s traces.Style) error { return l.Write(w, s) }},
	{"lore", "lore.txt", false, func(w io.Writer, l *traces.Ladder, _ string, s traces.Style) error {
		s.Form = traces.Lore
		return l.Write(w, s)
	}},
	{"svg", "svg", false, func(w io.Writer, l *traces.Ladder, _ string, s traces.Style) error { return l.WriteSVG(w, s) }},
	{"html", "html", false, func(w io.Writer, l *traces.Ladder, title string, _ traces.Style) error {
		return traces.WriteHTML(w, title, []*traces.Ladder{l})
	}},
	{"mermaid", "mmd", false, func(w io.Writer, l *traces.Ladder, _ string, s traces.Style) error { return l.WriteMermaid(w, s) }},
	{"plantuml", "puml", false, func(w io.Writer, l *traces.Ladder, _ string, s traces.Style) error { return l.WritePlantUML(w, s) }},
	{"itf", "itf.json", false, func(w io.Writer, l *traces.Ladder, title string, _ traces.Style) error {
		return traces.WriteITF(w, title, l.States())
	}},
	{"pcap", "pcapng", true, func(w io.Writer, l *traces.Ladder, _ string, s traces.Style) error { return l.WritePcapng(w, s) }},
}

func formatNames() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

func formatOf(name string) format {
	return formats[slices.IndexFunc(formats, func(f format) bool { return f.name == name })]
}

// draw writes the runs of a report in a format: to the standard output, or each
// to a file of its own in the folder of --out.
func (a *app) draw(s *ibcheck.ScenarioReport, name string) error {
	f := formatOf(name)
	runs := runsOf(s)
	if a.flags.outDir == "" {
		if f.binary && isTerminal(a.stdout) {
			return fmt.Errorf("%s is not for a terminal: send it to a file, or use --out DIR", name)
		}
		if len(runs) > 1 && name != "ladder" && name != "lore" {
			return fmt.Errorf("%d runs are %d drawings in %s: use --out DIR", len(runs), len(runs), name)
		}
		return a.drawAll(runs, f)
	}
	if err := os.MkdirAll(a.flags.outDir, 0o777); err != nil {
		return err
	}
	style := a.textOptions().Ladder
	style.Color = false
	taken := map[string]bool{}
	for _, r := range runs {
		base := fileName(strings.TrimSuffix(filepath.Base(s.File), ".ibl") + "-" + r.property.Name)
		file := base
		for n := 2; taken[file]; n++ {
			file = fmt.Sprintf("%s-%d", base, n)
		}
		taken[file] = true
		path := filepath.Join(a.flags.outDir, file+"."+f.ending)
		if err := writeFile(path, func(w io.Writer) error { return f.write(w, r.ladder(), r.title(), style) }); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) drawAll(runs []drawing, f format) error {
	for i, r := range runs {
		if i > 0 {
			fmt.Fprintln(a.stdout)
		}
		if err := f.write(a.stdout, r.ladder(), r.title(), a.textOptions().Ladder); err != nil {
			return err
		}
	}
	return nil
}

// A drawing is the run of a property.
type drawing struct {
	scenario *ibcheck.ScenarioReport
	property *ibcheck.PropertyReport
}

func (r drawing) ladder() *traces.Ladder { return r.scenario.Ladder(r.property) }
func (r drawing) title() string          { return r.scenario.Name + " / " + r.property.Name }

// runsOf lists the runs of a scenario and its variants.
func runsOf(s *ibcheck.ScenarioReport) []drawing {
	var out []drawing
	for i := range s.Properties {
		if p := &s.Properties[i]; p.Run != nil {
			out = append(out, drawing{s, p})
		}
	}
	for i := range s.Variants {
		out = append(out, runsOf(&s.Variants[i])...)
	}
	return out
}

var unfit = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)

// fileName makes a name of a file from words.
func fileName(words string) string { return strings.Trim(unfit.ReplaceAllString(words, "-"), "-") }
