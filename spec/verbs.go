package spec

// Verbs beside posting and polling: the life of queues, events, memory.

// discard empties a QP's queues without CQEs (F2.22) and starts a new life of
// both halves. What the QP still has on the wire is gone with it: a packet that
// outlives its QP is not modelled.
func (m *Model) discard(s *State, q int) {
	qp := &s.QPs[q]
	r, p := &qp.Req, &qp.Rsp
	for i := int(r.Done); i < int(r.N); i++ {
		m.drop(s, r.SQ[i])
	}
	for i := int(p.RQ.CQE); i < int(p.RQ.N); i++ {
		m.drop(s, p.RQ.WR[i])
	}
	end := m.endPSN(s, q)
	sq, rq, gotRNR := *r, p.RQ, r.GotRNR
	*r = Requester{SQ: sq.SQ, N: sq.N, Base: sq.N, Done: sq.N, Freed: sq.N, NextPSN: end, MaxPSN: end, UnackedPSN: end,
		RetriesLeft: m.qps[q].retryCnt, RNRLeft: m.qps[q].rnrRetry, GotRNR: gotRNR, LocalDone: sq.LocalDone}
	*p = Responder{EPSN: p.EPSN, XPSN: p.XPSN, From: p.From}
	p.RQ = RQVars{WR: rq.WR, N: rq.N, Claim: rq.N, Exec: rq.N, CQE: rq.N, Freed: rq.N, Base: rq.N}
	if out := m.qps[q].out; out >= 0 {
		s.Wires[out] = WireVars{}
		in := &s.Wires[m.qps[q].in]
		for i := int(in.N) - 1; i >= 0; i-- {
			if in.Pkt[i].Kind != PktRequest {
				in.remove(i)
			}
		}
	}
}

// pastOf returns what has happened to a send WR up to now, by WRField.
func (m *Model) pastOf(s *State, wr uint8) (past uint8) {
	for f := WRSent; f <= WRAcked && !m.wrs[wr].recv; f++ {
		if m.happened(s, int(wr), f) {
			past |= 1 << f
		}
	}
	return past
}

func (m *Model) drop(s *State, wr uint8) {
	if w := &s.WRs[wr]; w.Phase == Posted {
		w.Past = m.pastOf(s, wr)
		w.Phase = Discarded
		w.Failed, w.Status = false, SUCCESS
	}
}

// destroyQP destroys a QP. Its CQEs stay in the CQs or are deleted from them,
// as the dial destroy.purges_cqes says (F2.22).
func (m *Model) destroyQP(s *State, q int, purge bool) {
	if s.QPs[q].State == DESTROYED {
		m.sanitize(s, BadState, q)
		return
	}
	m.discard(s, q)
	s.QPs[q].State = DESTROYED
	if !purge {
		return
	}
	for cq := range s.CQs {
		c := &s.CQs[cq]
		for i := int(c.N) - 1; i >= 0; i-- {
			if m.qpOf(s, c.WR[i]) == q {
				s.WRs[c.WR[i]].Phase = Purged
				c.take(i)
			}
		}
	}
}

// createQP makes a destroyed QP anew, in RESET; its number may be the same.
func (m *Model) createQP(s *State, q int) {
	if s.QPs[q].State != DESTROYED {
		m.sanitize(s, BadState, q)
		return
	}
	s.QPs[q].State = RESET
	s.QPs[q].Events = 0
}

// reqNotify arms a CQ. A stronger arm replaces a weaker one, never the reverse
// (C11-31, C11-32). CQEs that are there do not fire it (F4.3); if the device
// reports missed events, the statement's body runs then (F4.6).
func (m *Model) reqNotify(s *State, t int, in *instr) {
	cq := m.cqOf(s, t, in)
	if cq < 0 {
		return
	}
	c := &s.CQs[cq]
	strength := uint8(armNext)
	if in.solicited {
		strength = armSolicited
	}
	switch {
	case m.dials.rearmLoses && c.Arm != 0:
		c.Arm = 0
	case !m.dials.staleArm || !c.Polled:
		c.Arm = max(c.Arm, strength)
	}
	c.Polled = false
	if in.alt != 0 && c.N > 0 && m.dials.missedReport {
		s.Threads[t].PC = in.alt
	}
}

// cqOf returns the CQ a statement names, or the one whose event the thread got
// last; -1 when it got none, which ends the run.
func (m *Model) cqOf(s *State, t int, in *instr) int {
	if in.cq >= 0 {
		return in.cq
	}
	if s.Threads[t].Ev == 0 {
		m.end(s, BadState, 0)
	}
	return int(s.Threads[t].Ev) - 1
}

// overAcked is the count of a CQ that had more events acknowledged than it gave.
const overAcked = 31

// ackEvents acknowledges events, which are counted by CQ (F4.7).
func (m *Model) ackEvents(s *State, t int, in *instr) {
	cq := m.cqOf(s, t, in)
	if cq < 0 {
		return
	}
	if c := &s.CQs[cq]; int(c.Unacked) >= in.n && c.Unacked != overAcked {
		c.Unacked -= uint8(in.n)
		return
	}
	s.CQs[cq].Unacked = overAcked // libraries compare for equality: it never comes right
}

// memoryVerb executes what a program does to its memory.
func (m *Model) memoryVerb(s *State, in *instr) {
	v := &s.MRs[in.mr]
	switch in.st {
	case OpFree:
		v.Freed = true
	case OpAlloc:
		v.Freed = false
		v.Reused = v.Key
		if m.track.gen {
			v.Gen = (v.Gen + 1) & 3
		}
	case OpWrite:
		if m.track.data {
			m.setAll(s, in.mr, Content{Val: uint8(in.n) & 15})
		}
	case OpRegMR:
		v.Key, v.Reused = true, false
	case OpDeregMR, OpInvalidate:
		v.Key = false
	}
}

// take removes the i-th CQE.
func (c *CQVars) take(i int) {
	copy(c.WR[i:], c.WR[i+1:c.N])
	c.N--
	c.WR[c.N] = 0
}
