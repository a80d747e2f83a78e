package scenario

import (
	"slices"
	"strings"
	"testing"
)

// TestRows: every row says what it means, no two have one word in one place,
// and every place is one where something stands.
func TestRows(t *testing.T) {
	seen := map[Where][]string{}
	for _, r := range Table() {
		if r.Doc == "" || strings.HasSuffix(r.Doc, ".") {
			t.Errorf("%s, %s: doc is %q", r.Word, r.In, r.Doc)
		}
		for i := range whereNames {
			in := Where(1 << i)
			if r.In&in == 0 {
				continue
			}
			for _, w := range append(strings.Fields(r.Also), r.Word) {
				if slices.Contains(seen[in], w) {
					t.Errorf("`%s` is twice %s", w, in)
				}
				seen[in] = append(seen[in], w)
			}
		}
	}
	for i, name := range whereNames {
		if len(seen[1<<i]) == 0 {
			t.Errorf("nothing stands %s", name)
		}
	}
}

func TestShortNames(t *testing.T) {
	for long, short := range map[string]string{
		"ibv_post_send": "post_send", "ib_post_send": "post_send", "ibv_poll_cq": "poll_cq", "ibv_req_notify_cq": "req_notify_cq",
		"IBV_WR_SEND_WITH_IMM": "SEND_WITH_IMM", "IB_WR_REG_MR": "REG_MR", "IBV_SEND_SIGNALED": "SIGNALED", "IB_SEND_FENCE": "FENCE",
		"IBV_WC_WR_FLUSH_ERR": "WR_FLUSH_ERR", "IBV_WC_RECV": "RECV", "IBV_QPS_RTS": "RTS", "IBV_QPT_RC": "RC", "IB_CQ_SOLICITED": "SOLICITED",
		"IB_CQ_REPORT_MISSED_EVENTS": "REPORT_MISSED_EVENTS", "IBV_ACCESS_REMOTE_WRITE": "REMOTE_WRITE", "IBV_EVENT_COMM_EST": "COMM_EST",
		"IBV_EVENT_QP_LAST_WQE_REACHED": "LAST_WQE_REACHED", "IBV_EVENT_QP_ACCESS_ERR": "QP_ACCESS_ERR", "IBV_MTU_1024": "1024",
		"ibv_nothing": "ibv_nothing", "ib_q": "ib_q", "S1": "S1",
	} {
		if got := shortName(long); got != short {
			t.Errorf("%s becomes %s, want %s", long, got, short)
		}
	}
	if rows := Doc("IBV_WC_SEND"); len(rows) != 3 {
		t.Errorf("SEND stands in %d places, want as opcode, as opcode of a completion and as packet class", len(rows))
	}
}

// TestEveryRowIsUsed: testdata/all.ibl says every statement, attribute,
// option, opcode and function, so that all of them are read, built and
// formatted by the other tests.
func TestEveryRowIsUsed(t *testing.T) {
	f, errs := Load("testdata/all.ibl")
	if errs != nil {
		t.Fatal(errs.Err())
	}
	used := map[string]bool{}
	for _, s := range f.Stmts {
		s.each(func(tok *Token) {
			for _, part := range strings.Split(tok.Text, ".") {
				used[part] = true
			}
			used[tok.Text] = true
		})
	}
	enumerated := AsStatus | AsWCOpcode | AsState | AsEvent | AsClass | AsAllow | AsProfile | AsVerdict | InAssume
	for _, r := range Table() {
		if r.In&enumerated == 0 && !used[r.Word] && r.Word != "PROPERTY" && r.Word != "import" {
			t.Errorf("testdata/all.ibl does not use `%s`, which stands %s", r.Word, r.In)
		}
	}
}
