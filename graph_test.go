package ibcheck

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/graph/encoding/dot"
	"gonum.org/v1/gonum/graph/multi"

	"github.com/ibcheck/ibcheck/spec/scenario"
)

const seedScenario = `litmus "seed" { doc "A lost ACK." }
connect host.q <-> target.q
node host {
  cq scq, rcq; qp q { qp_type RC; send_cq scq; recv_cq rcq }
  post_recv q R2
  post_send q S1 SEND SIGNALED
}
node target {
  cq c; qp q { qp_type RC; send_cq c; recv_cq c }
  post_recv q R1
  on R1.wc { post_send q S2 SEND SIGNALED }
}
assume { profile arrival_order }
faults { drop(ACK) <= 1 }
assert order: S1.cqe precedes R2.cqe    expect violated
assert safe:  never S1.failed           expect holds
reach  early: R2.cqe and not S1.cqe     expect reachable
`

func parse(t *testing.T, src string) *scenario.File {
	t.Helper()
	f, errs := scenario.Parse("seed.ibl", []byte(src), scenario.Options{})
	if errs != nil {
		t.Fatal(errs)
	}
	return f
}

func stateGraph(t *testing.T, opt GraphOptions) *StateGraph {
	t.Helper()
	g, err := Graph(context.Background(), parse(t, seedScenario), Options{}, opt)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func count[T any](list []T, is func(T) bool) (n int) {
	for _, x := range list {
		if is(x) {
			n++
		}
	}
	return n
}

func TestGraphShowsAllStatesAndSteps(t *testing.T) {
	report, err := Check(context.Background(), parse(t, seedScenario), Options{})
	if err != nil {
		t.Fatal(err)
	}
	g := stateGraph(t, GraphOptions{MaxNodes: 10000})
	if uint64(len(g.Nodes)) != report.States || uint64(len(g.Edges)) != report.Transitions || g.Cut {
		t.Errorf("%d nodes, %d edges, cut %v; check finds %d and %d", len(g.Nodes), len(g.Edges), g.Cut, report.States, report.Transitions)
	}
	if n := count(g.Nodes, func(n GraphNode) bool { return n.Initial }); n != 1 || !g.Nodes[0].Initial {
		t.Errorf("%d initial states", n)
	}
	actions := report.Properties[0].Actions
	if n := count(g.Edges, func(e GraphEdge) bool { return e.Path }); g.Run != "order" || n != actions {
		t.Errorf("%d steps of the run of %q are drawn, want %d", n, g.Run, actions)
	}
	for i, n := range g.Nodes {
		out := count(g.Edges, func(e GraphEdge) bool { return e.From == i && !e.Fault })
		if n.End != (out == 0) {
			t.Errorf("node %d %q: end is %v, with %d steps out of it", i, n.Label, n.End, out)
		}
		if n.Bad && !slices.ContainsFunc(n.Label, func(l string) bool { return strings.HasPrefix(l, "R2 cqe") }) {
			t.Errorf("node %d %q is bad, but R2 has no CQE in it", i, n.Label)
		}
	}
	lost := count(g.Edges, func(e GraphEdge) bool { return e.Fault })
	if n := count(g.Edges, func(e GraphEdge) bool { return strings.HasPrefix(e.Label, "lose ACK") }); n == 0 || n != lost {
		t.Errorf("%d steps are faults, %d lose an ACK", lost, n)
	}
}

func TestGraphOfCompletions(t *testing.T) {
	g := stateGraph(t, GraphOptions{Completions: true})
	byLabel := map[string]GraphNode{}
	for _, n := range g.Nodes {
		byLabel[strings.Join(n.Label, " ")] = n
	}
	if len(byLabel) != len(g.Nodes) {
		t.Errorf("%d nodes with %d labels", len(g.Nodes), len(byLabel))
	}
	if n := byLabel["R2 R1"]; !n.Bad || !n.Path {
		t.Errorf("R2 before S1 is %+v, want bad and on the path", n)
	}
	if n := byLabel["S1 R1"]; n.Bad || n.Path {
		t.Errorf("S1 first is %+v", n)
	}
	if n := byLabel["R2 S1 R1 S2"]; !n.End || n.Bad {
		t.Errorf("all completed is %+v, want an end", n)
	}
	if n := byLabel[""]; !n.Initial {
		t.Errorf("nothing completed is %+v, want the initial state", n)
	}
	for _, e := range g.Edges {
		if e.From == e.To || e.Label == "" || e.Fault {
			t.Errorf("edge %+v completes nothing", e)
		}
	}
}

func TestGraphOfTheRunAlone(t *testing.T) {
	g := stateGraph(t, GraphOptions{PathOnly: true})
	if len(g.Nodes) != len(g.Edges)+1 || g.Cut {
		t.Errorf("%d nodes and %d edges, cut %v", len(g.Nodes), len(g.Edges), g.Cut)
	}
	if last := g.Nodes[len(g.Nodes)-1]; !last.Bad || !last.Path {
		t.Errorf("the last state is %+v", last)
	}
	if g := stateGraph(t, GraphOptions{PathOnly: true, Property: "early"}); g.Run != "early" || len(g.Edges) == 0 {
		t.Errorf("the run of %q, %d steps", g.Run, len(g.Edges))
	}
}

func TestGraphIsCutAndSaysSo(t *testing.T) {
	g := stateGraph(t, GraphOptions{MaxNodes: 20})
	if len(g.Nodes) != 20 || !g.Cut {
		t.Errorf("%d nodes, cut %v", len(g.Nodes), g.Cut)
	}
	if text := dotText(t, g); !strings.Contains(text, "not all states are shown") {
		t.Errorf("the drawing does not say that it is cut:\n%s", text)
	}
}

func TestGraphOfAPropertyWithoutARun(t *testing.T) {
	f := parse(t, seedScenario)
	for property, want := range map[string]string{"safe": "safe has no run", "odrer": `no property named "odrer" (properties: order, safe, `} {
		_, err := Graph(context.Background(), f, Options{}, GraphOptions{Property: property})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", property, err, want)
		}
	}
}

func dotText(t *testing.T, g *StateGraph) string {
	t.Helper()
	var out bytes.Buffer
	if err := g.WriteDOT(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestDOT(t *testing.T) {
	g := stateGraph(t, GraphOptions{Completions: true})
	text := dotText(t, g)
	golden(t, "seed-cqe.dot", text)
	back := multi.NewDirectedGraph()
	if err := dot.UnmarshalMulti([]byte(text), back); err != nil {
		t.Fatal(err)
	}
	if n := back.Nodes().Len(); n != len(g.Nodes) {
		t.Errorf("read back with %d nodes, want %d", n, len(g.Nodes))
	}
}

// Graphviz must draw what is written, without a warning.
func TestGraphvizDrawsIt(t *testing.T) {
	graphviz, err := exec.LookPath("dot")
	if err != nil {
		if os.Getenv("IBCHECK_NEED_TOOLS") != "" {
			t.Fatal("dot is not installed, and IBCHECK_NEED_TOOLS is set")
		}
		t.Skip("dot is not installed")
	}
	g := stateGraph(t, GraphOptions{})
	draw := exec.Command(graphviz, "-Tsvg")
	draw.Stdin = strings.NewReader(dotText(t, g))
	var svg, warnings bytes.Buffer
	draw.Stdout, draw.Stderr = &svg, &warnings
	if err := draw.Run(); err != nil || warnings.Len() > 0 {
		t.Fatalf("%v: %s", err, &warnings)
	}
	if n := strings.Count(svg.String(), `class="node"`); n != len(g.Nodes) {
		t.Errorf("%d nodes are drawn, want %d", n, len(g.Nodes))
	}
	if n := strings.Count(svg.String(), `class="edge"`); n != len(g.Edges) {
		t.Errorf("%d edges are drawn, want %d", n, len(g.Edges))
	}
}
