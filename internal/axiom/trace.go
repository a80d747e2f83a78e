package axiom

import "github.com/ibcheck/ibcheck/spec"

// A Trace is a run in the words of verbs: what was posted, how far each WR came
// on the wire, which completions were written and polled. It can be made from
// the states of a model as well as from what was logged on a device.
type Trace struct {
	QPs      []TraceQP
	WRs      []TraceWR
	Steps    []Step
	Complete bool              // the run came to its end by itself
	Dials    map[string]string // of the device, by name (PROTOCOL.md 9.3)
}

// A TraceQP is a queue pair.
type TraceQP struct {
	Name        string
	Peer        int  // the QP it is connected to, -1
	SRQ         bool // its receives come from an SRQ, which keeps no order (F2.23)
	Timer       bool // it has a transport timer: timeout is not 0 (F1.31)
	MaxRdAtomic int
}

// A TraceWR is a work request; one that is posted in a loop has a TraceWR for
// each time.
type TraceWR struct {
	Name     string
	Op       spec.Opcode // RECV for a receive
	QP       int         // -1 for one posted to an SRQ
	Signaled bool
	Fence    bool
	Remote   int // the location of the peer that it accesses, -1
}

// A StepKind is what a Step is.
type StepKind uint8

// The kinds of step. Those from Started to Acked are of send WRs. What happens
// at one moment is in the order of the kinds.
const (
	Posted   StepKind = iota
	Started           // its first packet leaves for the first time
	Accepted          // the responder's ePSN has passed its last packet
	Executed          // the responder has executed it; a local operation: the adapter has
	Placed            // a CPU of the receiving side sees what it wrote
	Acked             // the requester knows that it is complete
	Failed            // a QP enters ERR
	Reset             // a QP loses what is in its queues: RESET, or destroyed
	Purged            // a CQE is deleted from its CQ, with its QP
	Wrote             // a CQE is written into a CQ
	Lost              // a CQE is lost because its CQ is dead
	Returned          // a poll returns a CQE
	numStepKinds
)

var stepNames = [numStepKinds]string{"posted", "started", "accepted", "executed", "placed", "acked", "failed", "reset", "purged", "wrote", "lost", "returned"}

func (k StepKind) String() string { return stepNames[k] }

// A Step is something that happened. Failed and Reset are of a QP, the others
// of a WR.
type Step struct {
	Kind    StepKind
	WR      int
	QP      int
	CQ      int         // Wrote, Returned
	Status  spec.Status // Wrote, Lost
	Message int         // Wrote, of a receive: the send WR whose message it took, Unknown if not recorded
	From    int         // Acked, of a READ or ATOMIC: the WR that wrote what it brought, Nobody, or Unknown
}

// Values of Message and From that name no WR.
const (
	Nobody  = -1 // a program, or what was there at first
	Unknown = -2
)
