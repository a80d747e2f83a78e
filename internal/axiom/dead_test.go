package axiom_test

import (
	"maps"
	"testing"

	"github.com/ibcheck/ibcheck/internal/axiom"
	"github.com/ibcheck/ibcheck/spec"
)

// telling are programs small enough to try under many dials, among which every
// axiom is to exclude something.
var telling = []*axiom.Program{
	{CQs: 1, MaxRdAtomic: 1, WRs: []axiom.WR{{Op: spec.SEND, Signaled: true}, {Side: 1, After: 1, Op: spec.SEND, Signaled: true}}},
	{CQs: 1, MaxRdAtomic: 1, WRs: []axiom.WR{{Op: spec.RDMA_READ, Signaled: true}, {Op: spec.SEND, Signaled: true, Fence: true}}},
	{CQs: 2, MaxRdAtomic: 1, WRs: []axiom.WR{{Op: spec.RDMA_READ}, {Op: spec.ATOMIC_FETCH_AND_ADD},
		{Op: spec.SEND, Signaled: true}, {Side: 1, After: 1, Op: spec.SEND}}},
	{CQs: 1, MaxRdAtomic: 1, WRs: []axiom.WR{{Op: spec.RDMA_READ, Signaled: true}, {Op: spec.ATOMIC_FETCH_AND_ADD, Signaled: true},
		{Side: 1, Op: spec.RDMA_WRITE, Signaled: true}}},
	{CQs: 1, MaxRdAtomic: 1, WRs: []axiom.WR{{Op: spec.SEND, Signaled: true}, {Op: spec.SEND, Signaled: true}, {Side: 1, Op: spec.SEND, Signaled: true}}},
	{CQs: 1, MaxRdAtomic: 1, WRs: []axiom.WR{{Side: 1, Op: spec.SEND}, {Side: 1, Op: spec.SEND}, {After: 1, Op: spec.SEND}}},
}

// tellingMemory are the same for what WRs observe.
var tellingMemory = []*axiom.Program{
	{CQs: 1, MaxRdAtomic: 2, WRs: []axiom.WR{{Op: spec.RDMA_READ, Signaled: true}, {Op: spec.RDMA_READ, Signaled: true}, {Op: spec.RDMA_WRITE, Signaled: true}}},
	{CQs: 1, MaxRdAtomic: 1, WRs: []axiom.WR{{Op: spec.RDMA_WRITE, Signaled: true}, {Op: spec.RDMA_WRITE_WITH_IMM, Signaled: true}}},
	{CQs: 1, MaxRdAtomic: 1, WRs: []axiom.WR{{Op: spec.RDMA_READ, Signaled: true}, {Op: spec.RDMA_WRITE, Signaled: true, Fence: true}}},
	{CQs: 1, MaxRdAtomic: 1, WRs: []axiom.WR{{Op: spec.RDMA_READ, Signaled: true}, {Op: spec.ATOMIC_FETCH_AND_ADD, Signaled: true}}},
}

// tellingDials are the dials of profiles, and some that let one axiom count
// where another one excludes the same.
func tellingDials(t *testing.T) []map[string]string {
	var list []map[string]string
	for _, p := range spec.Profiles {
		for _, change := range []map[string]string{nil, {"ack.order_vs_recv_cqe": "free"}, {"ack.order_vs_own_requests": "free"}} {
			dials, err := spec.ResolveDials(p.Name, change)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, dials)
		}
	}
	return list
}

// TestEveryAxiomCounts takes each axiom away: what is allowed must change then,
// or the axiom says nothing.
func TestEveryAxiomCounts(t *testing.T) {
	all := tellingDials(t)
	for i, name := range axiom.AxiomNames() {
		if !counts(i, all) {
			t.Errorf("%q excludes nothing", name)
		}
	}
}

// counts reports whether axiom i changes anything.
func counts(i int, all []map[string]string) bool {
	for _, dials := range all {
		for _, p := range telling {
			for _, v := range []axiom.View{axiom.Written, axiom.Polled} {
				with, without := axiom.Orders(p, dials, 0, v), map[axiom.Order]bool(nil)
				axiom.Without(i, func() { without = axiom.Orders(p, dials, 0, v) })
				if !maps.Equal(with, without) {
					return true
				}
				ends, more := axiom.Endings(p, dials, v), map[axiom.Ending]bool(nil)
				axiom.Without(i, func() { more = axiom.Endings(p, dials, v) })
				if !maps.Equal(ends, more) {
					return true
				}
			}
		}
		for _, p := range tellingMemory {
			with, without := axiom.Outcomes(p, dials, 0), map[axiom.Outcome]bool(nil)
			axiom.Without(i, func() { without = axiom.Outcomes(p, dials, 0) })
			if !maps.Equal(with, without) {
				return true
			}
		}
	}
	return false
}
