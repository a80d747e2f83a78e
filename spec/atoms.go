package spec

import "slices"

// Expressions over a state: the atoms of the property language and of
// programs. All values are small integers; truth is 0 or 1.

// Eval returns the value of an expression without temporal operators in state
// s. Its atoms must not be those of a poll body.
func (m *Model) Eval(s *State, e *Expr) int { return m.eval(s, e, -1) }

func (m *Model) eval(s *State, e *Expr, thread int) int {
	switch e.Op {
	case ExprInt:
		return e.Int
	case ExprAtom:
		return m.atom(s, e, thread)
	case ExprNot:
		return truth(m.eval(s, e.Kids[0], thread) == 0)
	case ExprNeg:
		return -m.eval(s, e.Kids[0], thread)
	case ExprAnd:
		return truth(m.eval(s, e.Kids[0], thread) != 0 && m.eval(s, e.Kids[1], thread) != 0)
	case ExprOr:
		return truth(m.eval(s, e.Kids[0], thread) != 0 || m.eval(s, e.Kids[1], thread) != 0)
	case ExprImplies:
		return truth(m.eval(s, e.Kids[0], thread) == 0 || m.eval(s, e.Kids[1], thread) != 0)
	case ExprEq, ExprNe:
		if same, ok := m.sameData(s, e); ok {
			return truth(same == (e.Op == ExprEq))
		}
	}
	return Combine(e.Op, m.eval(s, e.Kids[0], thread), m.eval(s, e.Kids[1], thread))
}

// Combine returns the value of an operator of two operands.
func Combine(op ExprOp, a, b int) int {
	switch op {
	case ExprAnd:
		return truth(a != 0 && b != 0)
	case ExprOr:
		return truth(a != 0 || b != 0)
	case ExprImplies:
		return truth(a == 0 || b != 0)
	case ExprEq:
		return truth(a == b)
	case ExprNe:
		return truth(a != b)
	case ExprLt:
		return truth(a < b)
	case ExprLe:
		return truth(a <= b)
	case ExprGt:
		return truth(a > b)
	case ExprGe:
		return truth(a >= b)
	case ExprAdd:
		return a + b
	case ExprSub:
		return a - b
	}
	return 0
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// sameData compares contents of memory with a WR: whether it wrote them.
func (m *Model) sameData(s *State, e *Expr) (same, ok bool) {
	a, b := e.Kids[0], e.Kids[1]
	if a.Op != ExprAtom || b.Op != ExprAtom {
		return false, false
	}
	if b.Atom.Kind == AtomData || b.Atom.Kind == AtomMRValue {
		a, b = b, a
	}
	if a.Atom.Kind != AtomData && a.Atom.Kind != AtomMRValue || b.Atom.Kind != AtomConst || b.Atom.WR < 0 {
		return false, false
	}
	c, has := m.contents(s, &a.Atom)
	return has && c.By > 0 && m.wrs[c.By-1].site == b.Atom.WR, true
}

// contents returns what a WR brought, or what the CPU sees in an MR: of several
// units the last, which is the one that a program polls.
func (m *Model) contents(s *State, a *Atom) (Content, bool) {
	if a.Kind == AtomMRValue {
		mr := m.nodeMR[a.Node] + a.Index
		unit := m.mrs[mr].units - 1
		if a.Instance > 0 {
			unit = min(a.Instance-1, unit)
		}
		return s.MRs[mr].Seen[unit], true
	}
	wr := m.sites[a.WR].first + max(a.Instance-1, 0)
	if a.Instance > m.sites[a.WR].n || s.WRs[wr].Phase < Completed {
		return Content{}, false
	}
	return s.WRs[wr].Content, true
}

func (m *Model) atom(s *State, e *Expr, thread int) int {
	a := &e.Atom
	switch a.Kind {
	case AtomConst:
		return e.Int
	case AtomWR:
		return truth(m.wrEvent(s, a))
	case AtomStatus, AtomSrc, AtomMsg:
		return m.wrValue(s, a)
	case AtomData, AtomMRValue:
		c, ok := m.contents(s, a)
		if !ok {
			return -1
		}
		return int(c.Val)
	case AtomVar:
		v := m.nodeVar[a.Node] + a.Index
		return int(s.Env.Vars[v]) + m.vars[v].lo
	case AtomOverflow, AtomHCAAccess, AtomSanitizer:
		return truth(s.Env.Bad != BadNone && s.Env.Bad == BadOfAtom(a))
	case AtomAsleep:
		return truth(m.asleep(s, a.Node, a.Index))
	case AtomWCStatus, AtomWCWR, AtomWCQP, AtomWCOpcode, AtomWCSrc:
		return m.wcValue(s, a, thread)
	}
	return m.queueAtom(s, a)
}

// queueAtom returns the value of an atom about a CQ, QP, MR or channel.
func (m *Model) queueAtom(s *State, a *Atom) int {
	switch a.Kind {
	case AtomCQLen:
		return int(s.CQs[m.nodeCQ[a.Node]+a.Index].N)
	case AtomQPState:
		return int(s.QPs[m.nodeQP[a.Node]+a.Index].State)
	case AtomRNR:
		return truth(s.QPs[m.nodeQP[a.Node]+a.Index].Req.GotRNR)
	case AtomSQFree:
		q := m.nodeQP[a.Node] + a.Index
		return m.qps[q].maxSend - int(s.QPs[q].Req.N-s.QPs[q].Req.Freed)
	case AtomMRState:
		v := &s.MRs[m.nodeMR[a.Node]+a.Index]
		return truth(a.Name == "freed" && v.Freed || a.Name == "registered" && v.Key)
	case AtomEvent:
		for cq := range s.CQs {
			if m.cqs[cq].channel == m.nodeComp[a.Node]+a.Index && s.CQs[cq].Pending > 0 {
				return 1
			}
		}
	case AtomAsync:
		return truth(m.raised(s, a))
	}
	return 0
}

// raised reports whether an asynchronous event was raised: of a QP, or for
// events of a CQ or SRQ on any QP that uses it.
func (m *Model) raised(s *State, a *Atom) bool {
	event := slices.Index(AsyncEvents(), a.Name)
	for q := range s.QPs {
		if m.qps[q].node != a.Node || s.QPs[q].Events>>event&1 == 0 {
			continue
		}
		switch event {
		case evCQErr:
			if cq := m.nodeCQ[a.Node] + a.Index; m.qps[q].sendCQ == cq || m.qps[q].recvCQ == cq {
				return true
			}
		case evSRQLimit:
			if m.qps[q].srq == m.nodeSRQ[a.Node]+a.Index {
				return true
			}
		default:
			if m.qps[q].local == a.Index {
				return true
			}
		}
	}
	return false
}

// BadOfAtom returns the sanitizer that an atom is true of, or BadNone.
func BadOfAtom(a *Atom) Bad {
	switch a.Kind {
	case AtomOverflow:
		return overflowBad[a.Name]
	case AtomHCAAccess:
		return accessBad[a.Name]
	case AtomSanitizer:
		return BadFor(a.Name)
	}
	return BadNone
}

var (
	overflowBad = map[string]Bad{"cq": BadCQ, "sq": BadSQ, "rq": BadRQ, "srq": BadSRQ}
	accessBad   = map[string]Bad{"freed": BadFreed, "foreign": BadForeign, "dead_key": BadDeadKey}
)

// wrEvent reports whether an event in the life of a WR has happened, for one
// instance or for any.
func (m *Model) wrEvent(s *State, a *Atom) bool {
	st := &m.sites[a.WR]
	if a.Instance > 0 {
		return a.Instance <= st.n && m.happened(s, st.first+a.Instance-1, a.Field)
	}
	for k := range st.n {
		if m.happened(s, st.first+k, a.Field) {
			return true
		}
	}
	return false
}

func (m *Model) happened(s *State, wr int, f WRField) bool {
	w := &s.WRs[wr]
	switch f {
	case WRPosted:
		return w.Phase >= Posted
	case WRCQE:
		return w.Phase >= Completed
	case WRWC:
		return w.Phase == Polled
	case WROK:
		return w.Phase == Polled && w.Status == SUCCESS
	case WRFailed:
		return w.Phase == Polled && w.Status != SUCCESS
	case WRFlushed:
		return w.Phase == Polled && w.Status == WR_FLUSH_ERR
	case WRRetried:
		return w.Retried
	}
	switch {
	case w.Phase == Unposted:
		return false
	case f == WRPlaced:
		return m.placed(s, wr)
	case m.wrs[wr].recv:
		return false
	case w.Past != 0 || w.Phase == Discarded:
		return w.Past>>f&1 == 1
	case m.wrs[wr].npkt == 0:
		return m.localDone(s, wr)
	}
	return m.passed(s, wr, f)
}

// placed reports whether a WR's data is where a CPU on the receiving side sees
// it; for a READ or ATOMIC that is the requester's buffer.
func (m *Model) placed(s *State, wr int) bool {
	w := &m.wrs[wr]
	switch {
	case w.recv:
		return s.WRs[wr].Phase >= Completed && s.WRs[wr].Status == SUCCESS
	case w.op.isRead():
		return m.happened(s, wr, WRAcked)
	case w.op.isWrite() && w.remote >= 0 && m.lazy(w.remote):
		return m.allPlaced(s, wr)
	case w.op.isWrite() || !m.dials.placementFree:
		return m.happened(s, wr, WRExecuted)
	}
	for r := range s.WRs { // a SEND: with the recv CQE of its message (F3.11)
		if x := &s.WRs[r]; m.wrs[r].recv && int(x.Msg) == wr+1 && x.Phase >= Completed && x.Status == SUCCESS {
			return true
		}
	}
	return false
}

func (m *Model) localDone(s *State, wr int) bool {
	r := &s.QPs[m.wrs[wr].qp].Req
	for i := range int(r.N) {
		if int(r.SQ[i]) == wr {
			return r.LocalDone>>i&1 == 1
		}
	}
	return false
}

// passed reports whether a posted send WR is sent, arrived, executed or acked:
// some PSN pointer has passed its last packet.
func (m *Model) passed(s *State, wr int, f WRField) bool {
	q := m.wrs[wr].qp
	r := &s.QPs[q].Req
	end := uint8(0)
	for i := range int(r.N) {
		end += m.wrs[r.SQ[i]].npkt
		if int(r.SQ[i]) == wr {
			break
		}
	}
	if f == WRSent {
		return r.MaxPSN >= end
	}
	if f == WRAcked {
		return r.UnackedPSN >= end
	}
	peer := m.qps[q].peer
	if peer < 0 {
		return false
	}
	if f == WRArrived {
		return s.QPs[peer].Rsp.EPSN >= end
	}
	return s.QPs[peer].Rsp.XPSN >= end // executed; placed at execute
}

// wrValue returns a property of a WR's completion, or -1 before it.
func (m *Model) wrValue(s *State, a *Atom) int {
	wr := m.sites[a.WR].first + max(a.Instance-1, 0)
	w := &s.WRs[wr]
	switch {
	case a.Instance > m.sites[a.WR].n:
		return -1
	case a.Kind == AtomStatus:
		if w.Phase < Completed {
			return -1
		}
		return int(w.Status)
	case w.Phase < Completed || w.Msg == 0:
		return -1
	case a.Kind == AtomMsg:
		return m.wrs[w.Msg-1].site
	}
	return m.wrs[w.Msg-1].node
}

// wcValue returns a field of the completion that a poll of the thread holds.
// The opcode of an error completion is not valid (F2.14): it reads as -1.
func (m *Model) wcValue(s *State, a *Atom, thread int) int {
	reg := s.Threads[thread].Reg[a.Index]
	if reg == 0 {
		return -1
	}
	wr := reg - 1
	switch a.Kind {
	case AtomWCStatus:
		return int(s.WRs[wr].Status)
	case AtomWCWR:
		return m.wrs[wr].site
	case AtomWCQP:
		if q := m.qpOf(s, wr); q >= 0 {
			return m.qps[q].local
		}
		return -1
	case AtomWCSrc:
		if msg := s.WRs[wr].Msg; msg > 0 {
			return m.wrs[msg-1].node
		}
		return -1
	}
	if s.WRs[wr].Status != SUCCESS {
		return -1
	}
	return slices.Index(WCOpcodes(), m.wcOpcode(s, int(wr)))
}

// asleep reports whether the node's i-th thread is blocked now.
func (m *Model) asleep(s *State, node, i int) bool {
	name := m.sc.Nodes[node].Threads[i].Name
	for t := range m.threads {
		if m.threads[t].node == node && m.threads[t].name == name && !m.threads[t].poller {
			pc := s.Threads[t].PC
			return pc != 0 && !m.enabled(s, t, &m.threads[t].code[pc])
		}
	}
	return false
}

// A WRInfo is what a WR instance is, for checks from outside.
type WRInfo struct {
	Name     string
	Recv     bool
	QP       int // global, -1 for an SRQ's
	Signaled bool
	Packets  int // PSNs it uses
	Node     int
	Site     int // index in Scenario.WRs; beyond them for the marker of a drain
}

// WR describes a WR instance.
func (m *Model) WR(wr int) WRInfo {
	w := &m.wrs[wr]
	return WRInfo{w.name, w.recv, w.qp, w.sig, int(w.npkt), w.node, w.site}
}

// Accepted reports whether the responder has accepted all of a send WR: its
// ePSN has passed it.
func (m *Model) Accepted(s *State, wr int) bool { return m.happened(s, wr, WRArrived) }

// MessagesExecuted returns how many messages that take a receive QP q's
// responder has executed.
func (m *Model) MessagesExecuted(s *State, q int) int {
	if x := s.QPs[q].Rsp.XPSN; x > 0 {
		return int(m.messagesTo(s, q, x-1))
	}
	return 0
}
