package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ibcheck/ibcheck/explore"
)

const (
	quietStart  = time.Second            // work shorter than this shows no progress
	redrawEvery = 200 * time.Millisecond // on a terminal
	logEvery    = 30 * time.Second       // elsewhere
	rateOver    = 5 * time.Second        // the rate shown is that of the last seconds
)

// eraseLine empties the line of a terminal that the cursor is on.
const eraseLine = "\r\x1b[K"

// A meter shows how far a search has come: one line that is drawn over on a
// terminal, a line now and then elsewhere.
type meter struct {
	w         io.Writer
	terminal  bool
	width     func() int       // of the terminal, in columns
	now       func() time.Time // a test has its own clock
	maxFaults int              // the sum of all budgets: whether more layers can follow

	mu      sync.Mutex
	started time.Time
	shown   time.Time
	drawn   bool // a line stands on the terminal
	samples []sample
	levels  []level
}

// A sample is a count of states at a time.
type sample struct {
	at     time.Time
	states uint64
}

// A level is a level of the search and how many states it has.
type level struct {
	cost, depth int
	frontier    uint64
}

func newMeter(w io.Writer, terminal bool) *meter {
	return &meter{w: w, terminal: terminal, width: func() int { return 0 }, now: time.Now}
}

// update takes note of p and shows it if it is time to.
func (m *meter) update(p explore.Progress) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	if m.started.IsZero() {
		m.started, m.shown = now, now
	}
	m.note(now, p)
	every := logEvery
	if m.terminal {
		every = redrawEvery
	}
	if now.Sub(m.started) < quietStart || now.Sub(m.shown) < every {
		return
	}
	m.shown = now
	line := m.line(p)
	if !m.terminal {
		fmt.Fprintln(m.w, line)
		return
	}
	if width := m.width(); width > 0 && len(line) >= width {
		line = line[:width-1]
	}
	fmt.Fprintf(m.w, "%s%s", eraseLine, line)
	m.drawn = true
}

// done takes the line off the terminal.
func (m *meter) done() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.drawn {
		fmt.Fprint(m.w, eraseLine)
		m.drawn = false
	}
	m.started, m.samples, m.levels = time.Time{}, nil, nil
}

// note keeps what rate and trend are made of.
func (m *meter) note(now time.Time, p explore.Progress) {
	if n := len(m.samples); n > 0 && p.States < m.samples[n-1].states {
		m.samples, m.levels = nil, nil // a new search
	}
	if n := len(m.samples); n == 0 || now.Sub(m.samples[n-1].at) >= redrawEvery/2 {
		m.samples = append(m.samples, sample{now, p.States})
	}
	for len(m.samples) > 2 && now.Sub(m.samples[1].at) > rateOver {
		m.samples = slices.Delete(m.samples, 0, 1)
	}
	last := level{p.Cost, p.Depth, p.Frontier}
	n := len(m.levels)
	switch {
	case n > 0 && m.levels[n-1].cost == last.cost && m.levels[n-1].depth == last.depth:
		m.levels[n-1] = last
	case n > 0 && m.levels[n-1].cost != last.cost:
		m.levels = append(m.levels[:0], last) // a layer of its own trend
	default:
		m.levels = append(m.levels, last)
	}
	if len(m.levels) > trendOver+1 {
		m.levels = slices.Delete(m.levels, 0, 1)
	}
}

// line is what is shown of p.
func (m *meter) line(p explore.Progress) string {
	if p.Phase == explore.Simulating {
		return fmt.Sprintf("%s  %s of %s runs  depth %d", p.Phase, scaled(float64(p.Done)), scaled(float64(p.Frontier)), p.Depth)
	}
	parts := []string{string(p.Phase)}
	if p.Cost > 0 {
		parts = append(parts, fmt.Sprintf("faults %d", p.Cost))
	}
	parts = append(parts, scaled(float64(p.States))+" states")
	rate := m.rate()
	if rate > 0 {
		parts = append(parts, scaled(rate)+"/s")
	}
	parts = append(parts, fmt.Sprintf("depth %d", p.Depth), "frontier "+scaled(float64(p.Frontier))+m.trend())
	if p.MaxMem > 0 {
		parts = append(parts, memory(p.Bytes, p.MaxMem))
	}
	if left := m.left(p, rate); left != "" {
		parts = append(parts, left)
	}
	return strings.Join(parts, "  ")
}

// memory writes what is in use and its limit in the unit that fits the limit.
func memory(used, limit uint64) string {
	if limit < 1e9 {
		return fmt.Sprintf("%d/%d MB", used/1e6, limit/1e6)
	}
	return fmt.Sprintf("%.1f/%.1f GB", float64(used)/1e9, float64(limit)/1e9)
}

// rate returns the states per second of the last seconds, 0 if unknown.
func (m *meter) rate() float64 {
	if len(m.samples) < 2 {
		return 0
	}
	first, last := m.samples[0], m.samples[len(m.samples)-1]
	span := last.at.Sub(first.at).Seconds()
	if span <= 0 {
		return 0
	}
	return float64(last.states-first.states) / span
}

// trendOver is the number of levels a trend is taken over: fewer are noise.
const trendOver = 3

// growth returns the smallest and greatest ratio of a level's size to the
// level before, over the last levels.
func (m *meter) growth() (low, high float64, ok bool) {
	if len(m.levels) <= trendOver {
		return 0, 0, false
	}
	for i := 1; i < len(m.levels); i++ {
		ratio := float64(m.levels[i].frontier) / float64(max(1, m.levels[i-1].frontier))
		if i == 1 {
			low, high = ratio, ratio
		}
		low, high = min(low, ratio), max(high, ratio)
	}
	return low, high, true
}

func (m *meter) trend() string {
	low, high, ok := m.growth()
	mean := (low + high) / 2
	switch {
	case !ok:
		return ""
	case low > 1.05:
		return fmt.Sprintf(", growing x%.1f/level", mean)
	case high < 0.95:
		return fmt.Sprintf(", shrinking x%.1f/level", mean)
	}
	return ", steady"
}

// left says how long the rest takes. It means something only while every level
// is clearly smaller than the one before and no layer of more faults follows.
func (m *meter) left(p explore.Progress, rate float64) string {
	low, high, ok := m.growth()
	if !ok || high > 0.9 || rate <= 0 || p.Cost < m.maxFaults || p.Phase != explore.Exploring {
		return ""
	}
	frontier := float64(p.Frontier)
	open := frontier - float64(min(p.Done, p.Frontier))
	rest := func(ratio float64) float64 { // new states, as a geometric series, at the rate of now
		return (open*ratio + frontier*ratio*ratio/(1-ratio)) / rate
	}
	soon, late := max(1, rest(low)), max(1, rest(high))
	if late < 120 {
		return fmt.Sprintf("%.0f-%.0f s left", soon, max(late, soon+1))
	}
	return fmt.Sprintf("%.0f-%.0f min left", soon/60, max(late/60, soon/60+1))
}

// scaled writes a count with three digits and a unit: 402 k, 12.4 M.
func scaled(n float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e9, " G"}, {1e6, " M"}, {1e3, " k"}} {
		if n < unit.size {
			continue
		}
		if n < 100*unit.size {
			return fmt.Sprintf("%.1f%s", n/unit.size, unit.name)
		}
		return fmt.Sprintf("%.0f%s", n/unit.size, unit.name)
	}
	return fmt.Sprintf("%.0f", n)
}
