package spec

// Memory: an MR is one location, or a few units that are placed separately.
// Its contents are abstract: a value and the WR that wrote it. What the
// adapter has executed and what a CPU sees may differ (F2.3).

// remoteAllows reports whether a remote access of that opcode passes the
// responder's check of the key and its access flags.
func (m *Model) remoteAllows(s *State, mr int, op Opcode) bool {
	d := m.mrs[mr].decl
	if !s.MRs[mr].Key && op != SEND_WITH_INV {
		return false
	}
	switch {
	case op.isWrite():
		return d.RemoteWrite
	case op == RDMA_READ:
		return d.RemoteRead
	case op.isAtomic():
		return d.RemoteAtomic
	}
	return true
}

// unitRange returns the units of a location of n units that packet k of a
// message of npkt packets carries.
func unitRange(k, npkt, n int) (lo, hi int) {
	lo = k * n / npkt
	return lo, max((k+1)*n/npkt, lo+1)
}

// touchRemote finds an adapter's access to memory of its own node, asked for
// by a peer whose key is alive, that the node has given up.
func (m *Model) touchRemote(s *State, mr int) {
	switch v := &s.MRs[mr]; {
	case v.Freed:
		m.sanitize(s, BadFreed, mr)
	case v.Reused:
		m.sanitize(s, BadForeign, mr)
	}
}

// touchLocal finds an access to a WR's own buffers that are dead, freed, or
// somebody else's by now, and reports whether the access faults.
func (m *Model) touchLocal(s *State, wr uint8) (faults bool) {
	for k, mr := range m.wrs[wr].sge {
		switch v := &s.MRs[mr]; {
		case !v.Key:
			m.sanitize(s, BadDeadKey, mr)
			faults = true
		case v.Freed:
			m.sanitize(s, BadFreed, mr)
		case k == 0 && m.track.gen && v.Gen != s.WRs[wr].Gen:
			m.sanitize(s, BadForeign, mr)
		}
	}
	return faults
}

// localFaults reports whether an access to a WR's own buffers would fault.
func (m *Model) localFaults(s *State, wr uint8) bool {
	for _, mr := range m.wrs[wr].sge {
		if !s.MRs[mr].Key {
			return true
		}
	}
	return false
}

// gather returns what a request packet of a WR carries: the contents that its
// source has now, or had at the post for INLINE data (F1.32).
func (m *Model) gather(s *State, wr uint8, k int) Content {
	w := &m.wrs[wr]
	c := Content{By: wr + 1}
	switch {
	case w.inline:
		c.Val = s.WRs[wr].Val
	case len(w.sge) > 0:
		mr := w.sge[0]
		lo, _ := unitRange(k, int(w.npkt), m.mrs[mr].units)
		c.Val = s.MRs[mr].Value[lo].Val
	}
	return c
}

// storePacket executes one packet of a SEND or WRITE. It returns false when
// the receive's own buffer cannot be accessed.
func (m *Model) storePacket(s *State, q, i int, psn uint8) bool {
	peer := m.qps[q].peer
	wr := s.QPs[peer].Req.SQ[i]
	w := &m.wrs[wr]
	k := int(psn - m.firstPSN(s, peer, i))
	if w.op.isWrite() {
		if w.remote >= 0 {
			m.touchRemote(s, w.remote)
			m.storeUnits(s, w.remote, wr, k)
		}
		return true
	}
	r := &s.QPs[q].Rsp.RQ
	recv := r.WR[r.Exec]
	if m.touchLocal(s, recv) {
		return false
	}
	if m.track.data {
		c := Content{s.WRs[wr].Carry[0], wr + 1}
		s.WRs[recv].Content = c
		for _, mr := range m.wrs[recv].sge {
			m.setAll(s, mr, c)
		}
	}
	return true
}

// carry remembers what an accepted packet brings until it is executed.
func (m *Model) carry(s *State, q, i int, p Pkt) {
	if !m.track.data {
		return
	}
	peer := m.qps[q].peer
	wr := s.QPs[peer].Req.SQ[i]
	units := 1
	if mr := m.wrs[wr].remote; mr >= 0 && m.wrs[wr].op.isWrite() {
		units = m.mrs[mr].units
	}
	lo, hi := unitRange(int(p.PSN-m.firstPSN(s, peer, i)), int(m.wrs[wr].npkt), units)
	for u := lo; u < hi; u++ {
		s.WRs[wr].Carry[u] = p.Val
	}
}

// storeUnits writes the units of an MR that packet k of a WRITE carries.
func (m *Model) storeUnits(s *State, mr int, wr uint8, k int) {
	if !m.track.data {
		return
	}
	lo, hi := unitRange(k, int(m.wrs[wr].npkt), m.mrs[mr].units)
	for u := lo; u < hi; u++ {
		c := Content{s.WRs[wr].Carry[u], wr + 1}
		s.MRs[mr].Value[u] = c
		if !m.lazy(mr) {
			s.MRs[mr].Seen[u] = c
		}
	}
}

// lazy reports whether what is executed in an MR becomes visible to the CPU
// only later (F3.10 to F3.13).
func (m *Model) lazy(mr int) bool {
	return m.track.place && (m.dials.placementFree || m.mrs[mr].decl.Relaxed)
}

func (m *Model) setAll(s *State, mr int, c Content) {
	for u := range m.mrs[mr].units {
		s.MRs[mr].Value[u], s.MRs[mr].Seen[u] = c, c
	}
}

// readValue returns what a READ is answered with if it looks at memory now,
// which it does under read.fetch at_accept.
func (m *Model) readValue(s *State, q, i int, psn uint8) Content {
	if m.dials.readAnyTime {
		return Content{}
	}
	return m.fetch(s, q, i, psn)
}

// fetch reads the memory that a READ response packet carries. A READ sees all
// earlier WRITEs of its own QP (F3.5); those of other QPs as the CPU does.
func (m *Model) fetch(s *State, q, i int, psn uint8) Content {
	peer := m.qps[q].peer
	w := &m.wrs[s.QPs[peer].Req.SQ[i]]
	if w.remote < 0 {
		return Content{}
	}
	m.touchRemote(s, w.remote)
	lo, _ := unitRange(int(psn-m.firstPSN(s, peer, i)), int(w.npkt), m.mrs[w.remote].units)
	v := s.MRs[w.remote].Value[lo]
	if by := v.By; by > 0 && m.lazy(w.remote) && !m.wrs[by-1].recv && m.wrs[by-1].qp != peer && s.WRs[by-1].Placed>>lo&1 == 0 {
		return s.MRs[w.remote].Seen[lo]
	}
	return v
}

// atomic executes an ATOMIC and returns the old contents.
func (m *Model) atomic(s *State, wr uint8) Content {
	w := &m.wrs[wr]
	if w.remote < 0 {
		return Content{}
	}
	m.touchRemote(s, w.remote)
	if !m.track.data {
		return Content{}
	}
	old := s.MRs[w.remote].Value[0]
	d := m.sites[w.site].wr
	var val uint8
	switch {
	case w.op == ATOMIC_FETCH_AND_ADD:
		val = uint8(int(old.Val)+d.Operand) & 15
	case int(old.Val) == d.Compare:
		val = uint8(d.Operand) & 15
	default:
		s.WRs[wr].Placed = 1<<m.mrs[w.remote].units - 1 // nothing to place
		return old
	}
	s.WRs[wr].Carry[0] = val
	m.storeUnits(s, w.remote, wr, 0)
	return old
}

// scatter places a packet of a READ or ATOMIC response in the requester's
// buffer. It returns false when that cannot be accessed.
func (m *Model) scatter(s *State, wr uint8, k int, c Content) bool {
	if m.touchLocal(s, wr) {
		return false
	}
	if !m.track.data {
		return true
	}
	s.WRs[wr].Content = c
	for _, mr := range m.wrs[wr].sge {
		lo, hi := unitRange(k, int(m.wrs[wr].npkt), m.mrs[mr].units)
		for u := lo; u < hi; u++ {
			s.MRs[mr].Value[u], s.MRs[mr].Seen[u] = c, c
		}
	}
	return true
}

// placeChoices: what a WRITE or ATOMIC has executed becomes visible to the
// CPU, unit by unit, at any time: B is the unit, A and C the WR.
func placeChoices(m *Model, s *State, out *choices) {
	if !m.track.place {
		return
	}
	for wr := range s.WRs {
		w := &m.wrs[wr]
		if w.remote < 0 || s.WRs[wr].Phase == Unposted || !m.lazy(w.remote) || !(w.op.isWrite() || w.op.isAtomic()) {
			continue
		}
		for u := range m.mrs[w.remote].units {
			if m.mayPlace(s, wr, u) {
				out.add(wr, u, 0)
			}
		}
	}
}

// mayPlace reports whether unit u of a WRITE is executed, not placed, and not
// behind an earlier one to the same place or, for an ATOMIC, any earlier WRITE
// of its QP (F3.10c).
func (m *Model) mayPlace(s *State, wr, u int) bool {
	if s.WRs[wr].Placed>>u&1 == 1 || !m.unitExecuted(s, wr, u) {
		return false
	}
	w := &m.wrs[wr]
	r := &s.QPs[w.qp].Req
	for i := range int(r.N) {
		o := int(r.SQ[i])
		if o == wr {
			break
		}
		x := &m.wrs[o]
		if x.remote < 0 || !(x.op.isWrite() || x.op.isAtomic()) {
			continue
		}
		if w.op.isAtomic() && !m.allPlaced(s, o) || x.remote == w.remote && s.WRs[o].Placed>>u&1 == 0 {
			return false
		}
	}
	return true
}

// unitExecuted reports whether the packet that carries unit u is executed.
func (m *Model) unitExecuted(s *State, wr, u int) bool {
	w := &m.wrs[wr]
	peer := m.qps[w.qp].peer
	first, ok := m.firstOf(s, wr)
	if peer < 0 || !ok {
		return false
	}
	for k := range int(w.npkt) {
		if lo, hi := unitRange(k, int(w.npkt), m.mrs[w.remote].units); u >= lo && u < hi && s.QPs[peer].Rsp.XPSN <= first+uint8(k) {
			return false
		}
	}
	return true
}

// firstOf returns the first PSN of a posted send WR.
func (m *Model) firstOf(s *State, wr int) (uint8, bool) {
	r := &s.QPs[m.wrs[wr].qp].Req
	psn := uint8(0)
	for i := range int(r.N) {
		if int(r.SQ[i]) == wr {
			return psn, true
		}
		psn += m.wrs[r.SQ[i]].npkt
	}
	return 0, false
}

func (m *Model) allPlaced(s *State, wr int) bool {
	all := uint8(1)<<m.mrs[m.wrs[wr].remote].units - 1
	return s.WRs[wr].Placed&all == all
}

func placeApply(m *Model, s *State, c Choice) { m.placeUnit(s, int(c.A), int(c.B)) }

// placeUnit makes one unit of a WRITE or ATOMIC visible to the CPU.
func (m *Model) placeUnit(s *State, wr, u int) {
	s.WRs[wr].Placed |= 1 << u
	if m.track.data {
		s.MRs[m.wrs[wr].remote].Seen[u] = Content{s.WRs[wr].Carry[u], uint8(wr) + 1}
	}
}

// placeBefore makes everything visible that the recv CQE of the n-th message
// vouches for: what its own message and all earlier ones wrote (F3.10, F3.11).
func (m *Model) placeBefore(s *State, q int, n uint8) {
	r := &s.QPs[m.qps[q].peer].Req
	seen := s.QPs[q].Rsp.RQ.Base
	for i := int(s.QPs[q].Rsp.From); i < int(r.N); i++ {
		if !m.wrs[r.SQ[i]].op.consumesRecv() {
			continue
		}
		if seen == n {
			m.placeUpTo(s, q, i+1)
			return
		}
		seen++
	}
}

// placeUpTo makes everything visible that the first n WQEs of q's peer have
// written.
func (m *Model) placeUpTo(s *State, q, n int) {
	if !m.track.place {
		return
	}
	r := &s.QPs[m.qps[q].peer].Req
	for i := int(s.QPs[q].Rsp.From); i < n; i++ {
		wr := int(r.SQ[i])
		w := &m.wrs[wr]
		if w.remote < 0 || !(w.op.isWrite() || w.op.isAtomic()) || !m.lazy(w.remote) {
			continue
		}
		for u := range m.mrs[w.remote].units {
			if s.WRs[wr].Placed>>u&1 == 0 && m.unitExecuted(s, wr, u) {
				m.placeUnit(s, wr, u)
			}
		}
	}
}
