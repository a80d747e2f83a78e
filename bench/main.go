// Command bench explores the go-back-N reference machine, which has been
// measured with other model checkers too, and prints what that took:
//
//	go run ./bench -j 1
//
// That knows nothing of package spec: what it measures is the search. The modes
// add what a part of the search works on; docs/search.md explains them. With
// -peers it measures other checkers on the same machine beside it (make bench
// installs them), and with -growth how scenarios grow; docs/performance.md has
// both tables.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/explore/exploretest"
)

func main() {
	m := GBN{}
	flag.IntVar(&m.N, "n", 5, "messages to send")
	flag.IntVar(&m.Q, "q", 3, "messages in flight")
	flag.IntVar(&m.C, "c", 3, "packets in a channel")
	flag.IntVar(&m.D, "d", 2, "packets dropped")
	flag.IntVar(&m.R, "r", 2, "retries")
	mode := flag.String("mode", modes[0], "one of "+strings.Join(modes, ", "))
	workers := flag.Int("j", 0, "workers; 0 is one for each processor")
	peers := flag.Bool("peers", false, "measure other checkers beside this one, on the machine as it is by default")
	rounds := flag.Int("rounds", 5, "of -peers, of which the medians are printed")
	growth := flag.Bool("growth", false, "measure how scenarios grow with work requests, faults and queue pairs")
	flag.Parse()
	var err error
	switch {
	case *peers:
		err = comparePeers(*rounds)
	case *growth:
		err = printGrowth()
	default:
		err = measure(m, *mode, *workers)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func measure(m GBN, mode string, workers int) error {
	if err := m.Check(); err != nil {
		return err
	}
	model, err := modelOf(m, mode)
	if err != nil {
		return err
	}
	if mode == "textbook" {
		return textbook(model)
	}
	clock := stopwatch{begin: time.Now()}
	res, err := explore.Run(context.Background(), model, explore.Options{Workers: workers, Progress: clock.note})
	if err != nil {
		return err
	}
	clock.print()
	fmt.Printf("depth %d, states by cost %d, stopped by %q\n", res.Depth, res.Costs, res.Stop)
	for i, g := range res.Goals {
		fmt.Printf("goal %d: found %v, cost %d, %d actions\n", i, g.Found, g.Cost, len(g.Trace)-1)
	}
	if _, ok := model.(explore.Liver); ok {
		live := res.Live[0]
		fmt.Printf("liveness: violated %v, cost %d, depth %d, a loop of %d actions\n", live.Violated, live.Cost, live.Depth, len(live.Loop)-1)
	}
	n := float64(res.States)
	fmt.Printf("%d states, %d transitions: %.0f k states/s in all\n", res.States, res.Transitions, n/time.Since(clock.begin).Seconds()/1e3)
	fmt.Printf("bytes a state: %.1f in states and tables, %.1f at the peak of the search, %.1f of the whole process\n",
		float64(res.StateBytes)/n, float64(res.Bytes)/n, float64(residentPeak())/n)
	return nil
}

func textbook(m explore.Model) error {
	begin := time.Now()
	c, err := exploretest.Textbook(m)
	if err != nil {
		return err
	}
	n := float64(c.States)
	fmt.Printf("%d states, %d transitions: %.0f k states/s in all\n", c.States, c.Transitions, n/time.Since(begin).Seconds()/1e3)
	fmt.Printf("bytes a state: %.1f of the whole process\n", float64(residentPeak())/n)
	return nil
}

// A stopwatch adds up the time of the phases of a search.
type stopwatch struct {
	begin  time.Time
	phases []phaseTime
}

type phaseTime struct {
	name explore.Phase
	end  time.Time
}

// note is called all through the search; the last call of a phase counts.
func (s *stopwatch) note(p explore.Progress) {
	if n := len(s.phases); n == 0 || s.phases[n-1].name != p.Phase {
		s.phases = append(s.phases, phaseTime{name: p.Phase})
	}
	s.phases[len(s.phases)-1].end = time.Now()
}

func (s *stopwatch) print() {
	from := s.begin
	for _, p := range s.phases {
		fmt.Printf("%s %.2f s\n", p.name, p.end.Sub(from).Seconds())
		from = p.end
	}
}

// residentPeak returns the most memory the process ever had, in bytes, or 0
// where the system does not say.
func residentPeak() (bytes uint64) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &bytes); err == nil {
			return bytes << 10
		}
	}
	return 0
}
