package ibcheck

// The exit codes of the command line, as docs/command-line.md lists them.
const (
	ExitExpected     = 0  // every verdict is as expected
	ExitUnexpected   = 1  // some verdict differs from its expectation
	ExitUsage        = 2  // bad scenario or bad usage
	ExitInconclusive = 3  // a limit or an interrupt came first, nothing unexpected so far
	ExitVacuous      = 4  // a verdict says nothing: its property was never put to the test
	ExitInternal     = 70 // a fault of the program itself
)

// exitRank orders exit codes by how much they matter to a caller: a mistake in
// the input hides what the other verdicts mean, a wrong verdict outweighs a
// missing one, and a missing one may be why another looks vacuous.
var exitRank = map[int]int{ExitExpected: 0, ExitVacuous: 1, ExitInconclusive: 2, ExitUnexpected: 3, ExitUsage: 4, ExitInternal: 5}

// WorseExit returns the exit code of two that matters more.
func WorseExit(a, b int) int {
	if exitRank[b] > exitRank[a] {
		return b
	}
	return a
}

// ExitCode returns the exit code that a report deserves. A verdict that says
// nothing counts only when vacuousIsError, as it is by default in a test run.
func (r *Report) ExitCode(vacuousIsError bool) int {
	code := ExitExpected
	for i := range r.Scenarios {
		code = WorseExit(code, r.Scenarios[i].ExitCode(vacuousIsError))
	}
	return code
}

// ExitCode is [Report.ExitCode] for one scenario and its variants.
func (s *ScenarioReport) ExitCode(vacuousIsError bool) int {
	code := ExitExpected
	if !s.Complete {
		code = ExitInconclusive
	}
	for i := range s.Properties {
		code = WorseExit(code, s.propertyExit(&s.Properties[i], vacuousIsError))
	}
	for i := range s.Variants {
		code = WorseExit(code, s.Variants[i].ExitCode(vacuousIsError))
	}
	return code
}

func (s *ScenarioReport) propertyExit(p *PropertyReport, vacuousIsError bool) int {
	universal := p.Verdict == "holds" || p.Verdict == "unreachable"
	switch {
	case p.Verdict == "unknown" && p.Expect != "unknown":
		return ExitInconclusive
	case !p.AsExpected:
		return ExitUnexpected
	case universal && len(s.Bounds) > 0:
		return ExitInconclusive // behaviours were cut, so "never" was not shown
	case p.Vacuous != "" && p.Expect != "" && vacuousIsError:
		return ExitVacuous
	}
	return ExitExpected
}

// Complaints says in words what keeps the exit code of a scenario from being
// ExitExpected, in the order of the report.
func (s *ScenarioReport) Complaints(vacuousIsError bool) []string {
	var out []string
	with := ""
	if len(s.Params) > 0 {
		with = "with " + joinSorted(s.Params, " = ") + ": "
	}
	for i := range s.Properties {
		p := &s.Properties[i]
		switch s.propertyExit(p, vacuousIsError) {
		case ExitUnexpected:
			out = append(out, with+p.Name+" "+p.verdictWords())
		case ExitInconclusive:
			if s.Complete { // else the stop below says it for all
				out = append(out, with+p.Name+" is undecided")
			}
		case ExitVacuous:
			out = append(out, with+p.Name+" is vacuous: "+p.Vacuous)
		}
	}
	switch {
	case s.Simulated != nil:
		out = append(out, with+"simulated, not exhaustive")
	case !s.Complete:
		out = append(out, with+"stopped "+s.stopWords())
	}
	for i := range s.Variants {
		out = append(out, s.Variants[i].Complaints(vacuousIsError)...)
	}
	return out
}
