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

// A format is a form in which runs can be drawn.
type format struct {
	name, ending string
	together     bool // one drawing shows several runs
	binary       bool
	write        func(w io.Writer, title string, runs []*traces.Ladder, s traces.Style) error
}

var formats = []format{
	{name: "ladder", ending: "txt", together: true, write: writeLadders},
	{name: "lore", ending: "lore.txt", together: true, write: func(w io.Writer, title string, runs []*traces.Ladder, s traces.Style) error {
		s.Form = traces.Lore
		return writeLadders(w, title, runs, s)
	}},
	{name: "svg", ending: "svg", write: alone((*traces.Ladder).WriteSVG)},
	{name: "html", ending: "html", together: true, write: func(w io.Writer, title string, runs []*traces.Ladder, _ traces.Style) error {
		return traces.WriteHTML(w, title, runs)
	}},
	{name: "mermaid", ending: "mmd", write: alone((*traces.Ladder).WriteMermaid)},
	{name: "plantuml", ending: "puml", write: alone((*traces.Ladder).WritePlantUML)},
	{name: "itf", ending: "itf.json", write: func(w io.Writer, title string, runs []*traces.Ladder, _ traces.Style) error {
		return traces.WriteITF(w, title, runs[0].States())
	}},
	{name: "pcap", ending: "pcapng", binary: true, write: alone((*traces.Ladder).WritePcapng)},
}

// alone makes a format of a drawing of one run.
func alone(draw func(l *traces.Ladder, w io.Writer, s traces.Style) error) func(io.Writer, string, []*traces.Ladder, traces.Style) error {
	return func(w io.Writer, _ string, runs []*traces.Ladder, s traces.Style) error { return draw(runs[0], w, s) }
}

func writeLadders(w io.Writer, _ string, runs []*traces.Ladder, s traces.Style) error {
	for i, l := range runs {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if err := l.Write(w, s); err != nil {
			return err
		}
	}
	return nil
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

// draw writes the runs of a report in a format: to the standard output, or to
// files in the folder of --out.
func (a *app) draw(s *ibcheck.ScenarioReport, name string) error {
	f := formatOf(name)
	all := drawingsOf(s, f)
	style := a.textOptions().Ladder
	switch {
	case a.flags.outDir != "":
		style.Color = false
		return a.drawInto(a.flags.outDir, all, f, style)
	case f.binary && isTerminal(a.stdout):
		return fmt.Errorf("%s is not for a terminal: send it to a file, or use --out DIR", name)
	case len(all) > 1:
		return fmt.Errorf("%d runs are %d drawings in %s: use --out DIR", len(all), len(all), name)
	case len(all) == 0:
		return nil
	}
	return f.write(a.stdout, all[0].title, all[0].runs, style)
}

func (a *app) drawInto(dir string, all []drawing, f format, style traces.Style) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	taken := map[string]bool{}
	for _, d := range all {
		name := d.file
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s-%d", d.file, n)
		}
		taken[name] = true
		err := writeFile(filepath.Join(dir, name+"."+f.ending), func(w io.Writer) error { return f.write(w, d.title, d.runs, style) })
		if err != nil {
			return err
		}
	}
	return nil
}

// A drawing is what one file of a format shows.
type drawing struct {
	file, title string
	runs        []*traces.Ladder
}

// drawingsOf lists the drawings of a scenario and its variants.
func drawingsOf(s *ibcheck.ScenarioReport, f format) []drawing {
	base := strings.TrimSuffix(filepath.Base(s.File), ".ibl")
	if f.together {
		if runs := laddersOf(s); len(runs) > 0 {
			return []drawing{{fileName(base), s.Name, runs}}
		}
		return nil
	}
	var out []drawing
	for i := range s.Properties {
		if p := &s.Properties[i]; p.Run != nil {
			out = append(out, drawing{fileName(base + "-" + p.Name), s.Name + " / " + p.Name, []*traces.Ladder{s.Ladder(p)}})
		}
	}
	for i := range s.Variants {
		out = append(out, drawingsOf(&s.Variants[i], f)...)
	}
	return out
}

var unfit = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)

// fileName makes a name of a file from words.
func fileName(words string) string { return strings.Trim(unfit.ReplaceAllString(words, "-"), "-") }
