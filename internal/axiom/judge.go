package axiom

import (
	"errors"
	"fmt"

	"github.com/ibcheck/ibcheck/spec"
)

// A Breach is a guarantee that a trace does not keep.
type Breach struct {
	Axiom string // what is guaranteed
	Fact  string // where it is written
	Text  string // the steps that break it
}

func (b Breach) String() string { return fmt.Sprintf("%s (%s): %s", b.Axiom, b.Fact, b.Text) }

// A traceAxiom is a guarantee about every run, as a relation between its steps.
type traceAxiom struct {
	name  string
	fact  string
	holds func(dials map[string]string) bool // nil: on every device
	check func(r *reading)
}

var traceAxioms = []traceAxiom{
	{"send CQEs come in posting order", "F2.5", nil, (*reading).sendOrder},
	{"recv CQEs of a receive queue come in posting order", "F2.6", nil, (*reading).recvOrder},
	{"a CQ is a FIFO", "F2.9", nil, (*reading).fifo},
	{"only a signaled WR has a success send CQE", "F2.10", nil, (*reading).signaled},
	{"a failure is reported, signaled or not", "F2.11", nil, (*reading).failuresReported},
	{"requests are accepted and executed in posting order", "F1.9, F3.5", nil, (*reading).messageOrder},
	{"a success send CQE is written when its WR and all before it are complete", "F2.1, F2.12", nil, (*reading).completeBeforeCQE},
	{"a WR is complete only when the responder has accepted and executed it", "F2.3, I3", healthyReads, (*reading).acceptedBeforeAcked},
	{"each message completes one receive, in order", "I1, F1.12, F2.6", nil, (*reading).oneReceive},
	{"behind a failed WR everything of its queue is flushed", "F2.15", nil, (*reading).flushed},
	{"what is posted to a failed QP is flushed", "F2.18, C10-96", nil, (*reading).postedInError},
	{"what was complete before the failure is a success", "F2.17", reportsAcked, (*reading).ackedIsSuccess},
	{"the pair table", "F3.1 to F3.8", wholeFence, (*reading).pairTable},
	{"no more READs and ATOMICs outstanding than max_rd_atomic", "F1.10", nil, (*reading).readsOutstanding},
	{"a READ or ATOMIC sees all earlier WRITEs of its QP", "F3.5, I10", healthyReads, (*reading).readsFrom},
	{"a recv CQE vouches for all that was written before it", "F3.10, F3.11", nil, (*reading).visible},
	{"in the end nothing that is owed is missing", "I15, F2.10", nil, (*reading).nothingMissing},
}

// healthyReads excludes devices that take any ACK for a READ's response.
func healthyReads(dials map[string]string) bool { return dials["requester.lax_read"] != "on" }

func reportsAcked(dials map[string]string) bool {
	return dials["error.acked_unreported"] == "success"
}

// wholeFence excludes devices whose fence ends too early.
func wholeFence(dials map[string]string) bool { return dials["fence.lift"] != "first_read" }

// Judge returns every guarantee that a trace does not keep. The error is about
// the trace itself: a step that happens twice, or to nothing.
func Judge(t *Trace) ([]Breach, error) {
	r, err := read(t)
	if err != nil {
		return nil, err
	}
	for i := range traceAxioms {
		if a := &traceAxioms[i]; a.holds == nil || a.holds(t.Dials) {
			r.axiom = a
			a.check(r)
		}
	}
	return r.breaches, nil
}

// A reading is a trace with its steps sorted by WR.
type reading struct {
	*Trace
	axiom    *traceAxiom
	breaches []Breach
	when     [][numStepKinds]int // by WR and kind: the step, never if there is none
	sq, rq   [][]int             // by QP: WRs in posting order
	life     []int               // by WR: how often its QP was reset before it was posted
	ends     []int               // by WR: the step that resets its QP after it was posted, never if none does
	fails    []int               // by WR: the step with which its QP is in ERR from its post or a later moment on
}

// never is later than every step.
const never = 1 << 30

func read(t *Trace) (*reading, error) {
	r := &reading{Trace: t, when: make([][numStepKinds]int, len(t.WRs)), sq: make([][]int, len(t.QPs)), rq: make([][]int, len(t.QPs)),
		life: make([]int, len(t.WRs)), ends: make([]int, len(t.WRs)), fails: make([]int, len(t.WRs))}
	for i := range t.WRs {
		for k := range r.when[i] {
			r.when[i][k] = never
		}
	}
	for n, s := range t.Steps {
		if err := t.check(s); err != nil {
			return nil, fmt.Errorf("step %d: %w", n, err)
		}
		if s.Kind == Failed || s.Kind == Reset {
			continue
		}
		if r.when[s.WR][s.Kind] != never {
			return nil, fmt.Errorf("step %d: %s is %s twice", n, t.WRs[s.WR].Name, s.Kind)
		}
		if s.Kind != Posted && r.when[s.WR][Posted] == never {
			return nil, fmt.Errorf("step %d: %s is %s but was never posted", n, t.WRs[s.WR].Name, s.Kind)
		}
		if r.when[s.WR][s.Kind] = n; s.Kind == Posted {
			r.enqueue(s.WR)
		}
	}
	for i := range t.WRs {
		r.fate(i)
	}
	return r, nil
}

// check returns an error if a step is of nothing that the trace has.
func (t *Trace) check(s Step) error {
	within := func(what string, i, least, n int) error {
		if i < least || i >= n {
			return fmt.Errorf("no %s %d", what, i)
		}
		return nil
	}
	switch {
	case s.Kind >= numStepKinds:
		return within("kind of step", int(s.Kind), 0, int(numStepKinds))
	case s.Kind == Failed || s.Kind == Reset:
		return within("QP", s.QP, 0, len(t.QPs))
	case s.WR < 0 || s.WR >= len(t.WRs):
		return within("WR", s.WR, 0, len(t.WRs))
	}
	least := 0
	if t.WRs[s.WR].Op == spec.RECV {
		least = -1 // of an SRQ
	}
	return errors.Join(within("WR", s.Message, Unknown, len(t.WRs)), within("WR", s.From, Unknown, len(t.WRs)),
		within("QP", t.WRs[s.WR].QP, least, len(t.QPs)))
}

func (r *reading) enqueue(i int) {
	switch w := &r.WRs[i]; {
	case w.QP < 0:
	case w.Op == spec.RECV:
		r.rq[w.QP] = append(r.rq[w.QP], i)
	default:
		r.sq[w.QP] = append(r.sq[w.QP], i)
	}
}

// fate finds the steps of the WR's QP that concern it.
func (r *reading) fate(i int) {
	r.ends[i], r.fails[i] = never, never
	posted, inError := r.at(i, Posted), never
	for n, s := range r.Steps {
		switch {
		case s.Kind != Failed && s.Kind != Reset || s.QP != r.WRs[i].QP:
		case s.Kind == Failed && n < posted:
			inError = n
		case s.Kind == Failed && r.ends[i] == never:
			r.fails[i] = min(r.fails[i], n)
		case n < posted:
			inError = never
			r.life[i]++
		case s.Kind == Reset:
			r.ends[i] = min(r.ends[i], n)
		}
	}
	r.fails[i] = min(r.fails[i], inError)
}

// at returns the step of that kind of a WR, or never.
func (r *reading) at(i int, k StepKind) int { return r.when[i][k] }

// reported returns the step at which a WR's CQE was written, or lost, and its
// status; never if it has none.
func (r *reading) reported(i int) (n int, st spec.Status) {
	n = min(r.at(i, Wrote), r.at(i, Lost))
	if n == never {
		return n, 0
	}
	return n, r.Steps[n].Status
}

// succeeded reports whether the WR has a success CQE.
func (r *reading) succeeded(i int) bool {
	n, st := r.reported(i)
	return n != never && st == spec.SUCCESS
}

func (r *reading) broken(format string, args ...any) {
	r.breaches = append(r.breaches, Breach{r.axiom.name, r.axiom.fact, fmt.Sprintf(format, args...)})
}

// moment writes a step of a WR.
func (r *reading) moment(i int, k StepKind) string {
	if n := r.at(i, k); n != never {
		return fmt.Sprintf("%s %s at %d", r.WRs[i].Name, k, n)
	}
	return fmt.Sprintf("%s never %s", r.WRs[i].Name, k)
}

// pairsOf calls f for every two WRs of one life of a queue, the earlier first.
func (r *reading) pairsOf(queues [][]int, f func(e, w int)) {
	for _, q := range queues {
		for k, w := range q {
			for _, e := range q[:k] {
				if r.life[e] == r.life[w] {
					f(e, w)
				}
			}
		}
	}
}

// eachSend calls f for every posted send WR.
func (r *reading) eachSend(f func(i int)) {
	for _, q := range r.sq {
		for _, i := range q {
			f(i)
		}
	}
}
