// Command bench explores the go-back-N reference machine, which has been
// measured with other model checkers too, and prints what that took:
//
//	go run ./bench -j 1
//
// It knows nothing of package spec: what it measures is the search.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/ibcheck/ibcheck/explore"
)

func main() {
	m := GBN{}
	flag.IntVar(&m.N, "n", 5, "messages to send")
	flag.IntVar(&m.Q, "q", 3, "messages in flight")
	flag.IntVar(&m.C, "c", 3, "packets in a channel")
	flag.IntVar(&m.D, "d", 2, "packets dropped")
	flag.IntVar(&m.R, "r", 2, "retries")
	workers := flag.Int("j", 0, "workers; 0 is one for each processor")
	flag.Parse()
	if err := measure(m, *workers); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func measure(m GBN, workers int) error {
	if err := m.Check(); err != nil {
		return err
	}
	begin := time.Now()
	res, err := explore.Run(context.Background(), m, explore.Options{Workers: workers})
	if err != nil {
		return err
	}
	seconds := time.Since(begin).Seconds()
	n := float64(res.States)
	fmt.Printf("%d states, %d transitions, depth %d, stopped by %q\n", res.States, res.Transitions, res.Depth, res.Stop)
	fmt.Printf("%.2f s, %.0f k states/s, %.0f k transitions/s\n", seconds, n/seconds/1e3, float64(res.Transitions)/seconds/1e3)
	fmt.Printf("bytes a state: %.1f in states and tables, %.1f at the peak of the search", float64(res.StateBytes)/n, float64(res.Bytes)/n)
	if peak := residentPeak(); peak > 0 {
		fmt.Printf(", %.1f of the whole process", float64(peak)/n)
	}
	fmt.Println()
	return nil
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
