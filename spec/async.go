package spec

// Asynchronous events, by number as AsyncEvents lists them.
const (
	evCommEst = iota
	evSQDrained
	evLastWQE
	evCQErr
	evFatal
	evAccessErr
	evReqErr
	evSRQLimit
)

// raise notes an asynchronous event of a QP.
func (m *Model) raise(s *State, q, event int) {
	if m.track.events {
		s.QPs[q].Events |= 1 << event
	}
}

// asyncChoices: SQ_DRAINED when a QP in SQD has nothing in progress and has
// reported everything (F2.21);
// LAST_WQE_REACHED when a QP on an SRQ is in ERR and every receive it took has
// its CQE (F2.24).
func asyncChoices(m *Model, s *State, out *choices) {
	if !m.track.events {
		return
	}
	for q := range s.QPs {
		qp := &s.QPs[q]
		r := &qp.Req
		if qp.State == SQD && qp.Events>>evSQDrained&1 == 0 && r.UnackedPSN == r.MaxPSN && !m.sendCQEDue(s, q) {
			out.add(q, evSQDrained, 0)
		}
		if qp.State == ERR && m.dials.lastWQE && m.qps[q].srq >= 0 && qp.Events>>evLastWQE&1 == 0 && qp.Rsp.RQ.CQE == qp.Rsp.RQ.N {
			out.add(q, evLastWQE, 0)
		}
	}
}

func asyncApply(m *Model, s *State, c Choice) { m.raise(s, int(c.A), int(c.B)) }

// srqLimit raises SRQ_LIMIT_REACHED when fewer receives than the armed mark
// are left; the mark is then disarmed (F2.25).
func (m *Model) srqLimit(s *State, q, srq int) {
	v := &s.SRQs[srq]
	left := 0
	for k := range int(v.N) {
		if v.Taken>>k&1 == 0 {
			left++
		}
	}
	if v.Limit > 0 && left < int(v.Limit) {
		v.Limit = 0
		m.raise(s, q, evSRQLimit)
	}
}
