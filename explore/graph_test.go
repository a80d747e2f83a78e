package explore_test

import (
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/encoding"
	"gonum.org/v1/gonum/graph/encoding/dot"
	"gonum.org/v1/gonum/graph/path"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/explore/exploretest"
)

// TestGraph compares the graph with the search, and its distances with those
// that gonum finds in it.
func TestGraph(t *testing.T) {
	for seed := range uint64(20) {
		m := exploretest.NewRandom(seed, 60, 2, 4)
		res := run(t, m, explore.Options{})
		g, err := explore.NewGraph(m, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		ended := 0
		for _, n := range g.States {
			if n.Ended {
				ended++
			} else if g.Lookup(n.State) != n {
				t.Errorf("seed %d: state %d is not found", seed, n.ID())
			}
		}
		if uint64(len(g.States)-ended) != res.States || uint64(len(g.Steps)) != res.Transitions || g.Cut {
			t.Errorf("seed %d: %d states, %d of them ended, %d steps, cut %v; the search found %d and %d",
				seed, len(g.States), ended, len(g.Steps), g.Cut, res.States, res.Transitions)
		}
		distances(t, seed, g)
		for i, goal := range res.Goals {
			if !goal.Found {
				continue
			}
			// The last action may end the run; all states before are in the graph.
			for k, step := range goal.Trace[:len(goal.Trace)-1] {
				if n := g.Lookup(step.State); n == nil || n.Depth != k {
					t.Errorf("seed %d, goal %d: step %d is node %+v", seed, i, k, n)
				}
			}
		}
	}
}

func distances(t *testing.T, seed uint64, g *explore.Graph) {
	t.Helper()
	best := map[int64]float64{}
	for _, from := range g.States {
		if !from.Initial {
			continue
		}
		tree := path.DijkstraFrom(from, g)
		for _, n := range g.States {
			if d, ok := best[n.ID()]; !ok || tree.WeightTo(n.ID()) < d {
				best[n.ID()] = tree.WeightTo(n.ID())
			}
		}
	}
	for _, n := range g.States {
		if best[n.ID()] != float64(n.Depth) {
			t.Errorf("seed %d: node %d has depth %d, gonum finds %v", seed, n.ID(), n.Depth, best[n.ID()])
		}
	}
}

// TestGraphCut asks for fewer nodes than there are.
func TestGraphCut(t *testing.T) {
	g, err := explore.NewGraph(grid{counters: 2, most: 3, budget: 2}, 4)
	if err != nil {
		t.Fatal(err)
	}
	var cut []int64
	for _, n := range g.States {
		if n.Cut {
			cut = append(cut, n.ID())
		}
	}
	if len(g.States) != 4 || !g.Cut || fmt.Sprint(cut) != "[1 2 3]" {
		t.Errorf("%d states, cut %v, at %v", len(g.States), g.Cut, cut)
	}
}

// TestGraphDot writes a graph with labels of its own.
func TestGraphDot(t *testing.T) {
	g, err := explore.NewGraph(grid{counters: 1, most: 2, budget: 2}, 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range g.States {
		n.Attrs = []encoding.Attribute{{Key: "label", Value: fmt.Sprintf("%x", n.State)}}
	}
	for _, l := range g.Steps {
		l.Attrs = []encoding.Attribute{{Key: "label", Value: fmt.Sprintf("%x", uint64(l.Action))}}
	}
	var _ graph.DirectedMultigraph = g
	text, err := dot.MarshalMulti(g, "grid", "", " ")
	if err != nil {
		t.Fatal(err)
	}
	want := `digraph grid {
 // Node definitions.
 0 [label=0000];
 1 [label=0100];
 2 [label=0201];

 // Edge definitions.
 0 -> 1 [label=0];
 1 -> 2 [label=100];
}`
	if strings.TrimSpace(string(text)) != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

// TestGraphBroken gets an error from a model that panics.
func TestGraphBroken(t *testing.T) {
	if _, err := explore.NewGraph(bad{width: 1, goals: 1, panics: true}, 10); err == nil {
		t.Error("no error")
	}
}
