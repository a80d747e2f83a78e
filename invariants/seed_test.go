package invariants_test

import (
	"context"
	"testing"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/invariants"
	"github.com/ibcheck/ibcheck/spec"
)

// seed is the founding scenario, made by hand.
func seed(profile string, drops int) *spec.Scenario {
	qp := spec.QP{Name: "q", Type: "RC", RecvCQ: 1, SRQ: -1, RetryCnt: 2, RNRRetry: 7, Timeout: 1, MTU: 1024}
	tq := qp
	tq.RecvCQ = 0
	wr := func(name string, node int, recv bool) spec.WR {
		return spec.WR{Name: name, Node: node, Recv: recv, SRQ: -1, Signaled: !recv, Local: -1, Remote: spec.MRRef{Node: -1}}
	}
	post := func(op spec.Op, w int) spec.Stmt {
		return spec.Stmt{Op: op, WR: w, QP: 0, CQ: -1, SRQ: -1, MR: -1, Var: -1, Lock: -1, Channel: -1, CompChannel: -1}
	}
	atom := func(w int, f spec.WRField) *spec.Expr {
		return &spec.Expr{Op: spec.ExprAtom, Atom: spec.Atom{Kind: spec.AtomWR, WR: w, Instance: -1, Field: f}}
	}
	return &spec.Scenario{
		Name: "seed", Profile: profile,
		Nodes: []spec.Node{
			{Name: "host", CQs: []spec.CQ{{Name: "scq", Channel: -1}, {Name: "rcq", Channel: -1}}, QPs: []spec.QP{qp},
				Threads: []spec.Thread{{Body: []spec.Stmt{post(spec.OpPostRecv, 1), post(spec.OpPostSend, 0)}}}},
			{Name: "target", CQs: []spec.CQ{{Name: "cq0", Channel: -1}}, QPs: []spec.QP{tq},
				Threads:  []spec.Thread{{Body: []spec.Stmt{post(spec.OpPostRecv, 2)}}},
				Handlers: []spec.Handler{{WR: 2, CQ: -1, Body: []spec.Stmt{post(spec.OpPostSend, 3)}}}},
		},
		Conns:  []spec.Conn{{A: spec.QPRef{Node: 0}, B: spec.QPRef{Node: 1}}},
		WRs:    []spec.WR{wr("S1", 0, false), wr("R2", 0, true), wr("R1", 1, true), wr("S2", 1, false)},
		Faults: []spec.Fault{{Kind: "drop", Class: "ACK", WR: -1, On: spec.QPRef{Node: -1}, Max: drops}},
		Asserts: []spec.Property{{Name: "order", Kind: spec.PropPrecedes, L: atom(0, spec.WRCQE), R: atom(1, spec.WRCQE)},
			{Name: "done", Kind: spec.PropFinal, L: atom(0, spec.WRCQE)}},
	}
}

func run(t *testing.T, sc *spec.Scenario) (*spec.Model, *invariants.Watch, *explore.Result) {
	t.Helper()
	m, err := spec.Compile(sc, spec.DefaultBounds(sc))
	if err != nil {
		t.Fatal(err)
	}
	w, err := invariants.Compile(sc)
	if err != nil {
		t.Fatal(err)
	}
	m.Observe(w)
	res, err := explore.Run(context.Background(), m, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m, w, res
}

// TestSeed: the order of the mail breaks with one lost ACK on the kindest HCA,
// holds there without it, and needs no loss at all on a compliant one.
func TestSeed(t *testing.T) {
	for _, c := range []struct {
		profile  string
		drops    int
		violated bool
		faults   int
	}{{"arrival_order", 0, false, 0}, {"arrival_order", 1, true, 1}, {"iba", 0, true, 0}} {
		m, w, res := run(t, seed(c.profile, c.drops))
		for i := range w.Targets {
			g := res.Goals[spec.ObserverGoal(i)]
			if w.Targets[i].Name == "order" {
				if g.Found != c.violated || g.Found && g.Cost != c.faults {
					t.Errorf("%s with %d drops: order violated %v with %d faults", c.profile, c.drops, g.Found, g.Cost)
				}
				if g.Found {
					r, err := m.Explain(g.Trace, len(g.Trace)-1, 0)
					if err != nil {
						t.Fatal(err)
					}
					for k, e := range r.Events {
						t.Log(k, e.Kind, e.Rule, r.Nodes[e.Node], e.Place, e.Packet, e.WC, e.WR, e.Text, e.Fault, "cause", e.Cause)
					}
				}
			} else if g.Found {
				t.Errorf("%s with %d drops: %s is violated", c.profile, c.drops, w.Targets[i].Name)
			}
		}
		for b := spec.BoundWire; int(b) < spec.ObserverGoal(0); b++ {
			if res.Goals[spec.BadGoal(b)].Found {
				t.Errorf("%s with %d drops: %v", c.profile, c.drops, b)
			}
		}
		t.Log(c.profile, c.drops, res.States, res.Transitions, res.Depth, res.Costs, m.Width())
	}
}
