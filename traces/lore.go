package traces

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// loreWidth is the width of a ladder that goes into a mail: a mail has 72
// columns, and quoting takes up the first ones.
const loreWidth = 71

// A loreLine is a line of the mail form: up to four cells, program, adapter,
// adapter, program, and the arrows between neighbours.
type loreLine struct {
	group   int
	cells   [4]string
	arrows  [3]loreArrow
	comment string // stands where the last cell is free
	last    int    // the cell that the newest row ended in
	rows    []int
	loops   bool // the first of those that repeat for ever
}

// A loreArrow is an arrow between two cells.
type loreArrow struct {
	dir  int // 1 to the right, -1 to the left, 0 none
	kind arrowKind
}

type arrowKind uint8

const (
	whole   arrowKind = iota
	dropped           // X at the far end
	leaving           // the packet waits: dots at the far end
	coming            // it waited: dots at the near end
	beside            // dotted: not a packet
)

// loreColumns are where the cells begin.
type loreColumns [4]int

// writeLore writes the form for a mail. A line takes up as many rows as go on
// in one direction: post, packet, CQE, poll.
func writeLore(out *bufio.Writer, l *Ladder, s Style) {
	say := func(line string) {
		out.WriteString(toASCII(strings.TrimRight(line, " ")) + "\n")
	}
	for _, line := range loreHead(l) {
		say(line)
	}
	lines, tail := l.loreLines(s)
	cols := loreGrid(append(slices.Clone(lines), tail...))
	group := -1
	show := func(list []loreLine) {
		for i := range list {
			if group != list[i].group {
				if group >= 0 {
					say("")
				}
				group = list[i].group
				say(l.loreNames(cols, group))
				say("")
			}
			if list[i].loops {
				say("[from here on again and again]")
			}
			say(list[i].draw(cols))
		}
	}
	show(lines)
	if words := l.loreBreak(); words != "" && len(lines) > 0 {
		for _, line := range pointAt(lines[len(lines)-1], cols, words) {
			say(line)
		}
	}
	if len(tail) > 0 {
		say("[..]")
		show(tail)
	}
	for i, line := range l.caption.Footer {
		if i == 0 {
			say("")
		}
		for _, part := range hang(plain(line), loreWidth) {
			say(part)
		}
	}
}

// loreHead is the line above the drawing: what was asked, and the verdict.
func loreHead(l *Ladder) []string {
	title := joinNonempty(" / ", plain(l.caption.Scenario), plain(l.caption.Property))
	verdict, _, _ := strings.Cut(plain(l.caption.Verdict), ",")
	if verdict != "" {
		verdict += " (" + l.faultCount() + ")"
	}
	var out []string
	if gap := loreWidth - width(title) - width(verdict); verdict != "" && gap >= 2 {
		out = append(out, title+strings.Repeat(" ", gap)+verdict)
	} else {
		out = append(wrap(title, loreWidth), wrap(verdict, loreWidth)...)
	}
	if len(out) > 0 {
		out = append(out, "")
	}
	return out
}

// faultCount says how many faults the run needs up to the break.
func (l *Ladder) faultCount() string {
	n := 0
	for _, r := range l.rows[:l.broken] {
		for _, i := range r.events {
			if l.run.Events[i].Fault != "" {
				n++
			}
		}
	}
	switch n {
	case 0:
		return "no fault"
	case 1:
		return "1 fault"
	}
	return fmt.Sprintf("%d faults", n)
}

// loreLines returns the lines up to the break, and of the epilogue those that
// lead to the end of a bar that was open at the break.
func (l *Ladder) loreLines(s Style) (lines, tail []loreLine) {
	for n := range l.broken {
		if n+1 == l.loop {
			lines = append(lines, l.loreRow(n))
			lines[len(lines)-1].loops = true
			continue
		}
		lines = l.addLore(lines, n)
	}
	if s.NoEpilogue {
		return lines, nil
	}
	wanted := l.leadsTo()
	for n := l.broken; n < len(l.rows); n++ {
		if wanted[n] && !isTimer(&l.run.Events[l.rows[n].main]) {
			tail = l.addLore(tail, n)
		}
	}
	return lines, tail
}

// leadsTo marks the rows that the ends of the bars left open were caused by, and
// the remarks on them.
func (l *Ladder) leadsTo() []bool {
	wanted := make([]bool, len(l.rows))
	for _, b := range l.bars {
		if b.ends >= l.broken {
			wanted[b.ends] = true
		}
	}
	for n := len(l.rows) - 1; n >= 0; n-- {
		if c := l.rows[n].cause; wanted[n] && c > 0 {
			wanted[c-1] = true
		}
	}
	for n := range l.rows {
		if r := &l.rows[n]; r.shape == remark && r.cause > 0 && wanted[r.cause-1] {
			wanted[n] = true
		}
	}
	return wanted
}

// addLore adds row n to the last line if it goes on from there, else begins a
// line with it.
func (l *Ladder) addLore(lines []loreLine, n int) []loreLine {
	r := &l.rows[n]
	line := l.loreRow(n)
	if len(lines) > 0 {
		if prev := &lines[len(lines)-1]; prev.goesOn(&line, r.cause-1) {
			prev.append(&line)
			return lines
		}
	}
	return append(lines, line)
}

// goesOn is true if a line can take up a row that its last row caused: the row
// begins in the cell where the line ends, and leads on in the same direction.
func (a *loreLine) goesOn(b *loreLine, cause int) bool {
	if a.group != b.group || cause != a.rows[len(a.rows)-1] || a.comment != "" {
		return false
	}
	for k, arrow := range b.arrows {
		if arrow.dir == 0 {
			continue
		}
		start := k
		if arrow.dir < 0 {
			start = k + 1
		}
		if a.arrows[k].dir != 0 || start != a.last || arrow.kind == coming {
			return false
		}
		if back := k - arrow.dir; back >= 0 && back < 3 && a.arrows[back].dir != arrow.dir {
			return false
		}
	}
	if b.arrows == [3]loreArrow{} {
		return b.last == a.last && a.arrows != [3]loreArrow{} && width(b.cells[b.last]) <= 19
	}
	return true
}

// append takes up another line; its words replace those of the cell where
// both meet.
func (a *loreLine) append(b *loreLine) {
	for k, arrow := range b.arrows {
		if arrow.dir != 0 {
			a.arrows[k] = arrow
		}
	}
	for k, cell := range b.cells {
		if cell != "" {
			a.cells[k] = cell
		}
	}
	a.comment, a.last = b.comment, b.last
	a.rows = append(a.rows, b.rows...)
}

// loreRow makes a line of one row.
func (l *Ladder) loreRow(n int) loreLine {
	r := &l.rows[n]
	e := &l.run.Events[r.main]
	from, to := l.laneIndex(r.group, r.from), l.laneIndex(r.group, r.to)
	line := loreLine{group: r.group, last: to, rows: []int{n}}
	switch r.shape {
	case remark:
		line.last = from
		line.cells[from] = r.note
		return line
	case told:
		line.cells[from], line.cells[to] = r.label[0], "heard"
		for k := range line.arrows {
			line.arrows[k] = loreArrow{sign(to - from), beside}
		}
		return line
	}
	switch e.Kind {
	case spec.EvPost:
		line.cells[from], line.cells[to] = "post "+e.WR, "SQ: "+e.WR
		if strings.Contains(e.Text+e.Rule, "recv") {
			line.cells[to] = "RQ: " + e.WR
		}
	case spec.EvVerb:
		line.cells[from], line.last = r.label[0], from
		return line
	case spec.EvCQE, spec.EvPoll:
		l.loreCompletion(&line, r, e, from, to)
		return line
	default:
		l.lorePacket(&line, r, e, from, to)
		return line
	}
	line.arrows[min(from, to)] = loreArrow{sign(to - from), whole}
	return line
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

// loreCompletion draws a CQE and the poll that returned it.
func (l *Ladder) loreCompletion(line *loreLine, r *row, e *spec.Event, from, to int) {
	done := e.WC.WR + " done"
	cqe := "CQE " + e.WC.WR
	if s := e.WC.Status; s != "" && s != spec.SUCCESS.String() {
		done, cqe = e.WC.WR+" failed", cqe+" "+s
	}
	if e.Kind == spec.EvPoll {
		line.cells[to] = done
		return
	}
	line.cells[from] = cqe
	if r.shape == departs {
		line.comment, line.last = "(polled later)", from
		return
	}
	line.cells[to] = done
	line.arrows[min(from, to)] = loreArrow{sign(to - from), whole}
}

// lorePacket draws a packet between the adapters.
func (l *Ladder) lorePacket(line *loreLine, r *row, e *spec.Event, from, to int) {
	words := lorePacketWords(e.Packet)
	dir := sign(to - from)
	if from == to { // the row begins where it ends: the packet waited before
		dir = 1
		if to == 1 {
			dir = -1
		}
	}
	line.arrows[1] = loreArrow{dir: dir}
	arrow := &line.arrows[1].kind
	switch r.shape {
	case straight:
		line.cells[from], line.cells[to] = words, l.taken(e.Packet)
		if r.copied {
			line.comment = "(duplicate)"
		}
	case lost:
		line.cells[from], *arrow, line.last = words, dropped, from
		line.comment = "(" + loreKind(e.Packet) + " lost)"
	case departs:
		line.cells[from], *arrow, line.last = words, leaving, from
	case arrives:
		line.cells[to], *arrow = words, coming
	case vanishes:
		line.arrows[1] = loreArrow{}
		line.comment = "(" + words + " lost)"
	}
}

func loreKind(p *spec.Packet) string {
	if p.Syndrome != "" {
		if word := syndromeWords[p.Syndrome]; word != "" {
			return word
		}
	}
	return p.Kind
}

// lorePacketWords names a packet as the mail does: kind and PSN.
func lorePacketWords(p *spec.Packet) string {
	if p.Syndrome != "" && p.WR == "" {
		return loreKind(p) + " " + psnText(p)
	}
	words := p.Kind + " psn=" + psnText(p)
	if p.Again {
		words += " (again)"
	}
	return words
}

// taken says which receive a packet used up, if the run shows it.
func (l *Ladder) taken(p *spec.Packet) string {
	for i := range l.run.Events {
		e := &l.run.Events[i]
		if e.Kind != spec.EvCQE || !strings.HasPrefix(e.WC.Opcode, "RECV") {
			continue
		}
		for c := e.Cause; c >= 0; c = l.run.Events[c].Cause {
			if f := &l.run.Events[c]; f.Kind == spec.EvArrive {
				if f.Packet.ID == p.ID {
					return "RQ: " + e.WC.WR
				}
				break
			}
		}
	}
	return ""
}

// loreGrid places the cells: the outer ones as narrow as their words allow.
func loreGrid(lines []loreLine) loreColumns {
	left, right := 7, 14
	for _, line := range lines {
		if line.arrows[0].dir != 0 {
			left = max(left, min(width(line.cells[0]), 16))
		}
		right = max(right, min(max(width(line.cells[3]), width(line.comment)), 20))
	}
	c := loreColumns{1: left + 5, 3: loreWidth - right}
	c[2] = (c[1] + c[3]) / 2
	return c
}

// loreNames is the heading of a group's lanes.
func (l *Ladder) loreNames(cols loreColumns, group int) string {
	g := l.groups[group]
	c := newCanvas(loreWidth)
	node := func(k, n int, place string) {
		room := loreWidth - cols[k]
		if k < 3 {
			room = cols[k+1] - cols[k] - 1
		}
		c.text(cols[k], clip(l.run.Nodes[n], room-len(place))+place)
	}
	node(0, g.left, " app")
	node(1, g.left, " HCA")
	if g.right >= 0 {
		node(2, g.right, " HCA")
		node(3, g.right, " app")
	}
	return c.String()
}

// draw writes a line at its columns.
func (a *loreLine) draw(cols loreColumns) string {
	c := newCanvas(loreWidth)
	for k, s := range a.cells {
		c.text(a.cellAt(cols, k), a.cellText(cols, k, s))
	}
	if a.comment != "" && a.cells[3] == "" {
		c.text(cols[3], clip(a.comment, loreWidth-cols[3]))
	}
	for k, arrow := range a.arrows {
		if arrow.dir == 0 {
			continue
		}
		from := cols[k]
		if n := width(a.cellText(cols, k, a.cells[k])); n > 0 {
			from = min(from+n+1, cols[k+1]-3)
		}
		if k > 0 && a.arrows[k].kind == beside && a.cells[k] == "" {
			from = cols[k] - 1
		}
		arrow.draw(c, from, cols[k+1]-2, k)
	}
	return c.String()
}

// cellAt is where a cell's words begin: at its column, or before it if they
// would leave the page.
func (a *loreLine) cellAt(cols loreColumns, k int) int {
	if over := cols[k] + width(a.cells[k]) - loreWidth; k == 3 && over > 0 && a.arrows[2].dir == 0 {
		return max(cols[k]-over, 0)
	}
	return cols[k]
}

// cellText clips a cell to the room it has: up to the next cell in use, less
// the arrow there.
func (a *loreLine) cellText(cols loreColumns, k int, s string) string {
	if k == 3 {
		return clip(s, loreWidth-a.cellAt(cols, k))
	}
	end := loreWidth
	if a.comment != "" {
		end = cols[3] - 1
	}
	for j := 3; j > k; j-- {
		if a.cells[j] != "" || j < 3 && a.arrows[j].dir != 0 || a.arrows[j-1].dir != 0 {
			end = cols[j] - 1
		}
	}
	if a.arrows[k].dir != 0 {
		end = cols[k+1] - 3
	}
	if room := end - cols[k]; width(s) > room {
		return clip(strings.Replace(s, "psn=", "", 1), room)
	}
	return s
}

// draw fills the space between two cells.
func (a loreArrow) draw(c canvas, x, y, gap int) {
	if a.kind == beside {
		c.line(x, y, dotted)
		if gap == 2 && a.dir > 0 {
			c.put(y, headRight)
		}
		if gap == 0 && a.dir < 0 {
			c.put(x, headLeft)
		}
		return
	}
	c.line(x, y, dash)
	near, far := x, y
	head := headRight
	if a.dir < 0 {
		near, far, head = y, x, headLeft
	}
	middle := (x + y) / 2
	switch a.kind {
	case dropped:
		c.blank(far, middle)
		c.put(middle, crossMark)
		return
	case leaving:
		c.blank(far, middle)
		c.line(middle, middle+2*a.dir, dotted)
		return
	case coming:
		c.blank(near, middle)
		c.line(middle, middle-2*a.dir, dotted)
	}
	c.put(far, head)
}

func (c canvas) blank(x, y int) {
	for i := min(x, y); i <= max(x, y); i++ {
		c.put(i, ' ')
	}
}

// loreBreak says what broke, without step numbers.
func (l *Ladder) loreBreak() string {
	if l.caption.Broken == "" {
		return ""
	}
	name, _, _ := strings.Cut(plain(l.caption.Property), ":")
	var open []string
	closed := false
	for _, b := range l.bars {
		closed = closed || b.ends == l.broken-1
		if (b.opens >= 0 && b.opens < l.broken) && (b.ends < 0 || b.ends >= l.broken) {
			open = append(open, b.name)
		}
	}
	if closed && len(open) > 0 {
		has := " has"
		if len(open) > 1 {
			has = " have"
		}
		return "here " + name + " breaks: " + strings.Join(open, ", ") + has + " no CQE yet"
	}
	words := strings.ReplaceAll(plain(l.brokenWords), " at %d", "")
	if rest, ok := strings.CutPrefix(words, name+": "); ok && name != "" {
		words = name + " breaks: " + rest
	}
	return "here " + words
}

// pointAt writes words below the cell where a line ends.
func pointAt(a loreLine, cols loreColumns, words string) []string {
	x := a.cellAt(cols, a.last)
	mark := strings.Repeat("^", max(width(a.cellText(cols, a.last, a.cells[a.last])), 1))
	if room := loreWidth - x - len(mark) - 1; room < width(words) {
		out := []string{strings.Repeat(" ", x) + mark}
		return append(out, wrap(words, loreWidth)...)
	}
	return []string{strings.Repeat(" ", x) + mark + " " + words}
}
