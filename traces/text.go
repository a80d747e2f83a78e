package traces

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// A Form is the alphabet and the page of a ladder in text.
type Form uint8

// The forms.
const (
	Unicode Form = iota // 100 columns, box drawing
	ASCII               // the same in ASCII
	Lore                // 72 columns, ASCII, without steps: for a mail
)

// A Style says how a ladder is written as text.
type Style struct {
	Form       Form
	Wide       bool // all connections side by side, labels in full, no limit of width
	NoEpilogue bool // nothing after the break
	State      bool // below each row what changed in the state
	Color      bool // dim the epilogue with terminal codes
}

// Write writes the ladder as text. Its only errors are those of w.
func (l *Ladder) Write(w io.Writer, s Style) error {
	out := bufio.NewWriter(w)
	if s.Form == Lore {
		writeLore(out, l, s)
		return out.Flush()
	}
	p := &painter{l: l, g: newGeometry(l, s.Wide), style: s, group: -1}
	p.head()
	if len(l.rows) > 0 {
		p.setup()
		p.rows()
	}
	p.foot()
	for _, line := range p.lines {
		if s.Form == ASCII {
			line.text = toASCII(line.text)
		}
		if s.Color && line.dim {
			line.text = "\x1b[2m" + line.text + "\x1b[0m"
		}
		out.WriteString(line.text)
		out.WriteByte('\n')
	}
	return out.Flush()
}

// A painter draws the rows of a ladder line by line.
type painter struct {
	l     *Ladder
	g     *geometry
	style Style
	group int // the group whose lanes are shown, when stacked
	lines []outLine
}

type outLine struct {
	text string
	dim  bool
}

func (p *painter) say(s string) { p.lines = append(p.lines, outLine{text: strings.TrimRight(s, " ")}) }

// head writes the verdict and what was asked.
func (p *painter) head() {
	for _, line := range headLines(&p.l.caption, p.g.width) {
		p.say(line)
	}
}

// headLines is the head of a drawing: verdict, property, position, and how
// small the counterexample is.
func headLines(c *Caption, width_ int) []string {
	title := joinNonempty(" / ", plain(c.Scenario), plain(c.Property))
	first := joinNonempty("   ", plain(c.Verdict), title)
	pos := plain(c.Pos)
	var out []string
	if gap := width_ - 5 - width(first) - width(pos); pos != "" && gap >= 2 {
		out = append(out, first+strings.Repeat(" ", gap)+pos)
	} else {
		out = append(wrap(first, width_), wrap(pos, width_)...)
	}
	if c.Minimal != "" {
		out = append(out, wrap(plain(c.Minimal), width_)...)
	}
	if len(out) > 0 {
		out = append(out, "")
	}
	return out
}

func joinNonempty(sep string, parts ...string) string {
	var out []string
	for _, s := range parts {
		if s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, sep)
}

// foot writes the lines below the drawing.
func (p *painter) foot() {
	if len(p.l.caption.Footer) == 0 {
		return
	}
	p.say("")
	for _, line := range p.l.caption.Footer {
		for _, s := range hang(plain(line), p.g.width) {
			p.say(s)
		}
	}
}

// hang breaks a footer line that is too long and indents what follows below
// its first word's text.
func hang(line string, n int) []string {
	if width(line) <= n {
		return []string{line}
	}
	const indent = "      "
	var out []string
	for i, s := range wrap(line, n-len(indent)) {
		if i > 0 {
			s = indent + s
		}
		out = append(out, s)
	}
	return out
}

// setup writes the heading of the lanes and the receives posted before anybody
// moved.
func (p *painter) setup() {
	p.group = p.l.rows[0].group
	c := newCanvas(p.g.width)
	c.text(0, "st why")
	for i, x := range p.g.barAt {
		c.text(x, p.l.bars[i].name)
	}
	p.names(c)
	p.say(c.String())
	if len(p.l.run.Before) == 0 {
		return
	}
	words := "posted before: " + strings.Join(p.l.run.Before, ", ")
	p.span(-1, words, false)
}

// names writes the names of the lanes over their lifelines.
func (p *painter) names(c canvas) {
	for i, cols := range p.g.groups {
		if !p.shows(i) {
			continue
		}
		for k := range cols.count {
			c.text(cols.x[k]-width(cols.names[k])/2, cols.names[k])
		}
		if cols.count == 4 {
			c.text((cols.x[1]+cols.x[2]-1)/2-2, "wire")
		}
	}
}

func (p *painter) shows(group int) bool { return !p.g.stacked || group == p.group }

// span writes words across the lanes, below row n.
func (p *painter) span(n int, words string, dim bool) {
	x := p.g.groups[p.group].x[0]
	if !p.g.stacked {
		x = p.g.groups[0].x[0]
	}
	for i, s := range wrap(words, p.g.width-x-2) {
		c := p.blank(n, n < 0 && i == 0, dim)
		c.text(x+1, " "+s+" ")
		p.add(c, dim)
	}
}

func (p *painter) add(c canvas, dim bool) {
	p.lines = append(p.lines, outLine{c.String(), dim})
}

// blank is a line with bars, lifelines and waits as they are below row n; at
// the very first line the bars of the setup open.
func (p *painter) blank(n int, opening, dim bool) canvas {
	c := newCanvas(p.g.width)
	for i, x := range p.g.barAt {
		b := &p.l.bars[i]
		open := (b.setup || b.opens >= 0 && b.opens <= n) && (b.ends < 0 || b.ends > n)
		switch {
		case opening && b.setup:
			c.put(x, barOpen)
		case open:
			c.put(x, barLine)
		}
	}
	p.lanes(c, dim)
	p.waits(c, func(w wait) bool { return w.from <= n && n < w.to })
	return c
}

func (p *painter) lanes(c canvas, dim bool) {
	r := lifeline
	if dim {
		r = dimLine
	}
	for i, cols := range p.g.groups {
		if !p.shows(i) {
			continue
		}
		for k := range cols.count {
			c.put(cols.x[k], r)
		}
	}
}

func (p *painter) waits(c canvas, active func(wait) bool) {
	for i, w := range p.l.waits {
		if active(w) && p.shows(p.l.rows[w.from].group) {
			c.put(p.g.waitAt[i], waitLine)
		}
	}
}

// rows writes all rows, the double rule where the property breaks, and the
// epilogue.
func (p *painter) rows() {
	for n := range p.l.rows {
		if n == p.l.broken {
			if p.rule(!p.style.NoEpilogue); p.style.NoEpilogue {
				return
			}
		}
		dim := n >= p.l.broken
		if r := &p.l.rows[n]; p.g.stacked && r.group != p.group {
			p.group = r.group
			p.switchGroup(n, dim)
		}
		p.row(n, dim)
	}
	if p.l.broken == len(p.l.rows) {
		p.rule(false)
	}
}

// switchGroup heads the rows of another pair of nodes.
func (p *painter) switchGroup(n int, dim bool) {
	c := p.blank(n-1, false, dim)
	for i := range p.g.barAt {
		c = append(c[:0:0], c...)
		_ = i
	}
	for x := p.g.groups[p.group].x[0]; x < len(c); x++ {
		c[x] = ' '
	}
	p.names(c)
	p.add(c, dim)
}

// rule writes the double rule with what broke.
func (p *painter) rule(more bool) {
	words := plain(p.l.caption.Broken)
	if words == "" {
		return
	}
	if more {
		words += ". Dimmed below: how the run would go on"
	}
	for i, s := range wrap(words, p.g.width-6) {
		line := strings.Repeat(string(ruleLine), 2) + " "
		if i == 0 {
			line += string(crossMark) + " "
		} else {
			line += "  "
		}
		line += s + " "
		line += strings.Repeat(string(ruleLine), max(p.g.width-width(line), 0))
		p.say(line)
	}
}

// row writes one row and what its words need below it.
func (p *painter) row(n int, dim bool) {
	r := &p.l.rows[n]
	c := newCanvas(p.g.width)
	c.text(0, fmt.Sprintf("%2d", r.step))
	if r.cause > 0 {
		c.text(3, fmt.Sprintf("<%d", r.cause))
	}
	for i, x := range p.g.barAt {
		c.put(x, barRune(&p.l.bars[i], n))
	}
	p.lanes(c, dim)
	p.waits(c, func(w wait) bool { return w.from < n && n < w.to })
	more := p.draw(c, r)
	p.add(c, dim)
	for _, m := range more {
		c := p.blank(n, false, dim)
		c.text(m.x, m.text)
		p.add(c, dim)
	}
	if p.style.State {
		p.state(n, dim)
	}
}

func barRune(b *bar, n int) rune {
	switch {
	case b.ends == n:
		return barClose
	case b.opens == n && !b.setup:
		return barOpen
	case (b.setup || b.opens >= 0 && b.opens < n) && (b.ends < 0 || b.ends > n):
		return barLine
	}
	return ' '
}

// state writes what the events of a row changed.
func (p *painter) state(n int, dim bool) {
	var diff []string
	for _, i := range p.l.rows[n].events {
		diff = append(diff, p.l.run.Events[i].Diff...)
	}
	if len(diff) > 0 {
		p.span(n, strings.Join(diff, "; "), dim)
	}
}

// placed is text at a column.
type placed struct {
	x    int
	text string
}

// draw puts a row on its line and returns the words that go below it.
func (p *painter) draw(c canvas, r *row) []placed {
	x, y := p.g.laneX(p.l, r.group, r.from), p.g.laneX(p.l, r.group, r.to)
	switch r.shape {
	case straight:
		return p.straight(c, r, x, y)
	case lost:
		return p.lost(c, r, x, y)
	case departs:
		return p.departs(c, r, x, y)
	case arrives, vanishes:
		return p.ends(c, r, y)
	case told:
		c.line(x, y, dotted)
		end(c, x, y)
		text := " " + r.label.fit(abs(y-x)-6) + " "
		c.text((x+y-width(text))/2, text)
		return nil
	}
	return p.remark(c, r.from, r.group, r.note)
}

func abs(n int) int { return max(n, -n) }

// end draws the tee where an arrow leaves and its head before lane y.
func end(c canvas, x, y int) {
	if x < y {
		c.put(x, teeRight)
		c.put(y-1, headRight)
		return
	}
	c.put(x, teeLeft)
	c.put(y+1, headLeft)
}

// straight draws an arrow from lane to lane with its label.
func (p *painter) straight(c canvas, r *row, x, y int) []placed {
	start := x
	if r.copied {
		x = (x + y) / 2
	}
	inner := abs(y-x) - 1
	lo := min(x, y) + 1
	c.line(min(x, y)+1, max(x, y)-1, dash)
	end(c, x, y)
	if r.copied {
		p.fromWire(c, x, y)
	}
	text := r.label.fit(inner - 4)
	rest := ""
	if r.from.Place != r.to.Place && (text != r.label[0] || len(r.label) == 0) {
		rest = strings.TrimPrefix(r.label[0], text)
	} else if text == "" && len(r.label) > 0 {
		text = clip(r.label[len(r.label)-1], max(inner-4, 0))
	}
	if text != "" {
		c.text(lo+p.labelAt(c, r, text, lo, inner, x < y), " "+text+" ")
	}
	var more []placed
	if rest = strings.TrimSpace(rest); rest != "" {
		more = p.remark(c, Lane{r.from.Node, spec.HCA}, r.group, rest)
	}
	return append(more, p.beyond(c, r, start, y, joinNonempty(", ", r.note, r.fault))...)
}

// labelAt returns where in the gap a label begins. Between program and adapter
// it stands near the head of the arrow, in the wire in the middle, and aside
// of the packets that wait there if it can.
func (p *painter) labelAt(c canvas, r *row, text string, lo, inner int, right bool) int {
	rest := inner - 1 - width(text) - 2
	head := rest / 2
	if r.from.Place != r.to.Place {
		head = min(2, head)
	}
	at := 1 + head
	if right {
		at = rest - head
	}
	clear := func(at int) bool {
		for i := range width(text) + 2 {
			if x := lo + at + i; x < len(c) && c[x] == waitLine {
				return false
			}
		}
		return true
	}
	for d := 0; d < inner; d++ {
		for _, try := range []int{at - d, at + d} {
			if try >= 1 && try+width(text)+2 <= inner-1 && clear(try) {
				return try
			}
		}
	}
	return at
}

// fromWire marks that an arrow begins in the wire, at x.
func (p *painter) fromWire(c canvas, x, y int) {
	if x < y {
		c.put(x, wireStart)
	} else {
		c.put(x, wireStartL)
	}
}

// lost draws an arrow that ends in the wire, with the budget it used.
func (p *painter) lost(c canvas, r *row, x, y int) []placed {
	right := x < y
	start := x
	if r.copied {
		x = (x + y) / 2
	}
	inner := abs(y-x) - 1
	text := r.label.fit(inner - 6)
	if text == "" {
		text = clip(r.label[len(r.label)-1], max(inner-6, 0))
	}
	used := width(text) + 6
	note := r.fault
	if right {
		c.put(x, teeRight)
		c.text(x+1, "┄┄ "+text+" ┄✗")
	} else {
		c.put(x, teeLeft)
		c.text(x-used, "✗┄ "+text+" ┄┄")
	}
	if r.copied {
		p.fromWire(c, x, y)
	}
	if note == "" || inner-used < width(note)+3 {
		return p.beyond(c, r, start, y, note)
	}
	if right {
		c.text(y-1-width(note), note)
	} else {
		c.text(y+2, note+":")
	}
	return nil
}

// departs draws an arrow that turns into a wait.
func (p *painter) departs(c canvas, r *row, x, y int) []placed {
	at := p.g.waitAt[r.wait]
	if r.copied {
		if mid := (x + y) / 2; abs(at-mid) > 1 && (at > mid) == (y > x) {
			x = mid
		}
	}
	text := r.label.fit(abs(at-x) - 5 - width(r.tag))
	text = strings.TrimSpace(r.tag + " " + text)
	text = clip(text, max(abs(at-x)-4, 0))
	c.line(min(x, at)+1, max(x, at)-1, dash)
	if x < at {
		c.put(x, teeRight)
		c.put(at, turnDownR)
		c.text(x+2, " "+text+" ")
	} else {
		c.put(x, teeLeft)
		c.put(at, turnDownL)
		c.text(x-3-width(text), " "+text+" ")
	}
	if r.copied {
		p.fromWire(c, x, at)
	}
	if r.from.Place != r.to.Place && text != r.label[0] {
		return p.remark(c, r.from, r.group, strings.TrimSpace(strings.TrimPrefix(r.label[0], text)))
	}
	return p.beyond(c, r, x, y, joinNonempty(", ", r.note, r.fault))
}

// ends draws the end of a wait: an arrival, a poll, or a loss.
func (p *painter) ends(c canvas, r *row, y int) []placed {
	left := p.l.laneIndex(r.group, r.to) < 2 // the lane is left of its gap
	at := y - 6
	if left {
		at = y + 6
	}
	if r.wait >= 0 {
		at = p.g.waitAt[r.wait]
	}
	if r.to.Place == spec.App {
		left = p.l.laneIndex(r.group, r.to) == 0
	}
	if r.shape == vanishes {
		return p.vanishes(c, r, at, left)
	}
	if left {
		c.line(y+2, at-1, dash)
		c.put(y+1, headLeft)
		c.put(at, turnOutL)
	} else {
		c.line(at+1, y-2, dash)
		c.put(y-1, headRight)
		c.put(at, turnOutR)
	}
	if r.to.Place != spec.App {
		words := r.tag
		if words == "" {
			words = r.label.fit(18)
		}
		return p.beyond(c, r, at, y, joinNonempty(", ", words, r.note, r.fault))
	}
	gap := p.g.groups[r.group].x
	room := abs(gap[1]-at) - 2
	if !left {
		room = abs(at-gap[2]) - 2
	}
	text := r.label.fit(room)
	if left {
		c.text(at+2, text)
	} else {
		c.text(at-1-width(text), text)
	}
	return nil
}

// vanishes draws the loss of a packet that waited.
func (p *painter) vanishes(c canvas, r *row, at int, left bool) []placed {
	c.put(at, crossMark)
	words := joinNonempty(", ", strings.TrimSpace(r.tag+" lost"), r.fault)
	if left {
		c.text(at+2, words)
	} else {
		c.text(at-1-width(words), words)
	}
	return nil
}

// beyond writes words behind the lane where an arrow ends.
func (p *painter) beyond(c canvas, r *row, x, y int, words string) []placed {
	if words == "" {
		return nil
	}
	cols := p.g.groups[r.group]
	k := p.l.laneIndex(r.group, r.to)
	if k == 0 || k == 3 || cols.count < 4 {
		return p.remark(c, Lane{r.to.Node, spec.HCA}, r.group, words)
	}
	if k == 2 {
		return p.write(c, wrap(words, cols.x[3]-cols.x[2]-3), cols.x[2]+2, false)
	}
	return p.write(c, wrap(words, cols.x[1]-cols.x[0]-3), cols.x[1]-2, true)
}

// remark writes words beside a lane: right of the left node's lanes, and for
// the right node right of its adapter or left of its program.
func (p *painter) remark(c canvas, lane Lane, group int, words string) []placed {
	cols := p.g.groups[group]
	x := cols.x
	k := min(p.l.laneIndex(group, lane), cols.count-1)
	if cols.count == 2 {
		x[2] = p.g.width
	}
	switch k {
	case 0, 1:
		return p.write(c, wrap(words, x[k+1]-x[k]-3), x[k]+2, false)
	case 2:
		if right := x[3] - x[2] - 3; width(words) <= right {
			return p.write(c, []string{words}, x[2]+2, false)
		}
		return p.write(c, wrap(words, x[2]-x[1]-3), x[2]-2, true)
	}
	return p.write(c, wrap(words, x[3]-x[2]-3), x[3]-2, true)
}

// write puts the first line on the canvas, at x or ending there, and returns
// the others.
func (p *painter) write(c canvas, lines []string, x int, endsThere bool) []placed {
	var more []placed
	for i, s := range lines {
		at := x
		if endsThere {
			at = x - width(s) + 1
		}
		if i == 0 {
			c.text(at, s)
		} else {
			more = append(more, placed{at, s})
		}
	}
	return more
}
