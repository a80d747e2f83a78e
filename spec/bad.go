package spec

// A Bad is why a run ended: a sanitizer that fired, an error of the program,
// or a bound of the model that was reached.
type Bad uint8

// The reasons; 0 is none. Their numbers are also the first goals of the search.
const (
	BadNone Bad = iota
	BoundWire
	BoundResp
	BoundInst
	BoundCQ
	BoundChan
	BadFreed
	BadForeign
	BadDeadKey
	BadSQ
	BadRQ
	BadSRQ
	BadCQ
	BadState
	BadRetry
	BadRNR
	BadLostWakeup
	BadSQLeak
	BadOpenWR
	BadRange
	BadAssert
	numBad
)

// badNames are the reasons in words; those of the sanitizers are the names
// that allow takes.
var badNames = [numBad]string{
	BadNone: "", BoundWire: "packets in flight", BoundResp: "responses owed", BoundInst: "instances of a WR",
	BoundCQ: "CQEs in a CQ", BoundChan: "messages in a channel",
	BadFreed: "hca_access(freed)", BadForeign: "hca_access(foreign)", BadDeadKey: "hca_access(dead_key)",
	BadSQ: "overflow(sq)", BadRQ: "overflow(rq)", BadSRQ: "overflow(srq)", BadCQ: "overflow(cq)", BadState: "bad_state",
	BadRetry: "retry_exhausted", BadRNR: "rnr_exhausted", BadLostWakeup: "lost_wakeup", BadSQLeak: "sq_leak", BadOpenWR: "open_wr",
	BadRange: "out_of_range", BadAssert: "bug_on"}

func (b Bad) String() string { return badNames[b] }

// IsBound reports whether b is a bound of the model rather than a finding.
func (b Bad) IsBound() bool { return b >= BoundWire && b <= BoundChan }

// BadFor returns the sanitizer of that name, or BadNone.
func BadFor(name string) Bad {
	for b := BadFreed; b < numBad; b++ {
		if badNames[b] == name {
			return b
		}
	}
	return BadNone
}

// sanitize ends the run with a finding, unless the scenario allows it, and
// reports whether it did. The first finding of a step counts.
func (m *Model) sanitize(s *State, b Bad, arg int) bool {
	if m.allowed[b] {
		return false
	}
	if s.Env.Bad == BadNone {
		s.Env.Bad, s.Env.BadArg = b, uint8(arg)
	}
	return true
}

// bound ends the run because a part of the state is too small; the search is
// then repeated with a larger one.
func (m *Model) bound(s *State, b Bad, arg int) { s.Env.Bad, s.Env.BadArg = b, uint8(arg) }

// Grow returns larger bounds after a run that reached bound b, and whether
// there are any.
func (m *Model) Grow(b Bad, arg int) (Bounds, bool) {
	n := Bounds{Wire: m.bounds.Wire, Resp: m.bounds.Resp, Inst: append([]int(nil), m.bounds.Inst...)}
	switch b {
	case BoundWire:
		n.Wire = min(2*n.Wire, maxWire)
		return n, n.Wire > m.bounds.Wire
	case BoundResp:
		n.Resp = min(2*n.Resp, maxResp)
		return n, n.Resp > m.bounds.Resp
	case BoundInst:
		n.Inst[arg] = min(n.Inst[arg]+1, maxInstances)
		return n, n.Inst[arg] > m.bounds.Inst[arg]
	}
	return n, false
}

// maxInstances is the most instances of one WR site, in a loop.
const maxInstances = 12
