package ibcheck

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/traces"
)

// WriteExpected writes what is recorded of a report beside its scenario, so that
// a change shows as a difference a reviewer can read: one line for each verdict
// and each number, then the ladders up to the break. It says nothing of places in
// the file, of the clock, or of how things are drawn for a terminal.
func (s *ScenarioReport) WriteExpected(w io.Writer) error {
	out := bufio.NewWriter(w) // keeps its first error for Flush
	for i, v := range s.all() {
		if i > 0 {
			fmt.Fprintln(out)
		}
		v.writeExpected(out)
	}
	return out.Flush()
}

// writeExpected writes one variant.
func (s *ScenarioReport) writeExpected(w io.Writer) {
	fmt.Fprintf(w, "# %s%s\n%s\n", s.with(), s.Name, s.Under())
	fmt.Fprintf(w, "\nverdicts\n")
	s.writeVerdicts(w)
	fmt.Fprintf(w, "\nsearch\n")
	s.writeSearch(w)
	s.writeMatrix(w)
	s.writeLadders(w)
}

// writeMatrix writes how the completions lie to each other.
func (s *ScenarioReport) writeMatrix(w io.Writer) {
	if len(s.OrderMatrix) == 0 {
		return
	}
	fmt.Fprintf(w, "\norders of written CQEs\n")
	for _, line := range s.OrderMatrix {
		fmt.Fprintln(w, strings.TrimRight("  "+line, " "))
	}
}

func (s *ScenarioReport) writeVerdicts(w io.Writer) {
	for i := range s.Properties {
		p := &s.Properties[i]
		if p.builtIn() && p.Verdict == "holds" && p.Vacuous == "" {
			continue // that a check was added changes no file
		}
		line := fmt.Sprintf("  %s: %s", p.Name, p.Verdict)
		if p.Verdict == "violated" || p.Verdict == "reachable" {
			line += fmt.Sprintf(", %s, %s", plural(p.Faults, "fault"), plural(p.Steps, "step"))
		}
		if p.Why != "" {
			line += ", " + p.Why
		}
		if p.Vacuous != "" {
			line += ", vacuous: " + p.Vacuous
		}
		fmt.Fprintln(w, line)
	}
	fmt.Fprintln(w, "  all other built-in checks: hold")
}

func (s *ScenarioReport) writeSearch(w io.Writer) {
	fmt.Fprintf(w, "  states: %d\n", s.States)
	if len(s.StatesBy) > 1 {
		for faults, n := range s.StatesBy {
			fmt.Fprintf(w, "    first reached with %s: %d\n", plural(faults, "fault"), n)
		}
	}
	fmt.Fprintf(w, "  transitions: %d\n  depth: %d\n", s.Transitions, s.Depth)
	if len(s.Reduced) > 0 {
		fmt.Fprintf(w, "  reduced: %s\n", strings.Join(s.Reduced, ", "))
	}
	if len(s.NeverFired) > 0 {
		fmt.Fprintf(w, "  rules never exercised: %s\n", strings.Join(s.NeverFired, ", "))
	}
}

// writeLadders writes each run once.
func (s *ScenarioReport) writeLadders(w io.Writer) {
	var drawn []*PropertyReport
	for i := range s.Properties {
		p := &s.Properties[i]
		if p.Run == nil {
			continue
		}
		fmt.Fprintf(w, "\nladder of %s\n", p.Name)
		if same := drawnBefore(p.Run, drawn); same != "" {
			fmt.Fprintf(w, "  as of %s\n", same)
			continue
		}
		drawn = append(drawn, p)
		for line := range strings.Lines(p.drawing(traces.Style{NoEpilogue: true})) {
			fmt.Fprintln(w, strings.TrimRight("  "+line, " \n"))
		}
	}
}

// drawnBefore names the property whose drawn run takes the same steps, "" if
// none does.
func drawnBefore(run *spec.Run, drawn []*PropertyReport) string {
	for _, p := range drawn {
		if sameRun(run, p.Run) {
			return p.Name
		}
	}
	return ""
}
