package traces

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/ibcheck/ibcheck/spec"
)

// A unit is what becomes one row: one or two shown events.
type unit struct {
	first, last int // indices in analysis.shown; equal for one event
	start, end  Lane
	timer       bool
	group       int // in which it is drawn, -1 in any that has its node
}

// A bitset is a set of small integers.
type bitset []uint64

func newBitset(n int) bitset          { return make(bitset, (n+63)/64) }
func (b bitset) has(i int) bool       { return b[i/64]>>(i%64)&1 == 1 }
func (b bitset) add(i int)            { b[i/64] |= 1 << (i % 64) }
func (b bitset) addAll(c bitset)      { each(b, c, func(x, y uint64) uint64 { return x | y }) }
func (b bitset) within(c bitset) bool { return b.outside(c) == 0 }

func each(b, c bitset, f func(x, y uint64) uint64) {
	for w := range b {
		b[w] = f(b[w], c[w])
	}
}

// outside counts the members of b that c lacks.
func (b bitset) outside(c bitset) int {
	n := 0
	for w := range b {
		n += bits.OnesCount64(b[w] &^ c[w])
	}
	return n
}

// A relation is the transitive order of shown events.
type relation struct {
	after, before []bitset // after[i] has j if i comes before j
}

// newRelation closes the order of the events over transitivity. All its edges
// lead forward in the trace, so one pass in each direction is enough.
func newRelation(a *analysis) *relation {
	n := len(a.shown)
	r := &relation{make([]bitset, n), make([]bitset, n)}
	for i := range n {
		r.after[i], r.before[i] = newBitset(n), newBitset(n)
	}
	for i := n - 1; i >= 0; i-- {
		for j := i + 1; j < n; j++ {
			if !r.after[i].has(j) && a.ordered(a.shown[i], a.shown[j]) {
				r.after[i].add(j)
				r.after[i].addAll(r.after[j])
			}
		}
	}
	for i := range n {
		for j := range n {
			if r.after[i].has(j) {
				r.before[j].add(i)
			}
		}
	}
	return r
}

// between is true if an event other than i and j has to come between them.
func (r *relation) between(i, j int) bool {
	for w, x := range r.after[i] {
		x &= r.before[j][w]
		if x != 0 {
			return true
		}
	}
	return false
}

// fuse makes i and j one: what comes after either comes after both.
func (r *relation) fuse(i, j int) {
	n := len(r.after)
	after, before := newBitset(n), newBitset(n)
	for _, k := range []int{i, j} {
		after.addAll(r.after[k])
		before.addAll(r.before[k])
	}
	pair := newBitset(n)
	pair.add(i)
	pair.add(j)
	each(after, pair, func(x, y uint64) uint64 { return x &^ y })
	each(before, pair, func(x, y uint64) uint64 { return x &^ y })
	for k := range n {
		if before.has(k) {
			r.after[k].addAll(after)
			r.after[k].addAll(pair)
		}
		if after.has(k) {
			r.before[k].addAll(before)
			r.before[k].addAll(pair)
		}
	}
	for _, k := range []int{i, j} {
		r.after[k], r.before[k] = slices.Clone(after), slices.Clone(before)
	}
}

// The parts of a run. Rows never leave their part, but for an arrival of the
// epilogue that is drawn with its departure.
const (
	partRun      = iota // up to the break, or to what repeats
	partLoop            // what repeats for ever
	partEpilogue        // after the break
	numParts
)

func (a *analysis) part(i int) int {
	switch {
	case i >= a.run.Broken:
		return partEpilogue
	case a.run.Loop > 0 && i >= a.run.Loop-1:
		return partLoop
	}
	return partRun
}

// units joins events to rows, in parts. A departure and its arrival become one
// row if nothing has to come between them, in particular nothing that the
// receiver did.
func units(a *analysis, r *relation) (parts [numParts][]unit) {
	n := len(a.shown)
	early := newBitset(n) // drawn before the break
	part := make([]int, n)
	for k, i := range a.shown {
		if part[k] = a.part(i); part[k] != partEpilogue {
			early.add(k)
		}
	}
	joined := make([]int, n) // 0: alone, else 1 + the other
	for _, p := range pairs(a) {
		i, j := p[0], p[1]
		if r.between(i, j) || part[i] != part[j] && !(part[i] == partRun && part[j] == partEpilogue && crosses(a, r, early, i, j)) {
			continue
		}
		r.fuse(i, j)
		joined[i], joined[j] = j+1, i+1
		if early.has(i) {
			early.add(j)
		}
	}
	for k := range n {
		if other := joined[k] - 1; other < 0 || other > k {
			parts[part[k]] = append(parts[part[k]], newUnit(a, k, max(k, other)))
		}
	}
	return parts
}

// pairs lists the events that would make one row, by the second of them.
func pairs(a *analysis) [][2]int {
	var out [][2]int
	for k, i := range a.shown {
		if j := a.partner(i); j >= 0 {
			out = append(out, [2]int{k, a.at[j]})
		}
	}
	slices.SortFunc(out, func(x, y [2]int) int { return x[1] - y[1] })
	return out
}

// crosses is true if event j of the epilogue may be drawn with event i from
// before the break: nothing of the epilogue led to j, and the property cannot
// mean it. A property without WRs may mean anything.
func crosses(a *analysis, r *relation, early bitset, i, j int) bool {
	if !r.before[j].within(early) {
		return false
	}
	b := a.run.Broken - 1
	if b >= 0 && a.shown[i] != b && r.before[j].has(a.at[b]) {
		return false
	}
	e := &a.run.Events[a.shown[j]]
	if e.Kind == spec.EvPoll {
		return !slices.ContainsFunc(a.polled, func(wr string) bool { return sameWR(wr, e.WR) })
	}
	return len(a.named) > 0 && !a.aboutNamed(a.shown[j])
}

func newUnit(a *analysis, first, last int) unit {
	e, f := &a.run.Events[a.shown[first]], &a.run.Events[a.shown[last]]
	u := unit{first: first, last: last, timer: isTimer(e), start: startLane(e), end: endLane(f)}
	if first != last && f.Kind == spec.EvDrop {
		u.end = u.start
	}
	return u
}

func startLane(e *spec.Event) Lane {
	switch e.Kind {
	case spec.EvPost, spec.EvVerb:
		return Lane{e.Node, spec.App}
	case spec.EvDepart, spec.EvDup, spec.EvDrop:
		return Lane{e.Packet.From, spec.HCA}
	case spec.EvArrive:
		return Lane{e.Packet.To, spec.HCA}
	}
	return noteLane(e)
}

func endLane(e *spec.Event) Lane {
	if e.Kind == spec.EvPost || e.Kind == spec.EvVerb {
		return Lane{e.Node, spec.HCA}
	}
	return startLane(e)
}

// noteLane is where a remark stands: what happens in the wire is told at the
// adapter.
func noteLane(e *spec.Event) Lane {
	if e.Place == spec.App {
		return Lane{e.Node, spec.App}
	}
	return Lane{e.Node, spec.HCA}
}

// beam is how many unfinished orders are kept while rows are put in order.
// All of them fit for the traces of two nodes; beyond, the order is good but
// perhaps not the best.
const beam = 512

// A partial is an order of some of the units.
type partial struct {
	done bitset
	last int // unit, -1 at the start
	at   spot
	cost int
	prev *partial
}

// A spot is where the reader's eye is: in which lane of which group.
type spot struct {
	lane  Lane
	group int
}

// A scheduler puts the units of a part in an order with the fewest changes of
// lane, and near the order of the trace where that leaves a choice.
type scheduler struct {
	groups []group
	units  []unit
	needs  []bitset // for each unit the units that come before it
}

func newScheduler(groups []group, r *relation, us []unit) *scheduler {
	s := &scheduler{groups, us, make([]bitset, len(us))}
	for i, u := range us {
		s.needs[i] = newBitset(len(us))
		for j, v := range us {
			if i != j && (r.before[u.first].has(v.first) || r.before[u.last].has(v.last)) {
				s.needs[i].add(j)
			}
		}
	}
	return s
}

// order returns the units in order, each with its group, and where the last of
// them ends.
func (s *scheduler) order(from spot) ([]unit, spot) {
	level := []*partial{{done: newBitset(len(s.units)), last: -1, at: from}}
	for range s.units {
		level = s.extend(level)
	}
	out := make([]unit, len(s.units))
	p := level[0]
	end := p.at
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = s.units[p.last]
		out[i].group = p.at.group
		p = p.prev
	}
	return out, end
}

// extend adds one unit to every partial order and keeps, for each set of units
// and each spot it ends in, the cheapest; the result is ordered by cost.
func (s *scheduler) extend(level []*partial) []*partial {
	var next []*partial
	place := map[string]int{}
	for _, p := range level {
		ready := s.ready(p.done)
		for _, i := range ready {
			at, step := s.step(p.at, i)
			cost := p.cost + step + s.lateness(ready, i)
			key := stateKey(p.done, i, at)
			n, seen := place[key]
			if seen && next[n].cost <= cost {
				continue
			}
			done := slices.Clone(p.done)
			done.add(i)
			q := &partial{done, i, at, cost, p}
			if seen {
				next[n] = q
				continue
			}
			place[key] = len(next)
			next = append(next, q)
		}
	}
	slices.SortStableFunc(next, func(x, y *partial) int { return x.cost - y.cost })
	return next[:min(len(next), beam)]
}

func (s *scheduler) ready(done bitset) []int {
	var out []int
	for i := range s.needs {
		if !done.has(i) && s.needs[i].within(done) {
			out = append(out, i)
		}
	}
	return out
}

// stateKey identifies all that the cost of what follows depends on.
func stateKey(done bitset, i int, at spot) string {
	var key []byte
	for w, x := range done {
		if i/64 == w {
			x |= 1 << (i % 64)
		}
		key = binary.LittleEndian.AppendUint64(key, x)
	}
	key = binary.LittleEndian.AppendUint32(key, uint32(at.group))
	key = binary.LittleEndian.AppendUint32(key, uint32(at.lane.Node))
	return string(append(key, byte(at.lane.Place)))
}

// step says where the eye is after unit i and what it costs to follow. A unit
// of no connection is drawn where the eye is, if its node is there.
func (s *scheduler) step(from spot, i int) (to spot, cost int) {
	u := &s.units[i]
	to = spot{u.end, u.group}
	if u.group < 0 {
		to.group = from.group
		if from.group < 0 || !s.groups[from.group].has(u.start.Node) {
			to.group = slices.IndexFunc(s.groups, func(g group) bool { return g.has(u.start.Node) })
		}
	}
	if from.group >= 0 && from.group != to.group {
		cost = 4
	}
	switch {
	case from.lane == u.start:
	case from.lane.Node == u.start.Node:
		cost++
	default:
		cost += 2
	}
	return to, cost
}

// lateness keeps timers back while anything else can happen: they are slow.
func (s *scheduler) lateness(ready []int, i int) int {
	if s.units[i].timer && slices.ContainsFunc(ready, func(j int) bool { return !s.units[j].timer }) {
		return 8
	}
	return 0
}
