package explore

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"
)

// testSet returns a set and a function that makes room for n more states a
// shard, as a search does.
func testSet(t *testing.T, width int) (*set, func(n uint64)) {
	t.Helper()
	s := &search{mem: newMemory(width), maxMem: 1 << 30, workers: []*worker{{}}}
	set, err := newSet(s.mem, width)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { set.drop(); s.mem.release() })
	return set, func(n uint64) {
		if ok, err := s.reserve(set, func(int) uint64 { return n }); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
}

// TestSet compares a set with a map while it grows from nothing, for widths on
// both sides of every special case of hash and equal.
func TestSet(t *testing.T) {
	for _, width := range []int{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 33, 100} {
		s, room := testSet(t, width)
		rnd := rand.New(rand.NewPCG(uint64(width), 1))
		want := map[string]uint32{}
		state := make([]byte, width)
		for range 40_000 {
			state[0] = byte(rnd.Uint32())
			if width > 1 {
				state[1] = byte(rnd.Uint32N(100))
				state[width-1] ^= state[0] & 1
			}
			h := hash(state)
			room(1)
			i, found := s.find(h, state)
			j, known := want[string(state)]
			if found != known || found && i != j {
				t.Fatalf("width %d: find gives %d, %v; want %d, %v", width, i, found, j, known)
			}
			if _, err := s.insert(shardOf(h), h, state); err != nil {
				t.Fatal(err)
			}
			if !known {
				want[string(state)] = s.shards[shardOf(h)].n - 1
			}
		}
		if s.len() != uint64(len(want)) {
			t.Errorf("width %d: %d states, want %d", width, s.len(), len(want))
		}
		for state, i := range want {
			if got := s.state(shardOf(hash([]byte(state))), i); string(got) != state {
				t.Fatalf("width %d: state %d is %x, want %x", width, i, got, state)
			}
		}
	}
}

// TestSetFull checks that a full shard is an error, not a loss.
func TestSetFull(t *testing.T) {
	s, room := testSet(t, 8)
	s.most = 3
	state := make([]byte, 8)
	room(5)
	for i := range 3 {
		state[0] = byte(i)
		if _, err := s.insert(0, hash(state), state); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.insert(0, hash(state), state); err != nil {
		t.Errorf("a state that is there: %v", err)
	}
	state[0] = 3
	if _, err := s.insert(0, hash(state), state); !errors.Is(err, errFull) {
		t.Errorf("one state too many: got %v, want %v", err, errFull)
	}
}

// TestLevels checks the bounds of levels, those that a shard skips included.
func TestLevels(t *testing.T) {
	s, room := testSet(t, 4)
	next := uint32(0)
	sizes := []int{1, 0, 5, 2000, 0, 0, 3, 700}
	for depth, n := range sizes {
		for range n {
			state := binary.LittleEndian.AppendUint32(nil, next)
			next++
			room(1)
			if _, err := s.insert(shardOf(hash(state)), hash(state), state); err != nil {
				t.Fatal(err)
			}
		}
		if got := s.seal(depth); got != uint64(n) {
			t.Errorf("depth %d: sealed %d states, want %d", depth, got, n)
		}
	}
	seen := map[string]bool{}
	for depth, n := range append(sizes, 0) {
		l := s.level(depth)
		if l.len() != uint64(n) {
			t.Errorf("depth %d: %d states, want %d", depth, l.len(), n)
		}
		half := l.len() / 2
		for _, part := range [][2]uint64{{0, half}, {half, l.len()}} {
			at := part[0]
			_ = l.each(part[0], part[1], func(k uint64, state []byte) error {
				if number, ok := l.lookup(hash(state), state); k != at || !ok || number != k {
					t.Errorf("depth %d: state %d has number %d and is found as %d, %v", depth, at, k, number, ok)
				}
				if seen[string(state)] {
					t.Errorf("depth %d: state %x again", depth, state)
				}
				seen[string(state)] = true
				at++
				return nil
			})
		}
	}
	if len(seen) != int(next) {
		t.Errorf("the levels have %d states of %d", len(seen), next)
	}
}

// TestHashSpreads checks that like states do not crowd in shards or slots.
func TestHashSpreads(t *testing.T) {
	for _, width := range []int{2, 8, 13, 40} {
		var perShard [shards]int
		slots := map[uint32]int{}
		state := make([]byte, width)
		const n = 1 << 16
		for i := range n {
			binary.LittleEndian.PutUint16(state, uint16(i))
			h := hash(state)
			perShard[shardOf(h)]++
			slots[slotOf(h, 1<<16)]++
		}
		for sh, k := range perShard {
			if k < n/shards/2 || k > n/shards*2 {
				t.Errorf("width %d: shard %d has %d of %d states", width, sh, k, n)
			}
		}
		// A random function leaves 1/e of the slots empty.
		if used := float64(len(slots)) / n; used < 0.6 || used > 0.66 {
			t.Errorf("width %d: %.3f of the slots are used, want about 0.632", width, used)
		}
	}
}
