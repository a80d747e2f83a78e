package axiom

import "github.com/ibcheck/ibcheck/spec"

// Failures: a's QP goes to ERR of itself, once, at any moment or never, and
// nothing is lost. What b then waits for in vain fails its QP too.

// A fate is how far the WRs of a run come.
type fate struct {
	posted, executed, answered, done []bool        // by WR: of a local operation posted and executed count
	completes                        []bool        // by completion
	status                           []spec.Status // by completion
	fails                            [2]bool       // by side: its QP enters ERR
	givenUp                          int           // the WR of b that is never answered, -1
}

// wholeFate is that of a run without failures.
func wholeFate(p *Program) *fate {
	f := newFate(p)
	for i := range p.WRs {
		f.posted[i], f.executed[i], f.answered[i], f.done[i] = true, true, true, true
	}
	for c := range f.completes {
		f.completes[c] = c >= len(p.WRs) || p.WRs[c].Signaled
	}
	return f
}

func newFate(p *Program) *fate {
	n := len(p.WRs)
	return &fate{posted: make([]bool, n), executed: make([]bool, n), answered: make([]bool, n), done: make([]bool, n),
		completes: make([]bool, p.Completions()), status: make([]spec.Status, p.Completions()), givenUp: -1}
}

// A cut is how many of a side's messages are executed, answered and done, and
// which of its local operations, by bit, are executed.
type cut struct{ executed, answered, done, local int }

// cuts returns every way in which a side's WRs can stop. A response that left
// arrives, and a request too, unless its receiver has failed.
func (p *Program) cuts(side int) []cut {
	messages, locals := 0, 0
	for i := range p.WRs {
		switch {
		case p.WRs[i].Side != side:
		case isLocal(p.WRs[i].Op):
			locals++
		default:
			messages++
		}
	}
	var all []cut
	for executed := range messages + 1 {
		for answered := range executed + 1 {
			for done := range answered + 1 {
				for local := range 1 << locals {
					all = append(all, cut{executed, answered, done, local})
				}
			}
		}
	}
	return all
}

// fates returns the fates of the runs in which a's QP fails, given the order of
// the send queues.
func (p *Program) fates(sq [2][]int) []*fate {
	var all []*fate
	for _, a := range p.cuts(0) {
		for _, b := range p.cuts(1) {
			// b's response to what a has not failed before leaves and arrives, and b
			// has no reason to give up what is answered.
			if b.answered != b.done {
				continue
			}
			for _, fails := range []bool{false, true} {
				if f := p.fate(sq, a, b, fails); f != nil {
					all = append(all, f)
				}
			}
		}
	}
	return all
}

// fate returns the fate that two cuts make, or nil if they contradict.
func (p *Program) fate(sq [2][]int, a, b cut, bFails bool) *fate {
	f := newFate(p)
	f.fails = [2]bool{true, bFails}
	f.stop(p, sq[0], a)
	f.stop(p, sq[1], b)
	arrived := f.receive(p, sq)
	f.givenUp = -1
	for i := range p.WRs {
		w := &p.WRs[i]
		f.posted[i] = w.Side == 0 || bFails || w.After <= arrived[1]
	}
	for side := range sq {
		if !f.send(p, sq[side], side, bFails) {
			return nil
		}
	}
	if bFails && f.givenUp < 0 {
		return nil // nothing that b waits for
	}
	if !bFails && a.answered != a.executed {
		return nil // b answers what it executed
	}
	return f
}

// stop lets the WRs of a queue come as far as a cut says.
func (f *fate) stop(p *Program, sq []int, c cut) {
	n, local := 0, 0
	for _, i := range sq {
		if isLocal(p.WRs[i].Op) {
			f.executed[i] = c.local>>local&1 == 1
			f.done[i] = f.executed[i]
			local++
			continue
		}
		f.executed[i], f.answered[i], f.done[i] = n < c.executed, n < c.answered, n < c.done
		n++
	}
}

// receive completes the receives whose messages are executed with success and
// flushes the others of a QP that fails. It returns how many are not flushed.
func (f *fate) receive(p *Program, sq [2][]int) (arrived [2]int) {
	for side := range sq {
		for _, i := range sq[1-side] {
			if takesReceive(p.WRs[i].Op) && f.executed[i] {
				arrived[side]++
			}
		}
		for k := range p.Receives(side) {
			r := p.receive(side, k)
			if f.completes[r] = k < arrived[side] || f.fails[side]; k >= arrived[side] {
				f.status[r] = spec.WR_FLUSH_ERR
			}
		}
	}
	return arrived
}

// send completes the WRs of a send queue: with success as far as everything is
// done (F2.12, F2.17), then, if the QP fails, the first message that b gave up
// with RETRY_EXC_ERR (F1.33) and the others flushed (F2.15). It returns false if
// the QP does not fail and something is not done, or happens unposted.
func (f *fate) send(p *Program, sq []int, side int, bFails bool) bool {
	whole := true
	for _, i := range sq {
		if !f.posted[i] {
			if f.executed[i] {
				return false
			}
			continue
		}
		whole = whole && f.done[i]
		switch {
		case whole:
			f.completes[i] = p.WRs[i].Signaled
			continue
		case !f.fails[side]:
			return false
		}
		f.completes[i], f.status[i] = true, spec.WR_FLUSH_ERR
		if side == 1 && f.givenUp < 0 && !f.done[i] && !isLocal(p.WRs[i].Op) {
			f.givenUp, f.status[i] = i, spec.RETRY_EXC_ERR
		}
	}
	return true
}

// failureAxioms say what a QP in ERR does.
var failureAxioms = []orderAxiom{
	{"a QP in ERR neither sends nor executes nor takes responses", "F1.22", nil, (*execution).nothingAfter},
	{"what is not complete is flushed, each queue in its order", "F2.15, F2.18", nil, (*execution).flushes},
	{"the send queue is flushed first", "F2.15", func(d *dials) bool { return d.sqFirst }, (*execution).sendsFirst},
	{"the receive queue is flushed first", "F2.15", func(d *dials) bool { return d.rqFirst }, (*execution).receivesFirst},
	{"an adapter flushes before it takes the next packet", "F1.36, 9.5.10", func(d *dials) bool { return d.noDelay },
		func(x *execution) { x.flushBefore(x.arrivals) }},
	{"an adapter flushes before the programs on its CPU go on", "M1, F7.2", func(d *dials) bool { return d.sharedCPU },
		func(x *execution) { x.flushBefore(x.programSteps) }},
}

// knock: b gives a WR up when a copy of it has come to a's failed QP in vain, and
// none is on its way any more (9.3, last paragraph).
func (x *execution) knock(givenUp int) {
	if givenUp < 0 {
		return
	}
	p := packet{leave: x.event(), arrive: x.event(), late: true}
	x.must(x.life[givenUp].leave, p.leave, p.arrive, x.err[1])
	x.must(x.err[0], p.arrive)
	x.wire[1] = append(x.wire[1], p)
}

func (x *execution) nothingAfter() {
	for side := range x.sq {
		for _, i := range x.sq[side] {
			l := &x.life[i]
			if isLocal(x.WRs[i].Op) {
				x.before(l.exec, x.err[side])
				continue
			}
			x.before(l.leave, x.err[side])
			x.before(l.done, x.err[side])
			x.before(l.exec, x.err[1-side])
			x.before(l.reply, x.err[1-side])
		}
	}
}

// before says that a comes before b if both happen.
func (x *execution) before(a, b event) {
	if a != none {
		x.must(a, b)
	}
}

// flushes: an error CQE follows the failure of its QP.
func (x *execution) flushes() {
	for side := range x.sq {
		for _, c := range x.failed(side) {
			x.must(x.err[side], x.cqe[c])
			if c < len(x.WRs) {
				x.must(x.life[c].post, x.cqe[c])
			}
		}
	}
}

// failed returns the completions of a side with an error.
func (x *execution) failed(side int) []int {
	var list []int
	for c := range x.cqe {
		if s, _ := x.cq(c); s == side && x.cqe[c] != none && x.end[c] != spec.SUCCESS {
			list = append(list, c)
		}
	}
	return list
}

// sendsFirst: the send CQEs that are due when the QP fails come before receives
// are flushed. Later posts are flushed when they come.
func (x *execution) sendsFirst() {
	for side := range x.sq {
		for _, r := range x.failed(side) {
			for _, i := range x.sq[side] {
				if r >= len(x.WRs) && x.cqe[i] != none {
					x.either(chain(x.cqe[i], x.cqe[r]), chain(x.cqe[r], x.life[i].post))
				}
			}
		}
	}
}

// receivesFirst: recv CQEs come before sends are flushed.
func (x *execution) receivesFirst() {
	for side := range x.sq {
		for _, i := range x.failed(side) {
			for k := range x.mail[side] {
				if r := x.receive(side, k); i < len(x.WRs) && x.cqe[r] != none {
					x.must(x.cqe[r], x.cqe[i])
				}
			}
		}
	}
}

// flushBefore: a CQE is flushed before any of the steps of its side that comes
// behind the failure and the post.
func (x *execution) flushBefore(steps func(side int) []event) {
	for side := range x.sq {
		for _, step := range steps(side) {
			for _, c := range x.failed(side) {
				if c >= len(x.WRs) {
					x.either(chain(step, x.err[side]), chain(x.cqe[c], step))
				} else if post := x.life[c].post; step != post {
					x.either(chain(step, x.err[side]), chain(step, post), chain(x.cqe[c], step))
				}
			}
		}
	}
}

// An Ending is a completion order and the statuses of its completions, four
// bits each from the lowest.
type Ending struct {
	Order  Order
	Status uint64
}

// With returns the ending with the status of a completion put in.
func (e Ending) With(completion int, st spec.Status) Ending {
	e.Status |= uint64(st) << (4 * completion)
	return e
}

// Format writes an ending.
func (e Ending) Format(p *Program, v View) string {
	text := e.Order.Format(p, v)
	for c := range p.Completions() {
		if st := spec.Status(e.Status >> (4 * c) & 15); st != spec.SUCCESS {
			text += " " + p.Name(c) + "=" + st.String()
		}
	}
	return text
}

// Endings returns the endings of a program that the axioms allow when a's QP
// may go to ERR once, of itself, and nothing is lost.
func Endings(p *Program, dialValues map[string]string, v View) map[Ending]bool {
	d := dialsOf(dialValues)
	all := map[Ending]bool{}
	for o := range Orders(p, dialValues, 0, v) {
		all[Ending{Order: o}] = true
	}
	for _, a := range p.postingOrders(0) {
		for _, b := range p.postingOrders(1) {
			sq := [2][]int{a, b}
			for _, f := range p.fates(sq) {
				x := newExecutionOf(p, d, sq, f)
				x.knock(f.givenUp)
				x.apply()
				x.applyAll(failureAxioms)
				end := Ending{}
				for c, st := range f.status {
					if f.completes[c] {
						end = end.With(c, st)
					}
				}
				x.list(v, func(o Order) { all[Ending{o, end.Status}] = true })
			}
		}
	}
	return all
}
