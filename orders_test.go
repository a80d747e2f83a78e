package ibcheck

import (
	"bytes"
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// load reads a scenario of the catalogue.
func load(t *testing.T, name string) *scenario.File {
	t.Helper()
	f, errs := scenario.Load(filepath.Join("scenarios", filepath.FromSlash(name)))
	if errs != nil {
		t.Fatal(errs.Err())
	}
	return f
}

func ordersOf(t *testing.T, name string, opt Options, polled bool) *OrdersReport {
	t.Helper()
	r, err := Orders(context.Background(), load(t, name), opt, polled)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestOrdersOfTheCatalogue pins the outcomes and matrices of some scenarios.
func TestOrdersOfTheCatalogue(t *testing.T) {
	for name, c := range map[string]struct {
		file   string
		opt    Options
		polled bool
	}{
		"seed":             {file: "seed/send-vs-recv-cqe.ibl"},
		"seed-iba":         {file: "seed/send-vs-recv-cqe.ibl", opt: Options{Profile: "iba"}},
		"seed-polled":      {file: "seed/send-vs-recv-cqe.ibl", opt: Options{Faults: map[string]int{"drop(ACK)": 0}}, polled: true},
		"m05-rxe":          {file: "measured/m05-no-dependency.ibl"},
		"m08":              {file: "measured/m08-second-ack-lost.ibl"},
		"m10":              {file: "measured/m10-both-acks-lost.ibl"},
		"v6":               {file: "variants/v6-all-acks-lost.ibl"},
		"v7":               {file: "variants/v7-error-after-answer.ibl"},
		"arm-race":         {file: "arming/cq-arm-race-srq.ibl"},
		"arm-race-polled":  {file: "arming/cq-arm-race-srq.ibl", polled: true},
		"h01":              {file: "teardown/h01-spdk-destroy-without-last-wqe.ibl"},
		"first-receive":    {file: "questions/q05-first-receive-first.ibl"},
		"two-threads-poll": {file: "questions/q17-two-threads-one-cq.ibl", polled: true},
	} {
		t.Run(name, func(t *testing.T) {
			var text bytes.Buffer
			if err := ordersOf(t, c.file, c.opt, c.polled).WriteText(&text, true); err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join("orders", name+".txt"), text.String())
		})
	}
}

// TestTheSeedsMatrix is the question of the mail in numbers.
func TestTheSeedsMatrix(t *testing.T) {
	for profile, flip := range map[string]int{"arrival_order": 1, "iba": 0} {
		r := ordersOf(t, "seed/send-vs-recv-cqe.ibl", Options{Profile: profile}, false)
		i := slices.IndexFunc(r.Pairs, func(p Pair) bool { return p.A == "R2" && p.B == "S1" })
		if p := r.Pairs[i]; p.Relation != Either || p.BFirst != 0 || p.AFirst != flip {
			t.Errorf("%s: %+v; want R2 first with %d faults", profile, p, flip)
		}
	}
	r := ordersOf(t, "seed/send-vs-recv-cqe.ibl", Options{Faults: map[string]int{"drop(ACK)": 0}}, false)
	if len(r.Outcomes) != 1 || !slices.Equal(r.Outcomes[0].Orders[0], []string{"S1", "R2"}) {
		t.Errorf("without loss: %+v", r.Outcomes)
	}
}

// TestOrdersDoNotDependOnWorkers, also when a limit stops the search.
func TestOrdersDoNotDependOnWorkers(t *testing.T) {
	for _, file := range []string{"arming/cq-arm-race-srq.ibl", "variants/v6-all-acks-lost.ibl"} {
		for _, most := range []uint64{0, 300} {
			var first []byte
			for _, workers := range []int{1, 2, 5} {
				var text bytes.Buffer
				if err := ordersOf(t, file, Options{Workers: workers, MaxStates: most}, false).WriteJSON(&text); err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = text.Bytes()
				} else if !bytes.Equal(first, text.Bytes()) {
					t.Errorf("%s, %d states at most, %d workers: got\n%s\nwant\n%s", file, most, workers, &text, first)
				}
			}
		}
	}
}

// TestOrdersAgainstRandomRuns: whatever a random run shows is among the outcomes,
// with no more faults, and in accord with the matrix.
func TestOrdersAgainstRandomRuns(t *testing.T) {
	for _, file := range []string{"seed/send-vs-recv-cqe.ibl", "variants/v6-all-acks-lost.ibl", "arming/cq-arm-race-srq.ibl",
		"questions/q05-first-receive-first.ibl", "teardown/h01-spdk-destroy-without-last-wqe.ibl"} {
		for _, polled := range []bool{false, true} {
			r := ordersOf(t, file, Options{}, polled)
			sc, errs := load(t, file).Scenario(nil)
			if errs != nil {
				t.Fatal(errs.Err())
			}
			m, err := spec.Compile(sc, spec.DefaultBounds(sc))
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(1, 2))
			for range 60 {
				checkRun(t, r, randomRun(m, rng), polled)
			}
		}
	}
}

// A seen is a completion of a run.
type seen struct {
	wr   string
	node int
}

// randomRun takes steps at random until nothing but a fault can happen.
func randomRun(m *spec.Model, rng *rand.Rand) (run *spec.Run) {
	out := explore.NewSuccessors(m)
	if out.Start(m) != nil {
		return nil
	}
	_, state, _ := out.At(0)
	steps := []explore.Step{{State: bytes.Clone(state)}}
	for range 2000 {
		if out.Expand(m, steps[len(steps)-1].State) != nil {
			return nil
		}
		free := 0
		for i := range out.Len() {
			if a, _, _ := out.At(i); m.Cost(a) == 0 {
				free++
			}
		}
		if free == 0 {
			run, err := m.Explain(steps, len(steps)-1, 0)
			if err != nil {
				return nil
			}
			return run
		}
		a, state, _ := out.At(rng.IntN(out.Len()))
		steps = append(steps, explore.Step{Action: a, State: bytes.Clone(state)})
		if m.Unpack(state).Env.Bad != spec.BadNone {
			return nil
		}
	}
	return nil
}

// checkRun holds what a run shows in words against the report.
func checkRun(t *testing.T, r *OrdersReport, run *spec.Run, polled bool) {
	t.Helper()
	if run == nil {
		return
	}
	kind, faults := spec.EvCQE, 0
	if polled {
		kind = spec.EvPoll
	}
	orders := make([][]string, len(r.Nodes))
	var all []seen
	for _, e := range run.Events {
		if e.Fault != "" {
			faults++
		}
		if e.Kind != kind {
			continue
		}
		name := e.WR
		if e.WC.Status != "SUCCESS" {
			name += "(" + e.WC.Status + ")"
		}
		orders[e.Node] = append(orders[e.Node], name)
		all = append(all, seen{e.WR, e.Node})
	}
	found := slices.ContainsFunc(r.Outcomes, func(o Outcome) bool {
		return o.Faults <= faults && slices.EqualFunc(o.Orders, orders, func(a, b []string) bool { return slices.Equal(a, b) })
	})
	if !found {
		t.Errorf("%s: a run with %d faults shows %v", r.Name, faults, orders)
	}
	for _, p := range r.Pairs {
		a := slices.IndexFunc(all, func(s seen) bool { return s.wr == p.A })
		b := slices.IndexFunc(all, func(s seen) bool { return s.wr == p.B })
		wrong := map[string]bool{
			Before:     b >= 0 && (a < 0 || a > b),
			After:      a >= 0 && (b < 0 || b > a),
			BeforeBoth: a >= 0 && b >= 0 && a > b,
			AfterBoth:  a >= 0 && b >= 0 && b > a,
			NeverBoth:  a >= 0 && b >= 0,
		}
		if wrong[p.Relation] {
			t.Errorf("%s: %+v, but a run shows %v", r.Name, p, all)
		}
	}
}

// TestWitnesses takes the run of every token again: it shows its outcome with its
// faults, or its order of the pair.
func TestWitnesses(t *testing.T) {
	for _, file := range []string{"seed/send-vs-recv-cqe.ibl", "variants/v6-all-acks-lost.ibl", "teardown/h01-spdk-destroy-without-last-wqe.ibl"} {
		f := load(t, file)
		r := ordersOf(t, file, Options{}, false)
		for _, o := range r.Outcomes {
			p := replayed(t, f, o.Token)
			if p.Faults != o.Faults {
				t.Errorf("%s %s: %d faults, want %d", file, o.Token, p.Faults, o.Faults)
			}
			r2 := *r
			r2.Outcomes = []Outcome{o}
			checkRun(t, &r2, p.Run, false)
		}
		for _, p := range r.Pairs {
			if p.Relation == Either {
				completesAfter(t, replayed(t, f, p.AToken), p.A, p.B, p.AFirst)
				completesAfter(t, replayed(t, f, p.BToken), p.B, p.A, p.BFirst)
			}
		}
	}
}

func replayed(t *testing.T, f *scenario.File, tok string) *PropertyReport {
	t.Helper()
	s, err := Replay(context.Background(), f, tok, Options{NoEpilogue: true})
	if err != nil {
		t.Fatal(err)
	}
	return &s.Properties[0]
}

// completesAfter checks that a run ends with the CQE of b and has that of a.
func completesAfter(t *testing.T, p *PropertyReport, a, b string, faults int) {
	t.Helper()
	var order []string
	for _, e := range p.Run.Events {
		if e.Kind == spec.EvCQE {
			order = append(order, e.WR)
		}
	}
	if p.Faults != faults || !slices.Contains(order, a) || order[len(order)-1] != b {
		t.Errorf("%s: %v with %d faults; want %s and in the end %s with %d", p.Token, order, p.Faults, a, b, faults)
	}
}

// TestGuaranteedOrders: the diagram has no arrow that follows from others.
func TestGuaranteedOrders(t *testing.T) {
	var text bytes.Buffer
	if err := ordersOf(t, "measured/m08-second-ack-lost.ibl", Options{}, false).WriteDOT(&text); err != nil {
		t.Fatal(err)
	}
	var arrows []string
	for _, line := range strings.Split(text.String(), "\n") {
		if strings.Contains(line, "->") {
			arrows = append(arrows, strings.Trim(line, " ;"))
		}
	}
	// c0 R2, c1 S1, c2 S1b, c3 R1, c4 R1b, c5 S2: R1, then S1 and R1b, both before R2 and S1b; and R2 before S2.
	if want := []string{"c0 -> c5", "c1 -> c0", "c1 -> c2", "c3 -> c1", "c3 -> c4", "c4 -> c0", "c4 -> c2"}; !slices.Equal(arrows, want) {
		t.Errorf("arrows %q, want %q", arrows, want)
	}
}

// TestRunsThatGoOn: where no run ends, the orders are those that nothing follows.
func TestRunsThatGoOn(t *testing.T) {
	src := `connect a.q <-> b.q
node a { cq c; qp q { send_cq c; recv_cq c }; post_send q S SEND SIGNALED; thread t { loop { poll_cq c as wc { count n } else { } } } }
node b { cq c; qp q { send_cq c; recv_cq c }; post_recv q R }
`
	f, errs := scenario.Parse("loop.ibl", []byte(src), scenario.Options{})
	if errs != nil {
		t.Fatal(errs.Err())
	}
	r, err := Orders(context.Background(), f, Options{}, false)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Outcomes) != 1 || r.Outcomes[0].Ends != "for ever" || !slices.Equal(r.Outcomes[0].Orders[0], []string{"S"}) {
		t.Errorf("outcomes %+v", r.Outcomes)
	}
}

// TestStaleTokens: a token outlives what does not change its run, no more.
func TestStaleTokens(t *testing.T) {
	f := load(t, "seed/send-vs-recv-cqe.ibl")
	tok := ordersOf(t, "seed/send-vs-recv-cqe.ibl", Options{}, false).Outcomes[0].Token
	for name, opt := range map[string]Options{
		"profile": {Profile: "iba"},
		"dial":    {Dials: map[string]string{"ack.coalesce": "2"}},
		"budget":  {Faults: map[string]int{"drop(ACK)": 2}},
	} {
		if _, err := Replay(context.Background(), f, tok, opt); err == nil || !strings.Contains(err.Error(), "stale") {
			t.Errorf("another %s: %v", name, err)
		}
	}
	parts := strings.Split(tok, "-")
	for _, bad := range []string{"", "x", tok + "-1", parts[0] + "-" + parts[1] + "-%", "999999-" + parts[1] + "-" + parts[2],
		parts[0] + "-" + parts[1] + "-zzzzzzzzzz", "-1-" + parts[1] + "-" + parts[2]} {
		if _, err := Replay(context.Background(), f, bad, Options{}); err == nil {
			t.Errorf("token %q is taken", bad)
		}
	}
}

// TestTokensOfVariants are found by Replay without being told the params.
func TestTokensOfVariants(t *testing.T) {
	f := load(t, "arming/cq-arm-race-srq.ibl")
	r, err := Orders(context.Background(), f, Options{Params: map[string]string{"repoll": "true"}}, false)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Replay(context.Background(), f, r.Outcomes[0].Token, Options{})
	if err != nil || s.Params["repoll"] != "true" {
		t.Errorf("params %v, error %v", s.Params, err)
	}
}
