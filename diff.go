package ibcheck

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/internal/page"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// A DiffReport says how the orders of completions of two scenarios differ, or of
// one under two sets of assumptions.
type DiffReport struct {
	Schema string        `json:"schema"`
	A      *OrdersReport `json:"a"`
	B      *OrdersReport `json:"b"`
	Nodes  []string      `json:"nodes"`  // of either
	Gained []Outcome     `json:"gained"` // what only B can show
	Lost   []Outcome     `json:"lost"`   // what only A can show
	Moved  []Moved       `json:"moved"`  // what both can, with more or fewer faults
	Pairs  []PairChange  `json:"pairs"`  // of completions that both have
}

// A Moved is an outcome that takes another number of faults.
type Moved struct {
	Orders [][]string `json:"orders"` // by node
	Ends   string     `json:"ends,omitempty"`
	A      int        `json:"faults_a"`
	B      int        `json:"faults_b"`
}

// A PairChange is a pair of completions with another relation.
type PairChange struct {
	First  string `json:"first"`
	Second string `json:"second"`
	A      string `json:"relation_a"`
	B      string `json:"relation_b"`
}

// A Side is one of the two things that Diff compares.
type Side struct {
	File    *scenario.File
	Options Options
}

// Diff explores both sides and compares the orders of their completions, as
// Orders finds them.
func Diff(ctx context.Context, a, b Side, polled bool) (*DiffReport, error) {
	d := &DiffReport{Schema: Schema}
	var err error
	if d.A, err = Orders(ctx, a.File, a.Options, polled); err != nil {
		return nil, err
	}
	if d.B, err = Orders(ctx, b.File, b.Options, polled); err != nil {
		return nil, err
	}
	d.Nodes = slices.Clone(d.A.Nodes)
	for _, n := range d.B.Nodes {
		if !slices.Contains(d.Nodes, n) {
			d.Nodes = append(d.Nodes, n)
		}
	}
	inA, inB := d.outcomes(d.A), d.outcomes(d.B)
	d.Gained, d.Lost = only(inB, inA), only(inA, inB)
	d.Moved = []Moved{}
	for i := range inA {
		if k := find(inB, &inA[i]); k >= 0 && inA[i].Faults != inB[k].Faults {
			d.Moved = append(d.Moved, Moved{inA[i].Orders, inA[i].Ends, inA[i].Faults, inB[k].Faults})
		}
	}
	d.Pairs = pairChanges(d.A, d.B)
	return d, nil
}

// outcomes returns the outcomes of a report by the nodes of both.
func (d *DiffReport) outcomes(r *OrdersReport) []Outcome {
	out := slices.Clone(r.Outcomes)
	for i := range out {
		orders := make([][]string, len(d.Nodes))
		for n, name := range d.Nodes {
			orders[n] = []string{}
			if k := slices.Index(r.Nodes, name); k >= 0 {
				orders[n] = out[i].Orders[k]
			}
		}
		out[i].Orders = orders
	}
	return out
}

// find returns which of some outcomes shows the same as o, or -1.
func find(list []Outcome, o *Outcome) int {
	return slices.IndexFunc(list, func(p Outcome) bool {
		return p.Ends == o.Ends && slices.EqualFunc(p.Orders, o.Orders, func(x, y []string) bool { return slices.Equal(x, y) })
	})
}

// only returns the outcomes of a that b does not have.
func only(a, b []Outcome) []Outcome {
	out := []Outcome{}
	for i := range a {
		if find(b, &a[i]) < 0 {
			out = append(out, a[i])
		}
	}
	return out
}

func pairChanges(a, b *OrdersReport) []PairChange {
	out := []PairChange{}
	for i := range a.Pairs {
		p := &a.Pairs[i]
		for j := range b.Pairs {
			q := &b.Pairs[j]
			if q.A == p.B && q.B == p.A {
				q = q.turned()
			}
			if q.A == p.A && q.B == p.B && q.cell() != p.cell() {
				out = append(out, PairChange{p.A, p.B, p.relationText(), q.relationText()})
			}
		}
	}
	return out
}

// relationText says how the pair lies, in words.
func (p *Pair) relationText() string {
	switch p.Relation {
	case Before:
		return p.A + " before " + p.B
	case After:
		return p.B + " before " + p.A
	case BeforeBoth:
		return p.A + " first where both complete"
	case AfterBoth:
		return p.B + " first where both complete"
	case NeverBoth:
		return "never both"
	}
	return fmt.Sprintf("%s first with %s, %s first with %s", p.A, plural(p.AFirst, "fault"), p.B, plural(p.BFirst, "fault"))
}

// Same says whether both sides can show the same with the same faults.
func (d *DiffReport) Same() bool {
	return len(d.Gained)+len(d.Lost)+len(d.Moved)+len(d.Pairs) == 0
}

// WriteJSON writes the report in the form that docs/orders.md describes.
func (d *DiffReport) WriteJSON(w io.Writer) error { return writeJSON(w, d) }

// WriteText writes the report for people, as a diff: what is gained with a plus,
// what is lost with a minus.
func (d *DiffReport) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	for _, line := range d.lines() {
		out.WriteString(strings.TrimRight(line, " "))
		out.WriteByte('\n')
	}
	return out.Flush()
}

func (d *DiffReport) lines() []string {
	out := append(page.Fold("--- "+d.A.sideText(), 6), page.Fold("+++ "+d.B.sideText(), 6)...)
	if d.Same() {
		return append(out, "", "The same orders of completions, with the same faults."+d.openWords())
	}
	rows := [][]string{append(append([]string{" "}, d.Nodes...), "faults", "replay")}
	row := func(mark string, orders [][]string, faults, more string) {
		r := []string{mark}
		for _, o := range orders {
			r = append(r, orderText(o))
		}
		rows = append(rows, append(r, faults, more))
	}
	list := func(mark string, outcomes []Outcome) {
		for i := range outcomes {
			o := &outcomes[i]
			more := o.Token
			if o.Ends != "" {
				more += "  " + o.endWords()
			}
			row(mark, o.Orders, fmt.Sprintf("%6d", o.Faults), more)
		}
	}
	list("-", d.Lost)
	list("+", d.Gained)
	for _, m := range d.Moved {
		row("~", m.Orders, fmt.Sprintf("%2d -> %d", m.A, m.B), m.Ends)
	}
	if len(rows) > 1 {
		out = append(append(out, ""), table(rows, 0)...)
	}
	if len(d.Pairs) > 0 {
		out = append(out, "", "Pairs:")
	}
	for _, p := range d.Pairs {
		out = append(out, page.Fold(fmt.Sprintf("  %s, %s: %s -> %s", p.First, p.Second, p.A, p.B), 4)...)
	}
	if text := d.openWords(); text != "" {
		out = append(out, "", strings.TrimSpace(text))
	}
	return out
}

// sideText says what is compared.
func (r *OrdersReport) sideText() string {
	text := r.File
	if len(r.Params) > 0 {
		text += " with " + joinSorted(r.Params, " = ")
	}
	return text + " " + under(r.Profile, r.Dials, r.Faults)
}

// openWords says if limits leave something open.
func (d *DiffReport) openWords() string {
	if d.A.Complete && d.B.Complete {
		return ""
	}
	return " A limit stopped the search: there may be more differences."
}
