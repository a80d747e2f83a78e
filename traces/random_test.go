package traces

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/spec"
)

// randomRun is a run as a protocol might have it: posts cause packets, packets
// arrive, pass each other or are lost, what arrives causes CQEs and answers.
func randomRun(r *rand.Rand, events int) *spec.Run {
	g := &runMaker{r: r, b: build(nodeNames[r.IntN(len(nodeNames))])}
	nodes := len(g.b.run.Nodes)
	for i := range 1 + r.IntN(nodes) {
		a, b := i%nodes, (i+1)%nodes
		names := g.b.run.Nodes
		c := spec.RunConn{A: a, B: b, AName: fmt.Sprintf("%s.q%d", names[a], i), BName: fmt.Sprintf("%s.p%d", names[b], i)}
		g.b.run.Conns = append(g.b.run.Conns, c)
	}
	g.b.before("R1 on somewhere")
	for len(g.b.run.Events) < events {
		g.step()
	}
	g.b.run.Broken = r.IntN(events + 1)
	if r.IntN(4) == 0 {
		g.b.run.Loop = r.IntN(g.b.run.Broken + 1)
	}
	return g.b.run
}

var nodeNames = []string{"a b", "host target", "left middle right", "n1 n2 n3 n4", "averyveryverylongname anotherverylongname"}

type runMaker struct {
	r      *rand.Rand
	b      *builder
	flying []int // events that sent what is in the wire
	unread []int // CQEs
	told   []int
}

// recent is an earlier event of a node, or -1.
func (g *runMaker) recent(node int) int {
	var at []int
	for i, e := range g.b.run.Events {
		if e.Node == node {
			at = append(at, i)
		}
	}
	if len(at) == 0 || g.r.IntN(8) == 0 {
		return -1
	}
	return at[len(at)-1-g.r.IntN(min(len(at), 3))]
}

func take(r *rand.Rand, list *[]int) int {
	i := 0
	if r.IntN(4) == 0 {
		i = r.IntN(len(*list))
	}
	v := (*list)[i]
	*list = slices.Delete(*list, i, i+1)
	return v
}

func (g *runMaker) step() {
	b, r := g.b, g.r
	c := b.run.Conns[r.IntN(len(b.run.Conns))]
	qp := c.AName
	if r.IntN(2) == 0 {
		qp = c.BName
	}
	node := b.node(qp)
	wr := fmt.Sprintf("W%d", r.IntN(12))
	switch k := r.IntN(16); {
	case k < 2:
		b.post(qp, wr, g.recent(node))
	case k < 5:
		g.flying = append(g.flying, b.depart(qp, g.packet(wr), g.recent(node)))
	case k < 8 && len(g.flying) > 0:
		b.arrive(take(r, &g.flying))
	case k == 8 && len(g.flying) > 0:
		b.drop(take(r, &g.flying), "drop(any) 1/2")
	case k == 9 && len(g.flying) > 0:
		g.flying = append(g.flying, b.dup(g.flying[r.IntN(len(g.flying))], "dup(any) 1/1"))
	case k == 10:
		words := []string{wr + " SEND", wr + " RECV WR_FLUSH_ERR", wr + " RDMA_WRITE RNR_RETRY_EXC_ERR"}
		g.unread = append(g.unread, b.cqe(qp, []string{"cq", "rcq"}[r.IntN(2)], words[r.IntN(len(words))], g.recent(node)))
	case k == 11 && len(g.unread) > 0:
		b.poll(take(r, &g.unread))
	case k == 12:
		words := []string{"timeout, retry 1/2", "duplicate of h0", "a remark that is a good deal longer than any gap between two lanes"}
		b.note(qp, []string{"timeout", "deliver"}[r.IntN(2)], words[r.IntN(len(words))], g.recent(node))
	case k == 13:
		to := b.run.Nodes[r.IntN(len(b.run.Nodes))]
		g.told = append(g.told, b.tell(b.run.Nodes[node], to, "cm message", g.recent(node)))
	case k == 14 && len(g.told) > 0:
		b.hear(take(r, &g.told))
	default:
		i := b.quiet(qp, "execute", wr, g.recent(node))
		b.run.Events[i].Diff = []string{qp + ".sq [S1]→[]", qp + ".nextPSN 1→2"}
	}
}

func (g *runMaker) packet(wr string) spec.Packet {
	ops := []string{"SEND_ONLY", "RDMA_WRITE_LAST_WITH_IMM", "RDMA_READ_RESPONSE_MIDDLE"}
	if g.r.IntN(3) == 0 {
		return response([]string{"ACK", "RNRNAK", "NAKSequence", "NAKOperation"}[g.r.IntN(4)], "h3", g.r.IntN(300))
	}
	p := request(ops[g.r.IntN(len(ops))], wr, fmt.Sprintf("h%d", g.r.IntN(1000)))
	p.Again = g.r.IntN(5) == 0
	return p
}

// randomOptions names some of the WRs that random runs have.
func randomOptions(r *rand.Rand) Options {
	opt := seedOptions
	opt.Bars = nil
	for range r.IntN(14) {
		opt.Bars = append(opt.Bars, fmt.Sprintf("W%d%s", r.IntN(12), []string{"", ".wc"}[r.IntN(2)]))
	}
	opt.Caption.Footer = []string{strings.Repeat("Let   some words ", 20)}
	return opt
}

var styles = []Style{{}, {Form: ASCII, State: true}, {Form: Lore}, {Color: true}, {NoEpilogue: true}, {Wide: true, State: true}}

// narrow lists the characters of a ladder beside printable ASCII.
const narrow = "│╎┊├┤─┄►◄✗╶╴╮╭╰╯┬┃┴━"

// TestRandomRuns holds the law of the package for runs that nobody drew.
func TestRandomRuns(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		run, opt := randomRun(r, 1+r.IntN(60)), randomOptions(r)
		l := Layout(run, opt)
		if problem := lawless(run, l); problem != "" {
			t.Fatalf("run %d: %s\n%s", seed, problem, write(t, run, opt, Style{}))
		}
		for _, s := range styles {
			text := write(t, run, opt, s)
			if problem := unprintable(text, s); problem != "" {
				t.Fatalf("run %d, style %+v: %s\n%s", seed, s, problem, text)
			}
			if text != write(t, run, opt, s) {
				t.Fatalf("run %d: two drawings differ", seed)
			}
		}
	}
}

// lawless says how rows break the law: an event missing or twice, an effect
// above its cause, a break that is not the last row before the rule.
func lawless(run *spec.Run, l *Ladder) string {
	rowOf := make([]int, len(run.Events))
	for i := range rowOf {
		rowOf[i] = -1
	}
	rows := l.Rows()
	for n, row := range rows {
		if row.Step != n+1 || row.Cause < 0 || row.Cause > n {
			return fmt.Sprintf("row %d has step %d and cause %d", n, row.Step, row.Cause)
		}
		for _, i := range row.Events {
			if rowOf[i] >= 0 {
				return fmt.Sprintf("event %d is drawn twice", i)
			}
			rowOf[i] = n
		}
	}
	for i, e := range run.Events {
		switch {
		case rowOf[i] < 0:
			return fmt.Sprintf("event %d is not drawn", i)
		case e.Cause >= 0 && rowOf[e.Cause] > rowOf[i]:
			return fmt.Sprintf("event %d is above its cause %d", i, e.Cause)
		case run.Broken > 0 && i < run.Broken && rowOf[i] >= l.Steps():
			return fmt.Sprintf("event %d slipped below the break", i)
		}
	}
	if run.Broken > 0 && rowOf[run.Broken-1] != l.Steps()-1 {
		return fmt.Sprintf("the break is in row %d of %d", rowOf[run.Broken-1], l.Steps())
	}
	return ""
}

// unprintable says how text is not fit for its page.
func unprintable(text string, s Style) string {
	limit := pageWidth
	if s.Form == Lore {
		limit = loreWidth
	}
	if s.Color {
		text = strings.NewReplacer("\x1b[2m", "", "\x1b[0m", "").Replace(text)
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if n := width(line); n > limit && !s.Wide {
			return fmt.Sprintf("%d columns: %s", n, line)
		}
		for _, c := range line {
			if (c < ' ' || c > '~') && (s.Form != Unicode || !strings.ContainsRune(narrow, c)) {
				return fmt.Sprintf("character %q in: %s", c, line)
			}
		}
	}
	return ""
}

// TestNonsense: what no model would report is drawn somehow, without a panic.
func TestNonsense(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		run := randomRun(r, 1+r.IntN(30))
		for range 1 + r.IntN(6) {
			e := &run.Events[r.IntN(len(run.Events))]
			switch r.IntN(8) {
			case 0:
				e.Node = r.IntN(9) - 3
			case 1:
				e.Packet = nil
			case 2:
				e.WC = nil
			case 3:
				e.Kind = spec.EventKind(r.IntN(20))
			case 4:
				e.Cause = r.IntN(99) - 9
			case 5:
				e.Conn, e.To = r.IntN(9)-3, r.IntN(9)-3
			case 6:
				e.Text, e.WR = "wide 漢字 → and\ttab \x1b[31m", "é"
			case 7:
				run.Broken, run.Loop = r.IntN(99)-9, r.IntN(99)-9
			}
		}
		l := Layout(run, randomOptions(r))
		for _, s := range styles {
			var b strings.Builder
			if err := l.Write(&b, s); err != nil {
				t.Fatal(err)
			}
			if problem := unprintable(b.String(), s); problem != "" {
				t.Fatalf("run %d, style %+v: %s\n%s", seed, s, problem, b.String())
			}
		}
	}
	if err := Layout(nil, Options{}).Write(io.Discard, Style{}); err != nil {
		t.Fatal(err)
	}
}
