package scenario

import (
	"testing"

	"github.com/ibcheck/ibcheck/spec"
)

// checkResolved holds a scenario to what package spec relies on: every index
// in use is within its list.
func checkResolved(t testing.TB, sc *spec.Scenario) {
	in := func(what string, i, n, least int) {
		if i < least || i >= n {
			t.Fatalf("%s is %d of %d", what, i, n)
		}
	}
	for _, c := range sc.Conns {
		for _, r := range []spec.QPRef{c.A, c.B} {
			in("node of a connection", r.Node, len(sc.Nodes), 0)
			in("qp of a connection", r.QP, len(sc.Nodes[r.Node].QPs), 0)
		}
	}
	for _, w := range sc.WRs {
		n := sc.Nodes[w.Node]
		in("qp of "+w.Name, w.QP, len(n.QPs), -1)
		in("srq of "+w.Name, w.SRQ, len(n.SRQs), -1)
		if (w.QP < 0) == (w.SRQ < 0) {
			t.Fatalf("%s has qp %d and srq %d", w.Name, w.QP, w.SRQ)
		}
		if w.Remote.Node >= 0 {
			in("remote of "+w.Name, w.Remote.MR, len(sc.Nodes[w.Remote.Node].MRs), 0)
		}
	}
	for _, n := range sc.Nodes {
		for _, q := range n.QPs {
			in("send_cq", q.SendCQ, len(n.CQs), 0)
			in("recv_cq", q.RecvCQ, len(n.CQs), 0)
			in("srq", q.SRQ, len(n.SRQs), -1)
		}
		for _, h := range n.Handlers {
			if (h.WR < 0) == (h.CQ < 0) {
				t.Fatalf("handler of WR %d and cq %d", h.WR, h.CQ)
			}
			checkStmts(t, sc, n, h.Body)
		}
		for _, th := range n.Threads {
			checkStmts(t, sc, n, th.Body)
		}
	}
	for _, p := range append(append([]spec.Property(nil), sc.Asserts...), sc.Reaches...) {
		checkExpr(t, sc, p.L)
		if p.R != nil {
			checkExpr(t, sc, p.R)
		}
	}
}

// needs says which indices each statement has, by the comments of spec.Op.
var needs = map[spec.Op]func(s spec.Stmt) []int{
	spec.OpPostSend: func(s spec.Stmt) []int { return []int{s.WR, s.QP} }, spec.OpPostRecv: func(s spec.Stmt) []int { return []int{s.WR} },
	spec.OpCount: func(s spec.Stmt) []int { return []int{s.Var} }, spec.OpSet: func(s spec.Stmt) []int { return []int{s.Var} },
	spec.OpLock: func(s spec.Stmt) []int { return []int{s.Lock} }, spec.OpUnlock: func(s spec.Stmt) []int { return []int{s.Lock} },
	spec.OpTell: func(s spec.Stmt) []int { return []int{s.Channel, s.N} }, spec.OpHear: func(s spec.Stmt) []int { return []int{s.Channel, s.N} },
	spec.OpModifyQP: func(s spec.Stmt) []int { return []int{s.QP} }, spec.OpDestroyQP: func(s spec.Stmt) []int { return []int{s.QP} },
	spec.OpGetEvent: func(s spec.Stmt) []int { return []int{s.CompChannel} }, spec.OpFree: func(s spec.Stmt) []int { return []int{s.MR} },
	spec.OpRead: func(s spec.Stmt) []int { return []int{s.MR} }, spec.OpArmSRQ: func(s spec.Stmt) []int { return []int{s.SRQ} },
}

func checkStmts(t testing.TB, sc *spec.Scenario, n spec.Node, stmts []spec.Stmt) {
	for _, s := range stmts {
		if f := needs[s.Op]; f != nil {
			for _, i := range f(s) {
				if i < 0 {
					t.Fatalf("%v: statement %d lacks an index: %+v", s.Pos, s.Op, s)
				}
			}
		}
		switch s.Op {
		case spec.OpPollCQ, spec.OpDrain, spec.OpReqNotify, spec.OpAckEvents, spec.OpDestroyCQ:
			if s.CQ != spec.EventCQ && (s.CQ < 0 || s.CQ >= len(n.CQs)) {
				t.Fatalf("%v: cq %d of %d", s.Pos, s.CQ, len(n.CQs))
			}
		case spec.OpWait, spec.OpIf, spec.OpSet, spec.OpAssertHere:
			checkExpr(t, sc, s.Expr)
		case spec.OpEither:
			if len(s.Alts) < 2 {
				t.Fatalf("%v: %d alternatives", s.Pos, len(s.Alts))
			}
		}
		for _, body := range append(append([][]spec.Stmt(nil), s.Alts...), s.Body, s.Else) {
			checkStmts(t, sc, n, body)
		}
	}
}

func checkExpr(t testing.TB, sc *spec.Scenario, x *spec.Expr) {
	if x == nil {
		t.Fatal("expression missing")
	}
	kids := map[spec.ExprOp]int{spec.ExprInt: 0, spec.ExprAtom: 0, spec.ExprNot: 1, spec.ExprNeg: 1, spec.ExprOnce: 1, spec.ExprPrev: 1, spec.ExprHistorically: 1}
	want, ok := kids[x.Op]
	if !ok {
		want = 2
	}
	if len(x.Kids) != want {
		t.Fatalf("%v: operator %d has %d operands", x.Pos, x.Op, len(x.Kids))
	}
	for _, k := range x.Kids {
		checkExpr(t, sc, k)
	}
	if x.Op == spec.ExprAtom && x.Atom.Kind == spec.AtomWR && (x.Atom.WR < 0 || x.Atom.WR >= len(sc.WRs)) {
		t.Fatalf("%v: atom of WR %d of %d", x.Pos, x.Atom.WR, len(sc.WRs))
	}
}
