package scenario

import (
	"fmt"
	"slices"

	"github.com/ibcheck/ibcheck/spec"
)

// A nodeBuild is a node being built.
type nodeBuild struct {
	scope *scope
	index int
	block *Block
	star  int // its number among its likes, -1 if it is alone
	decls []declared
	tails []tail

	handlers map[handlerKey]int // index by statement
}

// A handlerKey is an on statement and the number that its `*` stands for.
type handlerKey struct {
	stmt *Stmt
	star int
}

// A declared is a declaration whose attributes are to be read.
type declared struct {
	call  *call
	star  int
	first int // index of the first thing it declares
	count int
}

// spec returns the node in the scenario.
func (b *builder) node(nb *nodeBuild) *spec.Node { return &b.sc.Nodes[nb.index] }

// eachNode calls f for every node, with `*` standing for its number.
func (b *builder) eachNode(f func(*nodeBuild)) {
	for _, nb := range b.nodes {
		b.here, b.star = nb, nb.star
		f(nb)
		b.here, b.star = nil, -1
	}
}

// declareNodes declares a node, or several, with what stands in it.
func (b *builder) declareNodes(s *Stmt) {
	switch c := s.call; c.row.Word {
	case "node":
		b.addNode(c, -1, 0)
	case "replicate":
		decl := c.arg(aDecl).calls[0]
		t, _ := c.tok1(aInt)
		n := b.int(t, c.row)
		name, _ := decl.tok1(aName)
		if b.groups[name.Text] > 0 {
			b.fail(name, fmt.Sprintf("`%s` is replicated already", name.Text), "", "", "")
			return
		}
		b.groups[name.Text] = n
		b.orbits++
		for i := range n {
			b.addNode(decl, i, b.orbits)
		}
	}
}

func (b *builder) addNode(c *call, star, orbit int) {
	name := numbered(c.args[0].toks[0], star)
	if b.declare(b.file, name, symNode, len(b.nodes)) == nil {
		b.lost[symNode] = true
		return
	}
	nb := &nodeBuild{scope: newScope(name.Text, len(b.nodes)), index: len(b.nodes), block: c.blocks()[0].block, star: star}
	b.nodes = append(b.nodes, nb)
	b.sc.Nodes = append(b.sc.Nodes, spec.Node{Name: name.Text, Pos: name.Pos, Orbit: orbit, Threads: []spec.Thread{{Pos: name.Pos}}})
	b.here, b.star = nb, star
	for _, s := range nb.block.Stmts {
		if s.call != nil && !s.bad {
			b.declareIn(nb, s)
		}
	}
	b.here, b.star = nil, -1
}

// numbered returns a name with a number after it, if there is one.
func numbered(t Token, star int) Token {
	if star >= 0 {
		t.Text = fmt.Sprintf("%s%d", t.Text, star)
	}
	return t
}

// declareIn declares what a statement of a node declares.
func (b *builder) declareIn(nb *nodeBuild, s *Stmt) {
	c := s.call
	if c.row.Word != "replicate" {
		if c.row.declares != symNone && c.row.declares != symThread {
			b.declareAll(nb, c, -1)
		}
		return
	}
	decl := c.arg(aDecl).calls[0]
	if nb.star >= 0 {
		b.fail(s.word(), "`replicate` in a replicated node", "", "", "`*` is the node's own number there")
		return
	}
	if decl.row.declares == symThread {
		b.fail(decl.tok, "a thread is not replicated", "", "", "`thread t* { … }` beside something replicated")
		return
	}
	t, _ := c.tok1(aInt)
	n := b.int(t, c.row)
	for _, name := range decl.arg(aName).toks {
		b.groups[nb.scope.name+"."+name.Text] = n
	}
	for i := range n {
		b.star = i
		b.declareAll(nb, decl, i)
	}
	b.star = -1
}

// declareAll declares every name of a declaration.
func (b *builder) declareAll(nb *nodeBuild, c *call, star int) {
	d := declared{call: c, star: star, first: -1}
	for _, t := range c.arg(aName).toks {
		t = numbered(t, star)
		index := b.count(nb, c.row.declares)
		if b.declare(nb.scope, t, c.row.declares, index) == nil {
			continue
		}
		if d.first < 0 {
			d.first = index
		}
		d.count++
		b.add(nb, c, t)
	}
	if d.count > 0 {
		nb.decls = append(nb.decls, d)
	}
}

// count returns how many things of a kind a node has.
func (b *builder) count(nb *nodeBuild, kind symKind) int {
	n := b.node(nb)
	return map[symKind]int{symCQ: len(n.CQs), symQP: len(n.QPs), symSRQ: len(n.SRQs), symMR: len(n.MRs), symCh: len(n.CompChannels),
		symVar: len(n.Vars), symLock: len(n.Locks)}[kind]
}

// add appends a thing with its defaults to a node.
func (b *builder) add(nb *nodeBuild, c *call, t Token) {
	n := b.node(nb)
	switch c.row.declares {
	case symCQ:
		n.CQs = append(n.CQs, spec.CQ{Name: t.Text, Pos: t.Pos, Channel: -1})
	case symQP:
		n.QPs = append(n.QPs, spec.QP{Name: t.Text, Pos: t.Pos, Type: "RC", SendCQ: -1, RecvCQ: -1, SRQ: -1, MTU: 1024, Timeout: 1, RetryCnt: 2,
			RNRRetry: 7, MaxRdAtomic: 1, MaxDestRdAtomic: 1, State: spec.RTS.String()})
	case symSRQ:
		n.SRQs = append(n.SRQs, spec.SRQ{Name: t.Text, Pos: t.Pos})
	case symMR:
		n.MRs = append(n.MRs, spec.MR{Name: t.Text, Pos: t.Pos, Length: 64, Units: 1})
	case symCh:
		n.CompChannels = append(n.CompChannels, spec.Named{Name: t.Text, Pos: t.Pos})
	case symVar:
		n.Vars = append(n.Vars, b.variable(c, t))
	}
}

// varMax is the upper end of the range of a var that has none of its own.
const varMax = 15

// variable makes a var. A range that is not given is 0..15, wide enough for
// the first value.
func (b *builder) variable(c *call, t Token) spec.Var {
	v := spec.Var{Name: t.Text, Pos: t.Pos, Hi: varMax}
	if a := c.after("="); a != nil {
		v.Init = b.int(a.toks[0], c.row)
		v.Lo, v.Hi = min(v.Lo, v.Init), max(v.Hi, v.Init)
	}
	if lo, hi := c.after("in"), c.after(".."); lo != nil && hi != nil {
		v.Lo, v.Hi = b.int(lo.toks[0], c.row), b.int(hi.toks[0], c.row)
		if v.Hi < v.Lo {
			b.fail(hi.toks[0], fmt.Sprintf("range %d..%d is empty", v.Lo, v.Hi), "", "", "")
			return v
		}
		if c.after("=") == nil {
			v.Init = min(max(0, v.Lo), v.Hi)
		}
		if v.Init < v.Lo || v.Init > v.Hi {
			b.fail(c.after("=").toks[0], fmt.Sprintf("%d is outside of the range %d..%d", v.Init, v.Lo, v.Hi), "", "", "")
		}
	}
	return v
}

// attributes reads the attributes of everything a node declares.
func (b *builder) attributes(nb *nodeBuild) {
	for _, d := range nb.decls {
		if d.star >= 0 {
			b.star = d.star
		}
		blocks := d.call.blocks()
		for i := d.first; i < d.first+d.count; i++ {
			for _, blk := range blocks {
				for _, s := range blk.block.Stmts {
					if s.call != nil && !s.bad {
						b.attribute(nb, d.call.row.declares, i, s.call)
					}
				}
			}
		}
		if d.call.row.declares == symQP && !slices.ContainsFunc(blocks[0].block.Stmts, func(s *Stmt) bool { return s.bad }) {
			b.needCQs(nb, d)
		}
		b.star = nb.star
	}
}

// needCQs reports a QP without one of its CQs.
func (b *builder) needCQs(nb *nodeBuild, d declared) {
	q := b.node(nb).QPs[d.first]
	if b.gone(symCQ) {
		return
	}
	for _, side := range []string{"send_cq", "recv_cq"} {
		given := slices.ContainsFunc(d.call.blocks()[0].block.Stmts, func(s *Stmt) bool { return s.word().is(side) })
		if !given {
			cqs := suggest("", nb.scope.names(symCQ), b.listTitle(nb.scope, "cq"))
			b.fail(d.call.arg(aName).toks[0], fmt.Sprintf("qp `%s` has no %s", q.Name, side), "", side+" CQ", cqs)
		}
	}
}

// attribute sets one attribute of the i-th thing of a kind.
func (b *builder) attribute(nb *nodeBuild, kind symKind, i int, c *call) {
	n := b.node(nb)
	num := 0
	if t, ok := c.tok1(aInt); ok {
		num = b.int(t, c.row)
	}
	switch kind {
	case symCQ:
		if c.row.Word == "depth" {
			n.CQs[i].Depth = num
		} else {
			n.CQs[i].Channel = b.local(nb.scope, c.args[0].toks[0], symCh)
			b.lost[lostAttr] = b.lost[lostAttr] || n.CQs[i].Channel < 0
		}
	case symSRQ:
		if c.row.Word == "max_wr" {
			n.SRQs[i].MaxWR = num
		} else {
			n.SRQs[i].Limit = num
		}
	case symMR:
		mrAttribute(&n.MRs[i], c, num, b.word)
	case symQP:
		b.qpAttribute(nb, &n.QPs[i], c, num)
	}
}

func mrAttribute(m *spec.MR, c *call, num int, word func(Token, Where) string) {
	switch c.row.Word {
	case "length":
		m.Length = num
	case "units":
		m.Units = num
	case "unregistered":
		m.Unregistered = true
	case "init":
		m.Init = num
	case "access":
		for _, t := range c.args[0].toks {
			switch word(t, AsAccess) {
			case "REMOTE_WRITE":
				m.RemoteWrite = true
			case "REMOTE_READ":
				m.RemoteRead = true
			case "REMOTE_ATOMIC":
				m.RemoteAtomic = true
			case "RELAXED_ORDERING":
				m.Relaxed = true
			}
		}
	}
}

func (b *builder) qpAttribute(nb *nodeBuild, q *spec.QP, c *call, num int) {
	fields := map[string]*int{"max_send_wr": &q.MaxSendWR, "max_recv_wr": &q.MaxRecvWR, "path_mtu": &q.MTU, "timeout": &q.Timeout, "retry_cnt": &q.RetryCnt,
		"rnr_retry": &q.RNRRetry, "min_rnr_timer": &q.MinRNRTimer, "max_rd_atomic": &q.MaxRdAtomic, "max_dest_rd_atomic": &q.MaxDestRdAtomic}
	if f := fields[c.row.Word]; f != nil {
		*f = num
		if t := c.args[0].toks[0]; f == &q.MTU && num&(num-1) != 0 {
			b.fail(t, fmt.Sprintf("%d is not a path MTU", num), "", "256, 512, 1024, 2048 or 4096", "")
		}
		return
	}
	var t Token
	if len(c.args) > 0 {
		t = c.args[0].toks[0]
	}
	switch c.row.Word {
	case "qp_type":
		q.Type = b.word(t, AsType)
	case "state":
		q.State = b.word(t, AsState)
		b.settable(t, q.State)
	case "send_cq":
		q.SendCQ = b.local(nb.scope, t, symCQ)
	case "recv_cq":
		q.RecvCQ = b.local(nb.scope, t, symCQ)
	case "srq":
		if b.meant(t).is("none") && nb.scope.syms["none"] == nil {
			q.SRQ = -1
			return
		}
		q.SRQ = b.local(nb.scope, t, symSRQ)
	case "sq_sig_all":
		q.SigAll = len(c.args) == 0 || num == 1
	}
}
