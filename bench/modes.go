package main

import (
	"fmt"

	"github.com/ibcheck/ibcheck/explore"
)

// The machine as it is has no goals, costs or fairness. Each mode adds what
// one part of the search works on.

// priced is the machine with drops that cost 1: a layer for each number.
type priced struct{ GBN }

// Cost is 1 for a drop.
func (m priced) Cost(a explore.Action) int {
	if k := a.Kind(); k == DropReq || k == DropAck {
		return 1
	}
	return 0
}

// traced asks for a run, deep in the last layer, in which every message and
// completion got through though every drop happened.
type traced struct{ priced }

// Goals is 1.
func (m traced) Goals() int { return 1 }

// Lane is the requester, the responder, or the wire.
func (m traced) Lane(a explore.Action) int {
	switch a.Kind() {
	case RecvReq, SendAck, SendNak, PollRecv, PostRecv:
		return 1
	case DropReq, DropAck:
		return 2
	}
	return 0
}

// Successors adds the goal to states in which the machine is done.
func (m traced) Successors(state []byte, out *explore.Successors) {
	if s := unpack(state); int(s.spoll) == m.N && int(s.rpoll) == m.N && int(s.drops) == m.D {
		out.HitState(0)
	}
	m.priced.Successors(state, out)
}

// lively asks whether every message gets through in the end, or the requester
// gives up.
type lively struct{ GBN }

// Pending is bit 0 while neither is so.
func (m lively) Pending(state []byte) uint64 {
	s := unpack(state)
	return bit(!s.err && int(s.spoll) < m.N)
}

// Fair makes a class of each rule; only drops need never happen.
func (m lively) Fair(a explore.Action) int {
	if k := a.Kind(); k == DropReq || k == DropAck {
		return 0
	}
	return 1 + int(a.Kind())
}

// modes are what -mode selects from.
var modes = []string{"plain", "priced", "traced", "lively", "textbook"}

func modelOf(m GBN, mode string) (explore.Model, error) {
	switch mode {
	case "plain", "textbook":
		return m, nil
	case "priced":
		return priced{m}, nil
	case "traced":
		return traced{priced{m}}, nil
	case "lively":
		return lively{m}, nil
	}
	return nil, fmt.Errorf("no mode %q: want one of %v", mode, modes)
}
