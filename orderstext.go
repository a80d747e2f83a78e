package ibcheck

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/gonum/graph/encoding"
	"gonum.org/v1/gonum/graph/encoding/dot"
	"gonum.org/v1/gonum/graph/simple"

	"github.com/ibcheck/ibcheck/internal/page"
)

// WriteJSON writes the report in the form that docs/orders.md describes.
func (r *OrdersReport) WriteJSON(w io.Writer) error { return writeJSON(w, r) }

// writeJSON writes a report as [Report.WriteJSON] does.
func writeJSON(w io.Writer, report any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false) // "<=" stays readable
	encoder.SetIndent("", "  ")
	return encoder.Encode(report)
}

// mostOutcomes is how many outcomes a text lists unless asked for all.
const mostOutcomes = 40

// WriteText writes the report for people: the list of outcomes as litmus tests
// list final states, what each node sees, and the matrix of pairs.
func (r *OrdersReport) WriteText(w io.Writer, all bool) error {
	out := bufio.NewWriter(w)
	for _, line := range r.lines(all) {
		out.WriteString(strings.TrimRight(line, " "))
		out.WriteByte('\n')
	}
	return out.Flush()
}

func (r *OrdersReport) lines(all bool) []string {
	what := "orders of the CQEs that are written"
	if r.Event == "wc" {
		what = "orders of the completions that polls return"
	}
	out := page.Fold(fmt.Sprintf("%s: %s", r.Name, what), 2)
	out = append(out, page.Fold(under(r.Profile, r.Dials, r.Faults), 2)...)
	out = append(out, "")
	out = append(out, r.outcomeLines(all)...)
	if n := r.nodesThatSee(); len(n) > 1 {
		out = append(append(out, ""), r.nodeLines(n)...)
	}
	if len(r.Pairs) > 0 {
		out = append(append(out, ""), r.pairLines()...)
	}
	out = append(out, "")
	return append(out, r.endLines()...)
}

// nodesThatSee returns the nodes at which something completes.
func (r *OrdersReport) nodesThatSee() []int {
	var out []int
	for n := range r.Nodes {
		if slices.ContainsFunc(r.ByNode[n], func(o NodeOrder) bool { return len(o.Order) > 0 }) {
			out = append(out, n)
		}
	}
	return out
}

// outcomeLines is the table of outcomes: a column for each node at which
// something completes.
func (r *OrdersReport) outcomeLines(all bool) []string {
	nodes := r.nodesThatSee()
	shown := r.Outcomes
	if !all && len(shown) > mostOutcomes {
		shown = shown[:mostOutcomes]
	}
	rows := [][]string{{}}
	for _, n := range nodes {
		rows[0] = append(rows[0], r.Nodes[n])
	}
	rows[0] = append(rows[0], "faults", "replay")
	for i := range shown {
		o := &shown[i]
		var row []string
		for _, n := range nodes {
			row = append(row, orderText(o.Orders[n]))
		}
		row = append(row, fmt.Sprintf("%*d", len("faults"), o.Faults), o.Token)
		if o.Ends != "" {
			row[len(row)-1] += "  " + o.endWords()
		}
		rows = append(rows, row)
	}
	head := plural(len(r.Outcomes), "outcome")
	if r.Complete {
		head += ", and no other"
	}
	out := append([]string{head + ":"}, table(rows, 2)...)
	if n := len(r.Outcomes) - len(shown); n > 0 {
		out = append(out, fmt.Sprintf("  and %s (--verbose lists them)", plural(n, "more outcome")))
	}
	return out
}

func orderText(order []string) string {
	if len(order) == 0 {
		return "-"
	}
	return strings.Join(order, " ")
}

func (o *Outcome) endWords() string {
	if o.Ends == "for ever" {
		return "and goes on for ever"
	}
	return "ended by " + o.Ends
}

// table writes rows in columns.
func table(rows [][]string, indent int) []string {
	var widths []int
	for _, row := range rows {
		for c, cell := range row {
			if c == len(widths) {
				widths = append(widths, 0)
			}
			widths[c] = max(widths[c], utf8.RuneCountInString(cell))
		}
	}
	var out []string
	for _, row := range rows {
		line := strings.Repeat(" ", indent)
		for c, cell := range row {
			line += cell
			if c+1 < len(row) {
				line += strings.Repeat(" ", widths[c]-utf8.RuneCountInString(cell)+2)
			}
		}
		out = append(out, line)
	}
	return out
}

// nodeLines says what each node alone can see.
func (r *OrdersReport) nodeLines(nodes []int) []string {
	out := []string{"At each node:"}
	for _, n := range nodes {
		var parts []string
		for _, o := range r.ByNode[n] {
			parts = append(parts, fmt.Sprintf("%s [%d]", orderText(o.Order), o.Faults))
		}
		out = append(out, page.Fold(fmt.Sprintf("  %s: %s", r.Nodes[n], strings.Join(parts, ", ")), 4)...)
	}
	return out
}

// cell is what the matrix shows of a pair, read from its first to its second.
func (p *Pair) cell() string {
	switch p.Relation {
	case Before:
		return "<"
	case After:
		return ">"
	case BeforeBoth:
		return "<?"
	case AfterBoth:
		return "?>"
	case NeverBoth:
		return "-"
	}
	return fmt.Sprintf("%d/%d", p.AFirst, p.BFirst)
}

// turned is the pair read the other way round.
func (p *Pair) turned() *Pair {
	relation := map[string]string{Before: After, After: Before, BeforeBoth: AfterBoth, AfterBoth: BeforeBoth, Either: Either, NeverBoth: NeverBoth}
	return &Pair{A: p.B, B: p.A, Relation: relation[p.Relation], AFirst: p.BFirst, BFirst: p.AFirst, AToken: p.BToken, BToken: p.AToken}
}

// relationWords explain the cells of the matrix.
var relationWords = []struct{ relation, words string }{
	{Before, "<    the row has always completed when the column does"},
	{After, ">    the column has always completed when the row does"},
	{BeforeBoth, "<?   the row is first where both complete; the column can complete without it"},
	{AfterBoth, "?>   the column is first where both complete; the row can complete without it"},
	{Either, "m/n  both orders occur: the row first with m faults, the column first with n"},
	{NeverBoth, "-    never both"},
}

// pairLines is the matrix of pairs and what its cells mean.
func (r *OrdersReport) pairLines() []string {
	cells := map[[2]string]string{}
	used := map[string]bool{}
	for i := range r.Pairs {
		for _, p := range []*Pair{&r.Pairs[i], r.Pairs[i].turned()} {
			cells[[2]string{p.A, p.B}] = p.cell()
			used[p.Relation] = true
		}
	}
	rows := [][]string{append([]string{""}, r.Completions...)}
	for _, a := range r.Completions {
		row := []string{a}
		for _, b := range r.Completions {
			row = append(row, cells[[2]string{a, b}])
		}
		rows = append(rows, row)
	}
	out := append([]string{"Pairs:"}, table(rows, 2)...)
	for _, w := range relationWords {
		if used[w.relation] {
			out = append(out, "  "+w.words)
		}
	}
	return out
}

// endLines says what was explored.
func (r *OrdersReport) endLines() []string {
	text := fmt.Sprintf("explored  %s with their orders, %s, depth %d", plural(r.States, "state"), plural(r.Transitions, "transition"), r.Depth)
	if r.Complete {
		return append([]string{text + "; complete"}, r.boundLines()...)
	}
	s := ScenarioReport{Stopped: r.Stopped}
	return append([]string{text, "stopped   " + s.stopWords() + ": there may be more orders, and what is never seen may still happen"}, r.boundLines()...)
}

func (r *OrdersReport) boundLines() []string {
	var out []string
	for _, b := range r.Bounds {
		out = append(out, page.Fold("bound     "+b, reportIndent)...)
	}
	return out
}

// WriteDOT writes the guaranteed orders as a diagram for Graphviz: an arrow from
// a completion to each that never comes without it, without the arrows that
// follow from others.
func (r *OrdersReport) WriteDOT(w io.Writer) error {
	g := simple.NewDirectedGraph()
	index := map[string]int{}
	for i, name := range r.Completions {
		index[name] = i
		g.AddNode(orderNode{int64(i), name})
	}
	before := make([][]bool, len(r.Completions))
	for i := range before {
		before[i] = make([]bool, len(r.Completions))
	}
	for i := range r.Pairs {
		p := &r.Pairs[i]
		before[index[p.A]][index[p.B]] = p.Relation == Before
		before[index[p.B]][index[p.A]] = p.Relation == After
	}
	for a := range before {
		for b := range before {
			if before[a][b] && !slices.ContainsFunc(indices(len(before)), func(c int) bool { return before[a][c] && before[c][b] }) {
				g.SetEdge(simple.Edge{F: g.Node(int64(a)), T: g.Node(int64(b))})
			}
		}
	}
	text, err := dot.Marshal(orderGraph{g, r}, r.Name, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// indices returns 0 to n-1.
func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// An orderGraph is the diagram as gonum takes it.
type orderGraph struct {
	*simple.DirectedGraph
	r *OrdersReport
}

// DOTAttributers implements dot.Attributers.
func (g orderGraph) DOTAttributers() (graph, node, edge encoding.Attributer) {
	caption := []string{g.r.Name + ": guaranteed orders of completions", under(g.r.Profile, g.r.Dials, g.r.Faults)}
	if !g.r.Complete {
		caption = append(caption, "not everything was explored")
	}
	return attributes{{Key: "label", Value: strings.Join(caption, "\n")}, {Key: "labelloc", Value: "t"}, {Key: "fontname", Value: "monospace"}},
		attributes{{Key: "shape", Value: "box"}, {Key: "fontname", Value: "monospace"}}, attributes{}
}

type orderNode struct {
	id   int64
	name string
}

func (n orderNode) ID() int64     { return n.id }
func (n orderNode) DOTID() string { return fmt.Sprintf("c%d", n.id) }

// Attributes implements encoding.Attributer.
func (n orderNode) Attributes() []encoding.Attribute {
	return attributes{{Key: "label", Value: n.name}}
}
