package spec

// A Model is a scenario compiled: a finite transition system over packed
// states. It is immutable after Compile and Observe.
type Model struct {
	sc      *Scenario
	dials   dials
	profile string
	bounds  Bounds

	qps     []qpConf
	cqs     []cqConf
	srqs    []srqConf
	mrs     []mrConf
	wires   []wireConf
	wrs     []wrConf
	sites   []siteConf
	threads []threadConf
	decl    []WR // every WR site: the scenario's, then the markers of drain
	vars    []varConf
	budgets []budgetConf
	comp    []compConf
	setup   []setupPost
	chanLen []int // by channel: the most messages ever told on it

	// first global index of each node's tables
	nodeQP, nodeCQ, nodeSRQ, nodeMR, nodeVar, nodeLock, nodeComp []int

	allowed     [numBad]bool
	track       tracks
	lay         layout
	sections    []section
	width       int
	monitorBits uint
	eager       eagerness
	observer    Observer
	numLocks    int
}

// Bounds are the sizes the model gives to parts whose need is not known
// beforehand. A run that needs more hits GoalBound; Grow then gives more.
type Bounds struct {
	Wire int   // packets in flight in one direction of a connection
	Resp int   // responses owed by one QP
	Inst []int // instances of each WR site
}

type qpConf struct {
	node           int
	local          int // index in its node
	name           string
	peer           int // -1: not connected
	out, in        int // wires; -1
	sendCQ, recvCQ int
	srq            int // -1
	sigAll         bool
	maxSend        int // 0: no limit
	maxRecv        int
	mtu            int
	timeout        bool
	retryCnt       uint8
	retryInf       bool
	rnrRetry       uint8
	rnrInf         bool
	maxRd          int
	maxDestRd      int
	state          QPState
	letter         string // names its PSN space in ladders
}

type cqConf struct {
	node    int
	name    string
	depth   int // 0: no limit
	channel int // global, -1
}

type srqConf struct {
	node  int
	name  string
	max   int
	limit int
}

type mrConf struct {
	node  int
	name  string
	units int
	decl  *MR
}

type wireConf struct {
	from, to int // QPs
	conn     int
}

// A wrConf is one instance of a WR site.
type wrConf struct {
	site                          int
	inst                          int
	name                          string
	node                          int
	recv                          bool
	qp                            int // global, -1 for an SRQ's
	srq                           int // global, -1
	op                            Opcode
	npkt                          uint8 // PSNs it uses (F1.4)
	bytes                         int   // length of its message, or room of its buffer; 0: nothing, or enough
	sge                           []int // global MRs
	remote                        int   // global MR of the peer, -1
	local                         int   // global MR that a local operation acts on, -1
	sig, fence, inline, solicited bool
}

// A siteConf is a WR site and the range of its instances.
type siteConf struct {
	wr    *WR
	first int
	n     int
}

type varConf struct {
	node   int
	name   string
	lo, hi int
	init   int
	pos    Pos
}

type budgetConf struct {
	f    *Fault
	name string // "drop(ACK)"
	kind faultKind
	mask classMask // packets it applies to
	over classMask // reorder: packets that may overtake
	site int       // -1, or the WR site whose requests it applies to
	qp   int       // -1 anywhere
}

type compConf struct {
	node int
	name string
}

type setupPost struct{ site int }

// tracks says which ghosts somebody reads; the others stay zero, so that they
// do not tell states apart.
type tracks struct {
	retried, rnr, msg bool
	data              bool // contents of memory
	place             bool // when the CPU sees them
	gen               bool // buffers that are allocated again
	mr                bool // there are MRs at all
	local             bool // local operations
	events            bool // async events, arming
}

// NumNodes returns the number of nodes.
func (m *Model) NumNodes() int { return len(m.sc.Nodes) }

// Scenario returns the scenario the model was compiled from.
func (m *Model) Scenario() *Scenario { return m.sc }

// Profile returns the name of the profile in force.
func (m *Model) Profile() string { return m.profile }

// usesPSN reports whether the opcode sends packets (F1.5).
func (o Opcode) usesPSN() bool { return o != LOCAL_INV && o != REG_MR && o != BIND_MW }

// consumesRecv reports whether a message of the opcode takes a receive WQE
// (F1.21).
func (o Opcode) consumesRecv() bool {
	return o == SEND || o == SEND_WITH_IMM || o == SEND_WITH_INV || o == RDMA_WRITE_WITH_IMM
}

// isRead reports whether the opcode is answered with data, which only its own
// response completes (F1.25).
func (o Opcode) isRead() bool {
	return o == RDMA_READ || o == ATOMIC_CMP_AND_SWP || o == ATOMIC_FETCH_AND_ADD
}

// isAtomic reports whether the opcode is an atomic.
func (o Opcode) isAtomic() bool { return o == ATOMIC_CMP_AND_SWP || o == ATOMIC_FETCH_AND_ADD }

// isWrite reports whether the opcode writes the peer's memory.
func (o Opcode) isWrite() bool { return o == RDMA_WRITE || o == RDMA_WRITE_WITH_IMM }
