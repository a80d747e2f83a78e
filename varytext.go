package ibcheck

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ibcheck/ibcheck/internal/page"
)

// WriteJSON writes the report in the form that docs/explain.md describes.
func (r *VaryReport) WriteJSON(w io.Writer) error { return writeJSON(w, r) }

// WriteText writes the report for people: the matrix of verdicts, a row for each
// choice, and for each property what its verdict depends on. Built-in checks are
// shown where they find something, or with all.
func (r *VaryReport) WriteText(w io.Writer, all bool) error {
	out := bufio.NewWriter(w)
	for _, line := range r.lines(all) {
		out.WriteString(strings.TrimRight(line, " "))
		out.WriteByte('\n')
	}
	return out.Flush()
}

func (r *VaryReport) lines(all bool) []string {
	var names []string
	for _, a := range r.Axes {
		names = append(names, a.Name)
	}
	out := page.Fold(fmt.Sprintf("%s: verdicts over %s", r.Name, strings.Join(names, ", ")), 2)
	out = append(out, page.Fold(r.fixed(), 2)...)
	var shown []int
	for k := range r.Properties {
		p := &r.Properties[k]
		if all || !p.builtIn() || len(p.Breaking) > 0 {
			shown = append(shown, k)
		}
	}
	for len(shown) > 0 {
		n := r.fitting(shown)
		out = append(append(out, ""), r.matrix(shown[:n])...)
		shown = shown[n:]
	}
	out = append(out, "")
	wide := 0
	for k := range r.Properties {
		wide = max(wide, utf8.RuneCountInString(r.Properties[k].Name))
	}
	for k := range r.Properties {
		out = append(out, r.dependence(k, wide+1, all)...)
	}
	return out
}

// fixed says what is not varied.
func (r *VaryReport) fixed() string {
	dials, faults := maps.Clone(r.Dials), maps.Clone(r.Faults)
	text := "else under profile " + r.Profile
	for _, a := range r.Axes {
		delete(dials, a.Name)
		delete(faults, a.Name)
		if a.Name == "profile" {
			text = "else"
		}
	}
	if len(dials) > 0 {
		text += " with " + joinSorted(dials, " = ")
	}
	if len(faults) > 0 {
		text += "; faults " + joinSorted(faults, " <= ")
	}
	switch {
	case text == "else":
		return "all else is as the specification leaves it; no other faults"
	case len(faults) == 0:
		return text + "; no other faults"
	}
	return text
}

// fitting returns how many of the properties fit side by side on a page, at least
// one.
func (r *VaryReport) fitting(shown []int) int {
	for n := len(shown); n > 1; n-- {
		if !slices.ContainsFunc(r.matrix(shown[:n]), func(line string) bool { return utf8.RuneCountInString(line) > page.Width }) {
			return n
		}
	}
	return 1
}

// matrix is the table of the verdicts of some properties.
func (r *VaryReport) matrix(shown []int) []string {
	var head []string
	for _, a := range r.Axes {
		head = append(head, a.Name)
	}
	for _, k := range shown {
		head = append(head, r.Properties[k].Name)
	}
	rows := [][]string{head}
	for _, p := range r.Points {
		row := slices.Clone(p.Values)
		for _, k := range shown {
			row = append(row, p.Verdicts[k].cell())
		}
		rows = append(rows, row)
	}
	return table(rows, 0)
}

// cell is a verdict in a word, with the fewest faults that show it.
func (v *Verdict) cell() string {
	text := v.Verdict
	if v.Verdict == "violated" || v.Verdict == "reachable" {
		text += fmt.Sprintf(" %d", v.Faults)
	}
	if v.Vacuous != "" {
		text += " (vacuous)"
	}
	return text
}

// dependence says where a property holds and where it breaks. Built-in checks
// that hold everywhere are left out. The words begin in a column.
func (r *VaryReport) dependence(k, column int, all bool) []string {
	p := &r.Properties[k]
	count := map[string]int{}
	for i := range r.Points {
		count[r.Points[i].Verdicts[k].Verdict]++
	}
	for verdict, n := range count {
		if n == len(r.Points) { // no other verdict: whatever the order of the map
			if p.builtIn() && verdict == "holds" && !all {
				return nil
			}
			return page.Fold(fmt.Sprintf("%-*s %s everywhere", column, p.Name, verdict), column+1)
		}
	}
	good, bad := "weakest that holds", "strongest that breaks"
	if p.Kind == "reach" {
		good, bad = "weakest that cannot", "strongest that reaches"
	}
	name := p.Name
	var out []string
	add := func(head string, points []int) {
		for _, i := range points {
			out = append(out, page.Fold(fmt.Sprintf("%-*s %-23s %s", column, name, head, r.place(k, i)), column+27)...)
			name, head = "", ""
		}
	}
	add(good, p.Weakest)
	add(bad, p.Breaking)
	if len(out) == 0 {
		return page.Fold(fmt.Sprintf("%-*s open", column, name), column+1)
	}
	return out
}

func (p *VaryProperty) builtIn() bool { return p.Kind == "builtin" || p.Kind == "sanitizer" }

// place names a point by its values, and says how many faults the run takes that
// shows the property there.
func (r *VaryReport) place(k, i int) string {
	var parts []string
	for n, a := range r.Axes {
		parts = append(parts, a.Name+" = "+r.Points[i].Values[n])
	}
	text := strings.Join(parts, ", ")
	if n := r.Points[i].Verdicts[k].Faults; n > 0 {
		text += fmt.Sprintf(" (%s)", plural(n, "fault"))
	}
	return text
}
