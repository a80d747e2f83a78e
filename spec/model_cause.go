package spec

import (
	"fmt"
	"slices"

	"github.com/ibcheck/ibcheck/explore"
)

// cause returns the event that made action a possible: the latest action
// before which the same step could not be taken. -1: it was always possible.
func (x *explainer) cause(a explore.Action) int {
	last := len(x.states) - 2 // the state in which a is taken
	want := x.signature(last, a)
	for j := last - 1; j >= 0; j-- {
		if !x.possible(j, int(a.Kind()), want) {
			return x.lastEvent(j)
		}
	}
	return -1
}

// lastEvent returns the last event of action j, or its first if the others are
// only remarks.
func (x *explainer) lastEvent(j int) int { return x.first[j] }

// possible reports whether a step with that signature can be taken in state j.
func (x *explainer) possible(j, rule int, want string) bool {
	var list choices
	ruleTable[rule].choices(x.m, x.states[j], &list)
	return slices.ContainsFunc(list.list, func(c Choice) bool { return x.signature(j, actionOf(rule, c)) == want })
}

// signature names the step that action a is in state j, so that it can be
// recognised in other states: by packet, WR, PSN or place in the program.
func (x *explainer) signature(j int, a explore.Action) string {
	s, c, r := x.states[j], choiceOf(a), int(a.Kind())
	q := int(c.A)
	switch r {
	case ruleThread:
		pc := s.Threads[q].PC
		in := &x.m.threads[q].code[pc]
		polled := -1
		if in.op == iPoll && s.CQs[in.cq].N > 0 {
			polled = int(s.CQs[in.cq].WR[0])
		}
		return fmt.Sprint(r, q, pc, c.B, polled)
	case ruleTransmit:
		n := &s.QPs[q].Req
		return fmt.Sprint(r, q, n.NextPSN, n.NextPSN < n.MaxPSN, n.RetriesLeft, n.RNRLeft)
	case ruleDeliver, ruleOvertake, ruleDrop, ruleDup:
		return fmt.Sprint(x.ids[j][q][c.B])
	case ruleProcess:
		return fmt.Sprint(x.ids[j][x.m.qps[q].in][0])
	case ruleExecute:
		return fmt.Sprint(r, q, s.QPs[q].Rsp.XPSN)
	case ruleEmit:
		return fmt.Sprint(r, q, s.QPs[q].Rsp.Resp[c.B].Kind, s.QPs[q].Rsp.Resp[c.B].PSN)
	case ruleRecvCQE:
		return fmt.Sprint(r, q, s.QPs[q].Rsp.RQ.CQE)
	case ruleSendCQE:
		i, _ := x.m.nextSendCQE(s, q)
		return fmt.Sprint(r, q, i)
	case ruleTimeout, ruleEarlyTimeout:
		return fmt.Sprint(r, q, s.QPs[q].Req.UnackedPSN, s.QPs[q].Req.RetriesLeft)
	}
	return fmt.Sprint(r, q)
}
