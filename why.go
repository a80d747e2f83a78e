package ibcheck

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/internal/page"
	"github.com/ibcheck/ibcheck/invariants"
	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
	"github.com/ibcheck/ibcheck/traces"
)

// An Explanation says why a run violates a property, in sentences that name the
// steps of its ladder. All of it is read off the run and off searches with other
// assumptions.
type Explanation struct {
	Let  []string `json:"let"`           // what is spoken of, and when it happened
	Then []string `json:"then"`          // what would be needed, and what happened instead
	But  []string `json:"but,omitempty"` // what the missing event waits for, and why nothing brought it
	Key  []string `json:"key,omitempty"` // which faults and freedoms the violation needs
	Fix  []string `json:"fix,omitempty"` // an edit under which it holds, or what to do instead
	Run  string   `json:"run,omitempty"` // the command that takes the run again
}

// Explain says how much of an Explanation a check works out by itself.
type Explain uint8

// Nothing; what the run tells and, where the space is small, what it needs and a fix;
// the same for spaces of any size.
const (
	NoExplain Explain = iota
	Briefly
	Fully
)

// explain gives a violated property its explanation, but for the fix.
func (c *checker) explain(p *PropertyReport, steps []explore.Step, l *traces.Ladder) error {
	wanted := p.Verdict == "violated" && c.opt.Explain != NoExplain || p.Verdict == "reachable" && c.opt.Explain == Fully
	if !wanted || c.opt.only != "" && c.opt.only != p.Name {
		return nil
	}
	var prop *spec.Property
	for i := range c.watch.Targets {
		if t := &c.watch.Targets[i]; t.Name == p.Name && t.Kind == p.Kind {
			prop = t.Prop
		}
	}
	p.Explanation = c.why(p, prop, steps, l)
	var err error
	p.Explanation.Key, err = c.key(p)
	return err
}

// why explains a run without looking beyond it: Let, Then and But.
func (c *checker) why(p *PropertyReport, prop *spec.Property, steps []explore.Step, l *traces.Ladder) *Explanation {
	s := c.newStory(p, steps, l)
	x := &Explanation{Let: []string{}, Then: []string{}}
	bad := s.last().Env.Bad
	if bad == spec.BadNone && p.Kind == "sanitizer" { // one of those that look at how runs end
		bad = spec.BadFor(p.Name)
	} else if bad == spec.BadNone && prop != nil {
		bad = invariants.Sanitizer(prop)
	}
	switch {
	case bad != spec.BadNone:
		s.finding(x, bad)
	case prop == nil: // a built-in check
		s.decided(x)
	case prop.Kind == spec.PropPrecedes:
		s.precedes(x, prop)
	case prop.Kind == spec.PropEventually, prop.Kind == spec.PropLeadsTo, prop.Kind == spec.PropUntil, prop.Kind == spec.PropFinal:
		s.missing(x, prop)
	default:
		s.atoms(x, prop.L)
		s.decided(x)
		s.absent(x, prop.L)
	}
	if p.Token != "" {
		x.Run = fmt.Sprintf("ibcheck replay %s %s%s", c.sc.File, p.Token, c.opt.flags())
	}
	return x
}

// flags writes what the options change in a scenario as the command line takes it.
func (opt *Options) flags() string {
	var out strings.Builder
	if opt.Profile != "" {
		out.WriteString(" --profile " + opt.Profile)
	}
	for _, name := range slices.Sorted(maps.Keys(opt.Dials)) {
		fmt.Fprintf(&out, " --set %s=%s", name, opt.Dials[name])
	}
	for _, name := range slices.Sorted(maps.Keys(opt.Params)) {
		fmt.Fprintf(&out, " --param %s=%s", name, opt.Params[name])
	}
	for _, name := range slices.Sorted(maps.Keys(opt.Faults)) {
		fmt.Fprintf(&out, " --faults '%s<=%d'", name, opt.Faults[name])
	}
	return out.String()
}

// walkAtoms calls f for the atoms of an expression, each text once.
func walkAtoms(f func(e *spec.Expr), list ...*spec.Expr) {
	var seen []string
	var walk func(e *spec.Expr)
	walk = func(e *spec.Expr) {
		if e == nil {
			return
		}
		if e.Op == spec.ExprAtom && e.Atom.Kind != spec.AtomConst && !slices.Contains(seen, e.Atom.Text) {
			seen = append(seen, e.Atom.Text)
			f(e)
		}
		for _, k := range e.Kids {
			walk(k)
		}
	}
	for _, e := range list {
		walk(e)
	}
}

// atoms says of what expressions speak of when it happened.
func (s *story) atoms(x *Explanation, list ...*spec.Expr) {
	walkAtoms(func(e *spec.Expr) { x.Let = append(x.Let, s.atomText(e)) }, list...)
}

func (s *story) atomText(e *spec.Expr) string {
	a := &e.Atom
	event, ok := s.since(e)
	if a.Kind != spec.AtomWR && a.Kind != spec.AtomMRState {
		return fmt.Sprintf("%s is %d at the break", a.Text, s.c.model.Eval(s.last(), e))
	}
	meaning := ""
	if a.Kind == spec.AtomWR {
		meaning = s.meaning(a)
	}
	switch {
	case !ok:
		return fmt.Sprintf("%s: never in this run, %s", a.Text, meaning)
	case event < 0:
		return a.Text + " from the beginning"
	case meaning == "":
		return fmt.Sprintf("%s = step %s", a.Text, s.at(event))
	}
	return fmt.Sprintf("%s = step %s, %s", a.Text, s.at(event), meaning)
}

// meaning says what an event of a WR tells, and whom.
func (s *story) meaning(a *spec.Atom) string {
	w := &s.c.sc.WRs[a.WR]
	node := s.c.sc.Nodes[w.Node].Name
	name := shortWR(w.Name)
	tells := fmt.Sprintf("the HCA will never read %s's buffer again", name)
	switch {
	case w.Recv:
		tells = "a message is in " + name + "'s buffer"
	case w.Opcode == spec.RDMA_READ || w.Opcode == spec.ATOMIC_CMP_AND_SWP || w.Opcode == spec.ATOMIC_FETCH_AND_ADD:
		tells = fmt.Sprintf("what %s asked for is in its buffer", name)
	case w.Opcode == spec.LOCAL_INV:
		tells = "the key is dead"
	case w.Opcode == spec.REG_MR || w.Opcode == spec.BIND_MW:
		tells = "the key is alive"
	}
	switch a.Field {
	case spec.WRCQE:
		return fmt.Sprintf("the CQE that tells %s: %s", node, tells)
	case spec.WRWC, spec.WROK:
		return fmt.Sprintf("the poll that tells the program of %s: %s", node, tells)
	case spec.WRFailed, spec.WRFlushed:
		return fmt.Sprintf("the poll that tells the program of %s: %s has failed, which says nothing of its delivery (F2.4)", node, name)
	}
	return map[spec.WRField]string{
		spec.WRPosted:   "the post, after which its buffer is the HCA's",
		spec.WRSent:     "its last packet leaves",
		spec.WRArrived:  "the responder has accepted all of it",
		spec.WRExecuted: "the responder has executed it",
		spec.WRPlaced:   "a CPU there sees its data",
		spec.WRAcked:    "the requester has the acknowledgement",
		spec.WRRetried:  "one of its packets is sent again",
	}[a.Field]
}

// precedes explains a violation of A precedes B: what caused B, and where A would
// have had to be among the causes.
func (s *story) precedes(x *Explanation, prop *spec.Property) {
	s.atoms(x, prop.L, prop.R)
	b := s.firstEvent(s.p.Actions)
	l := prop.L
	left, right := sideText(l, "the left side"), sideText(prop.R, "the right side")
	x.Then = append(x.Then, fmt.Sprintf("%s needs a chain of causes from %s to %s. %s was caused by", s.p.Name, left, right,
		strings.ToUpper(right[:1])+right[1:]), s.chainText(b))
	if l.Op != spec.ExprAtom || l.Atom.Kind != spec.AtomWR {
		x.Then = append(x.Then, "The left side was not true before.")
		return
	}
	wr := s.c.model.WRName(l.Atom.WR, l.Atom.Instance)
	x.Then = append(x.Then, s.joint(wr, l.Atom.Text, b))
	x.But = append(x.But, s.because(wr, l.Atom.Field, b)...)
}

// sideText names one side of precedes.
func sideText(e *spec.Expr, otherwise string) string {
	if e.Op == spec.ExprAtom {
		return e.Atom.Text
	}
	return otherwise
}

// joint says which part of the way of a WR is among the causes of an event, and
// which is not.
func (s *story) joint(wr, what string, event int) string {
	w := s.wrSite(wr)
	if w == nil || w.Recv {
		return what + " is not in it."
	}
	p := s.progress(wr, event)
	past := s.past(event)
	for g := isPolled; g > notPosted; g-- {
		if p.by[g] >= 0 && past[p.by[g]] {
			return fmt.Sprintf("%s is not in it: %q (%d) is, but %q is not.", what, s.name(p.by[g]), s.row[p.by[g]], s.stageName(&p, g+1))
		}
	}
	return fmt.Sprintf("%s is not in it, and nothing else of %s is.", what, wr)
}

// stageName names a step on the way of a send.
func (s *story) stageName(p *progress, g stage) string {
	if p.by[g] >= 0 {
		return s.name(p.by[g])
	}
	response := "the response"
	if p.by[isAnswered] >= 0 {
		response = packetName(s.run.Events[p.by[isAnswered]].Packet)
	}
	return [...]string{isPosted: p.wr + " posted", isSent: p.wr + " sent", isArrived: p.wr + " arrived", isAnswered: response + " sent",
		isReturned: response + " arrived", isCompleted: p.wr + ".cqe", isPolled: p.wr + ".wc"}[min(g, isPolled)]
}

// because says what a WR's event waits for when another happens, and that the
// message which caused that one says nothing about it.
func (s *story) because(wr string, f spec.WRField, event int) []string {
	out := s.waitsFor(wr, f, event)
	for i := range out {
		out[i] = sentence(out[i])
	}
	if len(out) == 0 {
		return nil
	}
	w := s.wrSite(wr)
	if p := s.progress(wr, event); !w.Recv && p.stage >= isSent && p.stage <= isAnswered {
		for i := event; i >= 0; i = s.run.Events[i].Cause {
			e := &s.run.Events[i]
			if e.Kind == spec.EvArrive && !isResponse(e.Packet) && e.Packet.Owner != p.owner && e.Packet.To == w.Node {
				out = append(out, fmt.Sprintf("%s (psn %s%d, the other direction) says nothing about %s%d: C9-95.",
					e.Packet.WR, e.Packet.Owner, e.Packet.PSN, p.owner, p.psn))
				break
			}
		}
	}
	return append(out, fmt.Sprintf("Nothing makes %d wait for it.", s.row[event]))
}

// sentence ends words as a sentence.
func sentence(words string) string {
	first, _, _ := strings.Cut(words, " ")
	if words == "" || strings.Contains(first, ".") { // a name is as it is
		return words + "."
	}
	return strings.ToUpper(words[:1]) + words[1:] + "."
}

// decided says what led to the event that decides.
func (s *story) decided(x *Explanation) {
	b := s.firstEvent(s.p.Actions)
	if b < 0 {
		return
	}
	breaks, name := "breaks", s.name(b)
	if s.p.Verdict == "reachable" {
		breaks = "is reached"
	}
	if name != "" {
		name = ", " + name
	}
	x.Then = append(x.Then, fmt.Sprintf("%s %s at %d%s, which was caused by", s.p.Name, breaks, s.row[s.broken-1], name), s.chainText(b))
}

// absent says of events that an expression wants not to have happened, and that had
// not, what they waited for.
func (s *story) absent(x *Explanation, e *spec.Expr) {
	event := s.firstEvent(s.p.Actions)
	walkAtoms(func(e *spec.Expr) {
		if e.Atom.Kind == spec.AtomWR && s.c.model.Eval(s.last(), e) == 0 && event >= 0 && len(x.But) == 0 {
			x.But = append(x.But, s.because(s.c.model.WRName(e.Atom.WR, e.Atom.Instance), e.Atom.Field, event)...)
		}
	}, e)
	if len(x.But) == 0 {
		x.But = s.stillOpen()
	}
}

// stillOpen says of the first sends that are not over at the break what they wait
// for.
func (s *story) stillOpen() []string {
	var out []string
	open := 0
	state := s.last()
	for i := range state.WRs {
		info := s.c.model.WR(i)
		if open == 2 || info.Recv || state.WRs[i].Phase != spec.Posted || info.Site >= len(s.c.sc.WRs) {
			continue
		}
		if w := s.waitsFor(info.Name, spec.WRCQE, s.broken); len(w) > 0 {
			for _, words := range w {
				out = append(out, sentence(words))
			}
			open++
		}
	}
	return out
}

// missing explains a run in which something never comes: it ends, or goes on for
// ever, without.
func (s *story) missing(x *Explanation, prop *spec.Property) {
	s.atoms(x, prop.L, prop.R)
	if s.run.Loop > 0 {
		x.Then = append(x.Then, fmt.Sprintf("Steps %d to %d can repeat for ever, and none of them brings it.", s.row[s.run.Loop-1], s.row[s.broken-1]))
	} else {
		x.Then = append(x.Then, sentence("after "+fmt.Sprint(s.row[max(s.broken-1, 0)])+" nothing but a fault can happen: "+s.c.model.HowItEnds(s.last())))
	}
	s.arming(x)
	walkAtoms(func(e *spec.Expr) {
		if e.Atom.Kind != spec.AtomWR || s.c.model.Eval(s.last(), e) != 0 {
			return
		}
		for _, w := range s.waitsFor(s.c.model.WRName(e.Atom.WR, e.Atom.Instance), e.Atom.Field, s.broken) {
			x.But = append(x.But, sentence(w))
		}
	}, prop.L, prop.R)
}

// briefEdits is how many edits a check tries by itself.
const briefEdits = 60

// suggest adds fixes to the explanations of a report. The params of the options are
// those that the report is for.
func (r *ScenarioReport) suggest(ctx context.Context, f *scenario.File, opt Options) error {
	open := slices.ContainsFunc(r.Properties, func(p PropertyReport) bool { return p.Explanation != nil })
	if opt.Explain == NoExplain || opt.Simulate > 0 || !open {
		return nil
	}
	how := FixOptions{Options: opt}
	how.Explain = NoExplain
	if opt.Explain == Briefly {
		if how.Most = briefEdits; r.States > askFixes {
			return nil
		}
	}
	fixes, err := FindFixes(ctx, f.Name, []byte(f.Text()), how)
	if err != nil {
		return err
	}
	for i := range r.Properties {
		if p := &r.Properties[i]; p.Explanation != nil {
			p.Explanation.Fix = fixes.suggestion(p.Name)
		}
	}
	return nil
}

// suggestion is what a report says of one violated property.
func (r *FixReport) suggestion(name string) []string {
	for i := range r.Fixes {
		if f := &r.Fixes[i]; slices.Contains(f.Turns, name) {
			return []string{f.Title, fmt.Sprintf("ibcheck fix %s %s%s", r.File, name, r.flags)}
		}
	}
	var out []string
	for _, a := range r.Advice {
		if text, ok := strings.CutPrefix(a, name+": "); ok {
			out = append(out, text)
		}
	}
	return out
}

// A label begins each part of an explanation in text.
const labelWidth = 6

// Lines returns the explanation as text, folded to a page.
func (x *Explanation) Lines() []string {
	var out []string
	for _, line := range x.labelled() {
		out = append(out, page.Fold(line, labelWidth)...)
	}
	return out
}

// labelled returns the parts of the explanation behind their labels, in lines of any
// length; none of no explanation.
func (x *Explanation) labelled() []string {
	if x == nil {
		return nil
	}
	var out []string
	add := func(label string, lines ...string) {
		for i, text := range lines {
			if i > 0 {
				label = ""
			}
			if text != "" {
				out = append(out, fmt.Sprintf("%-*s%s", labelWidth, label, text))
			}
		}
	}
	add("Let", x.Let...)
	add("Then", x.Then...)
	add("But", strings.Join(x.But, " "))
	add("Key", strings.Join(x.Key, " "))
	add("Fix", x.Fix...)
	add("Run", x.Run)
	return out
}
