package main

import (
	"strings"
	"testing"
	"time"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// A fakeClock moves only when told to.
type fakeClock struct{ t time.Time }

func (c *fakeClock) now() time.Time          { return c.t }
func (c *fakeClock) advance(d time.Duration) { c.t = c.t.Add(d) }

func newTestMeter(terminal bool) (*meter, *fakeClock, *strings.Builder) {
	clock := &fakeClock{time.Unix(1000, 0)}
	var out strings.Builder
	m := newMeter(&out, terminal)
	m.now = clock.now
	return m, clock, &out
}

// feed gives the meter levels of the given sizes, one a second.
func feed(m *meter, clock *fakeClock, cost int, frontiers ...uint64) explore.Progress {
	p := explore.Progress{Phase: explore.Exploring, Cost: cost, MaxMem: 8e9}
	for _, f := range frontiers {
		p.Depth++
		p.States += f
		p.Frontier, p.Done, p.Bytes = f, 0, p.States*10
		m.update(p)
		clock.advance(time.Second)
	}
	return p
}

func TestProgressLine(t *testing.T) {
	for _, tc := range []struct {
		name      string
		cost      int
		maxFaults int
		frontiers []uint64
		want      string
	}{
		{"first level", 0, 0, []uint64{1}, "exploring  1 states  depth 1  frontier 1  0.0/8.0 GB"},
		{"growing", 0, 0, []uint64{1000, 2000, 4000, 8000},
			"exploring  15.0 k states  4.7 k/s  depth 4  frontier 8.0 k, growing x2.0/level  0.0/8.0 GB"},
		{"steady", 0, 0, []uint64{1000, 1000, 1010, 1000},
			"exploring  4.0 k states  1.0 k/s  depth 4  frontier 1.0 k, steady  0.0/8.0 GB"},
		// 100 M after 800, 400, 200 M: at most as many again are left, at 233 M/s.
		{"shrinking, last layer", 1, 1, []uint64{800e6, 400e6, 200e6, 100e6},
			"exploring  faults 1  1.5 G states  233 M/s  depth 4  frontier 100 M, shrinking x0.5/level  15.0/8.0 GB  1-2 s left"},
		{"shrinking, a layer follows", 0, 1, []uint64{800e6, 400e6, 200e6, 100e6},
			"exploring  1.5 G states  233 M/s  depth 4  frontier 100 M, shrinking x0.5/level  15.0/8.0 GB"},
		{"hardly shrinking", 0, 0, []uint64{1000, 940, 880, 830},
			"exploring  3.6 k states  883/s  depth 4  frontier 830, shrinking x0.9/level  0.0/8.0 GB"},
	} {
		m, clock, _ := newTestMeter(false)
		m.maxFaults = tc.maxFaults
		p := feed(m, clock, tc.cost, tc.frontiers...)
		if got := m.line(p); got != tc.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tc.name, got, tc.want)
		}
	}
}

func TestMemoryHasTheUnitOfItsLimit(t *testing.T) {
	for limit, want := range map[uint64]string{300e6: "250/300 MB", 8e9: "0.2/8.0 GB"} {
		if got := memory(250e6, limit); got != want {
			t.Errorf("of %d: got %s, want %s", limit, got, want)
		}
	}
}

func TestProgressOfATerminalIsOneLine(t *testing.T) {
	m, clock, out := newTestMeter(true)
	m.width = func() int { return 20 }
	feed(m, clock, 0, 1)
	if out.Len() > 0 {
		t.Errorf("shown at once: %q", out)
	}
	feed(m, clock, 0, 1, 2, 4)
	m.done()
	text := out.String()
	if strings.Contains(text, "\n") || !strings.HasSuffix(text, "\r\x1b[K") {
		t.Errorf("not one line that is wiped in the end: %q", text)
	}
	for _, line := range strings.Split(text, "\r\x1b[K") {
		if len(line) >= 20 {
			t.Errorf("%q is too wide for 20 columns", line)
		}
	}
	out.Reset()
	m.done()
	if out.Len() > 0 {
		t.Errorf("wiped twice: %q", out)
	}
}

func TestProgressElsewhereIsALineNowAndThen(t *testing.T) {
	m, clock, out := newTestMeter(false)
	for range 100 {
		feed(m, clock, 0, 10)
	}
	if got := strings.Count(out.String(), "\n"); got != 3 {
		t.Errorf("%d lines in 100 s, want 3:\n%s", got, out)
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Errorf("control characters in a log: %q", out)
	}
}

func TestTrendStartsAnewWithEachLayer(t *testing.T) {
	m, clock, _ := newTestMeter(false)
	feed(m, clock, 0, 1000, 500, 250, 125)
	if m.trend() == "" {
		t.Fatal("no trend after four levels")
	}
	feed(m, clock, 1, 7, 8)
	if got := m.trend(); got != "" {
		t.Errorf("a trend %q from levels of two layers", got)
	}
}

func TestTrendAndRateStartAnewWithEachSearch(t *testing.T) {
	m, clock, _ := newTestMeter(false)
	feed(m, clock, 0, 1000, 500, 250, 125)
	feed(m, clock, 0, 3)
	if rate, trend := m.rate(), m.trend(); rate != 0 || trend != "" {
		t.Errorf("a rate of %v and a trend %q from one level", rate, trend)
	}
}

func TestMaxFaults(t *testing.T) {
	f, errs := scenario.Parse("x.ibl", []byte(`connect a.q <-> b.q
node a { cq c; qp q { qp_type RC; send_cq c; recv_cq c } }
node b { cq c; qp q { qp_type RC; send_cq c; recv_cq c } }
faults { drop(ACK) <= 2; dup(any) <= 1 }
`), scenario.Options{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for _, tc := range []struct {
		faults map[string]int
		want   int
	}{
		{nil, 3},
		{map[string]int{"drop(ACK)": 0}, 1},
		{map[string]int{"drop(any)": 4}, 7},
	} {
		if got := maxFaults(f, ibcheck.Options{Faults: tc.faults}); got != tc.want {
			t.Errorf("with %v: %d, want %d", tc.faults, got, tc.want)
		}
	}
}
