package spec

import (
	"fmt"
	"strings"
)

// A BudgetInfo is a fault budget as reports show it.
type BudgetInfo struct {
	Name string
	Max  int
}

// Budgets returns the fault budgets in the order of the scenario.
func (m *Model) Budgets() []BudgetInfo {
	var out []BudgetInfo
	for i := range m.budgets {
		out = append(out, BudgetInfo{m.budgets[i].name, m.budgets[i].f.Max})
	}
	return out
}

// Allowed reports whether the scenario turns a sanitizer off.
func (m *Model) Allowed(b Bad) bool { return m.allowed[b] }

// CanFire reports whether the scenario has what rule k needs at all: a fault
// needs a budget.
func (m *Model) CanFire(k int) bool {
	need, ok := map[int][]faultKind{ruleOvertake: {faultReorder}, ruleDrop: {faultDrop, faultCorrupt}, ruleDup: {faultDup},
		ruleEarlyTimeout: {faultEarlyTimeout}, ruleKill: {faultKill}}[k]
	switch {
	case k == ruleLocal:
		return m.track.local
	case k == rulePlace:
		return m.track.place
	case k == ruleAsync:
		return m.track.events
	case !ok:
		return true
	}
	for i := range m.budgets {
		for _, f := range need {
			if m.budgets[i].kind == f && m.budgets[i].f.Max > 0 {
				return true
			}
		}
	}
	return false
}

// HowItEnds says in words how a run that ended in state s came to a stop: a
// thread that sleeps while a CQ holds what it waits for, threads that wait for
// what will not come, or nothing left to do.
func (m *Model) HowItEnds(s *State) string {
	if t := m.lostWakeup(s); t >= 0 {
		in := &m.threads[t].code[s.Threads[t].PC]
		for cq := range s.CQs {
			if m.cqs[cq].channel == in.comp && s.CQs[cq].N > 0 {
				return fmt.Sprintf("lost wake-up: %s sleeps in %s, %s holds %s, no event will come",
					m.threadName(t), m.statement(in), m.cqs[cq].name, m.names(s.CQs[cq].WR[:s.CQs[cq].N]))
			}
		}
	}
	var stuck []string
	for t := range s.Threads {
		if pc := s.Threads[t].PC; pc != 0 && !m.threads[t].poller {
			stuck = append(stuck, m.threadName(t)+" waits in "+m.statement(&m.threads[t].code[pc]))
		}
	}
	if len(stuck) > 0 {
		return "deadlock: " + strings.Join(stuck, "; ")
	}
	return "the run is over"
}

// Stuck lists the programs that in an end state have not come to their own end:
// threads by name, and of a CQ that nobody polls explicitly its poller, if it is
// within a handler.
func (m *Model) Stuck(s *State) []string {
	var out []string
	for t := range s.Threads {
		th := &m.threads[t]
		pc := s.Threads[t].PC
		switch {
		case pc == 0, th.poller && pc == th.start:
		case th.poller:
			out = append(out, "handlers of "+m.cqs[th.code[th.start].cq].name)
		default:
			out = append(out, m.threadName(t))
		}
	}
	return out
}

// statement writes an instruction as the language does.
func (m *Model) statement(in *instr) string {
	switch {
	case in.op == iPoll:
		return "poll_cq " + m.cqWord(in)
	case in.op == iStmt && in.st == OpDrainSQ:
		return "a drain of " + m.qps[in.qp].name
	case in.op == iStmt && in.st == OpGetAsync:
		return "get_async_event " + AsyncEvents()[in.event]
	}
	return m.verbWords(in)
}

// threadName names a thread with its node.
func (m *Model) threadName(t int) string {
	node := m.sc.Nodes[m.threads[t].node].Name
	if m.threads[t].name == "" {
		return node
	}
	return node + " " + m.threads[t].name
}

// WRName returns the name of a WR site, or of its instance (from 1) if that is
// not -1, as ladders show it.
func (m *Model) WRName(site, instance int) string {
	if instance > 1 {
		return fmt.Sprintf("%s[%d]", m.sites[site].wr.Name, instance)
	}
	return m.sites[site].wr.Name
}
