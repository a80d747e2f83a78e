package axiom

// One loss. That a request is lost cannot be told from one that leaves late, so
// it shows no order that a run without losses does not: PROTOCOL.md 11, M11. A
// response that is lost is another matter: what completes its WR then is a
// response to a later one, or to a copy.

// withLoss returns the executions of a run in which the response to WR k of a
// send queue is lost. make makes one without losses.
func withLoss(k int, make func() *execution) []*execution {
	var all []*execution
	side := make().WRs[k].Side
	later := laterPackets(make(), side, k)
	if len(later) > 0 && !make().WRs[k].isRead() {
		x := make()
		x.loseResponse(k)
		x.acknowledgeBy(k, later[0])
		all = append(all, x)
	}
	for sent := 0; sent <= len(later); sent++ {
		if x := make(); sent == 0 || x.WRs[k].isRead() {
			x.loseResponse(k)
			x.resendFrom(k, later, sent)
			all = append(all, x)
		}
	}
	return all
}

// laterPackets returns the WRs behind k in its send queue that send packets.
func laterPackets(x *execution, side, k int) []int {
	list := x.packets(side)
	for n, i := range list {
		if i == k {
			return list[n+1:]
		}
	}
	return nil
}

// loseResponse takes the arrival of the response to WR k away.
func (x *execution) loseResponse(k int) {
	from := x.wire[1-x.WRs[k].Side]
	for i := range from {
		if from[i].leave == x.life[k].rsp {
			from[i].arrive = none
		}
	}
	x.life[k].done = none
}

// acknowledgeBy: the ACK of k is lost and the response to the next request comes,
// which acknowledges k too (F1.16, F1.27).
func (x *execution) acknowledgeBy(k, next int) { x.life[k].done = x.life[next].done }

// resendFrom: the response to k is lost and k is sent again.
//
// Without a later request sent, the timer is what finds out: it expires only
// when all that was sent before k is answered (9.3, last paragraph). If k is a
// READ or ATOMIC the first response to a later request does (F1.29); those later
// requests are sent again too, and what their first responses acknowledged does
// not count, because an ACK stops at a READ that lacks its data (F1.25).
func (x *execution) resendFrom(k int, later []int, sent int) {
	copyOf := x.resend(k)
	x.life[k].done = x.again[copyOf].done
	x.must(x.life[k].rsp, x.again[copyOf].leave)
	for _, e := range x.packets(x.WRs[k].Side) {
		if e == k {
			break
		}
		x.must(x.life[e].done, x.again[copyOf].leave)
	}
	last, first := copyOf, copyOf
	for n, j := range later {
		if n >= sent {
			x.must(x.again[last].leave, x.life[j].go_)
			x.must(x.again[last].reply, x.life[j].rsp)
			continue
		}
		void := x.life[j].done
		if n == 0 {
			x.must(void, x.again[first].leave)
		}
		x.must(x.life[j].rsp, void)
		x.must(x.life[j].go_, x.again[first].leave)
		x.must(x.life[j].rsp, x.again[first].reply)
		next := x.resend(j)
		x.must(x.again[last].leave, x.again[next].leave)
		x.must(x.again[last].reply, x.again[next].reply)
		x.life[j].done = x.again[next].done
		if n > 0 && !x.WRs[j].isRead() && !x.WRs[later[n-1]].isRead() {
			x.life[j].done = x.life[later[n-1]].done // the ACK of a copy says all that is executed (F1.15)
		}
		last = next
	}
}

// resend adds a copy of a request and the response to it.
func (x *execution) resend(wr int) int {
	side := x.WRs[wr].Side
	a := resend{wr: wr, leave: x.event(), arrive: x.event(), reply: x.event(), done: x.event()}
	x.must(a.leave, a.arrive, a.reply, a.done)
	x.wire[side] = append(x.wire[side], packet{a.leave, a.arrive})
	x.wire[1-side] = append(x.wire[1-side], packet{a.reply, a.done})
	x.again = append(x.again, a)
	return len(x.again) - 1
}
