package spec

// Completions: CQEs are written by the adapter into CQs, each queue in its own
// order (F2.5, F2.6), and nothing orders the two queues of a QP (F2.7).

// acked reports whether the i-th WQE of q's send queue needs nothing more from
// the peer (F2.1).
func (m *Model) acked(s *State, q, i int) bool {
	r := &s.QPs[q].Req
	n := m.wrs[r.SQ[i]].npkt
	return m.firstPSN(s, q, i)+n <= r.UnackedPSN && (n > 0 || r.LocalDone>>i&1 == 1)
}

// nextSendCQE returns the send WQE whose CQE is the next to be written, if
// any: success CQEs only of signaled WQEs (F2.10), others of all (F2.11).
func (m *Model) nextSendCQE(s *State, q int) (i int, ok bool) {
	r := &s.QPs[q].Req
	for i = int(r.Done); i < int(r.N); i++ {
		switch {
		case !m.acked(s, q, i):
			return i, s.QPs[q].State == ERR
		case m.wrs[r.SQ[i]].sig:
			return i, true
		}
	}
	return 0, false
}

func (m *Model) sendCQEDue(s *State, q int) bool {
	_, ok := m.nextSendCQE(s, q)
	return ok
}

// sendCQEChoices: B is 1 for a flush of what was acknowledged but not reported
// before the QP failed, which the dial error.acked_unreported rules (F2.17).
func sendCQEChoices(m *Model, s *State, out *choices) {
	for q := range s.QPs {
		i, ok := m.nextSendCQE(s, q)
		if !ok || m.dials.rqFirst && s.QPs[q].State == ERR && m.recvCQEDue(s, q) && !m.acked(s, q, i) {
			continue
		}
		late := s.QPs[q].State == ERR && m.acked(s, q, i)
		if !late || !m.dials.ackedFlush {
			out.add(q, 0, 0)
		}
		if late && (m.dials.ackedFlush || m.dials.ackedFree) {
			out.add(q, 1, 0)
		}
	}
}

func sendCQEApply(m *Model, s *State, c Choice) {
	q := int(c.A)
	i, _ := m.nextSendCQE(s, q)
	r := &s.QPs[q].Req
	wr := r.SQ[i]
	r.Done = uint8(i) + 1
	st := SUCCESS
	switch {
	case s.WRs[wr].Failed:
		st = s.WRs[wr].Status
	case !m.acked(s, q, i) || c.B == 1:
		st = WR_FLUSH_ERR
	}
	m.writeCQE(s, m.qps[q].sendCQ, wr, st)
}

// recvCQEDue reports whether a CQE of q's receive queue is still to be
// written: of an executed message, or in ERR of every receive (F2.15).
func (m *Model) recvCQEDue(s *State, q int) bool {
	rq := &s.QPs[q].Rsp.RQ
	return rq.CQE < rq.Exec || s.QPs[q].State == ERR && rq.CQE < rq.N
}

func recvCQEChoices(m *Model, s *State, out *choices) {
	for q := range s.QPs {
		rq := &s.QPs[q].Rsp.RQ
		switch {
		case !m.recvCQEDue(s, q):
		case rq.CQE < rq.Exec:
			if !m.dials.ackBeforeCQE || !m.ackOwedFor(s, q, rq.CQE) {
				out.add(q, 0, 0)
			}
		case !m.dials.sqFirst || !m.sendCQEDue(s, q):
			out.add(q, 0, 0)
		}
	}
}

// ackOwedFor reports whether the ACK that the n-th message to q asked for has
// still to leave. A message that asked for none holds nothing back (9.5.6).
func (m *Model) ackOwedFor(s *State, q int, n uint8) bool {
	r := &s.QPs[q].Rsp
	for k := range int(r.NResp) {
		if x := r.Resp[k]; x.Kind == RespAck && m.messagesTo(s, q, x.PSN) > n && m.messagesTo(s, q, x.PSN-1) <= n {
			return true
		}
	}
	return false
}

// recvCQEApply completes the oldest receive: with success if its message is
// executed, also when the QP has failed since (PROTOCOL 9.5.6), else flushed.
func recvCQEApply(m *Model, s *State, c Choice) {
	q := int(c.A)
	rq := &s.QPs[q].Rsp.RQ
	st := SUCCESS
	wr := rq.WR[rq.CQE]
	switch {
	case rq.CQE < rq.Exec:
		m.placeBefore(s, q, rq.CQE)
	case s.WRs[wr].Failed:
		st = s.WRs[wr].Status
	default:
		st = WR_FLUSH_ERR
	}
	rq.CQE++
	m.writeCQE(s, m.qps[q].recvCQ, wr, st)
}

// writeCQE appends a CQE to a CQ (F2.9). A full CQ overruns (F2.26).
func (m *Model) writeCQE(s *State, cq int, wr uint8, st Status) {
	c := &s.CQs[cq]
	s.WRs[wr].Status = st
	s.WRs[wr].Phase = Completed
	if c.Dead {
		return // an overrun CQ is unusable: the CQE is lost
	}
	if d := m.cqs[cq].depth; d > 0 && int(c.N) >= d {
		m.overrun(s, cq)
		return
	}
	if !c.push(wr) {
		m.bound(s, BoundCQ, cq)
		return
	}
	m.fire(s, cq, wr)
}

// The strengths of an armed CQ (F4.5).
const (
	armSolicited = 1
	armNext      = 2
)

// fire raises the event of an armed CQ: arming is for one CQE added after it
// (F4.1, F4.2). A solicited-only arm wants a receive whose message asked for an
// event or, unless the device differs, an error.
func (m *Model) fire(s *State, cq int, wr uint8) {
	c := &s.CQs[cq]
	w := &s.WRs[wr]
	solicited := m.wrs[wr].recv && w.Msg > 0 && m.wrs[w.Msg-1].solicited
	if w.Status != SUCCESS {
		solicited = solicited || m.dials.sendErrorSolicited || m.dials.recvErrorSolicited && m.wrs[wr].recv
	}
	if c.Arm == armNext || c.Arm == armSolicited && solicited {
		c.Arm = 0
		if m.cqs[cq].channel >= 0 {
			c.Pending++
		}
	}
}

// overrun: the CQ is unusable, the CQE is lost, and the QPs that use the CQ
// end in error (F2.26).
func (m *Model) overrun(s *State, cq int) {
	if m.sanitize(s, BadCQ, cq) {
		return
	}
	s.CQs[cq].Dead = true
	for q := range s.QPs {
		if m.qps[q].sendCQ == cq || m.qps[q].recvCQ == cq {
			m.raise(s, q, evCQErr)
			m.toError(s, q)
		}
	}
}

// pollCQ takes the oldest CQE of a non-empty CQ and gives back the queue slot
// of its WR and of all before it (F2.12).
func (m *Model) pollCQ(s *State, cq int) uint8 {
	wr := s.CQs[cq].shift()
	s.CQs[cq].Polled = m.dials.staleArm
	s.WRs[wr].Phase = Polled
	w := &m.wrs[wr]
	if w.srq >= 0 {
		return wr // its place in the SRQ is free: it is not Posted any more
	}
	qp := &s.QPs[w.qp]
	list, n, freed := &qp.Req.SQ, qp.Req.N, &qp.Req.Freed
	if w.recv {
		list, n, freed = &qp.Rsp.RQ.WR, qp.Rsp.RQ.N, &qp.Rsp.RQ.Freed
	}
	for i := *freed; i < n; i++ {
		if list[i] == wr {
			*freed = i + 1
		}
	}
	return wr
}

// qpOf returns the QP that a completion belongs to; for a receive of an SRQ it
// is the one whose message took it.
func (m *Model) qpOf(s *State, wr uint8) int {
	if m.wrs[wr].qp >= 0 {
		return m.wrs[wr].qp
	}
	for q := range s.QPs {
		rq := &s.QPs[q].Rsp.RQ
		for i := range int(rq.N) {
			if rq.WR[i] == wr && m.qps[q].srq == m.wrs[wr].srq {
				return q
			}
		}
	}
	return -1
}
