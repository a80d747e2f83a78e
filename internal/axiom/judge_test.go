package axiom_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/internal/axiom"
	"github.com/ibcheck/ibcheck/spec"
)

// The WRs of the traces below. S, T, U (unsignaled), F (fenced), W, G, H and L
// are a's, R and Q the receives of b.
var traceWRs = []axiom.TraceWR{
	{Name: "S", Op: spec.SEND, Signaled: true, Remote: -1},
	{Name: "T", Op: spec.SEND, Signaled: true, Remote: -1},
	{Name: "U", Op: spec.SEND, Remote: -1},
	{Name: "F", Op: spec.SEND, Signaled: true, Fence: true, Remote: -1},
	{Name: "W", Op: spec.RDMA_WRITE, Signaled: true, Remote: 7},
	{Name: "G", Op: spec.RDMA_READ, Signaled: true, Remote: 7},
	{Name: "H", Op: spec.RDMA_READ, Signaled: true, Remote: 7},
	{Name: "L", Op: spec.LOCAL_INV, Signaled: true, Fence: true, Remote: -1},
	{Name: "R", Op: spec.RECV, QP: 1, Remote: -1},
	{Name: "Q", Op: spec.RECV, QP: 1, Remote: -1},
}

// verdicts are traces and the one axiom that each breaks; "" for none.
//
// A trace is words: "S.started" and so on are steps of S, "S.sent" is all from
// posted to acked, "R=S" a success CQE of R for the message of S, "S!FLUSH" an
// error CQE, "a.failed" and "a.reset" steps of a QP, "G<W" acknowledges G with
// what W wrote, "end" is the end of a run.
var verdicts = []struct{ trace, want string }{
	{"R.posted S.sent R=S S.wrote S.returned R.returned end", ""},
	{"S.sent T.sent T.wrote S.wrote", "send CQEs come in posting order"},
	{"S.sent T.sent S.wrote T.wrote", ""},
	{"R.posted Q.posted S.sent T.sent Q=S", "recv CQEs of a receive queue come in posting order"},
	{"S.sent T.sent S.wrote T.wrote T.returned", "a CQ is a FIFO"},
	{"U.sent U.wrote", "only a signaled WR has a success send CQE"},
	{"U.sent", ""},
	{"U.posted S.posted a.failed S!FLUSH", "a failure is reported, signaled or not"},
	{"U.posted S.posted a.failed U!RETRY S!FLUSH end", ""},
	{"G.posted S.posted S.started G.started", "requests are accepted and executed in posting order"},
	{"S.posted S.accepted S.started", "requests are accepted and executed in posting order"},
	{"S.posted S.started S.wrote", "a success send CQE is written when its WR and all before it are complete"},
	{"S.posted S.started S.acked", "a WR is complete only when the responder has accepted and executed it"},
	{"R.posted S.posted S.started S.accepted R=S", "each message completes one receive, in order"},
	{"R.posted S.sent T.sent R=T", "each message completes one receive, in order"},
	{"S.posted T.posted a.failed S!FLUSH T!RETRY", "behind a failed WR everything of its queue is flushed"},
	{"S.posted S!RETRY", "behind a failed WR everything of its queue is flushed"},
	{"a.failed S.posted S!RETRY", "what is posted to a failed QP is flushed"},
	{"a.failed a.reset S.sent S.wrote", ""},
	{"S.sent a.failed S!FLUSH", "what was complete before the failure is a success"},
	{"S.sent a.failed S.wrote", ""},
	{"G.posted F.posted G.started F.started", "the pair table"},
	{"G.posted S.posted G.started S.started", ""},
	{"S.posted L.posted S.started L.executed", "the pair table"},
	{"L.posted S.posted S.started", "the pair table"},
	{"G.posted H.posted G.started H.started", "no more READs and ATOMICs outstanding than max_rd_atomic"},
	{"W.sent G.posted G.started G.accepted G.executed G<W", ""},
	{"W.sent G.posted G.started G.accepted G.executed G<nobody", "a READ or ATOMIC sees all earlier WRITEs of its QP"},
	{"R.posted W.sent S.sent R=S", "a recv CQE vouches for all that was written before it"},
	{"R.posted W.sent S.sent W.placed R=S", ""},
	{"S.sent end", "in the end nothing that is owed is missing"},
	{"R.posted b.failed end", "in the end nothing that is owed is missing"},
	{"R.posted b.reset end", ""},
}

// TestVerdicts shows what each axiom finds, and what it does not mind.
func TestVerdicts(t *testing.T) {
	broken := map[string]bool{}
	for _, v := range verdicts {
		breaches, err := axiom.Judge(parseTrace(t, v.trace))
		if err != nil {
			t.Fatalf("%s: %v", v.trace, err)
		}
		if len(breaches) == 0 && v.want == "" {
			continue
		}
		if len(breaches) != 1 || breaches[0].Axiom != v.want {
			t.Errorf("%s\nbreaks %v, wanted %q", v.trace, breaches, v.want)
			continue
		}
		broken[v.want] = true
	}
	for _, name := range axiom.TraceAxiomNames() {
		if !broken[name] {
			t.Errorf("no trace breaks %q", name)
		}
	}
}

// TestJudgeRefuses shows traces that cannot be.
func TestJudgeRefuses(t *testing.T) {
	for _, v := range []struct{ trace, want string }{
		{"S.posted S.posted", "S is posted twice"},
		{"S.started", "S is started but was never posted"},
	} {
		if _, err := axiom.Judge(parseTrace(t, v.trace)); err == nil || !strings.Contains(err.Error(), v.want) {
			t.Errorf("%s: error %v, wanted %q", v.trace, err, v.want)
		}
	}
	for _, v := range []struct {
		step axiom.Step
		want string
	}{
		{axiom.Step{Kind: 99}, "step 0: no kind of step 99"},
		{axiom.Step{WR: 99}, "step 0: no WR 99"},
		{axiom.Step{Kind: axiom.Failed, QP: 2}, "step 0: no QP 2"},
		{axiom.Step{Kind: axiom.Acked, From: 50}, "step 0: no WR 50"},
	} {
		trace := parseTrace(t, "")
		trace.Steps = []axiom.Step{v.step}
		if _, err := axiom.Judge(trace); err == nil || err.Error() != v.want {
			t.Errorf("%+v: error %v, wanted %q", v.step, err, v.want)
		}
	}
}

func parseTrace(t *testing.T, text string) *axiom.Trace {
	t.Helper()
	trace := &axiom.Trace{WRs: traceWRs, Dials: map[string]string{"error.acked_unreported": "success", "error.older_first": "wait"},
		QPs: []axiom.TraceQP{{Name: "a.q", Peer: 1, Timer: true, MaxRdAtomic: 1}, {Name: "b.q", Peer: 0, Timer: true, MaxRdAtomic: 1}}}
	for _, word := range strings.Fields(text) {
		if word == "end" {
			trace.Complete = true
			continue
		}
		steps, err := parseSteps(word)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		trace.Steps = append(trace.Steps, steps...)
	}
	return trace
}

var (
	stepWords  = map[string]axiom.StepKind{}
	statuses   = map[string]spec.Status{"FLUSH": spec.WR_FLUSH_ERR, "RETRY": spec.RETRY_EXC_ERR}
	queuePairs = map[string]int{"a": 0, "b": 1}
)

func init() {
	for k := axiom.Posted; k <= axiom.Returned; k++ {
		stepWords[k.String()] = k
	}
}

func parseSteps(word string) ([]axiom.Step, error) {
	at := strings.IndexAny(word, ".=!<")
	if at < 0 {
		return nil, fmt.Errorf("no step: %s", word)
	}
	name, rest := word[:at], word[at+1:]
	if q, ok := queuePairs[name]; ok {
		return []axiom.Step{{Kind: stepWords[rest], QP: q}}, nil
	}
	wr := wrNamed(name)
	s := axiom.Step{WR: wr, QP: traceWRs[wr].QP, CQ: traceWRs[wr].QP, Message: axiom.Unknown, From: axiom.Unknown}
	step := func(k axiom.StepKind) axiom.Step {
		s.Kind = k
		return s
	}
	switch word[at] {
	case '=':
		s.Message = wrNamed(rest)
		return []axiom.Step{step(axiom.Wrote)}, nil
	case '!':
		s.Status = statuses[rest]
		return []axiom.Step{step(axiom.Wrote)}, nil
	case '<':
		s.From = wrNamed(rest) // Nobody is -1
		return []axiom.Step{step(axiom.Acked)}, nil
	}
	if rest == "sent" {
		return []axiom.Step{step(axiom.Posted), step(axiom.Started), step(axiom.Accepted), step(axiom.Executed), step(axiom.Acked)}, nil
	}
	return []axiom.Step{step(stepWords[rest])}, nil
}

// wrNamed returns the WR of that name, -1 if there is none.
func wrNamed(name string) int {
	for i := range traceWRs {
		if traceWRs[i].Name == name {
			return i
		}
	}
	return -1
}
