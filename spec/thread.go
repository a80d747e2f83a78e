package spec

import "slices"

// The programs: each verb is one step; control flow without a choice costs
// none (LANGUAGE, "What the words mean").

func threadChoices(m *Model, s *State, out *choices) {
	for t := range s.Threads {
		th := &m.threads[t]
		if s.Threads[t].PC == 0 || m.dials.sharedCPU && m.cpuTaken(s, th.node) {
			continue
		}
		in := &th.code[s.Threads[t].PC]
		switch {
		case in.op == iIf && m.unsure(s, t, in.expr):
			out.add(t, takeNext, 0)
			out.add(t, takeAlt, 0)
		case in.op == iEither:
			for k := range in.alts {
				out.add(t, k, 0)
			}
		case in.op == iStmt && in.st == OpGetEvent: // the order between CQs of one channel is not ours to give
			for cq := range s.CQs {
				if m.cqs[cq].channel == in.comp && s.CQs[cq].Pending > 0 {
					out.add(t, cq, 0)
				}
			}
		case in.op == iStmt && in.st == OpDestroyQP && m.dials.purgesFree:
			out.add(t, 0, 0)
			out.add(t, 1, 0)
		case m.enabled(s, t, in):
			out.add(t, 0, 0)
		}
	}
}

// Choices of a condition whose value is not defined.
const (
	takeNext = 1
	takeAlt  = 2
)

// unsure reports whether a condition reads the opcode of an error completion,
// which may be anything (F2.14).
func (m *Model) unsure(s *State, t int, e *Expr) bool {
	if e == nil {
		return false
	}
	if e.Op == ExprAtom && e.Atom.Kind == AtomWCOpcode {
		reg := s.Threads[t].Reg[e.Atom.Index]
		return reg > 0 && s.WRs[reg-1].Status != SUCCESS
	}
	return slices.ContainsFunc(e.Kids, func(k *Expr) bool { return m.unsure(s, t, k) })
}

// cpuTaken reports whether the node's adapter, which shares the programs' CPU,
// has work: it finishes that first (M1 against M4).
func (m *Model) cpuTaken(s *State, node int) bool {
	for q := range s.QPs {
		if m.qps[q].node == node && s.QPs[q].Rsp.NResp > 0 {
			return true
		}
	}
	return m.hcaBusy(s, node)
}

// enabled reports whether thread t can take its instruction now.
func (m *Model) enabled(s *State, t int, in *instr) bool {
	switch in.op {
	case iPoll:
		return !in.blocks || s.CQs[in.cq].N > 0
	case iStmt:
		return m.stmtEnabled(s, t, in)
	}
	return in.op != iEnd
}

func (m *Model) stmtEnabled(s *State, t int, in *instr) bool {
	switch in.st {
	case OpWait:
		return m.eval(s, in.expr, t) != 0
	case OpLock:
		return s.Env.Locks[in.lock] == 0
	case OpGetEvent:
		for cq := range s.CQs {
			if m.cqs[cq].channel == in.comp && s.CQs[cq].Pending > 0 {
				return true
			}
		}
		return false
	case OpGetAsync:
		return s.QPs[in.qp].Events>>in.event&1 == 1 && s.QPs[in.qp].Events>>(in.event+8)&1 == 0
	case OpDrainSQ: // waits for its marker (F2.27)
		return m.markersPolled(s, in.site)
	case OpDestroyCQ:
		return s.CQs[in.cq].Unacked == 0 // F4.7
	case OpHear:
		return s.Env.Told[in.ch] > 0 && s.Env.Queue[in.ch][0] == uint8(in.n)
	case OpAtomic:
		return len(in.body) == 0 || m.stmtEnabled(s, t, &in.body[0])
	}
	return true
}

// markersPolled reports whether no marker of a drain is still under way.
func (m *Model) markersPolled(s *State, site int) bool {
	for k := range m.sites[site].n {
		if p := s.WRs[m.sites[site].first+k].Phase; p == Posted || p == Completed {
			return false
		}
	}
	return true
}

func threadApply(m *Model, s *State, c Choice) {
	t := int(c.A)
	th := &s.Threads[t]
	in := &m.threads[t].code[th.PC]
	switch in.op {
	case iPoll:
		if s.CQs[in.cq].N == 0 {
			th.PC = in.alt
			return
		}
		wr := m.pollCQ(s, in.cq)
		th.Reg[in.reg] = wr + 1
		th.PC = in.on[m.wrs[wr].site]
	case iIf:
		th.PC = in.alt
		if c.B == takeNext || c.B != takeAlt && m.eval(s, in.expr, t) != 0 {
			th.PC = in.next
		}
	case iEither:
		th.PC = in.alts[c.B]
	case iStmt:
		th.PC = in.next
		m.do(s, t, in, int(c.B))
	}
	m.forget(s, t)
}

// forget clears the registers that the thread's next instruction is outside
// of, so that past completions do not tell states apart.
func (m *Model) forget(s *State, t int) {
	th := &s.Threads[t]
	for i := int(m.threads[t].code[th.PC].regs); i < maxRegs; i++ {
		th.Reg[i] = 0
	}
}

// do executes one statement; pick chooses among its outcomes.
func (m *Model) do(s *State, t int, in *instr, pick int) {
	switch in.st {
	case OpPostSend, OpPostRecv:
		m.post(s, in.site)
	case OpSet:
		m.setVar(s, in.v, m.eval(s, in.expr, t))
	case OpCount:
		m.setVar(s, in.v, int(s.Env.Vars[in.v])+m.vars[in.v].lo+1)
	case OpLock:
		s.Env.Locks[in.lock] = uint8(t) + 1
	case OpUnlock:
		if s.Env.Locks[in.lock] != uint8(t)+1 {
			m.end(s, BadState, in.lock)
		}
		s.Env.Locks[in.lock] = 0
	case OpTell:
		m.tell(s, in)
	case OpHear:
		q := &s.Env.Queue[in.ch]
		copy(q[:], q[1:])
		q[len(q)-1] = 0
		s.Env.Told[in.ch]--
	case OpModifyQP:
		m.modifyQP(s, in.qp, in.state)
	case OpDestroyQP:
		m.destroyQP(s, in.qp, m.dials.purges || pick == 1)
	case OpCreateQP:
		m.createQP(s, in.qp)
	case OpReqNotify:
		m.reqNotify(s, t, in)
	case OpGetEvent:
		s.CQs[pick].Pending--
		s.CQs[pick].Unacked = min(s.CQs[pick].Unacked+1, overAcked)
		s.Threads[t].Ev = uint8(pick) + 1
	case OpAckEvents:
		m.ackEvents(s, t, in)
	case OpGetAsync:
		s.QPs[in.qp].Events |= 1 << (in.event + 8)
	case OpArmSRQ:
		s.SRQs[in.srq].Limit = uint8(in.n)
	case OpDestroyCQ:
		s.CQs[in.cq].Dead = true
	case OpFree, OpAlloc, OpWrite, OpRegMR, OpDeregMR, OpInvalidate:
		m.memoryVerb(s, in)
	case OpAssertHere:
		if m.eval(s, in.expr, t) == 0 {
			m.end(s, BadAssert, t)
		}
	case OpAtomic:
		m.doAll(s, t, in.body)
	case OpIf: // only inside of an atomic block
		if m.eval(s, in.expr, t) != 0 {
			m.doAll(s, t, in.body)
		} else {
			m.doAll(s, t, in.els)
		}
	}
}

func (m *Model) doAll(s *State, t int, body []instr) {
	for i := range body {
		m.do(s, t, &body[i], 0)
	}
}

func (m *Model) tell(s *State, in *instr) {
	n := s.Env.Told[in.ch]
	if int(n) == len(s.Env.Queue[in.ch]) {
		m.bound(s, BoundChan, in.ch)
		return
	}
	s.Env.Queue[in.ch][n] = uint8(in.n)
	s.Env.Told[in.ch]++
}

// end ends the run for an error of the program, which allow cannot turn off.
func (m *Model) end(s *State, b Bad, arg int) {
	if s.Env.Bad == BadNone {
		s.Env.Bad, s.Env.BadArg = b, uint8(arg)
	}
}

func (m *Model) setVar(s *State, v, value int) {
	d := &m.vars[v]
	if value < d.lo || value > d.hi {
		m.end(s, BadRange, v)
		return
	}
	s.Env.Vars[v] = uint8(value - d.lo)
}

// post posts the next instance of a WR site. A post that cannot be done is a
// finding; where that is allowed, the WR is not posted and the program goes on.
func (m *Model) post(s *State, site int) {
	wr, ok := m.nextInstance(s, site)
	if !ok {
		m.bound(s, BoundInst, site)
		return
	}
	w := &m.wrs[wr]
	if w.recv {
		m.postRecv(s, wr)
		return
	}
	qp := &s.QPs[w.qp]
	switch {
	case qp.State < RTS || qp.State == DESTROYED: // F2.18, F2.19
		m.sanitize(s, BadState, w.qp)
		return
	case m.qps[w.qp].maxSend > 0 && int(qp.Req.N-qp.Req.Freed) >= m.qps[w.qp].maxSend:
		m.sanitize(s, m.sqFull(s, w.qp), w.qp)
		return
	}
	qp.Req.SQ[qp.Req.N] = uint8(wr)
	qp.Req.N++
	m.posted(s, wr)
}

// sqFull tells a send queue that will never have room again, because nothing
// in it is signaled (F2.12), from one that is full now.
func (m *Model) sqFull(s *State, q int) Bad {
	r := &s.QPs[q].Req
	for i := int(r.Freed); i < int(r.N); i++ {
		if m.wrs[r.SQ[i]].sig {
			return BadSQ
		}
	}
	return BadSQLeak
}

// posted notes what a WR takes along from the moment of its post.
func (m *Model) posted(s *State, wr int) {
	w := &m.wrs[wr]
	s.WRs[wr].Phase = Posted
	if len(w.sge) == 0 {
		return
	}
	if m.track.gen {
		s.WRs[wr].Gen = s.MRs[w.sge[0]].Gen
	}
	if w.inline && m.track.data {
		s.WRs[wr].Val = s.MRs[w.sge[0]].Value[0].Val
	}
}

// postRecv posts a receive; it is legal from INIT on (C10-97.2.1).
func (m *Model) postRecv(s *State, wr int) {
	w := &m.wrs[wr]
	if w.srq >= 0 {
		m.postSRQRecv(s, wr)
		return
	}
	qp := &s.QPs[w.qp]
	rq := &qp.Rsp.RQ
	switch {
	case qp.State == RESET || qp.State == DESTROYED:
		m.sanitize(s, BadState, w.qp)
		return
	case m.qps[w.qp].maxRecv > 0 && int(rq.N-rq.Freed) >= m.qps[w.qp].maxRecv:
		m.sanitize(s, BadRQ, w.qp)
		return
	}
	rq.WR[rq.N] = uint8(wr)
	rq.N++
	m.posted(s, wr)
}

// postSRQRecv posts a receive to an SRQ. Its places are those of receives whose
// CQE was not polled yet.
func (m *Model) postSRQRecv(s *State, wr int) {
	srq := m.wrs[wr].srq
	v := &s.SRQs[srq]
	held := 0
	for k := range int(v.N) {
		if s.WRs[v.WR[k]].Phase != Polled {
			held++
		}
	}
	if most := m.srqs[srq].max; most > 0 && held >= most {
		m.sanitize(s, BadSRQ, srq)
		return
	}
	v.WR[v.N] = uint8(wr)
	v.N++
	m.posted(s, wr)
}

// nextInstance returns the first instance of a site that is not posted yet.
func (m *Model) nextInstance(s *State, site int) (int, bool) {
	sc := &m.sites[site]
	for k := range sc.n {
		if s.WRs[sc.first+k].Phase == Unposted {
			return sc.first + k, true
		}
	}
	return 0, false
}

// modifyQP moves a QP to another state; a transition that verbs does not know
// is a post in the wrong state's kin (bad_state).
func (m *Model) modifyQP(s *State, q int, to QPState) {
	qp := &s.QPs[q]
	switch from := qp.State; {
	case from == DESTROYED:
		m.sanitize(s, BadState, q)
	case to == ERR && from != RESET:
		m.toError(s, q)
	case to == RESET:
		m.discard(s, q)
		qp.State = RESET
	case from == INIT && to == RTR: // it takes the PSN that its peer starts from (F8.9)
		if p := m.qps[q].peer; p >= 0 {
			qp.Rsp.EPSN = m.firstPSN(s, p, int(s.QPs[p].Req.Base))
			qp.Rsp.XPSN = qp.Rsp.EPSN
			qp.Rsp.From = s.QPs[p].Req.Base
		}
		qp.State = RTR
	case from == RESET && to == INIT, from == RTR && to == RTS, from == SQD && to == RTS, from == RTS && to == SQD:
		qp.State = to
		qp.Events &^= 1<<evSQDrained | 1<<(evSQDrained+8)
	default:
		m.sanitize(s, BadState, q)
	}
}
