package spec

// The order between work requests of one send queue (PROTOCOL 3.1).

// A pairRule says when a later WR may start while an earlier one is open.
type pairRule uint8

const (
	pairAlways pairRule = iota // '#': the earlier one has been started, or for a local operation executed
	pairFence                  // 'F': ordered only if the later one has FENCE; then the earlier one is complete
	pairInv                    // 'L': ordered only with the local-invalidate fence
	pairNone                   // 'NR': no order
)

// A pairClass is a row and column of the pair table.
type pairClass uint8

const (
	pcSend pairClass = iota
	pcWrite
	pcRead
	pcAtomic
	pcBind
	pcReg
	pcInv
	numPairClasses
)

// pairTable is the table of 10.8.3.3: rows the earlier WR, columns the later
// one. The 4x4 block of SEND, WRITE, READ, ATOMIC is confirmed (F3.1); where the
// rest is uncertain (F3.3) the weaker reading stands.
var pairTable = [numPairClasses][numPairClasses]pairRule{
	pcSend:   {pairAlways, pairAlways, pairAlways, pairAlways, pairAlways, pairNone, pairInv},
	pcWrite:  {pairAlways, pairAlways, pairAlways, pairAlways, pairAlways, pairNone, pairInv},
	pcRead:   {pairFence, pairFence, pairAlways, pairFence, pairFence, pairNone, pairInv},
	pcAtomic: {pairFence, pairFence, pairAlways, pairFence, pairFence, pairNone, pairInv},
	pcBind:   {pairAlways, pairAlways, pairAlways, pairAlways, pairAlways, pairNone, pairInv},
	pcReg:    {pairAlways, pairAlways, pairAlways, pairAlways, pairAlways, pairAlways, pairInv},
	pcInv:    {pairAlways, pairAlways, pairAlways, pairAlways, pairAlways, pairAlways, pairAlways},
}

func pairClassOf(op Opcode) pairClass {
	switch op {
	case RDMA_WRITE, RDMA_WRITE_WITH_IMM:
		return pcWrite
	case RDMA_READ:
		return pcRead
	case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD:
		return pcAtomic
	case BIND_MW:
		return pcBind
	case REG_MR:
		return pcReg
	case LOCAL_INV:
		return pcInv
	}
	return pcSend
}

// mayStart reports whether the i-th WQE of q's send queue may start, as far as
// the WQEs before it are concerned, and a READ or ATOMIC as far as
// max_rd_atomic is (F1.10).
func (m *Model) mayStart(s *State, q, i int) bool {
	r := &s.QPs[q].Req
	w := &m.wrs[r.SQ[i]]
	reads := 0
	for j := int(r.Base); j < i; j++ {
		e := &m.wrs[r.SQ[j]]
		if e.op.isRead() && !m.acked(s, q, j) {
			reads++
		}
		if !m.pairAllows(s, q, j, i) {
			return false
		}
	}
	return !w.op.isRead() || reads < max(m.qps[q].maxRd, 1)
}

// pairAllows applies the pair table to WQEs j before i. One flag stands for
// both fences (F3.8).
func (m *Model) pairAllows(s *State, q, j, i int) bool {
	r := &s.QPs[q].Req
	e, w := &m.wrs[r.SQ[j]], &m.wrs[r.SQ[i]]
	switch pairTable[pairClassOf(e.op)][pairClassOf(w.op)] {
	case pairAlways:
		if e.npkt == 0 {
			return r.LocalDone>>j&1 == 1
		}
		return r.MaxPSN > m.lastPSN(s, q, j)
	case pairFence:
		return !w.fence || m.acked(s, q, j) || m.dials.liftFirst && m.someReadDone(s, q, i)
	case pairInv:
		return !w.fence && !m.dials.invStrict || m.acked(s, q, j)
	}
	return true
}

// someReadDone reports whether some READ or ATOMIC before the i-th WQE is
// complete, which lifts a fence on the device of fence.lift first_read.
func (m *Model) someReadDone(s *State, q, i int) bool {
	r := &s.QPs[q].Req
	for j := int(r.Base); j < i; j++ {
		if m.wrs[r.SQ[j]].op.isRead() && m.acked(s, q, j) {
			return true
		}
	}
	return false
}

// localChoices: a local operation (LOCAL_INV, REG_MR, BIND_MW) sends no packet
// (F1.5) and may be executed as soon as the pair table lets it.
func localChoices(m *Model, s *State, out *choices) {
	if !m.track.local {
		return
	}
	for q := range s.QPs {
		r := &s.QPs[q].Req
		if s.QPs[q].State != RTS {
			continue
		}
		for i := int(r.Done); i < int(r.N); i++ {
			if m.wrs[r.SQ[i]].npkt == 0 && r.LocalDone>>i&1 == 0 && m.mayStart(s, q, i) {
				out.add(q, i, 0)
			}
		}
	}
}

func localApply(m *Model, s *State, c Choice) {
	r := &s.QPs[c.A].Req
	r.LocalDone |= 1 << c.B
	w := &m.wrs[r.SQ[c.B]]
	if w.local < 0 {
		return
	}
	v := &s.MRs[w.local]
	v.Key = w.op != LOCAL_INV
	v.Reused = false
}
