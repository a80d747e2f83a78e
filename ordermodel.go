package ibcheck

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sync"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/spec"
)

// An orderModel is a model whose states also remember in which order the
// completions of each node happened so far, and after how many faults. Nodes have
// no common clock, so how completions of two nodes lie to each other is not
// remembered; what is asked about that is read off the steps.
//
// Behind the model's own bytes stand the number of faults and then for each node
// a list of symbols, zeros where nothing has happened yet. All of it follows from
// the run alone, so that states are the same for any number of workers.
type orderModel struct {
	*spec.Model
	polled bool // a completion counts when a program polls it, not when it is written
	base   int  // bytes of a state of the model
	wrs    []spec.WRInfo
	first  []int  // by node: its first slot; at the end the number of slots
	writes []bool // by kind of action: it may complete something

	wants []want // if not nil: runs to find, the goals of the search

	mu      sync.Mutex
	tallies []*tally // of the workers
}

// A symbol is a completion in an order: its WR and its status, or 0 for none.
type symbol uint16

const (
	symbolBytes = 2
	faultBytes  = 2
)

func symbolOf(wr int, st spec.Status) symbol { return symbol(wr*len(spec.Statuses())+int(st)) + 1 }

func (s symbol) wr() int             { return int(s-1) / len(spec.Statuses()) }
func (s symbol) status() spec.Status { return spec.Status(int(s-1) % len(spec.Statuses())) }

// A want is a run that a search is to find.
type want struct {
	kind  wantKind
	order string   // the order in its last state, as it is packed
	more  int      // wantEnd, wantReach: so many faults, unless it is 0
	bad   spec.Bad // wantCut: the finding that ends it
	a, b  int      // wantBefore: WRs
}

type wantKind uint8

const (
	wantEnd    wantKind = iota // an end state with the order
	wantReach                  // any state with the order
	wantCut                    // a finding that ends the run after the order
	wantBefore                 // b completes after a
)

// newOrderModel wraps a model without an observer.
func newOrderModel(m *spec.Model, polled bool) *orderModel {
	o := &orderModel{Model: m, polled: polled, base: m.Width(), first: make([]int, m.NumNodes()+1)}
	for i := range m.Unpack(make([]byte, m.Width())).WRs {
		o.wrs = append(o.wrs, m.WR(i))
	}
	for n := range m.NumNodes() {
		o.first[n+1] = o.first[n]
		for i := range o.wrs {
			if o.wrs[i].Node == n && o.counts(i) {
				o.first[n+1]++
			}
		}
	}
	relevant := []string{"recv_cqe", "send_cqe"}
	if polled {
		relevant = []string{"program"}
	}
	for _, name := range spec.Rules() {
		o.writes = append(o.writes, slices.Contains(relevant, name))
	}
	return o
}

// counts reports whether the completion of a WR is told: that of a drain's marker
// nobody but the drain sees.
func (o *orderModel) counts(wr int) bool { return o.wrs[wr].Site < len(o.Scenario().WRs) }

// Width implements explore.Model.
func (o *orderModel) Width() int { return o.base + faultBytes + symbolBytes*o.first[len(o.first)-1] }

// Goals implements explore.Goaler: the model's own, or the runs wanted.
func (o *orderModel) Goals() int {
	if o.wants != nil {
		return len(o.wants)
	}
	return o.Model.Goals()
}

// Pending implements explore.Liver: nothing is asked about for ever.
func (o *orderModel) Pending([]byte) uint64 { return 0 }

// Initial implements explore.Model.
func (o *orderModel) Initial(out *explore.Successors) {
	w := o.worker(out)
	if err := w.in.Start(o.Model); err != nil {
		panic(err) // the search makes it an error of the model
	}
	for i := range w.in.Len() {
		a, state, _ := w.in.At(i)
		copy(out.Fork(a), state)
	}
}

// An orderWorker is what one worker of a search needs for itself.
type orderWorker struct {
	in    *explore.Successors
	tally *tally
	done  []bool // by WR: it had completed in the state being expanded
}

func (o *orderModel) worker(out *explore.Successors) *orderWorker {
	if w, ok := out.Scratch.(*orderWorker); ok {
		return w
	}
	w := &orderWorker{explore.NewSuccessors(o.Model), newTally(len(o.wrs)), make([]bool, len(o.wrs))}
	out.Scratch = w
	o.mu.Lock()
	o.tallies = append(o.tallies, w.tally)
	o.mu.Unlock()
	return w
}

// Successors implements explore.Model.
func (o *orderModel) Successors(state []byte, out *explore.Successors) {
	w := o.worker(out)
	if err := w.in.Expand(o.Model, state[:o.base]); err != nil {
		panic(err)
	}
	faults, order := o.split(state)
	clear(w.done)
	for s := range symbols(order) {
		w.done[s.wr()] = true
	}
	ends, extends := true, false
	for i := range w.in.Len() {
		fault, grew := o.add(w, out, state, i)
		ends, extends = ends && fault, extends || grew
	}
	w.tally.see(order, faults, ends, extends)
	for g, x := range o.wants {
		if (x.kind == wantReach || x.kind == wantEnd && ends) && string(order) == x.order && (x.more == 0 || x.more == faults) {
			out.HitState(g)
		}
	}
}

// split takes the memory of a state apart.
func (o *orderModel) split(state []byte) (faults int, order []byte) {
	return int(binary.LittleEndian.Uint16(state[o.base:])), state[o.base+faultBytes:]
}

// symbols yields what has happened in an order, node by node.
func symbols(order []byte) func(yield func(symbol) bool) {
	return func(yield func(symbol) bool) {
		for i := 0; i < len(order); i += symbolBytes {
			if s := symbol(binary.LittleEndian.Uint16(order[i:])); s != 0 && !yield(s) {
				return
			}
		}
	}
}

// add adds the model's successor i of a state. It reports whether the action is a
// fault and whether something completed.
func (o *orderModel) add(w *orderWorker, out *explore.Successors, parent []byte, i int) (fault, grew bool) {
	a, next, hits := w.in.At(i)
	buf := out.Fork(a)
	copy(buf, next)
	if fault = o.Cost(a) > 0; fault {
		n := binary.LittleEndian.Uint16(buf[o.base:])
		binary.LittleEndian.PutUint16(buf[o.base:], n+1)
	}
	if o.writes[a.Kind()] {
		grew = o.complete(w, out, parent, buf)
	}
	if !w.in.Ended(i) {
		return fault, grew
	}
	out.End()
	faults, order := o.split(buf)
	for b := spec.Bad(1); int(b) < spec.ObserverGoal(0); b++ {
		if hits>>uint(spec.BadGoal(b))&1 == 0 {
			continue
		}
		if !b.IsBound() {
			w.tally.cut(order, faults, b)
		}
		if o.wants == nil {
			out.Hit(spec.BadGoal(b))
		}
		for g, x := range o.wants {
			if x.kind == wantCut && x.bad == b && x.order == string(order) {
				out.Hit(g)
			}
		}
	}
	return fault, grew
}

// complete appends to the order of a state just forked what completed by the
// step to it.
func (o *orderModel) complete(w *orderWorker, out *explore.Successors, parent, buf []byte) (grew bool) {
	s := o.Unpack(buf)
	var fresh []int
	for i := range s.WRs {
		p := s.WRs[i].Phase
		if !w.done[i] && (p == spec.Polled || p == spec.Completed && !o.polled) && o.counts(i) {
			fresh = append(fresh, i)
		}
	}
	if len(fresh) > 1 { // polled in one atomic step
		before := o.Unpack(parent)
		slices.SortStableFunc(fresh, func(a, b int) int { return cmp.Compare(queued(before, a), queued(before, b)) })
	}
	faults, order := o.split(buf)
	for _, b := range fresh {
		for a, done := range w.done {
			if done {
				w.tally.after[a].note(b, faults)
				o.hitBefore(out, a, b)
			} else {
				w.tally.without[a].note(b, faults)
			}
		}
		w.done[b] = true
		at := o.first[o.wrs[b].Node]
		for binary.LittleEndian.Uint16(order[at*symbolBytes:]) != 0 {
			at++
		}
		binary.LittleEndian.PutUint16(order[at*symbolBytes:], uint16(symbolOf(b, s.WRs[b].Status)))
	}
	for _, b := range fresh {
		w.done[b] = false // in the state being expanded it was not
	}
	return len(fresh) > 0
}

// queued returns where in its CQ a WR's CQE stands.
func queued(s *spec.State, wr int) int {
	for c := range s.CQs {
		if i := slices.Index(s.CQs[c].WR[:s.CQs[c].N], uint8(wr)); i >= 0 {
			return i
		}
	}
	return len(s.WRs)
}

func (o *orderModel) hitBefore(out *explore.Successors, a, b int) {
	for g, x := range o.wants {
		if x.kind == wantBefore && x.a == a && x.b == b {
			out.Hit(g)
		}
	}
}

// A tally is what one worker has seen of orders.
type tally struct {
	fates   map[string]*fate // by order
	after   []least          // [a][b]: b completed after a
	without []least          // [a][b]: b completed and a had not
}

// A least holds for each WR the fewest faults of a run that shows something of
// it, -1 if none does.
type least []int

func newLeasts(wrs int) []least {
	out := make([]least, wrs)
	for i := range out {
		out[i] = slices.Repeat(least{-1}, wrs)
	}
	return out
}

func (l least) note(wr, faults int) { l[wr] = fewer(l[wr], faults) }

// fewer returns the lesser of two numbers of faults, either of which may be -1
// for none.
func fewer(a, b int) int {
	if a < 0 || b >= 0 && b < a {
		return b
	}
	return a
}

// A fate is what became of the runs with an order: how many faults at least led
// to it, to an end with it, or to a finding that ends the run; -1 if none did.
type fate struct {
	faults   int
	end      int
	cuts     map[spec.Bad]int
	extended bool // something more can complete
}

func newTally(wrs int) *tally {
	return &tally{map[string]*fate{}, newLeasts(wrs), newLeasts(wrs)}
}

func (t *tally) fate(order []byte) *fate {
	f := t.fates[string(order)]
	if f == nil {
		f = &fate{faults: -1, end: -1, cuts: map[spec.Bad]int{}}
		t.fates[string(order)] = f
	}
	return f
}

// see notes a state.
func (t *tally) see(order []byte, faults int, ends, extends bool) {
	f := t.fate(order)
	f.faults = fewer(f.faults, faults)
	if ends {
		f.end = fewer(f.end, faults)
	}
	f.extended = f.extended || extends
}

// cut notes a run that a finding ends.
func (t *tally) cut(order []byte, faults int, b spec.Bad) {
	f := t.fate(order)
	if had, ok := f.cuts[b]; ok {
		faults = min(had, faults)
	}
	f.cuts[b] = faults
}

// total adds up what all workers have seen.
func (o *orderModel) total() *tally {
	sum := newTally(len(o.wrs))
	for _, t := range o.tallies {
		for order, f := range t.fates {
			g := sum.fate([]byte(order))
			g.faults, g.end, g.extended = fewer(g.faults, f.faults), fewer(g.end, f.end), g.extended || f.extended
			for b, faults := range f.cuts {
				sum.cut([]byte(order), faults, b)
			}
		}
		for a := range sum.after {
			for b := range sum.after[a] {
				sum.after[a].note(b, t.after[a][b])
				sum.without[a].note(b, t.without[a][b])
			}
		}
	}
	return sum
}
