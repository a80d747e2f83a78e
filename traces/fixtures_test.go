package traces

import "github.com/ibcheck/ibcheck/spec"

// A fixture is a run with what the command line would say around it.
type fixture struct {
	name string
	run  func() *spec.Run
	opt  Options
}

var fixtures = []fixture{
	{"seed", seed, seedOptions},
	{"overtaking", overtaking, options("order: W1.acked precedes W2.acked", "W2 acked at %d, W1 still open", "W1", "W2")},
	{"three-nodes", threeNodes, options("fair: SA.cqe precedes SB.cqe", "fair: SB completed at %d, SA still open", "SA", "SB")},
	{"kill", kill, options("clean: never S2.flushed", "clean: S2 flushed at %d", "S1", "S2.wc")},
	{"rnr", rnr, options("ready: never rnr(q)", "ready: RNR NAK at %d")},
	{"multi-packet", multiPacket, options("whole: W1.cqe precedes R1.wc", "whole: R1 polled at %d, W1 still open", "W1", "R1.wc")},
	{"out-of-band", outOfBand, options("told: R1.cqe precedes S2.posted", "told: S2 posted at %d, R1 not completed", "R1", "S2")},
	{"lost-request", lostRequest, options("first: S1.cqe precedes R2.cqe", "first: R2 completed at %d, S1 still open", "S1", "R2")},
	{"duplicate", duplicate, options("once: never S1.retried", "")},
	{"crossing", crossing, options("cross: SA.cqe precedes RA.cqe", "cross: RA completed at %d, SA still open", "SA", "RA")},
	{"lasso", lasso, options("done: eventually S1.cqe", "done: it never comes")},
	{"shared-queue", sharedQueue, options("mine: never overflow(srq)", "overflow(srq) at %d")},
}

func options(property, broken string, bars ...string) Options {
	return Options{Bars: bars, Caption: Caption{Verdict: "VIOLATED, as expected", Scenario: "example", Property: property,
		Pos: "example.ibl:9:8", Broken: broken, Footer: []string{"Run   ibcheck replay example.ibl"}}}
}

// overtaking: a WRITE of one queue pair waits in the wire while one of another
// passes it.
func overtaking() *spec.Run {
	b := build("host target", "host.q target.q", "host.k target.k")
	w1 := b.post("host.q", "W1", -1)
	p1 := b.depart("host.q", request("RDMA_WRITE_FIRST", "W1", "h0"), w1)
	w2 := b.post("host.k", "W2", -1)
	p2 := b.depart("host.k", request("RDMA_WRITE_ONLY", "W2", "k0"), w2)
	x2 := b.quiet("target.k", "execute", "W2", b.arrive(p2))
	ack := b.depart("target.k", response("ACK", "k0", 1), x2)
	b.quiet("host.k", "process", "W2", b.arrive(ack))
	b.broken()
	b.arrive(p1)
	p3 := b.depart("host.q", request("RDMA_WRITE_LAST", "W1", "h1"), w1)
	x1 := b.quiet("target.q", "execute", "W1", b.arrive(p3))
	done := b.arrive(b.depart("target.q", response("ACK", "h1", 1), x1))
	b.cqe("host.q", "cq", "W1 RDMA_WRITE", done)
	return b.run
}

// threeNodes: two clients of one server with a shared receive queue.
func threeNodes() *spec.Run {
	b := build("a server b", "a.q server.qa", "b.q server.qb")
	b.before("R1 on server.s", "R2 on server.s")
	sa := b.post("a.q", "SA", -1)
	pa := b.depart("a.q", request("SEND_ONLY", "SA", "a0"), sa)
	sb := b.post("b.q", "SB", -1)
	pb := b.depart("b.q", request("SEND_ONLY", "SB", "b0"), sb)
	xb := b.quiet("server.qb", "execute", "SB", b.arrive(pb))
	ackb := b.depart("server.qb", response("ACK", "b0", 1), xb)
	rb := b.cqe("server.qb", "rcq", "R1 RECV", xb)
	b.poll(rb)
	b.cqe("b.q", "c", "SB SEND", b.arrive(ackb))
	b.broken()
	xa := b.quiet("server.qa", "execute", "SA", b.arrive(pa))
	acka := b.depart("server.qa", response("ACK", "a0", 1), xa)
	b.poll(b.cqe("server.qa", "rcq", "R2 RECV", xa))
	b.poll(b.cqe("a.q", "c", "SA SEND", b.arrive(acka)))
	return b.run
}

// kill: a queue pair goes to ERR of itself and flushes what it has.
func kill() *spec.Run {
	b := build("host target", "host.q target.q")
	b.before("R1 on host.q")
	s1 := b.post("host.q", "S1", -1)
	s2 := b.post("host.q", "S2", -1)
	p1 := b.depart("host.q", request("SEND_ONLY", "S1", "h0"), s1)
	b.arrive(p1)
	k := b.note("host.q", "kill", "host.q goes to ERR", -1)
	b.run.Events[k].Fault = "kill(host.q) 1/1"
	c1 := b.cqe("host.q", "cq", "S1 SEND WR_FLUSH_ERR", k)
	c2 := b.cqe("host.q", "cq", "S2 SEND WR_FLUSH_ERR", c1)
	b.poll(c1)
	b.poll(c2)
	b.run.Events[s2].Diff = []string{"host.q.sq [S1]→[S1 S2]"}
	b.run.Events[k].Diff = []string{"host.q.state RTS→ERR", "host.q.owes 1→0"}
	b.broken()
	b.poll(b.cqe("host.q", "cq", "R1 RECV WR_FLUSH_ERR", k))
	return b.run
}

// rnr: the receive is posted too late, once.
func rnr() *spec.Run {
	b := build("host target", "host.q target.q")
	s1 := b.post("host.q", "S1", -1)
	a1 := b.arrive(b.depart("host.q", request("SEND_ONLY", "S1", "h0"), s1))
	b.note("target.q", "deliver", "no receive posted", a1)
	nak := b.depart("target.q", response("RNRNAK", "h0", 0), a1)
	got := b.quiet("host.q", "process", "", b.arrive(nak))
	b.note("host.q", "process", "RNR wait, retry", got)
	b.broken()
	r1 := b.postRecv("target.q", "R1", -1)
	timer := b.note("host.q", "rnr_timer", "RNR timer over", got)
	again := request("SEND_ONLY", "S1", "h0")
	again.Again = true
	x := b.quiet("target.q", "execute", "S1", b.arrive(b.depart("host.q", again, timer)))
	ack := b.depart("target.q", response("ACK", "h0", 1), x)
	b.poll(b.cqe("target.q", "cq", "R1 RECV", r1))
	b.poll(b.cqe("host.q", "cq", "S1 SEND", b.quiet("host.q", "process", "", b.arrive(ack))))
	return b.run
}

// multiPacket: a WRITE with immediate of three packets, the middle one lost,
// and the receive polled before the ACK is back.
func multiPacket() *spec.Run {
	b := build("host target", "host.q target.q")
	b.before("R1 on target.q")
	w := b.post("host.q", "W1", -1)
	quietly := func(opcode, psn string, again bool) spec.Packet {
		p := request(opcode, "W1", psn)
		p.Kind, p.AckReq, p.Again = "WRITE", false, again
		return p
	}
	p0 := b.depart("host.q", quietly("RDMA_WRITE_FIRST", "h0", false), w)
	p1 := b.depart("host.q", quietly("RDMA_WRITE_MIDDLE", "h1", false), p0)
	p2 := b.depart("host.q", quietly("RDMA_WRITE_LAST_WITH_IMM", "h2", false), p1)
	a0 := b.arrive(p0)
	b.drop(p1, "drop(WRITE) 1/1")
	a2 := b.arrive(p2)
	b.note("target.q", "deliver", "out of sequence, wants h1", a2)
	nak := b.depart("target.q", response("NAKSequence", "h1", 0), a2)
	got := b.quiet("host.q", "process", "", b.arrive(nak))
	b.note("host.q", "process", "go back to h1, retry 1/2", got)
	q1 := b.depart("host.q", quietly("RDMA_WRITE_MIDDLE", "h1", true), got)
	b.arrive(q1)
	q2 := b.depart("host.q", quietly("RDMA_WRITE_LAST_WITH_IMM", "h2", true), q1)
	x := b.quiet("target.q", "execute", "W1", b.arrive(q2))
	ack := b.depart("target.q", response("ACK", "h2", 1), x)
	r := b.cqe("target.q", "cq", "R1 RECV_RDMA_WITH_IMM", x)
	b.poll(r)
	b.broken()
	b.cqe("host.q", "cq", "W1 RDMA_WRITE", b.arrive(ack))
	_ = a0
	return b.run
}

// outOfBand: a message beside the queue pairs is faster than the SEND.
func outOfBand() *spec.Run {
	b := build("host target", "host.q target.q")
	b.before("R1 on target.q")
	s := b.post("host.q", "S1", -1)
	p := b.depart("host.q", request("SEND_ONLY", "S1", "h0"), s)
	t := b.tell("host", "target", "cm go", s)
	h := b.hear(t)
	b.silent("target", "program", h)
	b.post("target.q", "S2", h)
	b.broken()
	b.tell("target", "host", "cm seen", h)
	x := b.quiet("target.q", "execute", "S1", b.arrive(p))
	b.cqe("target.q", "cq", "R1 RECV", x)
	ack := b.depart("target.q", response("ACK", "h0", 1), x)
	b.cqe("host.q", "cq", "S1 SEND", b.arrive(ack))
	return b.run
}

// lostRequest: the question is lost, and an answer that did not wait for it
// overtakes its completion. Two budgets.
func lostRequest() *spec.Run {
	b := build("host target", "host.q target.q")
	b.before("R2 on host.q", "R1 on target.q")
	s1 := b.post("host.q", "S1", -1)
	b.drop(b.depart("host.q", request("SEND_ONLY", "S1", "h0"), s1), "drop(SEND) 1/1")
	s2 := b.post("target.q", "S2", -1)
	p2 := b.depart("target.q", request("SEND_ONLY", "S2", "t0"), s2)
	x := b.quiet("host.q", "execute", "S2", b.arrive(p2))
	ack := b.depart("host.q", response("ACK", "t0", 1), x)
	b.drop(ack, "drop(ACK) 1/2")
	b.cqe("host.q", "cq", "R2 RECV", x)
	b.broken()
	return b.run
}

// duplicate: the wire makes two of a SEND.
func duplicate() *spec.Run {
	b := build("host target", "host.q target.q")
	b.before("R1 on target.q")
	s := b.post("host.q", "S1", -1)
	p := b.depart("host.q", request("SEND_ONLY", "S1", "h0"), s)
	d := b.dup(p, "dup(any) 1/1")
	x := b.quiet("target.q", "execute", "S1", b.arrive(p))
	ack := b.depart("target.q", response("ACK", "h0", 1), x)
	a2 := b.arrive(d)
	n := b.note("target.q", "deliver", "duplicate of h0", a2)
	re := b.depart("target.q", response("ACK", "h0", 1), n)
	b.cqe("host.q", "cq", "S1 SEND", b.arrive(ack))
	b.note("host.q", "process", "ghost, ignored", b.arrive(re))
	b.broken()
	return b.run
}

// crossing: both sides send before either hears, several packets wait at once.
func crossing() *spec.Run {
	b := build("a b", "a.q b.q")
	b.before("RA on a.q", "RB on b.q", "RC on b.q")
	sa := b.post("a.q", "SA", -1)
	sc := b.post("a.q", "SC", -1)
	sb := b.post("b.q", "SB", -1)
	pa := b.depart("a.q", request("SEND_ONLY", "SA", "a0"), sa)
	pc := b.depart("a.q", request("SEND_ONLY", "SC", "a1"), sc)
	pb := b.depart("b.q", request("SEND_ONLY", "SB", "b0"), sb)
	xa := b.quiet("b.q", "execute", "SA", b.arrive(pa))
	acka := b.depart("b.q", response("ACK", "a0", 1), xa)
	b.quiet("b.q", "execute", "SC", b.arrive(pc))
	xb := b.quiet("a.q", "execute", "SB", b.arrive(pb))
	ra := b.cqe("a.q", "cq", "RA RECV", xb)
	b.broken()
	rb := b.cqe("b.q", "cq", "RB RECV", xa)
	rc := b.cqe("b.q", "cq", "RC RECV", rb)
	b.cqe("a.q", "cq", "SA SEND", b.arrive(acka))
	b.poll(rb)
	b.poll(rc)
	b.poll(ra)
	return b.run
}

// sharedQueue: a node alone with its programs, and a silent break.
func sharedQueue() *spec.Run {
	b := build("server idle client", "client.q server.q")
	v := b.verb("server.q", "modify_qp q RTR", -1)
	b.verb("server.q", "req_notify_cq rcq SOLICITED", v)
	w := b.silent("idle", "program", -1)
	n := b.add(spec.Event{Kind: spec.EvVerb, Rule: "program", Node: 1, Place: spec.App, Conn: -1, Text: "get_async_event", Cause: w})
	b.add(spec.Event{Kind: spec.EvNote, Rule: "program", Node: 1, Place: spec.App, Thread: "watcher", Conn: -1, Cause: n,
		Text: "asleep, and no event will come any more"})
	p := b.postRecv("server.q", "R1", v)
	b.add(spec.Event{Kind: spec.EvNote, Rule: "program", Node: 0, Place: spec.App, Conn: 0, Text: "overflow(srq): server.s", Cause: p})
	b.broken()
	return b.run
}

// lasso: a program polls an empty CQ for ever while its message is lost for good.
func lasso() *spec.Run {
	b := build("host target", "host.q target.q")
	s := b.post("host.q", "S1", -1)
	p := b.drop(b.depart("host.q", request("SEND_ONLY", "S1", "h0"), s), "drop(SEND) 1/1")
	b.verb("host.q", "n = 1", s)
	b.run.Loop = len(b.run.Events) + 1
	e := b.verb("host.q", "poll_cq cq: empty", s)
	b.silent("host", "program", e)
	b.note("host.q", "process", "nothing to do", p)
	b.broken()
	return b.run
}
