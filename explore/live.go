package explore

import (
	"bytes"
	"context"
	"slices"
	"sort"
)

// A Liver is a model with liveness properties: things that must happen in the
// end. Pending returns, as a mask, the properties of which something is still
// due in a state. A run violates property i if it ends while i is pending, which
// the model reports as a goal of its own in its end states, or if from some
// point on it stays for ever among states in which i is pending. Only fair runs
// count (see [Fairer]).
type Liver interface {
	Pending(state []byte) uint64
}

// A Fairer is a model that says which actions cannot be put off for ever. Fair
// returns the class of an action, 0 for one that need never be taken. A run is
// fair if no class is enabled in all of its states from some point on without
// an action of the class being taken again and again (weak fairness).
type Fairer interface {
	Fair(a Action) int
}

// A LiveResult is a fair cycle that violates a liveness property: a run that
// goes to Loop[0].State and then takes the rest of Loop over and over. The last
// state of Loop is its first.
type LiveResult struct {
	Violated bool
	Cost     int // of reaching the cycle
	Depth    int // least actions to its first state
	Loop     []Step
}

// live looks for fair cycles of pending states in every layer, the cheapest
// first. An action that costs something leads out of its layer, so no cycle
// crosses layers. Nothing but the states is stored: successors are computed
// again.
func (s *search) live() error {
	m, ok := s.m.(Liver)
	if !ok || !s.res.Complete {
		return nil
	}
	l := &liver{search: s, pending: m.Pending, fair: func(Action) int { return 0 }, out: s.workers[0].out}
	if f, ok := s.m.(Fairer); ok {
		l.fair = f.Fair
	}
	for cost := range s.layers {
		if err := l.layer(cost); err != nil {
			return err
		}
	}
	s.res.Live = l.found
	return nil
}

// A liver finds the strongly connected components of one layer after the other
// by Tarjan's algorithm without recursion.
type liver struct {
	*search
	pending func([]byte) uint64
	fair    func(Action) int
	out     *Successors
	found   [64]LiveResult

	cost  int
	set   *set
	first [shards + 1]uint32 // number of the first state of each shard
	num   []uint32           // by state: order of visit, 0 if not visited
	low   []uint32
	in    []bool // by state: on the stack of open components
	open  []uint32
	calls []call
	edges []uint32 // successors of the states in calls
	count uint32
}

// A call is a state being visited and the part of edges that is its.
type call struct {
	state    uint32
	from, at int
	self     bool
}

// layer looks for cycles in the layer of a cost.
func (l *liver) layer(cost int) error {
	l.cost, l.set = cost, l.layers[cost]
	for sh := range l.set.shards {
		l.first[sh+1] = l.first[sh] + l.set.shards[sh].n
	}
	n := int(l.first[shards])
	l.num, l.low, l.in = make([]uint32, n), make([]uint32, n), make([]bool, n)
	l.count = 0
	wanted := func(state []byte) bool { return l.pending(state) != 0 }
	for id := range uint32(n) {
		if l.num[id] != 0 || !wanted(l.state(id)) {
			continue
		}
		err := l.visit(id, wanted, l.judge)
		if err != nil {
			return err
		}
		if l.ctx.Err() != nil {
			l.limit()
			l.res.Complete = false
			return nil
		}
	}
	return nil
}

// state returns a state by its number in the layer.
func (l *liver) state(id uint32) []byte {
	sh := sort.Search(shards, func(sh int) bool { return l.first[sh+1] > id })
	return l.set.state(sh, id-l.first[sh])
}

// depth returns the level of a state.
func (l *liver) depth(id uint32) int {
	sh := sort.Search(shards, func(sh int) bool { return l.first[sh+1] > id })
	levels, i := l.set.shards[sh].levels, id-l.first[sh]
	k := sort.Search(len(levels), func(k int) bool { return levels[k].start > i })
	return int(levels[k-1].depth)
}

// lookup returns the number of a stored state of the layer.
func (l *liver) lookup(state []byte) (uint32, bool) {
	h := hash(state)
	i, ok := l.set.find(h, state)
	return l.first[shardOf(h)] + i, ok
}

// successors calls f for each successor that stays in the layer.
func (l *liver) successors(id uint32, f func(a Action, to uint32, state []byte)) error {
	if err := protect(func() error { return l.out.Expand(l.m, l.state(id)) }); err != nil {
		return &ModelError{Err: err}
	}
	for i := range l.out.edges {
		e := &l.out.edges[i]
		if e.end || l.search.cost != nil && l.search.cost(e.act) != 0 {
			continue
		}
		if to, ok := l.lookup(l.out.state(i)); ok {
			f(e.act, to, l.out.state(i))
		}
	}
	return nil
}

// visit explores the components reachable from a state among the wanted ones
// and hands those with a cycle to judge.
func (l *liver) visit(root uint32, wanted func([]byte) bool, judge func([]uint32) error) error {
	if err := l.enter(root, wanted); err != nil {
		return err
	}
	for len(l.calls) > 0 {
		c := &l.calls[len(l.calls)-1]
		if c.at < len(l.edges) {
			to := l.edges[c.at]
			c.at++
			switch {
			case l.num[to] == 0:
				if err := l.enter(to, wanted); err != nil {
					return err
				}
			case l.in[to]:
				l.low[c.state] = min(l.low[c.state], l.num[to])
			}
			continue
		}
		if err := l.leave(judge); err != nil {
			return err
		}
	}
	return nil
}

// enter begins the visit of a state.
func (l *liver) enter(id uint32, wanted func([]byte) bool) error {
	l.count++
	l.num[id], l.low[id], l.in[id] = l.count, l.count, true
	l.open = append(l.open, id)
	c := call{state: id, from: len(l.edges), at: len(l.edges)}
	err := l.successors(id, func(_ Action, to uint32, state []byte) {
		if to == id {
			c.self = true
		} else if wanted(state) {
			l.edges = append(l.edges, to)
		}
	})
	l.calls = append(l.calls, c)
	return err
}

// leave ends the visit of a state and, if it is the root of a component, closes
// that.
func (l *liver) leave(judge func([]uint32) error) error {
	c := l.calls[len(l.calls)-1]
	l.calls = l.calls[:len(l.calls)-1]
	l.edges = l.edges[:c.from]
	if len(l.calls) > 0 {
		up := l.calls[len(l.calls)-1].state
		l.low[up] = min(l.low[up], l.low[c.state])
	}
	if l.low[c.state] != l.num[c.state] {
		return nil
	}
	k := len(l.open) - 1
	for l.open[k] != c.state {
		k--
	}
	part := slices.Clone(l.open[k:])
	l.open = l.open[:k]
	for _, id := range part {
		l.in[id] = false
	}
	if len(part) == 1 && !c.self {
		return nil
	}
	return judge(part)
}

// judge looks, for every property, at the cycles of a component whose states
// all keep it pending.
func (l *liver) judge(part []uint32) error {
	every, some := ^uint64(0), uint64(0)
	for _, id := range part {
		p := l.pending(l.state(id))
		every &= p
		some |= p
	}
	for i := range l.found {
		bit := uint64(1) << uint(i)
		if some&bit == 0 || l.found[i].Violated && l.found[i].Cost < l.cost {
			continue
		}
		var err error
		if every&bit != 0 {
			err = l.fairCycle(i, part)
		} else {
			err = l.within(i, part)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// within splits the states of a component that keep property i pending into
// components of their own.
func (l *liver) within(i int, part []uint32) error {
	inner := &liver{search: l.search, pending: l.pending, fair: l.fair, out: l.out, cost: l.cost, set: l.set, first: l.first,
		num: make([]uint32, len(l.num)), low: make([]uint32, len(l.low)), in: make([]bool, len(l.in)), found: l.found}
	member := make(map[uint32]bool, len(part))
	for _, id := range part {
		member[id] = true
	}
	wanted := func(state []byte) bool {
		id, ok := l.lookup(state)
		return ok && member[id] && l.pending(state)>>uint(i)&1 == 1
	}
	for _, id := range part {
		if inner.num[id] == 0 && wanted(l.state(id)) {
			if err := inner.visit(id, wanted, func(p []uint32) error { return inner.fairCycle(i, p) }); err != nil {
				return err
			}
		}
	}
	l.found = inner.found
	return nil
}

// fairCycle takes a component as a violation of property i if a fair run can
// stay in it for ever and it begins earlier than what was found before. In a
// component the run that visits everything is as fair as any: each class must
// be taken inside, or be disabled somewhere.
func (l *liver) fairCycle(i int, part []uint32) error {
	member := make(map[uint32]bool, len(part))
	for _, id := range part {
		member[id] = true
	}
	always := map[int]bool{}
	taken := map[int]bool{}
	for k, id := range part {
		enabled := map[int]bool{}
		err := l.successors(id, func(a Action, to uint32, _ []byte) {
			enabled[l.fair(a)] = true
			taken[l.fair(a)] = taken[l.fair(a)] || member[to]
		})
		if err != nil {
			return err
		}
		l.endClasses(enabled)
		for c := range enabled {
			if k == 0 {
				always[c] = true
			}
		}
		for c := range always {
			if !enabled[c] {
				delete(always, c)
			}
		}
	}
	for c := range always {
		if c != 0 && !taken[c] {
			return nil
		}
	}
	return l.take(i, part, member)
}

// endClasses adds the classes of actions that end the run: they are enabled,
// and a run that stays in the component does not take them.
func (l *liver) endClasses(enabled map[int]bool) {
	for i := range l.out.edges {
		if e := &l.out.edges[i]; e.end {
			enabled[l.fair(e.act)] = true
		}
	}
}

// take stores a component's cycle if it begins earlier than the one known.
func (l *liver) take(i int, part []uint32, member map[uint32]bool) error {
	entry := part[0]
	for _, id := range part[1:] {
		if d, e := l.depth(id), l.depth(entry); d < e || d == e && bytes.Compare(l.state(id), l.state(entry)) < 0 {
			entry = id
		}
	}
	r := &l.found[i]
	depth := l.depth(entry)
	if r.Violated && (r.Cost < l.cost || r.Depth < depth || r.Depth == depth && bytes.Compare(r.Loop[0].State, l.state(entry)) <= 0) {
		return nil
	}
	loop, err := l.loop(entry, part, member)
	*r = LiveResult{Violated: true, Cost: l.cost, Depth: depth, Loop: loop}
	return err
}

// loop builds a cycle through the entry of a component that is fair: it goes to
// the nearest state or action that satisfies a class not satisfied yet, until
// all are, and then home.
func (l *liver) loop(entry uint32, part []uint32, member map[uint32]bool) ([]Step, error) {
	need := map[int]bool{}
	for _, id := range part {
		err := l.successors(id, func(a Action, _ uint32, _ []byte) { need[l.fair(a)] = true })
		if err != nil {
			return nil, err
		}
		l.endClasses(need)
	}
	delete(need, 0)
	steps := []Step{{State: bytes.Clone(l.state(entry))}}
	at := entry
	for first := true; ; first = false {
		if err := l.satisfy(at, need, nil); err != nil {
			return nil, err
		}
		home := len(need) == 0
		if home && at == entry && !first {
			return steps, nil
		}
		path, err := l.nearest(at, member, func(id uint32, a Action) (bool, error) {
			if home {
				return id == entry, nil
			}
			return l.serves(id, a, need)
		})
		if err != nil || path == nil {
			return steps, err
		}
		for _, st := range path {
			delete(need, l.fair(st.Action))
			steps = append(steps, st)
			at, _ = l.lookup(st.State)
			if err := l.satisfy(at, need, nil); err != nil {
				return nil, err
			}
		}
	}
}

// satisfy removes from need the classes that are disabled in a state and notes
// them in gone, unless that is nil.
func (l *liver) satisfy(id uint32, need map[int]bool, gone *bool) error {
	enabled := map[int]bool{}
	if err := l.successors(id, func(a Action, _ uint32, _ []byte) { enabled[l.fair(a)] = true }); err != nil {
		return err
	}
	l.endClasses(enabled)
	for c := range need {
		if !enabled[c] {
			if gone != nil {
				*gone = true
				continue
			}
			delete(need, c)
		}
	}
	return nil
}

// serves reports whether taking an action to a state satisfies a class.
func (l *liver) serves(id uint32, a Action, need map[int]bool) (bool, error) {
	if need[l.fair(a)] {
		return true, nil
	}
	gone := false
	err := l.satisfy(id, need, &gone)
	return gone, err
}

// nearest returns the shortest way, at least one action long, from a state to
// one that is good, within a component.
func (l *liver) nearest(from uint32, member map[uint32]bool, good func(uint32, Action) (bool, error)) ([]Step, error) {
	type link struct {
		up   int
		step Step
		id   uint32
	}
	queue := []link{{up: -1, id: from}}
	seen := map[uint32]bool{}
	for k := 0; k < len(queue); k++ {
		var next []link
		err := l.successors(queue[k].id, func(a Action, to uint32, state []byte) {
			if member[to] && !seen[to] {
				seen[to] = true
				next = append(next, link{k, Step{a, bytes.Clone(state)}, to})
			}
		})
		if err != nil {
			return nil, err
		}
		for _, n := range next {
			queue = append(queue, n)
			ok, err := good(n.id, n.step.Action)
			if err != nil {
				return nil, err
			}
			if !ok {
				continue
			}
			var path []Step
			for j := len(queue) - 1; j > 0; j = queue[j].up {
				path = append(path, queue[j].step)
			}
			slices.Reverse(path)
			return path, nil
		}
	}
	return nil, nil
}

// Reach returns the best run of m to a state: of least cost, then fewest
// actions, then fewest changes of lane. It is nil if the search was stopped
// before.
func Reach(ctx context.Context, m Model, state []byte, opt Options) ([]Step, error) {
	r := &reacher{Model: m, state: state}
	goal := r.Goals() - 1
	opt.Until = 1 << uint(goal)
	opt.Trace = func(g int) bool { return g == goal }
	res, err := Run(ctx, r, opt)
	if err != nil {
		return nil, err
	}
	return res.Goals[goal].Trace, nil
}

// A reacher is a model with one more goal: to be in a state.
type reacher struct {
	Model
	state []byte
}

func (r *reacher) Goals() int { return goals(r.Model) + 1 }

func (r *reacher) Cost(a Action) int {
	if c, ok := r.Model.(Coster); ok {
		return c.Cost(a)
	}
	return 0
}

func (r *reacher) Lane(a Action) int {
	if l, ok := r.Model.(Laner); ok {
		return l.Lane(a)
	}
	return 0
}

func (r *reacher) Successors(state []byte, out *Successors) {
	if bytes.Equal(state, r.state) {
		out.HitState(r.Goals() - 1)
	}
	r.Model.Successors(state, out)
}
