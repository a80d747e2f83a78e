package axiom

import (
	"fmt"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// The axioms of what WRs observe: the pair table seen in values (PROTOCOL.md 3).
//
// All WRs of the program are a's. WRITEs and ATOMICs act on one location x of b,
// which holds 0 at first; READs read it. READs and ATOMICs put what they bring
// into one buffer of a, which is also what SENDs send. When b polls a receive
// its CPU looks at x.

// An Outcome is what the WRs of a run observed, four bits each from the lowest:
// for each WR what a READ or ATOMIC brought; then for each receive what its SEND
// carried, and what the CPU saw in x when the receive was polled.
type Outcome uint64

// Brought puts in what a READ or ATOMIC brought.
func (p *Program) Brought(wr, value int) Outcome { return Outcome(value) << (4 * wr) }

// Carried puts in what the message of b's k-th receive carried.
func (p *Program) Carried(k, value int) Outcome { return Outcome(value) << (4 * (len(p.WRs) + 2*k)) }

// Saw puts in what the CPU saw when b's k-th receive was polled.
func (p *Program) Saw(k, value int) Outcome { return Outcome(value) << (4 * (len(p.WRs) + 2*k + 1)) }

// FormatOutcome writes an outcome with the names of the WRs.
func (p *Program) FormatOutcome(o Outcome) string {
	var words []string
	for i := range p.WRs {
		if isRead(p.WRs[i].Op) {
			words = append(words, fmt.Sprintf("%s=%d", p.Name(i), o>>(4*i)&15))
		}
	}
	for k := range p.Receives(1) {
		at := 4 * (len(p.WRs) + 2*k)
		words = append(words, fmt.Sprintf("%s=%d with x=%d", p.Name(p.receive(1, k)), o>>at&15, o>>(at+4)&15))
	}
	return strings.Join(words, " ")
}

// The operands of the WRs of a Program.
const (
	compare = 0
	addend  = 4
)

// ValueOf returns what a WRITE writes or a CMP_AND_SWP swaps in.
func ValueOf(wr int) int { return wr + 1 }

// Operands returns the comparison of a CMP_AND_SWP and the addend of a
// FETCH_AND_ADD.
func Operands() (compared, added int) { return compare, addend }

// A memory is the events of an execution that touch memory.
type memory struct {
	*execution
	fetch []event // by WR: a READ looks at x
	place []event // by WR: the CPU sees what a WRITE or ATOMIC did
}

// A memoryAxiom orders accesses to memory.
type memoryAxiom struct {
	name  string
	fact  string
	state func(m *memory, atAccept, atExecute bool)
}

var memoryAxioms = []memoryAxiom{
	{"a READ looks at memory between its execution and its response", "F3.6", (*memory).fetches},
	{"READs look at memory in order", "F3.1", func(m *memory, _, _ bool) { m.inOrder(m.fetch) }},
	{"what is executed becomes visible in order", "F3.4, F3.10", func(m *memory, _, atExecute bool) { m.places(atExecute) }},
	{"a recv CQE vouches for all that was executed before it", "F3.10, F3.11", func(m *memory, _, _ bool) { m.visible() }},
}

// fetches: a READ whose response was lost looks again when its copy is served
// (F1.14).
func (m *memory) fetches(atAccept, _ bool) {
	for i := range m.WRs {
		if m.WRs[i].Op != spec.RDMA_READ {
			continue
		}
		from, to := m.life[i].exec, m.life[i].reply
		for _, a := range m.again {
			if a.wr == i {
				from, to = a.arrive, a.reply
			}
		}
		if m.fetch[i] = from; !atAccept {
			m.fetch[i] = m.event()
			m.must(from, m.fetch[i], to)
		}
	}
}

// inOrder puts the events of WRs that have one in the order of the send queue.
func (m *memory) inOrder(events []event) {
	last := none
	for _, i := range m.sq[0] {
		if events[i] == none {
			continue
		}
		if last != none {
			m.must(last, events[i])
		}
		last = events[i]
	}
}

// writes reports whether a WR changes x.
func (m *memory) writes(i int) bool {
	op := m.WRs[i].Op
	return pairWord(op) == "WRITE" || pairWord(op) == "ATOMIC"
}

func (m *memory) places(atExecute bool) {
	for _, i := range m.sq[0] {
		if !m.writes(i) {
			continue
		}
		if m.place[i] = m.life[i].exec; !atExecute {
			m.place[i] = m.event()
			m.must(m.life[i].exec, m.place[i])
		}
	}
	m.inOrder(m.place)
}

func (m *memory) visible() {
	for k, message := range m.mail[1] {
		for _, i := range m.sq[0] {
			if m.place[i] != none {
				m.must(m.place[i], m.cqe[m.receive(1, k)])
			}
			if i == message {
				break
			}
		}
	}
}

// Outcomes returns the outcomes of a program that the axioms allow with at most
// losses lost packets, 0 or 1, under the dials.
func Outcomes(p *Program, dialValues map[string]string, losses int) map[Outcome]bool {
	d := dialsOf(dialValues)
	all := map[Outcome]bool{}
	for _, x := range executions(p, d, losses) {
		m := &memory{execution: x}
		for range p.WRs {
			m.fetch, m.place = append(m.fetch, none), append(m.place, none)
		}
		x.apply()
		for i := range memoryAxioms {
			memoryAxioms[i].state(m, dialValues["read.fetch"] == "at_accept", dialValues["placement"] == "at_execute")
		}
		m.orders(m.accesses(), func(order []event) { all[m.replay(order)] = true })
	}
	return all
}

// accesses returns the events that an outcome depends on.
func (m *memory) accesses() uint64 {
	var set uint64
	for i := range m.WRs {
		l := &m.life[i]
		switch w := &m.WRs[i]; {
		case isLocal(w.Op):
			continue
		case isRead(w.Op):
			set |= 1 << l.done
		case !m.writes(i):
			set |= 1 << l.leave
		}
		for _, e := range []event{l.exec, m.fetch[i], m.place[i]} {
			if e != none {
				set |= 1 << e
			}
		}
	}
	for k := range m.mail[1] {
		set |= 1 << m.wc[m.receive(1, k)]
	}
	return set
}

// replay carries out the accesses in an order.
func (m *memory) replay(order []event) Outcome {
	var o Outcome
	var x, seen, buffer int
	brought, sent, after := make([]int, len(m.WRs)), make([]int, len(m.WRs)), make([]int, len(m.WRs))
	for _, e := range order {
		for i := range m.WRs {
			l, w := &m.life[i], &m.WRs[i]
			if e == l.leave && !isLocal(w.Op) {
				sent[i] = buffer
			}
			if e == l.exec && m.writes(i) {
				brought[i] = x
				x = w.effect(i, x)
				after[i] = x
			}
			if e == m.fetch[i] {
				brought[i] = x
			}
			if e == m.place[i] {
				seen = after[i]
			}
			if isRead(w.Op) && e == l.done {
				buffer = brought[i]
				o |= m.Brought(i, brought[i])
			}
		}
		for k, i := range m.mail[1] {
			if e != m.wc[m.receive(1, k)] {
				continue
			}
			if o |= m.Saw(k, seen); !m.writes(i) {
				o |= m.Carried(k, sent[i])
			}
		}
	}
	return o
}

// effect returns what a WR makes of a value.
func (w *WR) effect(i, x int) int {
	switch {
	case w.Op == spec.ATOMIC_FETCH_AND_ADD:
		return (x + addend) & 15
	case w.Op == spec.ATOMIC_CMP_AND_SWP && x != compare:
		return x
	}
	return ValueOf(i)
}
