package traces

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/spec"
)

// cheapest tries every order of units that keeps what is needed.
func (s *scheduler) cheapest(done bitset, at spot, cost, best int) int {
	ready := s.ready(done)
	if len(ready) == 0 {
		return min(cost, best)
	}
	for _, i := range ready {
		next := slices.Clone(done)
		next.add(i)
		to, step := s.step(at, i)
		if c := cost + step + s.lateness(ready, i); c < best {
			best = s.cheapest(next, to, c, best)
		}
	}
	return best
}

// TestScheduleIsCheapest compares the order of rows with every other order.
func TestScheduleIsCheapest(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		run := randomRun(r, 3+r.IntN(9))
		run.Loop, run.Broken = 0, len(run.Events)
		a := analyse(checked(run), nil)
		order := newRelation(a)
		us := units(a, order)[partRun]
		for i := range us {
			us[i].group = r.IntN(2) - 1
		}
		s := newScheduler(groupsOf(run), order, us)
		at := spot{Lane{-1, spec.App}, -1}
		want := s.cheapest(newBitset(len(us)), at, 0, 1<<30)
		got := 0
		done := newBitset(len(us))
		sorted, _ := s.order(at)
		for n, u := range sorted {
			i := slices.IndexFunc(us, func(v unit) bool { return v.first == u.first })
			ready := s.ready(done)
			if !slices.Contains(ready, i) {
				t.Fatalf("run %d: unit %d comes too early", seed, i)
			}
			to, step := s.step(at, i)
			if to.group != sorted[n].group {
				t.Fatalf("run %d: unit %d is drawn in group %d, want %d", seed, i, sorted[n].group, to.group)
			}
			got += step + s.lateness(ready, i)
			done.add(i)
			at = to
		}
		if got != want {
			t.Errorf("run %d of %d units: cost %d, could be %d", seed, len(us), got, want)
		}
	}
}

// TestStraightUnlessOvertaken: a packet is drawn in one row exactly when nothing
// has to come between its ends.
func TestStraightUnlessOvertaken(t *testing.T) {
	for _, c := range []struct {
		run   func() *spec.Run
		split []string // labels of the packets drawn in two rows
	}{
		{seed, nil},
		{overtaking, []string{"RDMA_WRITE_FIRST W1"}},
		{crossing, []string{"SEND_ONLY SB", "ACK a0"}},
		{multiPacket, []string{"ACK h2"}},
		{duplicate, []string{"ACK h0"}},
	} {
		var got []string
		for _, row := range Layout(c.run(), Options{Bars: []string{"W1", "W2", "SA", "RA", "S1", "R2"}}).Rows() {
			if row.Packet != nil && strings.HasSuffix(row.Action, ", leaves") {
				got = append(got, row.Action)
			}
		}
		if len(got) != len(c.split) {
			t.Errorf("split packets %q, want %q", got, c.split)
			continue
		}
		for i := range got {
			if !strings.HasPrefix(got[i], c.split[i]) {
				t.Errorf("split packets %q, want %q", got, c.split)
			}
		}
	}
}

// TestBreakIsHonest: what a property could mean is never drawn before the break
// if it happened after it.
func TestBreakIsHonest(t *testing.T) {
	ack := func(bars ...string) (row int, steps int) {
		l := Layout(seed(), Options{Bars: bars})
		for _, r := range l.Rows() {
			if r.Packet != nil && r.PSN == "t0" && r.Packet.Syndrome == "ACK" {
				row = r.Step // the last row of that packet
			}
		}
		return row, l.Steps()
	}
	if row, steps := ack("S1", "R2"); row > steps {
		t.Errorf("the ACK of S2 means nothing to the property and is drawn in row %d, after the break at %d", row, steps)
	}
	for _, bars := range [][]string{{"S2"}, nil} {
		if row, steps := ack(bars...); row <= steps {
			t.Errorf("bars %q: the ACK of S2 arrives after the break at %d and is drawn in row %d", bars, steps, row)
		}
	}
	polled := func(bars ...string) (epilogue bool) {
		for _, r := range Layout(seed(), Options{Bars: bars}).Rows() {
			if strings.HasPrefix(r.Action, "poll R2") {
				epilogue = r.Epilogue
			}
		}
		return epilogue
	}
	if polled("S1", "R2") {
		t.Error("the poll of R2 has a row of its own although only its CQE matters")
	}
	if !polled("S1", "R2.wc") {
		t.Error("the property means the poll of R2, which is drawn before the break")
	}
}

// TestTimersAreSlow: an expiry that was needed comes after all else that could
// happen.
func TestTimersAreSlow(t *testing.T) {
	rows := Layout(seed(), seedOptions).Rows()
	at := slices.IndexFunc(rows, func(r Row) bool { return strings.HasPrefix(r.Action, "timeout") })
	s2 := slices.IndexFunc(rows, func(r Row) bool { return strings.HasPrefix(r.Action, "CQE S2") })
	if at < s2 {
		t.Errorf("the timer of row %d fires before the CQE of row %d", at+1, s2+1)
	}
}
