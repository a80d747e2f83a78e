// Package spec says what queue pairs, completion queues, memory, programs and the
// wire may do next: one rule for each kind of step, over an explicit state. It
// knows nothing of the search; model.go, model_explain.go and model_cause.go join the two.
// Its one law: a rule is pure, so a run can be taken again from its choices.
package spec

// This file is the scenario as the model takes it: names resolved to indices,
// parameters replaced by their values, replicated nodes written out. Package
// spec/scenario makes it from text; tests and the Go API may make it by hand.

// A Pos is a place in a scenario file; lines and columns count from 1.
type Pos struct {
	File string
	Line int
	Col  int
}

// A Scenario says who posts what, what may go wrong, and what should hold.
type Scenario struct {
	Name    string
	Doc     string
	Refs    []string
	Clauses []string
	Tags    []string
	File    string

	Nodes    []Node
	Conns    []Conn
	Channels []Channel
	WRs      []WR // every WR site of the file; names are unique

	Profile   string            // "iba" when the file says nothing
	Dials     map[string]string // overrides of the profile, by dial name
	Faults    []Fault
	Allows    []string // sanitizer names as in LANGUAGE: "overflow(sq)"
	Asserts   []Property
	Reaches   []Property
	ParamText map[string]string // the params this scenario was made with
}

// A Node is one host with one HCA.
type Node struct {
	Name         string
	Pos          Pos
	Orbit        int // nodes of one replicate share an orbit number > 0
	CQs          []CQ
	QPs          []QP
	SRQs         []SRQ
	MRs          []MR
	CompChannels []Named
	Vars         []Var
	Locks        []Named
	Threads      []Thread // Threads[0] is the main thread, possibly empty
	Handlers     []Handler
}

// A Named is a declaration that has nothing but a name.
type Named struct {
	Name string
	Pos  Pos
}

// A QPRef names a QP by node and index in that node.
type QPRef struct{ Node, QP int }

// A Conn pairs two QPs.
type Conn struct {
	A, B QPRef
	Pos  Pos
}

// A Channel is an out-of-band channel: reliable, ordered, independent of QPs.
type Channel struct {
	Name     string
	From, To int // nodes
	Pos      Pos
	Messages []string // every message told on it, in order of appearance
}

// A CQ is a completion queue. Depth 0 means as deep as everything the scenario
// posts; Channel is the index of its completion channel, or -1.
type CQ struct {
	Name    string
	Pos     Pos
	Depth   int
	Channel int
}

// A QP is a queue pair with the attributes of ibv_qp_init_attr and ibv_qp_attr
// that matter. Counts of 0 in MaxSendWR, MaxRecvWR mean deep enough.
type QP struct {
	Name            string
	Pos             Pos
	Type            string // "RC"
	SendCQ, RecvCQ  int
	SRQ             int // -1: none
	SigAll          bool
	MaxSendWR       int
	MaxRecvWR       int
	MTU             int // bytes a packet; default 1024
	Timeout         int // 0 = no timer; default 1
	RetryCnt        int // default 2
	RNRRetry        int // default 7, infinite
	MinRNRTimer     int
	MaxRdAtomic     int    // default 1
	MaxDestRdAtomic int    // default 1
	State           string // first state: "RTS" unless the file says otherwise
}

// An SRQ is a shared receive queue.
type SRQ struct {
	Name  string
	Pos   Pos
	MaxWR int // 0: deep enough
	Limit int // SRQ_LIMIT_REACHED mark armed at the start, 0: none
}

// An MR is a memory region, one abstract location with an owner and a key.
type MR struct {
	Name         string
	Pos          Pos
	Length       int // bytes; default 64
	RemoteWrite  bool
	RemoteRead   bool
	RemoteAtomic bool
	Relaxed      bool // IBV_ACCESS_RELAXED_ORDERING
	Units        int  // separately placed units, for last-byte polling; default 1
	Unregistered bool // no key until REG_MR or reg_mr
	Init         int  // abstract first value; default 0
}

// A Var is a small counter of a node with the range Lo..Hi.
type Var struct {
	Name   string
	Pos    Pos
	Lo, Hi int
	Init   int
}

// A Thread is a sequence of statements that runs beside others.
type Thread struct {
	Name string // "" for the main thread
	Pos  Pos
	Body []Stmt
}

// A Handler runs when a poll returns the WR (WR >= 0) or, with WR -1, any
// completion of the CQ.
type Handler struct {
	WR   int
	CQ   int // index in the node, -1 when WR is named
	As   string
	Pos  Pos
	Body []Stmt
}

// An Op is the kind of a statement.
type Op uint8

// The statements of a program. The comment gives the fields of Stmt in use.
const (
	OpPostSend   Op = iota // WR
	OpPostRecv             // WR
	OpPollCQ               // CQ, As, Body (a completion), Else (none)
	OpDrain                // CQ, As, Body
	OpWait                 // Expr
	OpSet                  // Var, Expr
	OpCount                // Var
	OpIf                   // Expr, Body, Else
	OpEither               // Alts
	OpLoop                 // Body
	OpRepeat               // N, Body
	OpStop                 // -
	OpAtomic               // Body
	OpLock                 // Lock
	OpUnlock               // Lock
	OpTell                 // Channel, N = index in Channel.Messages
	OpHear                 // Channel, N
	OpReqNotify            // CQ, Solicited; Body runs if events may have been missed (F4.6)
	OpGetEvent             // CompChannel, As
	OpAckEvents            // CQ, N
	OpModifyQP             // QP, State
	OpDestroyQP            // QP
	OpCreateQP             // QP
	OpDrainSQ              // QP
	OpDrainRQ              // QP
	OpDrainQP              // QP
	OpFree                 // MR
	OpRead                 // MR
	OpWrite                // MR, N = value
	OpRegMR                // MR
	OpDeregMR              // MR
	OpGetAsync             // QP (or -1), Event: waits for an async event
	OpArmSRQ               // SRQ, N = limit
	OpDestroyCQ            // CQ
	OpAssertHere           // Expr: the program's own assertion (BUG_ON)
	OpAlloc                // MR: take back memory freed before
	OpInvalidate           // MR: kill its key without a WR
)

// EventCQ is a Stmt.CQ that no index names: the CQ whose event the thread got
// last (OpGetEvent on a channel that several CQs share).
const EventCQ = -2

// A Stmt is one statement. Only the fields its Op names are set; indices that
// are not in use are -1.
type Stmt struct {
	Op          Op
	Pos         Pos
	WR          int
	QP          int
	CQ          int
	SRQ         int
	MR          int
	Var         int
	Lock        int
	Channel     int
	CompChannel int
	N           int
	State       string
	Event       string
	As          string
	Solicited   bool
	Expr        *Expr
	Body        []Stmt
	Else        []Stmt
	Alts        [][]Stmt
}

// A WR is one place in the program that posts: a site. In a loop a site has
// several instances.
type WR struct {
	Name      string // unique; "node.name" when two nodes use one name
	Node      int
	Pos       Pos
	Recv      bool
	QP        int // index in the node; -1 for post_srq_recv
	SRQ       int // index in the node; -1 else
	Opcode    Opcode
	Signaled  bool
	Fence     bool
	Inline    bool
	Solicited bool
	Length    int // bytes; 0 = one packet, or for a receive large enough
	SGE       []int
	Remote    MRRef // the peer's MR for WRITE, READ, ATOMIC, SEND_WITH_INV
	Local     int   // the MR that REG_MR, LOCAL_INV, BIND_MW acts on, -1
	Compare   int   // ATOMIC_CMP_AND_SWP
	Operand   int   // swap or add value
}

// An MRRef names an MR by node and index; Node -1 means none.
type MRRef struct{ Node, MR int }

// A Fault is a budget: at most Max of Kind on packets of Class.
type Fault struct {
	Kind  string // "drop", "dup", "reorder", "corrupt", "early_timeout", "kill"
	Class string // packet class, "any", or "" where none applies
	Other string // reorder: the class that overtakes
	WR    int    // >= 0: only this WR's request packets
	On    QPRef  // Node -1: anywhere. For kill: the QP
	Max   int
	Pos   Pos
}

// A Property is an assert or a reach.
type Property struct {
	Name         string
	Pos          Pos
	Text         string // the source text of the property
	Kind         PropKind
	L, R         *Expr  // binary kinds use both, the others L
	Expect       string // "", "holds", "violated", "unknown", "reachable", "unreachable"
	ExpectFaults int    // -1: not pinned
	Allow        []string
}

// A PropKind is the outermost operator of a property.
type PropKind uint8

// The kinds of property; PropState is a bare expression, judged as always.
const (
	PropState PropKind = iota
	PropAlways
	PropNever
	PropEventually
	PropFinal
	PropPrecedes
	PropLeadsTo
	PropUntil
	PropSince
	PropReach
)

// An ExprOp is the operator of an Expr.
type ExprOp uint8

// The operators. All values are small integers; truth is 0 or 1.
const (
	ExprInt          ExprOp = iota // Int
	ExprAtom                       // Atom
	ExprNot                        // Kids[0]
	ExprAnd                        // Kids[0], Kids[1]
	ExprOr                         //
	ExprImplies                    //
	ExprEq                         //
	ExprNe                         //
	ExprLt                         //
	ExprLe                         //
	ExprGt                         //
	ExprGe                         //
	ExprAdd                        //
	ExprSub                        //
	ExprNeg                        // Kids[0]
	ExprOnce                       // Kids[0]
	ExprPrev                       // Kids[0]
	ExprHistorically               // Kids[0]
	ExprSince                      // Kids[0] since Kids[1]
)

// An Expr is an expression of the property or program language.
type Expr struct {
	Op   ExprOp
	Pos  Pos
	Int  int
	Atom Atom
	Kids []*Expr
}

// An AtomKind is the kind of an Atom.
type AtomKind uint8

// The atoms. Events are sticky: true from the step that makes them on.
const (
	AtomWR        AtomKind = iota // WR, Instance, Field: posted … retried
	AtomStatus                    // WR, Instance: its completion status (a Status), -1 before
	AtomSrc                       // WR (a receive): node that sent its message, -1 before
	AtomMsg                       // WR (a receive): WR site of its message, -1 before
	AtomData                      // WR: abstract value it brought, -1 before
	AtomCQLen                     // Node, Index
	AtomQPState                   // Node, Index: a QPState
	AtomVar                       // Node, Index
	AtomHCAAccess                 // Name: freed, foreign, dead_key
	AtomOverflow                  // Name: cq, sq, rq, srq
	AtomRNR                       // Node, Index: that QP's requester received an RNR NAK
	AtomEvent                     // Node, Index: completion channel holds an event
	AtomAsleep                    // Node, Index: thread is blocked
	AtomMRValue                   // Node, Index: value a CPU of the node sees in the MR
	AtomMRState                   // Node, Index, Name: "freed", "registered"
	AtomAsync                     // Node, Index (QP), Name: async event raised
	AtomWCStatus                  // in a poll body: status of the polled completion
	AtomWCWR                      // in a poll body: WR site of the polled completion
	AtomWCQP                      // in a poll body: QP index of the polled completion
	AtomWCOpcode                  // in a poll body: WC opcode; any value on error (F2.14)
	AtomSQFree                    // Node, Index: free SQ slots of the QP
	AtomConst                     // Int in Expr: a named constant (status, state, node, WR)
	AtomInvoked                   // Node, Index: how often handler Index began
	AtomSanitizer                 // Name: that sanitizer fires; its verdict is that of the sanitizer
	AtomWCSrc                     // in a poll body: node that sent the message, -1 if none
)

// A WRField is an event in the life of a WR.
type WRField uint8

// The events of a WR, in the usual order.
const (
	WRPosted WRField = iota
	WRSent
	WRArrived
	WRExecuted
	WRPlaced
	WRAcked
	WRCQE
	WRWC
	WROK
	WRFailed
	WRFlushed
	WRRetried
)

// An Atom is a question to a state.
type Atom struct {
	Kind     AtomKind
	WR       int
	Instance int // as written, the first is 1; -1: any
	Field    WRField
	Node     int
	Index    int
	Name     string
	Text     string // as written, for messages
}
