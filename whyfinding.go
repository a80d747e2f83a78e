package ibcheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// finding explains what a sanitizer found.
func (s *story) finding(x *Explanation, b spec.Bad) {
	where := s.c.model.BadPlace(s.last())
	switch b {
	case spec.BadFreed, spec.BadForeign, spec.BadDeadKey:
		s.access(x, where)
	case spec.BadSQ, spec.BadRQ, spec.BadSRQ, spec.BadSQLeak:
		s.fullQueue(x, b, where)
	case spec.BadCQ:
		s.fullCQ(x, where)
	case spec.BadState:
		s.wrongState(x, where)
	case spec.BadRNR:
		s.noReceive(x, where)
	case spec.BadRetry:
		s.noAnswer(x, where)
	case spec.BadLostWakeup, spec.BadOpenWR:
		s.runsOut(x, b)
	default: // a variable out of its range, an assertion of the program
		x.Let = append(x.Let, fmt.Sprintf("%s: %s", b, where))
		s.decided(x)
	}
}

// endsAt is the event that the run ends with.
func (s *story) endsAt() int { return max(s.firstEvent(s.p.Actions), 0) }

// access explains that an adapter touches memory that is not its any more: the WR
// whose buffer it is was not over when its owner gave it up.
func (s *story) access(x *Explanation, where string) {
	short := where[strings.IndexByte(where, '.')+1:]
	given := s.findLast(s.endsAt(), func(e *spec.Event) bool {
		return e.Place == spec.App && e.Kind == spec.EvVerb && givesUp(e.Text, short) && strings.HasPrefix(where, s.run.Nodes[e.Node]+".")
	})
	wr := s.openOn(where)
	touch := s.broken - 1
	if wr != "" {
		x.Let = append(x.Let, fmt.Sprintf("%s uses %s, posted at %s; the HCA touches it at %d", wr, where, s.postedAt(wr), s.row[touch]))
	} else {
		x.Let = append(x.Let, fmt.Sprintf("an HCA touches %s at %d", where, s.row[touch]))
	}
	if given < 0 {
		x.Then = append(x.Then, "nothing in this run gave it to the HCA.")
		return
	}
	x.Let = append(x.Let, fmt.Sprintf("%q = step %d, after which %s is not the HCA's", s.run.Events[given].Text, s.row[given], where))
	if wr == "" {
		x.Then = append(x.Then, "That was caused by", s.chainText(given))
		return
	}
	w := s.wrSite(wr)
	if mine := strings.HasPrefix(where, s.c.sc.Nodes[w.Node].Name+"."); mine {
		x.Then = append(x.Then, fmt.Sprintf("%s is the HCA's until a poll returns %s (F2.13). Step %d was caused by", where, wr, s.row[given]), s.chainText(given),
			s.joint(wr, wr+".wc", given))
		x.But = s.because(wr, spec.WRWC, given)
		x.But = append(x.But, s.touched(wr, touch))
		return
	}
	x.Then = append(x.Then, fmt.Sprintf("%s belongs to the peer's %s until that is executed. Step %d was caused by", where, wr, s.row[given]), s.chainText(given))
	x.But = s.because(wr, spec.WRExecuted, given)
}

// givesUp reports whether a program's words take memory from the adapter.
func givesUp(text, mr string) bool {
	for _, part := range strings.Split(text, ", ") {
		if verb, what, _ := strings.Cut(part, " "); what == mr && slices.Contains([]string{"free", "dereg_mr", "invalidate"}, verb) {
			return true
		}
	}
	return false
}

// openOn returns a WR that uses a region and was not over at the break, "" if none
// is known.
func (s *story) openOn(where string) string {
	uses := func(w *spec.WR) bool {
		n := &s.c.sc.Nodes[w.Node]
		for _, mr := range w.SGE {
			if n.Name+"."+n.MRs[mr].Name == where {
				return true
			}
		}
		if r := w.Remote; r.Node >= 0 {
			peer := &s.c.sc.Nodes[r.Node]
			return peer.Name+"."+peer.MRs[r.MR].Name == where
		}
		return false
	}
	state := s.last()
	for i := range state.WRs {
		info := s.c.model.WR(i)
		if p := state.WRs[i].Phase; info.Site < len(s.c.sc.WRs) && uses(&s.c.sc.WRs[info.Site]) && (p == spec.Posted || p == spec.Discarded) {
			return info.Name
		}
	}
	return ""
}

func (s *story) postedAt(wr string) string {
	if i := s.find(0, func(e *spec.Event) bool { return e.Kind == spec.EvPost && e.WR == wr }); i >= 0 {
		return fmt.Sprint(s.row[i])
	}
	return "the beginning"
}

// touched says how the adapter comes to touch the buffer of a send: by sending it,
// perhaps again, or by writing what it asked for.
func (s *story) touched(wr string, event int) string {
	if s.run.Events[event].Rule != "transmit" {
		return fmt.Sprintf("At %d the HCA goes on with %s all the same.", s.row[event], wr)
	}
	again := s.find(0, func(e *spec.Event) bool { return e.Kind == spec.EvDepart && e.Packet.WR == wr && !isResponse(e.Packet) })
	if again >= 0 && again < s.endsAt() {
		return fmt.Sprintf("At %d %s is sent again, from memory as it is then (F1.32).", s.row[event], wr)
	}
	return fmt.Sprintf("At %d %s is sent, from memory as it is then.", s.row[event], wr)
}

// fullQueue explains a post to a queue without a free slot.
func (s *story) fullQueue(x *Explanation, b spec.Bad, where string) {
	end := s.endsAt()
	x.Let = append(x.Let, fmt.Sprintf("step %d posts %s to %s, which has no free slot", s.row[end], s.run.Events[end].WR, where))
	var open []string
	state := s.last()
	for i := range state.WRs {
		info := s.c.model.WR(i)
		held := state.WRs[i].Phase == spec.Posted || state.WRs[i].Phase == spec.Completed
		if held && info.Recv == (b == spec.BadRQ || b == spec.BadSRQ) && s.onQueue(info, where) {
			open = append(open, info.Name)
		}
	}
	x.Then = append(x.Then, fmt.Sprintf("A slot is free again when a poll returns its WR or a later one of the queue (F2.12). Step %d was caused by", s.row[end]),
		s.chainText(end), fmt.Sprintf("and the slots are those of %s.", strings.Join(open, ", ")))
	if len(open) > 0 {
		x.But = s.because(open[0], spec.WRWC, end)
	}
}

// onQueue reports whether a WR belongs to the QP or SRQ of a name.
func (s *story) onQueue(info spec.WRInfo, where string) bool {
	if info.Site >= len(s.c.sc.WRs) {
		return false
	}
	w := &s.c.sc.WRs[info.Site]
	n := &s.c.sc.Nodes[w.Node]
	return w.QP >= 0 && n.Name+"."+n.QPs[w.QP].Name == where || w.SRQ >= 0 && n.Name+"."+n.SRQs[w.SRQ].Name == where
}

// fullCQ explains a CQE for which there is no room.
func (s *story) fullCQ(x *Explanation, where string) {
	end := s.endsAt()
	x.Let = append(x.Let, fmt.Sprintf("step %d writes a CQE into %s, which is full", s.row[end], where))
	var held []string
	for i := range end {
		e := &s.run.Events[i]
		if e.Kind == spec.EvCQE && e.WC.CQ == where {
			held = append(held, e.WR)
		}
		if k := slices.Index(held, e.WR); e.Kind == spec.EvPoll && e.WC.CQ == where && k >= 0 {
			held = slices.Delete(held, k, k+1)
		}
	}
	x.Then = append(x.Then, fmt.Sprintf("It holds the CQEs of %s, which nobody has polled; it must have room for all that is posted to its queues (F2.26).",
		strings.Join(held, ", ")), "The last CQE was caused by", s.chainText(end))
}

// wrongState explains a verb on a QP whose state does not allow it.
func (s *story) wrongState(x *Explanation, where string) {
	end := s.endsAt()
	words := s.name(end)
	if words == "" {
		words = "a verb"
	}
	x.Let = append(x.Let, fmt.Sprintf("step %d, %s, on %s in a state that does not allow it (F2.18, F2.19)", s.row[end], words, where))
	change := s.findLast(end, func(e *spec.Event) bool {
		return slices.ContainsFunc(e.Diff, func(d string) bool { return strings.HasPrefix(d, where+".state ") })
	})
	if change < 0 {
		x.Let = append(x.Let, where+" is in its first state")
	} else {
		for _, d := range s.run.Events[change].Diff {
			if state, ok := strings.CutPrefix(d, where+".state "); ok {
				x.Let = append(x.Let, fmt.Sprintf("%s = step %d", where+" "+strings.Replace(state, "→", " to ", 1), s.row[change]))
			}
		}
	}
	x.Then = append(x.Then, fmt.Sprintf("Step %d was caused by", s.row[end]), s.chainText(end), "and by nothing that knows the state of the QP.")
}

// noReceive explains that a message found no receive until its sender gave up.
func (s *story) noReceive(x *Explanation, where string) {
	var at []string
	last := -1
	for i := range s.broken {
		if s.run.Events[i].Text == "no receive posted" {
			at, last = append(at, fmt.Sprint(s.row[i])), i
		}
	}
	wr := "the message"
	if last > 0 {
		wr = s.run.Events[last-1].WR
	}
	x.Let = append(x.Let, fmt.Sprintf("%s found no receive at %s; %s gives up after rnr_retry (F1.34)", wr, strings.Join(at, ", "), where))
	if last < 0 {
		return
	}
	x.Then = append(x.Then, "A receive must be posted before the message comes (F1.18). It came because of", s.chainText(last-1))
	node := s.run.Events[last-1].Node
	var taken []string
	for _, b := range s.run.Before {
		if name, queue, _ := strings.Cut(b, " on "); strings.HasPrefix(queue, s.run.Nodes[node]+".") {
			taken = append(taken, name)
		}
	}
	posts := func(e *spec.Event) bool {
		w := s.wrSite(e.WR)
		return e.Kind == spec.EvPost && e.Node == node && w != nil && w.Recv
	}
	for i := range last {
		if e := &s.run.Events[i]; posts(e) {
			taken = append(taken, e.WR)
		}
	}
	if len(taken) > 0 {
		x.But = append(x.But, fmt.Sprintf("Of what is posted there before, %s, nothing is left for it.", strings.Join(taken, ", ")))
	}
	if next := s.find(last, posts); next >= 0 {
		x.But = append(x.But, fmt.Sprintf("The next receive, %s, is posted at %s.", s.run.Events[next].WR, s.at(next)))
	} else {
		x.But = append(x.But, "No other receive is posted in this run.")
	}
}

// noAnswer explains that a send was not answered until its sender gave up.
func (s *story) noAnswer(x *Explanation, where string) {
	var lost []string
	for i := range s.broken {
		if e := &s.run.Events[i]; e.Kind == spec.EvDrop {
			lost = append(lost, fmt.Sprintf("%s (%d)", packetName(e.Packet), s.row[i]))
		}
	}
	x.Let = append(x.Let, fmt.Sprintf("%s gives up at %d: retry_cnt recoveries brought no progress (F1.33)", where, s.row[s.endsAt()]))
	if len(lost) > 0 {
		x.Then = append(x.Then, "Lost were "+strings.Join(lost, ", ")+".")
	} else {
		x.Then = append(x.Then, "Nothing was lost: the peer is silent, for example because its QP is in ERR (F1.22).")
	}
}

// runsOut explains a run that ends while something is still open or asleep.
func (s *story) runsOut(x *Explanation, b spec.Bad) {
	x.Let = append(x.Let, fmt.Sprintf("%s: after %d nothing but a fault can happen", b, s.row[max(s.broken-1, 0)]))
	x.Then = append(x.Then, sentence(s.c.model.HowItEnds(s.last())))
	s.arming(x)
	state := s.last()
	for i := range state.WRs {
		info := s.c.model.WR(i)
		if b != spec.BadOpenWR || state.WRs[i].Phase != spec.Posted || info.Recv || info.Site >= len(s.c.sc.WRs) {
			continue
		}
		for _, w := range s.waitsFor(info.Name, spec.WRCQE, s.broken) {
			x.But = append(x.But, sentence(w))
		}
	}
}

// arming says why no event comes for a CQE that lies in a CQ while a thread sleeps.
func (s *story) arming(x *Explanation) {
	if !strings.HasPrefix(s.c.model.HowItEnds(s.last()), "lost wake-up") {
		return
	}
	for i := range s.broken {
		e := &s.run.Events[i]
		if e.Kind != spec.EvCQE || s.find(i, func(f *spec.Event) bool { return f.Kind == spec.EvPoll && *f.WC == *e.WC }) >= 0 {
			continue
		}
		if text := s.unarmed(i); text != "" {
			x.But = append(x.But, sentence(text))
		}
	}
}

const armsForLater = "arming is for a CQE added after it, so poll again after arming (F4.1, F4.3)"

// unarmed says why a CQE raised no event.
func (s *story) unarmed(cqe int) string {
	e := &s.run.Events[cqe]
	short := e.WC.CQ[strings.IndexByte(e.WC.CQ, '.')+1:]
	arms := func(f *spec.Event) bool {
		return f.Node == e.Node && f.Kind == spec.EvVerb && (f.Text == "req_notify_cq "+short || f.Text == "req_notify_cq "+short+" SOLICITED")
	}
	arm := s.findLast(cqe, arms)
	later := s.find(cqe, func(f *spec.Event) bool { return arms(f) })
	name := fmt.Sprintf("the CQE of %s (%d)", e.WR, s.row[cqe])
	switch {
	case arm < 0 && later >= 0 && later < s.broken:
		return fmt.Sprintf("%s was there when %s was armed (%d): %s", name, short, s.row[later], armsForLater)
	case arm < 0:
		return fmt.Sprintf("%s raises no event, for %s was never armed (F4.1)", name, short)
	}
	fired := s.find(arm, func(f *spec.Event) bool { return f.Kind == spec.EvCQE && f.WC.CQ == e.WC.CQ })
	switch {
	case fired >= 0 && fired < cqe && later >= 0 && later < s.broken:
		return fmt.Sprintf("%s was there when %s was armed again (%d): %s", name, short, s.row[later], armsForLater)
	case fired >= 0 && fired < cqe:
		return fmt.Sprintf("%s raises no event: the arm of step %d was for one, that of %s (%d) (F4.2)", name, s.row[arm], s.run.Events[fired].WR, s.row[fired])
	case strings.HasSuffix(s.run.Events[arm].Text, "SOLICITED"):
		return fmt.Sprintf("%s raises no event: %s was armed (%d) for solicited completions only (F4.1)", name, short, s.row[arm])
	}
	return fmt.Sprintf("%s raised an event after the arm of step %d, and somebody took it (F4.2)", name, s.row[arm])
}
