package exploretest

import (
	"bytes"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ibcheck/ibcheck/explore"
)

// TestRandomKeepsLaws checks the graphs that the search is tested with.
func TestRandomKeepsLaws(t *testing.T) {
	for seed := range uint64(20) {
		if err := Laws(NewRandom(seed, 200, 3, int(seed%7)), 300); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

// counter counts from 0 to 9; the fields break one law each.
type counter struct {
	alter, twice, forget bool
	cost, lane           int
	turn                 *atomic.Int64 // not nil: a successor depends on it
	kept                 *[]byte       // not nil: keeps the state
	busy                 *atomic.Int64 // not nil: a successor shows who else is in
}

func (c counter) Width() int                      { return 2 }
func (c counter) Initial(out *explore.Successors) { out.Fork(0) }
func (c counter) Cost(explore.Action) int         { return c.cost }
func (c counter) Lane(explore.Action) int         { return c.lane }
func (c counter) Goals() int                      { return 1 }

func (c counter) Successors(state []byte, out *explore.Successors) {
	n := state[0]
	if c.kept != nil {
		if *c.kept != nil {
			n = (*c.kept)[0]
		}
		*c.kept = state
	}
	if c.alter {
		state[1]++
	}
	if n >= 9 {
		return
	}
	next := out.Fork(1)
	next[0] = n + 1
	if c.turn != nil {
		next[1] = byte(c.turn.Add(1))
	}
	if c.busy != nil {
		next[1] = byte(c.busy.Add(1))
		time.Sleep(time.Millisecond)
		c.busy.Add(-1)
	}
	if c.twice {
		out.Fork(1)
	}
	if c.forget {
		sink = bytes.Repeat([]byte{1}, 100)
	}
}

var sink []byte

func TestLawsAreChecked(t *testing.T) {
	if err := Laws(counter{}, 100); err != nil {
		t.Errorf("a good model: %v", err)
	}
	for _, test := range []struct {
		m    explore.Model
		want string
	}{
		{counter{alter: true}, "purity"},
		{counter{twice: true}, "unique actions"},
		{counter{forget: true}, "no allocation"},
		{counter{cost: 2}, "costs"},
		{counter{lane: 64}, "lanes"},
		{counter{turn: new(atomic.Int64)}, "determinism"},
		{counter{kept: new([]byte)}, "determinism"},
		{counter{busy: new(atomic.Int64)}, "concurrency"},
		{flat{}, "width"},
		{loop{}, "one cost"},
		{wrong{}, "goal 3 hit"},
	} {
		err := Laws(test.m, 20)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: got %v, want an error about %s", test.m, err, test.want)
		}
	}
}

// flat has states without width, loop a cycle that costs, wrong a goal that it
// does not have.
type (
	flat  struct{ counter }
	loop  struct{ counter }
	wrong struct{ counter }
)

func (flat) Width() int { return 0 }

func (loop) Cost(explore.Action) int                          { return 1 }
func (loop) Successors(state []byte, out *explore.Successors) { out.Fork(1) }

func (wrong) Successors(state []byte, out *explore.Successors) {
	out.Fork(1)
	out.Hit(3)
}
