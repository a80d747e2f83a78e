package axiomtest

import (
	"fmt"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/internal/axiom"
	"github.com/ibcheck/ibcheck/spec"
)

// A Recorder turns runs of one model into traces. It reads states alone, not
// the actions between them.
type Recorder struct {
	m       *spec.Model
	qps     []axiom.TraceQP
	wrs     []axiom.TraceWR
	packets []int // by WR: PSNs it uses
	dials   map[string]string
	placed  []*spec.Expr // by WR: asks whether its data is visible; nil where nobody asks
	data    []bool       // by WR: what it brought is recorded
}

// Recorded returns a copy of a scenario with a goal that speaks of everything a
// Recorder wants to know, so that the model keeps it.
func Recorded(sc *spec.Scenario) *spec.Scenario {
	c := *sc
	var all *spec.Expr
	and := func(a spec.Atom) {
		e := &spec.Expr{Op: spec.ExprAtom, Atom: a}
		if a.Kind != spec.AtomWR {
			e = &spec.Expr{Op: spec.ExprEq, Kids: []*spec.Expr{e, {Op: spec.ExprInt}}}
		}
		if all == nil {
			all = e
		} else {
			all = &spec.Expr{Op: spec.ExprAnd, Kids: []*spec.Expr{all, e}}
		}
	}
	for i := range sc.WRs {
		w := &sc.WRs[i]
		switch {
		case w.Recv:
			and(spec.Atom{Kind: spec.AtomMsg, WR: i, Instance: -1})
		case w.Remote.Node >= 0:
			and(spec.Atom{Kind: spec.AtomWR, WR: i, Instance: -1, Field: spec.WRPlaced})
			and(spec.Atom{Kind: spec.AtomData, WR: i, Instance: -1})
		}
	}
	if all != nil {
		c.Reaches = append(append([]spec.Property(nil), sc.Reaches...), spec.Property{Name: "recorded", Kind: spec.PropReach, L: all})
	}
	return &c
}

// NewRecorder returns the recorder of a model compiled from a Recorded scenario.
func NewRecorder(m *spec.Model) (*Recorder, error) {
	sc := m.Scenario()
	dials, err := spec.ResolveDials(sc.Profile, sc.Dials)
	if err != nil {
		return nil, err
	}
	r := &Recorder{m: m, dials: dials}
	first := make([]int, len(sc.Nodes))
	for n := range sc.Nodes {
		first[n] = len(r.qps)
		for i := range sc.Nodes[n].QPs {
			q := &sc.Nodes[n].QPs[i]
			r.qps = append(r.qps, axiom.TraceQP{Name: sc.Nodes[n].Name + "." + q.Name, Peer: -1, SRQ: q.SRQ >= 0, Timer: q.Timeout > 0, MaxRdAtomic: q.MaxRdAtomic})
		}
	}
	for i := range sc.Conns {
		a, b := first[sc.Conns[i].A.Node]+sc.Conns[i].A.QP, first[sc.Conns[i].B.Node]+sc.Conns[i].B.QP
		r.qps[a].Peer, r.qps[b].Peer = b, a
	}
	out := explore.NewSuccessors(m)
	if err := out.Start(m); err != nil {
		return nil, err
	}
	_, initial, _ := out.At(0)
	r.describeWRs(sc, len(m.Unpack(initial).WRs))
	return r, nil
}

// describeWRs notes what the recorder needs of each of the n WR instances.
func (r *Recorder) describeWRs(sc *spec.Scenario, n int) {
	stored := storedByPrograms(sc)
	instances := map[int]int{}
	for i := range n {
		info := r.m.WR(i)
		w := axiom.TraceWR{Name: info.Name, Op: spec.RDMA_WRITE, QP: info.QP, Signaled: info.Signaled, Remote: -1} // the marker of a drain
		placed, data := (*spec.Expr)(nil), false
		instances[info.Site]++
		if info.Site < len(sc.WRs) {
			site := &sc.WRs[info.Site]
			w.Op, w.Fence = site.Opcode, site.Fence
			if at := site.Remote; at.Node >= 0 && !site.Recv {
				w.Remote = at.Node<<16 | at.MR
				data = sc.Nodes[at.Node].MRs[at.MR].Units <= 1 && !stored[at]
				placed = &spec.Expr{Op: spec.ExprAtom, Atom: spec.Atom{Kind: spec.AtomWR, WR: info.Site, Instance: instances[info.Site], Field: spec.WRPlaced}}
			}
		}
		if info.Recv {
			w.Op = spec.RECV
		}
		r.wrs, r.packets = append(r.wrs, w), append(r.packets, info.Packets)
		r.placed, r.data = append(r.placed, placed), append(r.data, data)
	}
}

// storedByPrograms returns the locations that a program stores to, which no WR
// accounts for.
func storedByPrograms(sc *spec.Scenario) map[spec.MRRef]bool {
	stored := map[spec.MRRef]bool{}
	var visit func(node int, body []spec.Stmt)
	visit = func(node int, body []spec.Stmt) {
		for i := range body {
			st := &body[i]
			if st.Op == spec.OpWrite || st.Op == spec.OpAlloc {
				stored[spec.MRRef{Node: node, MR: st.MR}] = true
			}
			visit(node, st.Body)
			visit(node, st.Else)
			for _, alt := range st.Alts {
				visit(node, alt)
			}
		}
	}
	for n := range sc.Nodes {
		for i := range sc.Nodes[n].Threads {
			visit(n, sc.Nodes[n].Threads[i].Body)
		}
		for i := range sc.Nodes[n].Handlers {
			visit(n, sc.Nodes[n].Handlers[i].Body)
		}
	}
	return stored
}

// Trace returns the trace of a run, given as the states of its steps; complete
// says that it came to its end by itself.
func (r *Recorder) Trace(steps []explore.Step, complete bool) (*axiom.Trace, error) {
	t := &axiom.Trace{QPs: r.qps, WRs: r.wrs, Dials: r.dials, Complete: complete}
	var prev *spec.State
	for i := range steps {
		next := r.m.Unpack(steps[i].State)
		c := change{Recorder: r, t: t, prev: prev, next: next}
		if err := c.record(); err != nil {
			return nil, fmt.Errorf("step %d: %w", i, err)
		}
		prev = next
	}
	return t, nil
}

// A change is what one action did.
type change struct {
	*Recorder
	t          *axiom.Trace
	prev, next *spec.State // prev is nil for the initial state
}

func (c *change) record() error {
	if c.prev == nil {
		c.prev = c.blank()
	}
	for q := range c.next.QPs {
		c.posted(c.prev.QPs[q].Req.SQ[:c.prev.QPs[q].Req.N], c.next.QPs[q].Req.SQ[:c.next.QPs[q].Req.N])
		if !c.qps[q].SRQ {
			c.posted(c.prev.QPs[q].Rsp.RQ.WR[:c.prev.QPs[q].Rsp.RQ.N], c.next.QPs[q].Rsp.RQ.WR[:c.next.QPs[q].Rsp.RQ.N])
		}
	}
	for i := range c.next.SRQs {
		c.posted(c.prev.SRQs[i].WR[:c.prev.SRQs[i].N], c.next.SRQs[i].WR[:c.next.SRQs[i].N])
	}
	for kind := axiom.Started; kind <= axiom.Acked; kind++ {
		c.progress(kind)
	}
	for q := range c.next.QPs {
		c.qpState(q)
	}
	c.purged()
	if err := c.written(); err != nil {
		return err
	}
	return c.polled()
}

// blank is the state before anything happened.
func (c *change) blank() *spec.State {
	n := c.next
	return &spec.State{QPs: make([]spec.QPVars, len(n.QPs)), SRQs: make([]spec.SRQVars, len(n.SRQs)), CQs: make([]spec.CQVars, len(n.CQs)),
		WRs: make([]spec.WRVars, len(n.WRs))}
}

func (c *change) add(s axiom.Step) { c.t.Steps = append(c.t.Steps, s) }

// posted records what is new in a queue.
func (c *change) posted(before, now []uint8) {
	for _, wr := range now[min(len(before), len(now)):] {
		c.add(axiom.Step{Kind: axiom.Posted, WR: int(wr)})
	}
}

// progress records how far the WRs of all send queues have come.
func (c *change) progress(kind axiom.StepKind) {
	for q := range c.next.QPs {
		r := &c.next.QPs[q].Req
		end := 0
		for i := range int(r.N) {
			wr := int(r.SQ[i])
			first := end
			end += c.packets[wr]
			if !c.reached(c.prev, q, i, kind, first, end) && c.reached(c.next, q, i, kind, first, end) {
				c.add(axiom.Step{Kind: kind, WR: wr, From: c.from(wr, kind)})
			}
		}
	}
}

// reached reports whether the i-th WR of q's send queue, which uses the PSNs
// from first to end-1, has come so far.
func (c *change) reached(s *spec.State, q, i int, kind axiom.StepKind, first, end int) bool {
	r := &s.QPs[q].Req
	if i >= int(r.N) {
		return false
	}
	wr := int(r.SQ[i])
	if c.packets[wr] == 0 {
		return r.LocalDone>>i&1 == 1 && (kind == axiom.Executed || kind == axiom.Acked)
	}
	if kind == axiom.Accepted || kind == axiom.Executed {
		return c.passed(s, c.qps[q].Peer, kind, end)
	}
	if i < int(r.Base) { // of an earlier life of the QP
		return false
	}
	switch kind {
	case axiom.Started:
		return int(r.MaxPSN) > first
	case axiom.Acked:
		return int(r.UnackedPSN) >= end
	}
	return c.placed[wr] != nil && c.m.Eval(s, c.placed[wr]) != 0
}

// passed reports whether a responder has accepted or executed all PSNs before
// end, which it may do when the sender's QP is gone. A QP that goes to RTR takes
// the PSN of its peer, whatever was before.
func (c *change) passed(s *spec.State, responder int, kind axiom.StepKind, end int) bool {
	if responder < 0 || c.prev.QPs[responder].State < spec.RTR {
		return false
	}
	if kind == axiom.Accepted {
		return int(s.QPs[responder].Rsp.EPSN) >= end
	}
	return int(s.QPs[responder].Rsp.XPSN) >= end
}

// from returns who wrote what a READ or ATOMIC brought.
func (c *change) from(wr int, kind axiom.StepKind) int {
	if kind != axiom.Acked || !c.data[wr] {
		return axiom.Unknown
	}
	return int(c.next.WRs[wr].By) - 1 // Nobody is -1
}

func (c *change) qpState(q int) {
	before, now := c.prev.QPs[q].State, c.next.QPs[q].State
	switch {
	case now == before:
	case now == spec.ERR:
		c.add(axiom.Step{Kind: axiom.Failed, QP: q})
	case now == spec.DESTROYED || now == spec.RESET && before != spec.DESTROYED:
		c.add(axiom.Step{Kind: axiom.Reset, QP: q})
	}
}

func (c *change) purged() {
	for cq := range c.prev.CQs {
		for _, wr := range c.prev.CQs[cq].WR[:c.prev.CQs[cq].N] {
			if c.next.WRs[wr].Phase == spec.Purged {
				c.add(axiom.Step{Kind: axiom.Purged, WR: int(wr), CQ: cq})
			}
		}
	}
}

// written records the CQEs that are new, in the order in which they stand in
// their CQs.
func (c *change) written() error {
	for wr := range c.next.WRs {
		if before, now := c.prev.WRs[wr].Phase, c.next.WRs[wr].Phase; before >= spec.Completed || now != spec.Completed {
			continue
		}
		s := axiom.Step{Kind: axiom.Lost, WR: wr, CQ: -1, QP: c.wrs[wr].QP, Status: c.next.WRs[wr].Status, Message: c.message(wr)}
		for cq := range c.next.CQs {
			for _, x := range c.next.CQs[cq].WR[:c.next.CQs[cq].N] {
				if int(x) == wr {
					s.Kind, s.CQ = axiom.Wrote, cq
				}
			}
		}
		if s.Kind == axiom.Lost && !c.overrun() {
			return fmt.Errorf("%s is completed and in no CQ", c.wrs[wr].Name)
		}
		if s.QP < 0 {
			s.QP = c.taker(wr)
		}
		c.add(s)
	}
	return nil
}

// overrun reports whether a CQ was too full for a CQE.
func (c *change) overrun() bool {
	for cq := range c.next.CQs {
		if c.next.CQs[cq].Dead {
			return true
		}
	}
	return c.next.Env.Bad == spec.BadCQ
}

// message returns the send WR whose message a receive took.
func (c *change) message(wr int) int {
	if c.wrs[wr].Op != spec.RECV || c.next.WRs[wr].Msg == 0 {
		return axiom.Unknown
	}
	return int(c.next.WRs[wr].Msg) - 1
}

// taker returns the QP whose message took a receive of an SRQ, -1 if unknown.
func (c *change) taker(wr int) int {
	if m := c.message(wr); m >= 0 {
		return c.qps[c.wrs[m].QP].Peer
	}
	return -1
}

// polled records what polls took out of the CQs.
func (c *change) polled() error {
	n := 0
	for cq := range c.prev.CQs {
		for _, wr := range c.prev.CQs[cq].WR[:c.prev.CQs[cq].N] {
			if c.next.WRs[wr].Phase == spec.Polled {
				c.add(axiom.Step{Kind: axiom.Returned, WR: int(wr), CQ: cq})
				n++
			}
		}
	}
	for wr := range c.next.WRs {
		if c.prev.WRs[wr].Phase != spec.Polled && c.next.WRs[wr].Phase == spec.Polled {
			n--
		}
	}
	if n != 0 {
		return fmt.Errorf("a completion was polled that was in no CQ")
	}
	return nil
}
