package traces

import (
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// This file draws single rows; text.go puts them on the page.

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
	text := p.clearForm(c, r, lo, inner, x < y)
	rest := ""
	if r.from.Place != r.to.Place {
		rest = r.label.rest(text)
	} else if text == "" {
		text = clip(r.label[len(r.label)-1], max(inner-4, 0))
	}
	if text != "" {
		at, _ := p.labelAt(c, r, text, lo, inner, x < y)
		c.text(lo+at, " "+text+" ")
	}
	var more []placed
	if rest != "" {
		more = p.spill(c, r, rest)
	}
	return append(more, p.beyond(c, r, start, y, joinNonempty(", ", r.note, r.fault))...)
}

// clearForm returns the longest form of a label that hides nothing that waits
// in the wire, or else the longest that fits.
func (p *painter) clearForm(c canvas, r *row, lo, inner int, right bool) string {
	for _, form := range r.label {
		if width(form) > inner-4 {
			continue
		}
		if _, ok := p.labelAt(c, r, form, lo, inner, right); ok {
			return form
		}
	}
	return r.label.fit(inner - 4)
}

// labelAt returns where in the gap a label begins, and whether it hides nothing
// there. Between program and adapter it stands near the head of the arrow, in
// the wire in the middle, and aside of the packets that wait there if it can.
func (p *painter) labelAt(c canvas, r *row, text string, lo, inner int, right bool) (at int, ok bool) {
	rest := inner - 1 - width(text) - 2
	head := rest / 2
	if r.from.Place != r.to.Place {
		head = min(2, head)
	}
	at = 1 + head
	if right {
		at = rest - head
	}
	hides := func(at int) bool {
		for i := range width(text) + 2 {
			if x := lo + at + i; x < len(c) && c[x] == waitLine {
				return true
			}
		}
		return false
	}
	for d := range inner {
		for _, try := range []int{at - d, at + d} {
			if try >= 1 && try+width(text)+2 <= inner-1 && !hides(try) {
				return try, true
			}
		}
	}
	return at, false
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
	if text == "" {
		text = r.label[len(r.label)-1]
	}
	text = clip(strings.TrimSpace(r.tag+" "+text), max(abs(at-x)-4, 0))
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
	if r.from.Place != r.to.Place {
		if rest := r.label.rest(text); rest != "" {
			return p.spill(c, r, rest)
		}
		return nil
	}
	return p.beyond(c, r, x, y, joinNonempty(", ", r.note, r.fault))
}

// ends draws the end of a wait: an arrival, a poll, or a loss.
func (p *painter) ends(c canvas, r *row, y int) []placed {
	left := p.l.laneIndex(r.group, r.to) < 2 // the wait is to the right of the lane
	at := y - 6
	if left {
		at = y + 6
	}
	if r.wait >= 0 {
		at = p.g.waitAt[r.wait]
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
	if k == 0 || k == 3 {
		return p.spill(c, r, words)
	}
	if k == 2 {
		return p.write(c, wrap(words, cols.x[3]-cols.x[2]-3), cols.x[2]+2, false)
	}
	return p.write(c, wrap(words, cols.x[1]-cols.x[0]-3), cols.x[1]-2, true)
}

// spill writes what a label between program and adapter has no room for into
// the wire beside the adapter.
func (p *painter) spill(c canvas, r *row, words string) []placed {
	x := p.lanesX(r.group)
	room := x[2] - x[1] - 3
	if p.l.laneIndex(r.group, r.from) < 2 {
		return p.write(c, wrap(words, room), x[1]+2, false)
	}
	return p.write(c, wrap(words, room), x[2]-2, true)
}

// lanesX returns the columns of a group's lanes. A node alone has the rest of
// the page to the right of it.
func (p *painter) lanesX(group int) [4]int {
	cols := p.g.groups[group]
	if cols.count == 2 {
		cols.x[2], cols.x[3] = p.g.width, p.g.width
	}
	return cols.x
}

// remark writes words beside a lane: to the right of the left node's lanes, to
// the right of the other adapter or else to its left, to the left of the other
// program. Words of a program that are too long for its gap run on over the
// lifeline of its adapter.
func (p *painter) remark(c canvas, lane Lane, group int, words string) []placed {
	x := p.lanesX(group)
	n := width(words)
	switch p.l.laneIndex(group, lane) {
	case 0:
		if n > x[1]-x[0]-3 {
			return p.write(c, wrap(words, x[2]-x[0]-3), x[0]+2, false)
		}
		return p.write(c, []string{words}, x[0]+2, false)
	case 1:
		return p.write(c, wrap(words, x[2]-x[1]-3), x[1]+2, false)
	case 2:
		if n <= x[3]-x[2]-3 {
			return p.write(c, []string{words}, x[2]+2, false)
		}
		return p.write(c, wrap(words, x[2]-x[1]-3), x[2]-2, true)
	}
	if n > x[3]-x[2]-3 {
		return p.write(c, wrap(words, x[3]-x[1]-3), x[3]-2, true)
	}
	return p.write(c, []string{words}, x[3]-2, true)
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
