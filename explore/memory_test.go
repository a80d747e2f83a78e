package explore

import (
	"context"
	"errors"
	"testing"
)

// pairs counts two bytes up to most; an action of the second costs 1, and the
// goal is that both are full.
type pairs struct{ most byte }

func (p pairs) Width() int              { return 2 }
func (p pairs) Goals() int              { return 1 }
func (p pairs) Cost(a Action) int       { return int(a) }
func (p pairs) Initial(out *Successors) { out.Fork(0) }

func (p pairs) Successors(state []byte, out *Successors) {
	for i, n := range state {
		if n < p.most {
			out.Fork(Action(i))[i]++
		}
	}
	if state[0] == p.most && state[1] == 3 {
		out.HitState(0)
	}
}

// TestNoMemory lets the system refuse memory at every possible moment: the
// search stops and what it found until then stands.
func TestNoMemory(t *testing.T) {
	stopped, found := 0, 0
	for refuse := 0; ; refuse++ {
		s, err := newSearch(context.Background(), pairs{16}, Options{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		calls, refused := 0, false
		s.mem.mmap = func(n int) ([]byte, error) {
			if calls++; calls == refuse+1 {
				refused = true
				return nil, errors.New("refused")
			}
			return mapBytes(n)
		}
		if err = s.explore(); err == nil {
			err = s.traceGoals()
		}
		res := s.res
		s.release()
		if err != nil {
			t.Fatalf("call %d refused: %v", refuse, err)
		}
		if !refused {
			if !res.Complete || res.States != 17*17 || res.Goals[0].Depth != 19 {
				t.Errorf("nothing refused: %+v", res)
			}
			break
		}
		stopped++
		if res.Stop != StopMemory || res.Complete || refuse == 0 && res.States != 0 {
			t.Errorf("call %d refused: stop %q, complete %v, %d states", refuse, res.Stop, res.Complete, res.States)
		}
		if g := res.Goals[0]; g.Found {
			found++
			if len(g.Trace) != 20 {
				t.Errorf("call %d refused: a run of %d actions", refuse, len(g.Trace)-1)
			}
		}
	}
	if stopped < 30 || found < 10 {
		t.Errorf("%d searches were stopped, the goal was found in %d", stopped, found)
	}
}

// TestNoTable has no memory for the table that was given back either.
func TestNoTable(t *testing.T) {
	s, room := testSet(t, 8)
	room(10)
	s.mem.mmap = func(int) ([]byte, error) { return nil, errors.New("refused") }
	if ok, err := (&search{mem: s.mem}).grow(s, 1<<10); ok || err == nil {
		t.Errorf("got %v, %v, want an error", ok, err)
	}
}
