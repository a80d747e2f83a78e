package explore

// Options say how to search. The zero value searches everything on all
// processors with half of the memory.
type Options struct {
	// Workers is the number of goroutines that expand and store states;
	// 0 means as many as there are processors. It never changes a Result.
	Workers int
	// MaxStates stops the search at the first opportunity after more than that
	// many states were stored; 0 means no limit.
	MaxStates uint64
	// MaxMem stops the search before its states, tables and buffers take more
	// than that many bytes; 0 means half of the memory of the machine.
	MaxMem uint64
	// Progress, unless nil, is called from the goroutine that called Run, many
	// times a second at speed; it is up to the callee to show only some.
	Progress func(Progress)
	// Until is a mask of goals. The search stops, with StopGoal, as soon as one
	// of them was hit and its run is known to be minimal.
	Until uint64
	// UntilAll is a mask of goals. The search stops, with StopGoal, as soon as it
	// has hit all of them, each by a minimal run; 0 means that it does not.
	UntilAll uint64
	// Trace, unless nil, says whether a trace of a goal that was hit is wanted.
	// Rebuilding traces costs up to one more expansion of each state.
	Trace func(goal int) bool
}

// DefaultMaxMem returns the limit in bytes that a MaxMem of 0 stands for: half of
// the memory of the machine, or of the container it runs in. Searches that run
// side by side have to share it.
func DefaultMaxMem() uint64 { return machineMemory() / 2 }

// A Phase is what a search is busy with.
type Phase string

// The phases of a search, in their order.
const (
	Exploring Phase = "exploring"
	Liveness  Phase = "liveness"
	Tracing   Phase = "tracing"
)

// Simulating is what a simulation is busy with before it searches.
const Simulating Phase = "simulating"

// Progress is how far a search has come.
type Progress struct {
	Phase       Phase
	Cost        int    // of the layer being explored
	Depth       int    // of the level being expanded
	States      uint64 // stored so far
	Transitions uint64 // taken so far
	Frontier    uint64 // states of the level being expanded, or walks to make
	Done        uint64 // of these, already expanded or made
	Bytes       uint64 // in use
	MaxMem      uint64 // the limit on Bytes
}
