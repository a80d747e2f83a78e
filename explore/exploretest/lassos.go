package exploretest

import (
	"bytes"
	"fmt"

	"github.com/ibcheck/ibcheck/explore"
)

// Lassos looks for fair cycles by the definition: it takes all states and, for
// each property, whether one can be reached from another among those that leave
// it pending. It returns for each bit the least cost and depth of a state on
// such a cycle. It takes time quadratic in the number of states.
func Lassos(m explore.Model) (found [64]Found, err error) {
	g, err := newPlain(m)
	if err != nil {
		return found, err
	}
	for bit := range found {
		reach := g.reach(bit)
		for i := range g.states {
			if !reach[i][i] || !g.fairAround(i, reach) {
				continue
			}
			f, at := &found[bit], g.places[i]
			if !f.Found || at.Cost < f.Cost || at.Cost == f.Cost && at.Depth < f.Depth {
				*f = at
			}
		}
	}
	return found, nil
}

// plain is a model written out: all states, and their actions.
type plain struct {
	m      explore.Model
	states [][]byte
	places []Found
	arcs   [][]arc
}

// arc is an action; to is -1 if it cannot lie on a cycle: because it costs
// something, ends the run, or is held up.
type arc struct {
	class, to int
}

func newPlain(m explore.Model) (*plain, error) {
	g := &plain{m: m}
	index := map[string]int{}
	add := func(state []byte, at Found) int {
		i, ok := index[string(state)]
		if !ok {
			i = len(g.states)
			index[string(state)] = i
			g.states = append(g.states, bytes.Clone(state))
			g.places = append(g.places, at)
		}
		return i
	}
	out := explore.NewSuccessors(m)
	if err := out.Start(m); err != nil {
		return nil, err
	}
	for i := range out.Len() {
		if _, state, _ := out.At(i); !out.Ended(i) {
			add(state, Found{Found: true})
		}
	}
	for k := 0; k < len(g.states); k++ {
		if err := out.Expand(m, g.states[k]); err != nil {
			return nil, err
		}
		var arcs []arc
		for i := range out.Len() {
			a, state, _ := out.At(i)
			cost := priceOf(m)(a)
			to := -1
			if !out.Ended(i) {
				to = add(state, Found{true, g.places[k].Cost + cost, g.places[k].Depth + 1})
			}
			if cost != 0 {
				to = -1
			}
			arcs = append(arcs, arc{classOf(m)(a), to})
		}
		for _, a := range out.Held() {
			arcs = append(arcs, arc{classOf(m)(a), -1})
		}
		g.arcs = append(g.arcs, arcs)
	}
	return g, nil
}

// reach says which states can be reached from which by at least one action,
// with a property pending all the way.
func (g *plain) reach(bit int) [][]bool {
	waits := func(i int) bool { return g.m.(explore.Liver).Pending(g.states[i])>>uint(bit)&1 != 0 }
	all := make([][]bool, len(g.states))
	for from := range g.states {
		all[from] = make([]bool, len(g.states))
		if !waits(from) {
			continue
		}
		todo := []int{from}
		for len(todo) > 0 {
			at := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, a := range g.arcs[at] {
				if a.to >= 0 && waits(a.to) && !all[from][a.to] {
					all[from][a.to] = true
					todo = append(todo, a.to)
				}
			}
		}
	}
	return all
}

// fairAround reports whether the cycle through everything that state i can
// reach and be reached from is fair.
func (g *plain) fairAround(i int, reach [][]bool) bool {
	inside := func(k int) bool { return k >= 0 && reach[i][k] && reach[k][i] }
	always, taken := map[int]int{}, map[int]bool{}
	members := 0
	for k := range g.states {
		if !inside(k) {
			continue
		}
		members++
		enabled := map[int]bool{}
		for _, a := range g.arcs[k] {
			enabled[a.class] = true
			taken[a.class] = taken[a.class] || inside(a.to)
		}
		for class := range enabled {
			always[class]++
		}
	}
	for class, n := range always {
		if class != 0 && n == members && !taken[class] {
			return false
		}
	}
	return true
}

func classOf(m explore.Model) func(explore.Action) int {
	if f, ok := m.(explore.Fairer); ok {
		return f.Fair
	}
	return func(explore.Action) int { return 0 }
}

// CheckLasso replays a violation of a liveness property and returns an error
// unless it is one.
func CheckLasso(m explore.Model, bit int, r explore.LiveResult) error {
	if err := checkRun(m, r.Stem, r.Cost, r.Depth); err != nil {
		return fmt.Errorf("stem: %w", err)
	}
	if len(r.Loop) < 2 {
		return fmt.Errorf("the loop has %d steps", len(r.Loop))
	}
	first, last := r.Loop[0].State, r.Loop[len(r.Loop)-1].State
	if !bytes.Equal(first, r.Stem[len(r.Stem)-1].State) || !bytes.Equal(first, last) {
		return fmt.Errorf("the stem leads to %x, the loop from %x to %x", r.Stem[len(r.Stem)-1].State, first, last)
	}
	return checkLoop(m, bit, r.Loop)
}

// checkRun replays a run from an initial state.
func checkRun(m explore.Model, steps []explore.Step, cost, depth int) error {
	if len(steps) != depth+1 {
		return fmt.Errorf("%d steps, want %d", len(steps), depth+1)
	}
	out := explore.NewSuccessors(m)
	err := out.Start(m)
	for i, step := range steps {
		if err == nil {
			err = taken(out, step)
		}
		if err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
		if i > 0 {
			cost -= priceOf(m)(step.Action)
		}
		err = out.Expand(m, step.State)
	}
	if cost != 0 {
		return fmt.Errorf("the run costs %d too little", cost)
	}
	return nil
}

// taken returns an error unless a step is one of those in out.
func taken(out *explore.Successors, step explore.Step) error {
	k := out.Index(step.Action)
	if k < 0 {
		return fmt.Errorf("no action %#x", uint64(step.Action))
	}
	if _, state, _ := out.At(k); !bytes.Equal(state, step.State) || out.Ended(k) {
		return fmt.Errorf("action %#x leads to %x (ended %v), not to %x", uint64(step.Action), state, out.Ended(k), step.State)
	}
	return nil
}

// checkLoop checks that a property is pending all along a loop, and that going
// round it is fair.
func checkLoop(m explore.Model, bit int, loop []explore.Step) error {
	done, always := map[int]bool{}, map[int]int{}
	out := explore.NewSuccessors(m)
	for i, step := range loop[1:] {
		if err := out.Expand(m, loop[i].State); err != nil {
			return err
		}
		if err := taken(out, step); err != nil {
			return fmt.Errorf("step %d of the loop: %w", i+1, err)
		}
		if m.(explore.Liver).Pending(step.State)>>uint(bit)&1 == 0 {
			return fmt.Errorf("step %d of the loop: property %d is not pending", i+1, bit)
		}
		done[classOf(m)(step.Action)] = true
		enabled := map[int]bool{}
		for k := range out.Len() {
			a, _, _ := out.At(k)
			enabled[classOf(m)(a)] = true
		}
		for _, a := range out.Held() {
			enabled[classOf(m)(a)] = true
		}
		for class := range enabled {
			always[class]++
		}
	}
	for class, n := range always {
		if class != 0 && n == len(loop)-1 && !done[class] {
			return fmt.Errorf("class %d is enabled all along the loop and not taken", class)
		}
	}
	return nil
}
