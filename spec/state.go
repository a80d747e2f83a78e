package spec

// The largest sizes of the parts of a state. They bound the working copy of a
// state, not the packed one, which is as wide as the scenario needs.
const (
	maxQueue = 32 // work requests ever posted to one queue
	maxCQ    = 32 // CQEs in one CQ
	maxWire  = 24 // packets in flight in one direction of a connection
	maxResp  = 12 // responses owed by one responder
	maxRegs  = 3  // nested polls of one thread
	maxPSN   = 250
	maxUnits = 4 // separately placed units of an MR
)

// A State is one state of the system, unpacked: what the adapters, the wire,
// the memory and the programs hold. Slices are parallel to the model's tables.
// Rules alter it in place; it is packed at the edge.
type State struct {
	QPs     []QPVars
	SRQs    []SRQVars
	CQs     []CQVars
	Wires   []WireVars // connection c, direction d at 2c+d
	Threads []ThreadVars
	WRs     []WRVars // by WR instance
	MRs     []MRVars
	Env     EnvVars
}

// EnvVars is what belongs to no adapter: counters of programs, budgets,
// channels, and what the observers of a run remember.
type EnvVars struct {
	Vars    [32]uint8    // value minus the variable's lowest
	Budgets [16]uint8    // left of each fault budget
	Locks   [8]uint8     // 0 free, else thread + 1
	Told    [16]uint8    // by channel: messages told and not heard
	Queue   [16][8]uint8 // by channel: those messages, oldest first
	Events  [8]uint8     // by completion channel: events waiting
	Monitor uint64       // bits of the observers
	Bad     Bad          // why the run ended here, or BadNone
	BadArg  uint8        // which queue, location or WR it concerns; shown, never read
}

// An RQVars is a receive queue: every WR ever posted to it, in posting order,
// and how far each stage has come. For a QP with an SRQ it is the WRs that its
// messages have taken from there.
type RQVars struct {
	WR    [maxQueue]uint8 // WR instances in posting order
	N     uint8           // posted
	Claim uint8           // taken by accepted messages
	Exec  uint8           // their message is executed
	CQE   uint8           // their CQE is written
	Freed uint8           // their slot is free again: the CQE was polled
	Base  uint8           // first WR of the QP's present life
}

// An SRQVars is a shared receive queue. It need not be consumed in order
// (F2.23), so which of its WRs are taken is a set.
type SRQVars struct {
	WR    [maxQueue]uint8 // WR instances in posting order
	N     uint8
	Taken uint32 // bit i: WR[i] is taken
	Limit uint8  // low-water mark armed for an event, 0: none (F2.25)
	Event bool   // the event was raised
}

// A Requester is the sending half of a QP (F1.24). PSNs count from the first
// PSN of the QP's send queue.
type Requester struct {
	SQ          [maxQueue]uint8 // WR instances in posting order
	N           uint8           // posted
	NextPSN     uint8           // next packet to send; behind MaxPSN while resending
	MaxPSN      uint8           // one past the highest PSN ever sent
	UnackedPSN  uint8           // oldest unacknowledged; == NextPSN if none
	Done        uint8           // WQEs retired: CQE written, or unsignaled and passed over
	Freed       uint8           // WQEs whose slot a polled CQE gave back (F2.12)
	RetriesLeft uint8
	RNRLeft     uint8
	RNRWait     bool
	GotRNR      bool   // ghost: ever received an RNR NAK
	Base        uint8  // first WQE of the QP's present life; those before were discarded
	LocalDone   uint32 // bit i: the local operation SQ[i] is executed
}

// A Content is the abstract contents of memory: a value, and the WR that wrote
// it (1 + the instance; 0: a program, or nobody).
type Content struct{ Val, By uint8 }

// A RespKind is the kind of a response that a responder owes.
type RespKind uint8

// The kinds of owed response.
const (
	RespAck       RespKind = iota // of a packet with AckReq, executed
	RespAckDup                    // of a duplicate
	RespNAKSeq                    // PSN sequence error
	RespRNR                       // no receive WQE
	RespNAKInv                    // invalid request
	RespNAKAccess                 // remote access error
	RespNAKOp                     // remote operational error
	RespRead                      // READ data, from PSN to the end of the READ
	RespAtomic                    // an atomic's result
)

// A Resp is a response that a responder owes.
type Resp struct {
	Kind    RespKind
	PSN     uint8
	Again   bool // READ, ATOMIC: for a duplicate
	Content      // READ fetched at accept, ATOMIC: the value
}

// A Responder is the receiving half of a QP (F1.11).
type Responder struct {
	EPSN   uint8  // accepted up to here
	XPSN   uint8  // executed up to here
	AckReq uint32 // bit i: the peer's SQ[i] is accepted, not yet executed, and asked for an ACK
	NAK    bool   // a NAK is outstanding (F1.13)
	RQ     RQVars
	Resp   [maxResp]Resp
	NResp  uint8
	Atomic [4]Resp // saved results, oldest first (F1.14)
	NSaved uint8
	From   uint8 // first WQE of the peer that belongs to the QP's present life
	Fatal  bool  // a fatal NAK is owed; nothing more is taken (F1.19)
}

// A QPVars is a queue pair: its state and its two halves, which share nothing.
type QPVars struct {
	State  QPState
	Req    Requester
	Rsp    Responder
	Events uint16 // async events raised, by bit; from bit 8 on: those a program took
}

// A CQVars is a completion queue: a FIFO of WR instances (F2.9).
type CQVars struct {
	WR      [maxCQ]uint8
	N       uint8
	Arm     uint8 // 0 not armed, 1 solicited only, 2 next completion (F4.5)
	Pending uint8 // events raised, not yet got by a program
	Unacked uint8 // events got, not acknowledged (F4.7)
	Dead    bool  // overrun or destroyed
	Polled  bool  // dial cq.arm_index stale: something was polled since it was armed
}

// A PktKind is the kind of a packet on the wire.
type PktKind uint8

// The kinds of packet.
const (
	PktRequest PktKind = iota
	PktAck
	PktNAKSeq
	PktRNR
	PktNAKInv
	PktNAKAccess
	PktNAKOp
	PktReadResp
	PktAtomicAck
)

// A Pkt is a packet in flight. A request's opcode and WR follow from its PSN
// and the sender's queue.
type Pkt struct {
	Kind    PktKind
	PSN     uint8
	Arrived bool // a response that has reached the requester and waits there
	AckReq  bool
	Content
}

// A WireVars is one direction of a connection, oldest packet first.
type WireVars struct {
	Pkt [maxWire]Pkt
	N   uint8
}

// A ThreadVars is a program's position and the completions its polls hold.
type ThreadVars struct {
	PC  uint16
	Ev  uint8          // CQ + 1 of the event it got last
	Reg [maxRegs]uint8 // WR instance + 1
}

// A Phase is how far a WR has come in verbs.
type Phase uint8

// The phases of a WR.
const (
	Unposted  Phase = iota
	Posted          // in its queue
	Discarded       // its queue was reset or destroyed under it (F2.22)
	Completed       // its CQE is written
	Purged          // its CQE was written, and deleted with its QP (F2.22)
	Polled          // a poll returned it
)

// A WRVars is the life of one WR instance, as verbs shows it.
type WRVars struct {
	Phase   Phase
	Status  Status          // of the CQE; set early for the WR that failed
	Failed  bool            // Status was set by a failure
	Retried bool            // ghost: one of its packets was resent
	Msg     uint8           // receives: 1 + the send WR instance whose message it took
	Content                 // what a receive, READ or ATOMIC brought
	Placed  uint8           // WRITE, ATOMIC: units that the peer's CPU sees, by bit
	Carry   [maxUnits]uint8 // send WRs: values of its packets as accepted, by unit
	Gen     uint8           // generation of its first local buffer when it was posted
	Past    uint8           // of a discarded send: which of sent, arrived, executed, acked had happened, by WRField
}

// An MRVars is one memory region: an abstract value per unit, its owner and
// its key.
type MRVars struct {
	Value  [maxUnits]Content // what the adapter has executed
	Seen   [maxUnits]Content // what a CPU sees
	Freed  bool
	Key    bool  // has a live key
	Reused bool  // allocated again while an old key is alive
	Gen    uint8 // how often it was allocated again, modulo 4
}

// copyFrom makes s a copy of t; both belong to the same model.
func (s *State) copyFrom(t *State) {
	copy(s.QPs, t.QPs)
	copy(s.SRQs, t.SRQs)
	copy(s.CQs, t.CQs)
	copy(s.Wires, t.Wires)
	copy(s.Threads, t.Threads)
	copy(s.WRs, t.WRs)
	copy(s.MRs, t.MRs)
	s.Env = t.Env
}

// push appends p to the wire and reports whether it fitted.
func (w *WireVars) push(p Pkt) bool {
	if int(w.N) == len(w.Pkt) {
		return false
	}
	w.Pkt[w.N] = p
	w.N++
	return true
}

// remove takes packet i out of the wire; the order of the others stays.
func (w *WireVars) remove(i int) Pkt {
	p := w.Pkt[i]
	copy(w.Pkt[i:], w.Pkt[i+1:w.N])
	w.N--
	w.Pkt[w.N] = Pkt{}
	return p
}

// push appends r to the owed responses and reports whether it fitted.
func (r *Responder) push(x Resp) bool {
	if int(r.NResp) == len(r.Resp) {
		return false
	}
	r.Resp[r.NResp] = x
	r.NResp++
	return true
}

// shift removes the n oldest owed responses.
func (r *Responder) shift(n int) {
	copy(r.Resp[:], r.Resp[n:r.NResp])
	for i := int(r.NResp) - n; i < int(r.NResp); i++ {
		r.Resp[i] = Resp{}
	}
	r.NResp -= uint8(n)
}

// push appends a WR instance to the CQ and reports whether it fitted.
func (c *CQVars) push(wr uint8) bool {
	if int(c.N) == len(c.WR) {
		return false
	}
	c.WR[c.N] = wr
	c.N++
	return true
}

// shift removes and returns the oldest CQE.
func (c *CQVars) shift() uint8 {
	wr := c.WR[0]
	copy(c.WR[:], c.WR[1:c.N])
	c.N--
	c.WR[c.N] = 0
	return wr
}
