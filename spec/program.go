package spec

// A program is compiled to a graph of instructions. Position 0 is the end of
// every thread. Control flow without a choice costs no step: an instruction
// names its successor.

// An iop is what an instruction does.
type iop uint8

const (
	iEnd    iop = iota
	iStmt       // the statement op, then next
	iPoll       // take one completion: dispatch, or block (implicit poller, alt == 0), or alt when empty
	iIf         // next when true, else alt
	iEither     // one of alts
	iGoto       // resolved before use
)

// An instr is one instruction of a program.
type instr struct {
	op   iop
	st   Op
	pos  Pos
	next uint16
	alt  uint16
	alts []uint16

	site, qp, cq, srq, mr, v, lock, ch, comp int // global indices, -1
	n                                        int
	expr                                     *Expr
	reg                                      int
	regs                                     uint8    // polls around it, whose completions it may read
	blocks                                   bool     // iPoll: waits for a completion
	on                                       []uint16 // iPoll: by WR site, where to go with its completion
	state                                    QPState
	event                                    uint8
	solicited                                bool
	body, els                                []instr // OpAtomic: the steps, in order; OpIf in it: its branches
}

// someInstr reports whether f is true of a statement or of one inside of it.
func someInstr(in *instr, f func(*instr) bool) bool {
	if in.op == iStmt && f(in) {
		return true
	}
	for i := range in.body {
		if someInstr(&in.body[i], f) {
			return true
		}
	}
	for i := range in.els {
		if someInstr(&in.els[i], f) {
			return true
		}
	}
	return false
}

type threadConf struct {
	node   int
	name   string
	code   []instr
	start  uint16
	poller bool
}

// programs compiles every thread of every node and the implicit pollers.
func (c *compiler) programs() {
	c.chanLen = make([]int, len(c.sc.Channels))
	for n := range c.sc.Nodes {
		nd := &c.sc.Nodes[n]
		polled := map[int]bool{}
		for i := range nd.Threads {
			findPolls(nd.Threads[i].Body, polled)
		}
		for i := range nd.Handlers {
			findPolls(nd.Handlers[i].Body, polled)
		}
		for i := range nd.Threads {
			body := nd.Threads[i].Body
			if i == 0 {
				body = c.takeSetup(body)
			}
			if len(body) > 0 {
				c.thread(n, nd.Threads[i].Name, func(g *gen) uint16 { return g.block(body, 0, nil) })
			}
		}
		for i := range nd.CQs {
			if !polled[i] && c.used(c.nodeCQ[n]+i) {
				c.thread(n, "poll "+nd.CQs[i].Name, func(g *gen) uint16 { return g.poller(i) })
				c.threads[len(c.threads)-1].poller = true
			}
		}
	}
}

// used reports whether some QP puts its CQEs into the CQ.
func (c *compiler) used(cq int) bool {
	for _, q := range c.qps {
		if q.sendCQ == cq || q.recvCQ == cq {
			return true
		}
	}
	return false
}

// takeSetup takes the leading receives of a main thread: they are posted
// before anybody moves.
func (c *compiler) takeSetup(body []Stmt) []Stmt {
	for len(body) > 0 && body[0].Op == OpPostRecv {
		c.setup = append(c.setup, setupPost{body[0].WR})
		body = body[1:]
	}
	return body
}

// findPolls notes the CQs that a program polls itself.
func findPolls(body []Stmt, cqs map[int]bool) {
	for i := range body {
		st := &body[i]
		if st.Op == OpPollCQ || st.Op == OpDrain {
			cqs[st.CQ] = true
		}
		findPolls(st.Body, cqs)
		findPolls(st.Else, cqs)
		for _, a := range st.Alts {
			findPolls(a, cqs)
		}
	}
}

func (c *compiler) thread(n int, name string, body func(*gen) uint16) {
	g := &gen{c: c, node: n, code: make([]instr, 1)}
	start := body(g)
	c.threads = append(c.threads, threadConf{node: n, name: name, code: g.code, start: g.resolve(start)})
}

// A gen compiles one thread, backwards: a statement is given the position
// that follows it.
type gen struct {
	c    *compiler
	node int
	code []instr
	made int   // rounds of repeat written out
	busy []int // CQs whose poll is being compiled, to refuse recursion
}

// A scope is the polls around a statement, innermost last.
type scope struct {
	as  string
	reg int
	up  *scope
}

func (g *gen) add(in instr) uint16 {
	if len(g.code) >= 4000 {
		if len(g.code) == 4000 {
			g.c.errorf(in.pos, "this program is too long: more than 4000 steps when loops and handlers are written out")
			g.code = append(g.code, in)
		}
		return 0
	}
	g.code = append(g.code, in)
	return uint16(len(g.code) - 1)
}

// tooLong counts a round of a repeat that is written out and reports, once,
// when there are too many.
func (g *gen) tooLong(st *Stmt) bool {
	const most = 4000
	if g.made++; g.made == most+1 {
		g.c.errorf(st.Pos, "this program is too long: more than %d rounds of repeat when they are written out", most)
	}
	return g.made > most
}

// resolve replaces gotos by where they lead and returns the new start. An
// empty loop becomes an instruction that stays where it is.
func (g *gen) resolve(start uint16) uint16 {
	follow := func(pc uint16) uint16 {
		for range len(g.code) {
			if g.code[pc].op != iGoto {
				return pc
			}
			pc = g.code[pc].next
		}
		return 0
	}
	for i := range g.code {
		in := &g.code[i]
		in.next, in.alt = follow(in.next), follow(in.alt)
		for j := range in.alts {
			in.alts[j] = follow(in.alts[j])
		}
		for j := range in.on {
			in.on[j] = follow(in.on[j])
		}
	}
	return follow(start)
}

func (g *gen) block(body []Stmt, next uint16, sc *scope) uint16 {
	for i := len(body) - 1; i >= 0; i-- {
		next = g.stmt(&body[i], next, sc)
	}
	return next
}

func (g *gen) stmt(st *Stmt, next uint16, sc *scope) uint16 {
	switch st.Op {
	case OpPollCQ, OpDrain:
		return g.poll(st, next, sc)
	case OpIf:
		in := g.simple(st, next, sc)
		in.op = iIf
		in.alt = g.block(st.Else, next, sc)
		in.next = g.block(st.Body, next, sc)
		return g.add(in)
	case OpEither:
		in := g.simple(st, next, sc)
		in.op = iEither
		for _, a := range st.Alts {
			in.alts = append(in.alts, g.block(a, next, sc))
		}
		return g.add(in)
	case OpLoop:
		head := g.add(instr{op: iGoto, pos: st.Pos})
		g.code[head].next = g.block(st.Body, head, sc)
		return head
	case OpRepeat:
		for range st.N {
			if g.tooLong(st) {
				break
			}
			next = g.block(st.Body, next, sc)
		}
		return next
	case OpStop:
		return 0
	case OpDrainSQ, OpDrainRQ, OpDrainQP:
		return g.drain(st, next, sc)
	case OpReqNotify:
		in := g.simple(st, next, sc)
		if len(st.Body) > 0 {
			in.alt = g.block(st.Body, next, sc)
		}
		return g.add(in)
	case OpAtomic:
		in := g.simple(st, next, sc)
		in.body = g.straight(st.Body, sc)
		return g.add(in)
	}
	return g.add(g.simple(st, next, sc))
}

// straight compiles the statements of an atomic block: they are done in one
// step, so that nothing in it may wait, choose or take a completion.
func (g *gen) straight(body []Stmt, sc *scope) []instr {
	var out []instr
	for i := range body {
		st := &body[i]
		in := g.simple(st, 0, sc)
		switch st.Op {
		case OpRepeat:
			for range st.N {
				if g.tooLong(st) {
					break
				}
				out = append(out, g.straight(st.Body, sc)...)
			}
			continue
		case OpIf:
			in.body, in.els = g.straight(st.Body, sc), g.straight(st.Else, sc)
		case OpAtomic:
			in.body = g.straight(st.Body, sc)
		case OpPollCQ, OpDrain, OpEither, OpLoop, OpStop, OpDrainSQ, OpDrainRQ, OpDrainQP, OpGetEvent, OpGetAsync:
			g.c.errorf(st.Pos, "this cannot be part of an atomic block: it waits, chooses or takes a completion")
		case OpReqNotify:
			if len(st.Body) > 0 {
				g.c.errorf(st.Pos, "req_notify_cq with a block cannot be part of an atomic block")
			}
		}
		out = append(out, in)
	}
	return out
}

// drain compiles the Linux ib_drain family (F2.27): the QP to ERR, a marker
// posted, then wait until its completion has been polled; the send queue first.
func (g *gen) drain(st *Stmt, next uint16, sc *scope) uint16 {
	site, n := g.c.marker[st], 1
	onSRQ := g.c.sc.Nodes[g.node].QPs[st.QP].SRQ >= 0
	switch {
	case st.Op == OpDrainQP && !onSRQ:
		n = 2
	case st.Op == OpDrainRQ && onSRQ:
		n = 0 // a marker in an SRQ would belong to no QP
	}
	for k := n - 1; k >= 0; k-- {
		wait := g.simple(st, next, sc)
		wait.site, wait.st = site+k, OpDrainSQ
		post := g.simple(st, g.add(wait), sc)
		post.site, post.st = site+k, OpPostSend
		next = g.add(post)
	}
	toErr := g.simple(st, next, sc)
	toErr.st, toErr.state = OpModifyQP, ERR
	return g.add(toErr)
}

// simple makes the instruction of a statement, with its indices global.
func (g *gen) simple(st *Stmt, next uint16, sc *scope) instr {
	c, n := g.c, g.node
	at := func(base []int, i int) int {
		if i < 0 {
			return -1
		}
		return base[n] + i
	}
	in := instr{op: iStmt, st: st.Op, pos: st.Pos, next: next, site: st.WR, n: st.N, solicited: st.Solicited, ch: st.Channel,
		qp: at(c.nodeQP, st.QP), cq: at(c.nodeCQ, st.CQ), srq: at(c.nodeSRQ, st.SRQ), mr: at(c.nodeMR, st.MR),
		v: at(c.nodeVar, st.Var), lock: at(c.nodeLock, st.Lock), comp: at(c.nodeComp, st.CompChannel), expr: bindRegs(st.Expr, sc)}
	if sc != nil {
		in.regs = uint8(sc.reg + 1)
	}
	for s, name := range qpStateNames {
		if name == st.State {
			in.state = QPState(s)
		}
	}
	for e, name := range AsyncEvents() {
		if name == st.Event {
			in.event = uint8(e)
		}
	}
	return in
}

// bindRegs gives the wc atoms of an expression the register of their poll.
func bindRegs(e *Expr, sc *scope) *Expr {
	if e == nil {
		return nil
	}
	x := *e
	x.Kids = nil
	for _, k := range e.Kids {
		x.Kids = append(x.Kids, bindRegs(k, sc))
	}
	if x.Op == ExprAtom && (x.Atom.Kind >= AtomWCStatus && x.Atom.Kind <= AtomWCOpcode || x.Atom.Kind == AtomWCSrc) {
		for s := sc; s != nil; s = s.up {
			x.Atom.Index = s.reg
			if s.as == x.Atom.Name || x.Atom.Name == "" {
				break
			}
		}
	}
	return &x
}

// poll compiles poll_cq and drain: the handlers of the completion first, then
// the statement's own body.
func (g *gen) poll(st *Stmt, next uint16, sc *scope) uint16 {
	in := g.simple(st, next, sc)
	in.op = iPoll
	in.reg = 0
	if sc != nil {
		in.reg = sc.reg + 1
	}
	if in.reg >= maxRegs {
		g.c.errorf(st.Pos, "polls are nested more than %d deep", maxRegs)
		return 0
	}
	for _, b := range g.busy {
		if b == st.CQ {
			g.c.errorf(st.Pos, "this polls a CQ from within a handler of the same CQ")
			return 0
		}
	}
	inner := &scope{st.As, in.reg, sc}
	pc := g.add(in)
	after := next
	if st.Op == OpDrain {
		after = pc
	}
	g.busy = append(g.busy, st.CQ)
	body := g.block(st.Body, after, inner)
	g.code[pc].on = g.dispatch(st.CQ, body, inner)
	g.busy = g.busy[:len(g.busy)-1]
	g.code[pc].next = body
	g.code[pc].alt = g.block(st.Else, next, sc)
	return pc
}

// poller compiles the implicit poller of a CQ: it waits for a completion and
// runs its handlers, for ever.
func (g *gen) poller(cq int) uint16 {
	nd := &g.c.sc.Nodes[g.node]
	pc := g.add(instr{op: iPoll, st: OpDrain, pos: nd.CQs[cq].Pos, blocks: true, cq: g.c.nodeCQ[g.node] + cq,
		site: -1, qp: -1, srq: -1, mr: -1, v: -1, lock: -1, ch: -1, comp: -1})
	g.busy = append(g.busy, cq)
	g.code[pc].next = pc
	g.code[pc].on = g.dispatch(cq, pc, &scope{})
	return pc
}

// dispatch compiles the handlers of every WR site that may complete in a CQ,
// each followed by next.
func (g *gen) dispatch(cq int, next uint16, sc *scope) []uint16 {
	nd := &g.c.sc.Nodes[g.node]
	on := make([]uint16, len(g.c.decl))
	for site := range on {
		on[site] = next
		if !g.completesIn(site, cq) {
			continue
		}
		for h := len(nd.Handlers) - 1; h >= 0; h-- {
			hd := &nd.Handlers[h]
			if hd.WR == site || hd.WR < 0 && hd.CQ == cq {
				on[site] = g.block(hd.Body, on[site], &scope{hd.As, sc.reg, sc})
			}
		}
	}
	return on
}

// completesIn reports whether completions of the site go to the node's CQ cq.
func (g *gen) completesIn(site, cq int) bool {
	w := &g.c.decl[site]
	if w.Node != g.node {
		return false
	}
	for i := range g.c.sc.Nodes[g.node].QPs {
		q := &g.c.sc.Nodes[g.node].QPs[i]
		switch {
		case w.SRQ >= 0 && q.SRQ == w.SRQ && q.RecvCQ == cq:
			return true
		case w.SRQ < 0 && w.QP == i && (w.Recv && q.RecvCQ == cq || !w.Recv && q.SendCQ == cq):
			return true
		}
	}
	return false
}
