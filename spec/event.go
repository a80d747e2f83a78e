package spec

// A Run is a trace in words: what happened, where, and what caused it. Package
// traces draws it.
type Run struct {
	Nodes  []string  // node names, in file order
	Conns  []RunConn // the connections, in file order
	Before []string  // receives posted before anybody moved: "R2 on host.q"
	Events []Event   // one for each action, in the order of the trace
	Loop   int       // 1 + the first event of the part that repeats for ever, 0 if none does
	Broken int       // events up to and including the one that decides; the rest is the epilogue
}

// A RunConn is a connection of a run.
type RunConn struct {
	A, B         int    // nodes
	AName, BName string // QP names, "host.q"
}

// An EventKind says how an event is drawn.
type EventKind uint8

// The kinds of event.
const (
	EvPost   EventKind = iota // app → HCA: a WR is posted
	EvDepart                  // HCA → wire: a packet leaves
	EvArrive                  // wire → HCA: a packet arrives
	EvDrop                    // wire: a packet is lost
	EvDup                     // wire: a packet is duplicated; Packet is the copy
	EvCQE                     // HCA: a CQE is written into a CQ
	EvPoll                    // HCA → app: a poll returns a completion
	EvNote                    // a remark at Node and Place: timeout, duplicate, execute
	EvTell                    // app: an out-of-band message leaves for node To
	EvHear                    // app: an out-of-band message is heard
	EvVerb                    // app → HCA: another verb (modify_qp, req_notify_cq, …)
	EvSilent                  // a local step that a ladder need not show (wait, if, set)
)

// A Place is where at a node an event happens.
type Place uint8

// The places.
const (
	App  Place = iota // the node's programs
	HCA               // the node's adapter
	Wire              // the network next to the node's adapter
)

// An Event is one action of a trace in words.
type Event struct {
	Kind   EventKind
	Rule   string // name of the rule: "transmit", "deliver", "drop", "timeout", …
	Clause string // the fact or clause the rule cites, or "environment"
	Node   int    // where it happens
	Place  Place
	Thread string // App events: the thread's name, "" for the main thread
	Conn   int    // connection, -1 if none
	To     int    // EvDepart, EvTell: the receiving node
	Packet *Packet
	WR     string   // the WR it concerns, with "[n]" for later instances; "" if none
	WC     *WC      // EvCQE, EvPoll
	Text   string   // EvNote, EvVerb, EvTell, EvHear: the words to show
	Fault  string   // the budget it uses up: "drop(ACK) 1/1", else ""
	Action int      // which action of the trace it belongs to, from 1; a remark belongs to the one before it
	Cause  int      // index in Run.Events of the latest event that made this one possible, -1 if none
	Diff   []string // what changed in the state: "host.q.sq [S1]→[]"
}

// A Packet is a packet of a trace.
type Packet struct {
	ID        int    // unique in the run; a duplicate has its own
	Conn      int    // connection
	From, To  int    // nodes
	Opcode    string // SEND_ONLY, ACKNOWLEDGE, …
	Kind      string // packet class: SEND, ACK, NAK, RNR_NAK, …
	PSN       int    // relative to the first PSN of its owner
	Owner     string // letter of the queue whose PSN space it is in: "h"
	AckReq    bool
	Syndrome  string // ACK, NAKSequence, RNRNAK, … or ""
	MSN       int    // responses: message count, else -1
	WR        string // requests: the WR it carries
	Again     bool   // a resend
	Solicited bool
}

// A WC is a completion of a trace.
type WC struct {
	WR     string
	Opcode string // as ibv_wc_opcode without prefix: SEND, RECV, RDMA_WRITE, …
	Status string
	CQ     string // "host.scq"
}
