package invariants

import "github.com/ibcheck/ibcheck/spec"

// A builtin is a check that is always on: a guarantee of the transport that
// no scenario can lose. It looks at the CQE that a step wrote.
type builtin struct {
	name, text string
	check      func(m *spec.Model, prev, next *spec.State) bool
}

var builtins = []builtin{
	{"one_cqe", "a WR gets at most one CQE (I15)", onWrite(func(k *written) bool {
		return k.prev.WRs[k.wr].Phase != spec.Posted
	})},
	{"send_cqe_order", "send CQEs in post order (F2.5)", onWrite(func(k *written) bool {
		return !k.info.Recv && k.skipped()
	})},
	{"recv_cqe_order", "recv CQEs of a receive queue in post order (F2.6)", onWrite(func(k *written) bool {
		return k.info.Recv && k.info.QP >= 0 && k.skipped()
	})},
	{"success_is_accepted", "a success send CQE: the responder accepted the message (F2.3, I3)", onWrite(func(k *written) bool {
		return !k.info.Recv && k.info.Packets > 0 && k.next.WRs[k.wr].Status == spec.SUCCESS && !k.m.Accepted(k.next, k.wr)
	})},
	{"one_recv_per_message", "each message completes one receive (I1)", onWrite(func(k *written) bool {
		return k.info.Recv && k.info.QP >= 0 && k.received() > k.m.MessagesExecuted(k.next, k.info.QP)
	})},
}

// A written is a CQE that a step has written.
type written struct {
	m          *spec.Model
	prev, next *spec.State
	wr         int
	info       spec.WRInfo
}

// onWrite makes a check of one CQE a check of a step.
func onWrite(bad func(k *written) bool) func(m *spec.Model, prev, next *spec.State) bool {
	return func(m *spec.Model, prev, next *spec.State) bool {
		for c := range next.CQs {
			n := next.CQs[c].N
			if n != prev.CQs[c].N+1 {
				continue
			}
			wr := int(next.CQs[c].WR[n-1])
			if bad(&written{m, prev, next, wr, m.WR(wr)}) {
				return true
			}
		}
		return false
	}
}

// queue returns the WRs of the queue the CQE belongs to, in posting order.
func (k *written) queue() []uint8 {
	qp := &k.next.QPs[k.info.QP]
	if k.info.Recv {
		return qp.Rsp.RQ.WR[:qp.Rsp.RQ.N]
	}
	return qp.Req.SQ[:qp.Req.N]
}

// skipped reports whether an earlier WR of the queue should have had its CQE
// before: every receive, every signaled or failed send.
func (k *written) skipped() bool {
	for _, w := range k.queue() {
		if int(w) == k.wr {
			return false
		}
		s := &k.next.WRs[w]
		if s.Phase == spec.Posted && (k.info.Recv || k.m.WR(int(w)).Signaled || s.Failed) {
			return true
		}
	}
	return true // it is not in its queue at all
}

// received counts the success CQEs of the receive queue.
func (k *written) received() int {
	n := 0
	for _, w := range k.queue() {
		if s := &k.next.WRs[w]; s.Phase >= spec.Completed && s.Status == spec.SUCCESS {
			n++
		}
	}
	return n
}
