package axiomtest

import (
	"context"
	"fmt"
	"iter"
	"sync"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/internal/axiom"
	"github.com/ibcheck/ibcheck/spec"
)

// MemoryScenario writes a program, whose WRs are all a's, as a scenario in
// which they act on memory as package axiom has it: b.x, and a buffer of a.
func MemoryScenario(p *axiom.Program, profile string, faults ...spec.Fault) *spec.Scenario {
	sc := Scenario(p, profile, nil, faults...)
	a, b := &sc.Nodes[0], &sc.Nodes[1]
	a.MRs = []spec.MR{{Name: "buffer"}}
	b.MRs = []spec.MR{{Name: "x", RemoteWrite: true, RemoteRead: true, RemoteAtomic: true}}
	for i := range p.WRs {
		w := &sc.WRs[i]
		w.SGE = []int{0}
		switch w.Opcode {
		case spec.LOCAL_INV:
			w.SGE = nil
		case spec.RDMA_WRITE, spec.RDMA_WRITE_WITH_IMM:
			w.SGE[0] = len(a.MRs)
			a.MRs = append(a.MRs, spec.MR{Name: "value of " + w.Name, Init: axiom.ValueOf(i)})
			w.Remote = spec.MRRef{Node: 1}
		case spec.RDMA_READ:
			w.Remote = spec.MRRef{Node: 1}
		case spec.ATOMIC_CMP_AND_SWP:
			w.Compare, _ = axiom.Operands()
			w.Operand = axiom.ValueOf(i)
			w.Remote = spec.MRRef{Node: 1}
		case spec.ATOMIC_FETCH_AND_ADD:
			_, w.Operand = axiom.Operands()
			w.Remote = spec.MRRef{Node: 1}
		}
	}
	sc.Reaches = []spec.Property{{Name: "looks at x", Kind: spec.PropReach, L: valueOfX}}
	return sc
}

// valueOfX is what b's CPU sees in x. A property that speaks of it makes the
// model keep what memory holds.
var valueOfX = &spec.Expr{Op: spec.ExprAtom, Atom: spec.Atom{Kind: spec.AtomMRValue, Node: 1, Index: 0, Instance: -1}}

// A look remembers what the CPU saw whenever a receive was polled, and collects
// what end states hold.
type look struct {
	p    *axiom.Program
	mu   sync.Mutex
	ends map[axiom.Outcome]bool
}

// Bits implements spec.Observer.
func (l *look) Bits() uint { return 64 }

// Goals implements spec.Observer.
func (l *look) Goals() int { return 0 }

// Due implements spec.Observer.
func (l *look) Due(uint64) uint64 { return 0 }

// Step implements spec.Observer.
func (l *look) Step(m *spec.Model, prev, next *spec.State, bits uint64) (uint64, uint64) {
	if prev == nil {
		return 0, 0
	}
	for k := range l.p.Receives(1) {
		r := len(l.p.WRs) + k
		if prev.WRs[r].Phase != spec.Polled && next.WRs[r].Phase == spec.Polled {
			bits |= uint64(l.p.Saw(k, m.Eval(next, valueOfX)))
		}
	}
	return bits, 0
}

// End implements spec.Observer.
func (l *look) End(m *spec.Model, s *spec.State) uint64 {
	o := axiom.Outcome(s.Env.Monitor)
	for i := range s.WRs {
		switch value := int(s.WRs[i].Val); {
		case i >= len(l.p.WRs):
			o |= l.p.Carried(i-len(l.p.WRs), value)
		case l.p.WRs[i].Brings():
			o |= l.p.Brought(i, value)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ends[o] = true
	return 0
}

// Outcomes searches all runs of a MemoryScenario of a program for its outcomes.
func Outcomes(ctx context.Context, p *axiom.Program, sc *spec.Scenario, opt explore.Options) (map[axiom.Outcome]bool, error) {
	l := &look{p: p, ends: map[axiom.Outcome]bool{}}
	_, res, err := Search(ctx, sc, l, opt)
	if err != nil {
		return nil, err
	}
	if !res.Complete {
		return nil, fmt.Errorf("the search stopped after %d states", res.States)
	}
	return l.ends, nil
}

// MemoryPrograms yields every program of up to three WRs of one side, of any
// opcodes, each but the first fenced or not, with one READ or ATOMIC outstanding
// or two.
func MemoryPrograms() iter.Seq[*axiom.Program] {
	return func(yield func(*axiom.Program) bool) {
		for n := 1; n <= 3; n++ {
			for code := range pow(len(opcodes), n) << n {
				p := &axiom.Program{CQs: 1, MaxRdAtomic: 1 + code&1}
				code >>= 1
				for range n {
					p.WRs = append(p.WRs, axiom.WR{Op: opcodes[code%len(opcodes)], Signaled: true})
					code /= len(opcodes)
				}
				for i := 1; i < n; i++ {
					p.WRs[i].Fence = code>>(i-1)&1 == 1
				}
				if !yield(p) {
					return
				}
			}
		}
	}
}

func pow(b, n int) int {
	x := 1
	for range n {
		x *= b
	}
	return x
}
