package scenario

import (
	"fmt"
	"slices"

	"github.com/ibcheck/ibcheck/spec"
)

// unheard finds sends that nothing depends on: nothing names them or a receive
// that may take their message, no program polls what they complete in, and the
// memory they use is used by nothing else. Receives are there to be taken.
func (l *linter) unheard() {
	for _, t := range l.x.f.Things() {
		if t.kind != symWR || len(t.syms) == 0 || l.heard(t) {
			continue
		}
		w := &l.b.sc.WRs[t.syms[0].index]
		taken := slices.ContainsFunc(l.b.partners(w), func(i int) bool { return l.polled(i) || l.heard(l.thing(i)) })
		if !w.Recv && !taken && !l.polled(t.syms[0].index) && !l.sharesMemory(w) {
			l.find2(Token{Pos: t.Pos, chars: t.Len}, "unused-WR", fmt.Sprintf("nothing depends on `%s`", t.Name), "named nowhere else",
				"handle it, wait for it or ask about it in a property")
		}
	}
}

// thing is what the i-th WR is declared as.
func (l *linter) thing(i int) *Thing { return l.x.things[l.b.sc.WRs[i].Pos] }

// heard reports whether something names a WR apart from its posts.
func (l *linter) heard(t *Thing) bool {
	return t != nil && slices.ContainsFunc(t.Names, func(n *Name) bool { return !l.postedAt(n) })
}

// sharesMemory reports whether memory that a WR uses is named elsewhere too:
// twice, for its declaration and its use by the WR.
func (l *linter) sharesMemory(w *spec.WR) bool {
	refs := []spec.MRRef{w.Remote, {Node: w.Node, MR: w.Local}}
	for _, i := range w.SGE {
		refs = append(refs, spec.MRRef{Node: w.Node, MR: i})
	}
	return slices.ContainsFunc(refs, func(r spec.MRRef) bool {
		if r.Node < 0 || r.MR < 0 {
			return false
		}
		t := l.x.things[l.b.sc.Nodes[r.Node].MRs[r.MR].Pos]
		return t == nil || len(t.Names) > 2
	})
}

// postedAt reports whether a name of a WR is where it is posted.
func (l *linter) postedAt(n *Name) bool {
	return n.Def || slices.ContainsFunc(l.b.posts, func(p spec.Pos) bool { return p == n.Pos })
}

// polled reports whether a program sees the completions of a WR's cq: it polls
// the cq, or has a handler for all of it.
func (l *linter) polled(wr int) bool {
	w := &l.b.sc.WRs[wr]
	n := &l.b.sc.Nodes[w.Node]
	cqs := l.b.cqsOf(wr)
	seen := slices.ContainsFunc(n.Handlers, func(h spec.Handler) bool { return h.CQ >= 0 && slices.Contains(cqs, h.CQ) })
	eachBody(n, func(body []spec.Stmt) {
		walkStmts(body, func(s *spec.Stmt) {
			seen = seen || (s.Op == spec.OpPollCQ || s.Op == spec.OpDrain) && (s.CQ == spec.EventCQ || slices.Contains(cqs, s.CQ))
		})
	})
	return seen
}

// eachBody calls f for the programs of a node.
func eachBody(n *spec.Node, f func([]spec.Stmt)) {
	for _, t := range n.Threads {
		f(t.Body)
	}
	for _, h := range n.Handlers {
		f(h.Body)
	}
}

// sendsInLoops finds loops in which a queue gets sends and none is signaled:
// its slots come free only with the CQE of a later signaled send (F2.12).
func (l *linter) sendsInLoops() {
	for i := range l.b.sc.Nodes {
		n := &l.b.sc.Nodes[i]
		eachBody(n, func(body []spec.Stmt) {
			walkStmts(body, func(s *spec.Stmt) {
				if s.Op == spec.OpLoop || s.Op == spec.OpRepeat && s.N > 1 {
					l.sendsInLoop(n, s.Body)
				}
			})
		})
	}
}

func (l *linter) sendsInLoop(n *spec.Node, body []spec.Stmt) {
	first := map[int]*spec.WR{} // the first send, by qp
	signaled := map[int]bool{}
	var qps []int
	walkStmts(body, func(s *spec.Stmt) {
		if s.Op != spec.OpPostSend || s.WR < 0 {
			return
		}
		w := &l.b.sc.WRs[s.WR]
		if w.QP < 0 {
			return
		}
		if first[w.QP] == nil {
			first[w.QP] = w
			qps = append(qps, w.QP)
		}
		signaled[w.QP] = signaled[w.QP] || w.Signaled || n.QPs[w.QP].SigAll
	})
	for _, q := range qps {
		if w := first[q]; !signaled[q] {
			l.find(Token{Pos: w.Pos, chars: len(w.Name)}, "unsignaled-loop", fmt.Sprintf("no send of this loop on `%s` is signaled", n.QPs[q].Name),
				"the slots of a send queue come free with the CQE of a later signaled send (F2.12)")
		}
	}
}

// receives finds receives that no message can be left for: the peers send
// fewer. Those that something names are meant to be left over; what is posted
// in a loop has no number.
func (l *linter) receives() {
	posted, looped := l.postedWRs()
	seen := map[string]bool{}
	for i := range l.b.sc.WRs {
		w := &l.b.sc.WRs[i]
		queue := fmt.Sprint(w.Node, " ", w.QP, " ", w.SRQ)
		if !w.Recv || seen[queue] {
			continue
		}
		seen[queue] = true
		l.queue(w, posted, looped)
	}
}

// queue judges the receives of one queue, the first of which is w.
func (l *linter) queue(w *spec.WR, posted, looped map[int]bool) {
	var recvs []int
	for i := range l.b.sc.WRs {
		if r := &l.b.sc.WRs[i]; r.Recv && r.Node == w.Node && r.QP == w.QP && r.SRQ == w.SRQ && posted[i] {
			if looped[i] {
				return
			}
			recvs = append(recvs, i)
		}
	}
	sends := l.b.partners(w) // those that only a variant posts too
	if slices.ContainsFunc(sends, func(i int) bool { return looped[i] }) {
		return
	}
	left := len(recvs) - len(sends)
	for _, i := range slices.Backward(recvs) {
		r := &l.b.sc.WRs[i]
		if left <= 0 {
			return
		}
		if l.heard(l.thing(i)) {
			continue
		}
		left--
		l.find(Token{Pos: r.Pos, chars: l.written(r)}, "unmatched-receive", fmt.Sprintf("no message is left for `%s`", r.Name),
			fmt.Sprintf("the queue gets %s, and %s may come", count(len(recvs), "receive"), count(len(sends), "message")))
	}
}

// written is the width of a WR's name where it is posted.
func (l *linter) written(w *spec.WR) int {
	if n := l.x.names[w.Pos]; n != nil {
		return n.Len
	}
	return len(w.Name)
}

// postedWRs are the WRs that programs post, and those among them that loops or
// handlers of whole cqs post, more often than once.
func (l *linter) postedWRs() (posted, looped map[int]bool) {
	posted, looped = map[int]bool{}, map[int]bool{}
	note := func(set map[int]bool, body []spec.Stmt) {
		walkStmts(body, func(s *spec.Stmt) {
			if s.WR >= 0 {
				set[s.WR] = true
			}
		})
	}
	for i := range l.b.sc.Nodes {
		n := &l.b.sc.Nodes[i]
		eachBody(n, func(body []spec.Stmt) {
			note(posted, body)
			walkStmts(body, func(s *spec.Stmt) {
				if s.Op == spec.OpLoop || s.Op == spec.OpRepeat || s.Op == spec.OpDrain {
					note(looped, s.Body)
				}
			})
		})
		for before := -1; before < len(looped); { // what handles a repeated WR is repeated
			before = len(looped)
			for _, h := range n.Handlers {
				if h.CQ >= 0 || looped[h.WR] {
					note(looped, h.Body)
				}
			}
		}
	}
	return posted, looped
}
