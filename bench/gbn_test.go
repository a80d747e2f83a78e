package main

import (
	"context"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/explore/exploretest"
)

// reference is the instance that all checkers were measured on.
var reference = GBN{N: 5, Q: 3, C: 3, D: 2, R: 2}

// counts are what rumur 2022.08 and we find.
var counts = []struct {
	m                   GBN
	states, transitions uint64
	depth               int // ours; rumur prints none
}{
	{GBN{N: 2, Q: 1, C: 2, D: 2, R: 0}, 119, 248, 16},
	{GBN{N: 3, Q: 2, C: 2, D: 1, R: 1}, 21_161, 94_100, 38},
	{GBN{N: 4, Q: 3, C: 2, D: 1, R: 1}, 255_129, 1_320_267, 49},
	{GBN{N: 3, Q: 3, C: 3, D: 2, R: 2}, 388_306, 2_120_182, 45},
	{reference, 5_795_831, 35_727_155, 66},
}

func TestCounts(t *testing.T) {
	for _, want := range counts {
		if testing.Short() && want.m == reference {
			continue
		}
		res, err := explore.Run(context.Background(), want.m, explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if res.States != want.states || res.Transitions != want.transitions || res.Depth != want.depth || !res.Complete {
			t.Errorf("%+v: %d states, %d transitions, depth %d, complete %v; want %d, %d, %d", want.m,
				res.States, res.Transitions, res.Depth, res.Complete, want.states, want.transitions, want.depth)
		}
	}
}

func TestTextbook(t *testing.T) {
	want := counts[1]
	got, err := exploretest.Textbook(want.m)
	if err != nil {
		t.Fatal(err)
	}
	if got.States != want.states || got.Transitions != want.transitions || got.Depth != want.depth {
		t.Errorf("the textbook search finds %+v, want %+v", got, want)
	}
}

func TestLaws(t *testing.T) {
	if err := exploretest.Laws(counts[3].m, 2000); err != nil {
		t.Error(err)
	}
}

// TestPack packs states with every field at its greatest, one field at a time.
func TestPack(t *testing.T) {
	states := []gbn{{posted: 7}, {nxt: 7}, {una: 7}, {spoll: 7}, {retry: 7}, {xp: 7}, {rposted: 7}, {rpoll: 7}, {drops: 3},
		{err: true}, {ackp: true}, {nakp: true}, {nakst: true}, {rl: 4}, {al: 4}, {rq: 1<<12 - 1}, {aq: 1<<16 - 1}}
	seen := map[uint64]bool{}
	for _, s := range states {
		w := pack(&s)
		if got := unpack(binary.LittleEndian.AppendUint64(nil, w)); got != s {
			t.Errorf("%+v comes back as %+v", s, got)
		}
		seen[w] = true
	}
	if len(seen) != len(states) {
		t.Error("two fields share bits")
	}
}

func TestCheck(t *testing.T) {
	if err := reference.Check(); err != nil {
		t.Error(err)
	}
	if err := (GBN{N: 8, Q: 1, C: 1}).Check(); err == nil {
		t.Error("N=8 does not fit into 3 bits, but passes")
	}
}

func BenchmarkGBN(b *testing.B) {
	for _, bench := range []struct {
		name    string
		workers int
	}{{"j=1", 1}, {"j=2", 2}} {
		b.Run(bench.name, func(b *testing.B) {
			var states, bytes, peak uint64
			for b.Loop() {
				res, err := explore.Run(context.Background(), reference, explore.Options{Workers: bench.workers})
				if err != nil {
					b.Fatal(err)
				}
				states += res.States
				bytes, peak = res.StateBytes, res.Bytes
			}
			each := float64(states) / float64(b.N)
			b.ReportMetric(float64(states)/b.Elapsed().Seconds()/1e3, "kstates/s")
			b.ReportMetric(float64(bytes)/each, "B/state")
			b.ReportMetric(float64(peak)/each, "peak-B/state")
		})
	}
}

// TestModes compares what the modes find with the textbook search, and checks
// the runs they show.
func TestModes(t *testing.T) {
	m := GBN{N: 3, Q: 2, C: 2, D: 1, R: 1}
	for _, mode := range modes {
		model, err := modelOf(m, mode)
		if err != nil {
			t.Fatal(err)
		}
		res, err := explore.Run(context.Background(), model, explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := exploretest.Textbook(model)
		if err != nil {
			t.Fatal(err)
		}
		if res.States != want.States || res.Transitions != want.Transitions || !slices.Equal(res.Costs, want.Costs) {
			t.Errorf("%s: %d states %d, %d transitions; want %+v", mode, res.States, res.Costs, res.Transitions, want)
		}
		for i, g := range res.Goals {
			if !g.Found || g.Cost != want.Goals[i].Cost || g.Depth != want.Goals[i].Depth {
				t.Errorf("%s: goal %d is %+v, want %+v", mode, i, g, want.Goals[i])
			} else if err := exploretest.CheckTrace(model, i, g); err != nil {
				t.Errorf("%s: goal %d: %v", mode, i, err)
			}
		}
	}
	if _, err := modelOf(m, "fast"); err == nil {
		t.Error("a mode that does not exist is taken")
	}
}

// TestLively finds that the machine gets on: if nobody puts off any rule for
// ever, there is no way to go round in circles. The definition agrees.
func TestLively(t *testing.T) {
	m := lively{GBN{N: 2, Q: 1, C: 2, D: 2, R: 0}}
	want, err := exploretest.Lassos(m)
	if err != nil {
		t.Fatal(err)
	}
	res, err := explore.Run(context.Background(), m, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := res.Live[0].Violated; got != want[0].Found {
		t.Errorf("violated %v, want %v", got, want[0].Found)
	}
}
