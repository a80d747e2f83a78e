package explore

import (
	"fmt"
	"math/bits"
)

// Successors collects what one expansion finds. A model sees it as the out
// argument of its methods; code that steps a model without a search makes its
// own with [NewSuccessors] and reads it with At.
type Successors struct {
	// Scratch belongs to the model: a place to keep buffers from one call to
	// the next. Each worker of a search has its own Successors, so nothing in
	// it is shared. It must not influence what the model adds.
	Scratch any

	width  int
	goals  int
	parent []byte
	edges  []edge
	held   []Action
	states []byte // len(edges) states of width bytes
	hits   uint64 // goals hit by the state being expanded
	any    uint64 // goals hit by anything
	err    error
}

// An edge is what is known of one successor besides its state.
type edge struct {
	act  Action
	hits uint64
	end  bool
}

// NewSuccessors returns an empty collection for the states of m.
func NewSuccessors(m Model) *Successors {
	s := &Successors{goals: goals(m)}
	s.Reset(m.Width())
	return s
}

// Reset empties the collection and makes it ready for states of width bytes
// with the all-zero state as the parent. Scratch is kept.
func (s *Successors) Reset(width int) {
	s.width = width
	s.parent = make([]byte, width)
	s.begin(s.parent)
}

// Start collects the initial states of m. It returns an error if m misused
// the collection.
func (s *Successors) Start(m Model) error {
	s.Reset(m.Width())
	m.Initial(s)
	return s.err
}

// Expand collects the successors of state, which has m.Width() bytes. What an
// earlier call collected is gone. It returns an error if m misused the
// collection; a panic of the model is left to the caller.
func (s *Successors) Expand(m Model, state []byte) error {
	s.begin(state)
	m.Successors(state, s)
	return s.err
}

func (s *Successors) begin(state []byte) {
	s.parent = state
	s.edges = s.edges[:0]
	s.held = s.held[:0]
	s.states = s.states[:0]
	s.hits, s.any = 0, 0
}

// Fork adds a successor reached by action a and returns it, a copy of the
// parent for the model to alter in place. In Initial the parent is all zeros.
// The slice is good until the next call of Fork.
func (s *Successors) Fork(a Action) []byte {
	s.edges = append(s.edges, edge{act: a})
	n := len(s.states)
	s.states = append(s.states, s.parent...)
	return s.states[n:len(s.states):len(s.states)]
}

// Hit says that taking the action just forked hits a goal. The run that shows
// it is the way to the parent and that action.
func (s *Successors) Hit(goal int) {
	if len(s.edges) == 0 {
		s.fail(fmt.Errorf("explore: Hit(%d) before any Fork", goal))
		return
	}
	if s.check(goal) {
		s.edges[len(s.edges)-1].hits |= 1 << uint(goal)
		s.any |= 1 << uint(goal)
	}
}

// HitState says that the state being expanded hits a goal, as an end state
// may. The run that shows it is the way to that state. It has no effect in
// Initial.
func (s *Successors) HitState(goal int) {
	if s.check(goal) {
		s.hits |= 1 << uint(goal)
		s.any |= 1 << uint(goal)
	}
}

// End says that the run ends with the action just forked: the successor can
// be the last state of a trace, but it is not a state of the system and has no
// successors. A model ends a run in which nothing later counts, for example
// after undefined behaviour.
func (s *Successors) End() {
	if len(s.edges) == 0 {
		s.fail(fmt.Errorf("explore: End before any Fork"))
		return
	}
	s.edges[len(s.edges)-1].end = true
}

// Hold says that action a is only held up: it has no successor here, but for
// fairness it counts as one that could be taken, so a run that holds it up for
// ever is not fair.
func (s *Successors) Hold(a Action) { s.held = append(s.held, a) }

// Held returns the actions that are held up. It is good until the next
// expansion.
func (s *Successors) Held() []Action { return s.held }

// Len returns the number of successors.
func (s *Successors) Len() int { return len(s.edges) }

// At returns successor i: its action, its state, and a mask of the goals that
// taking the action hits. The state is good until the next Fork or expansion.
func (s *Successors) At(i int) (a Action, state []byte, hits uint64) {
	e := &s.edges[i]
	return e.act, s.state(i), e.hits
}

// Ended reports whether successor i was closed with End.
func (s *Successors) Ended(i int) bool { return s.edges[i].end }

// StateHits returns the mask of the goals that the expanded state itself hits.
func (s *Successors) StateHits() uint64 { return s.hits }

// Index returns which successor action a leads to, or -1 if the state has no
// such action.
func (s *Successors) Index(a Action) int {
	for i := range s.edges {
		if s.edges[i].act == a {
			return i
		}
	}
	return -1
}

func (s *Successors) state(i int) []byte {
	return s.states[i*s.width : (i+1)*s.width : (i+1)*s.width]
}

func (s *Successors) check(goal int) bool {
	if uint(goal) < uint(s.goals) {
		return true
	}
	s.fail(fmt.Errorf("explore: goal %d hit, but the model has %d goals", goal, s.goals))
	return false
}

// fail keeps the first misuse; the search reports it instead of going on.
func (s *Successors) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

func goals(m Model) int {
	if g, ok := m.(Goaler); ok {
		return g.Goals()
	}
	return 0
}

// firstGoal returns the least goal of a mask that is not empty.
func firstGoal(mask uint64) int { return bits.TrailingZeros64(mask) }
