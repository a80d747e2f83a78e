package bench

import (
	"context"
	"testing"

	"github.com/ibcheck/ibcheck/explore"
)

func BenchmarkGBN(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(map[int]string{1: "1core", 2: "2cores"}[workers], func(b *testing.B) {
			for range b.N {
				res, err := explore.Run(context.Background(), GBN{N: 5, Q: 3, C: 3, D: 2, R: 2}, explore.Options{Workers: workers})
				if err != nil {
					b.Fatal(err)
				}
				b.Logf("%d %d %d %v", res.States, res.Transitions, res.Depth, res.Costs)
				b.ReportMetric(float64(res.States)/b.Elapsed().Seconds()*float64(b.N)/1e6, "Mstates/s")
				b.ReportMetric(float64(res.StateBytes)/float64(res.States), "B/state")
				b.ReportMetric(float64(res.Bytes)/float64(res.States), "peakB/state")
			}
		})
	}
}
