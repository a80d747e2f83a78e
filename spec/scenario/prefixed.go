package scenario

import "strings"

// longPrefixes gives, by place, what libibverbs and the kernel put before the
// words of a table.
var longPrefixes = []struct {
	in           Where
	user, kernel string
}{
	{InProgram, "ibv_", "ib_"}, {AsOpcode, "IBV_WR_", "IB_WR_"}, {InSend, "IBV_SEND_", "IB_SEND_"}, {AsStatus, "IBV_WC_", "IB_WC_"},
	{AsWCOpcode, "IBV_WC_", "IB_WC_"}, {AsState, "IBV_QPS_", "IB_QPS_"}, {AsEvent, "IBV_EVENT_", "IB_EVENT_"},
	{AsAccess, "IBV_ACCESS_", "IB_ACCESS_"}, {AsType, "IBV_QPT_", "IB_QPT_"}, {InNotify, "", "IB_CQ_"},
}

// Words that only one of the two interfaces has, or that no interface has.
var (
	onlyUser   = "get_cq_event ack_cq_events get_async_event reg_mr"
	onlyKernel = "drain_sq drain_rq drain_qp"
	verbs      = "post_send post_recv post_srq_recv poll_cq req_notify_cq modify_qp destroy_qp create_qp destroy_cq dereg_mr " + onlyUser + " " + onlyKernel
)

// LongNames returns what a word is called in libibverbs and in the kernel; ""
// where that interface has no such name.
func (r *Row) LongNames() (user, kernel string) {
	if r.Word == "arm_srq" {
		return "ibv_modify_srq", "ib_modify_srq"
	}
	has := func(list string) bool { return contains(list, r.Word) }
	for _, p := range longPrefixes {
		if r.In&p.in == 0 || p.in == InProgram && !has(verbs) || p.in == InSend && r.Usage != "" || r.Word == "DESTROYED" {
			continue
		}
		word := r.Word
		if p.in == AsEvent && has("LAST_WQE_REACHED") {
			word = "QP_" + word
		}
		if p.user != "" && !has(onlyKernel) && (r.Word != "REG_MR" || p.in == InProgram) {
			user = p.user + word
		}
		if !has(onlyUser) {
			kernel = p.kernel + word
		}
	}
	return user, kernel
}

// contains reports whether a word is in a list separated by blanks.
func contains(list, word string) bool {
	return strings.Contains(" "+list+" ", " "+word+" ")
}
