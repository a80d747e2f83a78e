package traces

import (
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// A Lane is a lifeline of a drawing: the programs or the adapter of a node.
type Lane struct {
	Node  int
	Place spec.Place
}

// An analysis is a run with what a drawing needs to know about its events.
type analysis struct {
	run    *spec.Run
	named  []string // WRs the property names
	polled []string // those of them whose poll it means
	shown  []int    // events that get ink, ascending
	at     []int    // event: its index in shown, -1 if it gets no ink
	host   []int    // event: the shown event it is drawn with, itself if shown
}

// analyse says which events are drawn. An event without ink goes with the
// event that caused it: an execution with the arrival, a test of a program
// with the poll before it.
func analyse(run *spec.Run, bars []string) *analysis {
	a := &analysis{run: run, at: make([]int, len(run.Events)), host: make([]int, len(run.Events))}
	for _, b := range bars {
		name, polled := strings.CutSuffix(b, ".wc")
		a.named = append(a.named, name)
		if polled {
			a.polled = append(a.polled, name)
		}
	}
	for i := range run.Events {
		a.at[i] = -1
		if a.hasInk(i) {
			a.show(i)
		}
	}
	if n := len(run.Events); n > 0 && len(a.shown) == 0 {
		a.show(n - 1) // a run of silent steps ends somewhere
	}
	for i := range run.Events {
		if a.at[i] < 0 {
			a.host[i] = a.hostOf(i)
		}
	}
	return a
}

func (a *analysis) show(i int) {
	a.at[i] = len(a.shown)
	a.host[i] = i
	a.shown = append(a.shown, i)
}

// hasInk is true for what a reader has to see. The event that decides is always
// seen, and so is one about a WR of the property that comes after the break
// while its cause came before: drawn with its cause it would seem earlier.
func (a *analysis) hasInk(i int) bool {
	e := &a.run.Events[i]
	if e.Kind != spec.EvSilent && !quietNote(e) || e.Fault != "" || i == a.run.Broken-1 {
		return true
	}
	return i >= a.run.Broken && e.Cause >= 0 && e.Cause < a.run.Broken && a.isNamed(e.WR)
}

// quietNote is true for a remark that says no more than the row of its cause.
func quietNote(e *spec.Event) bool {
	return e.Kind == spec.EvNote && e.Text == ""
}

// hostOf finds the shown event that an event without ink goes with: its
// nearest shown cause, else the event before it, of its node if there is one.
// It is -1 if nothing is shown before; such an event goes with the first row.
// The events before i have their host already.
func (a *analysis) hostOf(i int) int {
	if c := a.run.Events[i].Cause; c >= 0 {
		return a.host[c]
	}
	latest := -1
	for c := i - 1; c >= 0; c-- {
		if a.at[c] < 0 {
			continue
		}
		if a.run.Events[c].Node == a.run.Events[i].Node {
			return c
		}
		latest = max(latest, c)
	}
	return latest
}

// cause returns the shown event that made shown event i possible, -1 if none.
func (a *analysis) cause(i int) int {
	c := a.run.Events[i].Cause
	if c < 0 {
		return -1
	}
	return a.host[c]
}

// isNamed is true for a WR of the property, any instance of it.
func (a *analysis) isNamed(wr string) bool {
	for _, name := range a.named {
		if sameWR(name, wr) {
			return true
		}
	}
	return false
}

// sameWR is true if a WR is the named one or, when the name has no index, an
// instance of it.
func sameWR(name, wr string) bool {
	if wr == "" || name == wr {
		return name == wr && wr != ""
	}
	base, _, indexed := strings.Cut(wr, "[")
	return indexed && base == name
}

// aboutNamed is true if drawing event i elsewhere could be taken for a
// statement about a WR of the property: it, or an event drawn with it, is
// about such a WR, or it answers one.
func (a *analysis) aboutNamed(i int) bool {
	e := &a.run.Events[i]
	if a.isNamed(e.WR) || e.Packet != nil && (a.isNamed(e.Packet.WR) || a.answersNamed(e.Packet)) {
		return true
	}
	for j := range a.run.Events {
		if a.at[j] < 0 && a.host[j] == i && a.isNamed(a.run.Events[j].WR) {
			return true
		}
	}
	return false
}

// answersNamed is true for a response that may acknowledge a request packet of
// a WR of the property: one of the same PSN space, up to its PSN.
func (a *analysis) answersNamed(p *spec.Packet) bool {
	return isResponse(p) && slices.ContainsFunc(a.run.Events, func(e spec.Event) bool {
		q := e.Packet
		return e.Kind == spec.EvDepart && !isResponse(q) && q.Conn == p.Conn && q.Owner == p.Owner && q.PSN <= p.PSN && a.isNamed(q.WR)
	})
}

// ordered is true if shown events i < j may not change places. What it says of
// one node is cautious: its adapter and its programs keep the order of the
// trace, except that a poll or an out-of-band message passes what the adapter
// does with packets, and that an adapter serves its connections in any order.
// What two nodes do is tied by packets and causes only.
func (a *analysis) ordered(i, j int) bool {
	e, f := &a.run.Events[i], &a.run.Events[j]
	switch {
	case j == a.run.Broken-1, a.cause(j) == i, e.Fault != "" && f.Fault != "":
		return true
	case e.Packet != nil && f.Packet != nil && e.Packet.ID == f.Packet.ID:
		return true
	case isTimer(f) && (e.Conn == f.Conn || e.Conn < 0) && e.Place != spec.App:
		return true // the timer fires because of what is no longer in flight
	case j < a.run.Broken && isLandmark(e) && isLandmark(f) && a.isNamed(e.WR) && a.isNamed(f.WR):
		return true
	case e.Node != f.Node || e.Kind == spec.EvDrop || f.Kind == spec.EvDrop:
		return false
	}
	return !a.passes(i, j) && !a.passes(j, i) && !a.pollsEarlier(e, f) && !separate(e, f)
}

// pollsEarlier is true for a CQE and the later poll of another one: the poll may
// come first, which can only make the CQ shorter. A property without WRs may
// be about just that.
func (a *analysis) pollsEarlier(e, f *spec.Event) bool {
	return e.Kind == spec.EvCQE && f.Kind == spec.EvPoll && len(a.named) > 0
}

// separate is true for two events of an adapter on two connections that share
// neither a CQ nor, as requests that arrive may, a shared receive queue.
func separate(e, f *spec.Event) bool {
	if e.Place == spec.App || f.Place == spec.App || e.Conn < 0 || f.Conn < 0 || e.Conn == f.Conn {
		return false
	}
	if e.Kind == spec.EvCQE && f.Kind == spec.EvCQE {
		return e.WC.CQ != f.WC.CQ
	}
	request := func(e *spec.Event) bool { return e.Kind == spec.EvArrive && !isResponse(e.Packet) }
	return !request(e) || !request(f)
}

// passes is true if a program's event i commutes with event j of the same node.
// A poll and a CQE of one CQ do so only after the break: before it, it matters
// how full the CQ is. Two threads may poll two CQs in any order.
func (a *analysis) passes(i, j int) bool {
	e, f := &a.run.Events[i], &a.run.Events[j]
	if e.Place != spec.App {
		return false
	}
	switch e.Kind {
	case spec.EvTell, spec.EvHear:
		return f.Place != spec.App
	case spec.EvPoll:
		elsewhere := e.WC != nil && f.WC != nil && e.WC.CQ != f.WC.CQ
		if f.Place == spec.App {
			return f.Kind == spec.EvPoll && elsewhere && e.Thread != f.Thread
		}
		return f.Kind != spec.EvCQE || elsewhere || i >= a.run.Broken && j >= a.run.Broken
	}
	return false
}

// isLandmark is true for the events of a WR that properties mostly speak of.
func isLandmark(e *spec.Event) bool {
	return e.Kind == spec.EvPost || e.Kind == spec.EvCQE || e.Kind == spec.EvPoll
}

// isTimer is true for the expiry of a timer that was needed; one that is early
// is a fault and happens when it likes.
func isTimer(e *spec.Event) bool {
	return e.Kind == spec.EvNote && (e.Rule == "timeout" || e.Rule == "rnr_timer")
}

// partner returns the shown event that would end the row begun by shown event
// i: the arrival or loss of a packet, the poll of a CQE, the hearing of a
// message; -1 if there is none.
func (a *analysis) partner(i int) int {
	e := &a.run.Events[i]
	for j := i + 1; j < len(a.run.Events); j++ {
		if a.at[j] >= 0 && completes(e, &a.run.Events[j], i) {
			return j
		}
	}
	return -1
}

func completes(e, f *spec.Event, i int) bool {
	switch e.Kind {
	case spec.EvDepart, spec.EvDup:
		return (f.Kind == spec.EvArrive || f.Kind == spec.EvDrop) && e.Packet.ID == f.Packet.ID
	case spec.EvCQE:
		return f.Kind == spec.EvPoll && f.Node == e.Node && *e.WC == *f.WC
	case spec.EvTell:
		return f.Kind == spec.EvHear && f.Cause == i
	}
	return false
}

// checked returns a copy of a run that is safe to index and to print: events
// name nodes that exist and causes that came before, and have the packet or
// completion of their kind; what does not becomes a remark.
func checked(run *spec.Run) *spec.Run {
	if run == nil {
		return &spec.Run{}
	}
	c := *run
	c.Broken = min(max(c.Broken, 0), len(c.Events))
	if c.Loop < 0 || c.Loop > c.Broken {
		c.Loop = 0
	}
	c.Events = slices.Clone(c.Events)
	c.Nodes = plainAll(c.Nodes)
	c.Before = plainAll(c.Before)
	node := func(n int) int {
		if n >= 0 && n < len(run.Nodes) {
			return n
		}
		if len(c.Nodes) == len(run.Nodes) {
			c.Nodes = append(c.Nodes, "?")
		}
		return len(run.Nodes)
	}
	c.Conns = slices.Clone(c.Conns)
	for i := range c.Conns {
		c.Conns[i].A, c.Conns[i].B = node(c.Conns[i].A), node(c.Conns[i].B)
	}
	for i := range c.Events {
		checkEvent(&c.Events[i], i, node)
	}
	return &c
}

func checkEvent(e *spec.Event, i int, node func(int) int) {
	e.Node = node(e.Node)
	if e.Cause < 0 || e.Cause >= i {
		e.Cause = -1
	}
	if e.Kind == spec.EvTell {
		e.To = node(e.To)
	}
	e.Rule, e.Thread, e.WR, e.Text, e.Fault = plain(e.Rule), plain(e.Thread), plain(e.WR), plain(e.Text), plain(e.Fault)
	e.Diff = plainAll(e.Diff)
	if p := e.Packet; p != nil {
		q := *p
		q.From, q.To = node(p.From), node(p.To)
		q.Opcode, q.Owner, q.WR = plain(p.Opcode), plain(p.Owner), plain(p.WR)
		e.Packet = &q
	}
	if wc := e.WC; wc != nil {
		e.WC = &spec.WC{WR: plain(wc.WR), Opcode: plain(wc.Opcode), Status: plain(wc.Status), CQ: plain(wc.CQ)}
	}
	switch e.Kind {
	case spec.EvDepart, spec.EvArrive, spec.EvDrop, spec.EvDup:
		if e.Packet == nil {
			e.Kind = spec.EvNote
		}
	case spec.EvCQE, spec.EvPoll:
		if e.WC == nil {
			e.Kind = spec.EvNote
		}
	}
	switch {
	case e.Kind > spec.EvSilent:
		e.Kind = spec.EvNote
	case e.Kind == spec.EvVerb && !reachesAdapter(e.Text):
		e.Kind, e.Place = spec.EvNote, spec.App
	}
}

// reachesAdapter is false for a statement that stays within the program, like
// "read data" or "n = 2", and for a post that failed: they are no arrows.
func reachesAdapter(verb string) bool {
	word, rest, _ := strings.Cut(verb, " ")
	return (strings.Contains(word, "_") || word == "post") && !strings.HasPrefix(rest, "=") && !strings.HasSuffix(rest, " fails")
}

func plainAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = plain(s)
	}
	return out
}
