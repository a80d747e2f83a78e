package exploretest

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/ibcheck/ibcheck/explore"
)

// A Random is a random graph as a model. A state is a node and what was spent
// on the way to it, followed by filling that depends on the node.
type Random struct {
	Bytes  int // width of a state, at least 4
	Budget int // costs that a run may have

	initial []int
	nodes   [][]randomEdge
	hits    []uint64 // goals that a node hits by itself
	pending []uint64 // liveness properties that a node leaves pending
	goals   int
}

type randomEdge struct {
	act  explore.Action
	to   int
	hits uint64
	end  bool
	held bool // when the budget is spent, it is held up
}

// The action of a random edge has its cost in bit 0, its lane in bits 8 to 13
// and its number among the edges of the node in bits 16 to 31.

// NewRandom makes a graph with so many nodes, on average degree edges a node,
// and goals. The same arguments make the same graph.
func NewRandom(seed uint64, nodes int, degree float64, goals int) *Random {
	rnd := rand.New(rand.NewPCG(seed, 17))
	r := &Random{Bytes: 4 + rnd.IntN(40), Budget: rnd.IntN(4), goals: goals,
		nodes: make([][]randomEdge, nodes), hits: make([]uint64, nodes),
		pending: make([]uint64, nodes)}
	for range 1 + rnd.IntN(3) {
		r.initial = append(r.initial, rnd.IntN(nodes))
	}
	lanes := 1 + rnd.IntN(5)
	for n := range r.nodes {
		r.pending[n] = (rnd.Uint64() | rnd.Uint64()&rnd.Uint64()) & 15
		if rnd.IntN(8) == 0 {
			r.hits[n] = rareGoal(rnd, goals, 20)
		}
		for k := range rnd.IntN(1 + int(2*degree)) {
			a := uint64(k%7)<<56 | uint64(rnd.IntN(1000))<<32 | uint64(k)<<16 | uint64(rnd.IntN(lanes))<<8
			if rnd.IntN(4) == 0 {
				a |= 1
			}
			r.nodes[n] = append(r.nodes[n], randomEdge{explore.Action(a), r.target(rnd, n),
				rareGoal(rnd, goals, 60), rnd.IntN(40) == 0, rnd.IntN(3) == 0})
		}
	}
	return r
}

// target chooses near nodes more often than far ones, so that graphs are deep.
func (r *Random) target(rnd *rand.Rand, from int) int {
	if rnd.IntN(5) == 0 {
		return rnd.IntN(len(r.nodes))
	}
	return (from + rnd.IntN(12)) % len(r.nodes)
}

func rareGoal(rnd *rand.Rand, goals, odds int) uint64 {
	if goals == 0 || rnd.IntN(odds) != 0 {
		return 0
	}
	return 1 << uint(rnd.IntN(goals))
}

// Width returns Bytes.
func (r *Random) Width() int { return r.Bytes }

// Goals returns the number of goals.
func (r *Random) Goals() int { return r.goals }

// Cost returns bit 0 of the action.
func (r *Random) Cost(a explore.Action) int { return int(a & 1) }

// Lane returns bits 8 to 13 of the action.
func (r *Random) Lane(a explore.Action) int { return int(a >> 8 & 63) }

// Pending gives each node a random mask.
func (r *Random) Pending(state []byte) uint64 {
	return r.pending[binary.LittleEndian.Uint16(state)]
}

// Fair makes a class of each kind of action, and kind 0 unfair.
func (r *Random) Fair(a explore.Action) int { return 1000 * int(a.Kind()) }

// Initial adds up to three nodes.
func (r *Random) Initial(out *explore.Successors) {
	for i, n := range r.initial {
		r.put(out.Fork(explore.Action(i)), n, 0)
		if n%13 == 0 && r.goals > 0 {
			out.Hit(n % r.goals)
		}
	}
}

// Successors follows the edges that the budget allows.
func (r *Random) Successors(state []byte, out *explore.Successors) {
	n := int(binary.LittleEndian.Uint16(state))
	spent := int(state[2])
	for g := range r.goals {
		if r.hits[n]>>uint(g)&1 != 0 {
			out.HitState(g)
		}
	}
	for i := range r.nodes[n] {
		e := &r.nodes[n][i]
		cost := r.Cost(e.act)
		if spent+cost > r.Budget {
			if e.held {
				out.Hold(e.act)
			}
			continue
		}
		r.put(out.Fork(e.act), e.to, spent+cost)
		for g := range r.goals {
			if e.hits>>uint(g)&1 != 0 {
				out.Hit(g)
			}
		}
		if e.end {
			out.End()
		}
	}
}

func (r *Random) put(state []byte, node, spent int) {
	binary.LittleEndian.PutUint16(state, uint16(node))
	state[2] = byte(spent)
	for i := 3; i < len(state); i++ {
		state[i] = byte(node >> (i % 8) * i)
	}
}
