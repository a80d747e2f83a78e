package spec

import (
	"fmt"
	"strings"

	"github.com/ibcheck/ibcheck/explore"
)

// Explain puts a trace into words. steps are the states of a run with the
// action that led to each, the initial state first; broken is how many actions
// belong to the run proper, the rest is its epilogue. If loop is not 0, what
// comes after that many steps repeats for ever.
func (m *Model) Explain(steps []explore.Step, broken, loop int) (*Run, error) {
	x := &explainer{m: m, run: &Run{Broken: -1}, wires: make([][]int, len(m.wires)), msn: -1}
	x.heads()
	x.states = []*State{m.Unpack(steps[0].State)}
	x.ids = [][][]int{x.wires}
	for i := 1; i < len(steps); i++ {
		x.states = append(x.states, m.Unpack(steps[i].State))
		if i == loop {
			x.run.Loop = len(x.run.Events) + 1
		}
		x.step(steps[i].Action)
		if i == broken {
			x.run.Broken = len(x.run.Events)
		}
	}
	if x.run.Broken < 0 {
		x.run.Broken = len(x.run.Events)
	}
	return x.run, nil
}

// Replay takes actions from the initial state and returns the steps; ok is
// false when an action is not possible where the list has it.
func (m *Model) Replay(actions []explore.Action) (steps []explore.Step, ok bool, err error) {
	out := explore.NewSuccessors(m)
	if err := out.Start(m); err != nil {
		return nil, false, err
	}
	_, state, _ := out.At(0)
	steps = []explore.Step{{State: append([]byte(nil), state...)}}
	for _, a := range actions {
		if err := out.Expand(m, steps[len(steps)-1].State); err != nil {
			return nil, false, err
		}
		i := out.Index(a)
		if i < 0 {
			return steps, false, nil
		}
		_, state, _ := out.At(i)
		steps = append(steps, explore.Step{Action: a, State: append([]byte(nil), state...)})
	}
	return steps, true, nil
}

// An explainer follows a trace and gives every packet an identity.
type explainer struct {
	m      *Model
	run    *Run
	states []*State // before each action, and the last
	acts   []explore.Action
	first  []int     // event index of each action's first event
	wires  [][]int   // packet IDs in each wire now
	ids    [][][]int // wires before each action
	pkts   []*Packet // by ID
	msn    int
}

func (x *explainer) heads() {
	m := x.m
	for i := range m.sc.Nodes {
		x.run.Nodes = append(x.run.Nodes, m.sc.Nodes[i].Name)
	}
	for w := 0; w < len(m.wires); w += 2 {
		a, b := m.wires[w].from, m.wires[w].to
		x.run.Conns = append(x.run.Conns, RunConn{m.qps[a].node, m.qps[b].node, m.qps[a].name, m.qps[b].name})
	}
	for _, p := range m.setup {
		x.run.Before = append(x.run.Before, m.sites[p.site].wr.Name+" on "+m.queueName(m.sites[p.site].first))
	}
}

func (m *Model) queueName(wr int) string {
	if w := &m.wrs[wr]; w.qp < 0 {
		return m.srqs[w.srq].name
	}
	return m.qps[m.wrs[wr].qp].name
}

// step adds the events of the action between the last two states.
func (x *explainer) step(a explore.Action) {
	prev, next := x.states[len(x.states)-2], x.states[len(x.states)-1]
	r, c := int(a.Kind()), choiceOf(a)
	e := Event{Rule: ruleTable[r].name, Clause: ruleTable[r].clause, Action: len(x.states) - 1, Conn: -1, Node: x.m.Lane(a) / 2, Place: Place(x.m.Lane(a) % 2)}
	e.Cause = x.cause(a)
	x.acts = append(x.acts, a)
	x.first = append(x.first, len(x.run.Events))
	note := x.describe(r, c, prev, next, &e)
	e.Diff = x.m.diff(prev, next)
	x.run.Events = append(x.run.Events, e)
	if note != "" {
		x.run.Events = append(x.run.Events, Event{Kind: EvNote, Rule: e.Rule, Clause: e.Clause, Node: e.Node, Place: HCA, Conn: e.Conn,
			Text: note, Action: e.Action, Cause: len(x.run.Events) - 1})
	}
	if b := next.Env.Bad; b != BadNone {
		text := x.m.BadText(next)
		if d := x.m.degree(r, c, prev, next); d != "" {
			text += ": " + d
		}
		x.run.Events = append(x.run.Events, Event{Kind: EvNote, Rule: e.Rule, Clause: e.Clause, Node: e.Node, Place: e.Place, Conn: e.Conn,
			Text: text, Action: e.Action, Cause: len(x.run.Events) - 1})
	}
	x.ids = append(x.ids, x.wires)
}

// describe fills in the event of a rule and returns a remark on what the step
// led to, if that needs one.
func (x *explainer) describe(r int, c Choice, prev, next *State, e *Event) string {
	m := x.m
	q := int(c.A)
	switch r {
	case ruleThread:
		x.program(c, prev, next, e)
		return ""
	case ruleTransmit, ruleEmit:
		x.depart(r, c, prev, next, e)
	case ruleDeliver, ruleOvertake:
		return x.arrive(r, c, prev, next, e)
	case ruleDrop, ruleDup:
		x.wireFault(r, c, prev, next, e)
	case ruleExecute:
		e.Kind, e.Conn = EvSilent, m.qps[q].out/2
	case ruleProcess:
		return x.process(q, prev, next, e)
	case ruleRecvCQE, ruleSendCQE:
		x.cqe(r, q, prev, next, e)
	case ruleTimeout, ruleEarlyTimeout:
		e.Kind, e.Conn = EvNote, m.qps[q].out/2
		e.Text = "timeout, " + x.retry(q, prev, next)
		if r == ruleEarlyTimeout {
			e.Fault = m.spent(next, int(c.B))
			e.Text = "early " + e.Text
		}
	case rulePlace:
		wr := q
		e.Kind, e.WR, e.Conn = EvNote, m.wrs[wr].name, m.qps[m.wrs[wr].qp].out/2
		e.Text = m.wrs[wr].name + " visible"
		if m.mrs[m.wrs[wr].remote].units > 1 {
			e.Text = fmt.Sprintf("%s unit %d visible", m.wrs[wr].name, c.B+1)
		}
	case ruleLocal:
		x.local(q, int(c.B), next, e)
	case ruleAsync:
		e.Kind, e.Text = EvNote, AsyncEvents()[c.B]+" on "+m.qps[q].name
	case ruleRNRTimer:
		e.Kind, e.Conn, e.Text = EvNote, m.qps[q].out/2, "RNR timer over"
	case ruleKill:
		e.Kind, e.Text, e.Fault = EvNote, m.qps[q].name+" goes to ERR", m.spent(next, int(c.B))
	}
	return ""
}

// local describes the execution of a local operation.
func (x *explainer) local(q, i int, next *State, e *Event) {
	m := x.m
	wr := next.QPs[q].Req.SQ[i]
	w := &m.wrs[wr]
	e.Kind, e.WR, e.Text = EvNote, w.name, fmt.Sprintf("%s %s executed", w.op, w.name)
	if m.qps[q].out >= 0 {
		e.Conn = m.qps[q].out / 2
	}
	if w.local >= 0 {
		state := "dead"
		if next.MRs[w.local].Key {
			state = "alive"
		}
		e.Text = fmt.Sprintf("%s %s: key of %s %s", w.op, w.name, m.mrs[w.local].name, state)
	}
}

// retry says what a recovery of q's requester does.
func (x *explainer) retry(q int, prev, next *State) string {
	if next.QPs[q].State == ERR {
		return "retries exhausted"
	}
	if x.m.qps[q].retryInf {
		return "retry"
	}
	total := int(x.m.qps[q].retryCnt)
	return fmt.Sprintf("retry %d/%d", total-int(next.QPs[q].Req.RetriesLeft), total)
}

// spent names the budget that a fault used and how much of it is gone.
func (m *Model) spent(s *State, b int) string {
	most := m.budgets[b].f.Max
	return fmt.Sprintf("%s %d/%d", m.budgets[b].name, most-int(s.Env.Budgets[b]), most)
}

func (x *explainer) depart(r int, c Choice, prev, next *State, e *Event) {
	m, q := x.m, int(c.A)
	w := m.qps[q].out
	v := &next.Wires[w]
	if e.Conn = w / 2; int(v.N) == len(x.wires[w]) { // a local error: nothing leaves
		e.Kind, e.Text = EvSilent, x.failure(q, next)
		if next.Env.Bad == BadNone {
			e.Kind = EvNote
		}
		return
	}
	p := x.packet(prev, w, v.Pkt[v.N-1])
	if r == ruleTransmit {
		p.Again = p.PSN < int(prev.QPs[q].Req.MaxPSN)
	}
	x.addTo(w, p)
	e.Kind, e.Conn, e.Packet, e.To, e.WR = EvDepart, w/2, p, p.To, p.WR
}

// addTo puts a packet at the young end of a wire.
func (x *explainer) addTo(w int, p *Packet) {
	p.ID = len(x.pkts)
	x.pkts = append(x.pkts, p)
	x.setWire(w, append(append([]int(nil), x.wires[w]...), p.ID))
}

func (x *explainer) setWire(w int, ids []int) {
	wires := append([][]int(nil), x.wires...)
	wires[w] = ids
	x.wires = wires
}

// takeFrom removes packet i of a wire and returns it.
func (x *explainer) takeFrom(w, i int) *Packet {
	ids := append([]int(nil), x.wires[w]...)
	p := x.pkts[ids[i]]
	x.setWire(w, append(ids[:i], ids[i+1:]...))
	return p
}

// packet describes a packet in wire w.
func (x *explainer) packet(s *State, w int, p Pkt) *Packet {
	m := x.m
	from, to := m.wires[w].from, m.wires[w].to
	d := &Packet{Conn: w / 2, From: m.qps[from].node, To: m.qps[to].node, PSN: int(p.PSN), AckReq: p.AckReq, MSN: -1}
	owner := from
	if p.Kind == PktRequest {
		i, _ := m.wqeAt(s, from, p.PSN)
		wr := s.QPs[from].Req.SQ[i]
		d.WR, d.Kind = m.wrs[wr].name, className(m.class(s, w, p))
		d.Opcode = m.packetOpcode(s, from, i, p.PSN)
		d.Solicited = m.sites[m.wrs[wr].site].wr.Solicited && p.PSN == m.lastPSN(s, from, i)
	} else {
		owner = to
		d.Kind = className(m.class(s, w, p))
		d.Opcode, d.Syndrome = "ACKNOWLEDGE", syndromes[p.Kind]
		switch p.Kind {
		case PktReadResp:
			d.Opcode = m.readRespOpcode(s, to, p.PSN)
		case PktAtomicAck:
			d.Opcode = "ATOMIC_ACKNOWLEDGE"
		}
		if i, ok := m.wqeAt(s, to, p.PSN); ok && (p.Kind == PktReadResp || p.Kind == PktAtomicAck) {
			d.WR = m.wrs[s.QPs[to].Req.SQ[i]].name
		}
		d.MSN = int(m.msn(s, from))
	}
	d.Owner = m.qps[owner].letter
	return d
}

// readRespOpcode returns the opcode of a packet of a READ response.
func (m *Model) readRespOpcode(s *State, q int, psn uint8) string {
	i, _ := m.wqeAt(s, q, psn)
	first, last := psn == m.firstPSN(s, q, i), psn == m.lastPSN(s, q, i)
	switch {
	case first && last:
		return "RDMA_READ_RESPONSE_ONLY"
	case first:
		return "RDMA_READ_RESPONSE_FIRST"
	case last:
		return "RDMA_READ_RESPONSE_LAST"
	}
	return "RDMA_READ_RESPONSE_MIDDLE"
}

var syndromes = map[PktKind]string{PktAck: "ACK", PktNAKSeq: "NAKSequence", PktRNR: "RNRNAK", PktNAKInv: "NAKInvalidRequest",
	PktNAKAccess: "NAKAccess", PktNAKOp: "NAKOperation"}

func className(c classMask) string {
	for _, name := range PacketClasses() {
		if classByName[name] == c {
			return name
		}
	}
	return ""
}

// msn returns the message sequence number of q's responder: the messages it
// has completed (F1.11).
func (m *Model) msn(s *State, q int) uint8 {
	sq := &s.QPs[m.qps[q].peer].Req
	n, end := uint8(0), uint8(0)
	for i := range int(sq.N) {
		w := &m.wrs[sq.SQ[i]]
		if end += w.npkt; end > s.QPs[q].Rsp.XPSN {
			break
		}
		if w.npkt > 0 {
			n++
		}
	}
	return n
}

// packetOpcode returns the opcode on the wire: FIRST, MIDDLE, LAST or ONLY.
func (m *Model) packetOpcode(s *State, q, i int, psn uint8) string {
	w := &m.wrs[s.QPs[q].Req.SQ[i]]
	base, suffix := w.op.String(), ""
	for _, s := range [...]string{"_WITH_IMM", "_WITH_INV"} {
		if strings.HasSuffix(base, s) {
			base, suffix = strings.TrimSuffix(base, s), s
		}
	}
	first, last := psn == m.firstPSN(s, q, i), psn == m.lastPSN(s, q, i)
	switch {
	case w.op == RDMA_READ:
		return "RDMA_READ_REQUEST"
	case w.op == ATOMIC_CMP_AND_SWP:
		return "COMPARE_SWAP"
	case w.op == ATOMIC_FETCH_AND_ADD:
		return "FETCH_ADD"
	case first && last:
		return base + "_ONLY" + suffix
	case first:
		return base + "_FIRST"
	case last:
		return base + "_LAST" + suffix
	}
	return base + "_MIDDLE"
}

func (x *explainer) arrive(r int, c Choice, prev, next *State, e *Event) string {
	m, w := x.m, int(c.A)
	p := prev.Wires[w].Pkt[c.B]
	pkt := x.takeFrom(w, int(c.B))
	e.Kind, e.Conn, e.Packet, e.WR = EvArrive, w/2, pkt, pkt.WR
	if r == ruleOvertake {
		e.Fault = m.spent(next, int(c.C))
	}
	if p.Kind != PktRequest {
		at := prev.Wires[w].arrived()
		ids := append([]int(nil), x.wires[w]...)
		x.setWire(w, append(ids[:at], append([]int{pkt.ID}, ids[at:]...)...))
		return ""
	}
	q := m.wires[w].to
	a, b := &prev.QPs[q], &next.QPs[q]
	switch {
	case a.State < RTR || a.State >= ERR:
		return "discarded: QP in " + a.State.String()
	case p.PSN < a.Rsp.EPSN:
		return "duplicate of " + psnName(pkt)
	case p.PSN > a.Rsp.EPSN && b.Rsp.NResp > a.Rsp.NResp:
		return fmt.Sprintf("out of sequence, wants %s%d", pkt.Owner, a.Rsp.EPSN)
	case p.PSN > a.Rsp.EPSN:
		return "out of sequence, NAK is out"
	case b.Rsp.NResp > a.Rsp.NResp && b.Rsp.EPSN == a.Rsp.EPSN:
		return "no receive posted"
	}
	return ""
}

func psnName(p *Packet) string { return fmt.Sprintf("%s%d", p.Owner, p.PSN) }

func (x *explainer) wireFault(r int, c Choice, prev, next *State, e *Event) {
	w := int(c.A)
	e.Place, e.Conn, e.Fault = Wire, w/2, x.m.spent(next, int(c.C))
	if r == ruleDrop {
		e.Kind, e.Packet = EvDrop, x.takeFrom(w, int(c.B))
	} else {
		cp := *x.pkts[x.wires[w][c.B]]
		x.addTo(w, &cp)
		e.Kind, e.Packet = EvDup, &cp
	}
	e.WR = e.Packet.WR
}

func (x *explainer) process(q int, prev, next *State, e *Event) string {
	m := x.m
	in := m.qps[q].in
	p := prev.Wires[in].Pkt[0]
	pkt := x.takeFrom(in, 0)
	e.Kind, e.Conn, e.Packet = EvSilent, in/2, pkt
	a, b := &prev.QPs[q], &next.QPs[q]
	switch {
	case a.State != ERR && b.State == ERR:
		return x.failure(q, next)
	case a.State == ERR:
		return "ignored: QP in ERR"
	case b.Req.RNRWait && !a.Req.RNRWait:
		return "RNR wait, " + x.rnrRetry(q, next)
	case p.Kind == PktNAKSeq && b.Req.NextPSN < a.Req.NextPSN:
		return fmt.Sprintf("go back to %s%d, %s", pkt.Owner, b.Req.NextPSN, x.retry(q, prev, next))
	case p.PSN < a.Req.UnackedPSN:
		return "ghost, ignored"
	}
	return ""
}

func (x *explainer) rnrRetry(q int, s *State) string {
	if x.m.qps[q].rnrInf {
		return "retry"
	}
	total := int(x.m.qps[q].rnrRetry)
	return fmt.Sprintf("retry %d/%d", total-int(s.QPs[q].Req.RNRLeft), total)
}

// failure names the WR that failed and how.
func (x *explainer) failure(q int, s *State) string {
	r := &s.QPs[q].Req
	for i := range int(r.N) {
		if w := &s.WRs[r.SQ[i]]; w.Failed && w.Phase == Posted {
			return fmt.Sprintf("%s fails: %s", x.m.wrs[r.SQ[i]].name, w.Status)
		}
	}
	return "QP to ERR"
}

func (x *explainer) cqe(r, q int, prev, next *State, e *Event) {
	m := x.m
	cq := m.qps[q].recvCQ
	if r == ruleSendCQE {
		cq = m.qps[q].sendCQ
	}
	wr := -1
	for i := range next.WRs {
		if next.WRs[i].Phase != prev.WRs[i].Phase {
			wr = i
		}
	}
	e.Kind, e.Conn = EvCQE, m.qps[q].out/2
	if wr >= 0 {
		e.WR, e.WC = m.wrs[wr].name, m.wc(next, wr, cq)
	}
}

func (m *Model) wc(s *State, wr, cq int) *WC {
	return &WC{WR: m.wrs[wr].name, Opcode: m.wcOpcode(s, wr), Status: s.WRs[wr].Status.String(), CQ: m.cqs[cq].name}
}

// wcOpcode returns the completion opcode (F8.3).
func (m *Model) wcOpcode(s *State, wr int) string {
	switch op := m.wrs[wr].op; {
	case m.wrs[wr].recv && s.WRs[wr].Msg > 0 && m.wrs[s.WRs[wr].Msg-1].op == RDMA_WRITE_WITH_IMM:
		return "RECV_RDMA_WITH_IMM"
	case m.wrs[wr].recv:
		return "RECV"
	case op == SEND || op == SEND_WITH_IMM || op == SEND_WITH_INV:
		return "SEND"
	case op.isWrite():
		return "RDMA_WRITE"
	case op == ATOMIC_CMP_AND_SWP:
		return "COMP_SWAP"
	case op == ATOMIC_FETCH_AND_ADD:
		return "FETCH_ADD"
	default:
		return op.String()
	}
}

// program describes a step of a thread.
func (x *explainer) program(c Choice, prev, next *State, e *Event) {
	m := x.m
	th := &m.threads[c.A]
	in := &th.code[prev.Threads[c.A].PC]
	e.Thread, e.Kind = th.name, EvSilent
	switch {
	case in.op == iPoll && prev.CQs[in.cq].N > 0:
		wr := int(prev.CQs[in.cq].WR[0])
		e.Kind, e.WR, e.WC = EvPoll, m.wrs[wr].name, m.wc(next, wr, in.cq)
		if q := m.wrs[wr].qp; q >= 0 && m.qps[q].out >= 0 {
			e.Conn = m.qps[q].out / 2
		}
	case in.op == iPoll:
		e.Kind, e.Text = EvVerb, "poll_cq "+m.cqWord(in)+": empty"
	case in.op == iIf:
		e.Text = "if " + Words(in.expr)
		if next.Threads[c.A].PC == in.alt {
			e.Text += ": no"
		}
	case in.op == iEither:
		e.Kind, e.Text = EvVerb, fmt.Sprintf("takes choice %d of %d", c.B+1, len(in.alts))
	case in.op == iStmt:
		x.verb(in, prev, next, e)
	}
}

// verb describes a statement that is worth a row of a ladder.
func (x *explainer) verb(in *instr, prev, next *State, e *Event) {
	m := x.m
	switch in.st {
	case OpPostSend, OpPostRecv:
		wr, _ := m.nextInstance(prev, in.site)
		if next.WRs[wr].Phase == Unposted {
			e.Kind, e.WR, e.Text = EvVerb, m.wrs[wr].name, "post "+m.wrs[wr].name+" fails"
			return
		}
		e.Kind, e.WR = EvPost, m.wrs[wr].name
		e.Text = "post_send " + e.WR
		if m.wrs[wr].recv {
			e.Text = "post_recv " + e.WR
		}
		if q := m.wrs[wr].qp; q >= 0 && m.qps[q].out >= 0 {
			e.Conn = m.qps[q].out / 2
		}
	case OpTell, OpHear:
		ch := &m.sc.Channels[in.ch]
		e.Kind, e.To, e.Text = EvTell, ch.To, fmt.Sprintf("tell %s %s", ch.Name, ch.Messages[in.n])
		if in.st == OpHear {
			e.Kind, e.Text = EvHear, fmt.Sprintf("hear %s %s", ch.Name, ch.Messages[in.n])
		}
	case OpCount, OpSet:
		e.Kind = EvVerb
		e.Text = fmt.Sprintf("%s = %d", m.vars[in.v].name, int(next.Env.Vars[in.v])+m.vars[in.v].lo)
	case OpAtomic:
		var words []string
		for i := range in.body {
			if w := m.verbWords(&in.body[i]); w != "" {
				words = append(words, w)
			}
		}
		if len(words) > 0 {
			e.Kind, e.Text = EvVerb, strings.Join(words, ", ")
		}
	case OpWait, OpAssertHere:
		e.Text = m.verbWords(in)
	default:
		if e.Text = m.verbWords(in); e.Text != "" {
			e.Kind = EvVerb
		}
	}
}

// verbWords writes a statement as the language does, with short names; "" for
// one that only concerns the program.
func (m *Model) verbWords(in *instr) string {
	short := func(name string) string { return name[strings.IndexByte(name, '.')+1:] }
	switch in.st {
	case OpPostSend, OpPostRecv:
		return "post " + m.sites[in.site].wr.Name
	case OpModifyQP:
		return fmt.Sprintf("modify_qp %s %s", short(m.qps[in.qp].name), in.state)
	case OpDestroyQP, OpCreateQP:
		return map[Op]string{OpDestroyQP: "destroy_qp ", OpCreateQP: "create_qp "}[in.st] + short(m.qps[in.qp].name)
	case OpDrainSQ:
		return "drained " + short(m.qps[in.qp].name)
	case OpGetAsync:
		return "got " + AsyncEvents()[in.event]
	case OpReqNotify:
		if in.solicited {
			return "req_notify_cq " + m.cqWord(in) + " SOLICITED"
		}
		return "req_notify_cq " + m.cqWord(in)
	case OpGetEvent:
		return "get_cq_event " + short(m.comp[in.comp].name)
	case OpAckEvents:
		return fmt.Sprintf("ack_cq_events %s %d", m.cqWord(in), in.n)
	case OpDestroyCQ:
		return "destroy_cq " + m.cqWord(in)
	case OpArmSRQ:
		return fmt.Sprintf("arm_srq %s %d", short(m.srqs[in.srq].name), in.n)
	case OpFree, OpAlloc, OpRead, OpRegMR, OpDeregMR, OpInvalidate:
		word := map[Op]string{OpFree: "free", OpAlloc: "alloc", OpRead: "read", OpRegMR: "reg_mr", OpDeregMR: "dereg_mr", OpInvalidate: "invalidate"}[in.st]
		return word + " " + short(m.mrs[in.mr].name)
	case OpSet:
		return fmt.Sprintf("%s = %s", short(m.vars[in.v].name), Words(in.expr))
	case OpCount:
		return "count " + short(m.vars[in.v].name)
	case OpWait:
		return "wait " + Words(in.expr)
	case OpTell, OpHear:
		word := map[Op]string{OpTell: "tell", OpHear: "hear"}[in.st]
		return fmt.Sprintf("%s %s %s", word, m.sc.Channels[in.ch].Name, m.sc.Channels[in.ch].Messages[in.n])
	case OpLock, OpUnlock:
		return map[Op]string{OpLock: "lock", OpUnlock: "unlock"}[in.st] + " " + m.lockName(in.lock)
	case OpWrite:
		return fmt.Sprintf("write %s %d", short(m.mrs[in.mr].name), in.n)
	}
	return ""
}

func (m *Model) cqWord(in *instr) string {
	if in.cq < 0 {
		return "of the event"
	}
	name := m.cqs[in.cq].name
	return name[strings.IndexByte(name, '.')+1:]
}

// BadText says in words why a run ended in state s.
func (m *Model) BadText(s *State) string {
	if where := m.BadPlace(s); where != "" {
		return fmt.Sprintf("%s: %s", s.Env.Bad, where)
	}
	return s.Env.Bad.String()
}

// BadPlace names what the reason a run ended is about: a queue, a location, a
// program; "" where there is nothing to name or the run did not end so.
func (m *Model) BadPlace(s *State) string {
	arg := int(s.Env.BadArg)
	switch s.Env.Bad {
	case BadSQ, BadRQ, BadSQLeak, BadRetry, BadRNR, BadState:
		if arg < len(m.qps) {
			return m.qps[arg].name
		}
	case BadSRQ:
		return m.srqs[arg].name
	case BadCQ:
		return m.cqs[arg].name
	case BadFreed, BadForeign, BadDeadKey:
		return m.mrs[arg].name
	case BadRange:
		return m.vars[arg].name
	case BadAssert:
		return m.sc.Nodes[m.threads[arg].node].Name + " " + m.threads[arg].name
	case BoundInst:
		return m.decl[arg].Name
	case BadNone: // an end state
		if wr := m.openWR(s); wr >= 0 {
			return m.wrs[wr].name + " is open, no CQE will come"
		}
		return m.HowItEnds(s)
	}
	return ""
}

// degree says how bad an access to memory that is gone was: the peer could see
// wrong data, wrong bytes left the host in a resend, or the DMA faults.
func (m *Model) degree(rule int, c Choice, prev, next *State) string {
	switch b := next.Env.Bad; {
	case b == BadDeadKey:
		return "the DMA faults"
	case b != BadFreed && b != BadForeign:
		return ""
	case rule == ruleEmit || rule == ruleExecute && m.readsNext(prev, int(c.A)):
		return "the peer sees wrong data"
	case rule != ruleTransmit:
		return "wrong memory is touched"
	}
	q := int(c.A)
	if p := m.qps[q].peer; p >= 0 && prev.QPs[q].Req.NextPSN < prev.QPs[p].Rsp.EPSN {
		return "wrong bytes leave the host"
	}
	return "the peer sees wrong data"
}

// readsNext reports whether the next packet to execute at q is of a READ.
func (m *Model) readsNext(s *State, q int) bool {
	i, ok := m.wqeAt(s, m.qps[q].peer, s.QPs[q].Rsp.XPSN)
	return ok && m.wrs[s.QPs[m.qps[q].peer].Req.SQ[i]].op == RDMA_READ
}

// lockName names a lock by its global number.
func (m *Model) lockName(i int) string {
	for n := len(m.nodeLock) - 1; n >= 0; n-- {
		if i >= m.nodeLock[n] {
			return m.sc.Nodes[n].Locks[i-m.nodeLock[n]].Name
		}
	}
	return ""
}
