package axiom

import "github.com/ibcheck/ibcheck/spec"

// The guarantees of traceAxioms, in their order.

func (r *reading) sendOrder() {
	r.pairsOf(r.sq, func(e, w int) {
		before, _ := r.reported(e)
		after, _ := r.reported(w)
		if after != never && before > after && (before != never || r.WRs[e].Signaled) {
			r.broken("%s, %s", r.moment(w, Wrote), r.moment(e, Wrote))
		}
	})
}

func (r *reading) recvOrder() {
	for q := range r.rq {
		if r.QPs[q].SRQ {
			continue
		}
		r.pairsOf(r.rq[q:q+1], func(e, w int) {
			before, _ := r.reported(e)
			if after, _ := r.reported(w); after != never && before > after {
				r.broken("%s, %s", r.moment(w, Wrote), r.moment(e, Wrote))
			}
		})
	}
}

// fifo: what is polled is what was written first, but for what went with its QP.
func (r *reading) fifo() {
	queue := map[int][]int{} // by CQ
	for n, s := range r.Steps {
		switch s.Kind {
		case Wrote:
			queue[s.CQ] = append(queue[s.CQ], s.WR)
		case Purged, Returned:
			q := queue[s.CQ]
			at := 0
			for at < len(q) && q[at] != s.WR {
				at++
			}
			if at == len(q) {
				r.broken("%s is %s at %d and not in the CQ", r.WRs[s.WR].Name, s.Kind, n)
				continue
			}
			if s.Kind == Returned && at > 0 {
				r.broken("%s, %s still in the CQ", r.moment(s.WR, Returned), r.WRs[q[0]].Name)
			}
			queue[s.CQ] = append(q[:at:at], q[at+1:]...)
		}
	}
}

func (r *reading) signaled() {
	r.eachSend(func(i int) {
		if r.succeeded(i) && !r.WRs[i].Signaled {
			r.broken("%s with SUCCESS", r.moment(i, Wrote))
		}
	})
}

// failuresReported: a WR that is passed over without a CQE, because a later one
// has its CQE, is complete and was not signaled.
func (r *reading) failuresReported() {
	r.pairsOf(r.sq, func(e, w int) {
		if before, _ := r.reported(e); before != never {
			return
		}
		if after, _ := r.reported(w); after != never && r.at(e, Acked) > after {
			r.broken("%s, %s without CQE, %s", r.moment(w, Wrote), r.WRs[e].Name, r.moment(e, Acked))
		}
	})
}

func (r *reading) messageOrder() {
	r.pairsOf(r.sq, func(e, w int) {
		if isLocal(r.WRs[e].Op) || isLocal(r.WRs[w].Op) {
			return
		}
		for _, k := range []StepKind{Started, Accepted, Executed} {
			if n := r.at(w, k); n != never && r.at(e, k) > n {
				r.broken("%s, %s", r.moment(w, k), r.moment(e, k))
			}
		}
	})
	r.eachSend(func(i int) {
		if !isLocal(r.WRs[i].Op) && (r.at(i, Executed) < r.at(i, Accepted) || r.at(i, Accepted) < r.at(i, Started)) {
			r.broken("%s, %s, %s", r.moment(i, Started), r.moment(i, Accepted), r.moment(i, Executed))
		}
	})
}

func (r *reading) completeBeforeCQE() {
	check := func(e, w int) {
		if n, _ := r.reported(w); r.succeeded(w) && r.at(e, Acked) > n {
			r.broken("%s with SUCCESS, %s", r.moment(w, Wrote), r.moment(e, Acked))
		}
	}
	r.pairsOf(r.sq, check)
	r.eachSend(func(i int) { check(i, i) })
}

func (r *reading) acceptedBeforeAcked() {
	r.eachSend(func(i int) {
		if n := r.at(i, Acked); n != never && r.at(i, Executed) > n {
			r.broken("%s, %s", r.moment(i, Acked), r.moment(i, Executed))
		}
	})
}

// oneReceive: on every QP the k-th message executed that takes a receive is the
// one that the k-th successful receive took.
func (r *reading) oneReceive() {
	for q := range r.QPs {
		var messages, receives []Step
		for n, s := range r.Steps {
			switch {
			case s.Kind == Executed && takesReceive(r.WRs[s.WR].Op) && r.QPs[r.WRs[s.WR].QP].Peer == q:
				messages = append(messages, s)
			case s.Kind == Reset && s.QP == q: // what was executed and not reported is gone
				messages = messages[:len(receives)]
			case (s.Kind == Wrote || s.Kind == Lost) && s.QP == q && r.WRs[s.WR].Op == spec.RECV && s.Status == spec.SUCCESS:
				receives = append(receives, s)
				if len(receives) > len(messages) {
					r.broken("%s at %d has a success CQE, but only %d messages were executed on %s", r.WRs[s.WR].Name, n, len(messages), r.QPs[q].Name)
					return
				}
				if m := messages[len(receives)-1]; s.Message != Unknown && s.Message != m.WR {
					r.broken("%s at %d completes with a message other than %s", r.WRs[s.WR].Name, n, r.WRs[m.WR].Name)
				}
			}
		}
	}
}

// flushed: the failing WR has its own status, what is behind it is flushed. Of a
// local error, what is before it may be flushed too (F2.16).
func (r *reading) flushed() {
	olderToo := r.Dials["error.older_first"] != "wait"
	check := func(e, w int) {
		before, first := r.reported(e)
		after, then := r.reported(w)
		if before == never || after == never || first == spec.SUCCESS || then == spec.WR_FLUSH_ERR {
			return
		}
		if !olderToo || first != spec.WR_FLUSH_ERR || !isLocalError(then) {
			r.broken("%s with %s, %s with %s", r.moment(e, Wrote), first, r.moment(w, Wrote), then)
		}
	}
	r.pairsOf(r.sq, check)
	for q := range r.rq {
		if !r.QPs[q].SRQ {
			r.pairsOf(r.rq[q:q+1], check)
		}
	}
	for i := range r.WRs {
		if n, st := r.reported(i); n != never && st != spec.SUCCESS && r.WRs[i].QP >= 0 && r.fails[i] > n {
			r.broken("%s with %s while its QP has not failed", r.moment(i, Wrote), st)
		}
	}
}

// isLocalError reports whether the requester's own adapter found the error.
func isLocalError(st spec.Status) bool { return st == spec.LOC_PROT_ERR || st == spec.LOC_QP_OP_ERR }

func (r *reading) postedInError() {
	for i := range r.WRs {
		if n, st := r.reported(i); n != never && r.fails[i] < r.at(i, Posted) && st != spec.WR_FLUSH_ERR {
			r.broken("%s, QP failed at %d, yet %s", r.moment(i, Posted), r.fails[i], st)
		}
	}
}

func (r *reading) ackedIsSuccess() {
	r.eachSend(func(i int) {
		n, st := r.reported(i)
		if n == never || st == spec.SUCCESS || r.fails[i] == never {
			return
		}
		for _, e := range r.sq[r.WRs[i].QP] {
			if r.life[e] != r.life[i] {
				continue
			}
			if r.at(e, Acked) > r.fails[i] {
				return // a local operation may be ahead of what comes before it
			}
			if e == i {
				break
			}
		}
		r.broken("%s, QP failed at %d, yet %s", r.moment(i, Acked), r.fails[i], st)
	})
}

func (r *reading) pairTable() {
	strict := r.Dials["fence.local_inv"] == "strict"
	r.pairsOf(r.sq, func(e, w int) {
		a, b := &r.WRs[e], &r.WRs[w]
		start := r.starts(w)
		if start == never {
			return
		}
		switch orderOf(a.Op, b.Op, b.Fence, strict) {
		case started:
			if r.starts(e) > start {
				r.broken("%s starts at %d, %s later", b.Name, start, a.Name)
			}
		case completed:
			if r.at(e, Acked) > start {
				r.broken("%s starts at %d, %s", b.Name, start, r.moment(e, Acked))
			}
		}
	})
}

// starts returns the step with which a WR starts, which for a local operation
// is its execution.
func (r *reading) starts(i int) int {
	if isLocal(r.WRs[i].Op) {
		return r.at(i, Executed)
	}
	return r.at(i, Started)
}

func (r *reading) readsOutstanding() {
	open := map[int]int{} // by QP
	for n, s := range r.Steps {
		switch {
		case s.Kind == Reset:
			open[s.QP] = 0
		case s.Kind == Started && isRead(r.WRs[s.WR].Op):
			q := r.WRs[s.WR].QP
			if open[q]++; open[q] > max(r.QPs[q].MaxRdAtomic, 1) {
				r.broken("%s at %d is one too many", r.moment(s.WR, Started), n)
			}
		case s.Kind == Acked && isRead(r.WRs[s.WR].Op):
			open[r.WRs[s.WR].QP]--
		}
	}
}

// readsFrom: what a READ or ATOMIC brought is not older than the last WRITE to
// the location that its own QP made before it, and not from the future.
func (r *reading) readsFrom() {
	r.eachSend(func(i int) {
		n := r.at(i, Acked)
		if !isRead(r.WRs[i].Op) || n == never || r.Steps[n].From == Unknown {
			return
		}
		from := r.Steps[n].From
		if from != Nobody && r.at(from, Executed) > n {
			r.broken("%s brought what %s wrote, %s", r.moment(i, Acked), r.WRs[from].Name, r.moment(from, Executed))
		}
		last := r.lastWrite(i)
		if last < 0 || from == last {
			return
		}
		if from == Nobody || r.at(from, Executed) < r.at(last, Executed) {
			r.broken("%s brought what was there before %s", r.moment(i, Acked), r.moment(last, Executed))
		}
	})
}

// lastWrite returns the last WRITE to the location of READ i before it in its
// send queue, -1 if there is none.
func (r *reading) lastWrite(i int) int {
	last := -1
	for _, e := range r.sq[r.WRs[i].QP] {
		if e == i {
			break
		}
		if r.life[e] == r.life[i] && pairWord(r.WRs[e].Op) == "WRITE" && r.WRs[e].Remote == r.WRs[i].Remote {
			last = e
		}
	}
	return last
}

func (r *reading) visible() {
	for n, s := range r.Steps {
		if s.Kind != Wrote || s.Status != spec.SUCCESS || s.Message < 0 {
			continue
		}
		for _, e := range r.sq[r.WRs[s.Message].QP] {
			writes := pairWord(r.WRs[e].Op) == "WRITE" || pairWord(r.WRs[e].Op) == "ATOMIC"
			if r.life[e] == r.life[s.Message] && writes && r.WRs[e].Remote >= 0 && r.at(e, Placed) > n {
				r.broken("%s has its CQE at %d, %s", r.WRs[s.WR].Name, n, r.moment(e, Placed))
			}
			if e == s.Message {
				break
			}
		}
	}
}

// nothingMissing: of a run that came to its end, a signaled or failed WR whose
// queue was not reset has its CQE, and so has every receive of a QP that failed.
// Without a timer, a request or response that is lost is waited for in vain.
func (r *reading) nothingMissing() {
	if !r.Complete {
		return
	}
	r.eachSend(func(i int) {
		n, _ := r.reported(i)
		failed, acked := r.fails[i] != never, r.at(i, Acked) != never
		if n != never || r.ends[i] != never || !failed && !acked && !r.QPs[r.WRs[i].QP].Timer {
			return
		}
		if r.WRs[i].Signaled || failed && !acked {
			r.broken("%s without CQE", r.moment(i, Posted))
		}
	})
	for q := range r.rq {
		for _, i := range r.rq[q] {
			if n, _ := r.reported(i); n == never && r.ends[i] == never && r.fails[i] != never && !r.QPs[q].SRQ {
				r.broken("%s without CQE, its QP failed at %d", r.moment(i, Posted), r.fails[i])
			}
		}
	}
}
