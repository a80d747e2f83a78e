package ibcheck

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/internal/page"
	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/traces"
)

// A Detail says how much WriteText writes.
type Detail int

// The details: verdicts only; verdicts, ladders and the end report; the same
// with every built-in check and every ladder.
const (
	Quiet Detail = iota - 1
	Normal
	Verbose
)

// A TextOptions says how WriteText draws.
type TextOptions struct {
	Detail   Detail
	Color    bool
	Timeless bool // leave out what the clock says, for text that is compared
	Ladder   traces.Style
}

const (
	verdictWidth  = 24 // column where the name of a property begins
	headlineWidth = 95 // column where its position ends
	reportIndent  = 10 // where the lines of the end report go on
)

// WriteText writes a report for people: for every property its verdict, where
// it stands, under which freedoms and budgets, and its ladder; then what was
// explored.
func (r *Report) WriteText(w io.Writer, opt TextOptions) error {
	for i := range r.Scenarios {
		if err := r.Scenarios[i].WriteText(w, opt); err != nil {
			return err
		}
	}
	return nil
}

// WriteText is [Report.WriteText] for one scenario and its variants.
func (s *ScenarioReport) WriteText(w io.Writer, opt TextOptions) error {
	out := &textWriter{w: bufio.NewWriter(w), opt: opt}
	out.scenario(s)
	for i := range s.Variants {
		out.scenario(&s.Variants[i])
	}
	return cmp.Or(out.err, out.w.Flush())
}

// A textWriter writes one scenario. Its first error stays in err.
type textWriter struct {
	w     *bufio.Writer
	opt   TextOptions
	err   error
	begun bool
	drawn []*PropertyReport // of this variant, whose ladders are shown
}

func (t *textWriter) line(format string, args ...any) {
	fmt.Fprintf(t.w, format+"\n", args...) // an error stays in the bufio.Writer
}

// paragraph leaves a blank line before everything but the first paragraph.
func (t *textWriter) paragraph() {
	if t.begun {
		t.line("")
	}
	t.begun = true
}

func (t *textWriter) scenario(s *ScenarioReport) {
	if len(s.Params) > 0 {
		t.paragraph()
		t.line("with %s", joinSorted(s.Params, " = "))
	}
	t.drawn = nil
	for i := range s.Properties {
		p := &s.Properties[i]
		if !t.isSummed(p) {
			t.property(s, p)
		}
	}
	t.summedUp(s, "holds")
	t.summedUp(s, "unknown")
	if t.opt.Detail >= Normal {
		t.endReport(s)
	}
}

// isSummed says whether a property has no paragraph of its own because it is
// one of the many built-in checks that found nothing.
func (t *textWriter) isSummed(p *PropertyReport) bool {
	return p.builtIn() && p.Vacuous == "" && (p.Verdict == "holds" || p.Verdict == "unknown") && t.opt.Detail < Verbose
}

func (p *PropertyReport) builtIn() bool { return p.Kind == "builtin" || p.Kind == "sanitizer" }

// summedUp writes one paragraph for all built-in checks of a verdict.
func (t *textWriter) summedUp(s *ScenarioReport, verdict string) {
	var names []string
	for i := range s.Properties {
		if p := &s.Properties[i]; p.Verdict == verdict && t.isSummed(p) {
			names = append(names, p.Name)
		}
	}
	if len(names) == 0 {
		return
	}
	t.paragraph()
	head := fmt.Sprintf("%-*s%s: ", verdictWidth, strings.ToUpper(verdict), plural(len(names), "built-in check"))
	t.folded(head+strings.Join(names, ", "), verdictWidth)
	t.folded(s.Under(), 2)
}

func (t *textWriter) property(s *ScenarioReport, p *PropertyReport) {
	t.paragraph()
	draw := p.Run != nil && t.opt.Detail >= Normal
	if draw && t.opt.Ladder.Form == traces.Lore {
		short := *p
		short.Explanation = nil  // a mail has little room
		t.draw(s.Ladder(&short)) // which says all of the following
		return
	}
	t.line("%s", t.headline(s, p))
	t.folded(s.evidence(p), 2)
	t.folded(p.Why, 2)
	if p.Vacuous != "" {
		t.folded("vacuous: "+p.Vacuous, 2)
	}
	t.folded(s.Under(), 2)
	if draw {
		t.ladder(p)
	}
}

// ladder draws the run of a property, unless the same run stands above.
func (t *textWriter) ladder(p *PropertyReport) {
	same := slices.IndexFunc(t.drawn, func(q *PropertyReport) bool { return sameRun(p.Run, q.Run) })
	if same >= 0 && t.opt.Detail < Verbose {
		t.line("shown by the run of %s above", t.drawn[same].Name)
		return
	}
	t.drawn = append(t.drawn, p)
	t.line("")
	t.draw(traces.Layout(p.Run, traces.Options{Bars: p.Bars, Caption: traces.Caption{Broken: p.brokenWords()}}))
	if p.Explanation != nil {
		t.line("")
		for _, line := range p.Explanation.Lines() {
			t.line("%s", line)
		}
	}
}

func (t *textWriter) draw(l *traces.Ladder) {
	t.err = cmp.Or(t.err, l.Write(t.w, t.opt.Ladder))
}

// sameRun says whether two runs take the same steps up to their breaks.
func sameRun(a, b *spec.Run) bool {
	return reflect.DeepEqual(a.Events[:a.Broken], b.Events[:b.Broken])
}

// WriteRuns writes the ladder of every property that has a run, each so that it
// can be read alone.
func (s *ScenarioReport) WriteRuns(w io.Writer, style traces.Style) error {
	between := ""
	for i := range s.Properties {
		p := &s.Properties[i]
		if p.Run == nil {
			continue
		}
		if _, err := io.WriteString(w, between); err != nil {
			return err
		}
		if err := s.Ladder(p).Write(w, style); err != nil {
			return err
		}
		between = "\n"
	}
	return nil
}

// Ladder lays out the run of a property of the scenario so that the drawing can
// be read alone: with its verdict and what it stands under.
func (s *ScenarioReport) Ladder(p *PropertyReport) *traces.Ladder {
	return traces.Layout(p.Run, traces.Options{
		Bars: p.Bars,
		Caption: traces.Caption{
			Verdict:  p.verdictWords(),
			Scenario: s.Name,
			Property: p.title(),
			Pos:      p.Pos,
			Minimal:  s.evidence(p),
			Broken:   p.brokenWords(),
			Footer:   append([]string{s.Under()}, p.Explanation.labelled()...),
		},
	})
}

func (p *PropertyReport) brokenWords() string {
	switch {
	case p.Breaks != "":
		return p.Name + ": " + p.Breaks
	case p.Kind == "run":
		return "" // nothing breaks
	}
	return p.Name
}

// title is the name of a property and what it says.
func (p *PropertyReport) title() string {
	if p.Property == "" {
		return p.Name
	}
	return p.Name + ": " + p.Property
}

// headline is the line that names a property and its verdict.
func (t *textWriter) headline(s *ScenarioReport, p *PropertyReport) string {
	name := p.title()
	if s.Name != "" {
		name = s.Name + " / " + name
	}
	verdict := p.verdictWords()
	gap := strings.Repeat(" ", max(2, verdictWidth-utf8.RuneCountInString(verdict)))
	used := utf8.RuneCountInString(verdict + gap + name)
	line := t.colored(p, verdict) + gap + name
	if p.Pos == "" {
		return line
	}
	return line + strings.Repeat(" ", max(2, headlineWidth-used-utf8.RuneCountInString(p.Pos))) + p.Pos
}

// verdictWords is the verdict with what was expected of it.
func (p *PropertyReport) verdictWords() string {
	verdict := strings.ToUpper(p.Verdict)
	switch {
	case p.Expect == "":
		return verdict
	case p.AsExpected:
		return verdict + ", as expected"
	}
	return verdict + ", expected " + p.Expect
}

func (t *textWriter) colored(p *PropertyReport, text string) string {
	if !t.opt.Color {
		return text
	}
	code := "32" // green
	switch {
	case p.Verdict == "unknown" || p.Vacuous != "":
		code = "33" // yellow
	case !p.AsExpected:
		code = "31" // red
	}
	return "\x1b[1;" + code + "m" + text + "\x1b[0m"
}

// Under returns the words without which a verdict is never printed: the
// profile, the dials that differ from it, and the fault budgets.
func (s *ScenarioReport) Under() string { return under(s.Profile, s.Dials, s.Faults) }

func under(profile string, dials map[string]string, faults map[string]int) string {
	text := "under profile " + profile
	if len(dials) > 0 {
		text += " with " + joinSorted(dials, " = ")
	}
	if len(faults) == 0 {
		return text + "; no faults"
	}
	return text + "; faults " + joinSorted(faults, " <= ")
}

// evidence says what the verdict rests on: how short the run is and what was
// shown about shorter ones, or how much was looked at.
func (s *ScenarioReport) evidence(p *PropertyReport) string {
	states := func(n uint64) string { return plural(n, "state") }
	length := fmt.Sprintf("%s, %s", plural(p.Steps, "step"), plural(p.Faults, "fault"))
	switch {
	case p.Met != nil:
		return length + ", " + p.Met.words()
	case s.Simulated != nil:
		return fmt.Sprintf("open: not met in %s", plural(s.Simulated.Runs, "simulated run"))
	case s.States == 0: // a run of its own, not the outcome of a search
		return length
	}
	switch p.Verdict {
	case "violated", "reachable":
		without := map[string]string{"violated": "holds", "reachable": "unreachable"}[p.Verdict]
		if s.NotShortest {
			return length + "; a limit came before it was known whether shorter runs exist"
		}
		text := length + ", minimal: "
		if p.Faults == 0 {
			return text + fmt.Sprintf("nothing shorter (%s)", states(s.statesUpTo(0)))
		}
		fewer := "0 faults"
		if p.Faults > 1 {
			fewer = upToFaults(p.Faults - 1)
		}
		own := s.statesUpTo(p.Faults) - s.statesUpTo(p.Faults-1)
		return text + fmt.Sprintf("%s with %s (%s); nothing shorter with %d (%s)",
			without, fewer, states(s.statesUpTo(p.Faults-1)), p.Faults, states(own))
	case "holds", "unreachable":
		return fmt.Sprintf("in all %s", states(s.States))
	}
	switch {
	case p.Why != "":
		return ""
	case s.CompleteTo < 0:
		return "open: nothing found so far"
	}
	return "open: nothing with " + upToFaults(s.CompleteTo) + ", all of which was explored; nothing so far with more"
}

// statesUpTo counts the states that need at most that many faults.
func (s *ScenarioReport) statesUpTo(faults int) uint64 {
	var n uint64
	for k, count := range s.StatesBy {
		if k <= faults {
			n += count
		}
	}
	return n
}

// endReport says what was explored and what was not.
func (t *textWriter) endReport(s *ScenarioReport) {
	t.paragraph()
	if s.Simulated != nil {
		t.folded("simulated "+s.Simulated.extent(), reportIndent)
	} else {
		t.folded("explored  "+s.extent(t.opt.Timeless), reportIndent)
	}
	if s.Stopped != "" {
		t.folded("stopped   "+s.stopWords()+": "+s.coverage(), reportIndent)
	}
	for _, b := range s.Bounds {
		t.folded("bound     "+b, reportIndent)
	}
	if len(s.Budgets) > 0 {
		var used []string
		for _, b := range s.Budgets {
			used = append(used, fmt.Sprintf("%s %d/%d used", b.Name, b.Used, b.Max))
		}
		t.folded("budgets   "+strings.Join(used, ", "), reportIndent)
	}
	if len(s.NeverFired) > 0 {
		t.folded("never     rules never exercised: "+strings.Join(s.NeverFired, ", "), reportIndent)
	}
}

func (s *ScenarioReport) extent(timeless bool) string {
	text := fmt.Sprintf("%s, %s, depth %d", plural(s.States, "state"), plural(s.Transitions, "transition"), s.Depth)
	if !timeless {
		text += ", " + seconds(s.Seconds)
	}
	if s.Exact {
		text += "; exact"
	} else {
		text += "; states told apart by fingerprints"
	}
	if len(s.Reduced) > 0 {
		text += ", reduced (" + strings.Join(s.Reduced, ", ") + ")"
	}
	if s.Complete {
		return text + ", complete"
	}
	return text + ", not complete"
}

// stopWords says what ended the search early and which flag moves that limit.
func (s *ScenarioReport) stopWords() string {
	switch explore.Stop(s.Stopped) {
	case explore.StopStates:
		return "at the limit on states (--max-states)"
	case explore.StopMemory:
		return "at the limit on memory (--max-mem)"
	case explore.StopTime:
		return "at the limit on time (--timeout)"
	case explore.StopInterrupt:
		return "interrupted"
	}
	return s.Stopped
}

func (s *ScenarioReport) coverage() string {
	if s.Simulated != nil {
		return fmt.Sprintf("%s of %s were made", grouped(s.Simulated.Runs), plural(s.Simulated.Asked, "run"))
	}
	if s.CompleteTo < 0 {
		return "not even the behaviours without faults were explored to the end"
	}
	return "behaviours with " + upToFaults(s.CompleteTo) + " were explored to the end"
}

func upToFaults(n int) string {
	if n == 0 {
		return "no faults"
	}
	return "up to " + plural(n, "fault")
}

// folded writes text, which may be empty, in lines of a page's width.
func (t *textWriter) folded(text string, indent int) {
	for _, line := range page.Fold(text, indent) {
		t.line("%s", line)
	}
}

// Summary says in a few words what a scenario and its variants came to: its own
// verdicts, without those of the built-in checks, and the states explored.
func (s *ScenarioReport) Summary() string {
	verdicts, states := 0, uint64(0)
	for _, r := range append([]ScenarioReport{*s}, s.Variants...) {
		states += r.States
		for i := range r.Properties {
			if !r.Properties[i].builtIn() {
				verdicts++
			}
		}
	}
	return plural(verdicts, "verdict") + ", " + plural(states, "state")
}

// joinSorted writes a map in the order of its keys.
func joinSorted[V any](m map[string]V, between string) string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, fmt.Sprintf("%s%s%v", key, between, m[key]))
	}
	return strings.Join(parts, ", ")
}
