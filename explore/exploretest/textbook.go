// Package exploretest tests models against the laws of [explore.Model], and
// searches against the textbook one.
package exploretest

import (
	"math/bits"

	"github.com/ibcheck/ibcheck/explore"
)

// A Found is what the textbook search knows of a goal.
type Found struct {
	Found       bool
	Cost, Depth int
}

// A Count is what the textbook search counts.
type Count struct {
	States, Transitions uint64
	Depth               int
	Costs               []uint64 // states by cost
	Goals               []Found
}

// Textbook explores m breadth first with a map and a queue. It expects that
// all ways to a state cost the same.
func Textbook(m explore.Model) (c Count, err error) {
	type node struct {
		state       string
		cost, depth int
	}
	seen := map[string]bool{}
	var queue []node
	c.Goals = make([]Found, numGoals(m))
	add := func(out *explore.Successors, cost, depth int, price func(explore.Action) int) {
		for i := range out.Len() {
			a, state, hits := out.At(i)
			to := cost + price(a)
			c.hit(hits, to, depth)
			if !out.Ended(i) && !seen[string(state)] {
				seen[string(state)] = true
				queue = append(queue, node{string(state), to, depth})
			}
		}
	}
	out := explore.NewSuccessors(m)
	if err := out.Start(m); err != nil {
		return c, err
	}
	add(out, 0, 0, func(explore.Action) int { return 0 })
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		if err := out.Expand(m, []byte(n.state)); err != nil {
			return c, err
		}
		c.hit(out.StateHits(), n.cost, n.depth)
		c.States++
		c.Depth = n.depth
		c.Transitions += uint64(out.Len())
		for len(c.Costs) <= n.cost {
			c.Costs = append(c.Costs, 0)
		}
		c.Costs[n.cost]++
		add(out, n.cost, n.depth+1, priceOf(m))
	}
	return c, nil
}

func (c *Count) hit(mask uint64, cost, depth int) {
	for ; mask != 0; mask &= mask - 1 {
		g := &c.Goals[bits.TrailingZeros64(mask)]
		if !g.Found || cost < g.Cost || cost == g.Cost && depth < g.Depth {
			*g = Found{true, cost, depth}
		}
	}
}

func priceOf(m explore.Model) func(explore.Action) int {
	if c, ok := m.(explore.Coster); ok {
		return c.Cost
	}
	return func(explore.Action) int { return 0 }
}

func laneOf(m explore.Model) func(explore.Action) int {
	if l, ok := m.(explore.Laner); ok {
		return l.Lane
	}
	return func(explore.Action) int { return 0 }
}

func numGoals(m explore.Model) int {
	if g, ok := m.(explore.Goaler); ok {
		return g.Goals()
	}
	return 0
}
