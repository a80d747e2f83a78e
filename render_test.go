package ibcheck

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/traces"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}

// lostAck is a run in which a message arrives and its ACK is lost.
func lostAck() *spec.Run {
	request := &spec.Packet{ID: 1, From: 0, To: 1, Opcode: "SEND_ONLY", Kind: "SEND", Owner: "a", AckReq: true, MSN: -1, WR: "S1"}
	ack := &spec.Packet{ID: 2, From: 1, To: 0, Opcode: "ACKNOWLEDGE", Kind: "ACK", Owner: "a", Syndrome: "ACK", MSN: 1}
	return &spec.Run{
		Nodes:  []string{"a", "b"},
		Conns:  []spec.RunConn{{A: 0, B: 1, AName: "a.q", BName: "b.q"}},
		Before: []string{"R1 on b.q"},
		Events: []spec.Event{
			{Kind: spec.EvPost, Node: 0, Place: spec.App, Conn: 0, WR: "S1", Text: "post_send S1", Cause: -1},
			{Kind: spec.EvDepart, Node: 0, Place: spec.HCA, Conn: 0, To: 1, Packet: request, WR: "S1", Cause: 0},
			{Kind: spec.EvArrive, Node: 1, Place: spec.HCA, Conn: 0, Packet: request, WR: "S1", Cause: 1},
			{Kind: spec.EvDepart, Node: 1, Place: spec.HCA, Conn: 0, To: 0, Packet: ack, Cause: 2},
			{Kind: spec.EvDrop, Node: 0, Place: spec.Wire, Conn: 0, Packet: ack, Fault: "drop(ACK) 1/1", Cause: 3},
			{Kind: spec.EvCQE, Node: 1, Place: spec.HCA, Conn: 0, WR: "R1", Cause: 2,
				WC: &spec.WC{WR: "R1", Opcode: "RECV", Status: "SUCCESS", CQ: "b.cq"}},
		},
		Broken: 6,
	}
}

// sample is a report with a verdict of every kind.
func sample() *ScenarioReport {
	early := PropertyReport{Name: "early", Kind: "reach", Property: "R1.cqe and not S1.cqe", Pos: "x.ibl:30:8", Verdict: "reachable",
		Expect: "reachable", AsExpected: true, Faults: 1, Steps: 4, Run: lostAck(), Bars: []string{"R1", "S1"}}
	variant := ScenarioReport{
		Name: "sample", Params: map[string]string{"late": "true", "n": "2"}, Profile: "iba", Complete: true, Exact: true,
		States: 1, Transitions: 1, StatesBy: []uint64{1}, Seconds: 4000,
		Properties: []PropertyReport{{Name: "order", Kind: "assert", Property: "S1.cqe precedes R1.cqe", Pos: "x.ibl:40:3",
			Verdict: "violated", Expect: "holds", Faults: 0, Steps: 1, Why: "first step"}},
	}
	return &ScenarioReport{
		File: "x.ibl", Name: "sample", Profile: "arrival_order", Dials: map[string]string{"srq.fifo": "no", "ack.coalesce": "2"},
		Faults: map[string]int{"drop(ACK)": 1, "dup(any)": 1}, States: 5795831, Transitions: 35727155, Depth: 66, Exact: true,
		Complete: true, Seconds: 12.345, StatesBy: []uint64{38, 5795793}, CompleteTo: 1,
		Properties: []PropertyReport{
			{Name: "order", Kind: "assert", Property: "S1.cqe precedes R1.cqe", Pos: "x.ibl:28:8", Verdict: "violated", Expect: "violated",
				AsExpected: true, Faults: 1, Steps: 4, Run: lostAck(), Bars: []string{"S1", "R1"}, Breaks: "R1 completed at %d, S1 still open"},
			early,
			{Name: "safe", Kind: "assert", Property: "never R1.failed", Pos: "x.ibl:31:8", Verdict: "holds", Expect: "holds",
				AsExpected: true, Vacuous: "R1.failed cannot happen"},
			{Name: "in_order", Kind: "builtin", Verdict: "holds", AsExpected: true},
			{Name: "overflow(cq)", Kind: "sanitizer", Verdict: "holds", AsExpected: true},
		},
		Variants:   []ScenarioReport{variant},
		NeverFired: []string{"rnr_nak", "timeout"},
		Budgets:    []Budget{{"drop(ACK)", 1, 1}, {"dup(any)", 1, 0}},
		Bounds:     []string{"24-bit PSNs were never wrapped"},
	}
}

// stopped is the report of a search that came to a limit.
func stopped() *ScenarioReport {
	return &ScenarioReport{
		Name: "big", Profile: "iba", Faults: map[string]int{"drop(any)": 3}, States: 1000, Transitions: 2500, Depth: 9,
		StatesBy: []uint64{400, 600}, CompleteTo: 0, Stopped: "states",
		Properties: []PropertyReport{
			{Name: "order", Kind: "assert", Property: "S1.cqe precedes R1.cqe", Pos: "big.ibl:9:8", Verdict: "unknown", Expect: "holds"},
			{Name: "overflow(cq)", Kind: "sanitizer", Verdict: "unknown"},
		},
	}
}

func text(t *testing.T, s *ScenarioReport, opt TextOptions) string {
	t.Helper()
	var out strings.Builder
	if err := s.WriteText(&out, opt); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestWriteText(t *testing.T) {
	golden(t, "sample.txt", text(t, sample(), TextOptions{}))
	golden(t, "sample.quiet.txt", text(t, sample(), TextOptions{Detail: Quiet}))
	golden(t, "sample.verbose.txt", text(t, sample(), TextOptions{Detail: Verbose, Ladder: traces.Style{Form: traces.ASCII}}))
	golden(t, "sample.lore.txt", text(t, sample(), TextOptions{Ladder: traces.Style{Form: traces.Lore}}))
	golden(t, "stopped.txt", text(t, stopped(), TextOptions{}))
}

// A verdict is never printed without what it stands under.
func TestEveryVerdictHasItsDialsAndBudgets(t *testing.T) {
	for _, detail := range []Detail{Quiet, Normal, Verbose} {
		for _, form := range []traces.Form{traces.Unicode, traces.Lore} {
			out := text(t, sample(), TextOptions{Detail: detail, Ladder: traces.Style{Form: form}})
			out = strings.Join(strings.Fields(out), " ")
			verdicts := strings.Count(out, "VIOLATED") + strings.Count(out, "HOLDS") + strings.Count(out, "REACHABLE")
			under := strings.Count(out, "under profile arrival_order with ack.coalesce = 2, srq.fifo = no; faults drop(ACK) <= 1, dup(any) <= 1") +
				strings.Count(out, "under profile iba; no faults")
			if verdicts == 0 || verdicts != under {
				t.Errorf("detail %d, form %d: %d verdicts, %d times what they stand under:\n%s", detail, form, verdicts, under, out)
			}
		}
	}
}

func TestTimelessTextHasNoClock(t *testing.T) {
	slow, fast := sample(), sample()
	slow.Seconds, fast.Seconds = 100, 1
	if a, b := text(t, slow, TextOptions{Timeless: true}), text(t, fast, TextOptions{Timeless: true}); a != b {
		t.Errorf("the text depends on the clock:\n%s\n%s", a, b)
	}
	if a, b := text(t, slow, TextOptions{}), text(t, fast, TextOptions{}); a == b {
		t.Error("the report does not say how long it took")
	}
}

func TestColorOnlyAddsCodes(t *testing.T) {
	colored := text(t, sample(), TextOptions{Color: true})
	if !strings.Contains(colored, "\x1b[1;32mVIOLATED, as expected\x1b[0m") || !strings.Contains(colored, "\x1b[1;31mVIOLATED, expected holds\x1b[0m") {
		t.Errorf("no colours in\n%q", colored)
	}
	plain := strings.NewReplacer("\x1b[1;31m", "", "\x1b[1;32m", "", "\x1b[1;33m", "", "\x1b[0m", "").Replace(colored)
	if want := text(t, sample(), TextOptions{}); plain != want {
		t.Errorf("without its codes the text is\n%s\nwant\n%s", plain, want)
	}
}

func TestWriteTextReportsErrorsOfItsWriter(t *testing.T) {
	if err := sample().WriteText(fullDisk{}, TextOptions{}); err == nil {
		t.Error("no error")
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestWriteJSON(t *testing.T) {
	r := Report{Schema: Schema, Scenarios: []ScenarioReport{*sample(), {}}, Exit: ExitUnexpected}
	var out bytes.Buffer
	if err := r.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	golden(t, "sample.json", out.String())
	var back Report
	if err := json.Unmarshal(out.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if back.Scenarios[0].States != 5795831 || back.Scenarios[0].Properties[0].Verdict != "violated" || back.Exit != ExitUnexpected {
		t.Errorf("read back as %+v", back)
	}
	if strings.Contains(out.String(), "null") {
		t.Errorf("an empty list is null in\n%s", &out)
	}
}

// Every field of the JSON form is in the documentation.
func TestJSONFieldsAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("docs/command-line.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []any{Report{}, Problem{}, ScenarioReport{}, PropertyReport{}, TraceStep{}, PacketJSON{}, CQEJSON{}} {
		fields := reflect.TypeOf(form)
		for i := range fields.NumField() {
			name, _, _ := strings.Cut(fields.Field(i).Tag.Get("json"), ",")
			if name != "-" && !strings.Contains(string(doc), "`"+name+"`") {
				t.Errorf("%s: `%s` is not in docs/command-line.md", fields.Name(), name)
			}
		}
	}
}

func TestTraceStepsAreTheRowsUpToTheBreak(t *testing.T) {
	run := lostAck()
	run.Events = append(run.Events, spec.Event{Kind: spec.EvNote, Node: 0, Place: spec.HCA, Conn: 0, Text: "timeout, retry 1/2", Cause: 1})
	steps := traceSteps(traces.Layout(run, traces.Options{}), run)
	if len(steps) != 4 {
		t.Fatalf("%d steps, want 4: %+v", len(steps), steps)
	}
	lost, completed := steps[2], steps[3]
	if lost.Step != 3 || lost.Cause != 2 || lost.Fault != "drop(ACK) 1/1" || lost.Packet == nil ||
		*lost.Packet != (PacketJSON{Opcode: "ACKNOWLEDGE", PSN: "a0", Src: "b", Dst: "a", Syndrome: "ACK", MSN: 1}) {
		t.Errorf("the lost ACK is %+v, %+v", lost, lost.Packet)
	}
	if completed.CQE == nil || *completed.CQE != (CQEJSON{WR: "R1", Status: "SUCCESS", CQ: "b.cq"}) || completed.Lane != "b HCA" {
		t.Errorf("the completion is %+v, %+v", completed, completed.CQE)
	}
}

func TestSummaryCountsVariants(t *testing.T) {
	if got, want := sample().Summary(), "4 verdicts, 5,795,832 states"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSeconds(t *testing.T) {
	for s, want := range map[float64]string{0: "0.00 s", 0.016: "0.02 s", 9.5: "9.50 s", 75.4: "75 s", 184: "3 min 4 s", 7500: "2 h 5 min"} {
		if got := seconds(s); got != want {
			t.Errorf("%v: got %q, want %q", s, got, want)
		}
	}
}
