package exploretest

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/ibcheck/ibcheck/explore"
)

// Laws checks that m keeps the contract of [explore.Model] on its first states,
// at most limit of them, breadth first. It returns an error for each law that
// is broken, with the first state that shows it.
func Laws(m explore.Model, limit int) error {
	if m.Width() < 1 {
		return fmt.Errorf("width is %d, less than 1", m.Width())
	}
	if n := numGoals(m); n < 0 || n > 64 {
		return fmt.Errorf("%d goals, not 0 to 64", n)
	}
	l := &laws{m: m, broken: map[string]error{}}
	if err := l.sample(limit); err != nil {
		return err
	}
	for i := range l.states {
		l.repeat(i)
		l.actions(i)
	}
	l.allocations()
	if len(l.order) == 0 {
		l.concurrent() // a model that keeps state alone would only race
	}
	var errs []error
	for _, name := range l.order {
		errs = append(errs, fmt.Errorf("%s: %w", name, l.broken[name]))
	}
	return errors.Join(errs...)
}

// laws is the work of Laws: some states and what their expansion gave.
type laws struct {
	m      explore.Model
	states [][]byte
	found  []string // what the first expansion of each state found
	broken map[string]error
	order  []string
}

func (l *laws) breaks(law string, format string, args ...any) {
	if l.broken[law] == nil {
		l.broken[law] = fmt.Errorf(format, args...)
		l.order = append(l.order, law)
	}
}

// print writes down everything that an expansion found.
func print(out *explore.Successors) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "hits %x held %x\n", out.StateHits(), out.Held())
	for i := range out.Len() {
		a, state, hits := out.At(i)
		fmt.Fprintf(&b, "%x -> %x hits %x ended %v\n", uint64(a), state, hits, out.Ended(i))
	}
	return b.String()
}

// sample collects the first states and checks that all ways to a state cost
// the same.
func (l *laws) sample(limit int) error {
	costs := map[string]int{}
	out := explore.NewSuccessors(l.m)
	add := func(cost int, price func(explore.Action) int) {
		for i := range out.Len() {
			a, state, _ := out.At(i)
			to := cost + price(a)
			if out.Ended(i) {
				continue
			}
			if was, seen := costs[string(state)]; seen {
				if was != to {
					l.breaks("one cost", "state %x can be reached at cost %d and at cost %d", state, was, to)
				}
				continue
			}
			costs[string(state)] = to
			l.states = append(l.states, bytes.Clone(state))
		}
	}
	if err := out.Start(l.m); err != nil {
		return err
	}
	add(0, func(explore.Action) int { return 0 })
	first := print(out)
	for i := 0; i < len(l.states) && i < limit; i++ {
		if err := out.Expand(l.m, bytes.Clone(l.states[i])); err != nil {
			return err
		}
		l.found = append(l.found, print(out))
		add(costs[string(l.states[i])], priceOf(l.m))
	}
	l.states = l.states[:len(l.found)]
	if err := out.Start(l.m); err != nil {
		return err
	}
	if again := print(out); again != first {
		l.breaks("determinism", "the initial states are first\n%s\nand then\n%s", first, again)
	}
	return nil
}

// repeat expands a state again without what the model keeps in Scratch, and
// then spoils all it was given, so that keeping any of it is noticed.
func (l *laws) repeat(i int) {
	state := bytes.Clone(l.states[i])
	out := explore.NewSuccessors(l.m)
	if err := out.Expand(l.m, state); err != nil {
		l.breaks("determinism", "expanding state %x again: %v", state, err)
		return
	}
	if !bytes.Equal(state, l.states[i]) {
		l.breaks("purity", "expanding state %x alters it to %x", l.states[i], state)
	}
	if again := print(out); again != l.found[i] {
		l.breaks("determinism", "state %x has first\n%s\nand then\n%s", l.states[i], l.found[i], again)
	}
	for k := range out.Len() {
		_, next, _ := out.At(k)
		spoil(next)
	}
	spoil(state)
}

func spoil(b []byte) {
	for i := range b {
		b[i] ^= 0xa5
	}
}

// actions checks the actions of a state one by one.
func (l *laws) actions(i int) {
	out := explore.NewSuccessors(l.m)
	if err := out.Expand(l.m, l.states[i]); err != nil {
		l.breaks("determinism", "expanding state %x again: %v", l.states[i], err)
		return
	}
	seen := map[explore.Action]bool{}
	for k := range out.Len() {
		a, _, _ := out.At(k)
		if seen[a] {
			l.breaks("unique actions", "state %x has action %#x twice", l.states[i], uint64(a))
		}
		seen[a] = true
		if c := priceOf(l.m)(a); c != 0 && c != 1 {
			l.breaks("costs", "action %#x of state %x costs %d, not 0 or 1", uint64(a), l.states[i], c)
		}
		if n := laneOf(l.m)(a); n < 0 || n > 63 {
			l.breaks("lanes", "action %#x of state %x is in lane %d, not 0 to 63", uint64(a), l.states[i], n)
		}
	}
}

// concurrent expands the states from several goroutines at once, each in an
// order of its own.
func (l *laws) concurrent() {
	const goroutines = 4
	var errs [goroutines]error
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			out := explore.NewSuccessors(l.m)
			for k := range l.states {
				i := (k*(g+1) + g) % len(l.states)
				if err := out.Expand(l.m, l.states[i]); err != nil {
					errs[g] = err
				} else if again := print(out); again != l.found[i] {
					errs[g] = fmt.Errorf("state %x has alone\n%s\nand beside others\n%s", l.states[i], l.found[i], again)
				}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			l.breaks("concurrency", "%w", err)
		}
	}
}

// allocations checks that a warm collection is filled without allocating.
func (l *laws) allocations() {
	out := explore.NewSuccessors(l.m)
	successors := 0
	all := func() {
		for _, s := range l.states {
			if out.Expand(l.m, s) == nil {
				successors += out.Len()
			}
		}
	}
	all()
	if n := testing.AllocsPerRun(2, all); n > 0 {
		l.breaks("no allocation", "%d states and %d successors take %.0f allocations", len(l.states), successors/4, n)
	}
}
