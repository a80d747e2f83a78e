// Package axiom is the second opinion: it says by relations alone what package
// spec says by rules. Both are written from PROTOCOL.md, and neither from the
// other.
//
// It answers three questions about small programs, each with the exact set that
// the search must find too: in which orders can completions be written or polled
// ([Orders]), what can READs, ATOMICs and receives observe ([Outcomes]), and how
// can a run end when a QP fails ([Endings]). And it judges one finished run of
// any scenario by the guarantees that every run keeps ([Judge]).
//
// An execution is a set of events: a WR is posted, its request leaves, arrives
// and is executed, the response leaves and arrives, the CQE is written and
// polled. An axiom says that one event comes before another, always or in one
// of several ways; what no axiom orders comes in any order, such as the
// completions of the two queues of a QP (F2.7) and of different QPs (F2.8). The
// orders that are allowed are the linear extensions of some execution. Which
// response is lost, and how far the WRs come before a failure, makes different
// executions.
//
// Its one law: no state, no rule, no clock; an answer follows from the axioms
// alone, and every axiom excludes something.
//
// The sets are exact under every profile, without losses or with one, for the
// programs of axiomtest.Programs: up to three WRs, receives posted beforehand,
// messages of one packet, nothing duplicated or overtaken. Not told apart here,
// and so not compared, are combinations of dials that no profile has:
// hca.cpu shared with requester.cqe_delay free, where a response may reach the
// adapter before it is processed, and ackreq other than every. Other losses,
// late receives, long messages, SRQs and teardown are left to [Judge].
package axiom
