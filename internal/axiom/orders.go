package axiom

import "github.com/ibcheck/ibcheck/spec"

// The axioms of completion order. They are written from PROTOCOL.md: a
// guarantee is an edge or a clause, and what no axiom orders may happen in any
// order (F2.7, F2.8).

// dials are the freedoms that completion orders depend on (PROTOCOL.md 9.3).
type dials struct {
	ackBeforeCQE, ackAfterCQE bool // ack.order_vs_recv_cqe
	ackFirst                  bool // ack.order_vs_own_requests
	merges                    bool // ack.coalesce other than none
	ownPSN                    bool // ack.on_duplicate own
	noDelay                   bool // requester.cqe_delay none
	strictInv                 bool // fence.local_inv strict
	sharedCPU                 bool // hca.cpu shared
	sqFirst, rqFirst          bool // error.queue_order
}

func dialsOf(values map[string]string) dials {
	return dials{
		ackBeforeCQE: values["ack.order_vs_recv_cqe"] == "before",
		ackAfterCQE:  values["ack.order_vs_recv_cqe"] == "after",
		ackFirst:     values["ack.order_vs_own_requests"] == "ack_first",
		merges:       values["ack.coalesce"] != "none",
		ownPSN:       values["ack.on_duplicate"] == "own",
		noDelay:      values["requester.cqe_delay"] == "none",
		strictInv:    values["fence.local_inv"] == "strict",
		sharedCPU:    values["hca.cpu"] == "shared",
		sqFirst:      values["error.queue_order"] == "sq_first",
		rqFirst:      values["error.queue_order"] == "rq_first",
	}
}

// An orderAxiom orders events of an execution.
type orderAxiom struct {
	name  string
	fact  string
	holds func(d *dials) bool // nil: whatever the dials are
	state func(x *execution)
}

var orderAxioms = []orderAxiom{
	{"a thread posts in its program's order", "LANGUAGE 2", nil, (*execution).programOrder},
	{"requests leave, arrive and are executed in posting order", "F1.9, F3.5", nil, (*execution).requestOrder},
	{"a response answers an executed request, in order", "F1.12, F1.16, F1.25", nil, (*execution).responseOrder},
	{"the pair table", "F3.1 to F3.8", nil, (*execution).pairTable},
	{"no more READs and ATOMICs outstanding than max_rd_atomic", "F1.10", nil, (*execution).readsOutstanding},
	{"each message completes one receive, in order", "I1, F2.6", nil, (*execution).receives},
	{"send CQEs in posting order, after what completes them", "F2.1, F2.5", nil, (*execution).sends},
	{"a CQ is a FIFO", "F2.9", nil, (*execution).queues},
	{"the ACK leaves before the recv CQE", "F1.17(2)", func(d *dials) bool { return d.ackBeforeCQE }, (*execution).ackThenCQE},
	{"the ACK leaves after the recv CQE", "F1.17(2)", func(d *dials) bool { return d.ackAfterCQE }, (*execution).cqeThenACK},
	{"no own request leaves while a response is owed", "F1.17(3), 9.5.7", func(d *dials) bool { return d.ackFirst }, (*execution).responsesFirst},
	{"a wire is a FIFO", "F5.14", func(d *dials) bool { return d.noDelay }, (*execution).wires},
	{"an adapter is done with one packet before it takes the next", "F1.36, 9.5.10", func(d *dials) bool { return d.noDelay },
		func(x *execution) { x.workBefore(x.arrivals) }},
	{"an adapter is done before the programs on its CPU go on", "M1, F7.2", func(d *dials) bool { return d.sharedCPU },
		func(x *execution) { x.workBefore(x.programSteps); x.responsesBefore(x.programSteps) }},
}

// apply states all axioms of orders that the dials ask for.
func (x *execution) apply() { x.applyAll(orderAxioms) }

func (x *execution) applyAll(axioms []orderAxiom) {
	for i := range axioms {
		if a := &axioms[i]; a.holds == nil || a.holds(&x.dials) {
			a.state(x)
		}
	}
}

// programOrder: a handler's posts follow the poll of its receive, and the poller
// polls again only when the handler is done.
func (x *execution) programOrder() {
	for side, sq := range x.sq {
		for k := 1; k < len(sq); k++ {
			x.must(x.life[sq[k-1]].post, x.life[sq[k]].post)
		}
		for _, i := range sq {
			if x.WRs[i].After == 0 {
				continue
			}
			r := x.receive(side, x.WRs[i].After-1)
			x.must(x.wc[r], x.life[i].post)
			for _, c := range x.sameQueue(r) {
				x.either(chain(x.wc[r], x.life[i].post, x.wc[c]), chain(x.wc[c], x.wc[r]))
			}
		}
	}
}

// sameQueue returns the other completions that go into the CQ of one.
func (x *execution) sameQueue(completion int) []int {
	side, n := x.cq(completion)
	var list []int
	for c := range x.cqe {
		if s, k := x.cq(c); c != completion && s == side && k == n && x.cqe[c] != none {
			list = append(list, c)
		}
	}
	return list
}

func (x *execution) requestOrder() {
	for side := range x.sq {
		list := x.packets(side)
		for k, i := range list {
			l := &x.life[i]
			x.must(l.post, l.leave, l.arrive, l.exec)
			if k > 0 {
				before := &x.life[list[k-1]]
				x.must(before.leave, l.leave)
				x.must(before.arrive, l.arrive)
				x.must(before.exec, l.exec)
			}
		}
	}
}

// responseOrder: responses leave in PSN order. An ACK that is merged with a
// later one is, for what completions show, one that leaves just before it.
func (x *execution) responseOrder() {
	for side := range x.sq {
		list := x.packets(side)
		for k, i := range list {
			l := &x.life[i]
			x.must(l.exec, l.reply, l.done)
			if k == 0 {
				continue
			}
			before := &x.life[list[k-1]]
			if before.reply != l.reply {
				x.must(before.reply, l.reply)
			}
			if before.done != l.done {
				x.must(before.done, l.done)
			}
		}
	}
}

// receives: the k-th message that takes a receive takes the k-th, whose CQE is
// written when the message is executed.
func (x *execution) receives() {
	for side, mail := range x.mail {
		for k, i := range mail {
			r := x.receive(side, k)
			if x.must(x.cqe[r], x.wc[r]); x.end[r] == spec.SUCCESS {
				x.must(x.life[i].exec, x.cqe[r])
			}
			if k > 0 {
				x.must(x.cqe[x.receive(side, k-1)], x.cqe[r])
			}
		}
	}
}

// sends: a send CQE needs what completes its WR and all WRs before it (F2.12).
func (x *execution) sends() {
	for _, sq := range x.sq {
		last := none
		for k, i := range sq {
			if x.cqe[i] == none {
				continue
			}
			for _, e := range sq[:k+1] {
				if x.end[i] == spec.SUCCESS {
					x.must(x.life[e].done, x.cqe[i])
				}
			}
			if x.must(x.cqe[i], x.wc[i]); last != none {
				x.must(last, x.cqe[i])
			}
			last = x.cqe[i]
		}
	}
}

// queues: polls return CQEs in the order in which they were written.
func (x *execution) queues() {
	for c := range x.cqe {
		if x.cqe[c] == none {
			continue
		}
		for _, o := range x.sameQueue(c) {
			if o > c {
				x.either([]edge{{x.cqe[c], x.cqe[o]}, {x.wc[c], x.wc[o]}}, []edge{{x.cqe[o], x.cqe[c]}, {x.wc[o], x.wc[c]}})
			}
		}
	}
}

func (x *execution) ackThenCQE() {
	for side, mail := range x.mail {
		for k, i := range mail {
			if r := x.receive(side, k); x.end[r] == spec.SUCCESS {
				x.either(chain(x.life[i].reply, x.cqe[r]), chain(x.err[side], x.cqe[r])) // 9.5.6
			}
		}
	}
}

func (x *execution) cqeThenACK() {
	for side, mail := range x.mail {
		for k, i := range mail {
			if x.life[i].reply != none {
				x.must(x.cqe[x.receive(side, k)], x.life[i].reply)
			}
		}
	}
}

// responsesFirst: a response is owed from the execution of its request, or from
// the arrival of a duplicate, until it leaves.
func (x *execution) responsesFirst() {
	for side := range x.sq {
		own := x.requestsOf(side)
		for _, i := range x.packets(1 - side) {
			for _, s := range own {
				x.either(chain(x.life[i].reply, s), chain(s, x.life[i].exec))
			}
		}
		for _, a := range x.again {
			if x.WRs[a.wr].Side == side {
				continue
			}
			for _, s := range own {
				x.either(chain(a.reply, s), chain(s, a.arrive))
			}
		}
	}
}

// requestsOf returns the events at which requests of a side leave.
func (x *execution) requestsOf(side int) []event {
	var list []event
	for _, i := range x.packets(side) {
		list = append(list, x.life[i].leave)
	}
	for _, a := range x.again {
		if x.WRs[a.wr].Side == side {
			list = append(list, a.leave)
		}
	}
	return list
}

func (x *execution) wires() {
	for side := range x.wire {
		for k, p := range x.wire[side] {
			for _, q := range x.wire[side][:k] {
				x.either(inOrder(p, q), inOrder(q, p))
			}
		}
	}
}

// inOrder: one packet leaves before another and, if neither is lost, arrives
// before it.
func inOrder(p, q packet) []edge {
	if p.lost || p.arrive == none && q.late {
		return chain(p.leave, q.leave)
	}
	return []edge{{p.leave, q.leave}, {p.arrive, q.arrive}}
}

// arrivals returns the events at which packets arrive at a side.
func (x *execution) arrivals(side int) []event {
	var list []event
	for _, p := range x.wire[1-side] {
		if p.arrive != none {
			list = append(list, p.arrive)
		}
	}
	return list
}

// programSteps returns the steps of a side's programs.
func (x *execution) programSteps(side int) []event {
	var list []event
	for _, i := range x.sq[side] {
		list = append(list, x.life[i].post)
	}
	for c := range x.wc {
		if s, _ := x.cq(c); s == side && x.wc[c] != none {
			list = append(list, x.wc[c])
		}
	}
	return list
}

// workBefore: what an adapter has to do it does before any of the steps: a
// request that has arrived is executed and its receive's CQE written; a send CQE
// that nothing holds back any more is written.
func (x *execution) workBefore(steps func(side int) []event) {
	for side := range x.sq {
		for _, step := range steps(side) {
			for _, i := range x.packets(1 - side) {
				if l := &x.life[i]; step != l.arrive {
					x.either(chain(step, l.arrive), chain(l.exec, step))
				}
			}
			for k, i := range x.mail[side] {
				if l := &x.life[i]; step != l.arrive {
					x.either(chain(step, l.arrive), chain(x.cqe[x.receive(side, k)], step))
				}
			}
			for k, i := range x.sq[side] {
				if x.cqe[i] != none {
					x.workSend(step, x.sq[side][:k+1], x.cqe[i])
				}
			}
		}
	}
}

// workSend: a send CQE is due from the last of what completes its WR and those
// before it.
func (x *execution) workSend(step event, upTo []int, cqe event) {
	c := clause{chain(cqe, step)}
	for _, e := range upTo {
		done := x.life[e].done
		c = append(c, chain(step, done))
		if step == done {
			return // it completes one of them itself
		}
	}
	x.either(c...)
}

// responsesBefore: responses that are owed leave before any of the steps.
func (x *execution) responsesBefore(steps func(side int) []event) {
	for side := range x.sq {
		for _, step := range steps(side) {
			for _, i := range x.packets(1 - side) {
				x.either(chain(step, x.life[i].exec), chain(x.life[i].reply, step), chain(x.err[side], step))
			}
			for _, a := range x.again {
				if x.WRs[a.wr].Side != side {
					x.either(chain(step, a.arrive), chain(a.reply, step))
				}
			}
		}
	}
}

// executions returns what can happen in a run of a program with at most that
// many losses, but for the order, and before any axiom.
func executions(p *Program, d dials, losses int) []*execution {
	var all []*execution
	for _, a := range p.postingOrders(0) {
		for _, b := range p.postingOrders(1) {
			fresh := func() *execution { return newExecution(p, d, [2][]int{a, b}) }
			all = append(all, fresh())
			for k := range p.WRs {
				if losses > 0 && !isLocal(p.WRs[k].Op) {
					all = append(all, withLoss(k, fresh)...)
				}
			}
		}
	}
	return all
}

// Orders returns the completion orders of a program that the axioms allow with
// at most losses lost packets, 0 or 1, under the dials, in which no WR fails.
func Orders(p *Program, dialValues map[string]string, losses int, v View) map[Order]bool {
	all := map[Order]bool{}
	for _, x := range executions(p, dialsOf(dialValues), losses) {
		x.apply()
		x.list(v, func(o Order) { all[o] = true })
	}
	return all
}

// list calls found for the orders of an execution.
func (x *execution) list(v View, found func(Order)) {
	var visible uint64
	name := make([]Order, maxEvents)
	for c := range x.cqe {
		if x.cqe[c] == none {
			continue
		}
		name[x.cqe[c]], name[x.wc[c]] = Order(0).Then(c, false, v), Order(0).Then(c, true, v)
		if v != Polled {
			visible |= 1 << x.cqe[c]
		}
		if v != Written {
			visible |= 1 << x.wc[c]
		}
	}
	x.orders(visible, func(order []event) {
		o := Order(0)
		for _, e := range order {
			o = o<<4 | name[e]
		}
		found(o)
	})
}
