package explore

import (
	"bytes"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/encoding"
	"gonum.org/v1/gonum/graph/multi"
)

// A Graph is the reachable part of a small model as a gonum multigraph, with a
// [Node] for each state and a [Line] for each action.
type Graph struct {
	*multi.DirectedGraph
	States []*Node // by ID, breadth first
	Steps  []*Line // by ID, in the order of the states and of their actions
	// Cut says that the graph lacks states, or actions between its states,
	// because it was to have only so many nodes.
	Cut bool

	index map[string]*Node
}

// A Node is a state of a Graph.
type Node struct {
	State   []byte
	Cost    int // of the way it was first reached by
	Depth   int // actions of that way
	Initial bool
	Ended   bool   // the last state of a run that the model ended
	Cut     bool   // some successors are not in the graph
	Hits    uint64 // goals that the state itself hits
	// Attrs is for the caller: what Attributes returns when the graph is
	// written by package encoding/dot.
	Attrs []encoding.Attribute

	id int64
}

// ID implements graph.Node: the states are numbered breadth first.
func (n *Node) ID() int64 { return n.id }

// Attributes implements encoding.Attributer.
func (n *Node) Attributes() []encoding.Attribute { return n.Attrs }

// A Line is an action of a Graph.
type Line struct {
	F, T   *Node
	Action Action
	Hits   uint64 // goals that taking the action hits
	// Attrs is for the caller, as those of a Node.
	Attrs []encoding.Attribute

	id int64
}

// From implements graph.Line.
func (l *Line) From() graph.Node { return l.F }

// To implements graph.Line.
func (l *Line) To() graph.Node { return l.T }

// ID implements graph.Line.
func (l *Line) ID() int64 { return l.id }

// ReversedLine implements graph.Line.
func (l *Line) ReversedLine() graph.Line {
	r := *l
	r.F, r.T = l.T, l.F
	return &r
}

// Attributes implements encoding.Attributer.
func (l *Line) Attributes() []encoding.Attribute { return l.Attrs }

// Lookup returns the node of a state, or nil if the graph does not have it.
func (g *Graph) Lookup(state []byte) *Node { return g.index[string(state)] }

// NewGraph explores m breadth first, whatever actions cost, and returns the
// graph of its first states, at most maxNodes.
func NewGraph(m Model, maxNodes int) (*Graph, error) {
	g := &Graph{DirectedGraph: multi.NewDirectedGraph(), index: map[string]*Node{}}
	cost := func(Action) int { return 0 }
	if c, ok := m.(Coster); ok {
		cost = c.Cost
	}
	out := NewSuccessors(m)
	if err := protect(func() error { return out.Start(m) }); err != nil {
		return nil, &ModelError{Err: err}
	}
	for i := range out.edges {
		if n := g.node(out, i, maxNodes); n != nil {
			n.Initial = true
		}
	}
	for k := 0; k < len(g.States); k++ {
		n := g.States[k]
		if n.Ended {
			continue
		}
		if err := protect(func() error { return out.Expand(m, n.State) }); err != nil {
			return nil, &ModelError{State: n.State, Err: err}
		}
		n.Hits = out.hits
		g.expand(n, out, cost, maxNodes)
	}
	return g, nil
}

// expand adds the actions of a node.
func (g *Graph) expand(n *Node, out *Successors, cost func(Action) int, maxNodes int) {
	for i := range out.edges {
		e := &out.edges[i]
		before := len(g.States)
		to := g.node(out, i, maxNodes)
		if to == nil {
			n.Cut = true
			continue
		}
		if len(g.States) > before {
			to.Cost, to.Depth = n.Cost+cost(e.act), n.Depth+1
		}
		l := &Line{F: n, T: to, Action: e.act, Hits: e.hits, id: int64(len(g.Steps))}
		g.Steps = append(g.Steps, l)
		g.SetLine(l)
	}
}

// node returns the node of successor i, making it if there is room. Each run
// that the model ended gets a last state of its own kind, shared by those that
// end alike but not with a state of the system that has the same bytes.
func (g *Graph) node(out *Successors, i int, maxNodes int) *Node {
	state, ended := out.state(i), out.edges[i].end
	key := string(state)
	if ended {
		key += "ended" // longer than any state
	}
	n := g.index[key]
	if n == nil {
		if len(g.States) >= maxNodes {
			g.Cut = true
			return nil
		}
		n = &Node{State: bytes.Clone(state), Ended: ended, id: int64(len(g.States))}
		g.index[key] = n
		g.States = append(g.States, n)
		g.AddNode(n)
	}
	return n
}
