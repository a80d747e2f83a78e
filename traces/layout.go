// Package traces turns a run in words into drawings: the ladder as text, and
// from the same layout the other forms. It knows nothing of scenarios, rules
// or the search. Its one law: a drawing shows every event of the run, and every
// event below what caused it.
package traces

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// A Caption is what stands around a drawing. Empty parts are left out.
type Caption struct {
	Verdict  string   // "VIOLATED, as expected"
	Scenario string   // its name
	Property string   // name and text: "order: S1.cqe precedes R2.cqe"
	Pos      string   // where the property is written: "seed.ibl:28:8"
	Minimal  string   // second line; every "%d" becomes the number of steps
	Broken   string   // the words at the break; every "%d" becomes the step that broke it
	Footer   []string // lines below the drawing
}

// Options say what to draw beside the events.
type Options struct {
	Caption Caption
	// Bars are the WRs of the property, in its order: one column each, from the
	// post to the CQE, or to the poll if the name ends in ".wc".
	Bars []string
}

// A Ladder is a run laid out: rows in order, and for each where it stands. All
// forms of output are drawn from it.
type Ladder struct {
	run         *spec.Run
	caption     Caption // with step numbers filled in
	brokenWords string  // what broke, without them
	rows        []row
	broken      int // rows up to and including the one that breaks the property
	loop        int // 1 + the first of those that repeat for ever, 0 if none does
	bars        []bar
	groups      []group
	waits       []wait
}

// A group is a pair of nodes with a connection between them, drawn as five
// lanes. Right is -1 for a node that talks to nobody.
type group struct{ left, right int }

func (g group) has(node int) bool { return g.left == node || g.right == node }

// A bar shows one WR of the property while it is open.
type bar struct {
	name        string
	setup       bool // open before the first row
	opens, ends int  // rows, -1 if it does not
}

// A shape is how a row is drawn.
type shape uint8

const (
	straight shape = iota // an arrow from one lane to another
	lost                  // an arrow that ends in the wire
	departs               // an arrow into the wire, or a CQE into its CQ, where it waits
	arrives               // the end of a wait
	vanishes              // the end of a wait by loss
	remark                // words beside a lane
	told                  // a message outside of the queue pairs
)

// A row is one step of the drawing.
type row struct {
	step, cause int // from 1; cause 0 if none
	shape       shape
	group       int
	from, to    Lane
	copied      bool // the arrow begins in the wire: a duplicate
	label       label
	note        string // a remark's words, or what the label leaves out
	fault       string // the budget used: "fault 1/1"
	wait        int    // index in waits, -1 if none
	tag         string // names a packet that waits: "#6"
	main        int    // the event that gives the row its shape
	events      []int  // all events of the run that the row stands for, ascending
}

// A wait is a packet in the wire, or a CQE in its CQ, across other rows.
type wait struct {
	from, to int  // rows; to is the number of rows if it never ends
	lane     Lane // where it will end
}

// Layout puts the events of a run in rows. It may exchange events that do not
// depend on each other; what decides stays the last row before the break, and
// the epilogue comes after it. A nil run gives a ladder without rows.
func Layout(run *spec.Run, opt Options) *Ladder {
	run = checked(run)
	l := &Ladder{run: run, caption: opt.Caption}
	a := analyse(run, opt.Bars)
	l.groups = groupsOf(run)
	r := newRelation(a)
	var all []unit
	at := spot{Lane{-1, spec.App}, -1}
	for part, us := range units(a, r) {
		for i := range us {
			us[i].group = l.groupOf(&run.Events[a.shown[us[i].first]])
		}
		if us, at = newScheduler(l.groups, r, us).order(at); part == partLoop && len(us) > 0 {
			l.loop = len(all) + 1
		}
		if all = append(all, us...); part != partEpilogue || run.Broken == 0 {
			l.broken = len(all)
		}
	}
	l.makeRows(a, all)
	l.makeWaits(a)
	l.makeBars(opt.Bars)
	l.fillCaption()
	return l
}

// groupsOf lists the pairs of nodes that a run needs, in the order of the
// file's connections, and then the nodes that have events and no pair.
func groupsOf(run *spec.Run) []group {
	busy := make([]bool, len(run.Nodes))
	var used []group
	for i := range run.Events {
		e := &run.Events[i]
		busy[e.Node] = true
		if p := e.Packet; p != nil {
			used = append(used, group{p.From, p.To})
		} else if e.Conn >= 0 && e.Conn < len(run.Conns) {
			used = append(used, group{run.Conns[e.Conn].A, run.Conns[e.Conn].B})
		}
	}
	var out []group
	add := func(g group) {
		if !slices.Contains(out, g) && !slices.Contains(out, group{g.right, g.left}) {
			out = append(out, g)
		}
	}
	for _, c := range run.Conns {
		if g := (group{c.A, c.B}); slices.Contains(used, g) || slices.Contains(used, group{g.right, g.left}) {
			add(g)
		}
	}
	for _, g := range used {
		add(g)
	}
	for n, b := range busy {
		if b && !slices.ContainsFunc(out, func(g group) bool { return g.has(n) }) {
			out = append(out, group{n, -1})
		}
	}
	return out
}

// groupOf says in which group an event is drawn, -1 if its node is enough.
func (l *Ladder) groupOf(e *spec.Event) int {
	a, b := e.Node, e.Node
	switch {
	case e.Packet != nil:
		a, b = e.Packet.From, e.Packet.To
	case e.Conn >= 0 && e.Conn < len(l.run.Conns):
		a, b = l.run.Conns[e.Conn].A, l.run.Conns[e.Conn].B
	case e.Kind == spec.EvTell && e.To != e.Node:
		b = e.To
	default:
		return -1
	}
	return slices.IndexFunc(l.groups, func(g group) bool { return g.has(a) && g.has(b) })
}

// makeRows turns units into numbered rows.
func (l *Ladder) makeRows(a *analysis, us []unit) {
	rowOf := make([]int, len(l.run.Events))
	for n, u := range us {
		rowOf[a.shown[u.first]], rowOf[a.shown[u.last]] = n, n
	}
	l.rows = make([]row, len(us))
	for n, u := range us {
		l.rows[n] = l.newRow(a, u)
		l.rows[n].step = n + 1
		for _, i := range []int{a.shown[u.first], a.shown[u.last]} {
			if c := a.cause(i); c >= 0 && rowOf[c] < n {
				l.rows[n].cause = max(l.rows[n].cause, rowOf[c]+1)
			}
		}
	}
	for i, h := range a.host {
		n := 0
		if h >= 0 {
			n = rowOf[h]
		}
		l.rows[n].events = append(l.rows[n].events, i)
	}
}

// newRow gives a unit its shape. The first event decides on it, the second
// only says whether the arrow reaches its end.
func (l *Ladder) newRow(a *analysis, u unit) row {
	i, j := a.shown[u.first], a.shown[u.last]
	e, f := &l.run.Events[i], &l.run.Events[j]
	r := row{main: i, group: u.group, wait: -1, from: u.start, to: u.start}
	if r.fault = l.faultText(e.Fault); r.fault == "" {
		r.fault = l.faultText(f.Fault)
	}
	switch e.Kind {
	case spec.EvPost, spec.EvVerb:
		r.to, r.label = u.end, verbLabel(e)
	case spec.EvDepart, spec.EvDup:
		r.label, r.to, r.copied = packetLabel(e.Packet), Lane{e.Packet.To, spec.HCA}, e.Kind == spec.EvDup
		r.shape = departs
		if i != j {
			r.shape = straight
		}
		if f.Kind == spec.EvDrop {
			r.shape = lost
		}
	case spec.EvArrive, spec.EvDrop:
		r.label, r.to, r.shape = packetLabel(e.Packet), Lane{e.Packet.To, spec.HCA}, arrives
		if e.Kind == spec.EvDrop {
			r.shape = vanishes
		}
	case spec.EvCQE:
		r.label, r.to = completionLabel("CQE", e.WC), Lane{e.Node, spec.App}
		if i == j && l.isPolled(e.WC.CQ, e.Node) {
			r.shape = departs
		}
	case spec.EvPoll:
		r.label, r.to, r.shape = completionLabel("poll", e.WC), Lane{e.Node, spec.App}, arrives
	case spec.EvTell:
		l.tellRow(&r, e, i != j)
	default:
		r.shape, r.note = remark, noteText(e, r.fault)
	}
	return r
}

// tellRow draws a message between programs as an arrow if it is heard at once
// and its ends are beside each other, else as a remark at each end.
func (l *Ladder) tellRow(r *row, e *spec.Event, heard bool) {
	words := e.Text
	if words == "" {
		words = "tell"
	}
	r.label = label{words}
	if g := l.groups[r.group]; heard && g.has(e.To) && e.To != e.Node {
		r.shape, r.to = told, Lane{e.To, spec.App}
		return
	}
	r.shape, r.note = remark, words
	if heard {
		r.note += fmt.Sprintf(", heard by %s", l.run.Nodes[e.To])
	}
}

// isPolled is true if the run shows a poll of a CQ: then a CQE that is drawn
// without its poll is one that waits.
func (l *Ladder) isPolled(cq string, node int) bool {
	return slices.ContainsFunc(l.run.Events, func(e spec.Event) bool {
		return e.Kind == spec.EvPoll && e.Node == node && e.WC.CQ == cq
	})
}

// faultText says which fault a row used up. Where the run has one budget only,
// its name says nothing new.
func (l *Ladder) faultText(fault string) string {
	if fault == "" {
		return ""
	}
	name, count, ok := cutLast(fault)
	if !ok {
		return "fault " + fault
	}
	for i := range l.run.Events {
		other, _, _ := cutLast(l.run.Events[i].Fault)
		if l.run.Events[i].Fault != "" && other != name {
			return fault
		}
	}
	return "fault " + count
}

func cutLast(s string) (before, after string, ok bool) {
	at := strings.LastIndexByte(s, ' ')
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+1:], true
}

// makeWaits ties each departure to the row that ends it.
func (l *Ladder) makeWaits(a *analysis) {
	ends := map[int]int{} // main event: row
	for n := range l.rows {
		ends[l.rows[n].main] = n
	}
	for n := range l.rows {
		r := &l.rows[n]
		if r.shape != departs {
			continue
		}
		w := wait{from: n, to: len(l.rows), lane: r.to}
		if j := a.partner(r.main); j >= 0 {
			w.to = ends[j]
			l.rows[w.to].wait = len(l.waits)
		}
		r.wait = len(l.waits)
		l.waits = append(l.waits, w)
		if r.to.Place == spec.HCA {
			l.tag(n, w.to)
		}
	}
}

// tag names a packet that waits, in both of its rows, and says of the straight
// ones what they pass.
func (l *Ladder) tag(from, to int) {
	tag := fmt.Sprintf("#%d", l.rows[from].step)
	l.rows[from].tag = tag
	for n := from + 1; n < min(to, len(l.rows)); n++ {
		r := &l.rows[n]
		if r.shape != straight || r.to != l.rows[from].to || r.from != l.rows[from].from {
			continue
		}
		if r.note == "" {
			r.note = "overtakes " + tag
		} else {
			r.note += ", " + tag
		}
	}
	if to < len(l.rows) {
		l.rows[to].tag = tag
	}
}

// makeBars finds where each WR of the property opens and ends.
func (l *Ladder) makeBars(names []string) {
	for _, full := range names {
		name, polled := strings.CutSuffix(full, ".wc")
		b := bar{name: name, opens: -1, ends: -1}
		end := spec.EvCQE
		if polled {
			end = spec.EvPoll
		}
		open := 0
		if slices.ContainsFunc(l.run.Before, func(s string) bool { return strings.HasPrefix(s, name+" ") }) {
			b.setup, open = true, 1
		}
		for n := range l.rows {
			for _, i := range l.rows[n].events {
				e := &l.run.Events[i]
				if !sameWR(name, eventWR(e)) {
					continue
				}
				if e.Kind == spec.EvPost {
					if open++; b.opens < 0 {
						b.opens = n
					}
				}
				if e.Kind == end {
					if open--; open == 0 {
						b.ends = n
					}
				}
			}
		}
		if open > 0 {
			b.ends = -1
		}
		l.bars = append(l.bars, b)
	}
}

func eventWR(e *spec.Event) string {
	if e.WR == "" && e.WC != nil {
		return e.WC.WR
	}
	return e.WR
}

// fillCaption puts step numbers into the words of the caption.
func (l *Ladder) fillCaption() {
	number := fmt.Sprint(l.broken)
	l.brokenWords = l.caption.Broken
	l.caption.Minimal = strings.ReplaceAll(l.caption.Minimal, "%d", number)
	l.caption.Broken = strings.ReplaceAll(l.caption.Broken, "%d", number)
}

// loopWords says what repeats, "" if nothing does.
func (l *Ladder) loopWords() string {
	if l.loop == 0 {
		return ""
	}
	return fmt.Sprintf("%d to %d repeat for ever", l.loop, l.broken)
}

// Steps returns the number of rows up to the break: the length of the
// counterexample as a reader counts it.
func (l *Ladder) Steps() int { return l.broken }
