package spec

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// The decisions with many inputs, each tried with every input. The files of
// testdata/tables are the tables of the protocol as they were handed down.

// table reads a table of testdata/tables: the heads of its columns and its rows.
func table(t *testing.T, name string) (heads []string, rows [][]string) {
	t.Helper()
	text, err := os.ReadFile("testdata/tables/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var cells []string
		for _, c := range strings.Split(strings.Trim(line, "|"), "|") {
			cells = append(cells, strings.Trim(strings.TrimSpace(c), "`"))
		}
		switch i {
		case 0:
			heads = cells
		case 1: // the line below the heads
		default:
			rows = append(rows, cells)
		}
	}
	return heads, rows
}

// twoQPs makes the model of a.q <-> b.q, with these sends posted at a by a
// program and so many receives at b by another, and its state before anything
// was posted.
func twoQPs(t *testing.T, dials map[string]string, sends []WR, receives int) (*Model, *State) {
	t.Helper()
	qp := QP{Name: "q", SRQ: -1, RetryCnt: 2, RNRRetry: 7, Timeout: 1, MTU: 256, MaxRdAtomic: 4, MaxDestRdAtomic: 4, State: "RTS"}
	node := func(name string) Node {
		return Node{Name: name, CQs: []CQ{{Name: "c", Channel: -1}}, QPs: []QP{qp}, Threads: []Thread{{}},
			MRs: []MR{{Name: "m", Length: 64, Units: 1, RemoteRead: true, RemoteWrite: true, RemoteAtomic: true}}}
	}
	sc := &Scenario{Name: "two", Dials: dials, Nodes: []Node{node("a"), node("b")}, Conns: []Conn{{A: QPRef{Node: 0}, B: QPRef{Node: 1}}}}
	post := func(n int, op Op, w WR) {
		sc.WRs = append(sc.WRs, w)
		main := &sc.Nodes[n].Threads[0]
		main.Body = append(main.Body, Stmt{Op: op, WR: len(sc.WRs) - 1, CQ: -1, SRQ: -1, MR: -1, Var: -1, Lock: -1, Channel: -1, CompChannel: -1})
	}
	for i, w := range sends {
		w.Name, w.SRQ = fmt.Sprintf("S%d", i), -1
		post(0, OpPostSend, w)
	}
	sc.Nodes[1].Threads[0].Body = append(sc.Nodes[1].Threads[0].Body, Stmt{Op: OpStop, WR: -1})
	for i := range receives {
		post(1, OpPostRecv, WR{Name: fmt.Sprintf("R%d", i), Node: 1, Recv: true, SRQ: -1, Local: -1, Remote: MRRef{Node: -1}})
	}
	m, err := Compile(sc, DefaultBounds(sc))
	if err != nil {
		t.Fatal(err)
	}
	return m, m.newState()
}

// withOpcode makes a send of an opcode to or with the MR m of the peer or the
// node itself.
func withOpcode(op Opcode) WR {
	w := WR{Opcode: op, Signaled: true, Local: -1, Remote: MRRef{Node: -1}}
	switch {
	case !op.usesPSN():
		w.Local = 0
	case op.isRead() || op.isWrite() || op == SEND_WITH_INV:
		w.Remote = MRRef{Node: 1}
	}
	return w
}

// An arrival is the inputs of the responder's check of a request.
type arrival struct {
	op        Opcode
	psn, ePSN uint8
	executed  bool // all that was accepted is executed
	saved     bool // READs and ATOMICs before have their results saved
	nak, recv bool // a NAK is outstanding; a receive is there
	state     QPState
}

func (a arrival) duplicate() bool { return a.psn < a.ePSN }
func (a arrival) gap() bool       { return a.psn > a.ePSN }
func (a arrival) taken() bool     { return a.state >= RTR && a.state < ERR }

// outcomes is the decision table of the responder: exactly one row's condition
// is true of an arrival, and its outcome is what happens.
var outcomes = []struct {
	name string
	when func(a arrival) bool
	owes func(a arrival) []Resp
	next bool // ePSN goes on
	nak  func(a arrival, counts bool) bool
}{
	{"discarded: not connected or in error (F1.22)", func(a arrival) bool { return !a.taken() }, owesNothing, false, nakAsBefore},
	{"expected, with what it needs (F1.12)", func(a arrival) bool { return a.taken() && a.psn == a.ePSN && (a.recv || !a.op.consumesRecv()) }, owesNothing, true, nakOver},
	{"expected, no receive (F1.18)", func(a arrival) bool { return a.taken() && a.psn == a.ePSN && !a.recv && a.op.consumesRecv() },
		func(a arrival) []Resp { return []Resp{{Kind: RespRNR, PSN: a.psn}} }, false, func(_ arrival, counts bool) bool { return counts }},
	{"gap (F1.13)", func(a arrival) bool { return a.taken() && a.gap() && !a.nak },
		func(a arrival) []Resp { return []Resp{{Kind: RespNAKSeq, PSN: a.ePSN}} }, false, nakOut},
	{"gap, the NAK is out (F1.13)", func(a arrival) bool { return a.taken() && a.gap() && a.nak }, owesNothing, false, nakOut},
	{"duplicate SEND or WRITE (C9-105)", func(a arrival) bool { return a.taken() && a.duplicate() && !a.op.isRead() },
		func(a arrival) []Resp { return []Resp{{Kind: RespAckDup, PSN: a.psn}} }, false, nakAsBefore},
	{"duplicate READ or ATOMIC, still to be executed", func(a arrival) bool { return a.taken() && a.duplicate() && a.op.isRead() && !a.executed }, owesNothing, false, nakAsBefore},
	{"duplicate READ (F1.14)", func(a arrival) bool { return a.taken() && a.duplicate() && a.op == RDMA_READ && a.executed },
		func(a arrival) []Resp { return []Resp{{Kind: RespRead, PSN: a.psn, Again: true}} }, false, nakAsBefore},
	{"duplicate ATOMIC, saved (F1.14)", func(a arrival) bool { return a.taken() && a.duplicate() && a.op.isAtomic() && a.executed && a.saved },
		func(a arrival) []Resp {
			return []Resp{{Kind: RespAtomic, PSN: a.psn, Again: true, Content: Content{Val: 3}}}
		}, false, nakAsBefore},
	{"duplicate ATOMIC, not saved (F1.14)", func(a arrival) bool { return a.taken() && a.duplicate() && a.op.isAtomic() && a.executed && !a.saved }, owesNothing, false, nakAsBefore},
}

func owesNothing(arrival) []Resp         { return nil }
func nakAsBefore(a arrival, _ bool) bool { return a.nak }
func nakOut(arrival, bool) bool          { return true }
func nakOver(arrival, bool) bool         { return false }

// TestArrival tries the responder's check with every request, PSN and state.
func TestArrival(t *testing.T) {
	hits := make([]int, len(outcomes))
	for _, counts := range []string{"yes", "no"} {
		for op := SEND; op <= SEND_WITH_INV; op++ {
			sends := []WR{withOpcode(op), withOpcode(op), withOpcode(op), withOpcode(op)}
			m, s := twoQPs(t, map[string]string{"rnr.counts_as_nak": counts}, sends, 5)
			everyArrival(op, len(sends), func(a arrival) {
				row := -1
				for i := range outcomes {
					if !outcomes[i].when(a) {
						continue
					}
					if row >= 0 {
						t.Fatalf("%+v is both %q and %q", a, outcomes[row].name, outcomes[i].name)
					}
					row = i
				}
				if row < 0 {
					t.Fatalf("%+v is in no row", a)
				}
				hits[row]++
				m.tryArrival(t, s, a, row, counts == "yes")
			})
		}
	}
	for i, n := range hits {
		if n == 0 {
			t.Errorf("%q never happened", outcomes[i].name)
		}
	}
}

func everyArrival(op Opcode, n int, f func(arrival)) {
	for state := RESET; state <= DESTROYED; state++ {
		for bits := range 16 {
			for psn := range n {
				for ePSN := range n {
					f(arrival{op, uint8(psn), uint8(ePSN), bits&1 == 1, bits&2 == 2, bits&4 == 4, bits&8 == 8, state})
				}
			}
		}
	}
}

// tryArrival brings a request to b and compares what it does with the row.
func (m *Model) tryArrival(t *testing.T, s *State, a arrival, row int, counts bool) {
	t.Helper()
	s.clear()
	a0, b := &s.QPs[0], &s.QPs[1]
	a0.State, b.State = RTS, a.state
	for i := range m.wrs {
		if m.wrs[i].recv {
			continue
		}
		a0.Req.SQ[a0.Req.N] = uint8(i)
		a0.Req.N++
	}
	a0.Req.NextPSN, a0.Req.MaxPSN = a0.Req.N, a0.Req.N
	r := &b.Rsp
	r.EPSN, r.NAK = a.ePSN, a.nak
	if a.executed {
		r.XPSN = a.ePSN
	}
	if a.op.consumesRecv() {
		r.RQ.N, r.RQ.Claim = a.ePSN+uint8(b2u(a.recv)), a.ePSN
	}
	for psn := uint8(0); a.saved && a.op.isRead() && psn < a.ePSN; psn++ {
		kind := RespAtomic
		if a.op == RDMA_READ {
			kind = RespRead
		}
		m.save(r, 1, Resp{Kind: kind, PSN: psn, Content: Content{Val: 3}})
	}
	claimed := r.RQ.Claim
	m.accept(s, 1, Pkt{PSN: a.psn, AckReq: true}, 0)
	o := &outcomes[row]
	if got, want := r.Resp[:r.NResp], o.owes(a); !slices.Equal(got, want) {
		t.Errorf("%+v, %s: owes %v, want %v", a, o.name, got, want)
	}
	if got, want := r.EPSN, a.ePSN+uint8(b2u(o.next)); got != want {
		t.Errorf("%+v, %s: ePSN %d, want %d", a, o.name, got, want)
	}
	if got, want := r.NAK, o.nak(a, counts); got != want {
		t.Errorf("%+v, %s: NAK outstanding %v, want %v", a, o.name, got, want)
	}
	if got, want := r.RQ.Claim-claimed, uint8(b2u(o.next && a.op.consumesRecv())); got != want {
		t.Errorf("%+v, %s: takes %d receives, want %d", a, o.name, got, want)
	}
}

// pairOps is an opcode for each row and column of the pair table.
var pairOps = [numPairClasses]Opcode{SEND, RDMA_WRITE, RDMA_READ, ATOMIC_FETCH_AND_ADD, BIND_MW, REG_MR, LOCAL_INV}

// pairCells are the rules that a cell of the pair table allows; of two, the
// weaker one stands (F3.3).
var pairCells = map[string]pairRule{"#": pairAlways, "F": pairFence, "L": pairInv, "NR": pairNone, "L or #": pairInv}

// TestPairTable compares the table with the protocol's, and what the model
// does with each pair, with and without FENCE, with what the cell means.
func TestPairTable(t *testing.T) {
	heads, rows := table(t, "pairs.md")
	if len(heads) != int(numPairClasses)+1 || len(rows) != int(numPairClasses) {
		t.Fatalf("the table has %d columns and %d rows", len(heads), len(rows))
	}
	for i, row := range rows {
		for j, cell := range row[1:] {
			want, ok := pairCells[cell]
			if got := pairTable[i][j]; !ok || got != want {
				t.Errorf("%s, then %s: rule %d, the protocol has %q", row[0], heads[j+1], got, cell)
			}
			for _, inv := range []string{"strict", "relaxed"} {
				for _, fence := range []bool{false, true} {
					tryPair(t, pairClass(i), pairClass(j), inv, fence)
				}
			}
		}
	}
	for op := SEND; op < RECV; op++ {
		if c := pairClassOf(op); pairClassOf(pairOps[c]) != c {
			t.Errorf("%v has class %d", op, c)
		}
	}
}

// tryPair asks whether the later WR may start while the earlier one is not
// begun, is begun, or is complete.
func tryPair(t *testing.T, first, second pairClass, inv string, fence bool) {
	t.Helper()
	sends := []WR{withOpcode(pairOps[first]), withOpcode(pairOps[second])}
	sends[1].Fence = fence
	m, s := twoQPs(t, map[string]string{"fence.local_inv": inv}, sends, 2)
	r := &s.QPs[0].Req
	s.QPs[0].State, s.QPs[1].State = RTS, RTS
	r.SQ[1], r.N = 1, 2
	n := m.wrs[0].npkt
	for _, stage := range []string{"not begun", "begun", "complete"} {
		switch stage {
		case "begun":
			r.MaxPSN, r.NextPSN, r.LocalDone = n, n, uint32(1-n)
		case "complete":
			r.UnackedPSN = n
		}
		begun, complete := stage != "not begun", stage == "complete" || n == 0 && stage == "begun"
		var want bool
		switch pairTable[first][second] {
		case pairAlways:
			want = begun
		case pairFence:
			want = !fence || complete
		case pairInv:
			want = !fence && inv == "relaxed" || complete
		case pairNone:
			want = true
		}
		if got := m.mayStart(s, 0, 1); got != want {
			t.Errorf("%v %s, then %v, fence %v, fence.local_inv %s: may start %v, want %v", pairOps[first], stage, pairOps[second], fence, inv, got, want)
		}
	}
}

// TestMaxRdAtomic: so many READs and ATOMICs are outstanding, and what comes
// behind the one that waits, waits too (F1.10).
func TestMaxRdAtomic(t *testing.T) {
	for most := 1; most <= 4; most++ {
		sends := slices.Repeat([]WR{withOpcode(RDMA_READ), withOpcode(ATOMIC_CMP_AND_SWP)}, 3)
		m, s := twoQPs(t, nil, append(sends, withOpcode(SEND)), 1)
		m.qps[0].maxRd = most
		r := &s.QPs[0].Req
		s.QPs[0].State = RTS
		for i := range m.wrs[:7] {
			r.SQ[i] = uint8(i)
		}
		r.N = 7
		m.bounds.Wire = 10
		for m.mayTransmit(s, 0) {
			transmitApply(m, s, Choice{})
		}
		if int(r.NextPSN) != most {
			t.Errorf("max_rd_atomic %d: %d are outstanding", most, r.NextPSN)
		}
		if r.UnackedPSN++; !m.mayTransmit(s, 0) {
			t.Errorf("max_rd_atomic %d: none may follow when one is answered", most)
		}
	}
}

// TestQPStates compares what a QP does in each state with F2.19. RC has no SQE
// (F2.20): nothing may lead there.
func TestQPStates(t *testing.T) {
	heads, rows := table(t, "qp-states.md")
	for _, row := range rows {
		state := QPState(slices.Index(QPStates(), strings.TrimPrefix(row[0], "IBV_QPS_")))
		if state == SQE {
			continue
		}
		for i, got := range duties(t, state) {
			if want := row[i+1]; got != strings.TrimSuffix(want, " (and ACKs)") {
				t.Errorf("%v, %s: %s, the protocol has %q", state, heads[i+1], got, want)
			}
		}
	}
	for from := RESET; from <= DESTROYED; from++ {
		m, s := twoQPs(t, nil, nil, 0)
		s.QPs[0].State = from
		if m.modifyQP(s, 0, SQE); s.QPs[0].State != from || s.Env.Bad != BadState {
			t.Errorf("%v goes to SQE", from)
		}
	}
}

// duties says what a QP does in a state, in the columns of F2.19.
func duties(t *testing.T, state QPState) []string {
	t.Helper()
	word := func(ok, flushed bool) string {
		return map[[2]bool]string{{false, false}: "no", {true, false}: "yes", {true, true}: "yes (flushed)", {false, true}: "flushed"}[[2]bool{ok, flushed}]
	}
	fresh := func() (*Model, *State) {
		m, s := twoQPs(t, nil, []WR{withOpcode(SEND), withOpcode(SEND)}, 2)
		s.QPs[0].State, s.QPs[1].State = RTS, RTS
		return m, s
	}
	var out []string

	m, s := fresh() // receives belong to b
	s.QPs[1].State = state
	m.post(s, m.wrs[2].site)
	out = append(out, word(s.Env.Bad == BadNone, m.recvCQEDue(s, 1)))

	m, s = fresh()
	m.post(s, m.wrs[2].site)
	m.post(s, m.wrs[0].site)
	s.QPs[1].State = state
	m.accept(s, 1, Pkt{AckReq: true}, 0)
	out = append(out, word(s.QPs[1].Rsp.EPSN == 1, false))

	m, s = fresh()
	s.QPs[0].State = state
	m.post(s, m.wrs[0].site)
	posted, due := s.Env.Bad == BadNone, m.sendCQEDue(s, 0)
	out = append(out, word(posted, due)+map[bool]string{true: " (queued)"}[posted && !due && !m.mayTransmit(s, 0)])

	m, s = fresh()
	m.post(s, m.wrs[0].site)
	s.QPs[0].State = state
	out = append(out, word(m.mayTransmit(s, 0), false))

	m, s = fresh()
	m.post(s, m.wrs[0].site)
	m.wrs[0].npkt = 2
	transmitApply(m, s, Choice{})
	s.QPs[0].State = state
	return append(out, word(m.mayTransmit(s, 0), m.sendCQEDue(s, 0)))
}

// TestTransitions tries every modify_qp. The transitions are those of RC that
// change the state; from anywhere but RESET a QP may go to ERR, from anywhere to
// RESET.
func TestTransitions(t *testing.T) {
	legal := map[QPState][]QPState{RESET: {RESET, INIT}, INIT: {RESET, RTR, ERR}, RTR: {RESET, RTS, ERR}, RTS: {RESET, SQD, ERR},
		SQD: {RESET, RTS, ERR}, ERR: {RESET, ERR}}
	for from := RESET; from <= DESTROYED; from++ {
		for to := RESET; to < DESTROYED; to++ {
			if from == SQE || to == SQE {
				continue
			}
			m, s := twoQPs(t, nil, nil, 0)
			s.QPs[0].State = from
			m.modifyQP(s, 0, to)
			got, want := s.Env.Bad == BadNone && s.QPs[0].State == to, slices.Contains(legal[from], to)
			if got != want || !want && (s.Env.Bad != BadState || s.QPs[0].State != from) {
				t.Errorf("%v to %v: done %v, want %v; bad %q", from, to, got, want, s.Env.Bad)
			}
		}
	}
}

// TestDials: every value of a dial is accepted and means something else than
// the others, nothing else is accepted, and every field that rules read is moved
// by some dial.
func TestDials(t *testing.T) {
	moved := map[string]bool{}
	base, err := ResolveDials("", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range Dials {
		meaning := map[dials]string{}
		values := slices.Clone(d.Values)
		if d.Number {
			values = append(values, "2", "7")
		}
		for _, v := range values {
			vals, err := ResolveDials("", map[string]string{d.Name: v})
			if err != nil {
				t.Fatal(err)
			}
			x := dialsOf(vals)
			if other, ok := meaning[x]; ok && d.Name != "error.older_first" { // without time, at once is a case of at any time
				t.Errorf("%s: %s and %s mean the same", d.Name, v, other)
			}
			meaning[x] = v
			noteMoved(moved, dialsOf(base), x)
		}
		for _, v := range []string{"", "nonsense", "0", "-1", "1x"} {
			if _, err := ResolveDials("", map[string]string{d.Name: v}); err == nil {
				t.Errorf("%s takes %q", d.Name, v)
			}
		}
	}
	for i := range reflect.TypeFor[dials]().NumField() {
		if f := reflect.TypeFor[dials]().Field(i).Name; !moved[f] {
			t.Errorf("no dial moves %s", f)
		}
	}
	if _, err := ResolveDials("", map[string]string{"nonsense": "yes"}); err == nil {
		t.Error("there is a dial nonsense")
	}
	if _, err := ResolveDials("nonsense", nil); err == nil {
		t.Error("there is a profile nonsense")
	}
}

func noteMoved(moved map[string]bool, a, b dials) {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range x.NumField() {
		if !x.Field(i).Equal(y.Field(i)) {
			moved[x.Type().Field(i).Name] = true
		}
	}
}

// dialWords are the words of the protocol's table for the values of dials that
// are not the same.
var dialWords = map[string]string{"every_message": "every", "last_posted_only": "last", "chosen_per_WR": "per_wr"}

// TestProfiles compares iba and arrival_order with the protocol's table, and
// checks that the other profiles set what there is to set.
// TestCovers: a value covers itself, the free one covers all, and the specification's
// reading covers the kindest HCA's, wherever the two differ.
func TestCovers(t *testing.T) {
	for i := range Dials {
		d := &Dials[i]
		for _, v := range d.Values {
			if !d.Covers(v, v) {
				t.Errorf("%s: %s does not cover itself", d.Name, v)
			}
			if slices.Contains(d.Values, "free") && !d.Covers("free", v) {
				t.Errorf("%s: free does not cover %s", d.Name, v)
			}
		}
		if back := d.Covers(d.ArrivalOrder, d.IBA); !d.Covers(d.IBA, d.ArrivalOrder) || back != (d.IBA == d.ArrivalOrder) {
			t.Errorf("%s: %s and %s", d.Name, d.IBA, d.ArrivalOrder)
		}
	}
	d := FindDial("ack.coalesce")
	if !d.Covers("3", "2") || d.Covers("2", "3") || !d.Covers("2", "none") || d.Covers("none", "2") || !d.Covers("unbounded", "9") || d.Covers("9", "unbounded") {
		t.Error("ack.coalesce is a number")
	}
}

func TestProfiles(t *testing.T) {
	_, rows := table(t, "dials.md")
	word := func(cell string) string {
		w := strings.NewReplacer(" ", "_", "-", "_").Replace(cell)
		if x, ok := dialWords[w]; ok {
			return x
		}
		if strings.HasPrefix(w, "SQ_") || strings.HasPrefix(w, "RQ_") {
			return strings.ToLower(w)
		}
		return w
	}
	for _, row := range rows {
		d := FindDial(word(row[0]))
		switch {
		case d == nil:
			t.Errorf("no dial %q", row[0])
		case d.IBA != word(row[2]):
			t.Errorf("iba has %s %s, the protocol %q", d.Name, d.IBA, row[2])
		case d.ArrivalOrder != word(row[3]):
			t.Errorf("arrival_order has %s %s, the protocol %q", d.Name, d.ArrivalOrder, row[3])
		}
	}
	for _, p := range Profiles {
		for name, v := range p.Dials {
			if d := FindDial(name); d == nil || !d.Allows(v) {
				t.Errorf("profile %s sets %s to %s", p.Name, name, v)
			}
		}
		vals, err := ResolveDials(p.Name, nil)
		if err != nil || len(vals) != len(Dials) {
			t.Errorf("profile %s: %d values of %d dials, %v", p.Name, len(vals), len(Dials), err)
		}
	}
}
