// Package explore searches the reachable states of a [Model] and says, for
// each of the model's goals, whether it can be hit and by which shortest run.
//
// It knows nothing of RDMA: a state is a string of bytes of fixed width and an
// action is a number. Its one law: the [Result] is a function of the model
// alone, the same numbers and the same traces for any number of workers.
package explore

// An Action names one step out of a state. The top byte is its kind (the rule
// that made it); the rest is the model's business. An action is unique among
// the actions of one state and is enough to take the step again.
type Action uint64

// Kind returns the number of the rule the action belongs to.
func (a Action) Kind() uint8 { return uint8(a >> 56) }

// A Model is a finite transition system over packed states. It is a pure
// function of its configuration and safe for concurrent use: given the same
// state, Successors adds the same successors in the same order, with the same
// hits. It neither alters nor keeps state, nor keeps out.
type Model interface {
	// Width returns the size in bytes of every state, at least 1.
	Width() int
	// Initial adds the initial states, in a fixed order, by Fork from the
	// all-zero state.
	Initial(out *Successors)
	// Successors adds every state that one action leads to from state.
	Successors(state []byte, out *Successors)
}

// A Coster is a model some of whose actions cost something. A trace is better
// the less it costs, whatever its length. Costs are 0 or 1; a fault costs 1.
// All paths to one state must cost the same, so a budget belongs to the state.
type Coster interface {
	Cost(a Action) int
}

// A Laner is a model whose actions happen in places. Among the traces of least
// cost and length the search shows one with the fewest changes of lane.
type Laner interface {
	Lane(a Action) int
}

// A Goaler is a model with goals: things that may happen in a run and that the
// search is to find. Goals are numbered from 0 to Goals()-1, at most 64.
type Goaler interface {
	Goals() int
}

// A Liver is a model with liveness properties: things that must happen in the
// end. Pending returns, as a mask, the properties of which something is still
// due in a state. A run violates property i if it ends while i is pending, which
// the model reports as a goal of its own in its end states, or if from some
// point on it stays for ever among states in which i is pending. Only fair runs
// count (see [Fairer]).
type Liver interface {
	Pending(state []byte) uint64
}

// A Fairer is a model that says which actions cannot be put off for ever. Fair
// returns the class of an action, 0 for one that need never be taken. A run is
// fair if no class is enabled in all of its states from some point on without
// an action of the class being taken again and again (weak fairness). Without
// this interface every run that does not end is fair.
type Fairer interface {
	Fair(a Action) int
}
