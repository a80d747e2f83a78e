package spec

import (
	"github.com/ibcheck/ibcheck/explore"
)

// This file joins the rules to the search: it is the only one that knows both.

// An Observer watches the steps of a run and says when a goal is hit. It
// remembers what it needs in a few bits of the state (monitor bits).
type Observer interface {
	Bits() uint // at most 64
	Goals() int // goals of its own, numbered from 0
	// Step is called for the initial state (prev nil) and for every step. It
	// returns the new bits and the set of goals that this step hits.
	Step(m *Model, prev, next *State, bits uint64) (newBits, hits uint64)
	// End returns the goals that an end state hits.
	End(m *Model, s *State) uint64
	// Due returns the goals whose liveness is unsatisfied with these bits.
	Due(bits uint64) uint64
}

// The goals of a search: the reasons a run can end, then the observer's.
const firstObserverGoal = int(numBad)

// MaxObserverGoals is how many goals an observer may have.
const MaxObserverGoals = 64 - firstObserverGoal

// Observe makes the model report the observer's goals. It must be called
// before the search.
func (m *Model) Observe(o Observer) {
	m.observer = o
	m.monitorBits = o.Bits()
	m.sections = nil
	m.makeSections()
}

// BadGoal returns the number of the goal that is hit when a run ends for b.
func BadGoal(b Bad) int { return int(b) }

// ObserverGoal returns the number of the observer's i-th goal.
func ObserverGoal(i int) int { return firstObserverGoal + i }

// Width implements explore.Model.
func (m *Model) Width() int { return m.width }

// Goals implements explore.Goaler.
func (m *Model) Goals() int {
	if m.observer == nil {
		return firstObserverGoal
	}
	return firstObserverGoal + m.observer.Goals()
}

// Cost implements explore.Coster: a fault costs 1.
func (m *Model) Cost(a explore.Action) int { return truth(ruleTable[a.Kind()].fault) }

// Lane implements explore.Laner: two lanes a node, its programs and its HCA.
func (m *Model) Lane(a explore.Action) int { return ruleTable[a.Kind()].lane(m, choiceOf(a)) }

func actionOf(rule int, c Choice) explore.Action {
	return explore.Action(uint64(rule)<<56 | uint64(c.A)<<24 | uint64(c.B)<<16 | uint64(c.C)<<8 | uint64(c.D))
}

func choiceOf(a explore.Action) Choice {
	return Choice{uint8(a >> 24), uint8(a >> 16), uint8(a >> 8), uint8(a)}
}

// A worker holds the unpacked states of one worker of the search.
type worker struct {
	s, t *State
	list choices
	code coder
}

func (m *Model) worker(out *explore.Successors) *worker {
	if w, ok := out.Scratch.(*worker); ok {
		return w
	}
	w := &worker{s: m.newState(), t: m.newState()}
	out.Scratch = w
	return w
}

// Initial implements explore.Model: every QP in its first state, the setup
// receives posted, nothing in flight.
func (m *Model) Initial(out *explore.Successors) {
	w := m.worker(out)
	s := w.s
	s.clear()
	for q := range s.QPs {
		s.QPs[q].State = m.qps[q].state
		s.QPs[q].Req.RetriesLeft = m.qps[q].retryCnt
		s.QPs[q].Req.RNRLeft = m.qps[q].rnrRetry
	}
	for i, v := range m.vars {
		s.Env.Vars[i] = uint8(v.init - v.lo)
	}
	for i, b := range m.budgets {
		s.Env.Budgets[i] = uint8(b.f.Max)
	}
	for t := range s.Threads {
		s.Threads[t].PC = m.threads[t].start
	}
	for i := range s.MRs {
		d := m.mrs[i].decl
		s.MRs[i].Key = !d.Unregistered
		if m.track.data {
			m.setAll(s, i, Content{Val: uint8(d.Init) & 15})
		}
	}
	for i := range s.SRQs {
		s.SRQs[i].Limit = uint8(m.srqs[i].limit)
	}
	for _, p := range m.setup {
		m.post(s, p.site)
	}
	buf := out.Fork(0)
	m.observe(nil, s, out)
	m.pack(s, buf)
}

// observe lets the observer see a step and reports the goals it hits.
func (m *Model) observe(prev, next *State, out *explore.Successors) {
	if b := next.Env.Bad; b != BadNone && (prev == nil || prev.Env.Bad == BadNone) {
		out.Hit(BadGoal(b))
		out.End() // a finding ends the run
		if b.IsBound() {
			return
		}
	}
	if m.observer == nil {
		return
	}
	bits, hits := m.observer.Step(m, prev, next, next.Env.Monitor)
	next.Env.Monitor = bits
	for i := 0; hits != 0; i, hits = i+1, hits>>1 {
		if hits&1 == 1 {
			out.Hit(ObserverGoal(i))
		}
	}
}

// Successors implements explore.Model.
func (m *Model) Successors(state []byte, out *explore.Successors) {
	if !m.expand(state, out, true) {
		m.atEnd(m.worker(out).s, out)
	}
}

// expand adds the successors of a state, with or without faults, and reports
// whether anything but a fault can happen in it.
func (m *Model) expand(state []byte, out *explore.Successors, faults bool) (moved bool) {
	w := m.worker(out)
	m.unpack(state, w.s, &w.code)
	if w.s.Env.Bad != BadNone {
		return false
	}
	if r, c, ok := m.eagerStep(w.s); ok {
		m.take(w, r, c, out)
		return true
	}
	for r := range ruleTable {
		if ruleTable[r].fault && !faults {
			continue
		}
		w.list.list = w.list.list[:0]
		ruleTable[r].choices(m, w.s, &w.list)
		moved = moved || len(w.list.list) > 0 && !ruleTable[r].fault
		for _, c := range w.list.list {
			m.take(w, r, c, out)
		}
	}
	if m.dials.sharedCPU {
		m.holdThreads(w.s, out)
	}
	return moved
}

// holdThreads reports the program steps that only wait for a busy CPU: the
// scheduler is fair to them in the end.
func (m *Model) holdThreads(s *State, out *explore.Successors) {
	for t := range s.Threads {
		th := &m.threads[t]
		if pc := s.Threads[t].PC; pc != 0 && m.cpuTaken(s, th.node) && m.enabled(s, t, &th.code[pc]) {
			out.Hold(actionOf(ruleThread, Choice{A: uint8(t)}))
		}
	}
}

// take adds the successor that a choice of a rule leads to.
func (m *Model) take(w *worker, r int, c Choice, out *explore.Successors) {
	w.t.copyFrom(w.s)
	ruleTable[r].apply(m, w.t, c)
	buf := out.Fork(actionOf(r, c))
	m.observe(w.s, w.t, out)
	m.repack(w.s, w.t, buf, &w.code)
}

// atEnd reports what an end state hits: nothing but a fault can happen there.
func (m *Model) atEnd(s *State, out *explore.Successors) {
	if !m.allowed[BadOpenWR] && m.openWR(s) >= 0 {
		out.HitState(BadGoal(BadOpenWR))
	}
	if !m.allowed[BadLostWakeup] && m.lostWakeup(s) >= 0 {
		out.HitState(BadGoal(BadLostWakeup))
	}
	if m.observer == nil {
		return
	}
	hits := m.observer.End(m, s)
	for i := 0; hits != 0; i, hits = i+1, hits>>1 {
		if hits&1 == 1 {
			out.HitState(ObserverGoal(i))
		}
	}
}

// openWR returns a signaled or failed send without its CQE on a live QP, or -1.
func (m *Model) openWR(s *State) int {
	for wr := range s.WRs {
		w := &m.wrs[wr]
		if !w.recv && s.WRs[wr].Phase == Posted && (w.sig || s.WRs[wr].Failed) && s.QPs[w.qp].State != DESTROYED {
			return wr
		}
	}
	return -1
}

// Tail returns the model of how a run can go on from a state when no further
// fault happens; its last goal, TailGoal, is an end state.
func (m *Model) Tail(state []byte) explore.Model { return &tail{m, state} }

// TailGoal returns the goal of a Tail that an end state hits.
func (m *Model) TailGoal() int { return m.Goals() }

type tail struct {
	*Model
	from []byte
}

func (t *tail) Goals() int                      { return t.Model.Goals() + 1 }
func (t *tail) Initial(out *explore.Successors) { copy(out.Fork(0), t.from) }

func (t *tail) Successors(state []byte, out *explore.Successors) {
	if !t.expand(state, out, false) {
		out.HitState(t.TailGoal())
	}
}

// lostWakeup returns a thread that sleeps on a completion channel while a CQ of
// it holds a CQE, or -1. In an end state no event will come.
func (m *Model) lostWakeup(s *State) int {
	for t := range s.Threads {
		in := &m.threads[t].code[s.Threads[t].PC]
		if in.op != iStmt || in.st != OpGetEvent {
			continue
		}
		for cq := range s.CQs {
			if m.cqs[cq].channel == in.comp && s.CQs[cq].N > 0 {
				return t
			}
		}
	}
	return -1
}

// Pending returns the observer's goals of which something is still due in a
// packed state.
func (m *Model) Pending(state []byte) uint64 {
	if m.observer == nil {
		return 0
	}
	var s State
	last := &m.sections[len(m.sections)-1]
	c := coder{buf: state[last.offset:], mode: unpacking}
	last.code(&c, &s)
	return m.observer.Due(s.Env.Monitor)
}

// Fair returns the fairness class of an action, 0 for those that need never
// happen: faults. The HCA, the wire, the timers and the scheduler are fair: what
// one of them could do all the time it does in the end. A thread's choice
// between alternatives is free.
func (m *Model) Fair(a explore.Action) int {
	if ruleTable[a.Kind()].fault {
		return 0
	}
	return 1 + int(a.Kind())<<8 + int(choiceOf(a).A)
}
