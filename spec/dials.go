package spec

// A Dial is a freedom that the specification leaves to implementations, or a
// known device's variant of a rule (PROTOCOL 9.3).
type Dial struct {
	Name         string
	Values       []string // the first letter of a value that is a number: "1…" also allowed if Number
	Number       bool     // a positive integer is a value too
	IBA          string   // default: the weakest reading of the specification
	ArrivalOrder string   // the kindest HCA
	Fact         string   // where it comes from
	Doc          string   // one line
}

// Dials is the table of all dials, in the order they are reported.
var Dials = []Dial{
	{"ack.order_vs_recv_cqe", []string{"before", "after", "free"}, false, "free", "before", "F1.17(2)", "when the ACK leaves, relative to the recv CQE of its message"},
	{"ack.order_vs_own_requests", []string{"ack_first", "free"}, false, "free", "ack_first", "F1.17(3)", "whether own requests wait until owed ACKs have left"},
	{"ack.coalesce", []string{"none", "unbounded"}, true, "unbounded", "none", "F1.16", "how many owed ACKs may be merged into one"},
	{"ack.on_duplicate", []string{"last_executed", "own", "free"}, false, "free", "last_executed", "F1.15", "which PSN the ACK of a duplicate carries"},
	{"ackreq", []string{"every", "last", "per_wr"}, false, "every", "every", "F1.8", "which messages ask for an ACK"},
	{"requester.cqe_delay", []string{"none", "free"}, false, "free", "none", "F1.36, F7.3", "whether CQEs may be written later than the packets that caused them"},
	{"requester.lax_read", []string{"off", "on"}, false, "off", "off", "F1.25", "a device bug: an ACK completes a READ"},
	{"read.fetch", []string{"at_accept", "any_time"}, false, "any_time", "at_accept", "F3.6, F1.14", "when a READ looks at the memory it reads"},
	{"placement", []string{"at_execute", "free"}, false, "free", "at_execute", "F2.3, F3.10, F3.11", "when written data becomes visible to the CPU"},
	{"fence.local_inv", []string{"strict", "relaxed"}, false, "relaxed", "strict", "F3.8", "whether LOCAL_INV waits for all earlier WRs without FENCE"},
	{"rnr.counts_as_nak", []string{"yes", "no"}, false, "yes", "yes", "F1.18", "whether an RNR NAK is the outstanding NAK"},
	{"error.older_first", []string{"wait", "flush_all", "free"}, false, "free", "wait", "F2.16", "whether older WQEs get their outcome before a local error is reported; untimed, free is flush_all"},
	{"error.queue_order", []string{"sq_first", "rq_first", "free"}, false, "free", "sq_first", "F2.15", "which queue is flushed first"},
	{"error.acked_unreported", []string{"success", "flush", "free"}, false, "success", "success", "F2.17", "what a WQE that was acknowledged but not reported gets on error"},
	{"srq.fifo", []string{"yes", "no"}, false, "no", "yes", "F2.23", "whether an SRQ is consumed in posting order"},
	{"destroy.purges_cqes", []string{"yes", "no", "free"}, false, "free", "no", "F2.22", "whether destroying a QP deletes its CQEs from the CQ"},
	{"event.last_wqe", []string{"raised", "never"}, false, "raised", "raised", "F2.24", "whether LAST_WQE_REACHED is raised"},
	{"cq.missed_report", []string{"supported", "never"}, false, "supported", "supported", "F4.6", "whether arming reports missed events"},
	{"cq.error_is_solicited", []string{"yes", "receives", "no"}, false, "yes", "yes", "F4.1, F7.12", "which error CQEs fire a solicited-only arm: all, those of receives, none"},
	{"retry_cnt_7", []string{"seven", "infinite"}, false, "seven", "seven", "F1.33", "what retry_cnt 7 means"},
	{"hca.cpu", []string{"own", "shared"}, false, "own", "own", "F7.2, M1, M4", "whether the HCA's work runs on the programs' CPU, ahead of them"},
	{"fence.lift", []string{"all", "first_read"}, false, "all", "all", "F3.7; siw before b43a76f423aa", "a device bug: a fence ends with the first READ that completes, not with all"},
	{"atomic.saved", []string{"yes", "no"}, false, "yes", "yes", "F1.14", "a device bug: a duplicate ATOMIC is executed again, no result is saved"},
	{"cq.rearm", []string{"keeps", "loses"}, false, "keeps", "keeps", "F4.2; mana before rdma-core 1796", "a device bug: arming an armed CQ again disarms it"},
	{"cq.arm_index", []string{"current", "stale"}, false, "current", "current", "F4.1; openucx/ucx 11728", "a device bug: an arm after polls carries an old consumer index and has no effect"},
	{"transport", []string{"RC"}, false, "RC", "RC", "F1.1", "the transport service"},
}

// A Profile is a named set of dial values.
type Profile struct {
	Name  string
	Doc   string
	Dials map[string]string // what differs from iba
}

// Profiles is the table of profiles, the default first.
var Profiles = []Profile{
	{"iba", "what the specification leaves open is open", nil},
	{"arrival_order", "the kindest HCA: CQEs in the order the packets came", nil}, // filled from Dials
	{"rxe", "Linux soft-RoCE on one CPU, as of 6.1", rxeOn("shared", "none")},
	{"rxe_smp", "the same on several CPUs (M4)", rxeOn("own", "free")},
	{"qib", "QLogic's software RC: qib with rdmavt", map[string]string{
		"ack.order_vs_recv_cqe": "after", "ack.on_duplicate": "last_executed", "placement": "at_execute", "error.queue_order": "rq_first",
		"srq.fifo": "yes", "destroy.purges_cqes": "no"}},
	{"pib", "the pseudo InfiniBand HCA", map[string]string{
		"ack.order_vs_recv_cqe": "after", "ack.order_vs_own_requests": "ack_first", "ack.on_duplicate": "own", "requester.cqe_delay": "none",
		"placement": "at_execute", "rnr.counts_as_nak": "no", "error.older_first": "wait", "error.queue_order": "sq_first",
		"destroy.purges_cqes": "yes"}},
}

// rxeOn returns the dials of Linux soft-RoCE (PROTOCOL 7 and 11). On one CPU its
// work runs ahead of the programs that its completions wake, and none is late;
// docs/profiles.md says where each value comes from.
func rxeOn(cpu, cqeDelay string) map[string]string {
	return map[string]string{
		"ack.order_vs_recv_cqe": "after", "ack.coalesce": "none", "ack.on_duplicate": "last_executed", "requester.cqe_delay": cqeDelay,
		"read.fetch": "at_accept", "placement": "at_execute", "fence.local_inv": "strict", "rnr.counts_as_nak": "no",
		"error.older_first": "flush_all", "srq.fifo": "yes", "destroy.purges_cqes": "no", "event.last_wqe": "never",
		"cq.error_is_solicited": "receives", "retry_cnt_7": "infinite", "hca.cpu": cpu}
}
