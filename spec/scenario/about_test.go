package scenario

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/spec"
)

// TestAbout pins what is told about everything in a file that uses everything.
func TestAbout(t *testing.T) {
	f, errs := Load("testdata/all.ibl")
	if errs != nil {
		t.Fatal(errs.Err())
	}
	var got strings.Builder
	for _, thing := range f.Things() {
		fmt.Fprintf(&got, "%s %s\n", thing.Kind, thing.Name)
		for _, line := range f.About(thing) {
			fmt.Fprintf(&got, "  %s\n", line)
		}
	}
	golden(t, "testdata/about.golden", got.String())
}

// TestAboutBrokenFiles: whatever the mistakes, telling about things ends.
func TestAboutBrokenFiles(t *testing.T) {
	src, err := os.ReadFile("testdata/mistakes.ibl")
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, chunk := range strings.Split(string(src), "---\n") {
		f, _ := Parse("testdata/x.ibl", []byte(chunk), Options{ReadFile: os.ReadFile})
		for _, thing := range f.Things() {
			told += len(f.About(thing))
			if len(thing.Names) == 0 || thing.Len == 0 {
				t.Errorf("%s %s at %v has no name", thing.Kind, thing.Name, thing.Pos)
			}
		}
	}
	if told < 200 {
		t.Errorf("%d lines told", told)
	}
}

// TestAt: what stands where.
func TestAt(t *testing.T) {
	src := `connect h.q <-> t.q
node h {
  cq c { depth 4 }
  qp q { send_cq c; recv_cq c }
  post_send q S1 ibv_wr_send IBV_SEND_SIGNALED
}
`
	src = strings.Replace(src, "ibv_wr_send", "IBV_WR_SEND", 1) + `node t { cq c; qp q { send_cq c; recv_cq c }; post_recv q R1 }
assume { profile rxe; ack.coalesce none }
faults { drop(ACK) <= 1 }
allow overflow(cq)
assert a: S1.status == WR_FLUSH_ERR and not h.q.state == ERR expect holds
`
	src = strings.Replace(src, "not h.q.state == ERR", "not (h.q.state == ERR)", 1)
	f, errs := Parse("x.ibl", []byte(src), Options{})
	if errs != nil {
		t.Fatal(errs.Err())
	}
	var got []string
	for i, line := range strings.Split(src, "\n") {
		for col := 1; col <= len(line)+1; col++ {
			s, ok := f.At(spec.Pos{File: "x.ibl", Line: i + 1, Col: col})
			if !ok {
				continue
			}
			text := fmt.Sprintf("%s %s", line[s.Pos.Col-1:s.Pos.Col-1+s.Len], "")
			if s.Row != nil {
				text += s.Row.In.String()
			} else {
				text += s.Name.Thing.Kind
			}
			if len(got) == 0 || got[len(got)-1] != text {
				got = append(got, text)
			}
		}
	}
	want := []string{"connect at the top level", "h node", "q qp", "t node", "q qp", "node at the top level", "h node", "cq in a node", "c cq", "depth in a cq",
		"qp in a node", "q qp", "send_cq in a qp", "c cq", "recv_cq in a qp", "c cq", "post_send in a program", "q qp", "S1 WR", "IBV_WR_SEND as an opcode",
		"IBV_SEND_SIGNALED after a post_send", "node at the top level", "t node", "cq in a node", "c cq", "qp in a node", "q qp", "send_cq in a qp", "c cq",
		"recv_cq in a qp", "c cq", "post_recv in a program", "q qp", "R1 WR", "assume at the top level", "profile in assume", "rxe as a profile",
		"ack.coalesce in assume", "faults at the top level", "drop in faults", "ACK as a packet class", "allow at the top level", "overflow(cq) in allow",
		"assert at the top level", "a property", "S1 WR", "status of a WR", "WR_FLUSH_ERR as a status", "and in an expression", "not in an expression", "h node",
		"q qp", "state of a qp", "ERR as a QP state", "holds after expect"}
	if !slices.Equal(got, want) {
		t.Errorf("along the text stand\n%q, want\n%q", got, want)
	}
}

// TestLongNames: a word's long names are read as the word.
func TestLongNames(t *testing.T) {
	both := 0
	for _, r := range Table() {
		user, kernel := r.LongNames()
		for _, long := range []string{user, kernel} {
			if got := shortName(long); long != "" && got != r.Word && !strings.Contains(r.Also, got) {
				t.Errorf("%s is read as %s, not as %s", long, got, r.Word)
			}
		}
		if user != "" && kernel != "" {
			both++
		}
	}
	if both < 60 {
		t.Errorf("%d words have two long names", both)
	}
	for word, want := range map[string]string{"post_send": "ibv_post_send ib_post_send", "REG_MR": " IB_WR_REG_MR", "drain_sq": " ib_drain_sq",
		"reg_mr": "ibv_reg_mr ", "LAST_WQE_REACHED": "IBV_EVENT_QP_LAST_WQE_REACHED IB_EVENT_QP_LAST_WQE_REACHED", "loop": " ", "sg": " ", "DESTROYED": " "} {
		user, kernel := Doc(word)[0].LongNames()
		if got := user + " " + kernel; got != want {
			t.Errorf("%s is %q, want %q", word, got, want)
		}
	}
}
