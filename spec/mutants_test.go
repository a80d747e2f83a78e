package spec

import "slices"

// A Mutant is a wrong rule: most are bugs that some device has had. It wraps a
// rule of the table, so that the rules themselves know nothing of it. Each must
// turn some scenario of the catalogue red (TestMutants).
type Mutant struct {
	Name string
	Doc  string // what the device does wrong, against which fact
	wrap map[int]wrapped
}

// A wrapped rule replaces its choices or its effect; nil keeps it. It is given
// the rule itself.
type wrapped struct {
	choices func(r *rule, m *Model, s *State, out *choices)
	apply   func(r *rule, m *Model, s *State, c Choice)
}

// On puts the mutant in force and returns what takes it back. No model may be
// in use meanwhile.
func (x *Mutant) On() (off func()) {
	right := ruleTable
	ruleTable = slices.Clone(right)
	for i, w := range x.wrap {
		r := right[i]
		if w.choices != nil {
			ruleTable[i].choices = func(m *Model, s *State, out *choices) { w.choices(&r, m, s, out) }
		}
		if w.apply != nil {
			ruleTable[i].apply = func(m *Model, s *State, c Choice) { w.apply(&r, m, s, c) }
		}
	}
	return func() { ruleTable = right }
}

// Mutants lists them all: the wrong rules, then the table without each of its
// rules. A rule that can go without a trace is dead or untested.
func Mutants() []Mutant {
	all := slices.Concat(responderMutants, requesterMutants, completionMutants, verbsMutants, memoryMutants)
	for r, name := range Rules() {
		none := wrapped{choices: func(*rule, *Model, *State, *choices) {}}
		all = append(all, Mutant{"without " + name, "the rule is missing", map[int]wrapped{r: none}})
	}
	return all
}

// effect makes a mutant of what a rule does.
func effect(f func(r *rule, m *Model, s *State, c Choice)) wrapped { return wrapped{apply: f} }

// after makes a mutant that spoils what a rule has done; prev is the state
// before.
func after(f func(m *Model, prev, s *State, c Choice)) wrapped {
	return effect(func(r *rule, m *Model, s *State, c Choice) {
		prev := m.newState()
		prev.copyFrom(s)
		r.apply(m, s, c)
		f(m, prev, s, c)
	})
}

// among makes a mutant of when a rule may be taken.
func among(f func(r *rule, m *Model, s *State, out *choices)) wrapped { return wrapped{choices: f} }

// An incoming is a request that a deliver has brought.
type incoming struct {
	q, peer, i int // responder, requester, index in its send queue
	wr         uint8
	op         Opcode
	psn        uint8
	duplicate  bool
}

// onRequest makes a mutant that spoils what a responder does with a request.
func onRequest(f func(m *Model, prev, s *State, x incoming)) map[int]wrapped {
	return map[int]wrapped{ruleDeliver: after(func(m *Model, prev, s *State, c Choice) {
		p := prev.Wires[c.A].Pkt[c.B]
		q := m.wires[c.A].to
		if p.Kind != PktRequest || !prev.QPs[q].takesRequests() {
			return
		}
		peer := m.qps[q].peer
		if i, ok := m.wqeAt(s, peer, p.PSN); ok {
			wr := s.QPs[peer].Req.SQ[i]
			f(m, prev, s, incoming{q, peer, i, wr, m.wrs[wr].op, p.PSN, p.PSN < prev.QPs[q].Rsp.EPSN})
		}
	})}
}

var responderMutants = []Mutant{
	{"executes a duplicate SEND", "no duplicate check (F1.14)", onRequest(func(m *Model, _, s *State, x incoming) {
		if x.duplicate && x.op == SEND && m.claimRecv(s, x.q, x.wr, 0) {
			s.QPs[x.q].Rsp.RQ.Exec++
		}
	})},
	{"executes a duplicate WRITE", "no duplicate check (F1.14)", onRequest(func(m *Model, _, s *State, x incoming) {
		if x.duplicate && x.op.isWrite() {
			m.storePacket(s, x.q, x.i, x.psn)
		}
	})},
	{"executes a duplicate ATOMIC", "no saved result (F1.14)", onRequest(func(m *Model, _, s *State, x incoming) {
		if r := &s.QPs[x.q].Rsp; x.duplicate && x.op.isAtomic() && r.NResp > 0 {
			r.Resp[r.NResp-1].Content = m.atomic(s, x.wr)
		}
	})},
	{"answers a duplicate READ from what it saved", "not executed again (F1.14)", map[int]wrapped{
		ruleExecute: after(func(m *Model, _, s *State, c Choice) {
			if r := &s.QPs[c.A].Rsp; r.NResp > 0 && r.Resp[r.NResp-1].Kind == RespRead && r.NSaved > 0 {
				r.Atomic[r.NSaved-1].Content = r.Resp[r.NResp-1].Content
			}
		}),
		ruleDeliver: onRequest(func(m *Model, _, s *State, x incoming) {
			r := &s.QPs[x.q].Rsp
			for k := range r.Resp[:r.NResp] {
				for _, o := range r.Atomic[:r.NSaved] {
					if x.duplicate && r.Resp[k].Kind == RespRead && r.Resp[k].PSN == o.PSN {
						r.Resp[k].Content = o.Content
					}
				}
			}
		})[ruleDeliver],
	}},
	{"does not acknowledge a duplicate", "the first ACK may be lost (C9-105)", onRequest(func(m *Model, _, s *State, x incoming) {
		if r := &s.QPs[x.q].Rsp; x.duplicate && r.NResp > 0 && r.Resp[r.NResp-1].Kind == RespAckDup {
			r.NResp--
			r.Resp[r.NResp] = Resp{}
		}
	})},
	{"acknowledges before it executes", "F1.17(1)", map[int]wrapped{
		ruleDeliver: onRequest(func(m *Model, _, s *State, x incoming) {
			r := &s.QPs[x.q].Rsp
			if r.AckReq>>x.i&1 == 1 && x.psn == m.lastPSN(s, x.peer, x.i) {
				r.AckReq &^= 1 << x.i
				m.owe(s, x.q, Resp{Kind: RespAck, PSN: x.psn})
			}
		})[ruleDeliver],
		ruleEmit: among(func(r *rule, m *Model, s *State, out *choices) {
			r.choices(m, s, out)
			for q := range s.QPs {
				if p := &s.QPs[q].Rsp; p.NResp > 0 && p.Resp[0].Kind == RespAck && p.Resp[0].PSN >= p.XPSN {
					out.add(q, 0, int(p.Resp[0].PSN))
				}
			}
		}),
	}},
	{"sends a NAK for every packet ahead", "more than one outstanding (F1.13)", onRequest(func(m *Model, prev, s *State, x incoming) {
		if r := &s.QPs[x.q].Rsp; x.psn > r.EPSN && prev.QPs[x.q].Rsp.NAK {
			m.owe(s, x.q, Resp{Kind: RespNAKSeq, PSN: r.EPSN})
		}
	})},
	{"takes a packet that it answers with RNR NAK", "ePSN moves (F1.18)", onRequest(func(_ *Model, prev, s *State, x incoming) {
		if r := &s.QPs[x.q].Rsp; x.psn == r.EPSN && r.NResp > prev.QPs[x.q].Rsp.NResp {
			r.EPSN++
			r.XPSN = max(r.XPSN, r.EPSN)
		}
	})},
	{"takes a receive for a plain WRITE", "C10-87", onRequest(func(m *Model, _, s *State, x incoming) {
		if r := &s.QPs[x.q].Rsp; !x.duplicate && x.op == RDMA_WRITE && m.claimRecv(s, x.q, x.wr, 0) {
			r.RQ.Exec++
		}
	})},
	{"covers an unanswered READ with a re-ACK", "F1.15, F1.25", map[int]wrapped{ruleEmit: among(func(r *rule, m *Model, s *State, out *choices) {
		r.choices(m, s, out)
		for q := range s.QPs {
			p := &s.QPs[q].Rsp
			if c := (Choice{uint8(q), 0, p.XPSN - 1, 0}); p.NResp > 0 && p.Resp[0].Kind == RespAckDup && !slices.Contains(out.list, c) {
				out.list = append(out.list, c)
			}
		}
	})}},
	{"acknowledges one PSN too many", "off by one (C9-95)", map[int]wrapped{ruleEmit: ackPSN(1)}},
	{"acknowledges one PSN too few", "off by one (C9-95)", map[int]wrapped{ruleEmit: ackPSN(-1)}},
	{"stays in RTS after a fatal NAK", "F1.19", map[int]wrapped{ruleEmit: after(func(_ *Model, prev, s *State, c Choice) {
		if prev.QPs[c.A].State == RTS {
			s.QPs[c.A].State = RTS
		}
	})}},
	{"executes in ERR", "F1.22", map[int]wrapped{ruleExecute: among(func(r *rule, m *Model, s *State, out *choices) {
		r.choices(m, s, out)
		for q := range s.QPs {
			if s.QPs[q].State == ERR && s.QPs[q].Rsp.XPSN < s.QPs[q].Rsp.EPSN {
				out.add(q, 0, 0)
			}
		}
	})}},
	{"raises no COMM_EST", "F2.19", onRequest(func(_ *Model, prev, s *State, x incoming) { s.QPs[x.q].Events = prev.QPs[x.q].Events })},
}

// ackPSN moves the PSN of ACKs.
func ackPSN(by int) wrapped {
	return effect(func(r *rule, m *Model, s *State, c Choice) {
		if s.QPs[c.A].Rsp.Resp[c.B].Kind == RespAck {
			c.C = uint8(int(c.C) + by)
		}
		r.apply(m, s, c)
	})
}

// onResponse makes a mutant that looks at a response before it is processed,
// and discards it if f returns false.
func onResponse(f func(m *Model, s *State, q int, p Pkt) bool) map[int]wrapped {
	return map[int]wrapped{ruleProcess: effect(func(r *rule, m *Model, s *State, c Choice) {
		v := &s.Wires[m.qps[c.A].in]
		if f(m, s, int(c.A), v.Pkt[0]) {
			r.apply(m, s, c)
			return
		}
		v.remove(0)
	})}
}

var requesterMutants = []Mutant{
	{"lifts the fence at the first READ", "siw (F3.7)", map[int]wrapped{ruleTransmit: among(func(r *rule, m *Model, s *State, out *choices) {
		lax := *m
		lax.dials.liftFirst = true
		r.choices(&lax, s, out)
	})}},
	{"ignores max_rd_atomic", "F1.10", map[int]wrapped{ruleTransmit: among(func(r *rule, m *Model, s *State, out *choices) {
		lax := *m
		lax.qps = slices.Clone(m.qps)
		for q := range lax.qps {
			lax.qps[q].maxRd = maxQueue
		}
		r.choices(&lax, s, out)
	})}},
	{"begins new messages in SQD", "F2.21", map[int]wrapped{ruleTransmit: among(func(r *rule, m *Model, s *State, out *choices) {
		lax := m.newState()
		lax.copyFrom(s)
		for q := range lax.QPs {
			if lax.QPs[q].State == SQD {
				lax.QPs[q].State = RTS
			}
		}
		r.choices(m, lax, out)
	})}},
	{"completes at transmission", "as iWARP may (F5.6), RC not (F2.1)", map[int]wrapped{ruleTransmit: after(func(_ *Model, _, s *State, c Choice) {
		s.QPs[c.A].Req.UnackedPSN = s.QPs[c.A].Req.NextPSN
	})}},
	{"resends from a copy", "the buffer is read again (F1.32)", map[int]wrapped{ruleTransmit: effect(func(r *rule, m *Model, s *State, c Choice) {
		again := s.QPs[c.A].Req.NextPSN < s.QPs[c.A].Req.MaxPSN
		mrs := slices.Clone(s.MRs)
		for i := range s.MRs {
			s.MRs[i].Freed = s.MRs[i].Freed && !again
		}
		r.apply(m, s, c)
		copy(s.MRs, mrs)
	})}},
	{"reads INLINE data when it sends", "it is copied at the post (F2.13)", map[int]wrapped{ruleTransmit: effect(func(r *rule, m *Model, s *State, c Choice) {
		i, _ := m.wqeAt(s, int(c.A), s.QPs[c.A].Req.NextPSN)
		if wr := s.QPs[c.A].Req.SQ[i]; m.wrs[wr].inline && len(m.wrs[wr].sge) > 0 {
			s.WRs[wr].Val = s.MRs[m.wrs[wr].sge[0]].Value[0].Val
		}
		r.apply(m, s, c)
	})}},
	{"does not restore the retry counter", "progress restores it (F1.33)", map[int]wrapped{ruleProcess: after(func(_ *Model, prev, s *State, c Choice) {
		r := &s.QPs[c.A].Req
		r.RetriesLeft = min(r.RetriesLeft, prev.QPs[c.A].Req.RetriesLeft)
	})}},
	{"does not count retries", "F1.33", map[int]wrapped{ruleTimeout: after(keepRetries), ruleProcess: after(keepRetries)}},
	{"does not count RNR retries", "F1.34", onResponse(func(_ *Model, s *State, q int, _ Pkt) bool {
		s.QPs[q].Req.RNRLeft = max(s.QPs[q].Req.RNRLeft, 1)
		return true
	})},
	{"takes a sequence NAK for an ACK of its PSN", "only of what is before (F1.28)", onResponse(func(m *Model, s *State, q int, p Pkt) bool {
		if p.Kind == PktNAKSeq {
			m.advance(s, q, p.PSN+1)
		}
		return true
	})},
	{"completes a message by the ACK of its first packet", "F1.25", map[int]wrapped{ruleProcess: after(func(m *Model, _, s *State, c Choice) {
		r := &s.QPs[c.A].Req
		if i, ok := m.wqeAt(s, int(c.A), r.UnackedPSN); ok && r.UnackedPSN > m.firstPSN(s, int(c.A), i) {
			r.UnackedPSN = m.lastPSN(s, int(c.A), i) + 1
			r.NextPSN = max(r.NextPSN, r.UnackedPSN)
		}
	})}},
	{"does not take a READ response for an ACK", "F1.27", onResponse(func(_ *Model, s *State, q int, p Pkt) bool {
		return p.Kind != PktReadResp || p.PSN <= s.QPs[q].Req.UnackedPSN
	})},
	{"does not see that a READ response is missing", "implied NAK (F1.29)", map[int]wrapped{ruleProcess: after(func(m *Model, prev, s *State, c Choice) {
		if k := prev.Wires[m.qps[c.A].in].Pkt[0].Kind; k == PktAck || k == PktReadResp {
			s.QPs[c.A].Req.NextPSN = max(s.QPs[c.A].Req.NextPSN, prev.QPs[c.A].Req.NextPSN)
		}
	})}},
	{"expires though the answer is coming", "only when needed (PROTOCOL 9.3)", map[int]wrapped{ruleTimeout: among(func(_ *rule, m *Model, s *State, out *choices) {
		for q := range s.QPs {
			if m.timerRuns(s, q) {
				out.add(q, 0, 0)
			}
		}
	})}},
	{"executes LOCAL_INV at the post", "10.6.5.1", map[int]wrapped{ruleLocal: among(func(r *rule, m *Model, s *State, out *choices) {
		lax := *m
		lax.dials.invStrict = false
		r.choices(&lax, s, out)
	})}},
}

func keepRetries(_ *Model, prev, s *State, c Choice) {
	if s.QPs[c.A].State == prev.QPs[c.A].State {
		s.QPs[c.A].Req.RetriesLeft = prev.QPs[c.A].Req.RetriesLeft
	}
}

var completionMutants = []Mutant{
	{"flushes what was executed", "success first (F2.17)", map[int]wrapped{ruleRecvCQE: after(func(m *Model, prev, s *State, c Choice) {
		if rq := &prev.QPs[c.A].Rsp.RQ; prev.QPs[c.A].State == ERR && rq.CQE < rq.Exec {
			s.WRs[rq.WR[rq.CQE]].Status = WR_FLUSH_ERR
		}
	})}},
	{"writes the youngest recv CQE first", "F2.6", map[int]wrapped{ruleRecvCQE: effect(func(r *rule, m *Model, s *State, c Choice) {
		rq := &s.QPs[c.A].Rsp.RQ
		right := *rq
		for k := rq.CQE; k < rq.Exec; k++ { // what is open, in the wrong order
			rq.WR[k] = right.WR[rq.Exec-1-(k-rq.CQE)]
		}
		wr := rq.WR[rq.CQE]
		r.apply(m, s, c)
		rq.WR = right.WR
		if s.WRs[wr].Phase != Completed {
			rq.WR[rq.CQE-1] = wr
		}
	})}},
	{"completes again at a ghost ACK", "F1.30", onResponse(func(m *Model, s *State, q int, p Pkt) bool {
		r, cq := &s.QPs[q].Req, m.qps[q].sendCQ
		if p.Kind == PktAck && p.PSN < r.UnackedPSN && r.Done > 0 && int(s.CQs[cq].N)+1 < m.lay.cq[cq] {
			r.Done--
		}
		return true
	})},
	{"merges the CQEs of one ACK", "each has its own (I15)", map[int]wrapped{ruleSendCQE: effect(func(r *rule, m *Model, s *State, c Choice) {
		q := &s.QPs[c.A].Req
		if i, _ := m.nextSendCQE(s, int(c.A)); i+1 < int(q.N) && m.acked(s, int(c.A), i) && m.acked(s, int(c.A), i+1) {
			q.Done = uint8(i) + 1
		}
		r.apply(m, s, c)
	})}},
	{"loses the error completion of an unsignaled WR", "10.7.3.1", map[int]wrapped{ruleSendCQE: effect(func(r *rule, m *Model, s *State, c Choice) {
		i, _ := m.nextSendCQE(s, int(c.A))
		if q := &s.QPs[c.A].Req; s.QPs[c.A].State == ERR && !m.wrs[q.SQ[i]].sig {
			q.Done = uint8(i) + 1
			return
		}
		r.apply(m, s, c)
	})}},
	{"gives the slot back with the CQE", "when it is polled (F2.12)", map[int]wrapped{ruleSendCQE: after(func(_ *Model, _, s *State, c Choice) {
		s.QPs[c.A].Req.Freed = s.QPs[c.A].Req.Done
	})}},
	{"loses a CQE and goes on when a CQ overruns", "F2.26", map[int]wrapped{ruleRecvCQE: after(func(m *Model, prev, s *State, c Choice) {
		if cq := m.qps[c.A].recvCQ; s.CQs[cq].Dead && !prev.CQs[cq].Dead {
			s.CQs[cq].Dead = false
			rq := s.QPs[c.A].Rsp.RQ
			s.QPs[c.A] = prev.QPs[c.A]
			s.QPs[c.A].Rsp.RQ = rq
		}
	})}},
	{"fires more than once", "one shot (F4.2)", map[int]wrapped{ruleRecvCQE: after(func(m *Model, prev, s *State, c Choice) {
		cq := m.qps[c.A].recvCQ
		s.CQs[cq].Arm = prev.CQs[cq].Arm
	})}},
	{"fires for any CQE when armed for solicited ones", "F4.1", map[int]wrapped{ruleRecvCQE: effect(func(r *rule, m *Model, s *State, c Choice) {
		if v := &s.CQs[m.qps[c.A].recvCQ]; v.Arm == armSolicited {
			v.Arm = armNext
		}
		r.apply(m, s, c)
	})}},
	{"raises LAST_WQE_REACHED at once", "after the last CQE (F2.24)", map[int]wrapped{ruleAsync: among(func(r *rule, m *Model, s *State, out *choices) {
		r.choices(m, s, out)
		for q := range s.QPs {
			if v := &s.QPs[q]; v.State == ERR && m.qps[q].srq >= 0 && v.Events>>evLastWQE&1 == 0 && v.Rsp.RQ.CQE < v.Rsp.RQ.N {
				out.add(q, evLastWQE, 0)
			}
		}
	})}},
	{"raises SQ_DRAINED at once", "when all is answered (F2.21)", map[int]wrapped{ruleAsync: among(func(r *rule, m *Model, s *State, out *choices) {
		r.choices(m, s, out)
		for q := range s.QPs {
			if v := &s.QPs[q]; v.State == SQD && v.Events>>evSQDrained&1 == 0 && v.Req.UnackedPSN < v.Req.MaxPSN {
				out.add(q, evSQDrained, 0)
			}
		}
	})}},
}

// onVerb makes a mutant that spoils what a statement has done.
func onVerb(op Op, f func(m *Model, s *State, in *instr)) map[int]wrapped {
	return map[int]wrapped{ruleThread: after(func(m *Model, prev, s *State, c Choice) {
		if in := &m.threads[c.A].code[prev.Threads[c.A].PC]; in.op == iStmt && in.st == op {
			f(m, s, in)
		}
	})}
}

var verbsMutants = []Mutant{
	{"fires for a CQE that is there", "F4.3", onVerb(OpReqNotify, func(m *Model, s *State, in *instr) {
		if v := &s.CQs[in.cq]; v.N > 0 && v.Arm > 0 {
			v.Arm = 0
			v.Pending++
		}
	})},
	{"arms weaker than before", "C11-31, C11-32", onVerb(OpReqNotify, func(m *Model, s *State, in *instr) {
		if in.solicited {
			s.CQs[in.cq].Arm = armSolicited
		}
	})},
	{"does not flush what is posted in ERR", "C10-96", map[int]wrapped{ruleSendCQE: among(func(r *rule, m *Model, s *State, out *choices) {
		var all choices
		r.choices(m, s, &all)
		for _, c := range all.list {
			if i, _ := m.nextSendCQE(s, int(c.A)); s.QPs[c.A].State != ERR || m.lastPSN(s, int(c.A), i) < s.QPs[c.A].Req.MaxPSN {
				out.list = append(out.list, c)
			}
		}
	})}},
}

var memoryMutants = []Mutant{
	{"invalidates when the receive is polled", "before its CQE (F3.9)", map[int]wrapped{
		ruleExecute: after(func(_ *Model, prev, s *State, _ Choice) {
			for i := range s.MRs {
				s.MRs[i].Key = prev.MRs[i].Key
			}
		}),
		ruleThread: after(func(m *Model, prev, s *State, _ Choice) {
			for wr := range s.WRs {
				w := &m.wrs[wr]
				polled := slices.ContainsFunc(s.WRs, func(v WRVars) bool { return v.Phase == Polled })
				if polled && w.op == SEND_WITH_INV && m.happened(s, wr, WRExecuted) {
					s.MRs[w.remote].Key = false
				}
			}
		}),
	}},
	{"lets a dead key pass", "F1.19", map[int]wrapped{ruleExecute: effect(func(r *rule, m *Model, s *State, c Choice) {
		mrs := slices.Clone(s.MRs)
		for i := range s.MRs {
			s.MRs[i].Key = true
		}
		r.apply(m, s, c)
		for i := range s.MRs {
			s.MRs[i].Key = mrs[i].Key
		}
	})}},
	{"completes a receive before the WRITEs are visible", "F3.10, F3.11", map[int]wrapped{ruleRecvCQE: after(func(_ *Model, prev, s *State, _ Choice) {
		copy(s.MRs, prev.MRs)
		for wr := range s.WRs {
			s.WRs[wr].Placed = prev.WRs[wr].Placed
		}
	})}},
	{"reads what the CPU sees, not what was written", "F3.5", map[int]wrapped{ruleEmit: after(func(m *Model, prev, s *State, c Choice) {
		v := &s.Wires[m.qps[c.A].out]
		if v.N == 0 || v.Pkt[v.N-1].Kind != PktReadResp || s.Env.Bad != BadNone {
			return
		}
		p := &v.Pkt[v.N-1]
		peer := m.qps[c.A].peer
		i, _ := m.wqeAt(s, peer, p.PSN)
		if w := &m.wrs[s.QPs[peer].Req.SQ[i]]; w.remote >= 0 {
			p.Content = s.MRs[w.remote].Seen[0]
		}
	})}},
}
