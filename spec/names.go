package spec

// An Opcode is a work request's opcode, printed as verbs does without prefix.
type Opcode uint8

// The opcodes of ibv_wr_opcode and the kernel's REG_MR (F8.1, F8.13).
const (
	SEND Opcode = iota
	SEND_WITH_IMM
	RDMA_WRITE
	RDMA_WRITE_WITH_IMM
	RDMA_READ
	ATOMIC_CMP_AND_SWP
	ATOMIC_FETCH_AND_ADD
	SEND_WITH_INV
	LOCAL_INV
	REG_MR
	BIND_MW
	RECV // not an opcode of a send queue: marks a receive
)

var opcodeNames = [...]string{"SEND", "SEND_WITH_IMM", "RDMA_WRITE", "RDMA_WRITE_WITH_IMM", "RDMA_READ",
	"ATOMIC_CMP_AND_SWP", "ATOMIC_FETCH_AND_ADD", "SEND_WITH_INV", "LOCAL_INV", "REG_MR", "BIND_MW", "RECV"}

func (o Opcode) String() string { return opcodeNames[o] }

// Opcodes lists the names of the send opcodes in the order of their numbers.
func Opcodes() []string { return opcodeNames[:RECV] }

// A Status is the status of a completion (F8.4, the ones RC can give).
type Status uint8

// The statuses, in the order of ibv_wc_status.
const (
	SUCCESS Status = iota
	LOC_LEN_ERR
	LOC_QP_OP_ERR
	LOC_PROT_ERR
	WR_FLUSH_ERR
	MW_BIND_ERR
	BAD_RESP_ERR
	LOC_ACCESS_ERR
	REM_INV_REQ_ERR
	REM_ACCESS_ERR
	REM_OP_ERR
	RETRY_EXC_ERR
	RNR_RETRY_EXC_ERR
)

var statusNames = [...]string{"SUCCESS", "LOC_LEN_ERR", "LOC_QP_OP_ERR", "LOC_PROT_ERR", "WR_FLUSH_ERR", "MW_BIND_ERR",
	"BAD_RESP_ERR", "LOC_ACCESS_ERR", "REM_INV_REQ_ERR", "REM_ACCESS_ERR", "REM_OP_ERR", "RETRY_EXC_ERR", "RNR_RETRY_EXC_ERR"}

func (s Status) String() string { return statusNames[s] }

// Statuses lists the status names in the order of their numbers.
func Statuses() []string { return statusNames[:] }

// WCOpcodes lists the opcodes of completions (F8.2, F8.3 and the kernel's
// REG_MR), the ones RC can give.
func WCOpcodes() []string {
	return []string{"SEND", "RDMA_WRITE", "RDMA_READ", "COMP_SWAP", "FETCH_ADD", "BIND_MW", "LOCAL_INV", "REG_MR", "RECV", "RECV_RDMA_WITH_IMM"}
}

// A QPState is a state of a QP (F8.5).
type QPState uint8

// The QP states.
const (
	RESET QPState = iota
	INIT
	RTR
	RTS
	SQD
	SQE
	ERR
	DESTROYED // not a verbs state: the QP is gone
)

var qpStateNames = [...]string{"RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR", "DESTROYED"}

func (s QPState) String() string { return qpStateNames[s] }

// QPStates lists the state names in the order of their numbers.
func QPStates() []string { return qpStateNames[:] }

// WRFields lists the events of a WR in the order of their numbers.
func WRFields() []string {
	return []string{"posted", "sent", "arrived", "executed", "placed", "acked", "cqe", "wc", "ok", "failed", "flushed", "retried"}
}

// AsyncEvents lists the asynchronous events a program can wait for (F8.11).
func AsyncEvents() []string {
	return []string{"COMM_EST", "SQ_DRAINED", "LAST_WQE_REACHED", "CQ_ERR", "QP_FATAL", "QP_ACCESS_ERR", "QP_REQ_ERR", "SRQ_LIMIT_REACHED"}
}

// PacketClasses lists the packet classes that a fault budget may name.
func PacketClasses() []string {
	return []string{"SEND", "WRITE", "READ", "ATOMIC", "READ_RESPONSE", "ATOMIC_ACK", "ACK", "NAK", "RNR_NAK", "request", "response", "any"}
}

// FaultKinds lists the faults that may be budgeted.
func FaultKinds() []string {
	return []string{"drop", "dup", "reorder", "corrupt", "early_timeout", "kill"}
}

// Sanitizers lists the checks that are always on and that allow can turn off.
func Sanitizers() []string {
	return []string{"hca_access(freed)", "hca_access(foreign)", "hca_access(dead_key)", "overflow(sq)", "overflow(rq)", "overflow(srq)",
		"overflow(cq)", "bad_state", "retry_exhausted", "rnr_exhausted", "lost_wakeup", "sq_leak", "open_wr"}
}
