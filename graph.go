package ibcheck

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// GraphOptions say which part of the state graph to draw.
type GraphOptions struct {
	MaxNodes    int    // 0: DefaultMaxNodes
	PathOnly    bool   // only the states of the run that is highlighted
	Completions bool   // one node for each set of completions that have happened
	Property    string // whose run is highlighted; "": the first that is violated, else reachable
}

// DefaultMaxNodes is the number of nodes of a graph that can still be read.
const DefaultMaxNodes = 500

// A StateGraph is the states of a scenario and the steps between them, in
// words. Node 0 is the initial state; the others follow breadth first.
type StateGraph struct {
	Name  string
	Under string // profile, dials and budgets
	Run   string // the property whose run is highlighted, "" if none is
	Nodes []GraphNode
	Edges []GraphEdge
	Cut   bool // not all states fitted
}

// A GraphNode is a state, or a class of states. It is bad if a property breaks
// in it that held until then.
type GraphNode struct {
	Label                   []string // lines
	Initial, Bad, End, Path bool
}

// A GraphEdge is a step, or all steps between two classes of the same name.
type GraphEdge struct {
	From, To    int
	Label       string
	Fault, Path bool
}

// Graph explores a scenario file and returns its state graph. The limits of opt
// hold for the exploration; those of g for what is drawn.
func Graph(ctx context.Context, f *scenario.File, opt Options, g GraphOptions) (*StateGraph, error) {
	sc, errs := f.Scenario(opt.Params)
	if errs != nil {
		return nil, errs
	}
	if err := opt.override(sc); err != nil {
		return nil, err
	}
	c := &checker{ctx: ctx, sc: sc, opt: opt}
	if err := c.explore(); err != nil {
		return nil, err
	}
	b, err := c.newGrapher(g)
	if err != nil {
		return nil, err
	}
	if err := b.explore(); err != nil {
		return nil, err
	}
	return b.draw()
}

// A grapher draws the states of a model.
type grapher struct {
	m      *spec.Model
	opt    GraphOptions
	out    *StateGraph
	run    []explore.Step // highlighted
	target int            // the goal that the run hits
	bad    uint64         // mask of the goals that mark a state as bad

	states  *explore.Graph
	first   []*explore.Line // by state: the step that met it first
	nodes   []int           // by state: its node
	classes map[string]int  // nodes by label, when states are drawn together
	edges   map[GraphEdge]int
}

func (c *checker) newGrapher(opt GraphOptions) (*grapher, error) {
	if opt.MaxNodes == 0 {
		opt.MaxNodes = DefaultMaxNodes
	}
	b := &grapher{m: c.model, opt: opt, out: &StateGraph{Name: c.sc.Name}, classes: map[string]int{}, edges: map[GraphEdge]int{}}
	b.out.Under = (&ScenarioReport{Profile: c.model.Profile(), Dials: c.sc.Dials, Faults: budgetsOf(c.sc)}).Under()
	goals := c.graphGoals()
	var names []string
	for _, g := range goals {
		names = append(names, g.name)
		if !g.reach {
			b.bad |= 1 << uint(g.goal)
		}
		if b.run == nil && (opt.Property == "" || g.name == opt.Property) && c.res.Goals[g.goal].Trace != nil {
			b.out.Run, b.run, b.target = g.name, c.res.Goals[g.goal].Trace, g.goal
		}
	}
	switch {
	case opt.Property != "" && !slices.Contains(names, opt.Property):
		return nil, fmt.Errorf("no property named %q (properties: %s)", opt.Property, strings.Join(names, ", "))
	case b.run == nil && opt.Property != "":
		return nil, fmt.Errorf("%s has no run to show that ends", opt.Property)
	case b.run == nil && opt.PathOnly:
		return nil, errors.New("no property has a run to show: none is violated and none is reachable")
	case b.run != nil:
		b.bad |= 1 << uint(b.target)
	}
	return b, nil
}

// A graphGoal is a property whose run may be highlighted.
type graphGoal struct {
	name  string
	goal  int
	reach bool
}

// graphGoals lists what can be highlighted: what should not happen, then what
// should be reachable.
func (c *checker) graphGoals() []graphGoal {
	var bad, good []graphGoal
	for i := range c.watch.Targets {
		t := &c.watch.Targets[i]
		if g := (graphGoal{t.Name, spec.ObserverGoal(i), t.Kind == "reach"}); g.reach {
			good = append(good, g)
		} else {
			bad = append(bad, g)
		}
	}
	for s := spec.Bad(1); int(s) < spec.ObserverGoal(0); s++ {
		if !s.IsBound() && !c.model.Allowed(s) {
			bad = append(bad, graphGoal{s.String(), spec.BadGoal(s), false})
		}
	}
	return append(bad, good...)
}

// maxWalk bounds the states that are walked to draw classes of them.
const maxWalk = 1 << 17

// explore makes the graph of the states that are wanted.
func (b *grapher) explore() (err error) {
	switch {
	case b.opt.PathOnly:
		b.states, err = explore.NewGraph(&runModel{b.m, b.run, b.target}, len(b.run))
	case b.opt.Completions:
		b.states, err = explore.NewGraph(b.m, maxWalk)
	default:
		b.states, err = explore.NewGraph(b.m, b.opt.MaxNodes)
	}
	if err != nil {
		return err
	}
	b.out.Cut = b.states.Cut
	b.first = make([]*explore.Line, len(b.states.States))
	for _, l := range b.states.Steps {
		if to := l.T.ID(); !l.T.Initial && b.first[to] == nil {
			b.first[to] = l
		}
	}
	return nil
}

// A runModel is a model with one run only.
type runModel struct {
	*spec.Model
	run    []explore.Step
	target int
}

// Successors implements explore.Model.
func (m *runModel) Successors(state []byte, out *explore.Successors) {
	i := slices.IndexFunc(m.run, func(s explore.Step) bool { return string(s.State) == string(state) })
	if i+1 >= len(m.run) {
		return
	}
	copy(out.Fork(m.run[i+1].Action), m.run[i+1].State)
	if i+2 == len(m.run) {
		out.Hit(m.target)
	}
}

// draw turns states into nodes and steps into edges.
func (b *grapher) draw() (*StateGraph, error) {
	for _, n := range b.states.States {
		k, err := b.node(n)
		if err != nil {
			return nil, err
		}
		b.nodes = append(b.nodes, k)
	}
	onRun := map[*explore.Node]explore.Action{}
	for i := 1; i < len(b.run); i++ {
		if n := b.states.Lookup(b.run[i-1].State); n != nil {
			onRun[n] = b.run[i].Action
			b.out.Nodes[b.nodes[n.ID()]].Path = true
		}
	}
	moves := make([]bool, len(b.states.States)) // something but a fault can happen
	bad := make([]bool, len(b.states.States))   // a step to it hits a bad goal
	for _, l := range b.states.Steps {
		moves[l.F.ID()] = moves[l.F.ID()] || b.m.Cost(l.Action) == 0
		bad[l.T.ID()] = bad[l.T.ID()] || l.Hits&b.bad != 0
	}
	for _, l := range b.states.Steps {
		if l.Hits&b.bad != 0 && !bad[l.F.ID()] { // what follows is not marked again
			b.out.Nodes[b.nodes[l.T.ID()]].Bad = true
		}
		a, ok := onRun[l.F]
		if err := b.edge(l, ok && a == l.Action); err != nil {
			return nil, err
		}
	}
	for i, n := range b.states.States {
		node := &b.out.Nodes[b.nodes[i]]
		stuck := !moves[i] && !n.Cut && !b.opt.PathOnly // a run alone does not show what else could happen
		node.End = node.End || n.Ended || stuck
	}
	return b.out, nil
}

// node returns the node of a state, a new one if it has none yet.
func (b *grapher) node(n *explore.Node) (int, error) {
	s := b.m.Unpack(n.State)
	var label []string
	class := ""
	if b.opt.Completions {
		label = b.completed(s)
		class = strings.Join(label, "\n")
	} else {
		flying, err := b.inFlight(n)
		if err != nil {
			return 0, err
		}
		label = append(b.progress(s), flying...)
	}
	k, known := b.classes[class]
	if !known || !b.opt.Completions {
		k = len(b.out.Nodes)
		b.classes[class] = k
		b.out.Nodes = append(b.out.Nodes, GraphNode{Label: label})
	}
	node := &b.out.Nodes[k]
	node.Initial = node.Initial || n.Initial
	node.Bad = node.Bad || n.Hits&b.bad != 0
	return k, nil
}

// edge draws a step. Between classes of states only those steps are drawn that
// change the class, and like ones are drawn once.
func (b *grapher) edge(l *explore.Line, onRun bool) error {
	e := GraphEdge{From: b.nodes[l.F.ID()], To: b.nodes[l.T.ID()]}
	to := &b.out.Nodes[e.To]
	to.Path = to.Path || onRun
	if b.opt.Completions {
		had := b.out.Nodes[e.From].Label
		gained := slices.DeleteFunc(slices.Clone(to.Label), func(c string) bool { return slices.Contains(had, c) })
		e.Label = strings.Join(gained, ", ")
	} else {
		words, err := b.words(l)
		if err != nil {
			return err
		}
		e.Label = words
	}
	if b.opt.Completions && e.From == e.To {
		return nil
	}
	k, drawn := b.edges[e]
	if !drawn {
		k = len(b.out.Edges)
		b.edges[e] = k
		b.out.Edges = append(b.out.Edges, e)
		b.out.Edges[k].Fault = true
	}
	drawnEdge := &b.out.Edges[k]
	drawnEdge.Path = drawnEdge.Path || onRun
	drawnEdge.Fault = drawnEdge.Fault && b.m.Cost(l.Action) > 0
	return nil
}

// budgetsOf returns the budgets of a scenario by name.
func budgetsOf(sc *spec.Scenario) map[string]int {
	out := map[string]int{}
	for i := range sc.Faults {
		out[spec.FaultName(sc, &sc.Faults[i])] = sc.Faults[i].Max
	}
	return out
}
