package scenario

import (
	"fmt"
	"slices"

	"github.com/ibcheck/ibcheck/spec"
)

// An env is where in a program a statement stands.
type env struct {
	nb      *nodeBuild
	runner  runner
	wcs     []*sym // names of completions, the innermost last
	event   *sym   // name of the cq whose event came, nil if none; its index may be spec.EventCQ
	handles []int  // cqs whose completion is being handled
}

// A runner is what runs a statement: a thread, or the pollers of a handler.
type runner struct {
	thread  int // index, -1 in a handler
	handler int // index, -1 in a thread
}

// A tail is a wait for a completion: who waits, in which cqs it may come.
type tail struct {
	who  runner
	tok  Token
	wr   int
	cqs  []int
	poll bool // not a wait but a poll of the cqs
}

// programs builds the threads and handlers of a node.
func (b *builder) programs(nb *nodeBuild) {
	n := b.node(nb)
	main := env{nb: nb, runner: runner{0, -1}}
	thread := 0
	b.each(nb.block.Stmts, func(s *Stmt) {
		n := b.node(nb)
		switch {
		case s.call.row.Word == "thread":
			if y := nb.scope.syms[b.text(s.call.args[0].toks[0])]; y == nil || y.kind != symThread || y.tok.Pos != s.call.args[0].toks[0].Pos {
				return
			}
			thread++
			e := env{nb: nb, runner: runner{thread, -1}}
			n.Threads[thread].Body = b.body(s.call.blocks()[0].block.Stmts, &e)
		case s.call.row.Word == "on":
			b.handler(nb, s)
		case s.call.row.In&InProgram != 0:
			n.Threads[0].Body = append(n.Threads[0].Body, b.stmt(s, &main)...)
		}
	})
	if len(n.Threads[0].Body) > 0 {
		n.Threads[0].Pos = n.Threads[0].Body[0].Pos
	}
	b.selfWaits(nb)
}

// declareHandlers declares the handlers of a node, so that expressions before
// them can ask about them.
func (b *builder) declareHandlers(nb *nodeBuild) {
	nb.handlers = map[handlerKey]int{}
	b.each(nb.block.Stmts, func(s *Stmt) {
		if s.call.row.Word != "on" {
			return
		}
		t := s.call.arg(aDone).toks[0]
		y := b.completed(nb, t)
		if y == nil {
			b.lost[lostHandler] = true
			return
		}
		h := spec.Handler{WR: -1, CQ: -1, As: "wc", Pos: s.word().Pos}
		if h.WR = y.index; y.kind == symCQ {
			h.WR, h.CQ = -1, y.index
		}
		if a := s.call.arg(aAs); a != nil {
			h.As = a.toks[0].Text
		}
		n := b.node(nb)
		for _, old := range n.Handlers {
			if old.WR == h.WR && old.CQ == h.CQ {
				b.fail(t, fmt.Sprintf("`on %s` stands twice", b.text(t)), fmt.Sprintf("also in line %d", old.Pos.Line), "", "")
				return
			}
		}
		nb.handlers[handlerKey{s, b.star}] = len(n.Handlers)
		n.Handlers = append(n.Handlers, h)
	})
}

// handler builds the body of a handler.
func (b *builder) handler(nb *nodeBuild, s *Stmt) {
	i, ok := nb.handlers[handlerKey{s, b.star}]
	if !ok {
		return
	}
	h := &b.node(nb).Handlers[i]
	e := env{nb: nb, runner: runner{-1, i}, wcs: []*sym{b.localName(nb, symWC, s.call.arg(aAs), h.As)}, handles: []int{h.CQ}}
	if h.WR >= 0 {
		e.handles = b.cqsOf(h.WR)
	}
	h.Body = b.body(s.call.blocks()[0].block.Stmts, &e)
}

// localName makes the name that "as" gives to something in a block; without
// it, text is the name it has anyway.
func (b *builder) localName(nb *nodeBuild, kind symKind, as *arg, text string) *sym {
	y := &sym{kind: kind, name: text, node: nb.index}
	if as != nil {
		y.tok = as.toks[0]
		b.use(y.tok, y)
	}
	return y
}

// completed resolves X.wc, X a WR or a cq of the node; nil if there is none.
func (b *builder) completed(nb *nodeBuild, t Token) *sym {
	name, field, ok := cutLast(b.text(t))
	y := nb.scope.syms[name]
	switch {
	case !ok || field != "wc":
		help := ""
		if nb.scope.syms[b.text(t)] != nil {
			help = fmt.Sprintf("write `%s.wc`", b.text(t))
		} else if field == "cqe" {
			help = "a program learns of a completion when a poll returns it: `" + name + ".wc`"
		}
		b.fail(t, fmt.Sprintf("`%s` is not a completion", b.text(t)), "", argWords[aDone], help)
		return nil
	}
	word := segments(t)[0]
	word.Text = name
	if y != nil && (y.kind == symCQ || y.kind == symWR) {
		b.use(word, y)
		return y
	}
	b.undeclared(nb.scope, word, symWR)
	return nil
}

// cqsOf returns the cqs, of the WR's node, that its completion may come in.
func (b *builder) cqsOf(wr int) []int {
	w := b.sc.WRs[wr]
	n := b.sc.Nodes[w.Node]
	if w.SRQ < 0 {
		if w.QP < 0 {
			return nil
		}
		if w.Recv {
			return []int{n.QPs[w.QP].RecvCQ}
		}
		return []int{n.QPs[w.QP].SendCQ}
	}
	var out []int
	for _, q := range n.QPs {
		if q.SRQ == w.SRQ && !slices.Contains(out, q.RecvCQ) {
			out = append(out, q.RecvCQ)
		}
	}
	return out
}

// body builds the statements of a block.
func (b *builder) body(stmts []*Stmt, e *env) []spec.Stmt {
	inner := *e
	out := []spec.Stmt{}
	b.each(stmts, func(s *Stmt) { out = append(out, b.stmt(s, &inner)...) })
	return out
}

// stmt builds one statement. An if over params becomes the branch it takes.
func (b *builder) stmt(s *Stmt, e *env) []spec.Stmt {
	c := s.call
	out := spec.Stmt{Op: c.row.op, Pos: s.word().Pos, WR: -1, QP: -1, CQ: -1, SRQ: -1, MR: -1, Var: -1, Lock: -1, Channel: -1, CompChannel: -1}
	if c.row.Word == "if" {
		if v, ok := b.constant(c.arg(aExpr).expr); ok {
			return b.chosen(s, v != 0, e)
		}
	}
	for i := range c.args {
		b.arg(&out, s, &c.args[i], e)
	}
	switch c.row.Word {
	case "post_send", "post_recv", "post_srq_recv":
		out = b.postStmt(out, c, e)
	case "tell", "hear":
		b.message(&out, c, e)
	case "modify_qp":
		b.settable(c.arg(aState).toks[0], out.State)
	case "get_cq_event":
		b.eventOf(&out, c, e)
	case "get_async_event":
		b.eventFits(c.arg(aObject).toks[0], c.arg(aEvent).toks[0], out.QP, out.CQ, out.SRQ)
	case "bug_on":
		out.Expr = &spec.Expr{Op: spec.ExprNot, Pos: out.Pos, Kids: []*spec.Expr{out.Expr}}
	case "wait":
		b.noteWait(out, s.word(), e)
	case "atomic":
		b.checkAtomic(c.blocks()[0].block.Stmts, true)
	}
	return []spec.Stmt{out}
}

// chosen builds the branch that the params take; the other is only checked.
func (b *builder) chosen(s *Stmt, taken bool, e *env) []spec.Stmt {
	var out []spec.Stmt
	for _, a := range s.call.blocks() {
		if taken == (a.label != "else") {
			out = b.body(a.block.Stmts, e)
			continue
		}
		b.dead++
		b.body(a.block.Stmts, e)
		b.dead--
	}
	return out
}

// arg sets the field of a statement that an argument gives.
func (b *builder) arg(out *spec.Stmt, s *Stmt, a *arg, e *env) {
	scope := e.nb.scope
	if a.block != nil {
		b.blockArg(out, s, a, e)
		return
	}
	var t Token
	if len(a.toks) > 0 {
		t = a.toks[0]
	}
	switch a.kind {
	case aQP:
		out.QP = b.local(scope, t, symQP)
	case aCQ:
		out.CQ = b.cq(out, t, e)
	case aSRQ:
		out.SRQ = b.local(scope, t, symSRQ)
	case aMR:
		out.MR = b.local(scope, t, symMR)
	case aVar:
		out.Var = b.local(scope, t, symVar)
	case aLock:
		out.Lock = b.local(scope, t, symLock)
	case aCh:
		out.CompChannel = b.local(scope, t, symCh)
	case aObject:
		b.object(out, t, scope)
	case aInt:
		out.N = b.int(t, s.call.row)
	case aState:
		out.State = b.word(t, AsState)
	case aEvent:
		out.Event = b.word(t, AsEvent)
	case aAs:
		out.As = t.Text
	case aExpr:
		want := tBool
		if out.Op == spec.OpSet {
			want = tInt
		}
		out.Expr = b.expr(a.expr, &exprEnv{nb: e.nb, wcs: e.wcs, program: true}, want)
	case aOptions:
		for _, o := range a.calls {
			out.Solicited = out.Solicited || o.row.Word == "SOLICITED" && out.Op == spec.OpReqNotify
		}
	}
}

// blockArg builds a block of a statement.
func (b *builder) blockArg(out *spec.Stmt, s *Stmt, a *arg, e *env) {
	inner := *e
	if s.call.row.flags&polls != 0 && a.label != "else" {
		if out.As == "" {
			out.As = "wc"
		}
		inner.wcs = append(slices.Clip(e.wcs), b.localName(e.nb, symWC, s.call.arg(aAs), out.As))
	}
	body := b.body(a.block.Stmts, &inner)
	switch {
	case out.Op == spec.OpEither:
		out.Alts = append(out.Alts, body)
	case a.label == "else":
		out.Else = body
	default:
		out.Body = body
	}
}

// cq resolves a cq, or the name that get_cq_event gave one.
func (b *builder) cq(out *spec.Stmt, t Token, e *env) int {
	i := 0
	if e.event != nil && t.Text == e.event.name {
		b.use(t, e.event)
		i = e.event.index
	} else {
		i = b.local(e.nb.scope, t, symCQ)
	}
	if out.Op == spec.OpPollCQ || out.Op == spec.OpDrain {
		if i >= 0 && slices.Contains(e.handles, i) {
			b.fail(t, fmt.Sprintf("cq `%s` is polled in a handler of its own", b.text(t)), "", "", "its poller runs one handler at a time")
		}
		if b.dead == 0 {
			e.nb.tails = append(e.nb.tails, tail{who: e.runner, tok: t, cqs: []int{i}, poll: true})
		}
	}
	return i
}

// object resolves a qp, cq or srq.
func (b *builder) object(out *spec.Stmt, t Token, scope *scope) {
	y := scope.syms[b.text(b.meant(t))]
	switch {
	case y != nil && y.kind == symCQ:
		out.CQ = b.local(scope, t, symCQ)
	case y != nil && y.kind == symSRQ:
		out.SRQ = b.local(scope, t, symSRQ)
	default:
		out.QP = b.local(scope, t, symQP)
	}
}

// eventFits checks that an asynchronous event is one of the object.
func (b *builder) eventFits(object, event Token, qp, cq, srq int) {
	if qp < 0 && cq < 0 && srq < 0 {
		return
	}
	name, fits, want := b.word(event, AsEvent), qp >= 0, "a qp"
	switch name {
	case "CQ_ERR":
		fits, want = cq >= 0, "a cq"
	case "SRQ_LIMIT_REACHED":
		fits, want = srq >= 0, "an srq"
	}
	if !fits {
		b.fail(object, fmt.Sprintf("%s is an event of %s", name, want), "", want, "")
	}
}

// settable reports states that no program moves a QP to.
func (b *builder) settable(t Token, state string) {
	switch state {
	case spec.DESTROYED.String():
		b.fail(t, "a QP is not moved to DESTROYED", "", "", "`destroy_qp` destroys it")
	case spec.SQE.String():
		b.fail(t, "a QP is not moved to SQE", "", "", "an RC QP goes to ERR instead (F2.20)")
	}
}

// postStmt completes a post.
func (b *builder) postStmt(out spec.Stmt, c *call, e *env) spec.Stmt {
	name, _ := c.tok1(aWR)
	if y := e.nb.scope.syms[b.text(name)]; y != nil && y.kind == symWR {
		out.WR = y.index
	}
	return out
}

// message resolves the channel and message of a tell or hear.
func (b *builder) message(out *spec.Stmt, c *call, e *env) {
	ch, msg := c.args[0].toks[0], c.args[1].toks[0]
	if out.Channel = b.local(b.file, ch, symOOB); out.Channel < 0 {
		return
	}
	channel := b.sc.Channels[out.Channel]
	end, verb := channel.From, "begins"
	if c.row.Word == "hear" {
		end, verb = channel.To, "ends"
	}
	if end != e.nb.index && end >= 0 {
		b.fail(ch, fmt.Sprintf("channel `%s` %s on node %s, not on %s", channel.Name, verb, b.sc.Nodes[end].Name, e.nb.scope.name), "", "", "")
		return
	}
	b.use(msg, b.messages[messageKey{out.Channel, b.text(msg)}])
	out.N = slices.Index(channel.Messages, b.text(msg))
	if out.N < 0 && !b.excused(msg.Text, symOOB) && !b.gone(lostTell) {
		b.fail(msg, fmt.Sprintf("nobody tells `%s` on channel `%s`", b.text(msg), channel.Name), "", "", suggest(b.text(msg), channel.Messages, "messages"))
	}
}

// eventOf names the cq whose event a get_cq_event brings: if the channel has
// one cq it is that.
func (b *builder) eventOf(out *spec.Stmt, c *call, e *env) {
	if out.CompChannel < 0 {
		return
	}
	var cqs []int
	for i, q := range b.node(e.nb).CQs {
		if q.Channel == out.CompChannel {
			cqs = append(cqs, i)
		}
	}
	t := c.arg(aCh).toks[0]
	if len(cqs) == 0 && !b.gone(symCQ) && !b.gone(lostAttr) {
		b.fail(t, fmt.Sprintf("no cq has the channel `%s`", b.text(t)), "", "", fmt.Sprintf("`cq NAME { channel %s }`", b.text(t)))
	}
	if a := c.arg(aAsCQ); a != nil {
		out.As, e.event = a.toks[0].Text, b.localName(e.nb, symEvent, a, a.toks[0].Text)
		if e.event.index = spec.EventCQ; len(cqs) == 1 {
			e.event.index = cqs[0]
		}
	}
}

// checkAtomic reports what may not stand in atomic: what may block, unless it
// is first, and what does not end by itself.
func (b *builder) checkAtomic(stmts []*Stmt, first bool) {
	for _, s := range stmts {
		if s.call == nil {
			first = false
			continue
		}
		switch r := s.call.row; {
		case r.flags&noAtomic != 0:
			b.fail(s.word(), fmt.Sprintf("`%s` in atomic", r.Word), "", "", "atomic is one step: it holds no loop, drain or atomic")
		case r.flags&blocks != 0 && !first:
			b.fail(s.word(), fmt.Sprintf("`%s` may block inside of atomic", r.Word), "", "", "only the first statement of atomic may block or choose")
		}
		for _, a := range s.call.blocks() {
			b.checkAtomic(a.block.Stmts, first)
		}
		first = false
	}
}
