package explore

// A Result is what a search found. It is a function of the model and the
// limits; only a stop by time or interrupt depends on the machine.
type Result struct {
	States      uint64      // distinct states stored, initial ones included
	Transitions uint64      // successors of expanded states, duplicates included
	Depth       int         // greatest distance of a state, in actions
	Costs       []uint64    // Costs[c] counts the states whose cheapest way costs c
	Kinds       [256]uint64 // transitions by kind of action
	Goals       []GoalResult

	// Live has for each liveness property, by its bit, a fair cycle that violates
	// it, if there is one. That there is none is known only if the search is
	// complete.
	Live [64]LiveResult

	// Complete says that every reachable state was expanded, and the liveness
	// properties were judged.
	Complete bool
	// CompleteCost is the greatest cost such that every run of at most that
	// cost was explored, -1 if there is none. If the search is complete it is
	// the greatest cost of any run.
	CompleteCost int
	// Stop says what ended an incomplete search.
	Stop Stop

	// Bytes is the most memory that states, tables and buffers took.
	Bytes uint64
	// StateBytes is what the states and their tables took at the end.
	StateBytes uint64
}

// A Stop is a reason to end a search early.
type Stop string

// The reasons.
const (
	StopNone      Stop = ""
	StopStates    Stop = "states"
	StopMemory    Stop = "memory"
	StopTime      Stop = "time"      // the deadline of the context
	StopInterrupt Stop = "interrupt" // the context was cancelled
	StopGoal      Stop = "goal"      // one of Options.Until was hit
)

// A GoalResult says whether a goal was hit and how.
type GoalResult struct {
	Found bool
	Cost  int // of the cheapest run that hits it
	Depth int // actions in the shortest of these runs
	// Minimal says that no run hits the goal at less cost or, at that cost, in
	// fewer actions. It can be false only if the search was stopped.
	Minimal bool
	// Trace is the run: an initial state and then one step for each action. It
	// has least cost, then fewest actions, then fewest changes of lane, then
	// the smallest actions. It is nil if it was not asked for.
	Trace []Step
}

// A LiveResult is a fair cycle that violates a liveness property. No state of
// such a cycle is cheaper to reach than Stem or, at that cost, nearer.
type LiveResult struct {
	Violated bool
	Cost     int    // of Stem
	Depth    int    // actions in Stem
	Stem     []Step // a run, as the Trace of a goal, to the first state of Loop
	// Loop is a run that can go on for ever: its first step has the state that
	// the cycle begins with, and no action; the state of the last is the same.
	Loop []Step
}

// A Step is an action and the state it leads to.
type Step struct {
	Action Action
	State  []byte
}
