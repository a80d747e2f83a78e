package scenarios

// A Group is a folder of the catalogue.
type Group struct {
	Name string // of the folder
	Doc  string // what its scenarios have in common
}

// Groups lists the groups in the order in which they are best read.
var Groups = []Group{
	{"seed", "the mail of 2015 that this program begins with"},
	{"variants", "the seed's question under every cause that can break its order, alone and together"},
	{"measured", "runs that were measured on soft-RoCE, and what the model says of them"},
	{"reply", "the answer overtakes the send completion of the question"},
	{"establish", "traffic before the connection is established"},
	{"arming", "arming, events, lost wake-ups"},
	{"capacity", "queues that are too short, and what was signaled"},
	{"memory", "memory and keys given up too early; cancel and time-outs"},
	{"visibility", "fences, and when written data is seen"},
	{"teardown", "flush, drain, destroy"},
	{"receive", "receive credits and RNR"},
	{"device", "atomics and failover"},
	{"questions", "questions that users asked: is this guaranteed before that?"},
	{"profiles", "where implementations differ"},
	{"sanitizers", "each sanitizer, fired and nearly fired"},
	{"mutants", "rules of the protocol; each file notices a wrong one"},
}

// A Feature is a word that scenarios have as a tag: what somebody has to use to
// meet the case.
type Feature struct {
	Name string
	Doc  string
}

// Features lists the tags that scenarios may have, the most general first.
var Features = []Feature{
	{"write", "RDMA WRITE and the memory of its target"},
	{"rc_ack", "acknowledgements, losses, timeouts, resends and duplicates of RC"},
	{"buf_own", "who owns a buffer or a request: when it may be used again"},
	{"liveness", "waits that never end"},
	{"qp_err", "the QP in ERR, exhausted retries, outcomes that are not known"},
	{"flush", "flush completions and drain markers"},
	{"multi_qp", "several QPs or rails, or a shared CQ"},
	{"mr_life", "keys: registration, invalidation, deregistration"},
	{"read", "RDMA READ, also as an acknowledgement"},
	{"wrid", "which request a completion belongs to"},
	{"cm", "connection establishment and disconnect on a channel of their own"},
	{"threads", "threads of one host against each other"},
	{"rq_rnr", "receives that are missing or too small, RNR NAK"},
	{"qp_destroy", "destroying or resetting a QP, and what it leaves behind"},
	{"unsig", "unsignaled work requests"},
	{"imm", "receives with side data: WRITE_WITH_IMM, SEND_WITH_INV"},
	{"credits", "credits or windows that messages carry"},
	{"sq_cap", "the depth of the send queue and its slots"},
	{"cq_arm", "arming, event channels, sleeping"},
	{"ack_delay", "ACKs and CQEs that are late with no loss"},
	{"timeout", "timers of the application, cancel, abort"},
	{"placement", "data that is accepted but not visible yet"},
	{"dev_variant", "a device that breaks a rule"},
	{"ooo", "packets or data out of order"},
	{"sep_cq", "two CQs, polled in any order"},
	{"fence", "the fence of the send queue"},
	{"atomic", "atomics"},
	{"cq_cap", "the depth of the CQ and its overrun"},
	{"iwarp", "seen on iWARP"},
	{"srq", "shared receive queues"},
	{"async_ev", "asynchronous events"},
	{"batch", "several completions taken at once"},
	{"ud", "seen on UD"},
	{"ev_ack", "acknowledging events"},
	{"multi_node", "three nodes or more"},
	{"wc_valid", "which fields of an error completion count"},
	{"sanitizer", "a check that is always on"},
	{"profile", "what profiles differ in"},
}
