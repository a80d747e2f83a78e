package ibcheck

import (
	"io"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/encoding"
	"gonum.org/v1/gonum/graph/encoding/dot"
	"gonum.org/v1/gonum/graph/multi"
)

// WriteDOT writes the graph in the language of Graphviz: the initial state with
// a bold frame, end states with a double one, states in which a property breaks
// filled red, faults dashed, and the highlighted run in thick red.
func (g *StateGraph) WriteDOT(w io.Writer) error {
	d := dotGraph{multi.NewDirectedGraph(), g}
	for i := range g.Nodes {
		d.AddNode(dotNode{int64(i), &g.Nodes[i]})
	}
	for i := range g.Edges {
		e := &g.Edges[i]
		d.SetLine(dotLine{dotNode{int64(e.From), &g.Nodes[e.From]}, dotNode{int64(e.To), &g.Nodes[e.To]}, int64(i), e})
	}
	text, err := dot.MarshalMulti(d, g.Name, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// A dotGraph is a StateGraph as gonum takes it.
type dotGraph struct {
	*multi.DirectedGraph
	g *StateGraph
}

// DOTAttributers implements dot.Attributers.
func (d dotGraph) DOTAttributers() (g, node, edge encoding.Attributer) {
	caption := []string{d.g.Name + ", " + d.g.Under}
	if d.g.Run != "" {
		caption = append(caption, "thick: the run of "+d.g.Run)
	}
	if d.g.Cut {
		caption = append(caption, "not all states are shown")
	}
	return attributes{{Key: "label", Value: strings.Join(caption, "\n")}, {Key: "labelloc", Value: "t"}, {Key: "fontname", Value: "monospace"}},
		attributes{{Key: "shape", Value: "box"}, {Key: "fontname", Value: "monospace"}, {Key: "fontsize", Value: "10"}},
		attributes{{Key: "fontname", Value: "monospace"}, {Key: "fontsize", Value: "9"}}
}

type attributes []encoding.Attribute

// Attributes implements encoding.Attributer.
func (a attributes) Attributes() []encoding.Attribute { return a }

func (a *attributes) set(key, value string) {
	*a = append(*a, encoding.Attribute{Key: key, Value: value})
}

type dotNode struct {
	id   int64
	node *GraphNode
}

func (n dotNode) ID() int64     { return n.id }
func (n dotNode) DOTID() string { return "s" + strconv.FormatInt(n.id, 10) }

// Attributes implements encoding.Attributer.
func (n dotNode) Attributes() []encoding.Attribute {
	label := strings.Join(n.node.Label, "\n")
	if label == "" {
		label = "nothing yet"
	}
	a := attributes{{Key: "label", Value: label}}
	var style []string
	if n.node.Initial {
		style = append(style, "bold")
	}
	if n.node.Bad {
		style = append(style, "filled")
		a.set("fillcolor", "#f4b6b0")
	}
	if len(style) > 0 {
		a.set("style", strings.Join(style, ","))
	}
	if n.node.End {
		a.set("peripheries", "2")
	}
	if n.node.Path {
		a.set("color", pathColor)
	}
	return a
}

const pathColor = "#b03020"

type dotLine struct {
	from, to dotNode
	id       int64
	edge     *GraphEdge
}

func (l dotLine) From() graph.Node { return l.from }
func (l dotLine) To() graph.Node   { return l.to }
func (l dotLine) ID() int64        { return l.id }

// ReversedLine implements graph.Line; lines are never reversed.
func (l dotLine) ReversedLine() graph.Line { return l }

// Attributes implements encoding.Attributer.
func (l dotLine) Attributes() []encoding.Attribute {
	a := attributes{{Key: "label", Value: l.edge.Label}}
	if l.edge.Fault {
		a.set("style", "dashed")
	}
	if l.edge.Path {
		a.set("color", pathColor)
		a.set("penwidth", "2.5")
	}
	return a
}
