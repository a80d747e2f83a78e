package spec

import "slices"

// Reductions by what the model knows of itself. In some states there is a step
// that nothing else can prevent, alter, or be altered by, and that no property
// and no program can see: taking it first loses no verdict, so it is the only
// one explored there. docs/search.md has the argument for each; the full search
// stays available and tests compare the two.

// A Reduction is a set of kinds of eager steps.
type Reduction uint8

// The kinds of eager steps.
const (
	EagerPosts   Reduction = 1 << iota // post_send: a late post is an early post that is sent late
	EagerPolls                         // polls of completions that nobody handles or asks about
	EagerCQEs                          // writing such completions
	EagerExecute                       // executing a message right after its acceptance
	EagerAcks                          // processing an ACK right after its arrival

	NoReduction  Reduction = 0
	AllReduction           = EagerPosts | EagerPolls | EagerCQEs | EagerExecute | EagerAcks
)

var reductionNames = []string{"posts", "polls", "cqes", "execute", "acks"}

// Reductions lists the names of the kinds of eager steps.
func Reductions() []string { return reductionNames }

// ReductionOf returns the set with those names; ok is false for an unknown one.
func ReductionOf(names []string) (r Reduction, ok bool) {
	for _, n := range names {
		i := slices.Index(reductionNames, n)
		if i < 0 {
			return 0, false
		}
		r |= 1 << i
	}
	return r, true
}

// Names lists the kinds of eager steps of a set.
func (r Reduction) Names() []string {
	var names []string
	for i, n := range reductionNames {
		if r>>i&1 == 1 {
			names = append(names, n)
		}
	}
	return names
}

// Reduction returns the kinds of eager steps in use.
func (m *Model) Reduction() Reduction { return m.eager.use }

// Full returns the model without eager steps; its states are the same.
func (m *Model) Full() *Model {
	full := *m
	full.eager = eagerness{}
	return &full
}

// eagerness is what the conditions of the reductions come to for a scenario.
type eagerness struct {
	use      Reduction
	postSite []bool // by WR site: it may be posted eagerly
	quiet    []bool // by WR site: nobody asks about its completion
	cqQuiet  []bool // by CQ: an implicit poller without limits or events
	safe     bool   // no QP can fail
	execute  bool
	acks     bool
}

// Reduce makes the model explore eager steps alone where it has one. It must be
// called before the search.
func (m *Model) Reduce(r Reduction) {
	if r == NoReduction || m.dials.sharedCPU || m.asksForSteps() {
		m.eager = eagerness{}
		return
	}
	e := eagerness{use: r}
	a := m.asked()
	noErr := m.cannotFail()
	for site := range m.sites {
		e.postSite = append(e.postSite, m.mayPostEarly(site, a))
		e.quiet = append(e.quiet, !a.completion[site] && !m.handled(site) && site < len(m.sc.WRs))
	}
	for cq := range m.cqs {
		c := &m.cqs[cq]
		e.cqQuiet = append(e.cqQuiet, c.depth == 0 && c.channel < 0 && !a.cq[cq] && m.implicitlyPolled(cq))
	}
	budgeted := func(kind faultKind) bool {
		return slices.ContainsFunc(m.budgets, func(b budgetConf) bool { return b.kind == kind && b.f.Max > 0 })
	}
	early := budgeted(faultEarlyTimeout)
	e.safe = noErr
	// A copy that arrives between acceptance and execution would queue its ACK
	// first; and under ack_first execution holds back own requests, which a run
	// without it sends before the acceptance.
	e.execute = noErr && !a.execution && !m.track.data && !m.track.place && !early && !budgeted(faultDup) && !(m.dials.ackFirst && a.arrived)
	e.acks = noErr && !early && !a.acked
	m.eager = e
}

// asksForSteps reports whether a property counts single steps, which every
// reduction changes.
func (m *Model) asksForSteps() bool {
	found := false
	for _, list := range [][]Property{m.sc.Asserts, m.sc.Reaches} {
		for i := range list {
			for _, e := range []*Expr{list[i].L, list[i].R} {
				WalkExpr(e, func(x *Expr) { found = found || x.Op == ExprPrev })
			}
		}
	}
	return found
}

// asked is what properties and programs ask a state about.
type asked struct {
	posted, completion []bool // by site
	cq                 []bool
	execution, acked   bool
	arrived            bool
}

func (m *Model) asked() asked {
	a := asked{posted: make([]bool, len(m.sites)), completion: make([]bool, len(m.sites)), cq: make([]bool, len(m.cqs))}
	see := func(x *Expr) {
		if x.Op == ExprAtom {
			m.askedBy(&x.Atom, &a)
		}
	}
	for _, list := range [][]Property{m.sc.Asserts, m.sc.Reaches} {
		for i := range list {
			WalkExpr(list[i].L, see)
			WalkExpr(list[i].R, see)
		}
	}
	for t := range m.threads {
		for i := range m.threads[t].code {
			eachExpr(&m.threads[t].code[i], func(e *Expr) { WalkExpr(e, see) })
		}
	}
	return a
}

// eachExpr calls f for the expressions of an instruction.
func eachExpr(in *instr, f func(*Expr)) {
	f(in.expr)
	for i := range in.body {
		eachExpr(&in.body[i], f)
	}
	for i := range in.els {
		eachExpr(&in.els[i], f)
	}
}

func (m *Model) askedBy(x *Atom, a *asked) {
	switch x.Kind {
	case AtomWR:
		switch x.Field {
		case WRPosted:
			a.posted[x.WR] = true
		case WRCQE, WRWC, WROK, WRFailed, WRFlushed:
			a.completion[x.WR] = true
		case WRExecuted, WRPlaced:
			a.execution, a.completion[x.WR] = true, true
		case WRAcked:
			a.acked = true
		case WRArrived:
			a.arrived = true
		case WRSent, WRRetried: // no eager step changes them
		}
	case AtomStatus, AtomSrc, AtomMsg, AtomData:
		a.completion[x.WR] = true
	case AtomCQLen:
		a.cq[m.nodeCQ[x.Node]+x.Index] = true
	case AtomMRValue, AtomMRState:
		a.execution = true
	case AtomSQFree, AtomAsleep, AtomQPState, AtomAsync, AtomEvent: // rare: everything counts
		for i := range a.posted {
			a.posted[i], a.completion[i] = true, true
		}
		a.execution, a.acked, a.arrived = true, true, true
	}
}

// handled reports whether some program does anything with the completion.
func (m *Model) handled(site int) bool {
	for t := range m.threads {
		th := &m.threads[t]
		for pc := range th.code {
			if in := &th.code[pc]; in.op == iPoll && in.on[site] != uint16(pc) && m.mayReturn(in, site) {
				return true
			}
		}
	}
	return false
}

// mayReturn reports whether a poll instruction may return completions of site.
func (m *Model) mayReturn(in *instr, site int) bool {
	w := &m.wrs[m.sites[site].first]
	for q := range m.qps {
		c := &m.qps[q]
		mine := w.qp == q || w.srq >= 0 && c.srq == w.srq
		if mine && (w.recv && c.recvCQ == in.cq || !w.recv && c.sendCQ == in.cq) {
			return true
		}
	}
	return false
}

func (m *Model) implicitlyPolled(cq int) bool {
	return slices.ContainsFunc(m.threads, func(t threadConf) bool { return t.poller && t.code[t.start].cq == cq })
}

// mayPostEarly: the send goes to a queue of this thread alone, without a limit,
// on a QP that no program takes out of RTS but to ERR, and takes nothing from
// memory at the moment of its post.
func (m *Model) mayPostEarly(site int, a asked) bool {
	w := &m.wrs[m.sites[site].first]
	if w.recv || w.qp < 0 || a.posted[site] || m.dials.ackreqLast || m.qps[w.qp].maxSend > 0 || m.qps[w.qp].state != RTS {
		return false
	}
	if len(w.sge) > 0 && (w.inline && m.track.data || m.track.gen) {
		return false
	}
	posters := 0
	for t := range m.threads {
		mine := false
		for i := range m.threads[t].code {
			in := &m.threads[t].code[i]
			eachPost(in, func(s int) { mine = mine || m.wrs[m.sites[s].first].qp == w.qp && !m.wrs[m.sites[s].first].recv })
			if m.alters(in, w.qp) {
				return false
			}
		}
		if mine {
			posters++
		}
	}
	return posters == 1
}

// alters reports whether an instruction changes a QP's state otherwise than to
// ERR.
func (m *Model) alters(in *instr, q int) bool {
	return someInstr(in, func(in *instr) bool {
		return in.qp == q && (in.st == OpDestroyQP || in.st == OpCreateQP || in.st == OpModifyQP && in.state != ERR)
	})
}

// cannotFail reports whether no QP of the scenario can enter ERR in a run that
// goes on: no kill, no verb that changes a state, no allowed exhaustion, overrun
// or fault, and nothing that a responder would refuse.
func (m *Model) cannotFail() bool {
	for _, b := range []Bad{BadRetry, BadRNR, BadCQ, BadDeadKey, BadState} {
		if m.allowed[b] {
			return false
		}
	}
	for i := range m.budgets {
		if m.budgets[i].kind == faultKill && m.budgets[i].f.Max > 0 {
			return false
		}
	}
	for q := range m.qps {
		if m.qps[q].state != RTS || m.qps[q].peer >= 0 && m.qps[q].maxRd > m.qps[m.qps[q].peer].maxDestRd {
			return false
		}
	}
	for t := range m.threads {
		if slices.ContainsFunc(m.threads[t].code, func(in instr) bool { return changesRights(&in) }) {
			return false
		}
	}
	return !slices.ContainsFunc(m.wrs, m.mayBeRefused)
}

// changesRights reports whether an instruction changes the state of a QP, a CQ
// or a key.
func changesRights(in *instr) bool {
	return someInstr(in, func(in *instr) bool {
		switch in.st {
		case OpModifyQP, OpDestroyQP, OpCreateQP, OpDestroyCQ, OpRegMR, OpDeregMR, OpInvalidate, OpFree, OpAlloc:
			return true
		}
		return false
	})
}

// mayBeRefused reports whether a WR is local, invalidates, has no right to its
// memory, or may meet a receive that is too small.
func (m *Model) mayBeRefused(w wrConf) bool {
	if w.op == LOCAL_INV || w.op == REG_MR || w.op == BIND_MW || w.op == SEND_WITH_INV {
		return true
	}
	for _, mr := range w.sge {
		if m.mrs[mr].decl.Unregistered {
			return true
		}
	}
	if w.remote >= 0 {
		d := m.mrs[w.remote].decl
		if d.Unregistered || w.op.isWrite() && !d.RemoteWrite || w.op == RDMA_READ && !d.RemoteRead || w.op.isAtomic() && !d.RemoteAtomic {
			return true
		}
	}
	if w.recv && w.bytes > 0 {
		return slices.ContainsFunc(m.wrs, func(s wrConf) bool { return !s.recv && s.op.consumesRecv() && s.bytes > w.bytes })
	}
	return false
}

// eagerStep returns the eager step of a state, if it has one.
func (m *Model) eagerStep(s *State) (rule int, c Choice, ok bool) {
	e := &m.eager
	if e.use == NoReduction {
		return 0, c, false
	}
	for t := range s.Threads {
		if m.eagerThread(s, t) {
			return ruleThread, Choice{A: uint8(t)}, true
		}
	}
	for q := range s.QPs {
		if rule, ok := m.eagerQP(s, q); ok {
			return rule, Choice{A: uint8(q)}, true
		}
	}
	return 0, c, false
}

// eagerThread: the thread is about to post a send, or to poll a completion that
// nobody handles.
func (m *Model) eagerThread(s *State, t int) bool {
	e := &m.eager
	in := &m.threads[t].code[s.Threads[t].PC]
	switch {
	case s.Threads[t].PC == 0:
		return false
	case in.op == iStmt && in.st == OpPostSend:
		return e.use&EagerPosts != 0 && e.safe && e.postSite[in.site]
	case in.op == iPoll && in.blocks && e.use&EagerPolls != 0:
		return e.cqQuiet[in.cq] && s.CQs[in.cq].N > 0 && m.quietWR(s.CQs[in.cq].WR[0])
	}
	return false
}

// quietWR reports whether nobody asks about a WR's completion and its queue has
// no limit that the completion would relax.
func (m *Model) quietWR(wr uint8) bool {
	w := &m.wrs[wr]
	switch {
	case !m.eager.quiet[w.site]:
		return false
	case w.srq >= 0:
		return m.srqs[w.srq].max == 0
	case w.recv:
		return m.qps[w.qp].maxRecv == 0
	}
	return m.qps[w.qp].maxSend == 0
}

// eagerQP returns the eager step of an adapter for a QP.
func (m *Model) eagerQP(s *State, q int) (rule int, ok bool) {
	e := &m.eager
	qp := &s.QPs[q]
	if e.use&EagerExecute != 0 && e.execute && qp.Rsp.XPSN < qp.Rsp.EPSN && m.plainNext(s, q) {
		return ruleExecute, true
	}
	if e.use&EagerAcks != 0 && e.acks && m.plainAck(s, q) {
		return ruleProcess, true
	}
	if e.use&EagerCQEs != 0 && e.safe {
		if i, due := m.nextSendCQE(s, q); due && e.cqQuiet[m.qps[q].sendCQ] && m.quietWR(qp.Req.SQ[i]) {
			return ruleSendCQE, true
		}
		rq := &qp.Rsp.RQ
		if rq.CQE < rq.Exec && !m.track.place && e.cqQuiet[m.qps[q].recvCQ] && m.quietWR(rq.WR[rq.CQE]) &&
			!(m.dials.ackBeforeCQE && m.ackOwedFor(s, q, rq.CQE)) {
			return ruleRecvCQE, true
		}
	}
	return 0, false
}

// plainNext reports whether the next packet to execute at q is of a SEND or
// WRITE; a READ or ATOMIC looks at memory.
func (m *Model) plainNext(s *State, q int) bool {
	peer := m.qps[q].peer
	i, ok := m.wqeAt(s, peer, s.QPs[q].Rsp.XPSN)
	return ok && !m.wrs[s.QPs[peer].Req.SQ[i]].op.isRead()
}

// plainAck reports whether the response that waits at q's requester is an ACK
// that moves it forward and nothing else, while no resend is in progress.
func (m *Model) plainAck(s *State, q int) bool {
	in := m.qps[q].in
	if in < 0 || s.Wires[in].N == 0 {
		return false
	}
	p := &s.Wires[in].Pkt[0]
	r := &s.QPs[q].Req
	return p.Arrived && p.Kind == PktAck && r.NextPSN == r.MaxPSN && !r.RNRWait && p.PSN < r.MaxPSN &&
		(p.PSN < r.UnackedPSN || m.firstUnanswered(s, q, p.PSN+1) == p.PSN+1)
}
