package scenario

import "github.com/ibcheck/ibcheck/spec"

// exprRows are the operators and functions of expressions and properties.
var exprRows = []Row{
	{Word: "always", Usage: "EXPR", Doc: "true in every state of every run"},
	{Word: "never", Usage: "EXPR", Doc: "true in no state of any run"},
	{Word: "eventually", Usage: "EXPR", Doc: "every run comes to a state where it is true"},
	{Word: "final", Usage: "EXPR", Doc: "true in every end state"},
	{Word: "precedes", Usage: "EXPR EXPR", Doc: "A precedes B: B never happens unless A happened in an earlier step"},
	{Word: "leadsto", Usage: "EXPR EXPR", Doc: "A leadsto B: whenever A is true, B is true then or later"},
	{Word: "until", Usage: "EXPR EXPR", Doc: "A until B: B comes, and A is true before it"},
	{Word: "since", Usage: "EXPR EXPR", Doc: "A since B: B was true, and A has been true since then"},
	{Word: "not", Usage: "EXPR", Doc: "negation; binds tighter than comparison"},
	{Word: "and", Usage: "EXPR EXPR", Doc: "both"},
	{Word: "or", Usage: "EXPR EXPR", Doc: "at least one"},
	{Word: "true", Doc: "1"},
	{Word: "false", Doc: "0"},
	{Word: "once", Usage: "( EXPR )", field: spec.ExprOnce, Doc: "true now or in an earlier state"},
	{Word: "prev", Usage: "( EXPR )", field: spec.ExprPrev, Doc: "true in the state before"},
	{Word: "historically", Usage: "( EXPR )", field: spec.ExprHistorically, Doc: "true now and in every earlier state"},
	{Word: "all", Usage: "( EXPR )", field: spec.ExprAnd, Doc: "true for every number that `*` stands for"},
	{Word: "any", Usage: "( EXPR )", field: spec.ExprOr, Doc: "true for some number that `*` stands for"},
	{Word: "hca_access", Usage: "( WORD )", field: spec.AtomHCAAccess, Doc: "the HCA touched memory that is freed, foreign or whose key is dead"},
	{Word: "overflow", Usage: "( WORD )", field: spec.AtomOverflow, Doc: "a queue was full: sq, rq, srq or cq"},
	{Word: "retry_exhausted", field: spec.AtomSanitizer, Doc: "the sanitizer of that name fires"},
	{Word: "rnr_exhausted", field: spec.AtomSanitizer, Doc: "the sanitizer of that name fires"},
	{Word: "bad_state", field: spec.AtomSanitizer, Doc: "the sanitizer of that name fires"},
	{Word: "sq_leak", field: spec.AtomSanitizer, Doc: "the sanitizer of that name fires"},
	{Word: "lost_wakeup", field: spec.AtomSanitizer, Doc: "the sanitizer of that name fires; only as `never lost_wakeup`"},
	{Word: "open_wr", field: spec.AtomSanitizer, Doc: "the sanitizer of that name fires; only as `never open_wr`"},
	{Word: "bug_on", field: spec.AtomSanitizer, Doc: "a bug_on statement finds its condition"},
	{Word: "out_of_range", field: spec.AtomSanitizer, Doc: "a var leaves its range"},
	{Word: "rnr", Usage: "( NODE.QP )", field: spec.AtomRNR, Doc: "the QP's requester received an RNR NAK", Fact: "F1.18"},
	{Word: "event", Usage: "( COMP_CHANNEL )", field: spec.AtomEvent, Doc: "the completion channel holds an event"},
	{Word: "asleep", Usage: "( WORD )", field: spec.AtomAsleep, Doc: "the thread is blocked now; a node's name is its main thread"},
	{Word: "async_event", Usage: "( OBJECT , EVENT )", field: spec.AtomAsync, Doc: "the asynchronous event was raised", Fact: "F8.11"},
	{Word: "invoked", Usage: "( X.wc )", field: spec.AtomInvoked, Doc: "how often the handler on WR.wc or CQ.wc began"},
}

// fieldRows are the questions to a thing, written THING.field.
var fieldRows = []Row{
	{Word: "posted", In: OfWR, field: spec.WRPosted, Doc: "the post returned"},
	{Word: "sent", In: OfWR, field: spec.WRSent, Doc: "its last packet left for the first time"},
	{Word: "arrived", In: OfWR, field: spec.WRArrived, Doc: "the responder accepted it: its ePSN passed it", Fact: "F1.12"},
	{Word: "executed", In: OfWR, field: spec.WRExecuted, Doc: "the responder executed it"},
	{Word: "placed", In: OfWR, field: spec.WRPlaced, Doc: "its data is where a CPU of the receiving side sees it", Fact: "F3.10"},
	{Word: "acked", In: OfWR, field: spec.WRAcked, Doc: "the requester got its acknowledgement", Fact: "F1.25"},
	{Word: "cqe", In: OfWR, field: spec.WRCQE, Doc: "the HCA has written its CQE, of any status"},
	{Word: "wc", In: OfWR, field: spec.WRWC, Doc: "a poll has returned its completion, of any status"},
	{Word: "ok", In: OfWR, field: spec.WROK, Doc: "polled with SUCCESS"},
	{Word: "failed", In: OfWR, field: spec.WRFailed, Doc: "polled with another status"},
	{Word: "flushed", In: OfWR, field: spec.WRFlushed, Doc: "polled with WR_FLUSH_ERR"},
	{Word: "retried", In: OfWR, field: spec.WRRetried, Doc: "a packet of it was sent again"},
	{Word: "status", In: OfWR, field: spec.AtomStatus, Doc: "status of its completion"},
	{Word: "src", In: OfWR, field: spec.AtomSrc, Doc: "of a receive: the node its message came from"},
	{Word: "msg", In: OfWR, field: spec.AtomMsg, Doc: "of a receive: the WR its message came from"},
	{Word: "data", In: OfWR, field: spec.AtomData, Doc: "value that a READ, ATOMIC or receive brought"},
	{Word: "len", In: OfCQ, field: spec.AtomCQLen, Doc: "CQEs in the cq"},
	{Word: "state", In: OfQP, field: spec.AtomQPState, Doc: "state of the QP"},
	{Word: "sq_free", In: OfQP, field: spec.AtomSQFree, Doc: "free slots of the send queue", Fact: "F2.12"},
	{Word: "value", In: OfMR, field: spec.AtomMRValue, Doc: "value that a CPU of the node sees in the memory; `m[2].value`: in its second unit"},
	{Word: "freed", In: OfMR, field: spec.AtomMRState, Doc: "the program gave the memory back"},
	{Word: "registered", In: OfMR, field: spec.AtomMRState, Doc: "the memory has a live key"},
	{Word: "status", In: OfWC, field: spec.AtomWCStatus, Doc: "status of the polled completion"},
	{Word: "wr", In: OfWC, field: spec.AtomWCWR, Doc: "its WR, as wr_id tells"},
	{Word: "qp", In: OfWC, field: spec.AtomWCQP, Doc: "its QP"},
	{Word: "opcode", In: OfWC, field: spec.AtomWCOpcode, Doc: "its opcode, which an error completion does not tell", Fact: "F2.14"},
	{Word: "src", In: OfWC, field: spec.AtomWCSrc, Doc: "of a receive: the node its message came from"},
}

// What the words of package spec mean, by word.
var (
	statusDocs = map[string]string{
		"SUCCESS":           "completed",
		"LOC_LEN_ERR":       "the receive was too small",
		"LOC_QP_OP_ERR":     "the WQE was malformed",
		"LOC_PROT_ERR":      "a local key or address was wrong",
		"WR_FLUSH_ERR":      "flushed because the QP is in ERR",
		"MW_BIND_ERR":       "a memory window could not be bound",
		"BAD_RESP_ERR":      "a response was not as expected",
		"LOC_ACCESS_ERR":    "the memory may not be written to so",
		"REM_INV_REQ_ERR":   "the peer rejected the request",
		"REM_ACCESS_ERR":    "the peer's memory may not be accessed so",
		"REM_OP_ERR":        "the peer failed",
		"RETRY_EXC_ERR":     "no answer after all retries",
		"RNR_RETRY_EXC_ERR": "no receive at the peer after all RNR retries",
	}
	wcOpcodeDocs = map[string]string{
		"SEND":               "of every SEND",
		"RDMA_WRITE":         "of both RDMA_WRITEs",
		"RDMA_READ":          "of RDMA_READ",
		"COMP_SWAP":          "of ATOMIC_CMP_AND_SWP",
		"FETCH_ADD":          "of ATOMIC_FETCH_AND_ADD",
		"BIND_MW":            "of BIND_MW",
		"LOCAL_INV":          "of LOCAL_INV",
		"REG_MR":             "of REG_MR",
		"RECV":               "of a receive that took a SEND",
		"RECV_RDMA_WITH_IMM": "of a receive that took an RDMA_WRITE_WITH_IMM",
	}
	stateDocs = map[string]string{
		"RESET":     "after creation",
		"INIT":      "receives may be posted",
		"RTR":       "receives messages",
		"RTS":       "sends and receives",
		"SQD":       "sends are drained, then paused",
		"SQE":       "the send queue failed; not of RC",
		"ERR":       "everything is flushed",
		"DESTROYED": "the QP is gone",
	}
	eventDocs = map[string]string{
		"COMM_EST":          "a message came on a QP that is not yet RTS",
		"SQ_DRAINED":        "the send queue of a QP in SQD is drained",
		"LAST_WQE_REACHED":  "a QP with an srq will take no more receives",
		"CQ_ERR":            "the cq overran",
		"QP_FATAL":          "the QP failed",
		"QP_ACCESS_ERR":     "the peer broke the access rights",
		"QP_REQ_ERR":        "the peer sent an invalid request",
		"SRQ_LIMIT_REACHED": "the srq fell below its limit",
	}
	classDocs = map[string]string{
		"SEND":          "packets of SENDs",
		"WRITE":         "packets of RDMA_WRITEs",
		"READ":          "RDMA READ requests",
		"ATOMIC":        "ATOMIC requests",
		"READ_RESPONSE": "RDMA READ responses",
		"ATOMIC_ACK":    "ATOMIC responses",
		"ACK":           "positive acknowledgements",
		"NAK":           "negative acknowledgements, RNR aside",
		"RNR_NAK":       "receiver-not-ready acknowledgements",
		"request":       "requests",
		"response":      "responses",
		"any":           "all packets",
	}
	allowDocs = map[string]string{
		"hca_access(freed)":    "the HCA touches freed memory",
		"hca_access(foreign)":  "the HCA touches memory of nobody",
		"hca_access(dead_key)": "the HCA uses a dead key",
		"overflow(sq)":         "a post to a full send queue",
		"overflow(rq)":         "a post to a full receive queue",
		"overflow(srq)":        "a post to a full srq",
		"overflow(cq)":         "a CQE for a full cq",
		"bad_state":            "a post to a QP in the wrong state",
		"retry_exhausted":      "RETRY_EXC_ERR happens",
		"rnr_exhausted":        "RNR_RETRY_EXC_ERR happens",
		"lost_wakeup":          "a thread sleeps while its cq holds a CQE and no event will come",
		"sq_leak":              "nothing signaled will ever free the send queue's slots",
		"open_wr":              "an end state with an open WR",
	}
)

// wordRows makes rows of a list of words of package spec.
func wordRows(in Where, words []string, docs map[string]string, fact string) []Row {
	var rows []Row
	for _, w := range words {
		rows = append(rows, Row{Word: w, In: in, Doc: docs[w], Fact: fact})
	}
	return rows
}

// fixedRows are short lists of words.
var fixedRows = []Row{
	{Word: "RC", In: AsType, Doc: "reliable connected", Fact: "F8.7"},
	{Word: "LOCAL_WRITE", In: AsAccess, Doc: "the HCA may write it for the node's own receives and READs; always so"},
	{Word: "REMOTE_WRITE", In: AsAccess, Doc: "the peer may write it"},
	{Word: "REMOTE_READ", In: AsAccess, Doc: "the peer may read it"},
	{Word: "REMOTE_ATOMIC", In: AsAccess, Doc: "the peer may use ATOMICs on it"},
	{Word: "RELAXED_ORDERING", In: AsAccess, Doc: "writes to it keep no order among themselves", Fact: "F3.12"},
	{Word: "holds", In: AsVerdict, Doc: "of an assert: true of all runs"},
	{Word: "violated", In: AsVerdict, Doc: "of an assert: some run breaks it"},
	{Word: "unknown", In: AsVerdict, Doc: "a limit came first"},
	{Word: "reachable", In: AsVerdict, Doc: "of a reach: some run gets there"},
	{Word: "unreachable", In: AsVerdict, Doc: "of a reach: no run gets there"},
}

// specRows makes the rows for the words that package spec owns.
func specRows() []Row {
	var rows []Row
	rows = append(rows, wordRows(AsStatus, spec.Statuses(), statusDocs, "F8.4")...)
	rows = append(rows, wordRows(AsWCOpcode, spec.WCOpcodes(), wcOpcodeDocs, "F8.2")...)
	rows = append(rows, wordRows(AsState, spec.QPStates(), stateDocs, "F8.5")...)
	rows = append(rows, wordRows(AsEvent, spec.AsyncEvents(), eventDocs, "F8.11")...)
	rows = append(rows, wordRows(AsClass, spec.PacketClasses(), classDocs, "")...)
	rows = append(rows, wordRows(AsAllow, spec.Sanitizers(), allowDocs, "")...)
	rows = append(rows, Row{Word: "profile", In: InAssume, Usage: "VALUE", Doc: "all dials at once, by the name of a profile"})
	for _, d := range spec.Dials {
		rows = append(rows, Row{Word: d.Name, In: InAssume, Usage: "VALUE", Doc: d.Doc, Fact: d.Fact})
	}
	for _, p := range spec.Profiles {
		rows = append(rows, Row{Word: p.Name, In: AsProfile, Doc: p.Doc})
	}
	return rows
}
