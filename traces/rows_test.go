package traces

import (
	"reflect"
	"testing"
)

// TestRows pins the rows of the seed as data.
func TestRows(t *testing.T) {
	l := Layout(seed(), seedOptions)
	if l.Steps() != 8 {
		t.Errorf("%d steps, want 8", l.Steps())
	}
	type brief struct {
		Cause              int
		Lane, Action       string
		Fault              string
		Src, Dst, PSN, CQE string
		Events             []int
	}
	want := []brief{
		{0, "host app", "post_send S1", "", "", "", "", "", []int{0}},
		{1, "host HCA", "SEND_ONLY S1 psn=h0 AckReq", "", "host", "target", "h0", "", []int{1, 2, 3}},
		{2, "target HCA", "ACK h0 msn=1, lost", "drop(ACK) 1/1", "target", "host", "h0", "", []int{4, 5}},
		{3, "target HCA", "CQE R1 RECV, polled", "", "", "", "", "R1", []int{6, 7}},
		{4, "target app", "post_send S2", "", "", "", "", "", []int{8}},
		{5, "target HCA", "SEND_ONLY S2 psn=t0 AckReq", "", "target", "host", "t0", "", []int{9, 10, 11}},
		{6, "host HCA", "ACK t0 msn=1", "", "host", "target", "t0", "", []int{12, 14, 15}},
		{7, "host HCA", "CQE R2 RECV", "", "", "", "", "R2", []int{13, 27}},
	}
	for n, row := range l.Rows() {
		if n >= len(want) {
			if !row.Epilogue {
				t.Errorf("row %d is not of the epilogue", n+1)
			}
			continue
		}
		got := brief{row.Cause, row.Lane, row.Action, row.Fault, row.Src, row.Dst, row.PSN, "", row.Events}
		if row.CQE != nil {
			got.CQE = row.CQE.WR
		}
		if !reflect.DeepEqual(got, want[n]) {
			t.Errorf("row %d is %+v, want %+v", n+1, got, want[n])
		}
	}
}
