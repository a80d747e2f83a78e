package ibcheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/traces"
)

// A story is a run as it is explained: its events in words, with the steps of its
// ladder, and its states, so that what the words leave out can be asked of them.
type story struct {
	c      *checker
	p      *PropertyReport
	run    *spec.Run
	states []*spec.State // before each action, and the last
	row    []int         // by event: the step of the ladder that it is in
	broken int           // events up to and including the one that decides
}

// newStory takes the steps of a run and of its epilogue.
func (c *checker) newStory(p *PropertyReport, steps []explore.Step, l *traces.Ladder) *story {
	s := &story{c: c, p: p, run: p.Run, row: ladderSteps(l, p.Run), broken: p.Run.Broken}
	for i := range steps {
		s.states = append(s.states, c.model.Unpack(steps[i].State))
	}
	return s
}

// ladderSteps returns for each event of a run the step of its ladder.
func ladderSteps(l *traces.Ladder, run *spec.Run) []int {
	out := make([]int, len(run.Events))
	for _, r := range l.Rows() {
		for _, e := range r.Events {
			out[e] = r.Step
		}
	}
	return out
}

// last is the state in which the run breaks.
func (s *story) last() *spec.State { return s.states[s.p.Actions] }

// at names the step of an event: "7", or "14, later" if it is in the epilogue.
func (s *story) at(event int) string {
	if event >= s.broken {
		return fmt.Sprintf("%d, later", s.row[event])
	}
	return fmt.Sprint(s.row[event])
}

// firstEvent returns the first event of an action, or -1 for the state before all.
func (s *story) firstEvent(action int) int {
	return slices.IndexFunc(s.run.Events, func(e spec.Event) bool { return e.Action == action })
}

// since returns the event that made an expression without temporal operators true
// the first time; ok is false if it never was. The event is -1 if it was from the
// beginning.
func (s *story) since(e *spec.Expr) (event int, ok bool) {
	for i, state := range s.states {
		if s.c.model.Eval(state, e) != 0 {
			return s.firstEvent(i), true
		}
	}
	return -1, false
}

// find returns the first event from one on that does, or -1.
func (s *story) find(from int, does func(e *spec.Event) bool) int {
	for i := max(from, 0); i < len(s.run.Events); i++ {
		if does(&s.run.Events[i]) {
			return i
		}
	}
	return -1
}

// findLast returns the last event before one that does, or -1.
func (s *story) findLast(before int, does func(e *spec.Event) bool) int {
	for i := min(before, len(s.run.Events)) - 1; i >= 0; i-- {
		if does(&s.run.Events[i]) {
			return i
		}
	}
	return -1
}

// chain follows the causes of an event, the event first, one entry for each step
// of the ladder.
func (s *story) chain(event int) []int {
	var out []int
	for i := event; i >= 0; i = s.run.Events[i].Cause {
		n := len(out)
		switch {
		case s.name(i) == "":
		case n > 0 && s.row[out[n-1]] == s.row[i]:
			if s.run.Events[out[n-1]].Rule == "execute" && n > 1 {
				out[n-1] = i // it says more that something arrived
			}
		default:
			out = append(out, i)
		}
	}
	return out
}

// past returns the set of events that led to one, itself included.
func (s *story) past(event int) map[int]bool {
	out := map[int]bool{}
	for i := event; i >= 0; i = s.run.Events[i].Cause {
		out[i] = true
	}
	return out
}

// chainText writes the causes of an event: "7 < 6 S2 arrived < 5 S2 posted".
func (s *story) chainText(event int) string {
	var parts []string
	for k, i := range s.chain(event) {
		if k == 0 {
			parts = append(parts, fmt.Sprint(s.row[i]))
			continue
		}
		parts = append(parts, fmt.Sprintf("%d %s", s.row[i], s.name(i)))
	}
	return strings.Join(parts, " < ")
}

// name says in two or three words what an event is, "" if it is only a test of a
// program.
func (s *story) name(i int) string {
	e := &s.run.Events[i]
	switch e.Kind {
	case spec.EvPost:
		return e.WR + " posted"
	case spec.EvDepart, spec.EvDup:
		if e.Packet.Again {
			return packetName(e.Packet) + " sent again"
		}
		return packetName(e.Packet) + " sent"
	case spec.EvArrive:
		return packetName(e.Packet) + " arrived"
	case spec.EvDrop:
		return packetName(e.Packet) + " lost"
	case spec.EvCQE:
		return e.WR + ".cqe" + statusText(e.WC)
	case spec.EvPoll:
		return e.WR + ".wc" + statusText(e.WC)
	case spec.EvSilent:
		if e.Rule == "execute" {
			return "execution"
		}
	}
	if strings.HasPrefix(e.Text, "if ") {
		return ""
	}
	return e.Text
}

func statusText(wc *spec.WC) string {
	if wc == nil || wc.Status == spec.SUCCESS.String() {
		return ""
	}
	return " " + wc.Status
}

// packetName names a packet by its WR, or a response by what it is and its PSN.
func packetName(p *spec.Packet) string {
	if !isResponse(p) {
		return p.WR
	}
	name := "ACK"
	switch {
	case p.Syndrome != "" && p.Syndrome != "ACK":
		name = p.Syndrome
	case strings.HasPrefix(p.Opcode, "RDMA_READ_RESPONSE"):
		name = "READ response"
	case strings.HasPrefix(p.Opcode, "ATOMIC"):
		name = "ATOMIC response"
	}
	return fmt.Sprintf("%s %s%d", name, p.Owner, p.PSN)
}

func isResponse(p *spec.Packet) bool {
	switch p.Kind {
	case "ACK", "NAK", "RNR_NAK", "READ_RESPONSE", "ATOMIC_ACK":
		return true
	}
	return false
}

// positive reports whether a response acknowledges what it answers.
func positive(p *spec.Packet) bool {
	return p.Kind == "ACK" || p.Kind == "READ_RESPONSE" || p.Kind == "ATOMIC_ACK"
}
