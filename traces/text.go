package traces

import (
	"bufio"
	"fmt"
	"io"
	"strings"
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
func headLines(c *Caption, columns int) []string {
	title := joinNonempty(" / ", plain(c.Scenario), plain(c.Property))
	first := joinNonempty("   ", plain(c.Verdict), title)
	pos := plain(c.Pos)
	var out []string
	if gap := columns - 5 - width(first) - width(pos); pos != "" && gap >= 2 {
		out = append(out, first+strings.Repeat(" ", gap)+pos)
	} else {
		out = append(wrap(first, columns), wrap(pos, columns)...)
	}
	if c.Minimal != "" {
		out = append(out, wrap(plain(c.Minimal), columns)...)
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
		if n+1 == p.l.loop {
			p.loop(n)
		}
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

// switchGroup heads the rows of another pair of nodes, which begin with row n.
func (p *painter) switchGroup(n int, dim bool) {
	c := p.blank(n-1, false, dim)
	for x := p.g.lanes; x < len(c); x++ {
		c[x] = ' '
	}
	p.names(c)
	p.add(c, dim)
}

// loop writes a thin line above row n, where what repeats for ever begins.
func (p *painter) loop(n int) {
	c := p.blank(n-1, false, false)
	x := p.g.lanes
	for i := x; i < len(c); i++ {
		c.put(i, dash)
	}
	c.text(x+2, " "+p.l.loopWords()+" ")
	p.add(c, false)
}

// rule writes the double rule with what broke.
func (p *painter) rule(more bool) {
	words := plain(p.l.caption.Broken)
	if words == "" {
		return
	}
	if full := words + ". Dimmed below: how the run would go on"; more && width(full) <= p.g.width-6 {
		words = full
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
