package ibcheck

import (
	"cmp"
	"context"
	"slices"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// An OrdersReport lists the orders of completions that runs of a scenario can
// show, and what every pair of completions is sure of.
type OrdersReport struct {
	Schema      string            `json:"schema"`
	File        string            `json:"file"`
	Name        string            `json:"name"`
	Params      map[string]string `json:"params,omitempty"`
	Profile     string            `json:"profile"`
	Dials       map[string]string `json:"dials"`
	Faults      map[string]int    `json:"faults"`
	Event       string            `json:"event"` // what orders a completion: "cqe" or "wc"
	Nodes       []string          `json:"nodes"`
	Outcomes    []Outcome         `json:"outcomes"`    // fewest faults first
	ByNode      [][]NodeOrder     `json:"by_node"`     // by node: what it alone can see, fewest faults first
	Completions []string          `json:"completions"` // WRs that complete in some run
	Pairs       []Pair            `json:"pairs"`       // of Completions, each once
	States      uint64            `json:"states"`
	Transitions uint64            `json:"transitions"`
	Depth       int               `json:"depth"`
	Complete    bool              `json:"complete"` // no limit stopped the search: there are no other orders
	Stopped     string            `json:"stopped,omitempty"`
	Bounds      []string          `json:"bounds_hit,omitempty"`
}

// An Outcome is what the nodes have seen when a run has come to its end. A node
// sees the order of its own completions; nodes have no common clock.
type Outcome struct {
	Orders [][]string `json:"orders"` // by node: "S1", or "S1(RETRY_EXC_ERR)"
	Faults int        `json:"faults"` // the fewest that show it
	// Ends says why nothing more completes: "" is that nothing but a fault can
	// happen, "for ever" that the run goes on without, else the finding that
	// ended the run.
	Ends  string `json:"ends,omitempty"`
	Token string `json:"token,omitempty"` // of a shortest run with these faults

	want  want
	steps []explore.Step // that run
}

// A NodeOrder is an order of the completions at one node.
type NodeOrder struct {
	Order  []string `json:"order"`
	Faults int      `json:"faults"`
}

// The relations of a Pair.
const (
	Before     = "before"      // A has always completed when B does
	After      = "after"       // B has always completed when A does
	BeforeBoth = "before_both" // A is first where both complete, but B can complete alone
	AfterBoth  = "after_both"  // B is first where both complete, but A can complete alone
	Either     = "either"      // both orders occur
	NeverBoth  = "never_both"  // no run has both
)

// A Pair says how two completions lie to each other.
type Pair struct {
	A        string `json:"a"`
	B        string `json:"b"`
	Relation string `json:"relation"`
	AFirst   int    `json:"a_first"` // fewest faults with which A is first and B follows, -1: never
	BFirst   int    `json:"b_first"`
	// Of either, for each order a run that shows it.
	AToken string `json:"a_token,omitempty"`
	BToken string `json:"b_token,omitempty"`
}

// maxWitnesses bounds the runs that are found to show outcomes: each batch of 64
// takes another search.
const maxWitnesses = 256

// Orders explores a scenario file and returns the orders of its completions: of
// written CQEs, or with polled set of what polls return. Errors are as those of
// Check; limits make the report partial.
func Orders(ctx context.Context, f *scenario.File, opt Options, polled bool) (*OrdersReport, error) {
	ctx, cancel := opt.limited(ctx)
	defer cancel()
	s, err := newOrderSearch(ctx, f, opt, polled)
	if err != nil {
		return nil, err
	}
	r := s.report()
	return r, s.witnesses(r, true)
}

// An orderSearch finds the orders of one scenario.
type orderSearch struct {
	*checker
	polled bool
	orders *orderModel
	sum    *tally
}

// newOrderSearch explores a scenario with its orders.
func newOrderSearch(ctx context.Context, f *scenario.File, opt Options, polled bool) (*orderSearch, error) {
	sc, errs := f.Scenario(opt.Params)
	if errs != nil {
		return nil, errs
	}
	if err := opt.override(sc); err != nil {
		return nil, err
	}
	s := &orderSearch{checker: &checker{ctx: ctx, sc: sc, opt: opt}, polled: polled}
	return s, s.explore()
}

// explore searches the states with their orders, as large as the runs need them.
func (s *orderSearch) explore() error {
	err := s.fitting(func(until uint64) (err error) {
		if s.model, err = spec.Compile(s.sc, s.sizes); err != nil {
			return err
		}
		s.orders = newOrderModel(s.model, s.polled)
		opt := s.opt.search()
		opt.Until, opt.Trace = until, onlyBounds
		s.res, err = explore.Run(s.ctx, s.orders, opt)
		return err
	})
	if err == nil {
		s.sum = s.orders.total()
	}
	return err
}

// fitting calls a search until the sizes of the states are large enough. The
// search takes c.sizes, sets c.model and c.res, and ends at the goals until.
func (c *checker) fitting(search func(until uint64) error) error {
	c.sizes = spec.DefaultBounds(c.sc)
	for until := boundGoals; ; {
		if err := search(until); err != nil {
			return err
		}
		if c.grow() {
			continue
		}
		if until == 0 || len(c.bounds) == 0 {
			return nil
		}
		until = 0 // nothing can grow: explore what fits and say so
	}
}

// onlyBounds says that of the runs only those are wanted that outgrow the states.
func onlyBounds(goal int) bool { return boundGoals>>uint(goal)&1 == 1 }

// report turns the tally into words.
func (s *orderSearch) report() *OrdersReport {
	r := &OrdersReport{Schema: Schema, File: s.sc.File, Name: s.sc.Name, Params: s.opt.Params, Profile: s.model.Profile(), Dials: s.sc.Dials,
		Faults: budgetsOf(s.sc), Event: "cqe", Outcomes: []Outcome{}, Completions: []string{}, Pairs: []Pair{},
		States: s.res.States, Transitions: s.res.Transitions, Depth: s.res.Depth, Complete: s.res.Complete, Stopped: string(s.res.Stop), Bounds: s.bounds}
	if s.polled {
		r.Event = "wc"
	}
	for i := range s.sc.Nodes {
		r.Nodes = append(r.Nodes, s.sc.Nodes[i].Name)
	}
	for order, f := range s.sum.fates {
		r.Outcomes = append(r.Outcomes, s.outcomes(order, f)...)
	}
	slices.SortFunc(r.Outcomes, compareOutcomes)
	r.ByNode = byNode(len(r.Nodes), r.Outcomes)
	var done []int
	for i := range s.orders.wrs {
		if s.completes(i) {
			done = append(done, i)
			r.Completions = append(r.Completions, s.orders.wrs[i].Name)
		}
	}
	for k, a := range done {
		for _, b := range done[k+1:] {
			r.Pairs = append(r.Pairs, s.pair(a, b))
		}
	}
	return r
}

// outcomes returns what runs with an order come to: they may end, be ended by
// findings or, if the search has seen everything, go on without completions.
func (s *orderSearch) outcomes(order string, f *fate) []Outcome {
	var out []Outcome
	add := func(ends string, faults int, w want) {
		w.order = order
		out = append(out, Outcome{Orders: s.orderWords(order), Faults: faults, Ends: ends, want: w})
	}
	if f.end >= 0 {
		add("", f.end, want{kind: wantEnd})
	}
	for b := spec.Bad(1); int(b) < spec.ObserverGoal(0); b++ {
		if faults, ok := f.cuts[b]; ok {
			add(b.String(), faults, want{kind: wantCut, bad: b})
		}
	}
	if len(out) == 0 && !f.extended && s.res.Complete {
		add("for ever", f.faults, want{kind: wantReach})
	}
	return out
}

// orderWords names the completions of an order, by node.
func (s *orderSearch) orderWords(order string) [][]string {
	out := make([][]string, len(s.sc.Nodes))
	for i := range out {
		out[i] = []string{}
	}
	for x := range symbols([]byte(order)) {
		w := &s.orders.wrs[x.wr()]
		name := w.Name
		if x.status() != spec.SUCCESS {
			name += "(" + x.status().String() + ")"
		}
		out[w.Node] = append(out[w.Node], name)
	}
	return out
}

func compareOutcomes(a, b Outcome) int {
	return cmp.Or(cmp.Compare(a.Faults, b.Faults), cmp.Compare(a.Ends, b.Ends),
		slices.CompareFunc(a.Orders, b.Orders, func(x, y []string) int { return slices.Compare(x, y) }))
}

// byNode projects outcomes on what each node sees.
func byNode(nodes int, outcomes []Outcome) [][]NodeOrder {
	out := make([][]NodeOrder, nodes)
	for n := range out {
		out[n] = []NodeOrder{}
		for i := range outcomes { // fewest faults first
			order := outcomes[i].Orders[n]
			if !slices.ContainsFunc(out[n], func(o NodeOrder) bool { return slices.Equal(o.Order, order) }) {
				out[n] = append(out[n], NodeOrder{order, outcomes[i].Faults})
			}
		}
	}
	return out
}

// completes reports whether a WR completes in some run: alone or after something.
func (s *orderSearch) completes(wr int) bool {
	return s.sum.without[wr][wr] >= 0
}

// pair says how two completions lie to each other. Of Before and After, what the
// search has not seen is taken for impossible; the report says if that is open.
func (s *orderSearch) pair(a, b int) Pair {
	p := Pair{A: s.orders.wrs[a].Name, B: s.orders.wrs[b].Name, AFirst: s.sum.after[a][b], BFirst: s.sum.after[b][a]}
	switch {
	case p.AFirst >= 0 && p.BFirst >= 0:
		p.Relation = Either
	case p.AFirst < 0 && p.BFirst < 0:
		p.Relation = NeverBoth
	case p.AFirst >= 0 && s.sum.without[a][b] < 0:
		p.Relation = Before
	case p.AFirst >= 0:
		p.Relation = BeforeBoth
	case s.sum.without[b][a] < 0:
		p.Relation = After
	default:
		p.Relation = AfterBoth
	}
	return p
}

// witnesses finds a run for each outcome and, if wanted, for each order of the
// pairs that have two.
func (s *orderSearch) witnesses(r *OrdersReport, pairs bool) error {
	var wants []want
	var found []func(tok string, run []explore.Step)
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		wants = append(wants, o.want)
		found = append(found, func(tok string, run []explore.Step) { o.Token, o.steps = tok, run })
	}
	index := map[string]int{}
	for i := range s.orders.wrs {
		index[s.orders.wrs[i].Name] = i
	}
	for i := range r.Pairs {
		p := &r.Pairs[i]
		if p.Relation != Either || !pairs {
			continue
		}
		a, b := index[p.A], index[p.B]
		wants = append(wants, want{kind: wantBefore, a: a, b: b}, want{kind: wantBefore, a: b, b: a})
		found = append(found, func(tok string, _ []explore.Step) { p.AToken = tok },
			func(tok string, _ []explore.Step) { p.BToken = tok })
	}
	print := fingerprint(s.sc)
	for lo := 0; lo < min(len(wants), maxWitnesses); lo += 64 {
		hi := min(lo+64, len(wants), maxWitnesses)
		runs, err := s.runs(wants[lo:hi])
		if err != nil {
			return err
		}
		for i, run := range runs {
			if run == nil {
				continue // a limit came first
			}
			tok, err := token(s.model, run, print)
			if err != nil {
				return err
			}
			found[lo+i](tok, run)
		}
	}
	return nil
}

// runs finds the shortest run with fewest faults for each of at most 64 wants,
// nil for one that the limits keep it from finding.
func (s *orderSearch) runs(wants []want) ([][]explore.Step, error) {
	m := newOrderModel(s.model, s.polled)
	m.wants = wants
	res, err := explore.Run(s.ctx, m, s.opt.search())
	if err != nil {
		return nil, err
	}
	out := make([][]explore.Step, len(wants))
	for i := range out {
		out[i] = res.Goals[i].Trace
		for k := range out[i] {
			out[i][k].State = out[i][k].State[:m.base]
		}
	}
	return out, nil
}
