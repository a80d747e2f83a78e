package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// cutLast cuts a dotted name before its last segment.
func cutLast(s string) (name, field string, ok bool) {
	i := strings.LastIndexByte(s, '.')
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// noteWait remembers which completions a wait of a program needs polled.
func (b *builder) noteWait(out spec.Stmt, t Token, e *env) {
	if out.Expr == nil || b.dead > 0 {
		return
	}
	walkExpr(out.Expr, func(x *spec.Expr) {
		a := x.Atom
		polled := a.Field == spec.WRWC || a.Field == spec.WROK || a.Field == spec.WRFailed || a.Field == spec.WRFlushed
		if x.Op != spec.ExprAtom || a.Kind != spec.AtomWR || !polled || b.sc.WRs[a.WR].Node != e.nb.index {
			return
		}
		e.nb.tails = append(e.nb.tails, tail{who: e.runner, tok: t, wr: a.WR, cqs: b.cqsOf(a.WR)})
	})
}

func walkExpr(x *spec.Expr, f func(*spec.Expr)) {
	if x == nil {
		return
	}
	f(x)
	for _, k := range x.Kids {
		walkExpr(k, f)
	}
}

// selfWaits warns of waits for a completion that only the waiting thread, or
// the poller of the waiting handler, could poll.
func (b *builder) selfWaits(nb *nodeBuild) {
	pollers := map[int][]runner{} // by cq
	for _, t := range nb.tails {
		if t.poll && !slices.Contains(pollers[t.cqs[0]], t.who) {
			pollers[t.cqs[0]] = append(pollers[t.cqs[0]], t.who)
		}
	}
	for _, t := range nb.tails {
		if t.poll {
			continue
		}
		for _, cq := range t.cqs {
			if cq < 0 || len(t.cqs) > 1 || len(pollers[spec.EventCQ]) > 0 || !b.onlySelf(nb, t.who, cq, pollers[cq]) {
				continue
			}
			b.warn.add(Error{Pos: t.tok.Pos, Len: t.tok.width(), Code: "self-wait",
				Msg:   fmt.Sprintf("only the waiting program itself polls `%s`, where `%s` completes", b.node(nb).CQs[cq].Name, b.sc.WRs[t.wr].Name),
				Found: "waits for itself", Help: "poll in another thread, or before the wait"})
		}
	}
}

// onlySelf reports whether nobody but who polls a cq. The implicit poller of a
// cq runs the handlers of its completions.
func (b *builder) onlySelf(nb *nodeBuild, who runner, cq int, pollers []runner) bool {
	if len(pollers) > 0 {
		return len(pollers) == 1 && pollers[0] == who
	}
	handlers := b.node(nb).Handlers
	if who.handler < 0 || who.handler >= len(handlers) {
		return false
	}
	h := handlers[who.handler]
	return h.CQ == cq || h.WR >= 0 && slices.Equal(b.cqsOf(h.WR), []int{cq})
}
