package spec

// The requester: it sends the packets of its send queue in PSN order, takes
// responses, and sends again what is not acknowledged (PROTOCOL 1.3).

// wqeAt returns the index in q's send queue of the WQE that psn belongs to.
func (m *Model) wqeAt(s *State, q int, psn uint8) (int, bool) {
	first := uint8(0)
	r := &s.QPs[q].Req
	for i := range int(r.N) {
		n := m.wrs[r.SQ[i]].npkt
		if psn-first < n {
			return i, true
		}
		first += n
	}
	return 0, false
}

// firstPSN returns the first PSN of the i-th WQE of q's send queue.
func (m *Model) firstPSN(s *State, q, i int) uint8 {
	psn := uint8(0)
	r := &s.QPs[q].Req
	for k := range i {
		psn += m.wrs[r.SQ[k]].npkt
	}
	return psn
}

// endPSN returns one past the last PSN of what is posted to q's send queue.
func (m *Model) endPSN(s *State, q int) uint8 { return m.firstPSN(s, q, int(s.QPs[q].Req.N)) }

// lastPSN returns the last PSN of the i-th WQE of q's send queue; for one that
// uses no PSN it is the last PSN before it, and firstPSN-1 may wrap at 0.
func (m *Model) lastPSN(s *State, q, i int) uint8 {
	return m.firstPSN(s, q, i) + m.wrs[s.QPs[q].Req.SQ[i]].npkt - 1
}

func transmitChoices(m *Model, s *State, out *choices) {
	for q := range s.QPs {
		if !m.mayTransmit(s, q) {
			continue
		}
		out.add(q, 0, 0)
		if m.dials.ackreqPerWR && m.freeAckReq(s, q) {
			out.add(q, 1, 0)
		}
	}
}

// sends reports whether a QP's requester works at all (F2.19).
func (q *QPVars) sends() bool { return q.State == RTS || q.State == SQD }

// mayTransmit reports whether q may put its next packet on the wire.
func (m *Model) mayTransmit(s *State, q int) bool {
	qp := &s.QPs[q]
	r := &qp.Req
	if !qp.sends() || m.qps[q].peer < 0 || r.RNRWait {
		return false
	}
	i, ok := m.wqeAt(s, q, r.NextPSN)
	if !ok {
		return false
	}
	// SQD: messages in progress are finished, no new one starts (F2.21).
	if qp.State == SQD && r.NextPSN == r.MaxPSN && r.NextPSN == m.firstPSN(s, q, i) {
		return false
	}
	if !m.mayStart(s, q, i) {
		return false
	}
	// A local error is not reported before older WQEs have their outcome (F2.16).
	if m.dials.olderWait && m.localFaults(s, r.SQ[i]) && r.UnackedPSN < m.firstPSN(s, q, i) {
		return false
	}
	// ack_first: no own request leaves while a response is owed (F1.17(3); a
	// due re-ACK or NAK counts too, PROTOCOL 9.5.7).
	return !m.dials.ackFirst || qp.Rsp.NResp == 0
}

// freeAckReq reports whether the next packet of q ends a message that is sent
// for the first time, so that asking for an ACK is the requester's choice.
func (m *Model) freeAckReq(s *State, q int) bool {
	r := &s.QPs[q].Req
	i, _ := m.wqeAt(s, q, r.NextPSN)
	return r.NextPSN == r.MaxPSN && r.NextPSN == m.lastPSN(s, q, i)
}

// transmitApply sends the next packet. A resend uses the same PSN and asks for
// an ACK at the end of its message whatever the post said (PROTOCOL 9.5.5).
func transmitApply(m *Model, s *State, c Choice) {
	q := int(c.A)
	r := &s.QPs[q].Req
	i, _ := m.wqeAt(s, q, r.NextPSN)
	again := r.NextPSN < r.MaxPSN
	last := r.NextPSN == m.lastPSN(s, q, i)
	ackReq := last && (again || !m.dials.ackreqLast || i == int(r.N)-1) && c.B == 0
	wr := r.SQ[i]
	w := &m.wrs[wr]
	if again {
		m.markRetried(s, wr)
	}
	p := Pkt{Kind: PktRequest, PSN: r.NextPSN, AckReq: ackReq && !w.op.isRead()}
	switch {
	case w.op.isRead(): // one packet, all its response PSNs (F1.4)
		r.NextPSN = m.lastPSN(s, q, i) + 1
	case !w.inline && m.touchLocal(s, wr):
		s.WRs[wr].Status, s.WRs[wr].Failed = LOC_PROT_ERR, true
		m.toError(s, q)
		return
	default:
		if m.track.data {
			p.Val = m.gather(s, wr, int(p.PSN-m.firstPSN(s, q, i))).Val
		}
		r.NextPSN++
	}
	m.send(s, m.qps[q].out, p)
	r.MaxPSN = max(r.MaxPSN, r.NextPSN)
}

func (m *Model) markRetried(s *State, wr uint8) {
	if m.track.retried {
		s.WRs[wr].Retried = true
	}
}

// processChoices: the oldest response that has reached a requester is next.
func processChoices(m *Model, s *State, out *choices) {
	for q := range s.QPs {
		if in := m.qps[q].in; in >= 0 && s.Wires[in].N > 0 && s.Wires[in].Pkt[0].Arrived {
			out.add(q, 0, 0)
		}
	}
}

func processApply(m *Model, s *State, c Choice) {
	q := int(c.A)
	p := s.Wires[m.qps[q].in].remove(0)
	r := &s.QPs[q].Req
	if !s.QPs[q].sends() || p.PSN >= r.MaxPSN {
		return // F1.22: not in ERR or RESET; F1.30: beyond anything sent
	}
	if p.Kind == PktAck {
		m.advance(s, q, p.PSN+1)
		return
	}
	if p.PSN < r.UnackedPSN {
		return // F1.30: a ghost
	}
	if !m.advance(s, q, p.PSN) { // F1.28: it acknowledges what is before its PSN
		return
	}
	switch p.Kind {
	case PktReadResp, PktAtomicAck:
		m.responseData(s, q, p)
	case PktNAKSeq:
		m.nakSequence(s, q, p.PSN)
	case PktRNR:
		m.rnrNAK(s, q, p.PSN)
	case PktNAKInv:
		m.fail(s, q, REM_INV_REQ_ERR)
	case PktNAKAccess:
		m.fail(s, q, REM_ACCESS_ERR)
	case PktNAKOp:
		m.fail(s, q, REM_OP_ERR)
	}
}

// advance acknowledges everything before psn (F1.25), but not past a READ or
// ATOMIC that lacks its own response. Progress restores the retry counters
// (F1.33) and ends an RNR wait for a packet now acknowledged. If something
// before psn is still unanswered, its response is lost: advance goes back to it
// (implied NAK, F1.29) and returns false.
func (m *Model) advance(s *State, q int, psn uint8) bool {
	r := &s.QPs[q].Req
	if psn <= r.UnackedPSN {
		return true
	}
	to := psn
	if !m.dials.laxRead {
		to = m.firstUnanswered(s, q, psn)
	}
	if to > r.UnackedPSN {
		r.UnackedPSN = to
		r.RetriesLeft = m.qps[q].retryCnt
		r.RNRLeft = m.qps[q].rnrRetry
		if r.NextPSN < to {
			r.NextPSN = to
			r.RNRWait = false
		}
	}
	if to < psn && !r.RNRWait && r.NextPSN > to {
		m.goBack(s, q)
	}
	return to == psn
}

// firstUnanswered returns psn or, if it comes earlier, the first PSN of a READ
// or ATOMIC that lacks its response.
func (m *Model) firstUnanswered(s *State, q int, psn uint8) uint8 {
	r := &s.QPs[q].Req
	first := uint8(0)
	for i := range int(r.N) {
		w := &m.wrs[r.SQ[i]]
		end := first + w.npkt
		if w.op.isRead() && end > r.UnackedPSN {
			return min(psn, max(first, r.UnackedPSN))
		}
		first = end
	}
	return psn
}

// responseData takes one packet of a READ response, or an ATOMIC's, whose PSN
// is the oldest unacknowledged one, and places its data (F2.1).
func (m *Model) responseData(s *State, q int, p Pkt) {
	r := &s.QPs[q].Req
	i, _ := m.wqeAt(s, q, p.PSN)
	wr := r.SQ[i]
	if !m.wrs[wr].op.isRead() {
		return
	}
	if !m.scatter(s, wr, int(p.PSN-m.firstPSN(s, q, i)), p.Content) {
		m.fail(s, q, LOC_PROT_ERR)
		return
	}
	r.UnackedPSN = p.PSN + 1
	r.RetriesLeft = m.qps[q].retryCnt
	r.RNRLeft = m.qps[q].rnrRetry
	r.NextPSN = max(r.NextPSN, r.UnackedPSN)
}

// nakSequence goes back to the PSN the responder misses, unless the requester
// is there already or waits for an RNR timer, which resends anyway (F7.7).
func (m *Model) nakSequence(s *State, q int, psn uint8) {
	if r := &s.QPs[q].Req; !r.RNRWait && r.NextPSN > psn {
		m.goBack(s, q)
	}
}

// goBack spends a retry and resends from the oldest unacknowledged PSN (F1.32);
// with no retry left the oldest WQE fails (F1.33).
func (m *Model) goBack(s *State, q int) {
	r := &s.QPs[q].Req
	if !m.qps[q].retryInf {
		if r.RetriesLeft == 0 {
			m.sanitize(s, BadRetry, q)
			m.fail(s, q, RETRY_EXC_ERR)
			return
		}
		r.RetriesLeft--
	}
	r.NextPSN = r.UnackedPSN
}

// rnrNAK waits, then resends from psn; rnr_retry 7 is for ever (F1.34).
func (m *Model) rnrNAK(s *State, q int, psn uint8) {
	r := &s.QPs[q].Req
	r.GotRNR = m.track.rnr
	if r.NextPSN <= psn && r.RNRWait {
		return
	}
	if !m.qps[q].rnrInf {
		if r.RNRLeft == 0 {
			m.sanitize(s, BadRNR, q)
			m.fail(s, q, RNR_RETRY_EXC_ERR)
			return
		}
		r.RNRLeft--
	}
	r.NextPSN = psn
	r.RNRWait = true
}

// fail completes the oldest unacknowledged WQE with a status and moves the QP
// to ERR at once (F2.15).
func (m *Model) fail(s *State, q int, st Status) {
	r := &s.QPs[q].Req
	if i, ok := m.wqeAt(s, q, r.UnackedPSN); ok {
		w := &s.WRs[r.SQ[i]]
		w.Status, w.Failed = st, true
	}
	m.toError(s, q)
}

// toError is the transition to ERR, by failure, by verb or of itself: nothing
// is executed, acknowledged or processed any more (F1.22).
func (m *Model) toError(s *State, q int) {
	qp := &s.QPs[q]
	if qp.State == ERR || qp.State == DESTROYED {
		return
	}
	qp.State = ERR
	qp.Req.NextPSN = qp.Req.MaxPSN
	qp.Req.RNRWait = false
	qp.Req.RetriesLeft, qp.Req.RNRLeft = 0, 0
	qp.Rsp.NAK, qp.Rsp.Fatal = false, false
	qp.Rsp.AckReq = 0
	qp.Rsp.shift(int(qp.Rsp.NResp))
	qp.Rsp.Atomic, qp.Rsp.NSaved = [4]Resp{}, 0
}

func rnrTimerChoices(m *Model, s *State, out *choices) {
	for q := range s.QPs {
		if s.QPs[q].Req.RNRWait {
			out.add(q, 0, 0)
		}
	}
}

// rnrTimerApply ends the wait that min_rnr_timer asks for; it has no length.
func rnrTimerApply(m *Model, s *State, c Choice) { s.QPs[c.A].Req.RNRWait = false }

// timerRuns reports whether q's transport timer runs: something is
// unacknowledged (F1.31). It is stopped during an RNR wait (PROTOCOL 9.3).
func (m *Model) timerRuns(s *State, q int) bool {
	qp := &s.QPs[q]
	return qp.sends() && m.qps[q].timeout && qp.Req.UnackedPSN < qp.Req.NextPSN && !qp.Req.RNRWait
}

// timerNeeded reports whether, without an expiry, the oldest unacknowledged
// packet could never be answered (PROTOCOL 9.3, last paragraph): all resends
// have left, no copy of it or of a later request is in flight, nor a response
// that would acknowledge or resend it, and the responder owes none.
func (m *Model) timerNeeded(s *State, q int) bool {
	r := &s.QPs[q].Req
	if r.NextPSN < r.MaxPSN {
		return false
	}
	for _, w := range [2]int{m.qps[q].out, m.qps[q].in} {
		for i := range int(s.Wires[w].N) {
			p := s.Wires[w].Pkt[i]
			if (p.Kind == PktRequest) == (w == m.qps[q].out) && p.PSN >= r.UnackedPSN {
				return false
			}
		}
	}
	peer := &s.QPs[m.qps[q].peer]
	return !peer.takesRequests() && !peer.Rsp.Fatal || peer.Rsp.NResp == 0 && peer.Rsp.XPSN == peer.Rsp.EPSN
}

func timeoutChoices(m *Model, s *State, out *choices) {
	for q := range s.QPs {
		if m.timerRuns(s, q) && m.timerNeeded(s, q) {
			out.add(q, 0, 0)
		}
	}
}

func timeoutApply(m *Model, s *State, c Choice) { m.goBack(s, int(c.A)) }

func earlyTimeoutChoices(m *Model, s *State, out *choices) {
	for b := range m.budgets {
		if m.budgets[b].kind != faultEarlyTimeout || s.Env.Budgets[b] == 0 {
			continue
		}
		for q := range s.QPs {
			on := m.budgets[b].qp
			if (on < 0 || on == q) && m.timerRuns(s, q) && !m.timerNeeded(s, q) {
				out.add(q, b, 0)
			}
		}
	}
}

func earlyTimeoutApply(m *Model, s *State, c Choice) {
	s.Env.Budgets[c.B]--
	m.goBack(s, int(c.A))
}

func killChoices(m *Model, s *State, out *choices) {
	for b := range m.budgets {
		if m.budgets[b].kind == faultKill && s.Env.Budgets[b] > 0 {
			if q := m.budgets[b].qp; s.QPs[q].State >= INIT && s.QPs[q].State < ERR {
				out.add(q, b, 0)
			}
		}
	}
}

func killApply(m *Model, s *State, c Choice) {
	s.Env.Budgets[c.B]--
	m.toError(s, int(c.A))
}
