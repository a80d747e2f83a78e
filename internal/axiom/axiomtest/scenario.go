// Package axiomtest asks the search what package axiom asks its relations: which
// completion orders a program can show, and what happens in a run. It joins
// the two sides; neither knows it.
package axiomtest

import (
	"github.com/ibcheck/ibcheck/internal/axiom"
	"github.com/ibcheck/ibcheck/spec"
)

// Scenario writes a program as a scenario. Its WRs are the program's
// completions, in their order. Each kind of fault may happen so often.
func Scenario(p *axiom.Program, profile string, dials map[string]string, faults ...spec.Fault) *spec.Scenario {
	sc := &spec.Scenario{Name: "axiom", File: "axiom.ibl", Profile: profile, Dials: dials, Faults: faults,
		Conns: []spec.Conn{{A: spec.QPRef{Node: 0}, B: spec.QPRef{Node: 1}}}}
	for i := range p.WRs {
		w := &p.WRs[i]
		sc.WRs = append(sc.WRs, spec.WR{Name: p.Name(i), Node: w.Side, SRQ: -1, Opcode: w.Op, Signaled: w.Signaled, Fence: w.Fence,
			Local: -1, Remote: spec.MRRef{Node: -1}})
	}
	for side, name := range []string{"a", "b"} {
		sc.Nodes = append(sc.Nodes, node(p, side, name))
		for range p.Receives(side) {
			sc.WRs = append(sc.WRs, spec.WR{Name: p.Name(len(sc.WRs)), Node: side, Recv: true, SRQ: -1, Local: -1, Remote: spec.MRRef{Node: -1}})
		}
	}
	return sc
}

// AnyLoss is a budget of n lost packets.
func AnyLoss(n int) spec.Fault {
	return spec.Fault{Kind: "drop", Class: "any", WR: -1, On: spec.QPRef{Node: -1}, Max: n}
}

func node(p *axiom.Program, side int, name string) spec.Node {
	n := spec.Node{Name: name, QPs: []spec.QP{{Name: "q", Type: "RC", RecvCQ: p.CQs - 1, SRQ: -1, MTU: 1024, Timeout: 1, RetryCnt: 2, RNRRetry: 7,
		MaxRdAtomic: p.MaxRdAtomic, MaxDestRdAtomic: p.MaxRdAtomic, State: "RTS"}}}
	for i := range p.CQs {
		n.CQs = append(n.CQs, spec.CQ{Name: []string{"c", "r"}[i], Channel: -1})
	}
	first := len(p.WRs)
	if side == 1 {
		first += p.Receives(0)
	}
	main := spec.Thread{}
	for r := range p.Receives(side) {
		main.Body = append(main.Body, post(spec.OpPostRecv, first+r))
	}
	for i := range p.WRs {
		if p.WRs[i].Side == side && p.WRs[i].After == 0 {
			main.Body = append(main.Body, post(spec.OpPostSend, i))
		}
	}
	n.Threads = []spec.Thread{main}
	for r := range p.Receives(side) {
		h := spec.Handler{WR: first + r, CQ: -1}
		for i := range p.WRs {
			if p.WRs[i].Side == side && p.WRs[i].After == r+1 {
				h.Body = append(h.Body, post(spec.OpPostSend, i))
			}
		}
		if len(h.Body) > 0 {
			n.Handlers = append(n.Handlers, h)
		}
	}
	return n
}

func post(op spec.Op, wr int) spec.Stmt {
	return spec.Stmt{Op: op, WR: wr, QP: 0, CQ: -1, SRQ: -1, MR: -1, Var: -1, Lock: -1, Channel: -1, CompChannel: -1}
}

// KillOfA is a budget of one: a's QP may go to ERR of itself.
func KillOfA() spec.Fault {
	return spec.Fault{Kind: "kill", WR: -1, Max: 1}
}
