package spec

// The responder: it checks the PSN of requests, executes them in order and
// owes responses (PROTOCOL 1.2).

// accept is the responder's check of a request that arrives (F1.12 to F1.14,
// F1.18). A QP that does not take requests discards it silently (F1.22).
func (m *Model) accept(s *State, q int, p Pkt) {
	qp := &s.QPs[q]
	if qp.State < RTR || qp.State >= ERR {
		return
	}
	r := &qp.Rsp
	switch {
	case p.PSN < r.EPSN:
		m.owe(s, q, Resp{Kind: RespAckDup, PSN: p.PSN}) // C9-105
	case p.PSN > r.EPSN:
		if !r.NAK { // only one NAK is outstanding (F1.13)
			r.NAK = true
			m.owe(s, q, Resp{Kind: RespNAKSeq, PSN: r.EPSN})
		}
	default:
		m.expected(s, q, p)
	}
}

// owe adds a response that the responder is to send.
func (m *Model) owe(s *State, q int, x Resp) {
	r := &s.QPs[q].Rsp
	if int(r.NResp) >= m.bounds.Resp || !r.push(x) {
		m.bound(s, BoundResp, q)
	}
}

// expected takes the request packet whose PSN is the expected one. A message
// takes its receive WQE at its first packet (F1.21); without one the packet is
// answered with RNR NAK and ePSN stays (F1.18).
func (m *Model) expected(s *State, q int, p Pkt) {
	r := &s.QPs[q].Rsp
	peer := m.qps[q].peer
	i, _ := m.wqeAt(s, peer, p.PSN)
	w := s.QPs[peer].Req.SQ[i]
	if m.takesRecvAt(s, peer, i, p.PSN) && !m.claimRecv(s, q, w) {
		r.NAK = m.dials.rnrCountsAsNAK
		m.owe(s, q, Resp{Kind: RespRNR, PSN: p.PSN})
		return
	}
	r.NAK = false
	r.EPSN++
	r.AckReq = r.AckReq<<1 | b2u(p.AckReq)
}

// takesRecvAt reports whether the packet of that PSN is the one at which its
// message takes a receive WQE: the first of a SEND, the last of a WRITE with
// immediate, which carries the immediate.
func (m *Model) takesRecvAt(s *State, sender, i int, psn uint8) bool {
	op := m.wrs[s.QPs[sender].Req.SQ[i]].op
	if !op.consumesRecv() {
		return false
	}
	if op == RDMA_WRITE_WITH_IMM {
		return psn == m.lastPSN(s, sender, i)
	}
	return psn == m.firstPSN(s, sender, i)
}

// claimRecv takes the next receive WQE of q for the message of send WR w.
func (m *Model) claimRecv(s *State, q int, w uint8) bool {
	rq := &s.QPs[q].Rsp.RQ
	if rq.Claim == rq.N {
		return false
	}
	if m.track.msg {
		s.WRs[rq.WR[rq.Claim]].Msg = w + 1
	}
	rq.Claim++
	return true
}

func executeChoices(m *Model, s *State, out *choices) {
	for q := range s.QPs {
		if qp := &s.QPs[q]; qp.State != ERR && qp.Rsp.XPSN < qp.Rsp.EPSN {
			out.add(q, 0, 0)
		}
	}
}

// executeApply executes the oldest accepted packet. Only what is executed is
// acknowledged (F1.17(1)).
func executeApply(m *Model, s *State, c Choice) {
	q := int(c.A)
	r := &s.QPs[q].Rsp
	peer := m.qps[q].peer
	psn := r.XPSN
	i, _ := m.wqeAt(s, peer, psn)
	ackReq := r.AckReq>>(r.EPSN-psn-1)&1 == 1
	r.XPSN++
	r.AckReq &= 1<<(r.EPSN-r.XPSN) - 1
	if psn == m.lastPSN(s, peer, i) && m.wrs[s.QPs[peer].Req.SQ[i]].op.consumesRecv() {
		r.RQ.Exec++
	}
	if ackReq {
		m.owe(s, q, Resp{Kind: RespAck, PSN: psn})
	}
}

// emitChoices: the oldest owed response may leave. B is how many owed ACKs it
// merges beyond the first (F1.16); C is its PSN, never before one it merges.
func emitChoices(m *Model, s *State, out *choices) {
	for q := range s.QPs {
		r := &s.QPs[q].Rsp
		least := uint8(0)
		for k := range int(r.NResp) {
			x := r.Resp[k]
			if !m.mayEmit(s, q, x) || k > 0 && (x.Kind > RespAckDup || k == m.dials.coalesce) {
				break
			}
			lo, hi := m.emitPSNs(r, x)
			least = max(least, lo)
			for psn := least; psn <= max(hi, least); psn++ {
				out.add(q, k, int(psn))
			}
			if x.Kind > RespAckDup {
				break
			}
		}
	}
}

// mayEmit reports whether the response may leave: what it acknowledges is
// executed, and under ack.order_vs_recv_cqe after, reported.
func (m *Model) mayEmit(s *State, q int, x Resp) bool {
	r := &s.QPs[q].Rsp
	switch x.Kind {
	case RespAck, RespAckDup:
		return x.PSN < r.XPSN && !(m.dials.ackAfterCQE && x.Kind == RespAck && r.RQ.CQE < m.messagesTo(s, q, x.PSN))
	case RespNAKSeq, RespRNR:
		return x.PSN <= r.XPSN // it acknowledges all before its PSN (F1.28)
	}
	return true
}

// messagesTo counts the messages to q that take a receive WQE and end at or
// before psn.
func (m *Model) messagesTo(s *State, q int, psn uint8) uint8 {
	peer := m.qps[q].peer
	sq := &s.QPs[peer].Req
	n, end := uint8(0), uint8(0)
	for i := range int(sq.N) {
		w := &m.wrs[sq.SQ[i]]
		if end += w.npkt; end > psn+1 {
			break
		}
		if w.op.consumesRecv() {
			n++
		}
	}
	return n
}

// emitPSNs returns the PSNs the response may carry. A re-ACK carries the last
// executed PSN, its own, or any between (F1.15).
func (m *Model) emitPSNs(r *Responder, x Resp) (lo, hi uint8) {
	if x.Kind != RespAckDup {
		return x.PSN, x.PSN
	}
	lo, hi = r.XPSN-1, r.XPSN-1
	if m.dials.dupOwn || m.dials.dupFree {
		lo = x.PSN
	}
	if m.dials.dupOwn {
		hi = x.PSN
	}
	return lo, hi
}

var respPkt = [...]PktKind{RespAck: PktAck, RespAckDup: PktAck, RespNAKSeq: PktNAKSeq, RespRNR: PktRNR,
	RespNAKInv: PktNAKInv, RespNAKAccess: PktNAKAccess, RespNAKOp: PktNAKOp}

func emitApply(m *Model, s *State, c Choice) {
	q := int(c.A)
	r := &s.QPs[q].Rsp
	kind := respPkt[r.Resp[c.B].Kind]
	r.shift(int(c.B) + 1)
	m.send(s, m.qps[q].out, Pkt{Kind: kind, PSN: c.C})
}

func b2u(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
