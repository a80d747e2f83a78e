package ibcheck

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// An outcome is what a search says of every goal and liveness property.
type outcome struct {
	complete bool
	states   uint64
	found    []bool
	cost     []int
	live     []bool
}

// search explores a scenario with one set of eager steps.
func search(t *testing.T, sc *spec.Scenario, r spec.Reduction, most uint64) outcome {
	t.Helper()
	c := &checker{ctx: context.Background(), sc: sc}
	if err := c.fit(r, most); err != nil {
		t.Fatal(err)
	}
	o := outcome{complete: c.res.Complete && len(c.bounds) == 0, states: c.res.States}
	for i := range c.res.Goals {
		o.found = append(o.found, c.res.Goals[i].Found)
		o.cost = append(o.cost, c.res.Goals[i].Cost)
	}
	for i := range c.watch.Targets {
		o.live = append(o.live, c.res.Live[i].Violated)
	}
	return o
}

// compare reports where a reduced search and the full one disagree. It returns
// false if the space was too large to compare.
func compare(t *testing.T, name string, sc *spec.Scenario, r spec.Reduction, most uint64) (full, reduced uint64, ok bool) {
	t.Helper()
	f := search(t, sc, spec.NoReduction, most)
	if !f.complete {
		return 0, 0, false
	}
	g := search(t, sc, r, most)
	if !g.complete {
		t.Errorf("%s: the full search is complete with %d states, the reduced one is not with %d", name, f.states, g.states)
		return 0, 0, false
	}
	for i := range f.found {
		if f.found[i] != g.found[i] || f.found[i] && f.cost[i] != g.cost[i] {
			t.Errorf("%s: goal %d: full %v with %d faults, reduced (%v) %v with %d", name, i, f.found[i], f.cost[i], r.Names(), g.found[i], g.cost[i])
		}
	}
	for i := range f.live {
		if f.live[i] != g.live[i] {
			t.Errorf("%s: cycle of property %d: full %v, reduced (%v) %v", name, i, f.live[i], r.Names(), g.live[i])
		}
	}
	return f.states, g.states, true
}

// TestReductionsOnCatalogue: on every variant of the catalogue whose space is
// small, eager steps change no verdict and no number of faults.
func TestReductionsOnCatalogue(t *testing.T) {
	most := uint64(6000)
	if soak() > 0 {
		most = 1_000_000
	}
	files, err := filepath.Glob("scenarios/*/*.ibl")
	if err != nil || len(files) == 0 {
		t.Fatal("no catalogue", err)
	}
	var full, reduced uint64
	compared, large := 0, 0
	for _, path := range files {
		f, errs := scenario.Load(path)
		if errs != nil {
			t.Error(errs)
			continue
		}
		for _, v := range f.Variants() {
			sc, errs := v.Scenario()
			if errs != nil {
				t.Error(errs)
				continue
			}
			a, b, ok := compare(t, path+" "+v.Text, sc, spec.AllReduction, most)
			if !ok {
				large++
				continue
			}
			compared++
			full, reduced = full+a, reduced+b
		}
	}
	t.Logf("%d variants compared, %d too large: %d states in full, %d reduced", compared, large, full, reduced)
}

// soak returns how many random scenarios IBCHECK_SOAK asks for, 0 if none.
func soak() int {
	n, _ := strconv.Atoi(os.Getenv("IBCHECK_SOAK"))
	return n
}

// TestReductionsOnRandomScenarios: the same on scenarios that nobody wrote, with
// all eager steps and with each kind alone.
func TestReductionsOnRandomScenarios(t *testing.T) {
	n := 500
	if s := soak(); s > 0 {
		n = s
	}
	var full, reduced uint64
	compared := 0
	for seed := range uint64(n) {
		text := randomScenario(rand.New(rand.NewPCG(seed, 7)))
		f, errs := scenario.Parse(fmt.Sprintf("random-%d.ibl", seed), []byte(text), scenario.Options{})
		if errs != nil {
			t.Fatalf("seed %d: %v\n%s", seed, errs, text)
		}
		sc, errs := f.Scenario(nil)
		if errs != nil {
			t.Fatalf("seed %d: %v\n%s", seed, errs, text)
		}
		r := spec.AllReduction
		if k := seed % 8; k < uint64(len(spec.Reductions())) {
			r = 1 << k
		}
		before := t.Failed()
		a, b, ok := compare(t, fmt.Sprintf("seed %d", seed), sc, r, 4000)
		if t.Failed() && !before {
			t.Logf("seed %d:\n%s", seed, text)
		}
		if ok {
			compared++
			full, reduced = full+a, reduced+b
		}
	}
	t.Logf("%d of %d scenarios compared: %d states in full, %d reduced", compared, n, full, reduced)
	if compared < n/4 {
		t.Errorf("only %d of %d scenarios were small enough to compare", compared, n)
	}
}

// randomScenario writes a small scenario: two nodes, one or two QP pairs, a few
// WRs in straight line or in handlers, faults, dials and properties.
func randomScenario(r *rand.Rand) string {
	g := &randomGen{r: r}
	return g.scenario()
}

type randomGen struct {
	r     *rand.Rand
	names []string // WRs posted, by node prefix
	sends []string
}

func (g *randomGen) pick(words ...string) string { return words[g.r.IntN(len(words))] }

func (g *randomGen) chance(percent int) bool { return g.r.IntN(100) < percent }

func (g *randomGen) scenario() string {
	var b strings.Builder
	b.WriteString("litmus \"random\" { doc \"Made by chance.\" }\nconnect a.q <-> b.q\n")
	twoQPs := g.chance(20)
	if twoQPs {
		b.WriteString("connect a.p <-> b.p\n")
	}
	for _, n := range []string{"a", "b"} {
		g.node(&b, n, twoQPs)
	}
	fmt.Fprintf(&b, "assume { profile %s }\n", g.pick("arrival_order", "arrival_order", "iba", "rxe_smp"))
	if g.chance(70) {
		fmt.Fprintf(&b, "faults { %s <= 1 }\n", g.pick("drop(any)", "drop(ACK)", "drop(request)", "dup(any)", "reorder(any, any)", "early_timeout", "kill(a.q)"))
	}
	if g.chance(40) {
		fmt.Fprintf(&b, "allow %s\n", g.pick("rnr_exhausted", "retry_exhausted", "open_wr"))
	}
	g.properties(&b)
	return b.String()
}

func (g *randomGen) node(b *strings.Builder, n string, twoQPs bool) {
	peer := map[string]string{"a": "b", "b": "a"}[n]
	fmt.Fprintf(b, "node %s {\n  mr m { access REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC }\n  cq c, d\n", n)
	rcq := g.pick("c", "c", "d")
	attrs := g.pick("", "; retry_cnt 1", "; rnr_retry 1", "; rnr_retry 0", "; max_send_wr 1")
	fmt.Fprintf(b, "  qp q { send_cq c; recv_cq %s%s }\n", rcq, attrs)
	queues := []string{"q"}
	if twoQPs {
		b.WriteString("  qp p { send_cq c; recv_cq c }\n")
		queues = append(queues, "p")
	}
	for i := range g.r.IntN(3) {
		name := fmt.Sprintf("R%s%d", n, i)
		g.names = append(g.names, name)
		fmt.Fprintf(b, "  post_recv %s %s\n", g.pick(queues...), name)
	}
	for i := range g.r.IntN(3) {
		g.send(b, n, peer, g.pick(queues...), i)
	}
	if len(g.names) > 0 && g.chance(50) {
		if on := g.names[g.r.IntN(len(g.names))]; strings.HasPrefix(on[1:], n) {
			fmt.Fprintf(b, "  on %s.wc {\n", on)
			if g.chance(70) {
				g.send(b, n, peer, "q", 8)
			} else {
				fmt.Fprintf(b, "    post_recv q R%s9\n", n)
				g.names = append(g.names, "R"+n+"9")
			}
			b.WriteString("  }\n")
		}
	}
	b.WriteString("}\n")
}

func (g *randomGen) send(b *strings.Builder, n, peer, queue string, i int) {
	name := fmt.Sprintf("S%s%d", n, i)
	g.names, g.sends = append(g.names, name), append(g.sends, name)
	op := g.pick("SEND", "SEND", "SEND", "RDMA_WRITE", "RDMA_READ", "RDMA_WRITE_WITH_IMM")
	rest := ""
	if op != "SEND" {
		rest = " sg [m] remote " + peer + ".m"
	}
	fmt.Fprintf(b, "  post_send %s %s %s%s%s\n", queue, name, op, g.pick(" SIGNALED", " SIGNALED", ""), rest)
}

func (g *randomGen) properties(b *strings.Builder) {
	if len(g.names) == 0 {
		return
	}
	atom := func() string {
		name := g.names[g.r.IntN(len(g.names))]
		field := g.pick("cqe", "wc", "ok", "failed")
		if name[0] == 'S' && g.chance(40) {
			field = g.pick("acked", "executed", "arrived", "posted", "sent")
		}
		return name + "." + field
	}
	for i := range 1 + g.r.IntN(3) {
		switch g.r.IntN(4) {
		case 0:
			fmt.Fprintf(b, "assert p%d: eventually %s\n", i, atom())
		case 1:
			fmt.Fprintf(b, "assert p%d: final (%s or %s)\n", i, atom(), atom())
		case 2:
			fmt.Fprintf(b, "reach p%d: %s and not %s\n", i, atom(), atom())
		default:
			fmt.Fprintf(b, "assert p%d: %s precedes %s\n", i, atom(), atom())
		}
	}
}
