package spec

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// A CompileError is something a scenario asks for that the model cannot do.
type CompileError struct {
	Pos Pos
	Msg string
}

func (e CompileError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Pos.File, e.Pos.Line, e.Pos.Col, e.Msg)
}

// CompileErrors is every CompileError of a scenario, in file order.
type CompileErrors []CompileError

func (es CompileErrors) Error() string {
	var b strings.Builder
	for i, e := range es {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(e.Error())
	}
	return b.String()
}

// DefaultBounds returns the bounds a first attempt starts with.
func DefaultBounds(sc *Scenario) Bounds {
	b := Bounds{Wire: 4, Resp: 3, Inst: make([]int, len(sc.WRs))}
	for i := range b.Inst {
		b.Inst[i] = 1
	}
	return b
}

// Compile makes the model of a scenario. The error is a CompileErrors.
func Compile(sc *Scenario, b Bounds) (*Model, error) {
	c := &compiler{Model: &Model{sc: sc, bounds: b, decl: slices.Clone(sc.WRs)}, marker: map[*Stmt]int{}}
	c.compile()
	if len(c.errs) > 0 {
		sort.SliceStable(c.errs, func(i, j int) bool {
			a, b := c.errs[i].Pos, c.errs[j].Pos
			return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col
		})
		return nil, c.errs
	}
	return c.Model, nil
}

type compiler struct {
	*Model
	errs   CompileErrors
	marker map[*Stmt]int // the WR site of each drain's marker
}

func (c *compiler) errorf(pos Pos, format string, args ...any) {
	c.errs = append(c.errs, CompileError{pos, fmt.Sprintf(format, args...)})
}

func (c *compiler) compile() {
	c.dialValues()
	c.tables()
	c.connect()
	c.letters()
	c.markers()
	c.instances()
	c.faults()
	for _, name := range c.sc.Allows {
		c.allowed[BadFor(name)] = true
	}
	c.programs()
	c.tracking()
	c.sizes()
	if len(c.errs) > 0 {
		return
	}
	c.lay = c.layOut()
	c.makeSections()
}

func (c *compiler) dialValues() {
	vals, err := ResolveDials(c.sc.Profile, c.sc.Dials)
	if err != nil {
		c.errorf(Pos{File: c.sc.File, Line: 1, Col: 1}, "%v", err)
		return
	}
	c.profile = c.sc.Profile
	if c.profile == "" {
		c.profile = Profiles[0].Name
	}
	c.dials = dialsOf(vals)
}

// tables gives every declaration its global index.
func (c *compiler) tables() {
	locks := 0
	for n := range c.sc.Nodes {
		nd := &c.sc.Nodes[n]
		c.nodeQP = append(c.nodeQP, len(c.qps))
		c.nodeCQ = append(c.nodeCQ, len(c.cqs))
		c.nodeSRQ = append(c.nodeSRQ, len(c.srqs))
		c.nodeMR = append(c.nodeMR, len(c.mrs))
		c.nodeVar = append(c.nodeVar, len(c.vars))
		c.nodeComp = append(c.nodeComp, len(c.comp))
		c.nodeLock = append(c.nodeLock, locks)
		locks += len(nd.Locks)
		for _, d := range nd.CompChannels {
			c.comp = append(c.comp, compConf{n, nd.Name + "." + d.Name})
		}
		for i := range nd.CQs {
			d := &nd.CQs[i]
			ch := -1
			if d.Channel >= 0 {
				ch = c.nodeComp[n] + d.Channel
			}
			c.cqs = append(c.cqs, cqConf{n, nd.Name + "." + d.Name, d.Depth, ch})
		}
		for i := range nd.SRQs {
			d := &nd.SRQs[i]
			c.srqs = append(c.srqs, srqConf{n, nd.Name + "." + d.Name, d.MaxWR, d.Limit})
		}
		for i := range nd.MRs {
			c.mrs = append(c.mrs, mrConf{n, nd.Name + "." + nd.MRs[i].Name, c.units(&nd.MRs[i]), &nd.MRs[i]})
		}
		for _, d := range nd.Vars {
			c.vars = append(c.vars, varConf{n, nd.Name + "." + d.Name, d.Lo, d.Hi, d.Init, d.Pos})
		}
		for i := range nd.QPs {
			c.qps = append(c.qps, c.qp(n, i))
		}
	}
	c.numLocks = locks
}

func (c *compiler) qp(n, i int) qpConf {
	nd := &c.sc.Nodes[n]
	d := &nd.QPs[i]
	if d.Type != "" && d.Type != "RC" {
		c.errorf(d.Pos, "qp_type %s is not modelled; RC is", d.Type)
	}
	q := qpConf{node: n, local: i, name: nd.Name + "." + d.Name, peer: -1, out: -1, in: -1,
		sendCQ: c.nodeCQ[n] + d.SendCQ, recvCQ: c.nodeCQ[n] + d.RecvCQ, srq: -1, sigAll: d.SigAll,
		maxSend: d.MaxSendWR, maxRecv: d.MaxRecvWR, mtu: d.MTU, timeout: d.Timeout != 0,
		retryCnt: uint8(d.RetryCnt), retryInf: d.RetryCnt == 7 && c.dials.retry7Infinite,
		rnrRetry: uint8(d.RNRRetry), rnrInf: d.RNRRetry == 7, maxRd: d.MaxRdAtomic, maxDestRd: d.MaxDestRdAtomic, state: RTS}
	if q.mtu == 0 {
		q.mtu = 1024
	}
	if d.SRQ >= 0 {
		q.srq = c.nodeSRQ[n] + d.SRQ
	}
	for s, name := range qpStateNames {
		if name == d.State {
			q.state = QPState(s)
		}
	}
	return q
}

func (c *compiler) connect() {
	for i, cn := range c.sc.Conns {
		a, b := c.nodeQP[cn.A.Node]+cn.A.QP, c.nodeQP[cn.B.Node]+cn.B.QP
		c.wires = append(c.wires, wireConf{a, b, i}, wireConf{b, a, i})
		c.qps[a].peer, c.qps[a].out, c.qps[a].in = b, 2*i, 2*i+1
		c.qps[b].peer, c.qps[b].out, c.qps[b].in = a, 2*i+1, 2*i
	}
}

func (c *compiler) units(d *MR) int {
	if d.Units > maxUnits {
		c.errorf(d.Pos, "%d units; the model holds %d", d.Units, maxUnits)
	}
	return max(d.Units, 1)
}

// markers adds the WRs that drain_sq, drain_rq and drain_qp post (F2.27).
func (c *compiler) markers() {
	for n := range c.sc.Nodes {
		nd := &c.sc.Nodes[n]
		visit := func(st *Stmt) {
			if st.Op == OpDrainSQ || st.Op == OpDrainQP {
				c.addMarker(n, st, false)
			}
			if (st.Op == OpDrainRQ || st.Op == OpDrainQP) && nd.QPs[st.QP].SRQ < 0 {
				c.addMarker(n, st, true)
			}
		}
		for i := range nd.Threads {
			walkStmts(nd.Threads[i].Body, visit)
		}
		for i := range nd.Handlers {
			walkStmts(nd.Handlers[i].Body, visit)
		}
	}
	for len(c.bounds.Inst) < len(c.decl) {
		c.bounds.Inst = append(c.bounds.Inst, 1)
	}
}

// addMarker adds the marker of a drain; that of its receive queue is behind
// that of its send queue.
func (c *compiler) addMarker(n int, st *Stmt, recv bool) {
	if _, ok := c.marker[st]; !ok {
		c.marker[st] = len(c.decl)
	}
	queue, op := "sq", RDMA_WRITE
	if recv {
		queue, op = "rq", RECV
	}
	c.decl = append(c.decl, WR{Name: fmt.Sprintf("drain_%s_%s", queue, c.sc.Nodes[n].QPs[st.QP].Name), Node: n, Pos: st.Pos, Recv: recv,
		QP: st.QP, SRQ: -1, Opcode: op, Signaled: !recv, Local: -1, Remote: MRRef{Node: -1}})
}

// walkStmts calls f for every statement of a program.
func walkStmts(body []Stmt, f func(*Stmt)) {
	for i := range body {
		f(&body[i])
		walkStmts(body[i].Body, f)
		walkStmts(body[i].Else, f)
		for _, a := range body[i].Alts {
			walkStmts(a, f)
		}
	}
}

// letters names the PSN spaces: the first letter of the node's name, or the
// next letter of it or of the alphabet that is still free. Where a node has
// several QPs, the QP's name follows.
func (c *compiler) letters() {
	used := map[rune]bool{}
	letter := make([]string, len(c.sc.Nodes))
	for n := range c.sc.Nodes {
		for _, r := range strings.ToLower(c.sc.Nodes[n].Name) + "abcdefghijklmnopqrstuvwxyz" {
			if r >= 'a' && r <= 'z' && !used[r] {
				used[r] = true
				letter[n] = string(r)
				break
			}
		}
		if letter[n] == "" {
			letter[n] = c.sc.Nodes[n].Name
		}
	}
	for i := range c.qps {
		q := &c.qps[i]
		q.letter = letter[q.node]
		if nd := &c.sc.Nodes[q.node]; len(nd.QPs) > 1 {
			q.letter += "." + nd.QPs[q.local].Name + "."
		}
	}
}

// instances writes the WR sites out into instances.
func (c *compiler) instances() {
	for i := range c.decl {
		w := &c.decl[i]
		n := c.bounds.Inst[i]
		c.sites = append(c.sites, siteConf{w, len(c.wrs), n})
		for k := range n {
			x := wrConf{site: i, inst: k, name: w.Name, node: w.Node, recv: w.Recv, qp: -1, srq: -1, op: w.Opcode, fence: w.Fence, inline: w.Inline,
				solicited: w.Solicited, npkt: 1, remote: -1, local: -1, bytes: w.Length}
			c.buffers(&x, w)
			if k > 0 {
				x.name = fmt.Sprintf("%s[%d]", w.Name, k+1)
			}
			if w.QP >= 0 {
				x.qp = c.nodeQP[w.Node] + w.QP
			}
			if w.SRQ >= 0 {
				x.srq = c.nodeSRQ[w.Node] + w.SRQ
			}
			if !w.Recv && x.qp >= 0 {
				x.sig = w.Signaled || c.qps[x.qp].sigAll
				x.npkt = packets(w.Opcode, x.bytes, c.qps[x.qp].mtu)
			}
			c.wrs = append(c.wrs, x)
		}
	}
	if len(c.wrs) > 250 {
		c.errorf(Pos{File: c.sc.File, Line: 1, Col: 1}, "%d work requests; the model holds at most 250", len(c.wrs))
	}
}

// buffers gives a WR its memory; without a length it is as long as its buffers.
func (c *compiler) buffers(x *wrConf, w *WR) {
	sum := 0
	for _, mr := range w.SGE {
		x.sge = append(x.sge, c.nodeMR[w.Node]+mr)
		sum += c.sc.Nodes[w.Node].MRs[mr].Length
	}
	if x.bytes == 0 {
		x.bytes = sum
	}
	if w.Remote.Node >= 0 {
		x.remote = c.nodeMR[w.Remote.Node] + w.Remote.MR
	}
	if w.Local >= 0 {
		x.local = c.nodeMR[w.Node] + w.Local
	}
}

// packets returns the number of PSNs a WR of that many bytes uses (F1.4, F1.5).
func packets(op Opcode, bytes, mtu int) uint8 {
	switch {
	case !op.usesPSN():
		return 0
	case op.isAtomic() || bytes <= mtu:
		return 1
	}
	return uint8(min((bytes+mtu-1)/mtu, maxPSN))
}

// sizes reports what is too large for the fixed parts of a State.
func (c *compiler) sizes() {
	at := Pos{File: c.sc.File, Line: 1, Col: 1}
	perQueue, psns := map[int]int{}, map[int]int{}
	for i, w := range c.wrs {
		queue := w.qp
		switch {
		case w.recv && w.qp < 0:
			queue = 2000 + w.srq
		case w.recv:
			queue += 1000
		default:
			psns[w.qp] += int(w.npkt)
			if psns[w.qp] > maxPSN {
				c.errorf(c.decl[c.wrs[i].site].Pos, "%s needs PSN %d of its QP; the model goes to %d", w.name, psns[w.qp], maxPSN)
				psns[w.qp] = 0
			}
		}
		if perQueue[queue]++; perQueue[queue] == maxQueue+1 {
			c.errorf(c.decl[c.wrs[i].site].Pos, "%s is the %drd work request of its queue; the model holds %d", w.name, maxQueue+1, maxQueue)
		}
	}
	var e EnvVars
	for _, x := range []struct {
		what    string
		have, n int
	}{{"variables", len(c.vars), len(e.Vars)}, {"fault budgets", len(c.budgets), len(e.Budgets)}, {"locks", c.numLocks, len(e.Locks)},
		{"channels", len(c.sc.Channels), len(e.Told)}, {"completion channels", len(c.comp), len(e.Events)}} {
		if x.have > x.n {
			c.errorf(at, "%d %s; the model holds %d", x.have, x.what, x.n)
		}
	}
}

// tracking finds out which ghosts, memory contents and events the scenario
// reads; what nobody reads is not part of a state.
func (c *compiler) tracking() {
	for _, list := range [][]Property{c.sc.Asserts, c.sc.Reaches} {
		for i := range list {
			WalkExpr(list[i].L, c.trackExpr)
			WalkExpr(list[i].R, c.trackExpr)
		}
	}
	for i := range c.threads {
		for j := range c.threads[i].code {
			c.trackInstr(&c.threads[i].code[j])
		}
	}
	for i := range c.wrs {
		c.track.local = c.track.local || !c.wrs[i].op.usesPSN()
		c.track.msg = c.track.msg || c.wrs[i].solicited || c.wrs[i].op == RDMA_WRITE_WITH_IMM
	}
	c.track.mr = len(c.mrs) > 0
	c.track.place = c.track.place && (c.dials.placementFree || slices.ContainsFunc(c.mrs, func(r mrConf) bool { return r.decl.Relaxed }))
}

func (c *compiler) trackInstr(in *instr) {
	WalkExpr(in.expr, c.trackExpr)
	switch in.st {
	case OpAlloc:
		c.track.gen = true
	case OpGetAsync, OpArmSRQ, OpModifyQP:
		c.track.events = c.track.events || in.op == iStmt
	}
	for i := range in.body {
		c.trackInstr(&in.body[i])
	}
	for i := range in.els {
		c.trackInstr(&in.els[i])
	}
}

func (c *compiler) trackExpr(e *Expr) {
	if e.Op != ExprAtom {
		return
	}
	switch e.Atom.Kind {
	case AtomWR:
		c.track.retried = c.track.retried || e.Atom.Field == WRRetried
		if e.Atom.Field == WRPlaced {
			c.track.place, c.track.msg = true, true
		}
	case AtomRNR:
		c.track.rnr = true
	case AtomSrc, AtomMsg, AtomWCSrc:
		c.track.msg = true
	case AtomData: // a READ of another QP may come before placement
		c.track.data, c.track.place = true, true
	case AtomMRValue:
		c.track.data, c.track.place = true, true
	case AtomAsync:
		c.track.events = true
	}
}

// WalkExpr calls f for e and everything below it; e may be nil.
func WalkExpr(e *Expr, f func(*Expr)) {
	if e == nil {
		return
	}
	f(e)
	for _, k := range e.Kids {
		WalkExpr(k, f)
	}
}
