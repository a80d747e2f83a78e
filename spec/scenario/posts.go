package scenario

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// A post is a place in a program that posts.
type post struct {
	call *call
	star int
	name Token
	path []branch
	dead bool // in a branch that the params leave out
}

// A branch is a statement that chooses among its blocks, and the block.
type branch struct {
	stmt  *Stmt
	block int
}

// exclusive reports whether at most one of two posts happens in one pass of
// the program: they stand in different blocks of one choice.
func (p post) exclusive(q post) bool {
	for _, x := range p.path {
		for _, y := range q.path {
			if x.stmt == y.stmt && x.block != y.block && x.stmt.call.row.op != spec.OpAtomic {
				return true
			}
		}
	}
	return false
}

// declareWRs declares what the programs of a node declare by using it: WRs,
// locks, the messages they tell, and threads.
func (b *builder) declareWRs(nb *nodeBuild) {
	var found []post
	b.findPosts(nb, nb.block.Stmts, nil, &found)
	var names []string
	byName := map[string][]post{}
	for _, p := range found {
		if byName[p.name.Text] == nil {
			names = append(names, p.name.Text)
		}
		byName[p.name.Text] = append(byName[p.name.Text], p)
	}
	for _, name := range names {
		b.declareWR(nb, byName[name])
	}
}

// findPosts collects the posts of a program in the order of the text.
func (b *builder) findPosts(nb *nodeBuild, stmts []*Stmt, path []branch, out *[]post) {
	b.each(stmts, func(s *Stmt) {
		c := s.call
		switch word := c.row.Word; {
		case losses[word] == symWR:
			name, _ := c.tok1(aWR)
			name.Text = b.text(name)
			*out = append(*out, post{call: c, star: b.star, name: name, path: path, dead: b.dead > 0})
		case word == "thread":
			t := c.args[0].toks[0]
			n := b.node(nb)
			if b.declare(nb.scope, t, symThread, len(n.Threads)) != nil {
				n.Threads = append(n.Threads, spec.Thread{Name: b.text(t), Pos: t.Pos})
			}
		case word == "lock":
			b.declareLock(nb, c.args[0].toks[0])
		case word == "tell":
			b.declareMessage(c)
		case word == "count":
			b.declareCounter(nb, c.args[0].toks[0])
		}
		live := b.live(s)
		for i, a := range c.blocks() {
			if !live[i] {
				b.dead++
			}
			b.findPosts(nb, a.block.Stmts, append(slices.Clip(path), branch{s, i}), out)
			if !live[i] {
				b.dead--
			}
		}
	})
}

func (b *builder) declareLock(nb *nodeBuild, t Token) {
	n := b.node(nb)
	if y := nb.scope.syms[b.text(t)]; y != nil && y.kind == symLock {
		b.use(t, y)
		return
	}
	if b.declare(nb.scope, t, symLock, len(n.Locks)) != nil {
		n.Locks = append(n.Locks, spec.Named{Name: b.text(t), Pos: t.Pos})
	}
}

// declareCounter declares a var by counting it.
func (b *builder) declareCounter(nb *nodeBuild, t Token) {
	if y := nb.scope.syms[b.text(t)]; y != nil {
		b.use(t, y)
		return
	}
	n := b.node(nb)
	y := b.declare(nb.scope, t, symVar, len(n.Vars))
	n.Vars = append(n.Vars, spec.Var{Name: b.text(t), Pos: t.Pos, Hi: varMax})
	b.counters = append(b.counters, counter{y, t})
}

// A counter is a var that was declared by counting it.
type counter struct {
	sym *sym
	tok Token
}

// unasked warns of counters that nothing asks: perhaps the name is wrong.
func (b *builder) unasked() {
	for _, c := range b.counters {
		if !b.asked[c.sym] {
			scope := b.nodes[c.sym.node].scope
			others := slices.DeleteFunc(scope.names(symVar), func(n string) bool { return n == c.sym.name })
			b.warn.add(Error{Pos: c.tok.Pos, Len: c.tok.width(), Code: "unasked-counter", Msg: fmt.Sprintf("counter `%s` is never asked", c.sym.name),
				Help: suggest(c.sym.name, others, "other "+b.listTitle(scope, "var"))})
		}
	}
}

func (b *builder) declareMessage(c *call) {
	y := b.file.syms[b.text(c.args[0].toks[0])]
	if y == nil || y.kind != symOOB {
		return
	}
	ch := &b.sc.Channels[y.index]
	t := c.args[1].toks[0]
	if m := b.text(t); !slices.Contains(ch.Messages, m) {
		ch.Messages = append(ch.Messages, m)
		b.messages[messageKey{y.index, m}] = &sym{kind: symMessage, name: m, tok: t, node: -1}
	}
}

// live says which of a statement's blocks the params leave in.
func (b *builder) live(s *Stmt) []bool {
	blocks := s.call.blocks()
	live := make([]bool, len(blocks))
	taken, constant := 0, false
	if s.call.row.op == spec.OpIf && s.call.row.Word == "if" {
		taken, constant = b.constant(s.call.arg(aExpr).expr)
	}
	for i, a := range blocks {
		live[i] = !constant || (taken != 0) == (a.label != "else")
	}
	return live
}

// declareWR declares the WR that all the posts name. One WR is posted in one
// place, or in several of which a program takes one. Where no post is left by
// the params, the WR is still there for properties to speak of.
func (b *builder) declareWR(nb *nodeBuild, all []post) {
	first := slices.IndexFunc(all, func(p post) bool { return !p.dead })
	main := all[max(first, 0)]
	index := len(b.sc.WRs)
	if b.declare(nb.scope, main.name, symWR, index) == nil {
		return
	}
	wr := b.workRequest(nb, main)
	b.sc.WRs = append(b.sc.WRs, wr)
	for i, p := range all {
		b.use(p.name, nb.scope.syms[main.name.Text])
		b.posts = append(b.posts, p.name.Pos)
		if p.dead && first >= 0 {
			saved := b.c.errs
			b.workRequest(nb, p)
			b.c.errs = saved[:len(saved):len(saved)]
			continue
		}
		for _, q := range all[:i] {
			if !q.dead && !p.dead && !b.samePost(nb, p, q) {
				return
			}
		}
	}
}

// samePost checks that two posts of one name are alternatives of one WR.
func (b *builder) samePost(nb *nodeBuild, p, q post) bool {
	if !p.exclusive(q) {
		b.fail(p.name, fmt.Sprintf("WR `%s` is posted twice", p.name.Text), fmt.Sprintf("also in line %d", q.name.Pos.Line), "",
			"posts in one loop are instances of one WR; others need a name of their own")
		return false
	}
	x, y := b.workRequest(nb, p), b.workRequest(nb, q)
	x.Pos, y.Pos = spec.Pos{}, spec.Pos{}
	if !reflect.DeepEqual(x, y) {
		b.fail(p.name, fmt.Sprintf("WR `%s` is not posted as in line %d", p.name.Text, q.name.Pos.Line), "", "",
			"one name in alternative branches is one WR; give unlike ones names of their own")
		return false
	}
	return true
}

// workRequest makes the WR of a post.
func (b *builder) workRequest(nb *nodeBuild, p post) spec.WR {
	star := b.star
	b.star = p.star
	defer func() { b.star = star }()
	c := p.call
	wr := spec.WR{Name: p.name.Text, Node: nb.index, Pos: p.name.Pos, QP: -1, SRQ: -1, Opcode: spec.RECV, Remote: spec.MRRef{Node: -1, MR: -1}, Local: -1}
	queue := c.args[0].toks[0]
	switch c.row.Word {
	case "post_srq_recv":
		wr.Recv, wr.SRQ = true, b.local(nb.scope, queue, symSRQ)
	case "post_recv":
		wr.Recv, wr.QP = true, b.local(nb.scope, queue, symQP)
		b.ownReceives(nb, wr.QP, queue)
	default:
		wr.QP = b.local(nb.scope, queue, symQP)
		b.connected(nb, wr.QP, queue)
		b.opcode(nb, &wr, c.arg(aOpcode).calls[0], c.arg(aOptions))
	}
	for _, o := range c.arg(aOptions).calls {
		b.option(nb, &wr, o)
	}
	return wr
}

// ownReceives reports a post_recv to a QP that takes receives from an SRQ.
func (b *builder) ownReceives(nb *nodeBuild, qp int, t Token) {
	if qp < 0 {
		return
	}
	n := b.node(nb)
	if s := n.QPs[qp].SRQ; s >= 0 {
		b.fail(t, fmt.Sprintf("qp `%s` has no receive queue of its own", n.QPs[qp].Name), "", "",
			fmt.Sprintf("it takes receives from srq %s: `post_srq_recv %s …`", n.SRQs[s].Name, n.SRQs[s].Name))
	}
}

// connected reports, once, a QP that sends but is not connected.
func (b *builder) connected(nb *nodeBuild, qp int, t Token) {
	ref := spec.QPRef{Node: nb.index, QP: qp}
	if _, ok := b.peers[ref]; ok || qp < 0 || b.lonely[ref] || b.gone(lostConnect) {
		return
	}
	b.lonely[ref] = true
	name := nb.scope.name + "." + b.text(t)
	b.fail(t, fmt.Sprintf("qp `%s` is not connected", name), "", "", fmt.Sprintf("`connect %s <-> NODE.QP`", name))
}

// opcode sets the opcode and checks that its options fit it.
func (b *builder) opcode(nb *nodeBuild, wr *spec.WR, op *call, opts *arg) {
	wr.Opcode = spec.Opcode(slices.Index(spec.Opcodes(), op.row.Word))
	if a := op.arg(aMR); a != nil {
		wr.Local = b.local(nb.scope, a.toks[0], symMR)
	}
	takes := strings.Fields(op.row.takes + " SIGNALED FENCE")
	missing := strings.Fields(op.row.must)
	for _, o := range opts.calls {
		if !slices.Contains(takes, o.row.Word) {
			b.fail(o.tok, fmt.Sprintf("%s takes no `%s`", op.row.Word, o.row.Word), "", "", "it takes "+strings.Join(takes, ", "))
		}
		missing = slices.DeleteFunc(missing, func(w string) bool { return w == o.row.Word })
	}
	if len(missing) > 0 {
		row := lookup(InSend, missing[0])
		b.fail(op.tok, fmt.Sprintf("%s lacks `%s`", op.row.Word, missing[0]), "", usage(row), row.Doc)
	}
}

// option sets what one option says.
func (b *builder) option(nb *nodeBuild, wr *spec.WR, o *call) {
	num := 0
	if t, ok := o.tok1(aInt); ok {
		num = b.int(t, o.row)
	}
	switch o.row.Word {
	case "SIGNALED":
		wr.Signaled = true
	case "FENCE":
		wr.Fence = true
	case "INLINE":
		wr.Inline = true
	case "SOLICITED":
		wr.Solicited = true
	case "length":
		wr.Length = num
	case "compare":
		wr.Compare = num
	case "swap", "add":
		wr.Operand = num
	case "sg":
		for _, t := range o.args[0].toks {
			if i := b.local(nb.scope, t, symMR); i >= 0 {
				wr.SGE = append(wr.SGE, i)
			}
		}
	case "remote":
		wr.Remote = b.remote(nb, wr.QP, o.args[0].toks[0])
	case "key":
		if wr.Opcode == spec.LOCAL_INV {
			wr.Local = b.local(nb.scope, o.args[0].toks[0], symMR)
		} else if wr.Opcode == spec.SEND_WITH_INV {
			wr.Remote = b.remote(nb, wr.QP, o.args[0].toks[0])
		}
	}
}

// remote resolves memory of the peer.
func (b *builder) remote(nb *nodeBuild, qp int, t Token) spec.MRRef {
	none := spec.MRRef{Node: -1, MR: -1}
	node, index := b.far(t, symMR)
	if node < 0 {
		return none
	}
	peer, ok := b.peers[spec.QPRef{Node: nb.index, QP: qp}]
	if ok && peer.Node != node {
		name := b.sc.Nodes[peer.Node].Name
		mrs := suggest("", b.nodes[peer.Node].scope.names(symMR), "mrs of node "+name)
		b.fail(t, fmt.Sprintf("`%s` is not memory of the peer", b.text(t)), "", "an mr of node "+name, mrs)
		return none
	}
	return spec.MRRef{Node: node, MR: index}
}

// far resolves NODE.NAME to a thing of a kind; node is -1 if there is none.
func (b *builder) far(t Token, kind symKind) (node, index int) {
	t = b.meant(t)
	parts := segments(t)
	if len(parts) < 2 {
		if text := b.text(t); !b.excused(text, kind) {
			want := fmt.Sprintf("%s as NODE.%s", kind, strings.ToUpper(kindNames[kind]))
			b.fail(t, fmt.Sprintf("`%s` does not say which node it is of", text), "", want, b.homes(text, kind))
		}
		return -1, -1
	}
	if b.star >= 0 && b.groups[parts[0].Text] > 0 {
		parts[0].Text = fmt.Sprintf("%s%d", parts[0].Text, b.star)
	}
	y := b.file.syms[b.text(parts[0])]
	if y == nil || y.kind != symNode {
		b.undeclared(b.file, parts[0], symNode)
		return -1, -1
	}
	nb := b.nodes[y.index]
	b.use(parts[0], y)
	if x := nb.scope.syms[b.text(parts[1])]; x != nil && x.kind == kind && len(parts) == 2 {
		b.use(parts[1], x)
		return y.index, x.index
	}
	b.undeclared(nb.scope, parts[1], kind)
	return -1, -1
}

// homes suggests the nodes that have a name.
func (b *builder) homes(name string, kind symKind) string {
	var out []string
	for _, nb := range b.nodes {
		if y := nb.scope.syms[name]; y != nil && y.kind == kind {
			out = append(out, "`"+nb.scope.name+"."+name+"`")
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "write " + strings.Join(out, " or ")
}

// connections reads connect and channel.
func (b *builder) connections(s *Stmt) {
	switch c := s.call; c.row.Word {
	case "connect":
		b.connect(s.word(), c)
	case "channel":
		name := c.args[0].toks[0]
		ch := spec.Channel{Name: b.text(name), Pos: name.Pos, From: b.fileNode(c.args[1].toks[0]), To: b.fileNode(c.args[2].toks[0])}
		if ch.From == ch.To && ch.From >= 0 {
			b.fail(c.args[2].toks[0], fmt.Sprintf("channel `%s` begins and ends on one node", ch.Name), "", "", "threads of one node share its vars")
		}
		if b.declare(b.file, name, symOOB, len(b.sc.Channels)) != nil {
			b.sc.Channels = append(b.sc.Channels, ch)
		}
	}
}

// fileNode resolves the name of a node, -1 if there is none.
func (b *builder) fileNode(t Token) int {
	name := b.text(t)
	if b.star >= 0 && b.groups[name] > 0 {
		name = fmt.Sprintf("%s%d", name, b.star)
	}
	if y := b.file.syms[name]; y != nil && y.kind == symNode {
		b.use(t, y)
		return y.index
	}
	b.undeclared(b.file, t, symNode)
	return -1
}

func (b *builder) connect(word Token, c *call) {
	var refs [2]spec.QPRef
	for i := range refs {
		refs[i].Node, refs[i].QP = b.far(c.args[i].toks[0], symQP)
	}
	if refs[0].Node < 0 || refs[1].Node < 0 {
		b.lost[lostConnect] = true
		return
	}
	if refs[0] == refs[1] {
		b.fail(c.args[1].toks[0], "a qp is not connected with itself", "", "another qp", "")
		return
	}
	for i, ref := range refs {
		if peer, ok := b.peers[ref]; ok {
			t := c.args[i].toks[0]
			b.fail(t, fmt.Sprintf("qp `%s` is already connected", b.text(t)), "with "+b.qpName(peer), "", "a qp has one peer")
			return
		}
	}
	b.peers[refs[0]], b.peers[refs[1]] = refs[1], refs[0]
	b.sc.Conns = append(b.sc.Conns, spec.Conn{A: refs[0], B: refs[1], Pos: word.Pos})
}

// qpName names a QP of the file.
func (b *builder) qpName(r spec.QPRef) string {
	return b.sc.Nodes[r.Node].Name + "." + b.sc.Nodes[r.Node].QPs[r.QP].Name
}
