package spec

// The wire: each direction of a connection is a FIFO of packets. What goes
// wrong there is budgeted; nothing else does.

// send puts a packet on a wire.
func (m *Model) send(s *State, w int, p Pkt) {
	if int(s.Wires[w].N) >= m.bounds.Wire || !s.Wires[w].push(p) {
		m.bound(s, BoundWire, w)
	}
}

// arrived returns how many packets at the head of the wire are responses that
// have reached the requester and wait to be processed; the next packet to be
// delivered is behind them.
func (w *WireVars) arrived() int {
	for i := range int(w.N) {
		if !w.Pkt[i].Arrived {
			return i
		}
	}
	return int(w.N)
}

func deliverChoices(m *Model, s *State, out *choices) {
	for w := range s.Wires {
		if i := s.Wires[w].arrived(); i < int(s.Wires[w].N) && m.mayDeliver(s, w) {
			m.srqPicks(s, m.wires[w].to, s.Wires[w].Pkt[i], func(pick int) { out.add4(w, i, 0, pick) })
		}
	}
}

// mayDeliver reports whether the adapter at the end of wire w takes another
// packet now. An adapter without CQE delay finishes one before the next.
func (m *Model) mayDeliver(s *State, w int) bool {
	return m.dials.cqeDelay || !m.hcaBusy(s, m.qps[m.wires[w].to].node)
}

// hcaBusy reports whether the node's adapter still works on packets it has
// taken: a request to execute, a response to process, a CQE to write.
func (m *Model) hcaBusy(s *State, node int) bool {
	for q := range s.QPs {
		if m.qps[q].node != node {
			continue
		}
		qp := &s.QPs[q]
		if qp.takesRequests() && qp.Rsp.XPSN < qp.Rsp.EPSN || m.recvCQEDue(s, q) || m.sendCQEDue(s, q) {
			return true
		}
		if in := m.qps[q].in; in >= 0 && s.Wires[in].N > 0 && s.Wires[in].Pkt[0].Arrived {
			return true
		}
	}
	return false
}

func deliverApply(m *Model, s *State, c Choice) { m.arrive(s, int(c.A), int(c.B), int(c.D)) }

// arrive takes packet i out of wire w: a request, which takes entry pick of an
// SRQ if it needs one, goes through the responder's
// checks, a response waits for the requester.
func (m *Model) arrive(s *State, w, i, pick int) {
	p := s.Wires[w].remove(i)
	if p.Kind == PktRequest {
		m.accept(s, m.wires[w].to, p, pick)
		return
	}
	p.Arrived = true
	v := &s.Wires[w]
	at := v.arrived()
	copy(v.Pkt[at+1:v.N+1], v.Pkt[at:v.N])
	v.Pkt[at] = p
	v.N++
}

// overtakeChoices: a packet is delivered although earlier ones are under way.
func overtakeChoices(m *Model, s *State, out *choices) {
	m.packetFaults(s, faultReorder, out, func(w, i, b int) bool {
		first := s.Wires[w].arrived()
		if i <= first || !m.mayDeliver(s, w) || m.budgets[b].over&m.class(s, w, s.Wires[w].Pkt[i]) == 0 {
			return false
		}
		for k := first; k < i; k++ {
			if !m.hits(s, &m.budgets[b], w, s.Wires[w].Pkt[k]) {
				return false
			}
		}
		return true
	})
}

func overtakeApply(m *Model, s *State, c Choice) {
	s.Env.Budgets[c.C]--
	m.arrive(s, int(c.A), int(c.B), int(c.D))
}

// packetFaults adds every (wire, packet, budget) of a fault kind whose budget
// is not used up and that ok accepts.
func (m *Model) packetFaults(s *State, kind faultKind, out *choices, ok func(w, i, b int) bool) {
	for b := range m.budgets {
		if m.budgets[b].kind != kind || s.Env.Budgets[b] == 0 {
			continue
		}
		for w := range s.Wires {
			for i := s.Wires[w].arrived(); i < int(s.Wires[w].N); i++ {
				if !ok(w, i, b) {
					continue
				}
				if kind != faultReorder {
					out.add(w, i, b)
					continue
				}
				m.srqPicks(s, m.wires[w].to, s.Wires[w].Pkt[i], func(pick int) { out.add4(w, i, b, pick) })
			}
		}
	}
}

// dropChoices: a corrupt packet fails its check and is discarded, which the
// rules cannot tell from a loss.
func dropChoices(m *Model, s *State, out *choices) {
	lost := func(w, i, b int) bool { return m.hits(s, &m.budgets[b], w, s.Wires[w].Pkt[i]) }
	m.packetFaults(s, faultDrop, out, lost)
	m.packetFaults(s, faultCorrupt, out, lost)
}

func dropApply(m *Model, s *State, c Choice) {
	s.Env.Budgets[c.C]--
	s.Wires[c.A].remove(int(c.B))
}

func dupChoices(m *Model, s *State, out *choices) {
	m.packetFaults(s, faultDup, out, func(w, i, b int) bool { return m.hits(s, &m.budgets[b], w, s.Wires[w].Pkt[i]) })
}

// dupApply: the copy is the youngest packet of its direction, so it may come
// right behind the original or, if others leave in between, later.
func dupApply(m *Model, s *State, c Choice) {
	s.Env.Budgets[c.C]--
	m.send(s, int(c.A), s.Wires[c.A].Pkt[c.B])
}
