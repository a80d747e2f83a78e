package axiom

import (
	"fmt"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// A Program is a scenario small enough to list its completion orders: two
// sides, a (0) and b (1), whose QPs are connected. Each side has as many
// receives as the other has messages that take one, posted before anybody
// moves. Completions are numbered: the WRs first, then the receives of a, then
// those of b.
type Program struct {
	WRs         []WR // those of one thread in the order in which it posts them
	CQs         int  // 1: one CQ a side; 2: one for sends and one for receives
	MaxRdAtomic int  // READs and ATOMICs that may be outstanding, at least 1
}

// A WR is a send work request of a Program.
type WR struct {
	Side     int
	Op       spec.Opcode
	Signaled bool
	Fence    bool
	After    int // 0: the main thread posts it; n: the handler of its side's n-th receive
}

// Brings reports whether the WR brings something back.
func (w *WR) Brings() bool { return isRead(w.Op) }

// takesReceive reports whether a message of the opcode takes a receive (F1.21).
func takesReceive(op spec.Opcode) bool {
	switch op {
	case spec.SEND, spec.SEND_WITH_IMM, spec.SEND_WITH_INV, spec.RDMA_WRITE_WITH_IMM:
		return true
	}
	return false
}

// isRead reports whether only a response of its own completes a WR of the
// opcode (F1.25).
func isRead(op spec.Opcode) bool {
	return op == spec.RDMA_READ || op == spec.ATOMIC_CMP_AND_SWP || op == spec.ATOMIC_FETCH_AND_ADD
}

// isLocal reports whether a WR of the opcode sends no packet (F1.5).
func isLocal(op spec.Opcode) bool {
	return op == spec.LOCAL_INV || op == spec.REG_MR || op == spec.BIND_MW
}

// Receives returns how many receives a side has.
func (p *Program) Receives(side int) int {
	n := 0
	for i := range p.WRs {
		if w := &p.WRs[i]; w.Side != side && takesReceive(w.Op) {
			n++
		}
	}
	return n
}

// Completions returns how many completions the program can have.
func (p *Program) Completions() int { return len(p.WRs) + p.Receives(0) + p.Receives(1) }

// receive returns the completion of a side's k-th receive, from 0.
func (p *Program) receive(side, k int) int { return len(p.WRs) + side*p.Receives(0) + k }

// Name names a completion.
func (p *Program) Name(completion int) string {
	side, k := 0, completion-len(p.WRs)
	switch {
	case k < 0:
		return fmt.Sprintf("S%d", completion+1)
	case k >= p.Receives(0):
		side, k = 1, k-p.Receives(0)
	}
	return fmt.Sprintf("R%c%d", 'a'+side, k+1)
}

// String writes the program in one line, in the words of the language.
func (p *Program) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d cq", p.CQs)
	if p.MaxRdAtomic != 1 {
		fmt.Fprintf(&b, " max_rd_atomic %d", p.MaxRdAtomic)
	}
	for i := range p.WRs {
		w := &p.WRs[i]
		fmt.Fprintf(&b, "; %c: ", 'a'+w.Side)
		if w.After > 0 {
			fmt.Fprintf(&b, "on R%c%d.wc ", 'a'+w.Side, w.After)
		}
		fmt.Fprintf(&b, "S%d %s", i+1, w.Op)
		if w.Signaled {
			b.WriteString(" SIGNALED")
		}
		if w.Fence {
			b.WriteString(" FENCE")
		}
	}
	return b.String()
}

// threads returns the WRs that a side's main thread posts and those that its
// handlers post, each in posting order.
func (p *Program) threads(side int) (main, handlers []int) {
	for i := range p.WRs {
		if p.WRs[i].Side == side && p.WRs[i].After == 0 {
			main = append(main, i)
		}
	}
	for n := 1; n <= p.Receives(side); n++ {
		for i := range p.WRs {
			if p.WRs[i].Side == side && p.WRs[i].After == n {
				handlers = append(handlers, i)
			}
		}
	}
	return main, handlers
}

// postingOrders returns every order in which a side's WRs can get into its
// send queue.
func (p *Program) postingOrders(side int) [][]int {
	var all [][]int
	var merge func(done, a, b []int)
	merge = func(done, a, b []int) {
		if len(a) == 0 || len(b) == 0 {
			all = append(all, append(append(append([]int(nil), done...), a...), b...))
			return
		}
		done = done[:len(done):len(done)]
		merge(append(done, a[0]), a[1:], b)
		merge(append(done, b[0]), a, b[1:])
	}
	main, handlers := p.threads(side)
	merge(nil, main, handlers)
	return all
}

// An Order is what happened to the completions of a run, in the order in which
// it happened. Each step is 1 + the completion, in four bits, the oldest in the
// highest place in use; Written and Polled say which kinds of step it has.
type Order uint64

// polledBit marks, in an order of both kinds of step, one that is a poll.
const polledBit = 8

// A View is which steps of a run an Order shows.
type View int

// The views. A program of more than 7 completions has no order of both.
const (
	Written View = iota // CQEs written by the adapters
	Polled              // CQEs returned by polls
	Both
)

// Then returns the order with one more step.
func (o Order) Then(completion int, polled bool, v View) Order {
	step := Order(completion + 1)
	if v == Both && polled {
		step |= polledBit
	}
	return o<<4 | step
}

// Format writes an order with the names of the program's completions.
func (o Order) Format(p *Program, v View) string {
	var names []string
	for ; o != 0; o >>= 4 {
		step, suffix := int(o&15), ".cqe"
		if v == Polled || v == Both && step&polledBit != 0 {
			suffix = ".wc"
		}
		if v == Both {
			step &^= polledBit
		}
		names = append([]string{p.Name(step-1) + suffix}, names...)
	}
	return strings.Join(names, " ")
}
