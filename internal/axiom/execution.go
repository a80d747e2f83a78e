package axiom

import (
	"fmt"

	"github.com/ibcheck/ibcheck/spec"
)

// An execution is the events of a program's run and what the axioms say of
// their order. Every packet is an event where it leaves and one where it
// arrives; a packet that is lost does not arrive.
type execution struct {
	problem
	*Program
	dials dials
	sq    [2][]int    // the WRs of each send queue, in posting order
	mail  [2][]int    // for each side, the messages that take its receives, in order
	life  []life      // by WR
	cqe   []event     // by completion: the adapter writes it
	wc    []event     // by completion: a poll returns it
	wire  [2][]packet // by the side whose packets they are
	again []resend
	err   [2]event      // by side: its QP enters ERR; none if it does not
	end   []spec.Status // by completion: its status
	n     event
}

// A life is the events of a send WR. A local operation has post and exec only;
// its exec is its done.
type life struct {
	post   event // into the send queue
	leave  event // its request leaves
	arrive event // and arrives
	exec   event // the responder executes it; a local operation: the adapter does
	reply  event // the response to it leaves
	done   event // the response that completes it arrives
}

// A packet is on the wire from its leave to its arrival. One that arrives when
// the QP there has failed has no arrival, but those behind it come later still;
// one that is lost is out of the way.
type packet struct {
	leave, arrive event
	lost          bool
	late          bool // it has an arrival, but at a QP that has failed
}

// A resend is a copy of a request, and the response to the copy.
type resend struct {
	wr                         int
	leave, arrive, reply, done event // the copy leaves and arrives; its response leaves and arrives
}

func (x *execution) event() event {
	if x.n == maxEvents {
		panic(fmt.Sprintf("axiom: %v has more than %d events", x.Program, maxEvents))
	}
	x.n++
	return x.n - 1
}

// newExecution makes the events of a run without losses and failures in which
// the WRs get into the queues in the given orders.
func newExecution(p *Program, d dials, sq [2][]int) *execution {
	return newExecutionOf(p, d, sq, wholeFate(p))
}

// newExecutionOf makes the events of a run in which the WRs come as far as a
// fate says.
func newExecutionOf(p *Program, d dials, sq [2][]int, f *fate) *execution {
	x := &execution{Program: p, dials: d, sq: sq, life: make([]life, len(p.WRs)), end: f.status}
	event := func(happens bool) event {
		if happens {
			return x.event()
		}
		return none
	}
	for c := range p.Completions() {
		x.cqe, x.wc = append(x.cqe, event(f.completes[c])), append(x.wc, event(f.completes[c]))
	}
	for side := range sq {
		x.err[side] = event(f.fails[side])
		for _, i := range sq[side] {
			w, l := &p.WRs[i], &x.life[i]
			l.post, l.exec = event(f.posted[i]), event(f.executed[i])
			if isLocal(w.Op) {
				l.leave, l.arrive, l.reply, l.done = none, none, none, l.exec
				continue
			}
			l.leave, l.arrive = event(f.executed[i] || f.givenUp == i), event(f.executed[i])
			l.reply, l.done = event(f.answered[i]), event(f.done[i])
			x.wire[side] = append(x.wire[side], packet{leave: l.leave, arrive: l.arrive})
			x.wire[1-side] = append(x.wire[1-side], packet{leave: l.reply, arrive: l.done})
			if takesReceive(w.Op) {
				x.mail[1-side] = append(x.mail[1-side], i)
			}
		}
	}
	return x
}

// cq returns the CQ of a completion: side and number.
func (x *execution) cq(completion int) (side, n int) {
	if completion < len(x.WRs) {
		return x.WRs[completion].Side, 0
	}
	return x.receiver(completion), x.CQs - 1
}

// receiver returns the side of a receive.
func (x *execution) receiver(completion int) int {
	if completion >= len(x.WRs)+x.Receives(0) {
		return 1
	}
	return 0
}

// packets returns the WRs of a send queue that send packets.
func (x *execution) packets(side int) []int {
	var list []int
	for _, i := range x.sq[side] {
		if !isLocal(x.WRs[i].Op) {
			list = append(list, i)
		}
	}
	return list
}
