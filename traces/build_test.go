package traces

import (
	"fmt"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// A builder writes runs as the model would report them: one event an action,
// each with the latest event that made it possible.
type builder struct {
	run     *spec.Run
	packets int
}

// build begins a run of nodes, connected as in "host.q target.q".
func build(nodes string, conns ...string) *builder {
	b := &builder{run: &spec.Run{Nodes: strings.Fields(nodes)}}
	for _, c := range conns {
		names := strings.Fields(c)
		b.run.Conns = append(b.run.Conns, spec.RunConn{A: b.node(names[0]), B: b.node(names[1]), AName: names[0], BName: names[1]})
	}
	return b
}

func (b *builder) node(qp string) int {
	name, _, _ := strings.Cut(qp, ".")
	for i, n := range b.run.Nodes {
		if n == name {
			return i
		}
	}
	panic("no node " + name)
}

// conn returns the connection that the queue pair named "node.qp" is part of,
// and the node at its other end.
func (b *builder) conn(qp string) (conn, other int) {
	for i, c := range b.run.Conns {
		if c.AName == qp {
			return i, c.B
		}
		if c.BName == qp {
			return i, c.A
		}
	}
	panic("no queue pair " + qp)
}

func (b *builder) add(e spec.Event) int {
	b.run.Events = append(b.run.Events, e)
	return len(b.run.Events) - 1
}

// broken marks that the last event decides.
func (b *builder) broken() { b.run.Broken = len(b.run.Events) }

func (b *builder) before(words ...string) { b.run.Before = words }

func (b *builder) post(qp, wr string, cause int) int {
	conn, _ := b.conn(qp)
	return b.add(spec.Event{Kind: spec.EvPost, Rule: "program", Text: "post_send " + wr, Node: b.node(qp), Place: spec.App, Conn: conn, WR: wr, Cause: cause})
}

func (b *builder) postRecv(qp, wr string, cause int) int {
	i := b.post(qp, wr, cause)
	b.run.Events[i].Text = "post_recv " + wr
	return i
}

// depart sends a packet; the caller sets what is special about it.
func (b *builder) depart(qp string, p spec.Packet, cause int) int {
	conn, other := b.conn(qp)
	b.packets++
	p.ID, p.Conn, p.From, p.To = b.packets, conn, b.node(qp), other
	return b.add(spec.Event{Kind: spec.EvDepart, Rule: "transmit", Node: p.From, Place: spec.HCA, Conn: conn, To: other, Packet: &p, WR: p.WR, Cause: cause})
}

// request is a request packet of a WR.
func request(opcode, wr, psn string) spec.Packet {
	kind, _, _ := strings.Cut(strings.TrimPrefix(opcode, "RDMA_"), "_")
	p := spec.Packet{Opcode: opcode, Kind: kind, WR: wr, MSN: -1, AckReq: true, Owner: psn[:1]}
	fmt.Sscan(psn[1:], &p.PSN)
	return p
}

// response is an answer with a syndrome.
func response(syndrome, psn string, msn int) spec.Packet {
	p := request("ACKNOWLEDGE", "", psn)
	p.Kind, p.Syndrome, p.MSN, p.AckReq = "ACK", syndrome, msn, false
	return p
}

// arrive ends the flight of the packet that event i sent.
func (b *builder) arrive(i int) int { return b.ends(i, spec.EvArrive, "deliver", "") }

// drop loses the packet that event i sent.
func (b *builder) drop(i int, fault string) int { return b.ends(i, spec.EvDrop, "drop", fault) }

func (b *builder) ends(i int, kind spec.EventKind, rule, fault string) int {
	p := b.run.Events[i].Packet
	e := spec.Event{Kind: kind, Rule: rule, Node: p.To, Place: spec.HCA, Conn: p.Conn, Packet: p, WR: p.WR, Fault: fault, Cause: i}
	if kind == spec.EvDrop {
		e.Node, e.Place = p.From, spec.Wire
	}
	return b.add(e)
}

// dup makes a copy of the packet that event i sent.
func (b *builder) dup(i int, fault string) int {
	p := *b.run.Events[i].Packet
	b.packets++
	p.ID = b.packets
	return b.add(spec.Event{Kind: spec.EvDup, Rule: "dup", Node: p.From, Place: spec.Wire, Conn: p.Conn, Packet: &p, WR: p.WR, Fault: fault, Cause: i})
}

// quiet is a step of an adapter that says nothing new: execute, process.
func (b *builder) quiet(qp, rule, wr string, cause int) int {
	conn, _ := b.conn(qp)
	return b.add(spec.Event{Kind: spec.EvSilent, Rule: rule, Node: b.node(qp), Place: spec.HCA, Conn: conn, WR: wr, Cause: cause})
}

// note is a remark of an adapter.
func (b *builder) note(qp, rule, text string, cause int) int {
	i := b.quiet(qp, rule, "", cause)
	b.run.Events[i].Kind, b.run.Events[i].Text = spec.EvNote, text
	return i
}

// cqe writes a completion "S1 SEND" or "S1 SEND WR_FLUSH_ERR" into a CQ.
func (b *builder) cqe(qp, cq, words string, cause int) int {
	conn, _ := b.conn(qp)
	f := append(strings.Fields(words), "SUCCESS")
	wc := &spec.WC{WR: f[0], Opcode: f[1], Status: f[2], CQ: b.run.Nodes[b.node(qp)] + "." + cq}
	return b.add(spec.Event{Kind: spec.EvCQE, Rule: "send_cqe", Node: b.node(qp), Place: spec.HCA, Conn: conn, WR: f[0], WC: wc, Cause: cause})
}

// poll returns the completion of event i to the program.
func (b *builder) poll(i int) int {
	e := b.run.Events[i]
	return b.add(spec.Event{Kind: spec.EvPoll, Rule: "program", Node: e.Node, Place: spec.App, Conn: e.Conn, WR: e.WR, WC: e.WC, Cause: i})
}

// verb is a verb that is not a post.
func (b *builder) verb(qp, text string, cause int) int {
	conn, _ := b.conn(qp)
	return b.add(spec.Event{Kind: spec.EvVerb, Rule: "program", Node: b.node(qp), Place: spec.App, Conn: conn, Text: text, Cause: cause})
}

// tell sends a message beside the queue pairs, hear takes it.
func (b *builder) tell(from, to, text string, cause int) int {
	return b.add(spec.Event{Kind: spec.EvTell, Rule: "program", Node: b.node(from), Place: spec.App, Conn: -1, To: b.node(to), Text: "tell " + text, Cause: cause})
}

func (b *builder) hear(i int) int {
	e := b.run.Events[i]
	return b.add(spec.Event{Kind: spec.EvHear, Rule: "program", Node: e.To, Place: spec.App, Conn: -1, Text: strings.Replace(e.Text, "tell", "hear", 1), Cause: i})
}

// silent is a local step of a program.
func (b *builder) silent(node, rule string, cause int) int {
	return b.add(spec.Event{Kind: spec.EvSilent, Rule: rule, Node: b.node(node), Place: spec.App, Conn: -1, Cause: cause})
}

// seed is the run of the mail of 2015: one lost ACK, and the answer's receive
// completes before the question's send.
func seed() *spec.Run {
	b := build("host target", "host.q target.q")
	b.before("R2 on host.q", "R1 on target.q")
	s1 := b.post("host.q", "S1", -1)
	p1 := b.depart("host.q", request("SEND_ONLY", "S1", "h0"), s1)
	a1 := b.arrive(p1)
	x1 := b.quiet("target.q", "execute", "S1", a1)
	ack := b.depart("target.q", response("ACK", "h0", 1), x1)
	lost := b.drop(ack, "drop(ACK) 1/1")
	r1 := b.poll(b.cqe("target.q", "cq0", "R1 RECV", ack))
	s2 := b.post("target.q", "S2", r1)
	p2 := b.depart("target.q", request("SEND_ONLY", "S2", "t0"), s2)
	a2 := b.arrive(p2)
	x2 := b.quiet("host.q", "execute", "S2", a2)
	ack2 := b.depart("host.q", response("ACK", "t0", 1), x2)
	r2 := b.cqe("host.q", "rcq", "R2 RECV", ack2)
	b.broken()
	done := b.quiet("target.q", "process", "S2", b.arrive(ack2))
	b.poll(b.cqe("target.q", "cq0", "S2 SEND", done))
	late := b.note("host.q", "timeout", "timeout, retry 1/2", lost)
	again := request("SEND_ONLY", "S1", "h0")
	again.Again = true
	p3 := b.depart("host.q", again, late)
	again3 := b.arrive(p3)
	b.note("target.q", "duplicate", "duplicate of h0", again3)
	re := b.depart("target.q", response("ACK", "h0", 1), again3)
	fin := b.quiet("host.q", "process", "S1", b.arrive(re))
	b.poll(b.cqe("host.q", "scq", "S1 SEND", fin))
	b.poll(r2)
	for i := range b.run.Events { // two implicit pollers on the host
		if e := &b.run.Events[i]; e.Kind == spec.EvPoll {
			e.Thread = "poll " + e.WC.CQ
		}
	}
	return b.run
}
