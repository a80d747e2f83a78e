package ibcheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// How far a work request has come, and what it still waits for: read off the events
// of a run up to some point.

// A stage is how far a send has come in a run.
type stage uint8

const (
	notPosted   stage = iota
	isPosted          // in its queue
	isSent            // its last packet has left
	isArrived         // and was accepted
	isAnswered        // the response that completes it has left
	isReturned        // and has arrived
	isCompleted       // its CQE is written
	isPolled
)

// A progress is how far a work request has come by some event, and by which events.
type progress struct {
	wr    string
	info  *spec.WR
	stage stage
	by    [isPolled + 1]int // by stage: the event, -1 if there was none
	owner string            // letter of its PSN space, "" before its first packet
	psn   int               // of its last packet
	conn  int
}

// wrSite returns the scenario's WR of a name, which may have an instance.
func (s *story) wrSite(name string) *spec.WR {
	base, _, _ := strings.Cut(name, "[")
	i := slices.IndexFunc(s.c.sc.WRs, func(w spec.WR) bool { return w.Name == base })
	if i < 0 {
		return nil
	}
	return &s.c.sc.WRs[i]
}

// progress says how far a send has come by the events before one.
func (s *story) progress(wr string, before int) progress {
	p := progress{wr: wr, info: s.wrSite(wr), psn: -1, conn: -1}
	for i := range p.by {
		p.by[i] = -1
	}
	reach := func(g stage, event int) {
		p.stage = max(p.stage, g)
		if p.by[g] < 0 {
			p.by[g] = event
		}
	}
	for i := range min(before, len(s.run.Events)) {
		e := &s.run.Events[i]
		switch e.Kind {
		case spec.EvPost:
			if e.WR == wr {
				reach(isPosted, i)
			}
		case spec.EvDepart:
			if e.Packet.WR == wr && !isResponse(e.Packet) && lastPacket(e.Packet) {
				reach(isSent, i)
				p.owner, p.psn, p.conn = e.Packet.Owner, e.Packet.PSN, e.Packet.Conn
			}
			if p.answeredBy(e.Packet) {
				reach(isAnswered, i)
			}
		case spec.EvArrive:
			if e.Packet.WR == wr && !isResponse(e.Packet) && lastPacket(e.Packet) && !s.refused(i) {
				reach(isArrived, i)
			}
			if p.answeredBy(e.Packet) {
				reach(isReturned, i)
			}
		case spec.EvCQE:
			if e.WR == wr {
				reach(isCompleted, i)
			}
		case spec.EvPoll:
			if e.WR == wr {
				reach(isPolled, i)
			}
		}
	}
	return p
}

// lastPacket reports whether a packet ends its message.
func lastPacket(p *spec.Packet) bool {
	return !strings.Contains(p.Opcode, "_FIRST") && !strings.Contains(p.Opcode, "_MIDDLE")
}

// refused reports whether the packet of an arrival was not taken.
func (s *story) refused(i int) bool {
	return i+1 < len(s.run.Events) && s.run.Events[i+1].Action == s.run.Events[i].Action && s.run.Events[i+1].Text != ""
}

// answeredBy reports whether a packet is the response that a send needs: an ACK
// that covers its last packet, or the data of a READ or ATOMIC.
func (p *progress) answeredBy(q *spec.Packet) bool {
	if p.psn < 0 || !isResponse(q) || !positive(q) || q.Owner != p.owner || q.Conn != p.conn {
		return false
	}
	if p.info != nil && (p.info.Opcode == spec.RDMA_READ || p.info.Opcode == spec.ATOMIC_CMP_AND_SWP || p.info.Opcode == spec.ATOMIC_FETCH_AND_ADD) {
		return q.WR == p.wr && q.PSN >= p.psn
	}
	return q.PSN >= p.psn
}

// waitsFor says what keeps an event of a work request from having happened by some
// event of the run, and why nothing has brought it: one sentence or more.
func (s *story) waitsFor(wr string, f spec.WRField, before int) []string {
	w := s.wrSite(wr)
	if w == nil {
		return nil
	}
	if w.Recv {
		return s.receiveWaits(wr, w, f, before)
	}
	p := s.progress(wr, before)
	subject := fmt.Sprintf("%s.%s", wr, spec.WRFields()[f])
	switch p.stage {
	case notPosted:
		return []string{fmt.Sprintf("%s waits for the post of %s%s", subject, wr, s.comes(", which comes", s.find(before, func(e *spec.Event) bool {
			return e.Kind == spec.EvPost && e.WR == wr
		})))}
	case isPosted:
		return []string{subject + " waits for its packet to leave: " + s.whyUnsent(&p, before)}
	case isSent:
		return []string{subject + " waits for its packet to arrive: " + s.whyUnarrived(&p, before)}
	case isArrived:
		if f <= spec.WRExecuted {
			return []string{subject + " waits for the responder to execute it, which may be any time later (F1.12)"}
		}
		return []string{fmt.Sprintf("%s waits for the response, which the responder owes since %d and may send any time later (F1.16, F1.17)",
			subject, s.row[p.by[isArrived]])}
	case isAnswered:
		return s.whyUnreturned(subject, &p, before)
	case isReturned:
		if !w.Signaled && !s.signalsAll(w) {
			return []string{fmt.Sprintf("%s never comes: %s is unsignaled, and a success gives no CQE (F2.10)", subject, wr)}
		}
		return []string{fmt.Sprintf("%s waits for the HCA to write it: it has had the response since %d and may report it any time later (F1.36)",
			subject, s.row[p.by[isReturned]])}
	case isCompleted:
		return []string{s.unpolled(subject, p.by[isCompleted])}
	}
	return nil
}

// signalsAll reports whether the QP of a send signals every send.
func (s *story) signalsAll(w *spec.WR) bool {
	return w.QP >= 0 && s.c.sc.Nodes[w.Node].QPs[w.QP].SigAll
}

// comes says when an event of the epilogue comes, "" if there is none.
func (s *story) comes(words string, event int) string {
	if event < 0 {
		return ""
	}
	return fmt.Sprintf("%s at %d", words, s.row[event])
}

// unpolled says where a CQE lies that no poll has returned.
func (s *story) unpolled(subject string, cqe int) string {
	return fmt.Sprintf("%s waits for a poll of %s, where the CQE lies since %d; two CQs, or a CQ and a program, have no common order (F2.9)",
		subject, s.run.Events[cqe].WC.CQ, s.row[cqe])
}

func (s *story) whyUnsent(p *progress, before int) string {
	note := s.findLast(before, func(e *spec.Event) bool {
		return e.Kind == spec.EvNote && e.Node == p.info.Node && (strings.HasPrefix(e.Text, "RNR wait") || e.Text == "RNR timer over" ||
			strings.Contains(e.Text, "fails") || strings.Contains(e.Text, "to ERR"))
	})
	switch {
	case note >= 0 && strings.HasPrefix(s.run.Events[note].Text, "RNR wait"):
		return fmt.Sprintf("the queue stands in an RNR wait since %d (F1.34)", s.row[note])
	case note >= 0 && s.run.Events[note].Text != "RNR timer over":
		return fmt.Sprintf("the QP is in ERR since %d (F2.15)", s.row[note])
	case p.info.Fence:
		return "it is fenced behind READs and ATOMICs that are not answered (F3.7)"
	}
	return "nothing makes the HCA send it sooner (F1.9)"
}

func (s *story) whyUnarrived(p *progress, before int) string {
	mine := func(e *spec.Event) bool { return e.Packet != nil && !isResponse(e.Packet) && e.Packet.WR == p.wr }
	end := s.findLast(before, func(e *spec.Event) bool { return mine(e) && (e.Kind == spec.EvDrop || e.Kind == spec.EvArrive) })
	if end >= 0 && end > s.findLast(before, func(e *spec.Event) bool { return mine(e) && e.Kind == spec.EvDepart }) {
		if s.run.Events[end].Kind == spec.EvDrop {
			return fmt.Sprintf("it was lost at %d%s", s.row[end], s.again(p, before))
		}
		if s.refused(end) {
			return fmt.Sprintf("it came at %d: %s (F1.13, F1.18)%s", s.row[end], s.run.Events[end+1].Text, s.again(p, before))
		}
	}
	return "it is on its way"
}

// again says when a send is sent again.
func (s *story) again(p *progress, before int) string {
	return s.comes(", the resend is", s.find(before, func(e *spec.Event) bool {
		return e.Kind == spec.EvDepart && e.Packet.WR == p.wr && e.Packet.Again
	}))
}

// whyUnreturned says where the response is that would complete a send.
func (s *story) whyUnreturned(subject string, p *progress, before int) []string {
	name := packetName(s.run.Events[p.by[isAnswered]].Packet)
	out := []string{fmt.Sprintf("%s waits for %q", subject, name+" arrived")}
	lost := s.findLast(before, func(e *spec.Event) bool { return e.Kind == spec.EvDrop && p.answeredBy(e.Packet) })
	if lost < 0 {
		return append(out, fmt.Sprintf("it left at %d and is on its way", s.row[p.by[isAnswered]]))
	}
	why := fmt.Sprintf("the one of step %d was lost", s.row[lost])
	if next := s.find(before, func(e *spec.Event) bool { return e.Kind == spec.EvDepart && p.answeredBy(e.Packet) }); next >= 0 {
		why += fmt.Sprintf(", the next is step %d", s.row[next])
	}
	return append(out, why)
}

// receiveWaits is waitsFor of a receive.
func (s *story) receiveWaits(wr string, w *spec.WR, f spec.WRField, before int) []string {
	subject := fmt.Sprintf("%s.%s", wr, spec.WRFields()[f])
	if cqe := s.findLast(before, func(e *spec.Event) bool { return e.Kind == spec.EvCQE && e.WR == wr }); cqe >= 0 {
		return []string{s.unpolled(subject, cqe)}
	}
	setup := slices.ContainsFunc(s.run.Before, func(b string) bool { return strings.HasPrefix(b, wr+" on ") })
	if post := s.find(0, func(e *spec.Event) bool { return e.Kind == spec.EvPost && e.WR == wr }); !setup && (post < 0 || post >= before) {
		return []string{fmt.Sprintf("%s waits for the post of %s%s", subject, wr, s.comes(", which comes", post))}
	}
	var unfinished []string // messages to this node that are on their way
	for i := range min(before, len(s.run.Events)) {
		e := &s.run.Events[i]
		if v := s.wrSite(e.WR); e.Kind == spec.EvPost && v != nil && !v.Recv && takesReceive(v.Opcode) && s.peerOf(v) == w.Node {
			if p := s.progress(e.WR, before); p.stage < isArrived {
				unfinished = append(unfinished, e.WR)
			}
		}
	}
	if len(unfinished) > 0 {
		out := []string{fmt.Sprintf("%s waits for a message", subject)}
		return append(out, s.waitsFor(unfinished[0], spec.WRArrived, before)...)
	}
	if s.unwritten(w, before) {
		return []string{subject + " waits for the HCA to write it: a message has come, and it may be reported any time later (F1.36)"}
	}
	return []string{fmt.Sprintf("%s waits for a message, and none is posted", subject)}
}

// takesReceive reports whether a message of an opcode consumes a receive.
func takesReceive(o spec.Opcode) bool {
	return o == spec.SEND || o == spec.SEND_WITH_IMM || o == spec.SEND_WITH_INV || o == spec.RDMA_WRITE_WITH_IMM
}

// peerOf returns the node that a send goes to, -1 if its QP is not connected.
func (s *story) peerOf(w *spec.WR) int {
	for _, c := range s.c.sc.Conns {
		switch me := (spec.QPRef{Node: w.Node, QP: w.QP}); me {
		case c.A:
			return c.B.Node
		case c.B:
			return c.A.Node
		}
	}
	return -1
}

// unwritten reports whether more messages were taken at a node than recv CQEs were
// written.
func (s *story) unwritten(w *spec.WR, before int) bool {
	n := 0
	for i := range min(before, len(s.run.Events)) {
		e := &s.run.Events[i]
		switch v := s.wrSite(e.WR); {
		case e.Kind == spec.EvArrive && !isResponse(e.Packet) && e.Packet.To == w.Node && lastPacket(e.Packet) && v != nil && takesReceive(v.Opcode) && !s.refused(i):
			n++
		case e.Kind == spec.EvCQE && e.Node == w.Node && v != nil && v.Recv:
			n--
		}
	}
	return n > 0
}
