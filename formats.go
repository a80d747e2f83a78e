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
}

// A testCase is a verdict, or a problem of a file, as programs see it that know
// tests: it has a name and passed, or has words that say why not.
type testCase struct {
	name    string // "order", "repoll = true: order"
	rule    string // what kind of thing failed: "assert", "hca_access(freed)", "scenario"
	exit    int    // the exit code it deserves
	message string // one line, "" if it passed
	details string // lines that say more: what the verdict stands under, the ladder
	at      place

	scenario *ScenarioReport // nil for a problem
	property *PropertyReport // nil for a problem and for the many checks that passed
}

// passed says whether the case is as it should be.
func (c *testCase) passed() bool { return c.exit == ExitExpected }

// open says whether it is not known how the case would have ended.
func (c *testCase) open() bool { return c.exit == ExitInconclusive }

// A caseFile is a file and its cases.
type caseFile struct {
	path    string
	name    string // of the scenario
	seconds float64
	cases   []testCase
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
		f.name = s.Name
		for _, v := range s.all() {
			f.seconds += v.Seconds
			f.cases = append(f.cases, v.cases(opt)...)
		}
	}
	for i := range r.Problems {
		f := of(r.Problems[i].File)
		f.cases = append(f.cases, r.Problems[i].testCase())
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

// cases returns a case for each property, for each built-in check that failed,
// one for all that passed, and one for a search that a limit ended.
func (s *ScenarioReport) cases(opt FormatOptions) []testCase {
	var out []testCase
	passed := 0
	for i := range s.Properties {
		p := &s.Properties[i]
		exit := s.propertyExit(p, opt.VacuousIsError)
		switch {
		case !p.builtIn() || exit != ExitExpected && exit != ExitInconclusive:
			out = append(out, s.testCase(p, opt))
		case exit == ExitExpected:
			passed++
		}
	}
	if passed > 0 {
		out = append(out, testCase{name: s.with() + plural(passed, "built-in check"), rule: "builtin", scenario: s})
	}
	limit := testCase{name: s.with() + "exploration", rule: "limit", exit: ExitInconclusive, at: place{file: s.File}, scenario: s}
	switch {
	case !s.Complete:
		limit.message = "stopped " + s.stopWords() + ": " + s.coverage()
		out = append(out, limit)
	case len(s.Bounds) > 0:
		limit.message = "behaviours were cut: " + strings.Join(s.Bounds, "; ")
		out = append(out, limit)
	}
	return out
}

func (s *ScenarioReport) testCase(p *PropertyReport, opt FormatOptions) testCase {
	c := testCase{name: s.with() + p.Name, rule: p.Kind, exit: s.propertyExit(p, opt.VacuousIsError), at: s.placeOf(p), scenario: s, property: p}
	if p.builtIn() {
		c.rule = p.Name
	}
	switch c.exit {
	case ExitExpected:
		return c
	case ExitVacuous:
		c.rule, c.message = "vacuous", "vacuous: "+p.Vacuous
	case ExitInconclusive:
		c.rule, c.message = "limit", "undecided"
	default:
		c.message = p.verdictWords()
	}
	if p.Property != "" {
		c.message += ": " + p.Property
	}
	c.details = s.details(p)
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
func (s *ScenarioReport) details(p *PropertyReport) string {
	var lines []string
	for _, line := range []string{s.evidence(p), p.Why, s.Under()} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	text := strings.Join(lines, "\n") + "\n"
	if drawing := p.drawing(); drawing != "" {
		text += "\n" + drawing
	}
	return text
}

// drawing returns the ladder of a property as text, "" if it has no run.
func (p *PropertyReport) drawing() string {
	if p.Run == nil {
		return p.Drawing
	}
	var b strings.Builder
	l := traces.Layout(p.Run, traces.Options{Bars: p.Bars, Caption: traces.Caption{Broken: p.brokenWords()}})
	if err := l.Write(&b, traces.Style{}); err != nil {
		return "" // a strings.Builder has no errors
	}
	return b.String()
}

func (p *Problem) testCase() testCase {
	rule := map[int]string{ExitUnexpected: "expected", ExitInconclusive: "limit", ExitInternal: "internal"}[p.Exit]
	at := parsePlace(p.Pos)
	at.file = cmp.Or(at.file, p.File)
	return testCase{name: "scenario", rule: cmp.Or(rule, "scenario"), exit: p.Exit, message: p.Text, details: p.More, at: at}
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
