package spec

// A Choice is one way to take a rule: which QP, wire, thread or packet.
type Choice struct{ A, B, C, D uint8 }

// choices collects the ways to take one rule in one state.
type choices struct{ list []Choice }

func (c *choices) add(a, b, d int) { c.add4(a, b, d, 0) }

func (c *choices) add4(a, b, d, e int) {
	c.list = append(c.list, Choice{uint8(a), uint8(b), uint8(d), uint8(e)})
}

// A rule is one kind of step that the protocol or its environment may take.
type rule struct {
	name    string // as ladders, scripts and JSON show it
	clause  string // the fact or clause it follows, or "environment"
	fault   bool   // it spends a fault budget
	choices func(m *Model, s *State, out *choices)
	apply   func(m *Model, s *State, c Choice)
	lane    func(m *Model, c Choice) int // node*2 for its programs, +1 for its HCA
}

// The numbers of the rules, which are the kinds of the actions.
const (
	ruleThread = iota
	ruleTransmit
	ruleDeliver
	ruleOvertake
	ruleDrop
	ruleDup
	ruleExecute
	ruleEmit
	ruleProcess
	ruleRecvCQE
	ruleSendCQE
	ruleTimeout
	ruleEarlyTimeout
	ruleRNRTimer
	ruleKill
	ruleLocal
	rulePlace
	ruleAsync
	numRules
)

// ruleTable is every rule, by number. Steps of 9.2 are kept apart: merging any
// two would hide a legal interleaving.
var ruleTable []rule

func init() {
	ruleTable = []rule{
		ruleThread:       {"program", "environment", false, threadChoices, threadApply, threadLane},
		ruleTransmit:     {"transmit", "F1.9", false, transmitChoices, transmitApply, qpLane},
		ruleDeliver:      {"deliver", "F1.12, F1.13, F1.14, F1.18", false, deliverChoices, deliverApply, wireToLane},
		ruleOvertake:     {"overtake", "environment", true, overtakeChoices, overtakeApply, wireToLane},
		ruleDrop:         {"drop", "environment", true, dropChoices, dropApply, wireFromLane},
		ruleDup:          {"dup", "environment", true, dupChoices, dupApply, wireFromLane},
		ruleExecute:      {"execute", "F1.12", false, executeChoices, executeApply, qpLane},
		ruleEmit:         {"ack", "C9-95, F1.16", false, emitChoices, emitApply, qpLane},
		ruleProcess:      {"process", "F1.25, F1.28", false, processChoices, processApply, qpLane},
		ruleRecvCQE:      {"recv_cqe", "F2.6, F2.15", false, recvCQEChoices, recvCQEApply, qpLane},
		ruleSendCQE:      {"send_cqe", "F2.1, F2.5, F2.10, F2.11", false, sendCQEChoices, sendCQEApply, qpLane},
		ruleTimeout:      {"timeout", "9.7.6.1.3, F1.32, F1.33", false, timeoutChoices, timeoutApply, qpLane},
		ruleEarlyTimeout: {"early_timeout", "F1.31", true, earlyTimeoutChoices, earlyTimeoutApply, qpLane},
		ruleRNRTimer:     {"rnr_timer", "F1.34", false, rnrTimerChoices, rnrTimerApply, qpLane},
		ruleKill:         {"kill", "environment", true, killChoices, killApply, qpLane},
		ruleLocal:        {"local", "F1.5, F3.8, 10.6.5.1", false, localChoices, localApply, qpLane},
		rulePlace:        {"place", "F2.3, F3.10, F3.12, F3.13", false, placeChoices, placeApply, placeLane},
		ruleAsync:        {"async_event", "F2.21, F2.24", false, asyncChoices, asyncApply, qpLane},
	}
}

func qpLane(m *Model, c Choice) int       { return m.qps[c.A].node*2 + 1 }
func wireToLane(m *Model, c Choice) int   { return m.qps[m.wires[c.A].to].node*2 + 1 }
func wireFromLane(m *Model, c Choice) int { return m.qps[m.wires[c.A].from].node*2 + 1 }
func placeLane(m *Model, c Choice) int    { return m.mrs[m.wrs[c.A].remote].node*2 + 1 }
func threadLane(m *Model, c Choice) int   { return m.threads[c.A].node * 2 }

// RuleFacts returns the fact or clause that each rule follows, by number, or
// "environment".
func RuleFacts() []string {
	facts := make([]string, numRules)
	for i := range ruleTable {
		facts[i] = ruleTable[i].clause
	}
	return facts
}

// Rules returns the names of the rules by number, as reports show them.
func Rules() []string {
	names := make([]string, numRules)
	for i := range ruleTable {
		names[i] = ruleTable[i].name
	}
	return names
}
