package axiom

import (
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// pairText is the table of PROTOCOL.md 3.1: rows the earlier WR, columns the
// later one. # always ordered, F ordered if the later WR has FENCE, L ordered
// with the local-invalidate fence, - not ordered. Where two readings are left
// (F3.3) the weaker stands.
const pairText = `
	          SEND WRITE READ ATOMIC BIND REG INV
	SEND      #    #     #    #      #    -   L
	WRITE     #    #     #    #      #    -   L
	READ      F    F     #    F      F    -   L
	ATOMIC    F    F     #    F      F    -   L
	BIND      #    #     #    #      #    -   L
	REG       #    #     #    #      #    #   L
	INV       #    #     #    #      #    #   #
`

// pairs is pairText by row and column.
var pairs = func() map[string]map[string]string {
	table := map[string]map[string]string{}
	lines := strings.Split(strings.TrimSpace(pairText), "\n")
	columns := strings.Fields(lines[0])
	for _, line := range lines[1:] {
		cells := strings.Fields(line)
		row := map[string]string{}
		for i, cell := range cells[1:] {
			row[columns[i]] = cell
		}
		table[cells[0]] = row
	}
	return table
}()

// pairWord returns the row and column of an opcode.
func pairWord(op spec.Opcode) string {
	switch op {
	case spec.RDMA_WRITE, spec.RDMA_WRITE_WITH_IMM:
		return "WRITE"
	case spec.RDMA_READ:
		return "READ"
	case spec.ATOMIC_CMP_AND_SWP, spec.ATOMIC_FETCH_AND_ADD:
		return "ATOMIC"
	case spec.BIND_MW:
		return "BIND"
	case spec.REG_MR:
		return "REG"
	case spec.LOCAL_INV:
		return "INV"
	}
	return "SEND"
}

// A pairOrder is what the table asks of two WRs of one send queue.
type pairOrder int

const (
	unordered pairOrder = iota
	started             // the later one starts when the earlier one has: its packets left, or its local work done
	completed           // the later one starts when the earlier one is complete (F3.7, F3.8)
)

// orderOf returns what the table asks of an earlier and a later WR. One flag
// stands for both fences (F3.8).
func orderOf(earlier, later spec.Opcode, fence, strictInv bool) pairOrder {
	switch pairs[pairWord(earlier)][pairWord(later)] {
	case "#":
		return started
	case "F":
		if fence {
			return completed
		}
	case "L":
		if fence || strictInv {
			return completed
		}
	}
	return unordered
}

func (x *execution) pairTable() {
	for _, sq := range x.sq {
		for k, i := range sq {
			w := &x.WRs[i]
			for _, e := range sq[:k] {
				switch orderOf(x.WRs[e].Op, w.Op, w.Fence, x.dials.strictInv) {
				case started:
					x.must(x.starts(e), x.starts(i))
				case completed:
					x.must(x.life[e].done, x.starts(i))
				}
			}
			x.must(x.life[i].post, x.starts(i))
		}
	}
}

// starts returns the event at which a WR starts, which for a local operation
// is all of it.
func (x *execution) starts(i int) event {
	if isLocal(x.WRs[i].Op) {
		return x.life[i].exec
	}
	return x.life[i].leave
}

// readsOutstanding: a READ or ATOMIC waits, and with it all that is behind it,
// until few enough of those before it are answered.
func (x *execution) readsOutstanding() {
	for _, sq := range x.sq {
		var reads []int
		for _, i := range sq {
			if !isRead(x.WRs[i].Op) {
				continue
			}
			if n := len(reads) - max(x.MaxRdAtomic, 1); n >= 0 {
				x.must(x.life[reads[n]].done, x.life[i].leave)
			}
			reads = append(reads, i)
		}
	}
}
