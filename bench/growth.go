package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// A load is how much happens in a scenario: SENDs from one node to another, over
// queue pairs that share the nodes' completion queues.
type load struct{ wrs, faults, qps int }

// The series, each of which lets one thing grow.
var series = []struct {
	title string
	loads []load
}{
	{"WRs", []load{{1, 1, 1}, {2, 1, 1}, {3, 1, 1}, {4, 1, 1}, {5, 1, 1}, {6, 1, 1}, {7, 1, 1}, {8, 1, 1}}},
	{"faults", []load{{3, 0, 1}, {3, 1, 1}, {3, 2, 1}, {3, 3, 1}}},
	{"QPs", []load{{1, 1, 1}, {1, 1, 2}, {1, 1, 3}, {1, 1, 4}}},
}

// The limits of one search.
const (
	growthStates = 1_500_000
	growthTime   = time.Minute
	fewStates    = 10_000 // below, the buffers outweigh the states
)

// text is a scenario with the load. Every message has its receive and retries
// outlast the faults, so nothing is violated, and all of the space is explored
// but for the limits.
func (l load) text() string {
	var connect, client, server strings.Builder
	for q := 1; q <= l.qps; q++ {
		fmt.Fprintf(&connect, "connect a.q%d <-> b.q%d\n", q, q)
		fmt.Fprintf(&client, "  qp q%d { qp_type RC; send_cq c; recv_cq c; retry_cnt %d }\n", q, l.faults+1)
		fmt.Fprintf(&server, "  qp q%d { qp_type RC; send_cq c; recv_cq c }\n", q)
		for k := 1; k <= l.wrs; k++ {
			fmt.Fprintf(&client, "  post_send q%d S%d_%d SEND SIGNALED\n", q, q, k)
			fmt.Fprintf(&server, "  post_recv q%d R%d_%d\n", q, q, k)
		}
	}
	faults := ""
	if l.faults > 0 {
		faults = fmt.Sprintf("faults { drop(any) <= %d }\n", l.faults)
	}
	return fmt.Sprintf(`litmus "growth" { }
%snode a {
  cq c
%s}
node b {
  cq c
%s}
assume { profile iba }
%sassert lasts: never S1_1.status == RETRY_EXC_ERR  expect holds
`, &connect, &client, &server, faults)
}

// A size is what a search of a load took.
type size struct {
	states   uint64
	seconds  float64 // of processor time, trying for the widths of states included
	bytes    uint64  // most memory for states, tables and buffers
	complete bool
}

// measure explores a load with some kinds of eager steps, or "none".
func (l load) measure(reduce string) (size, error) {
	f, errs := scenario.Parse("growth.ibl", []byte(l.text()), scenario.Options{})
	if errs != nil {
		return size{}, errs
	}
	var s size
	opt := ibcheck.Options{Reduce: reduce, MaxStates: growthStates, Timeout: growthTime, NoEpilogue: true,
		Progress: func(p explore.Progress) {
			if p.States < s.states { // wider states are tried
				s.bytes = 0
			}
			s.states, s.bytes = p.States, max(s.bytes, p.Bytes)
		}}
	begin := ownTime()
	r, err := ibcheck.Check(context.Background(), f, opt)
	if err != nil {
		return size{}, err
	}
	s.states, s.seconds, s.complete = r.States, (ownTime() - begin).Seconds(), r.Complete
	return s, nil
}

// printGrowth measures all series and prints a table of each.
func printGrowth() error {
	eager := strings.Join(spec.Reductions(), ",")
	for _, ser := range series {
		fmt.Printf("| %s | states | seconds | bytes a state | states, reduced | seconds | bytes a state | states, times fewer |\n", ser.title)
		fmt.Println("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
		for _, l := range ser.loads {
			full, err := l.measure("none")
			if err != nil {
				return err
			}
			reduced, err := l.measure(eager)
			if err != nil {
				return err
			}
			n := map[string]int{"WRs": l.wrs, "faults": l.faults, "QPs": l.qps}[ser.title]
			fmt.Printf("| %d | %s | %s | %s |\n", n, full, reduced, fewer(full, reduced))
		}
		fmt.Println()
	}
	return nil
}

// String is three cells of a table.
func (s size) String() string {
	if !s.complete {
		return fmt.Sprintf("> %d | > %.1f | %.0f", s.states, s.seconds, float64(s.bytes)/float64(s.states))
	}
	if s.states < fewStates {
		return fmt.Sprintf("%d | %.2f | ", s.states, s.seconds)
	}
	return fmt.Sprintf("%d | %.2f | %.0f", s.states, s.seconds, float64(s.bytes)/float64(s.states))
}

// fewer says how many times fewer states a reduced space has, as far as is known.
func fewer(full, reduced size) string {
	ratio := float64(full.states) / float64(reduced.states)
	switch {
	case full.complete && reduced.complete:
		return fmt.Sprintf("%.1f", ratio)
	case reduced.complete:
		return fmt.Sprintf("> %.1f", ratio)
	}
	return ""
}
