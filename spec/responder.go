package spec

// The responder: it checks the PSN of requests, executes them in order and
// owes responses (PROTOCOL 1.2).

// takesRequests reports whether a QP accepts and executes requests (F1.22,
// F2.19). After a fatal error it takes no more (F1.19).
func (q *QPVars) takesRequests() bool { return q.State >= RTR && q.State < ERR && !q.Rsp.Fatal }

// accept is the responder's check of a request that arrives (F1.12 to F1.14,
// F1.18). pick is the SRQ entry that a message takes which needs one.
func (m *Model) accept(s *State, q int, p Pkt, pick int) {
	qp := &s.QPs[q]
	if !qp.takesRequests() {
		return
	}
	if qp.State == RTR {
		m.raise(s, q, evCommEst)
	}
	r := &qp.Rsp
	switch {
	case p.PSN < r.EPSN:
		m.duplicate(s, q, p)
	case p.PSN > r.EPSN:
		if !r.NAK { // only one NAK is outstanding (F1.13)
			r.NAK = true
			m.owe(s, q, Resp{Kind: RespNAKSeq, PSN: r.EPSN})
		}
	default:
		m.expected(s, q, p, pick)
	}
}

// owe adds a response that the responder is to send.
func (m *Model) owe(s *State, q int, x Resp) {
	r := &s.QPs[q].Rsp
	if int(r.NResp) >= m.bounds.Resp || !r.push(x) {
		m.bound(s, BoundResp, q)
	}
}

// oweInOrder adds the response to a request just executed. A NAK that is owed for
// a later PSN was queued when its packet arrived; responses leave in PSN order
// (F1.17(3)).
func (m *Model) oweInOrder(s *State, q int, x Resp) {
	m.owe(s, q, x)
	r := &s.QPs[q].Rsp
	for k := int(r.NResp) - 1; k > 0 && s.Env.Bad == BadNone; k-- {
		if o := r.Resp[k-1]; o.Kind != RespNAKSeq && o.Kind != RespRNR || o.PSN <= x.PSN {
			break
		}
		r.Resp[k], r.Resp[k-1] = r.Resp[k-1], r.Resp[k]
	}
}

// duplicate answers a request that was accepted before (F1.14): SEND and WRITE
// are acknowledged again (C9-105), a READ is executed again, an ATOMIC is
// answered from its saved result or, without one, dropped silently.
func (m *Model) duplicate(s *State, q int, p Pkt) {
	r := &s.QPs[q].Rsp
	peer := m.qps[q].peer
	i, ok := m.wqeAt(s, peer, p.PSN)
	if !ok {
		return
	}
	switch op := m.wrs[s.QPs[peer].Req.SQ[i]].op; {
	case op.isRead() && p.PSN >= r.XPSN: // it will be executed anyway
	case op == RDMA_READ:
		m.readAgain(s, q, i, p.PSN)
	case op.isAtomic() && m.dials.atomicAgain:
		m.owe(s, q, Resp{Kind: RespAtomic, PSN: p.PSN, Again: true, Content: m.atomic(s, s.QPs[peer].Req.SQ[i])})
	case op.isAtomic():
		for k := range int(r.NSaved) {
			if x := r.Atomic[k]; x.Kind == RespAtomic && x.PSN == p.PSN && !r.owes(x.PSN) {
				x.Again = true
				m.owe(s, q, x)
			}
		}
	default:
		m.owe(s, q, Resp{Kind: RespAckDup, PSN: p.PSN})
	}
}

// owes reports whether the result of the ATOMIC with that PSN is owed already.
func (r *Responder) owes(psn uint8) bool {
	for k := range int(r.NResp) {
		if r.Resp[k].Kind == RespAtomic && r.Resp[k].PSN == psn {
			return true
		}
	}
	return false
}

// readAgain serves a duplicate READ from psn on. Duplicates are answered in
// PSN order and an earlier one pre-empts the response in progress (C9-110).
func (m *Model) readAgain(s *State, q, i int, psn uint8) {
	r := &s.QPs[q].Rsp
	peer := m.qps[q].peer
	first, last := m.firstPSN(s, peer, i), m.lastPSN(s, peer, i)
	x := Resp{Kind: RespRead, PSN: psn, Again: true, Content: m.readValue(s, q, i, psn)}
	at := int(r.NResp)
	for k := range int(r.NResp) {
		if o := &r.Resp[k]; o.Kind == RespRead && o.PSN >= first && o.PSN <= last {
			if psn < o.PSN {
				x.Again = o.Again
				*o = x
			}
			return
		}
		if r.Resp[k].PSN > psn && k < at {
			at = k
		}
	}
	m.owe(s, q, x)
	if s.Env.Bad == BadNone {
		copy(r.Resp[at+1:r.NResp], r.Resp[at:r.NResp-1])
		r.Resp[at] = x
	}
}

// expected takes the request packet whose PSN is the expected one. A message
// takes its receive WQE at its first packet (F1.21); without one the packet is
// answered with RNR NAK and ePSN stays (F1.18).
func (m *Model) expected(s *State, q int, p Pkt, pick int) {
	r := &s.QPs[q].Rsp
	peer := m.qps[q].peer
	i, ok := m.wqeAt(s, peer, p.PSN)
	if !ok {
		return
	}
	wr := s.QPs[peer].Req.SQ[i]
	w := &m.wrs[wr]
	if m.takesRecvAt(s, peer, i, p.PSN) {
		if !m.claimRecv(s, q, wr, pick) {
			r.NAK = m.dials.rnrCountsAsNAK
			m.owe(s, q, Resp{Kind: RespRNR, PSN: p.PSN})
			return
		}
	}
	r.NAK = false
	if w.op.isRead() { // a READ covers all its response PSNs at once (F1.4)
		r.EPSN += w.npkt
		return
	}
	m.carry(s, q, i, p)
	r.EPSN++
	if p.AckReq {
		r.AckReq |= 1 << i
	}
}

// readsOwed counts the READs and ATOMICs that wait for their first response; a
// duplicate uses the record of the first execution (F1.11, F1.14).
func (m *Model) readsOwed(r *Responder) int {
	n := 0
	for k := range int(r.NResp) {
		if x := &r.Resp[k]; (x.Kind == RespRead || x.Kind == RespAtomic) && !x.Again {
			n++
		}
	}
	return n
}

// refuse answers a request with a fatal NAK: the message in progress is not
// completed with success, what was accepted behind it is forgotten, and when
// the NAK has left the QP goes to ERR (F1.19). st, unless SUCCESS, is the
// status of the receive that the message took.
func (m *Model) refuse(s *State, q int, kind RespKind, st Status) {
	r := &s.QPs[q].Rsp
	m.owe(s, q, Resp{Kind: kind, PSN: r.XPSN})
	r.Fatal = true
	r.EPSN, r.AckReq = r.XPSN, 0
	if st != SUCCESS && r.RQ.Exec < r.RQ.Claim {
		w := &s.WRs[r.RQ.WR[r.RQ.Exec]]
		w.Status, w.Failed = st, true
	}
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

// claimRecv takes the next receive WQE of q, or entry pick of its SRQ, for the
// message of send WR wr.
func (m *Model) claimRecv(s *State, q int, wr uint8, pick int) bool {
	rq := &s.QPs[q].Rsp.RQ
	if srq := m.qps[q].srq; srq >= 0 {
		v := &s.SRQs[srq]
		if pick >= int(v.N) || v.Taken>>pick&1 == 1 {
			return false
		}
		v.Taken |= 1 << pick
		rq.WR[rq.N] = v.WR[pick]
		rq.N++
		m.srqLimit(s, q, srq)
	}
	if rq.Claim == rq.N {
		return false
	}
	if m.track.msg {
		s.WRs[rq.WR[rq.Claim]].Msg = wr + 1
	}
	rq.Claim++
	return true
}

// srqPicks lists the SRQ entries that the message in p may take: any that is
// free, or under srq.fifo the oldest; 0 alone when none is needed or none is
// there.
func (m *Model) srqPicks(s *State, q int, p Pkt, add func(pick int)) {
	peer := m.qps[q].peer
	srq := m.qps[q].srq
	i, ok := m.wqeAt(s, peer, p.PSN)
	if srq < 0 || !ok || p.Kind != PktRequest || p.PSN != s.QPs[q].Rsp.EPSN || !s.QPs[q].takesRequests() || !m.takesRecvAt(s, peer, i, p.PSN) {
		add(0)
		return
	}
	v := &s.SRQs[srq]
	found := false
	for k := range int(v.N) {
		if v.Taken>>k&1 == 0 && !(found && m.dials.srqFIFO) {
			found = true
			add(k)
		}
	}
	if !found {
		add(int(v.N))
	}
}

func executeChoices(m *Model, s *State, out *choices) {
	for q := range s.QPs {
		if qp := &s.QPs[q]; qp.takesRequests() && qp.Rsp.XPSN < qp.Rsp.EPSN {
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
	wr := s.QPs[peer].Req.SQ[i]
	w := &m.wrs[wr]
	if kind, st, bad := m.unfit(s, q, w); bad {
		m.refuse(s, q, kind, st)
		return
	}
	switch {
	case w.op == RDMA_READ:
		r.XPSN += w.npkt
		m.save(r, q, Resp{Kind: RespRead, PSN: psn})
		m.oweInOrder(s, q, Resp{Kind: RespRead, PSN: psn, Content: m.readValue(s, q, i, psn)})
		return
	case w.op.isAtomic():
		r.XPSN++
		if w.remote >= 0 && !m.lazy(w.remote) {
			m.placeUpTo(s, q, i) // who sees it sees all earlier WRITEs (F3.10c, F3.12)
		}
		x := Resp{Kind: RespAtomic, PSN: psn, Content: m.atomic(s, wr)}
		m.save(r, q, x)
		m.oweInOrder(s, q, x)
		return
	case !m.storePacket(s, q, i, psn):
		m.refuse(s, q, RespNAKOp, LOC_PROT_ERR) // F8.14: the responder's WQE is faulty
		return
	}
	r.XPSN++
	if psn != m.lastPSN(s, peer, i) {
		return
	}
	if w.op.consumesRecv() {
		r.RQ.Exec++
	}
	if w.op == SEND_WITH_INV && w.remote >= 0 {
		s.MRs[w.remote].Key = false // before the recv CQE (F3.9)
	}
	if r.AckReq>>i&1 == 1 {
		m.oweInOrder(s, q, Resp{Kind: RespAck, PSN: psn})
		r.AckReq &^= 1 << i
	}
}

// unfit reports whether a request that is next to be executed must be refused:
// its key or access rights do not allow it, it is longer than the receive it
// took, or it is one READ or ATOMIC too many (F1.20, F8.14).
func (m *Model) unfit(s *State, q int, w *wrConf) (kind RespKind, st Status, bad bool) {
	r := &s.QPs[q].Rsp
	if w.remote >= 0 && !m.remoteAllows(s, w.remote, w.op) {
		return RespNAKAccess, SUCCESS, true
	}
	if w.op.consumesRecv() && !w.op.isWrite() {
		if room := m.wrs[r.RQ.WR[r.RQ.Exec]].bytes; room > 0 && w.bytes > room {
			return RespNAKInv, LOC_LEN_ERR, true
		}
	}
	return RespNAKInv, SUCCESS, w.op.isRead() && m.readsOwed(r) >= m.qps[q].maxDestRd
}

// save keeps the result of a READ or ATOMIC for a duplicate, as many as
// max_dest_rd_atomic (F1.11, F1.14).
func (m *Model) save(r *Responder, q int, x Resp) {
	most := min(m.qps[q].maxDestRd, len(r.Atomic))
	if int(r.NSaved) >= most {
		copy(r.Atomic[:], r.Atomic[1:])
		r.NSaved--
	}
	r.Atomic[r.NSaved] = x
	r.NSaved++
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
			lo, hi := m.emitPSNs(s, q, k)
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
	end := x.PSN // one past what it acknowledges (F1.27, F1.28)
	if x.Kind <= RespAckDup {
		end++
	}
	return end <= r.XPSN && (!m.dials.ackAfterCQE || m.reported(s, q, end))
}

// reported reports whether every message to q that takes a receive and ends
// before psn has its recv CQE.
func (m *Model) reported(s *State, q int, psn uint8) bool {
	return psn == 0 || m.messagesTo(s, q, psn-1) <= s.QPs[q].Rsp.RQ.CQE
}

// messagesTo counts the messages to q that take a receive WQE and end at or
// before psn, and in earlier lives of q.
func (m *Model) messagesTo(s *State, q int, psn uint8) uint8 {
	sq := &s.QPs[m.qps[q].peer].Req
	n, end := uint8(0), uint8(0)
	for i := range int(sq.N) {
		w := &m.wrs[sq.SQ[i]]
		if end += w.npkt; end > psn+1 {
			break
		}
		if w.op.consumesRecv() && i >= int(s.QPs[q].Rsp.From) {
			n++
		}
	}
	return n + s.QPs[q].Rsp.RQ.Base
}

// emitPSNs returns the PSNs the k-th owed response may carry. A re-ACK carries
// the last executed PSN, its own, or any between, but never passes a READ or
// ATOMIC that is not answered (F1.15), nor under ack.order_vs_recv_cqe after a
// message that is not reported.
func (m *Model) emitPSNs(s *State, q, k int) (lo, hi uint8) {
	r := &s.QPs[q].Rsp
	x := r.Resp[k]
	if x.Kind != RespAckDup {
		return x.PSN, x.PSN
	}
	last := r.XPSN - 1
	for j := k + 1; j < int(r.NResp); j++ {
		if o := r.Resp[j]; o.Kind >= RespRead && o.PSN > x.PSN {
			last = min(last, o.PSN-1)
		}
	}
	for m.dials.ackAfterCQE && last > x.PSN && !m.reported(s, q, last+1) {
		last--
	}
	switch {
	case m.dials.dupOwn:
		return x.PSN, x.PSN
	case m.dials.dupFree:
		return x.PSN, last
	}
	return last, last
}

var respPkt = [...]PktKind{RespAck: PktAck, RespAckDup: PktAck, RespNAKSeq: PktNAKSeq, RespRNR: PktRNR, RespNAKInv: PktNAKInv,
	RespNAKAccess: PktNAKAccess, RespNAKOp: PktNAKOp, RespRead: PktReadResp, RespAtomic: PktAtomicAck}

func emitApply(m *Model, s *State, c Choice) {
	q := int(c.A)
	r := &s.QPs[q].Rsp
	x := r.Resp[c.B]
	if x.Kind == RespRead {
		m.emitRead(s, q, x)
		return
	}
	r.shift(int(c.B) + 1)
	m.send(s, m.qps[q].out, Pkt{Kind: respPkt[x.Kind], PSN: c.C, Content: x.Content})
	switch x.Kind {
	case RespNAKInv:
		m.raise(s, q, evReqErr)
		m.toError(s, q)
	case RespNAKAccess:
		m.raise(s, q, evAccessErr)
		m.toError(s, q)
	case RespNAKOp:
		m.toError(s, q)
	}
}

// emitRead sends one packet of a READ response. Under read.fetch any_time the
// memory is read, and its key checked, only now (F3.6, F1.14).
func (m *Model) emitRead(s *State, q int, x Resp) {
	r := &s.QPs[q].Rsp
	peer := m.qps[q].peer
	i, _ := m.wqeAt(s, peer, x.PSN)
	w := &m.wrs[s.QPs[peer].Req.SQ[i]]
	if m.dials.readAnyTime {
		if w.remote >= 0 && !m.remoteAllows(s, w.remote, w.op) {
			r.shift(int(r.NResp))
			m.owe(s, q, Resp{Kind: RespNAKAccess, PSN: x.PSN})
			r.Fatal = true
			return
		}
		x.Content = m.fetch(s, q, i, x.PSN)
	}
	m.send(s, m.qps[q].out, Pkt{Kind: PktReadResp, PSN: x.PSN, Content: x.Content})
	if x.PSN == m.lastPSN(s, peer, i) {
		r.shift(1)
	} else {
		r.Resp[0].PSN++
	}
}

func b2u(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
