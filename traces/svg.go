package traces

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// Sizes of the SVG, in its units of a pixel. A column of text becomes a column
// of the drawing, so that both agree.
const (
	svgColumn = 7.4
	svgRow    = 28
	svgTop    = 34 // first lifeline
	svgMargin = 12
	svgRule   = 40
)

// svgStyle is the look of a drawing, by classes. The first rules are for every
// program that reads SVG; browsers follow the reader's dark scheme too.
const svgStyle = `
.ladder{font:12px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.ladder .paper{fill:#fff}
.ladder .mark{fill:none}
.ladder .hit{fill:none;pointer-events:all}
.ladder text{fill:#1b1f24;stroke:#fff;stroke-width:3px;paint-order:stroke;white-space:pre}
.ladder .lane,.ladder .arrow{stroke:#1b1f24;fill:none;stroke-width:1.2}
.ladder .head{fill:#1b1f24}
.ladder .lane.dim{stroke:#8a929c;stroke-dasharray:2 4}
.ladder .why,.ladder .note{fill:#5b6673}
.ladder .wait,.ladder .told,.ladder .lost{stroke-dasharray:3 3}
.ladder .cross{stroke:#c4232b;stroke-width:2;fill:none}
.ladder .fault,.ladder .broken{fill:#c4232b}
.ladder .rule{stroke:#c4232b;stroke-width:1.5}
.ladder .bar{stroke:#0a66c2;stroke-width:4;stroke-linecap:round}
.ladder .barname{fill:#0a66c2}
.ladder .epilogue{opacity:.6}
@media(prefers-color-scheme:dark){
.ladder .paper{fill:#14171b}
.ladder text{fill:#e6e9ed;stroke:#14171b}
.ladder .lane,.ladder .arrow{stroke:#e6e9ed}
.ladder .head{fill:#e6e9ed}
.ladder .why,.ladder .note{fill:#a3adb8}
.ladder .cross,.ladder .rule{stroke:#ff6b6b}
.ladder .fault,.ladder .broken{fill:#ff6b6b}
.ladder .bar{stroke:#6ab0ff}
.ladder .barname{fill:#6ab0ff}
}
`

// WriteSVG writes the ladder as an SVG document. Of the style only NoEpilogue
// is asked. Its only errors are those of w.
func (l *Ladder) WriteSVG(w io.Writer, s Style) error {
	out := bufio.NewWriter(w)
	out.WriteString(l.svg("", s))
	return out.Flush()
}

// A sketch writes the elements of an SVG.
type sketch struct {
	strings.Builder
	l    *Ladder
	g    *geometry
	rows int // rows drawn
	top  float64
}

// svg returns the drawing; id begins the names of its rows, so that a page can
// hold several.
func (l *Ladder) svg(id string, s Style) string {
	k := &sketch{l: l, g: newGeometry(l, true), rows: len(l.rows), top: svgTop}
	if s.NoEpilogue {
		k.rows = l.broken
	}
	if len(l.run.Before) > 0 {
		k.top += svgRow - 8
	}
	width, height := k.x(k.g.right)+svgMargin, k.y(k.rows)+svgMargin
	fmt.Fprintf(k, `<svg class="ladder" xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" role="img">`,
		width, height, width, height)
	title := joinNonempty(" / ", l.caption.Scenario, l.caption.Property)
	fmt.Fprintf(k, "\n<title>%s</title>\n<style>%s</style>\n", escape(title), svgStyle)
	fmt.Fprintf(k, `<rect class="paper" width="%.0f" height="%.0f"/>`+"\n", width, height)
	if len(l.rows) > 0 {
		k.marks(id, width)
		k.names()
		k.lanes()
		k.bars()
		k.rule(width)
		k.loop(width)
		for n := range k.rows {
			k.row(id, n)
		}
	}
	k.WriteString("</svg>\n")
	return k.String()
}

// escape makes text safe in an element or an attribute of SVG and HTML.
func escape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;").Replace(s)
}

// x is where a column of text stands.
func (k *sketch) x(column int) float64 { return svgMargin + float64(column)*svgColumn }

// y is where row n stands. The break has a gap of its own.
func (k *sketch) y(n int) float64 {
	y := k.top + float64(n)*svgRow + svgRow*0.8
	if n >= k.l.broken && k.l.caption.Broken != "" {
		y += svgRule
	}
	return y
}

func (k *sketch) text(class, anchor string, x, y float64, words string) {
	if words != "" {
		fmt.Fprintf(k, `<text class="%s" text-anchor="%s" x="%.1f" y="%.1f">%s</text>`, class, anchor, x, y, escape(words))
	}
}

// marks lays a rectangle under each row, for a page to colour.
func (k *sketch) marks(id string, width float64) {
	if id == "" {
		return
	}
	for n := range k.rows {
		fmt.Fprintf(k, `<rect class="mark" id="%smark%d" y="%.1f" width="%.1f" height="%d"/>`, id, n+1, k.rowTop(n), width, svgRow)
	}
	k.WriteByte('\n')
}

// rowTop is the upper edge of a row: its label stands above its line.
func (k *sketch) rowTop(n int) float64 { return k.y(n) - svgRow/2 - 4 }

// names writes what stands above the lifelines.
func (k *sketch) names() {
	k.text("why", "start", k.x(0), svgTop-14, "st why")
	for i := range k.g.barAt {
		k.text("barname", "middle", k.barX(i), svgTop-14, k.l.bars[i].name)
	}
	for _, c := range k.g.groups {
		for i := range c.count {
			k.text("name", "middle", k.x(c.x[i]), svgTop-14, c.names[i])
		}
	}
	if before := k.l.run.Before; len(before) > 0 {
		k.text("note", "start", k.x(k.g.groups[0].x[0])+8, svgTop+14, "posted before: "+strings.Join(before, ", "))
	}
	k.WriteByte('\n')
}

// barX is the middle of a bar's column.
func (k *sketch) barX(i int) float64 {
	return k.x(k.g.barAt[i]) + float64(width(k.l.bars[i].name))*svgColumn/2
}

// lanes draws the lifelines, broken after the break.
func (k *sketch) lanes() {
	bottom := k.y(k.rows-1) + svgRow/2
	middle := bottom
	if k.l.broken < k.rows {
		middle = k.y(k.l.broken-1) + svgRow/2
	}
	for _, c := range k.g.groups {
		for i := range c.count {
			fmt.Fprintf(k, `<path class="lane" d="M%.1f %.1fV%.1f"/>`, k.x(c.x[i]), float64(svgTop-6), middle)
			if middle < bottom {
				fmt.Fprintf(k, `<path class="lane dim" d="M%.1f %.1fV%.1f"/>`, k.x(c.x[i]), middle, bottom)
			}
		}
	}
	k.WriteByte('\n')
}

// bars draws the WRs of the property while they are open.
func (k *sketch) bars() {
	for i := range k.g.barAt {
		b := &k.l.bars[i]
		if !b.setup && (b.opens < 0 || b.opens >= k.rows) {
			continue
		}
		from, to := float64(svgTop+4), k.y(k.rows-1)+svgRow/2
		if !b.setup {
			from = k.y(b.opens)
		}
		if b.ends >= 0 && b.ends < k.rows {
			to = k.y(b.ends)
		}
		fmt.Fprintf(k, `<path class="bar" d="M%.1f %.1fV%.1f"><title>%s</title></path>`, k.barX(i), from, to, escape(b.name+" is open"))
	}
	k.WriteByte('\n')
}

// rule draws where the property breaks.
func (k *sketch) rule(right float64) {
	if k.l.caption.Broken == "" {
		return
	}
	y := k.y(k.l.broken-1) + svgRow/2 + 6
	fmt.Fprintf(k, `<path class="rule" d="M%.1f %.1fH%.1fM%.1f %.1fH%.1f"/>`, float64(svgMargin), y, right-svgMargin, float64(svgMargin), y+3, right-svgMargin)
	k.text("broken", "start", svgMargin, y+19, "✗ "+k.l.caption.Broken)
	k.WriteByte('\n')
}

// loop draws a thin line above the rows that repeat for ever.
func (k *sketch) loop(right float64) {
	if k.l.loop == 0 {
		return
	}
	y := k.rowTop(k.l.loop - 1)
	fmt.Fprintf(k, `<path class="lane" d="M%.1f %.1fH%.1f"/>`, k.x(k.g.lanes), y, right-svgMargin)
	k.text("note", "end", right-svgMargin, y-3, k.l.loopWords())
	k.WriteByte('\n')
}

// row draws one row as a group, with its words as a tooltip.
func (k *sketch) row(id string, n int) {
	r := &k.l.rows[n]
	class := "row"
	if n >= k.l.broken {
		class = "row epilogue"
	}
	data := k.l.rowData(n)
	fmt.Fprintf(k, `<g class="%s" id="%srow%d" data-step="%d" data-cause="%d"><title>%s</title>`, class, id, r.step, r.step, r.cause, escape(tooltip(&data)))
	y := k.y(n)
	fmt.Fprintf(k, `<rect class="hit" y="%.1f" width="%.1f" height="%d"/>`, k.rowTop(n), k.x(k.g.right)+svgMargin, svgRow)
	k.text("step", "end", k.x(2), y+4, fmt.Sprint(r.step))
	if r.cause > 0 {
		k.text("why", "start", k.x(3), y+4, fmt.Sprintf("<%d", r.cause))
	}
	k.shape(r, y)
	k.WriteString("</g>\n")
}

func tooltip(r *Row) string {
	words := fmt.Sprintf("%d  %s: %s", r.Step, r.Lane, r.Action)
	if r.Fault != "" {
		words += " (" + r.Fault + ")"
	}
	return strings.Join(append([]string{words}, r.Diff...), "\n")
}

// shape draws the arrow or the words of a row at height y.
func (k *sketch) shape(r *row, y float64) {
	x1, x2 := k.x(k.g.laneX(k.l, r.group, r.from)), k.x(k.g.laneX(k.l, r.group, r.to))
	switch r.shape {
	case straight, told:
		class := "arrow"
		if r.shape == told {
			class = "arrow told"
		}
		from := x1
		if r.copied {
			from = (x1 + x2) / 2
		}
		k.arrow(class, from, x2, y, true)
		k.text("label", "middle", (from+x2)/2, y-5, r.label[0])
		k.beside(r, x2, y, x2 > x1, r.note)
	case lost:
		k.lost(r, x1, x2, y)
	case departs:
		k.departs(r, x1, y)
	case arrives, vanishes:
		k.ends(r, x2, y)
	case remark:
		k.remark(r, x1, y)
	}
}

// arrow draws a line from x1 to x2, with a head at x2 if it gets there.
func (k *sketch) arrow(class string, x1, x2, y float64, head bool) {
	d := float64(sign(int(x2*10 - x1*10)))
	end := x2
	if head {
		end = x2 - 8*d
	}
	fmt.Fprintf(k, `<path class="%s" d="M%.1f %.1fH%.1f"/>`, class, x1, y, end)
	if head {
		fmt.Fprintf(k, `<path class="head" d="M%.1f %.1fl%.1f -4v8z"/>`, x2-1*d, y, -8*d)
	}
}

// beside writes words behind the head of an arrow, and the fault of the row.
func (k *sketch) beside(r *row, x, y float64, right bool, words string) {
	class := "note"
	if r.fault != "" {
		class = "fault"
	}
	words = joinNonempty(", ", words, r.fault)
	if right {
		k.text(class, "start", x+8, y+4, words)
	} else {
		k.text(class, "end", x-8, y+4, words)
	}
}

func (k *sketch) lost(r *row, x1, x2, y float64) {
	from := x1
	if r.copied {
		from = (x1 + x2) / 2
	}
	d := float64(sign(int(x2 - x1)))
	reach := max(float64(width(r.label[0])+2)*svgColumn, d*(x2-from)/2)
	end := from + d*min(reach, d*(x2-from)-14)
	k.arrow("arrow lost", from, end, y, false)
	k.cross(end, y)
	k.text("label", "middle", (from+end)/2, y-5, r.label[0])
	k.beside(r, x2, y, d > 0, "")
}

func (k *sketch) cross(x, y float64) {
	fmt.Fprintf(k, `<path class="cross" d="M%.1f %.1fl10 10m0 -10l-10 10"/>`, x-5, y-5)
}

// departs draws an arrow that turns down, and the wait below it.
func (k *sketch) departs(r *row, x1, y float64) {
	at := k.x(k.g.waitAt[r.wait])
	w := k.l.waits[r.wait]
	from := x1
	if r.copied {
		from = (x1 + k.x(k.g.laneX(k.l, r.group, r.to))) / 2
	}
	k.arrow("arrow", from, at, y, false)
	bottom := k.y(k.rows-1) + svgRow/2
	if w.to < k.rows {
		bottom = k.y(w.to)
	}
	fmt.Fprintf(k, `<path class="arrow wait" d="M%.1f %.1fV%.1f"/>`, at, y, bottom)
	k.text("label", "middle", (from+at)/2, y-5, joinNonempty(" ", r.tag, r.label[0]))
	k.beside(r, x1, y, at < x1, "")
}

// ends draws the last part of a wait.
func (k *sketch) ends(r *row, x2, y float64) {
	left := k.l.laneIndex(r.group, r.to) < 2 // of the nodes: the wait is to the right of the lane
	at := x2 - 6*svgColumn
	if left {
		at = x2 + 6*svgColumn
	}
	if r.wait >= 0 {
		at = k.x(k.g.waitAt[r.wait])
	}
	words := r.tag
	if r.to.Place == spec.App {
		words = r.label[0]
	}
	if r.shape == vanishes {
		k.cross(at, y)
		k.beside(r, at, y, left, strings.TrimSpace(words+" lost"))
		return
	}
	k.arrow("arrow", at, x2, y, true)
	if r.to.Place == spec.App {
		k.beside(r, at, y, left, words)
	} else {
		k.beside(r, x2, y, !left, joinNonempty(", ", words, r.note))
	}
}

// remark writes words beside a lane, to its right if there is room before the
// page ends.
func (k *sketch) remark(r *row, x, y float64) {
	class := "note"
	if r.fault != "" {
		class = "fault"
	}
	if end := x + 8 + float64(width(r.note))*svgColumn; end > k.x(k.g.right) {
		k.text(class, "end", x-8, y+4, r.note)
		return
	}
	k.text(class, "start", x+8, y+4, r.note)
}
