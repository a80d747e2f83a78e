package invariants_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/invariants"
	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// The monitors remember a few bits; their twin keeps the whole run and judges
// it by the definitions of the operators.

// twinScenarios are runs of different kinds: losses, flushes, a QP destroyed
// with and without its CQEs, a READ, an SRQ with late receives, a QP made anew.
var twinScenarios = []string{`
connect a.q <-> b.q
node a { cq c; qp q { send_cq c; recv_cq c; retry_cnt 1 }; post_recv q R2; post_send q S1 SEND SIGNALED }
node b { cq c; qp q { send_cq c; recv_cq c }; var n; post_recv q R1; on R1.wc { count n; post_send q S2 SEND; count n } }
faults { drop(any) <= 2; kill(a.q) <= 1; early_timeout <= 1 }
allow retry_exhausted, open_wr
`, `
connect a.q <-> b.q
node a { cq c; var n; qp q { send_cq c; recv_cq c }; post_recv q R2; post_send q S1 SEND SIGNALED; count n; destroy_qp q; count n; poll_cq c }
node b { cq c; qp q { send_cq c; recv_cq c }; post_recv q R1; post_send q S2 SEND SIGNALED }
faults { drop(any) <= 1 }
allow retry_exhausted, open_wr
`, `
connect a.q <-> b.q
node a {
  mr x; mr y { access REMOTE_READ }; cq c; qp q { send_cq c; recv_cq c }
  post_send q S1 RDMA_READ SIGNALED sg [x] remote b.m; post_send q S2 RDMA_WRITE sg [y] remote b.m
}
node b {
  mr m { access REMOTE_READ, REMOTE_WRITE }; var n; cq c; srq r; qp q { send_cq c; recv_cq c; srq r }
  thread t { post_srq_recv r R1; count n; post_srq_recv r R2 }
}
node d { cq c; qp q { send_cq c; recv_cq c }; post_send q S3 SEND SIGNALED }
node e { srq r; cq c; qp q { send_cq c; recv_cq c; srq r }; either { post_srq_recv r R3 } or { modify_qp q ERR } }
connect d.q <-> e.q
faults { drop(any) <= 1 }
allow retry_exhausted, open_wr
`, `
connect a.q <-> b.q
node a { cq c; qp q { send_cq c; recv_cq c }; atomic { post_send q S1 SEND SIGNALED; post_send q S2 SEND SIGNALED }; modify_qp q RESET; modify_qp q INIT }
node b { cq c; var n; qp q { send_cq c; recv_cq c }; post_recv q R1; post_recv q R2; on c.wc { count n } }
allow open_wr
`}

// TestMonitorsAgainstTwin watches random runs with random properties and
// compares what the monitors say of every step with what the twin says.
func TestMonitorsAgainstTwin(t *testing.T) {
	trials := 400
	if testing.Short() {
		trials = 50
	}
	said := map[spec.PropKind][2]int{} // by kind: steps with and without a hit
	for trial := range trials {
		rnd := rand.New(rand.NewPCG(uint64(trial), 7))
		sc := twinScenario(t, twinScenarios[trial%len(twinScenarios)])
		g := &guesser{rnd: rnd, sc: sc}
		for i := range 10 {
			sc.Asserts = append(sc.Asserts, g.property(i))
		}
		watchTwin(t, sc, rnd, said)
		if t.Failed() {
			return
		}
	}
	for kind := spec.PropState; kind <= spec.PropReach; kind++ {
		if n := said[kind]; n[0] < 100 || n[1] < 100 {
			t.Errorf("properties of kind %d were hit in %d steps, and not in %d: that tests nothing", kind, n[1], n[0])
		}
	}
}

func twinScenario(t *testing.T, text string) *spec.Scenario {
	t.Helper()
	f, errs := scenario.Parse("twin.ibl", []byte(text), scenario.Options{})
	if errs != nil {
		t.Fatal(errs)
	}
	sc, errs := f.Scenario(nil)
	if errs != nil {
		t.Fatal(errs)
	}
	return sc
}

// watchTwin takes some random runs of the scenario.
func watchTwin(t *testing.T, sc *spec.Scenario, rnd *rand.Rand, said map[spec.PropKind][2]int) {
	t.Helper()
	bounds := spec.DefaultBounds(sc)
	bounds.Wire, bounds.Resp = 8, 8
	m, err := spec.Compile(sc, bounds)
	if err != nil {
		t.Fatal(err)
	}
	w, err := invariants.Compile(sc)
	if err != nil {
		t.Fatal(err)
	}
	m.Observe(w)
	out := explore.NewSuccessors(m)
	for range 4 {
		if err := out.Start(m); err != nil {
			t.Fatal(err)
		}
		twin := &twin{m: m}
		for out.Len() > 0 {
			i := rnd.IntN(out.Len())
			_, next, hits := out.At(i)
			state := bytes.Clone(next)
			twin.run = append(twin.run, m.Unpack(state))
			compareTwin(t, w, twin, hits, said)
			if t.Failed() || out.Ended(i) {
				break
			}
			if err := out.Expand(m, state); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// compareTwin compares what is said of the last state of the run.
func compareTwin(t *testing.T, w *invariants.Watch, x *twin, hits uint64, said map[spec.PropKind][2]int) {
	t.Helper()
	last := x.run[len(x.run)-1]
	due, end := w.Due(last.Env.Monitor), w.End(x.m, last)
	for i := range w.Targets {
		p := w.Targets[i].Prop
		if p == nil {
			continue
		}
		n := len(x.run) - 1
		for _, c := range []struct {
			what      string
			got, want bool
		}{
			{"hit", hits>>uint(spec.ObserverGoal(i))&1 == 1, x.hit(p, n)},
			{"due", due>>uint(i)&1 == 1, x.due(p, n)},
			{"violated at the end", end>>uint(i)&1 == 1, x.due(p, n) || p.Kind == spec.PropFinal && x.val(p.L, n) == 0},
		} {
			if c.got != c.want {
				t.Errorf("after %d steps %s is %s: %v, the twin says %v", n, propText(p), c.what, c.got, c.want)
			}
			if c.want {
				v := said[p.Kind]
				v[1]++
				said[p.Kind] = v
			}
		}
		v := said[p.Kind]
		v[0]++
		said[p.Kind] = v
	}
}

// A twin is a run kept whole.
type twin struct {
	m   *spec.Model
	run []*spec.State
}

// val returns the value of an expression at step i of the run.
func (x *twin) val(e *spec.Expr, i int) int {
	kid := func(k, i int) int { return x.val(e.Kids[k], i) }
	yes := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	some := func(from, to int, f func(j int) bool) bool {
		for j := from; j <= to; j++ {
			if f(j) {
				return true
			}
		}
		return false
	}
	switch e.Op {
	case spec.ExprInt:
		return e.Int
	case spec.ExprAtom:
		return x.m.Eval(x.run[i], e)
	case spec.ExprNot:
		return yes(kid(0, i) == 0)
	case spec.ExprAnd:
		return yes(kid(0, i) != 0 && kid(1, i) != 0)
	case spec.ExprOr:
		return yes(kid(0, i) != 0 || kid(1, i) != 0)
	case spec.ExprImplies:
		return yes(kid(0, i) == 0 || kid(1, i) != 0)
	case spec.ExprEq:
		return yes(kid(0, i) == kid(1, i))
	case spec.ExprLt:
		return yes(kid(0, i) < kid(1, i))
	case spec.ExprAdd:
		return kid(0, i) + kid(1, i)
	case spec.ExprOnce:
		return yes(some(0, i, func(j int) bool { return kid(0, j) != 0 }))
	case spec.ExprHistorically:
		return yes(!some(0, i, func(j int) bool { return kid(0, j) == 0 }))
	case spec.ExprSince:
		return yes(some(0, i, func(j int) bool {
			return kid(1, j) != 0 && !some(j+1, i, func(k int) bool { return kid(0, k) == 0 })
		}))
	case spec.ExprPrev:
		if i == 0 {
			return 0
		}
		return kid(0, i-1)
	}
	panic("the guesser makes no such expression")
}

// hit reports whether step i violates a property, or for a reach is it.
func (x *twin) hit(p *spec.Property, i int) bool {
	l := func(j int) bool { return x.val(p.L, j) != 0 }
	r := func(j int) bool { return x.val(p.R, j) != 0 }
	switch p.Kind {
	case spec.PropState, spec.PropAlways:
		return !l(i)
	case spec.PropNever, spec.PropReach:
		return l(i)
	case spec.PropPrecedes:
		for j := range i {
			if l(j) {
				return false
			}
		}
		return r(i)
	case spec.PropSince:
		return x.val(&spec.Expr{Op: spec.ExprSince, Kids: []*spec.Expr{p.L, p.R}}, i) == 0
	case spec.PropUntil:
		return x.due(p, i) && !l(i)
	}
	return false
}

// due reports whether a liveness property still waits for something after
// step i.
func (x *twin) due(p *spec.Property, i int) bool {
	for j := i; j >= 0; j-- { // from here back to the last answer
		switch p.Kind {
		case spec.PropEventually:
			if x.val(p.L, j) != 0 {
				return false
			}
		case spec.PropUntil:
			if x.val(p.R, j) != 0 {
				return false
			}
		case spec.PropLeadsTo:
			if x.val(p.R, j) != 0 {
				return false
			}
			if x.val(p.L, j) != 0 {
				return true
			}
		}
	}
	return p.Kind == spec.PropEventually || p.Kind == spec.PropUntil
}

// A guesser makes random properties of a scenario.
type guesser struct {
	rnd    *rand.Rand
	sc     *spec.Scenario
	noPrev bool // an end state does not know the state before it
}

func (g *guesser) property(i int) spec.Property {
	p := spec.Property{Name: fmt.Sprint("p", i), Kind: spec.PropKind(g.rnd.IntN(int(spec.PropReach) + 1)), ExpectFaults: -1}
	g.noPrev = p.Kind == spec.PropFinal
	p.L = g.expr(3)
	switch p.Kind {
	case spec.PropPrecedes, spec.PropLeadsTo, spec.PropUntil, spec.PropSince:
		p.R = g.expr(3)
	}
	return p
}

// expr makes a truth value of at most that depth.
func (g *guesser) expr(depth int) *spec.Expr {
	if depth == 0 || g.rnd.IntN(4) == 0 {
		return g.atom()
	}
	kid := func() *spec.Expr { return g.expr(depth - 1) }
	switch g.rnd.IntN(9) {
	case 0:
		return node(spec.ExprNot, kid())
	case 1:
		return node(spec.ExprAnd, kid(), kid())
	case 2:
		return node(spec.ExprOr, kid(), kid())
	case 3:
		return node(spec.ExprImplies, kid(), kid())
	case 4:
		return node(spec.ExprOnce, kid())
	case 5:
		return node(spec.ExprHistorically, kid())
	case 6:
		return node(spec.ExprSince, kid(), kid())
	case 7:
		if !g.noPrev {
			return node(spec.ExprPrev, kid())
		}
	}
	return g.comparison()
}

func node(op spec.ExprOp, kids ...*spec.Expr) *spec.Expr { return &spec.Expr{Op: op, Kids: kids} }

func number(n int) *spec.Expr { return &spec.Expr{Op: spec.ExprInt, Int: n} }

func (g *guesser) atom() *spec.Expr {
	wr := g.rnd.IntN(len(g.sc.WRs))
	field := spec.WRField(g.rnd.IntN(int(spec.WRRetried) + 1))
	if g.sc.WRs[wr].Recv && field > spec.WRPosted && field < spec.WRCQE {
		field = spec.WRCQE
	}
	return &spec.Expr{Op: spec.ExprAtom, Atom: spec.Atom{Kind: spec.AtomWR, WR: wr, Instance: -1, Field: field,
		Text: g.sc.WRs[wr].Name + "." + spec.WRFields()[field]}}
}

// comparison compares a number, now or before, with a small one.
func (g *guesser) comparison() *spec.Expr {
	n := g.rnd.IntN(len(g.sc.Nodes))
	nd := &g.sc.Nodes[n]
	a := spec.Atom{Kind: spec.AtomCQLen, Node: n, Text: nd.Name + ".c.len"}
	switch {
	case g.rnd.IntN(3) == 0:
		a.Kind, a.Text = spec.AtomQPState, nd.Name+".q.state"
	case len(nd.Vars) > 0 && g.rnd.IntN(2) == 0:
		a.Kind, a.Text = spec.AtomVar, nd.Name+".n"
	}
	x := &spec.Expr{Op: spec.ExprAtom, Atom: a}
	if !g.noPrev && g.rnd.IntN(4) == 0 {
		x = node(spec.ExprPrev, x)
	}
	if g.rnd.IntN(4) == 0 {
		x = node(spec.ExprAdd, x, number(1))
	}
	if a.Kind == spec.AtomQPState {
		return node(spec.ExprEq, x, number(int([]spec.QPState{spec.RTS, spec.ERR, spec.RESET, spec.DESTROYED}[g.rnd.IntN(4)])))
	}
	return node([]spec.ExprOp{spec.ExprEq, spec.ExprLt}[g.rnd.IntN(2)], x, number(g.rnd.IntN(3)))
}

var opText = map[spec.ExprOp]string{spec.ExprNot: "not", spec.ExprAnd: "and", spec.ExprOr: "or", spec.ExprImplies: "=>", spec.ExprEq: "==",
	spec.ExprLt: "<", spec.ExprAdd: "+", spec.ExprOnce: "once", spec.ExprPrev: "prev", spec.ExprHistorically: "historically", spec.ExprSince: "since"}

var kindText = [...]string{spec.PropState: "", spec.PropAlways: "always", spec.PropNever: "never", spec.PropEventually: "eventually", spec.PropFinal: "final",
	spec.PropPrecedes: "precedes", spec.PropLeadsTo: "leadsto", spec.PropUntil: "until", spec.PropSince: "since", spec.PropReach: "reach"}

func propText(p *spec.Property) string {
	if p.R == nil {
		return strings.TrimSpace(kindText[p.Kind] + " " + exprText(p.L))
	}
	return exprText(p.L) + " " + kindText[p.Kind] + " " + exprText(p.R)
}

func exprText(e *spec.Expr) string {
	switch {
	case e.Op == spec.ExprInt:
		return fmt.Sprint(e.Int)
	case e.Op == spec.ExprAtom:
		return e.Atom.Text
	case len(e.Kids) == 1:
		return opText[e.Op] + "(" + exprText(e.Kids[0]) + ")"
	}
	return "(" + exprText(e.Kids[0]) + " " + opText[e.Op] + " " + exprText(e.Kids[1]) + ")"
}
