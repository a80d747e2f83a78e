package ibcheck

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ibcheck/ibcheck/traces"
)

// FormatOptions say how a report is written for the programs of others.
type FormatOptions struct {
	// VacuousIsError makes a verdict that says nothing a failure, as in ExitCode.
	VacuousIsError bool
	// Version is the version of ibcheck that the report names, "" for none.
	Version string
	// Ladder is how runs are drawn where they are shown as text. A report that
	// ReadJSON read shows them as they were drawn then.
	Ladder traces.Style
}

// A Case is a verdict, or a problem of a file, as programs see it that know
// tests: it has a name and passed, or has words that say why not.
type Case struct {
	Name    string // "order", "repoll = true: order"
	Rule    string // what kind of thing it is: "assert", "hca_access(freed)", "scenario"
	Exit    int    // the exit code it deserves
	Verdict string // "VIOLATED, as expected", "" if it is none
	Message string // what is wrong, on one line; "" if it passed
	Details string // lines that say more: what the verdict stands under, the ladder

	at       place
	scenario *ScenarioReport // nil for a problem
	property *PropertyReport // nil for a problem and for the many checks that passed
}

// Passed says whether the case is as it should be.
func (c *Case) Passed() bool { return c.Exit == ExitExpected }

// Pos says where the case is written: "x.ibl:3:1", or the file alone.
func (c *Case) Pos() string { return c.at.String() }

// open says whether it is not known how the case would have ended.
func (c *Case) open() bool { return c.Exit == ExitInconclusive }

// A caseFile is a file and its cases.
type caseFile struct {
	path    string
	seconds float64
	cases   []Case
}

// files returns the cases of a report by file, in the order of the report; the
// problems of files without a verdict come last.
func (r *Report) files(opt FormatOptions) []caseFile {
	var out []caseFile
	index := map[string]int{}
	of := func(path string) *caseFile {
		i, ok := index[path]
		if !ok {
			i = len(out)
			index[path] = i
			out = append(out, caseFile{path: path})
		}
		return &out[i]
	}
	for i := range r.Scenarios {
		s := &r.Scenarios[i]
		f := of(s.File)
		for _, v := range s.all() {
			f.seconds += v.Seconds
		}
		f.cases = append(f.cases, s.Cases(opt)...)
	}
	for i := range r.Problems {
		f := of(r.Problems[i].File)
		f.cases = append(f.cases, r.Problems[i].Case())
	}
	return out
}

// all returns a scenario and its variants.
func (s *ScenarioReport) all() []*ScenarioReport {
	out := []*ScenarioReport{s}
	for i := range s.Variants {
		out = append(out, &s.Variants[i])
	}
	return out
}

// Cases returns, for a scenario and then each variant, a case for each property,
// for each built-in check that failed, one for all that passed, and one for a
// search that a limit ended.
func (s *ScenarioReport) Cases(opt FormatOptions) []Case {
	var out []Case
	for _, v := range s.all() {
		out = append(out, v.cases(opt)...)
	}
	return out
}

// cases returns the cases of one variant.
func (s *ScenarioReport) cases(opt FormatOptions) []Case {
	var out []Case
	passed := 0
	for i := range s.Properties {
		p := &s.Properties[i]
		exit := s.propertyExit(p, opt.VacuousIsError)
		switch {
		case !p.builtIn() || exit != ExitExpected && exit != ExitInconclusive:
			out = append(out, s.caseOf(p, opt))
		case exit == ExitExpected:
			passed++
		}
	}
	if passed > 0 {
		out = append(out, Case{Name: s.with() + plural(passed, "built-in check"), Rule: "builtin", scenario: s})
	}
	limit := Case{Name: s.with() + "exploration", Rule: "limit", Exit: ExitInconclusive, at: place{file: s.File}, scenario: s}
	switch {
	case !s.Complete:
		limit.Message = "stopped " + s.stopWords() + ": " + s.coverage()
		out = append(out, limit)
	case len(s.Bounds) > 0:
		limit.Message = "behaviours were cut: " + strings.Join(s.Bounds, "; ")
		out = append(out, limit)
	}
	return out
}

func (s *ScenarioReport) caseOf(p *PropertyReport, opt FormatOptions) Case {
	c := Case{Name: s.with() + p.Name, Rule: p.Kind, Exit: s.propertyExit(p, opt.VacuousIsError), at: s.placeOf(p), scenario: s, property: p,
		Verdict: p.verdictWords()}
	if p.builtIn() {
		c.Rule = p.Name
	}
	switch c.Exit {
	case ExitExpected:
		return c
	case ExitVacuous:
		c.Rule, c.Message = "vacuous", "vacuous: "+p.Vacuous
	case ExitInconclusive:
		c.Rule, c.Message = "limit", "undecided"
	default:
		c.Message = p.verdictWords()
	}
	if p.Property != "" {
		c.Message += ": " + p.Property
	}
	c.Details = s.details(p, opt.Ladder)
	return c
}

// with names a variant, as a prefix: "repoll = true: ".
func (s *ScenarioReport) with() string {
	if len(s.Params) == 0 {
		return ""
	}
	return joinSorted(s.Params, " = ") + ": "
}

// details says what a verdict rests on and stands under, and shows its run.
func (s *ScenarioReport) details(p *PropertyReport, style traces.Style) string {
	var lines []string
	for _, line := range []string{s.evidence(p), p.Why, s.Under()} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	text := strings.Join(lines, "\n") + "\n"
	if drawing := p.drawing(style); drawing != "" {
		text += "\n" + drawing
	}
	return text
}

// drawing returns the ladder of a property as text, "" if it has no run.
func (p *PropertyReport) drawing(style traces.Style) string {
	if p.Run == nil {
		return p.Drawing
	}
	var b strings.Builder
	l := traces.Layout(p.Run, traces.Options{Bars: p.Bars, Caption: traces.Caption{Broken: p.brokenWords()}})
	if err := l.Write(&b, style); err != nil {
		return "" // a strings.Builder has no errors
	}
	return b.String()
}

// Case returns the problem as a case that failed.
func (p *Problem) Case() Case {
	rule := map[int]string{ExitUnexpected: "expected", ExitInconclusive: "limit", ExitInternal: "internal"}[p.Exit]
	at := parsePlace(p.Pos)
	at.file = cmp.Or(at.file, p.File)
	return Case{Name: "scenario", Rule: cmp.Or(rule, "scenario"), Exit: p.Exit, Message: p.Text, Details: p.More, at: at}
}

// A place is a position in a file; without a line it is the file.
type place struct {
	file      string
	line, col int
}

// parsePlace reads "x.ibl:3:1"; of other text it makes no place.
func parsePlace(pos string) place {
	rest, col, ok := cutLast(pos)
	file, line, ok2 := cutLast(rest)
	if !ok || !ok2 {
		return place{}
	}
	return place{file, line, col}
}

// cutLast splits off the number behind the last colon.
func cutLast(text string) (before string, n int, ok bool) {
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return "", 0, false
	}
	n, err := strconv.Atoi(text[i+1:])
	return text[:i], n, err == nil
}

func (p place) String() string {
	if p.line == 0 {
		return p.file
	}
	return fmt.Sprintf("%s:%d:%d", p.file, p.line, p.col)
}

// uri returns the file as other programs name it: with slashes.
func (p place) uri() string { return filepath.ToSlash(p.file) }

// placeOf says where a property is written. What is written nowhere, a built-in
// check, is shown where the last WR of its run is posted.
func (s *ScenarioReport) placeOf(p *PropertyReport) place {
	if at := parsePlace(p.Pos); at.file != "" {
		return at
	}
	for i := len(p.Trace) - 1; i >= 0; i-- {
		if at := s.postedAt(p.Trace[i].WR); at.file != "" {
			return at
		}
	}
	return place{file: s.File}
}

// postedAt says where a WR, or the instance of one ("R1[2]"), is posted.
func (s *ScenarioReport) postedAt(wr string) place {
	name, _, _ := strings.Cut(wr, "[")
	return parsePlace(s.Posted[name])
}
