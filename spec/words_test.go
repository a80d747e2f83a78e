package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/explore"
)

// This file puts what is possible in a state, and the state itself, into words
// for the interaction scripts.

// ActionWords names an action that is possible in state s: the rule or the
// verb first, then where, then which packet or WR.
func (m *Model) ActionWords(s *State, a explore.Action) string {
	c, r := choiceOf(a), int(a.Kind())
	name, q := ruleTable[r].name, int(c.A)
	switch r {
	case ruleThread:
		return m.programWords(s, c)
	case ruleTransmit:
		n := &s.QPs[q].Req
		return words(name, m.qps[q].name, m.requestWords(s, q, n.NextPSN), pick(c.B == 1, "unasked"), pick(n.NextPSN < n.MaxPSN, "again"))
	case ruleDeliver, ruleOvertake:
		to := m.wires[c.A].to
		return words(name, m.qps[to].name, m.packetWords(s, q, s.Wires[q].Pkt[c.B]), m.pickWords(s, to, int(c.D)))
	case ruleDrop, ruleDup:
		return words(name, m.qps[m.wires[c.A].from].name, m.packetWords(s, q, s.Wires[q].Pkt[c.B]), m.budgetWords(int(c.C)))
	case ruleExecute:
		return words(name, m.qps[q].name, m.requestWords(s, m.qps[q].peer, s.QPs[q].Rsp.XPSN))
	case ruleEmit:
		x := s.QPs[q].Rsp.Resp[c.B]
		psn := x.PSN
		if x.Kind <= RespAckDup {
			psn = c.C
		}
		return words(name, m.qps[q].name, respNames[x.Kind], m.psnWords(m.qps[q].peer, psn), pick(c.B > 0, fmt.Sprintf("merges %d", c.B+1)))
	case ruleProcess:
		in := m.qps[q].in
		return words(name, m.qps[q].name, m.packetWords(s, in, s.Wires[in].Pkt[0]))
	case ruleRecvCQE:
		return words(name, m.qps[q].name, m.wrs[s.QPs[q].Rsp.RQ.WR[s.QPs[q].Rsp.RQ.CQE]].name)
	case ruleSendCQE:
		i, _ := m.nextSendCQE(s, q)
		return words(name, m.qps[q].name, m.wrs[s.QPs[q].Req.SQ[i]].name, pick(c.B == 1, "flushed"))
	case ruleLocal:
		return words(name, m.qps[q].name, m.wrs[s.QPs[q].Req.SQ[c.B]].name)
	case rulePlace:
		return words(name, m.wrs[c.A].name, pick(m.mrs[m.wrs[c.A].remote].units > 1, fmt.Sprintf("unit %d", c.B+1)))
	case ruleAsync:
		return words(name, m.qps[q].name, AsyncEvents()[c.B])
	}
	return words(name, m.qps[q].name)
}

// words joins what is not empty.
func words(list ...string) string {
	var out []string
	for _, w := range list {
		if w != "" {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

func pick(b bool, w string) string {
	if b {
		return w
	}
	return ""
}

func (m *Model) psnWords(q int, psn uint8) string { return fmt.Sprintf("%s%d", m.qps[q].letter, psn) }

// requestWords names the request packet of q that has that PSN.
func (m *Model) requestWords(s *State, q int, psn uint8) string {
	i, ok := m.wqeAt(s, q, psn)
	if !ok {
		return m.psnWords(q, psn)
	}
	return words(m.packetOpcode(s, q, i, psn), m.wrs[s.QPs[q].Req.SQ[i]].name, m.psnWords(q, psn))
}

var respNames = [...]string{RespAck: "ACK", RespAckDup: "ACK", RespNAKSeq: "NAK_SEQUENCE", RespRNR: "RNR_NAK", RespNAKInv: "NAK_INVALID_REQUEST",
	RespNAKAccess: "NAK_ACCESS", RespNAKOp: "NAK_OPERATION", RespRead: "READ_RESPONSE", RespAtomic: "ATOMIC_ACK"}

var pktNames = [...]string{PktAck: "ACK", PktNAKSeq: "NAK_SEQUENCE", PktRNR: "RNR_NAK", PktNAKInv: "NAK_INVALID_REQUEST",
	PktNAKAccess: "NAK_ACCESS", PktNAKOp: "NAK_OPERATION", PktReadResp: "READ_RESPONSE", PktAtomicAck: "ATOMIC_ACK"}

// packetWords names a packet in wire w, with the value it carries if the
// scenario looks at values.
func (m *Model) packetWords(s *State, w int, p Pkt) string {
	val := pick(p.Val > 0, fmt.Sprintf("=%d", p.Val))
	if p.Kind == PktRequest {
		return words(m.requestWords(s, m.wires[w].from, p.PSN), pick(p.AckReq, "AckReq"), val)
	}
	return words(pktNames[p.Kind], m.psnWords(m.wires[w].to, p.PSN), val)
}

// pickWords names the entry that a message takes from an SRQ.
func (m *Model) pickWords(s *State, q, entry int) string {
	srq := m.qps[q].srq
	if srq < 0 || entry >= int(s.SRQs[srq].N) || m.dials.srqFIFO {
		return ""
	}
	return "into " + m.wrs[s.SRQs[srq].WR[entry]].name
}

// budgetWords names the budget that a fault uses up if there is more than one.
func (m *Model) budgetWords(b int) string { return pick(len(m.budgets) > 1, "by "+m.budgets[b].name) }

// programWords names the next step of a thread.
func (m *Model) programWords(s *State, c Choice) string {
	th := &m.threads[c.A]
	in := &th.code[s.Threads[c.A].PC]
	by := pick(th.name != "" && !th.poller, "by "+th.name)
	node := m.sc.Nodes[th.node].Name
	switch in.op {
	case iPoll:
		cqe := "empty"
		if n := &s.CQs[in.cq]; n.N > 0 {
			cqe = m.wrs[n.WR[0]].name
		}
		return words("poll", m.cqs[in.cq].name, cqe, by)
	case iIf:
		return words("if", node, by)
	case iEither:
		return words("either", node, fmt.Sprint(c.B+1), by)
	}
	return words(m.statementWords(s, in, int(c.B)), by)
}

var opWords = map[Op]string{OpWait: "wait", OpSet: "set", OpCount: "count", OpAtomic: "atomic", OpLock: "lock", OpUnlock: "unlock",
	OpReqNotify: "req_notify_cq", OpGetEvent: "get_cq_event", OpAckEvents: "ack_cq_events", OpModifyQP: "modify_qp", OpDestroyQP: "destroy_qp",
	OpCreateQP: "create_qp", OpDrainSQ: "drained", OpFree: "free", OpRead: "read", OpWrite: "write", OpRegMR: "reg_mr", OpDeregMR: "dereg_mr",
	OpGetAsync: "get_async_event", OpArmSRQ: "arm_srq", OpDestroyCQ: "destroy_cq", OpAssertHere: "check", OpAlloc: "alloc", OpInvalidate: "invalidate"}

func (m *Model) statementWords(s *State, in *instr, k int) string {
	switch in.st {
	case OpPostSend, OpPostRecv:
		wr, _ := m.nextInstance(s, in.site)
		return words("post", m.queueName(wr), m.wrs[wr].name)
	case OpTell, OpHear:
		ch := &m.sc.Channels[in.ch]
		return words(map[Op]string{OpTell: "tell", OpHear: "hear"}[in.st], ch.Name, ch.Messages[in.n])
	case OpModifyQP:
		return words("modify_qp", m.qps[in.qp].name, in.state.String())
	case OpDestroyQP:
		return words("destroy_qp", m.qps[in.qp].name, pick(k == 1, "purging"))
	case OpGetAsync:
		return words("get_async_event", m.qps[in.qp].name, AsyncEvents()[in.event])
	case OpReqNotify:
		return words("req_notify_cq", m.cqs[in.cq].name, pick(in.solicited, "SOLICITED"))
	case OpAtomic:
		var list []string
		for i := range in.body {
			list = append(list, m.statementWords(s, &in.body[i], 0))
		}
		return strings.Join(list, ", ")
	}
	switch {
	case in.qp >= 0:
		return words(opWords[in.st], m.qps[in.qp].name)
	case in.cq >= 0:
		return words(opWords[in.st], m.cqs[in.cq].name)
	case in.mr >= 0:
		return words(opWords[in.st], m.mrs[in.mr].name)
	case in.v >= 0:
		return words(opWords[in.st], m.vars[in.v].name)
	case in.comp >= 0:
		return words(opWords[in.st], m.comp[in.comp].name)
	}
	return opWords[in.st]
}

// A Field is one thing of a state: what it belongs to, its name and its value.
type Field struct {
	Of, Name, Value string
	Usual           string // the value that need not be shown
	List            bool   // a change is shown as the new value
}

// Fields lists a state.
func (m *Model) Fields(s *State) []Field {
	f := fields{m: m, s: s}
	for q := range s.QPs {
		f.qp(q)
	}
	for w := range s.Wires {
		var list []string
		for _, p := range s.Wires[w].Pkt[:s.Wires[w].N] {
			list = append(list, words(m.packetWords(s, w, p), pick(p.Arrived, "arrived")))
		}
		f.list("wire "+m.qps[m.wires[w].from].name, "", list)
	}
	for i := range s.SRQs {
		f.srq(i)
	}
	for c := range s.CQs {
		f.cq(c)
	}
	for i := range s.MRs {
		f.mr(i)
	}
	for v := range m.vars {
		f.add(m.vars[v].name, "", int(s.Env.Vars[v])+m.vars[v].lo, -1)
	}
	for i := range m.sc.Channels {
		var list []string
		for _, k := range s.Env.Queue[i][:s.Env.Told[i]] {
			list = append(list, m.sc.Channels[i].Messages[k])
		}
		f.list("channel "+m.sc.Channels[i].Name, "", list)
	}
	for wr := range s.WRs {
		f.add(m.wrs[wr].name, "data", contentWords(m, s.WRs[wr].Content, m.wrs[wr].recv || m.wrs[wr].op.isRead()), "0")
		f.add(m.wrs[wr].name, "failed", pick(s.WRs[wr].Failed && s.WRs[wr].Phase == Posted, s.WRs[wr].Status.String()), "")
	}
	return f.out
}

type fields struct {
	m   *Model
	s   *State
	out []Field
}

func (f *fields) add(of, name string, value, usual any) {
	f.out = append(f.out, Field{Of: of, Name: name, Value: fmt.Sprint(value), Usual: fmt.Sprint(usual)})
}

func (f *fields) list(of, name string, list []string) {
	sep := " "
	if strings.Contains(strings.Join(list, ""), " ") {
		sep = "; "
	}
	f.out = append(f.out, Field{of, name, "[" + strings.Join(list, sep) + "]", "[]", true})
}

func (f *fields) qp(q int) {
	m, s, n := f.m, f.s, f.m.qps[q].name
	v, peer := &s.QPs[q], m.qps[q].peer
	r, p := &v.Req, &v.Rsp
	f.add(n, "state", v.State, RTS)
	f.list(n, "sq", m.wrNames(r.SQ[r.Done:r.N]))
	f.add(n, "unackedPSN", m.psnWords(q, r.UnackedPSN), m.psnWords(q, 0))
	f.add(n, "nextPSN", m.psnWords(q, r.NextPSN)+pick(r.NextPSN < r.MaxPSN, " of "+m.psnWords(q, r.MaxPSN)), m.psnWords(q, 0))
	if v.sends() {
		f.add(n, "retriesLeft", r.RetriesLeft, m.qps[q].retryCnt)
		f.add(n, "rnrRetriesLeft", r.RNRLeft, m.qps[q].rnrRetry)
	} else {
		f.add(n, "retriesLeft", "", "") // mean nothing here
		f.add(n, "rnrRetriesLeft", "", "")
	}
	f.add(n, "rnrWait", r.RNRWait, false)
	if peer >= 0 {
		f.list(n, "rq", m.wrNames(p.RQ.WR[p.RQ.CQE:p.RQ.N]))
		f.add(n, "ePSN", m.psnWords(peer, p.EPSN), m.psnWords(peer, 0))
		f.add(n, "executed", m.psnWords(peer, p.XPSN), m.psnWords(peer, 0))
		f.add(n, "nakOutstanding", p.NAK, false)
		f.add(n, "fatal", p.Fatal, false)
		var owes []string
		for _, x := range p.Resp[:p.NResp] {
			owes = append(owes, words(respNames[x.Kind], m.psnWords(peer, x.PSN), pick(x.Val > 0, fmt.Sprintf("=%d", x.Val))))
		}
		f.list(n, "owes", owes)
		var saved []string
		for _, x := range p.Atomic[:p.NSaved] {
			saved = append(saved, words(m.psnWords(peer, x.PSN), pick(x.Val > 0, fmt.Sprintf("=%d", x.Val))))
		}
		f.list(n, "saved", saved)
	}
	var events []string
	for e, name := range AsyncEvents() {
		if v.Events>>e&1 == 1 {
			events = append(events, name)
		}
	}
	f.list(n, "events", events)
}

func (m *Model) wrNames(wrs []uint8) []string {
	list := make([]string, len(wrs))
	for i, w := range wrs {
		list[i] = m.wrs[w].name
	}
	return list
}

func (f *fields) srq(i int) {
	v := &f.s.SRQs[i]
	var list []string
	for k := range int(v.N) {
		if v.Taken>>k&1 == 0 {
			list = append(list, f.m.wrs[v.WR[k]].name)
		}
	}
	f.list(f.m.srqs[i].name, "", list)
	f.add(f.m.srqs[i].name, "limit", v.Limit, 0)
}

func (f *fields) cq(c int) {
	v, n := &f.s.CQs[c], f.m.cqs[c].name
	var list []string
	for _, wr := range v.WR[:v.N] {
		list = append(list, words(f.m.wrs[wr].name, f.s.WRs[wr].Status.String()))
	}
	f.list(n, "", list)
	f.add(n, "armed", [...]string{"no", "SOLICITED", "NEXT_COMP"}[v.Arm], "no")
	f.add(n, "events", v.Pending, 0)
	f.add(n, "unacked", v.Unacked, 0)
	f.add(n, "dead", v.Dead, false)
}

// mr shows what a CPU sees in an MR, and apart from it what the adapter has
// executed there if that differs.
func (f *fields) mr(i int) {
	v, n := &f.s.MRs[i], f.m.mrs[i].name
	var seen, value []string
	for u := range f.m.mrs[i].units {
		seen = append(seen, contentWords(f.m, v.Seen[u], true))
		value = append(value, contentWords(f.m, v.Value[u], true))
	}
	f.add(n, "value", strings.Join(seen, " / "), "")
	f.add(n, "executed", pick(!slices.Equal(value, seen), strings.Join(value, " / ")), "")
	f.add(n, "key", v.Key, true)
	f.add(n, "freed", v.Freed, false)
}

func contentWords(m *Model, c Content, show bool) string {
	if !show {
		return "0"
	}
	return fmt.Sprint(c.Val) + pick(c.By > 0, " by "+m.wrs[max(c.By, 1)-1].name)
}

// CQWords lists the CQEs of the CQ of that name; ok is false if there is none.
func (m *Model) CQWords(s *State, name string) (list []string, ok bool) {
	for c := range s.CQs {
		if m.cqs[c].name == name {
			for _, wr := range s.CQs[c].WR[:s.CQs[c].N] {
				list = append(list, words(m.wrs[wr].name, m.wcOpcode(s, int(wr)), s.WRs[wr].Status.String()))
			}
			return list, true
		}
	}
	return nil, false
}

// IsFault reports whether an action spends a fault budget.
func IsFault(a explore.Action) bool { return ruleTable[a.Kind()].fault }
