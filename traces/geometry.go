package traces

import (
	"slices"

	"github.com/ibcheck/ibcheck/spec"
)

// pageWidth is the width of a ladder of two nodes, in columns.
const pageWidth = 100

// The usual widths between lifelines, and the least that is still readable.
var (
	usualGaps = [3]int{20, 32, 18}
	leastGaps = [3]int{14, 20, 14}
)

// The columns before the lanes: step, cause, then the bars.
const firstBar = 8

// A geometry says in which columns things stand.
type geometry struct {
	width   int       // of the whole drawing
	barAt   []int     // column of each bar shown; bars beyond the space are left out
	lanes   int       // first column after the bars
	right   int       // first column after the lanes
	groups  []columns // of each group
	stacked bool      // groups below each other, one shown at a time
	waitAt  []int     // column of each wait
}

// columns are the places of the lifelines of a group, left to right: program,
// adapter, adapter, program. A group of one node has two.
type columns struct {
	x     [4]int
	names [4]string
	count int
}

// newGeometry places the lanes of a ladder: in 100 columns one group at a time,
// or all groups side by side if it may be wide. Groups below each other have
// their lanes in the same columns.
func newGeometry(l *Ladder, wide bool) *geometry {
	g := &geometry{width: pageWidth, stacked: len(l.groups) > 1 && !wide}
	limit := pageWidth - 62 // what the lanes need at least
	if wide {
		limit = 1 << 20
	}
	g.lanes = firstBar
	for _, b := range l.bars {
		w := max(width(b.name), 2) + 1
		if g.lanes+w > limit {
			break
		}
		g.barAt = append(g.barAt, g.lanes)
		g.lanes += w
	}
	g.lanes++
	lead, tail, need := 0, 0, [3]int{}
	for i := range l.groups {
		c := newColumns(l, i, wide)
		lead, tail = max(lead, width(c.names[0])/2), max(tail, (width(c.names[c.count-1])+1)/2-1)
		for k, n := range l.needs(i, wide) {
			need[k] = max(need[k], n)
		}
		g.groups = append(g.groups, c)
	}
	gaps := fitGaps(need, pageWidth-1-tail-g.lanes-lead-3)
	x := g.lanes
	for i := range g.groups {
		c := &g.groups[i]
		switch {
		case wide:
			lead, gaps = width(c.names[0])/2, wideGaps(l.needs(i, wide))
		default:
			x = g.lanes
		}
		c.place(x+lead, gaps)
		x = c.end() + 3
		g.right = max(g.right, c.end())
	}
	if wide {
		g.width = max(pageWidth, x-3)
	}
	g.placeWaits(l)
	return g
}

// newColumns names the lifelines of a group.
func newColumns(l *Ladder, group int, wide bool) columns {
	g := l.groups[group]
	c := columns{count: 4}
	nodes := [4]int{g.left, g.left, g.right, g.right}
	places := [4]string{" app", " HCA", " HCA", " app"}
	if g.right < 0 {
		c.count = 2
	}
	for k := range c.count {
		name := l.run.Nodes[nodes[k]]
		if !wide {
			name = clip(name, 10)
		}
		c.names[k] = name + places[k]
	}
	return c
}

// place puts the first lifeline at column x and the others gaps apart.
func (c *columns) place(x int, gaps [3]int) {
	c.x[0] = x
	for k := 1; k < c.count; k++ {
		c.x[k] = c.x[k-1] + gaps[k-1] + 1
	}
}

// wideGaps is as wide as the labels need, and no narrower than usual.
func wideGaps(need [3]int) [3]int {
	gaps := usualGaps
	for k := range gaps {
		gaps[k] = max(gaps[k], need[k])
	}
	return gaps
}

// end is the first column right of a group.
func (c columns) end() int {
	k := c.count - 1
	return c.x[k] - width(c.names[k])/2 + width(c.names[k])
}

// fitGaps divides free columns over the gaps. The wire gets what is to spare,
// as far as its labels need it; what lacks is taken where the labels are short.
func fitGaps(need [3]int, free int) [3]int {
	gaps := usualGaps
	sum := gaps[0] + gaps[1] + gaps[2]
	for ; sum > free; sum-- {
		slack := 0
		for k := range gaps {
			if gaps[k]-leastGaps[k]-need[k] > gaps[slack]-leastGaps[slack]-need[slack] {
				slack = k
			}
		}
		gaps[slack]--
	}
	if grow := min(need[1]-gaps[1], free-sum); grow > 0 {
		gaps[1] += grow
		sum += grow
	}
	for _, k := range []int{0, 2} {
		if grow := need[k] - gaps[k]; grow > 0 && grow <= free-sum {
			gaps[k] += grow
			sum += grow
		}
	}
	for _, k := range []int{0, 2} {
		for gaps[1] < need[1] && gaps[k] > max(need[k], leastGaps[k]) {
			gaps[k]--
			gaps[1]++
		}
	}
	return gaps
}

// needs returns how wide the gaps of a group have to be for the labels: in full
// on a wide page, else without the prefix of opcodes.
func (l *Ladder) needs(group int, wide bool) [3]int {
	var need [3]int
	for i := range l.rows {
		r := &l.rows[i]
		if r.group != group || r.shape == remark || r.shape == told {
			continue
		}
		k, extra := l.gapOf(group, r.to, r.from), 5
		if r.shape == departs {
			extra = 15
		}
		form := 0
		if k == 1 && !wide {
			form = min(1, len(r.label)-1)
		}
		need[k] = max(need[k], width(r.label[form])+extra)
	}
	return need
}

// gapOf returns the gap between two lanes of a group: 0 and 2 between program
// and adapter, 1 the wire.
func (l *Ladder) gapOf(group int, a, b Lane) int {
	switch {
	case a.Node != b.Node || a.Place == spec.HCA && b.Place == spec.HCA:
		return 1
	case a.Node == l.groups[group].left:
		return 0
	}
	return 2
}

// laneIndex returns the lifeline of a lane in a group.
func (l *Ladder) laneIndex(group int, lane Lane) int {
	k := 0
	if lane.Place != spec.App {
		k = 1
	}
	if lane.Node != l.groups[group].left {
		k = 3 - k
	}
	return k
}

// laneX returns the column of a lane in a group.
func (g *geometry) laneX(l *Ladder, group int, lane Lane) int {
	return g.groups[group].x[min(l.laneIndex(group, lane), g.groups[group].count-1)]
}

// placeWaits gives each wait a column near the lane where it ends, so that
// those that overlap stand apart.
func (g *geometry) placeWaits(l *Ladder) {
	for i, w := range l.waits {
		group := l.rows[w.from].group
		from, to := l.rows[w.from].from, w.lane
		x, y := g.laneX(l, group, from), g.laneX(l, group, to)
		step, first := 3, 6
		if to.Place == spec.App {
			step, first = 2, 3
		}
		col := 0
		for k := 0; k < 4; k++ {
			if col = y - first - k*step; x > y {
				col = y + first + k*step
			}
			if !slices.ContainsFunc(l.waits[:i], func(v wait) bool {
				return l.rows[v.from].group == group && v.to > w.from && g.waitAt[slices.Index(l.waits, v)] == col
			}) {
				break
			}
		}
		g.waitAt = append(g.waitAt, col)
	}
}
