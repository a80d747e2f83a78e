package spec

import (
	"math/bits"
	"slices"
)

// A packed state is a row of sections, each starting at a byte: one for every
// QP, SRQ, CQ and wire, one for the programs, the WRs and the memory, one for
// the rest. One function a section says its layout for packing and unpacking
// alike, so that unpack(pack(s)) == s by construction. A successor copies its
// parent's bytes, and only the sections that changed are packed again.

// A layout has the widths in bits of what a scenario's states hold.
type layout struct {
	wr            uint // a WR instance, or none
	qp            []qpLayout
	cq            []int // most CQEs
	srq           []int // most receives
	srqOrder      []fixedOrder
	lives         bool // QPs may be reset or destroyed
	wireN, respN  uint
	pc            []uint
	regs          []int
	vars, budgets []uint
}

type qpLayout struct {
	sq, rq               int  // most entries of the queues
	sqN, rqN             uint // bits of a count of them
	psn, peer            uint // bits of a PSN of its own and of its peer's space
	peerSQ               uint // most WQEs of the peer's send queue
	baseSQ, baseRQ       uint
	reads                int // most saved results
	sendOrder, recvOrder fixedOrder
}

// bitsFor returns the bits that hold 0..n.
func bitsFor(n int) uint { return uint(bits.Len(uint(n))) }

func (c *compiler) layOut() layout {
	l := layout{wr: bitsFor(len(c.wrs)), wireN: bitsFor(c.bounds.Wire), respN: bitsFor(c.bounds.Resp)}
	packets := make([]int, len(c.qps))
	l.qp = make([]qpLayout, len(c.qps))
	cqes := make([]int, len(c.cqs))
	l.lives = c.hasLives()
	l.srq = make([]int, len(c.srqs))
	for i := range c.wrs {
		c.countWR(&l, i, packets, cqes)
	}
	for q := range l.qp {
		x := &l.qp[q]
		if srq := c.qps[q].srq; srq >= 0 {
			x.rq = min(x.rq+l.srq[srq], maxQueue)
			cqes[c.qps[q].recvCQ] += l.srq[srq]
		}
		x.sqN, x.rqN, x.psn = bitsFor(x.sq), bitsFor(x.rq), bitsFor(packets[q]+1)
		if l.lives {
			x.baseSQ, x.baseRQ = x.sqN, x.rqN
		}
	}
	l.srqOrder = make([]fixedOrder, len(c.srqs))
	if !c.mayFail() {
		for q := range l.qp {
			l.qp[q].sendOrder, l.qp[q].recvOrder = c.sendOrder(q), c.recvOrder(q)
		}
		for i := range c.srqs {
			l.srqOrder[i] = c.srqOrder(i)
		}
	}
	for q := range l.qp {
		if p := c.qps[q].peer; p >= 0 {
			l.qp[q].peer, l.qp[q].peerSQ = bitsFor(packets[p]+1), uint(l.qp[p].sq)
			if c.reads(p) {
				l.qp[q].reads = min(max(c.qps[q].maxDestRd, 1), len(Responder{}.Atomic))
			}
		}
	}
	for i := range c.cqs {
		n := min(cqes[i], maxCQ)
		if d := c.cqs[i].depth; d > 0 {
			n = min(n, d)
		}
		l.cq = append(l.cq, n)
	}
	for _, t := range c.threads {
		l.pc = append(l.pc, bitsFor(len(t.code)-1))
		regs := 0
		for _, in := range t.code {
			regs = max(regs, int(in.regs))
		}
		l.regs = append(l.regs, regs)
	}
	for _, v := range c.vars {
		l.vars = append(l.vars, bitsFor(v.hi-v.lo))
	}
	for _, b := range c.budgets {
		l.budgets = append(l.budgets, bitsFor(b.f.Max))
	}
	return l
}

// countWR adds a WR to what its queues and CQ must hold.
func (c *compiler) countWR(l *layout, i int, packets, cqes []int) {
	w := &c.wrs[i]
	switch {
	case w.qp < 0:
		l.srq[w.srq]++
	case w.recv:
		l.qp[w.qp].rq++
		cqes[c.qps[w.qp].recvCQ]++
	default:
		l.qp[w.qp].sq++
		packets[w.qp] += int(w.npkt)
		cqes[c.qps[w.qp].sendCQ]++
	}
}

// hasLives reports whether some program resets or destroys a QP.
func (c *compiler) hasLives() bool {
	for i := range c.threads {
		for j := range c.threads[i].code {
			if someInstr(&c.threads[i].code[j], func(in *instr) bool { return in.st == OpDestroyQP || in.st == OpModifyQP && in.state == RESET }) {
				return true
			}
		}
	}
	return false
}

// reads reports whether some READ or ATOMIC is posted to a QP.
func (c *compiler) reads(q int) bool {
	return slices.ContainsFunc(c.wrs, func(w wrConf) bool { return w.qp == q && w.op.isRead() })
}

// A section is one byte-aligned part of a packed state.
type section struct {
	offset int
	code   func(c *coder, s *State)
	same   func(a, b *State) bool
}

// wrGroup is how many WRs share a section.
const wrGroup = 8

// makeSections lists the sections and measures them.
func (m *Model) makeSections() {
	add := func(same func(a, b *State) bool, code func(c *coder, s *State)) {
		m.sections = append(m.sections, section{code: code, same: same})
	}
	for q := range m.qps {
		add(func(a, b *State) bool { return a.QPs[q] == b.QPs[q] }, func(c *coder, s *State) { m.codeQP(c, &s.QPs[q], q) })
	}
	for i := range m.srqs {
		add(func(a, b *State) bool { return a.SRQs[i] == b.SRQs[i] }, func(c *coder, s *State) { m.codeSRQ(c, &s.SRQs[i], i) })
	}
	for i := range m.cqs {
		add(func(a, b *State) bool { return a.CQs[i] == b.CQs[i] }, func(c *coder, s *State) { m.codeCQ(c, &s.CQs[i], i) })
	}
	for w := range m.wires {
		add(func(a, b *State) bool { return a.Wires[w] == b.Wires[w] }, func(c *coder, s *State) { m.codeWire(c, &s.Wires[w], w) })
	}
	for g := 0; g < len(m.wrs); g += wrGroup {
		lo, hi := g, min(g+wrGroup, len(m.wrs))
		add(func(a, b *State) bool { return slices.Equal(a.WRs[lo:hi], b.WRs[lo:hi]) }, func(c *coder, s *State) {
			for i := lo; i < hi; i++ {
				m.codeWR(c, &s.WRs[i], &m.wrs[i])
			}
		})
	}
	for i := range m.mrs {
		add(func(a, b *State) bool { return a.MRs[i] == b.MRs[i] }, func(c *coder, s *State) { m.codeMR(c, &s.MRs[i], &m.mrs[i]) })
	}
	add(func(a, b *State) bool { return slices.Equal(a.Threads, b.Threads) }, m.codeThreads)
	add(func(a, b *State) bool { return a.Env == b.Env }, m.codeEnv)
	zero := m.newState()
	m.width = 0
	for i := range m.sections {
		m.sections[i].offset = m.width
		c := coder{mode: measuring}
		m.sections[i].code(&c, zero)
		m.width += int(c.total+7) / 8
	}
	m.width = max(m.width, 1)
}

func (m *Model) newState() *State {
	return &State{QPs: make([]QPVars, len(m.qps)), SRQs: make([]SRQVars, len(m.srqs)), MRs: make([]MRVars, len(m.mrs)),
		CQs: make([]CQVars, len(m.cqs)), Wires: make([]WireVars, len(m.wires)),
		Threads: make([]ThreadVars, len(m.threads)), WRs: make([]WRVars, len(m.wrs))}
}

// clear makes every variable zero.
func (s *State) clear() {
	clear(s.QPs)
	clear(s.SRQs)
	clear(s.MRs)
	clear(s.CQs)
	clear(s.Wires)
	clear(s.Threads)
	clear(s.WRs)
	s.Env = EnvVars{}
}

// pack writes s into buf, all of it.
func (m *Model) pack(s *State, buf []byte) {
	for i := range m.sections {
		c := coder{buf: buf[m.sections[i].offset:], mode: packing}
		m.sections[i].code(&c, s)
		c.flush()
	}
}

// repack writes into buf, a packed copy of old, what s changed of it. The coder
// is the caller's, so that nothing is allocated.
func (m *Model) repack(old, s *State, buf []byte, c *coder) {
	for i := range m.sections {
		if m.sections[i].same(old, s) {
			continue
		}
		*c = coder{buf: buf[m.sections[i].offset:], mode: packing}
		m.sections[i].code(c, s)
		c.flush()
		c.blank(m.sectionEnd(i) - m.sections[i].offset)
	}
}

func (m *Model) sectionEnd(i int) int {
	if i+1 < len(m.sections) {
		return m.sections[i+1].offset
	}
	return m.width
}

// unpack reads a packed state into s.
func (m *Model) unpack(buf []byte, s *State, c *coder) {
	s.clear()
	for i := range m.sections {
		*c = coder{buf: buf[m.sections[i].offset:], mode: unpacking}
		m.sections[i].code(c, s)
	}
}

// Unpack returns the unpacked form of a state.
func (m *Model) Unpack(buf []byte) *State {
	s := m.newState()
	m.unpack(buf, s, new(coder))
	return s
}

func (m *Model) codeQP(c *coder, q *QPVars, i int) {
	l := &m.lay.qp[i]
	c.u8((*uint8)(&q.State), 3)
	r := &q.Req
	m.codeQueue(c, &r.SQ, &r.N, l.sqN, l.sq, l.sendOrder)
	c.u8(&r.NextPSN, l.psn)
	c.u8(&r.MaxPSN, l.psn)
	c.u8(&r.UnackedPSN, l.psn)
	c.u8(&r.Done, l.sqN)
	c.u8(&r.Freed, l.sqN)
	c.u8(&r.RetriesLeft, 3)
	c.u8(&r.RNRLeft, 3)
	c.flag(&r.RNRWait)
	if m.track.rnr {
		c.flag(&r.GotRNR)
	}
	if m.track.local {
		c.u32(&r.LocalDone, uint(l.sq))
	}
	c.u8(&r.Base, l.baseSQ)
	if m.track.events {
		c.u16(&q.Events, 16)
	}
	m.codeResponder(c, &q.Rsp, l)
}

// codeQueue codes the WRs of a queue; of one with a fixed order only how many
// there are.
func (m *Model) codeQueue(c *coder, list *[maxQueue]uint8, n *uint8, w uint, most int, order fixedOrder) {
	if order != nil {
		c.u8(n, w)
		if c.mode == unpacking {
			copy(list[:*n], order)
		}
		return
	}
	for k := range c.count(n, w, most) {
		c.u8(&list[k], m.lay.wr)
	}
}

func (m *Model) codeResponder(c *coder, p *Responder, l *qpLayout) {
	c.u8(&p.EPSN, l.peer)
	c.u8(&p.XPSN, l.peer)
	c.u32(&p.AckReq, l.peerSQ)
	c.flag(&p.NAK)
	c.flag(&p.Fatal)
	m.codeQueue(c, &p.RQ.WR, &p.RQ.N, l.rqN, l.rq, l.recvOrder)
	c.u8(&p.RQ.Claim, l.rqN)
	c.u8(&p.RQ.Exec, l.rqN)
	c.u8(&p.RQ.CQE, l.rqN)
	c.u8(&p.RQ.Freed, l.rqN)
	c.u8(&p.RQ.Base, l.baseRQ)
	if m.lay.lives {
		c.u8(&p.From, bitsFor(int(l.peerSQ)))
	}
	for k := range c.count(&p.NResp, m.lay.respN, m.bounds.Resp) {
		m.codeResp(c, &p.Resp[k], l)
	}
	if l.reads > 0 {
		for k := range c.count(&p.NSaved, 3, l.reads) {
			m.codeResp(c, &p.Atomic[k], l)
		}
	}
}

func (m *Model) codeResp(c *coder, x *Resp, l *qpLayout) {
	c.u8((*uint8)(&x.Kind), 4)
	c.u8(&x.PSN, l.peer)
	if l.reads > 0 {
		c.flag(&x.Again)
	}
	m.codeContent(c, &x.Content)
}

// codeContent codes contents of memory, where somebody looks at them.
func (m *Model) codeContent(c *coder, x *Content) {
	if m.track.data {
		c.u8(&x.Val, 4)
		c.u8(&x.By, m.lay.wr)
	}
}

func (m *Model) codeSRQ(c *coder, q *SRQVars, i int) {
	n := m.lay.srq[i]
	m.codeQueue(c, &q.WR, &q.N, bitsFor(n), n, m.lay.srqOrder[i])
	c.u32(&q.Taken, uint(n))
	if m.track.events {
		c.u8(&q.Limit, 6)
	}
}

func (m *Model) codeMR(c *coder, v *MRVars, d *mrConf) {
	if m.track.data {
		for u := range d.units {
			m.codeContent(c, &v.Value[u])
			m.codeContent(c, &v.Seen[u])
		}
	}
	c.flag(&v.Freed)
	c.flag(&v.Key)
	c.flag(&v.Reused)
	if m.track.gen {
		c.u8(&v.Gen, 2)
	}
}

func (m *Model) codeCQ(c *coder, q *CQVars, i int) {
	for k := range c.count(&q.N, bitsFor(m.lay.cq[i]), m.lay.cq[i]) {
		c.u8(&q.WR[k], m.lay.wr)
	}
	if m.cqs[i].channel >= 0 {
		c.u8(&q.Arm, 2)
		c.u8(&q.Pending, 5)
		c.u8(&q.Unacked, 5)
	}
	c.flag(&q.Dead)
	if m.dials.staleArm {
		c.flag(&q.Polled)
	}
}

func (m *Model) codeWire(c *coder, w *WireVars, i int) {
	psn := max(m.lay.qp[m.wires[i].from].psn, m.lay.qp[m.wires[i].from].peer)
	for k := range c.count(&w.N, m.lay.wireN, m.bounds.Wire) {
		p := &w.Pkt[k]
		c.u8((*uint8)(&p.Kind), 4)
		c.u8(&p.PSN, psn)
		c.flag(&p.Arrived)
		c.flag(&p.AckReq)
		m.codeContent(c, &p.Content)
	}
}

func (m *Model) codeWR(c *coder, w *WRVars, d *wrConf) {
	c.u8((*uint8)(&w.Phase), 3)
	c.u8((*uint8)(&w.Status), 4)
	c.flag(&w.Failed)
	if m.track.retried {
		c.flag(&w.Retried)
	}
	if d.recv && (m.track.msg || d.srq >= 0) {
		c.u8(&w.Msg, m.lay.wr)
	}
	m.codeContent(c, &w.Content)
	if d.remote >= 0 && m.track.place {
		c.u8(&w.Placed, maxUnits)
	}
	if m.track.data && !d.recv {
		n := 1
		if d.remote >= 0 {
			n = m.mrs[d.remote].units
		}
		for u := range n {
			c.u8(&w.Carry[u], 4)
		}
	}
	if m.track.gen {
		c.u8(&w.Gen, 2)
	}
	if m.lay.lives && !d.recv {
		c.u8(&w.Past, 6)
	}
}

func (m *Model) codeThreads(c *coder, s *State) {
	for t := range s.Threads {
		c.u16(&s.Threads[t].PC, m.lay.pc[t])
		if len(m.comp) > 0 {
			c.u8(&s.Threads[t].Ev, 5)
		}
		for r := range m.lay.regs[t] {
			c.u8(&s.Threads[t].Reg[r], m.lay.wr)
		}
	}
}

func (m *Model) codeEnv(c *coder, s *State) {
	e := &s.Env
	for i, w := range m.lay.vars {
		c.u8(&e.Vars[i], w)
	}
	for i, w := range m.lay.budgets {
		c.u8(&e.Budgets[i], w)
	}
	for i := range m.numLocks {
		c.u8(&e.Locks[i], 8)
	}
	for i := range m.sc.Channels {
		for k := range c.count(&e.Told[i], 4, len(e.Queue[i])) {
			c.u8(&e.Queue[i][k], 4)
		}
	}
	c.u8((*uint8)(&e.Bad), 5)
	c.u8(&e.BadArg, 8)
	c.u64(&e.Monitor, m.monitorBits)
}

// A coder packs, unpacks or measures a row of bit fields.
type coder struct {
	buf   []byte
	acc   uint64 // bits not yet written, or read and not yet used
	n     uint   // how many
	at    int    // next byte of buf
	total uint   // measuring: bits so far
	mode  coderMode
}

type coderMode uint8

const (
	packing coderMode = iota
	unpacking
	measuring
)

// bits codes a field of w bits, at most 32, and returns its value.
func (c *coder) bits(v uint64, w uint) uint64 {
	switch c.mode {
	case packing:
		c.acc |= v << c.n
		for c.n += w; c.n >= 8; c.n -= 8 {
			c.buf[c.at] = byte(c.acc)
			c.acc >>= 8
			c.at++
		}
		return v
	case unpacking:
		for ; c.n < w; c.n += 8 {
			c.acc |= uint64(c.buf[c.at]) << c.n
			c.at++
		}
		v = c.acc & (1<<w - 1)
		c.acc >>= w
		c.n -= w
		return v
	}
	c.total += w
	return v
}

// flush writes the last, partly filled byte.
func (c *coder) flush() {
	if c.n > 0 {
		c.buf[c.at] = byte(c.acc)
		c.at++
		c.n = 0
	}
}

// blank zeroes the rest of a section of n bytes.
func (c *coder) blank(n int) { clear(c.buf[c.at:n]) }

func (c *coder) u8(v *uint8, w uint)   { *v = uint8(c.bits(uint64(*v), w)) }
func (c *coder) u16(v *uint16, w uint) { *v = uint16(c.bits(uint64(*v), w)) }
func (c *coder) u32(v *uint32, w uint) { *v = uint32(c.bits(uint64(*v), w)) }

func (c *coder) u64(v *uint64, w uint) {
	hi := *v >> 32
	*v = c.bits(*v&(1<<32-1), min(w, 32))
	if w > 32 {
		*v |= c.bits(hi, w-32) << 32
	}
}

func (c *coder) flag(v *bool) { *v = c.bits(uint64(b2u(*v)), 1) == 1 }

// count codes the length of a list of at most most entries and returns it;
// measuring, the list is full.
func (c *coder) count(n *uint8, w uint, most int) int {
	c.u8(n, w)
	if c.mode == measuring {
		return most
	}
	return int(*n)
}
