package axiom

// One loss. That a request is lost cannot be told from one that leaves late, so
// it shows no order that a run without losses does not: PROTOCOL.md 11, M11. A
// response that is lost is another matter: what completes its WR then is a
// response to a later one, or to a copy.

// withLoss returns the executions in which the response to WR k is lost. fresh
// makes one without losses.
func withLoss(k int, fresh func() *execution) []*execution {
	var all []*execution
	x := fresh()
	behind := x.behind(k)
	for n := 0; n <= len(behind); n++ {
		// One ACK may acknowledge several messages (F1.16): k and the next n.
		if n > 0 && (!x.dials.merges || isRead(x.WRs[k].Op) || isRead(x.WRs[behind[n-1]].Op)) {
			break
		}
		lost, later := append([]int{k}, behind[:n]...), behind[n:]
		if len(later) > 0 && !isRead(x.WRs[k].Op) {
			y := fresh()
			y.lose(lost)
			y.acknowledgeBy(lost, later[0])
			all = append(all, y)
		}
		for sent := 0; sent <= len(later) && (sent == 0 || isRead(x.WRs[k].Op)); sent++ {
			y := fresh()
			y.lose(lost)
			y.resend(lost, later, sent)
			all = append(all, y)
		}
	}
	return all
}

// behind returns the WRs behind k in its send queue that send packets.
func (x *execution) behind(k int) []int {
	list := x.packets(x.WRs[k].Side)
	for n, i := range list {
		if i == k {
			return list[n+1:]
		}
	}
	return nil
}

// lose makes the responses to some WRs one packet, and takes its arrival away.
func (x *execution) lose(lost []int) {
	last := x.life[lost[len(lost)-1]].reply
	from := &x.wire[1-x.WRs[lost[0]].Side]
	kept := (*from)[:0]
	for _, p := range *from {
		switch {
		case p.leave == last:
			kept = append(kept, packet{leave: last, arrive: none, lost: true})
		case !x.answers(p.leave, lost):
			kept = append(kept, p)
		}
	}
	*from = kept
	for _, i := range lost {
		x.life[i].reply, x.life[i].done = last, none
	}
}

// answers reports whether a packet that leaves then is the response to one of
// some WRs.
func (x *execution) answers(leave event, wrs []int) bool {
	for _, i := range wrs {
		if x.life[i].reply == leave {
			return true
		}
	}
	return false
}

// acknowledgeBy: the response to the next request acknowledges those before it
// too (F1.16, F1.27).
func (x *execution) acknowledgeBy(lost []int, next int) {
	for _, i := range lost {
		x.life[i].done = x.life[next].done
	}
}

// resend: what the lost response was for is sent again.
//
// Without a later request sent, the timer is what finds out: it expires only
// when all that was sent before is answered (9.3, last paragraph). If the lost
// response is a READ's or an ATOMIC's, the first response to a later request
// does (F1.29); the later requests are sent again too, and what their first
// responses acknowledged does not count, because an ACK stops at a READ that
// lacks its data (F1.25).
func (x *execution) resend(lost, later []int, sent int) {
	var copies []int
	for _, i := range append(append([]int(nil), lost...), later[:sent]...) {
		copies = append(copies, x.copyOf(i))
	}
	first, last := &x.again[copies[0]], &x.again[copies[len(copies)-1]]
	for _, e := range x.packets(x.WRs[lost[0]].Side) {
		if e == lost[0] {
			break
		}
		x.must(x.life[e].done, first.leave)
	}
	x.must(x.life[lost[0]].reply, first.leave)
	for n, j := range later {
		if n >= sent {
			x.must(last.leave, x.life[j].leave)
			x.must(last.reply, x.life[j].reply)
			continue
		}
		x.must(x.life[j].leave, first.leave)
		x.must(x.life[j].reply, x.life[j].done, first.reply)
		if n == 0 {
			x.must(x.life[j].done, first.leave)
		}
	}
	x.answerCopies(copies)
}

// answerCopies: copies and the responses to them keep their order. Unless the
// device answers each copy with its own PSN, the response to a copy
// acknowledges all that is executed, up to the next READ or ATOMIC (F1.15).
func (x *execution) answerCopies(copies []int) {
	for n, c := range copies {
		a := x.again[c]
		x.life[a.wr].done = a.done
		if n == 0 {
			continue
		}
		before := x.again[copies[n-1]]
		x.must(before.leave, a.leave)
		x.must(before.reply, a.reply)
		if !x.dials.ownPSN && !isRead(x.WRs[a.wr].Op) && !isRead(x.WRs[before.wr].Op) {
			x.life[a.wr].done = x.life[before.wr].done
		}
	}
}

// copyOf adds a copy of a request and the response to it.
func (x *execution) copyOf(wr int) int {
	side := x.WRs[wr].Side
	a := resend{wr: wr, leave: x.event(), arrive: x.event(), reply: x.event(), done: x.event()}
	x.must(a.leave, a.arrive, a.reply, a.done)
	x.wire[side] = append(x.wire[side], packet{leave: a.leave, arrive: a.arrive})
	x.wire[1-side] = append(x.wire[1-side], packet{leave: a.reply, arrive: a.done})
	x.again = append(x.again, a)
	return len(x.again) - 1
}
