package scenario

import "github.com/ibcheck/ibcheck/spec"

// fileRows are the statements of the top level and of litmus.
var fileRows = []Row{
	{Word: "litmus", In: InFile, Usage: "STRING {…}", body: InLitmus, Doc: "names the scenario and says what it is about"},
	{Word: "doc", In: InLitmus, Usage: "STRING,…", Doc: "what the scenario shows"},
	{Word: "ref", In: InLitmus, Usage: "STRING,…", flags: many, Doc: "where the case comes from: a mail, a commit, an issue"},
	{Word: "spec", In: InLitmus, Usage: "STRING,…", flags: many, Doc: "the clauses of the specification that decide it"},
	{Word: "tags", Also: "tag", In: InLitmus, Usage: "WORD,…", flags: many, Doc: "words to find the scenario by"},
	{Word: "node", In: InFile, Usage: "NAME {…}", body: InNode, declares: symNode, flags: many, Doc: "a host with one HCA; statements in it are its main thread"},
	{Word: "replicate", In: InFile | InNode, Usage: "INT DECLARATION", lo: 1, hi: 16, flags: many,
		Doc: "writes a declaration out as NAME0, NAME1, …; `*` in a name stands for each number"},
	{Word: "connect", In: InFile, Usage: "NODE.QP <-> NODE.QP", flags: many, Doc: "pairs two QPs"},
	{Word: "channel", In: InFile, Usage: "NAME NODE -> NODE", declares: symOOB, flags: many,
		Doc: "an out-of-band channel: reliable, ordered, independent of the QPs"},
	{Word: "param", In: InFile, Usage: "NAME = VALUE", declares: symParam, flags: many, Doc: "a value that check with and vary may change"},
	{Word: "check", In: InFile, Usage: "with BINDINGS {…}", body: InVariant, flags: many, Doc: "a variant of the file: other params, other verdicts"},
	{Word: "vary", In: InFile, Usage: "AXES", flags: many, Doc: "what `ibcheck vary` tries: budgets, dials, profile, params"},
	{Word: "import", In: InFile, Usage: "STRING", flags: many, Doc: "takes in the statements of another file, whose litmus is left out"},
	{Word: "assume", In: InFile, Usage: "{…}", body: InAssume, flags: many, Doc: "chooses what the specification leaves to implementations"},
	{Word: "faults", In: InFile, Usage: "{…}", body: InFaults, flags: many, Doc: "what may go wrong, and how often; nothing else does"},
	{Word: "allow", In: InFile, Usage: "CHECK,…", flags: many, Doc: "turns a sanitizer off"},
	{Word: "assert", In: InFile, Usage: "NAME : PROP [ expect VERDICT [ faults INT ] ]", declares: symProp, lo: 0, hi: 64, flags: many,
		Doc: "a property that should hold; expect says whether it does, and with how few faults it breaks"},
	{Word: "reach", In: InFile, Usage: "NAME : EXPR [ expect VERDICT [ faults INT ] ]", declares: symProp, lo: 0, hi: 64, flags: many,
		Doc: "asks whether a state with the expression true can be reached"},
	{Word: "PROPERTY", In: InVariant, Usage: "VERDICT [ faults INT ]", lo: 0, hi: 64, flags: many, Doc: "the verdict this property has in the variant"},
}

// nodeRows are the declarations of a node and their attributes.
var nodeRows = []Row{
	{Word: "cq", In: InNode, Usage: "NAME,… [ {…} ]", body: InCQ, declares: symCQ, flags: many, Doc: "completion queues"},
	{Word: "qp", In: InNode, Usage: "NAME,… {…}", body: InQP, declares: symQP, flags: many, Doc: "queue pairs"},
	{Word: "srq", In: InNode, Usage: "NAME,… [ {…} ]", body: InSRQ, declares: symSRQ, flags: many, Doc: "shared receive queues"},
	{Word: "mr", In: InNode, Usage: "NAME,… [ {…} ]", body: InMR, declares: symMR, flags: many, Doc: "memory regions"},
	{Word: "comp_channel", In: InNode, Usage: "NAME,…", declares: symCh, flags: many, Doc: "completion channels"},
	{Word: "var", In: InNode, Usage: "NAME [ = INT ] [ in INT .. INT ]", lo: -1000, hi: 1000, declares: symVar, flags: many,
		Doc: "a small counter of the node; its range is 0..15 unless given"},
	{Word: "thread", In: InNode, Usage: "NAME {…}", body: InProgram, declares: symThread, flags: many, Doc: "statements that run beside the main thread"},
	{Word: "on", In: InNode, Usage: "X.wc [ as WC ] {…}", body: InProgram, flags: many,
		Doc: "runs when a poll returns the WR, or any completion of the cq; the completion is `wc` unless named"},

	{Word: "depth", Also: "cqe", In: InCQ, Usage: "INT", lo: 1, hi: 4096, Doc: "entries; without it, enough for everything posted"},
	{Word: "channel", In: InCQ, Usage: "COMP_CHANNEL", Doc: "completion channel that gets the events"},

	{Word: "max_wr", In: InSRQ, Usage: "INT", lo: 1, hi: 4096, Doc: "receives it can hold; without it, enough"},
	{Word: "limit", Also: "srq_limit", In: InSRQ, Usage: "INT", lo: 0, hi: 4096, Doc: "low-water mark armed at the start, 0: none", Fact: "F2.25"},

	{Word: "length", In: InMR, Usage: "INT", lo: 1, hi: 1 << 20, Doc: "bytes; 64 if not given"},
	{Word: "access", In: InMR, Usage: "ACCESS,…", flags: many, Doc: "what may be done to it from outside", Fact: "F8.12"},
	{Word: "units", In: InMR, Usage: "INT", lo: 1, hi: 4, Doc: "parts whose placement is told apart; 1 if not given", Fact: "F3.13"},
	{Word: "unregistered", In: InMR, Usage: "", Doc: "has no key until reg_mr or REG_MR gives it one"},
	{Word: "init", In: InMR, Usage: "INT", lo: 0, hi: 255, Doc: "abstract value it holds at first; 0 if not given"},
}

// qpRows are the attributes of a QP, named as in ibv_qp_init_attr and
// ibv_qp_attr (F8.8).
var qpRows = []Row{
	{Word: "qp_type", In: InQP, Usage: "TYPE", Doc: "transport service; RC if not given", Fact: "F8.7"},
	{Word: "send_cq", In: InQP, Usage: "CQ", Doc: "cq of its send queue"},
	{Word: "recv_cq", In: InQP, Usage: "CQ", Doc: "cq of its receive queue"},
	{Word: "srq", In: InQP, Usage: "SRQ", Doc: "shared receive queue it takes receives from; `none`: a queue of its own"},
	{Word: "sq_sig_all", In: InQP, Usage: "[ INT ]", flags: boolean, Doc: "every send is signaled", Fact: "F2.10"},
	{Word: "max_send_wr", In: InQP, Usage: "INT", lo: 1, hi: 4096, Doc: "slots of the send queue; without it, enough"},
	{Word: "max_recv_wr", In: InQP, Usage: "INT", lo: 1, hi: 4096, Doc: "slots of the receive queue; without it, enough"},
	{Word: "path_mtu", Also: "mtu", In: InQP, Usage: "INT", lo: 256, hi: 4096, Doc: "bytes a packet: 256, 512, 1024, 2048 or 4096; 1024 if not given"},
	{Word: "timeout", In: InQP, Usage: "INT", lo: 0, hi: 31, Doc: "transport timer; 0: none; 1 if not given (only the difference from 0 matters)", Fact: "F1.31"},
	{Word: "retry_cnt", In: InQP, Usage: "INT", lo: 0, hi: 7, Doc: "recoveries without progress before RETRY_EXC_ERR; 2 if not given", Fact: "F1.33"},
	{Word: "rnr_retry", In: InQP, Usage: "INT", lo: 0, hi: 7, Doc: "RNR recoveries before RNR_RETRY_EXC_ERR; 7, infinite, if not given", Fact: "F1.34"},
	{Word: "min_rnr_timer", In: InQP, Usage: "INT", lo: 0, hi: 31, Doc: "how long an RNR NAK asks the requester to wait", Fact: "F1.18"},
	{Word: "max_rd_atomic", In: InQP, Usage: "INT", lo: 1, hi: 16, Doc: "READs and ATOMICs outstanding as requester; 1 if not given", Fact: "F1.10"},
	{Word: "max_dest_rd_atomic", In: InQP, Usage: "INT", lo: 1, hi: 16, Doc: "READs and ATOMICs served as responder; 1 if not given", Fact: "F1.20"},
	{Word: "state", Also: "qp_state", In: InQP, Usage: "STATE", Doc: "state at the start; RTS if not given", Fact: "F8.5"},
}

// programRows are the statements of a program.
var programRows = []Row{
	{Word: "post_send", In: InProgram, Usage: "QP WR OPCODE OPTIONS", options: InSend, op: spec.OpPostSend,
		Doc: "posts a work request to the send queue", Fact: "F8.1"},
	{Word: "post_recv", In: InProgram, Usage: "QP WR OPTIONS", options: InRecv, op: spec.OpPostRecv,
		Doc: "posts a receive to the receive queue"},
	{Word: "post_srq_recv", In: InProgram, Usage: "SRQ WR OPTIONS", options: InRecv, op: spec.OpPostRecv,
		Doc: "posts a receive to a shared receive queue", Fact: "F2.23"},
	{Word: "poll_cq", In: InProgram, Usage: "CQ [ as WC ] [ {…} ] [ else {…} ]", op: spec.OpPollCQ, flags: polls,
		Doc: "takes at most one completion, which is `wc` in the block unless named; does not block"},
	{Word: "drain", In: InProgram, Usage: "CQ [ as WC ] [ {…} ]", op: spec.OpDrain, flags: polls | noAtomic, Doc: "polls until the cq is empty"},
	{Word: "wait", In: InProgram, Usage: "EXPR", op: spec.OpWait, flags: blocks, Doc: "blocks until the expression is true"},
	{Word: "set", In: InProgram, Usage: "VAR = EXPR", op: spec.OpSet, Doc: "gives a var a value"},
	{Word: "count", In: InProgram, Usage: "VAR", op: spec.OpCount, Doc: "adds one to a var; a name nobody declared becomes one"},
	{Word: "if", In: InProgram | InAssume | InFaults, Usage: "EXPR {…} [ else {…} ]", op: spec.OpIf, flags: many,
		Doc: "chooses by an expression, in assume and faults one over params"},
	{Word: "either", In: InProgram, Usage: "{…} or {…} [ or {…} ]…", op: spec.OpEither, flags: blocks,
		Doc: "chooses freely: an application timer, a slow disk"},
	{Word: "loop", In: InProgram, Usage: "{…}", op: spec.OpLoop, flags: noAtomic, Doc: "repeats for ever"},
	{Word: "repeat", In: InProgram, Usage: "INT {…}", lo: 0, hi: 64, op: spec.OpRepeat, Doc: "repeats so often"},
	{Word: "stop", In: InProgram, Usage: "", op: spec.OpStop, Doc: "ends the thread"},
	{Word: "atomic", In: InProgram, Usage: "{…}", op: spec.OpAtomic, flags: noAtomic, Doc: "makes one step of the statements; only the first may block"},
	{Word: "lock", Also: "mutex_lock spin_lock", In: InProgram, Usage: "LOCK", op: spec.OpLock, flags: blocks, Doc: "takes a lock of the node, which needs no declaration"},
	{Word: "unlock", Also: "mutex_unlock spin_unlock", In: InProgram, Usage: "LOCK", op: spec.OpUnlock, Doc: "gives a lock back"},
	{Word: "tell", In: InProgram, Usage: "CHANNEL MESSAGE", op: spec.OpTell, Doc: "sends a message on an out-of-band channel"},
	{Word: "hear", In: InProgram, Usage: "CHANNEL MESSAGE", op: spec.OpHear, flags: blocks, Doc: "blocks until the next message on the channel is this one"},
	{Word: "req_notify_cq", In: InProgram, Usage: "CQ OPTIONS [ {…} ]", options: InNotify, op: spec.OpReqNotify,
		Doc: "arms the cq for one event; the block runs if completions may have been missed", Fact: "F4.1, F4.6"},
	{Word: "get_cq_event", In: InProgram, Usage: "COMP_CHANNEL [ as CQNAME ]", op: spec.OpGetEvent, flags: blocks,
		Doc: "blocks until the channel has an event; the name stands for its cq", Fact: "F4.3"},
	{Word: "ack_cq_events", In: InProgram, Usage: "CQ INT", lo: 1, hi: 64, op: spec.OpAckEvents, Doc: "acknowledges events, without which the cq cannot be destroyed", Fact: "F4.7"},
	{Word: "modify_qp", In: InProgram, Usage: "QP STATE", op: spec.OpModifyQP, Doc: "moves the QP to a state", Fact: "F2.19"},
	{Word: "destroy_qp", In: InProgram, Usage: "QP", op: spec.OpDestroyQP, Doc: "destroys the QP; what is left in it is discarded", Fact: "F2.22"},
	{Word: "create_qp", In: InProgram, Usage: "QP", op: spec.OpCreateQP, Doc: "creates a destroyed QP again, perhaps with its old number"},
	{Word: "destroy_cq", In: InProgram, Usage: "CQ", op: spec.OpDestroyCQ, flags: blocks, Doc: "destroys the cq, once its events are acknowledged", Fact: "F4.7"},
	{Word: "drain_sq", In: InProgram, Usage: "QP", op: spec.OpDrainSQ, flags: blocks, Doc: "moves the QP to ERR and waits for the flush CQE of a marker in the send queue", Fact: "F2.27"},
	{Word: "drain_rq", In: InProgram, Usage: "QP", op: spec.OpDrainRQ, flags: blocks, Doc: "the same for the receive queue", Fact: "F2.27"},
	{Word: "drain_qp", In: InProgram, Usage: "QP", op: spec.OpDrainQP, flags: blocks, Doc: "drain_sq, then drain_rq", Fact: "F2.27"},
	{Word: "get_async_event", In: InProgram, Usage: "OBJECT EVENT", op: spec.OpGetAsync, flags: blocks, Doc: "blocks until the asynchronous event was raised", Fact: "F8.11"},
	{Word: "arm_srq", Also: "modify_srq", In: InProgram, Usage: "SRQ INT", lo: 1, hi: 4096, op: spec.OpArmSRQ,
		Doc: "arms the low-water mark, as ibv_modify_srq with IBV_SRQ_LIMIT does", Fact: "F2.25"},
	{Word: "free", In: InProgram, Usage: "MR", op: spec.OpFree, Doc: "gives the memory back; an HCA access from now on is a use after free"},
	{Word: "alloc", In: InProgram, Usage: "MR", op: spec.OpAlloc, Doc: "takes freed memory again"},
	{Word: "read", In: InProgram, Usage: "MR", op: spec.OpRead, Doc: "the program looks at the memory"},
	{Word: "write", In: InProgram, Usage: "MR INT", lo: 0, hi: 255, op: spec.OpWrite, Doc: "the program stores a value in the memory"},
	{Word: "reg_mr", In: InProgram, Usage: "MR", op: spec.OpRegMR, Doc: "registers the memory, which gives it a key"},
	{Word: "dereg_mr", In: InProgram, Usage: "MR", op: spec.OpDeregMR, Doc: "deregisters the memory; its key is dead"},
	{Word: "invalidate", In: InProgram, Usage: "MR", op: spec.OpInvalidate, Doc: "kills the key, the memory stays registered"},
	{Word: "bug_on", Also: "BUG_ON", In: InProgram, Usage: "EXPR", op: spec.OpAssertHere, Doc: "the program's own assertion: fails where the expression is true"},
	{Word: "check", In: InProgram, Usage: "EXPR", op: spec.OpAssertHere, Doc: "the program's own assertion: fails where the expression is false"},
}

// optionRows are what may follow a post or req_notify_cq.
var optionRows = []Row{
	{Word: "SIGNALED", In: InSend, Doc: "a success CQE is wanted", Fact: "F2.10"},
	{Word: "FENCE", In: InSend, Doc: "starts after all earlier READs and ATOMICs of the queue", Fact: "F3.7"},
	{Word: "INLINE", In: InSend, Doc: "the data is copied at the post", Fact: "F2.13"},
	{Word: "SOLICITED", In: InSend, Doc: "its receive completion fires a solicited-only arm", Fact: "F4.1"},
	{Word: "sg", Also: "sg_list", In: InSend | InRecv, Usage: "[MR,…]", Doc: "the memory it gathers from or scatters to"},
	{Word: "remote", In: InSend, Usage: "NODE.MR", Doc: "the peer's memory"},
	{Word: "length", In: InSend | InRecv, Usage: "INT", lo: 1, hi: 1 << 20, Doc: "bytes; without it one packet, or for a receive large enough"},
	{Word: "key", Also: "invalidate_rkey", In: InSend, Usage: "KEY", Doc: "the mr whose key is invalidated"},
	{Word: "compare", In: InSend, Usage: "INT", lo: 0, hi: 255, Doc: "value that ATOMIC_CMP_AND_SWP compares with"},
	{Word: "swap", In: InSend, Usage: "INT", lo: 0, hi: 255, Doc: "value that ATOMIC_CMP_AND_SWP stores"},
	{Word: "add", In: InSend, Usage: "INT", lo: 0, hi: 255, Doc: "value that ATOMIC_FETCH_AND_ADD adds"},
	{Word: "SOLICITED", In: InNotify, Doc: "only for a solicited receive or an error", Fact: "F4.1"},
	{Word: "NEXT_COMP", In: InNotify, Doc: "for any completion, as without it"},
	{Word: "REPORT_MISSED_EVENTS", In: InNotify, Doc: "as a block after it says; the flag may be left out", Fact: "F4.6"},
}

// opcodeRows are the opcodes of a post_send.
var opcodeRows = []Row{
	{Word: "SEND", takes: "sg length INLINE SOLICITED", Doc: "a message; takes a receive of the peer"},
	{Word: "SEND_WITH_IMM", takes: "sg length INLINE SOLICITED", Doc: "a message with immediate data"},
	{Word: "RDMA_WRITE", takes: "sg length remote INLINE", must: "remote", Doc: "writes the peer's memory; takes no receive", Fact: "F1.21"},
	{Word: "RDMA_WRITE_WITH_IMM", takes: "sg length remote INLINE SOLICITED", Doc: "writes the peer's memory and takes a receive", Fact: "F1.21"},
	{Word: "RDMA_READ", takes: "sg length remote", must: "remote", Doc: "reads the peer's memory", Fact: "F3.6"},
	{Word: "ATOMIC_CMP_AND_SWP", takes: "sg remote compare swap", must: "remote compare swap", Doc: "swaps a value of the peer's if it is as expected", Fact: "F3.14"},
	{Word: "ATOMIC_FETCH_AND_ADD", takes: "sg remote add", must: "remote add", Doc: "adds to a value of the peer's", Fact: "F3.14"},
	{Word: "SEND_WITH_INV", takes: "sg length key INLINE SOLICITED", must: "key", Doc: "a message that invalidates a key of the peer", Fact: "F3.9"},
	{Word: "LOCAL_INV", takes: "key", must: "key", Doc: "invalidates a key of the node's own", Fact: "F3.8"},
	{Word: "REG_MR", Usage: "MR", Doc: "registers memory through the queue, as the kernel's fast registration does", Fact: "F1.5"},
	{Word: "BIND_MW", Usage: "MR", Doc: "binds a memory window to memory", Fact: "F3.2"},
}

// faultRows are the budgets.
var faultRows = []Row{
	{Word: "drop", In: InFaults, Usage: "( CLASS ) <= INT [ on NODE.QP ]", flags: many, Doc: "packets that are lost"},
	{Word: "dup", In: InFaults, Usage: "( CLASS ) <= INT [ on NODE.QP ]", flags: many, Doc: "packets that arrive twice"},
	{Word: "reorder", In: InFaults, Usage: "( CLASS [ , CLASS ] ) <= INT [ on NODE.QP ]", flags: many, Doc: "packets of the first class that one of the second overtakes"},
	{Word: "corrupt", In: InFaults, Usage: "( CLASS ) <= INT [ on NODE.QP ]", flags: many, Doc: "packets that arrive with a wrong checksum, and are dropped there"},
	{Word: "early_timeout", In: InFaults, Usage: "<= INT [ on NODE.QP ]", flags: many, Doc: "transport timers that expire although an answer is on its way", Fact: "F1.31"},
	{Word: "kill", In: InFaults, Usage: "( NODE.QP ) <= INT", flags: many, Doc: "the QP goes to ERR of itself, at any moment"},
}
