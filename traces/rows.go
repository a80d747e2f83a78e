package traces

import (
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// A Row is one step of a ladder as data.
type Row struct {
	Step     int    // from 1
	Cause    int    // step that made it possible, 0 if none
	Lane     string // where it begins: "host app", "host HCA", "wire"
	Action   string // what happens, in words
	Fault    string // the budget it uses up: "drop(ACK) 1/1"
	Packet   *spec.Packet
	Src, Dst string // of the packet: nodes
	PSN      string // of the packet, as the ladder writes it: "h0"
	CQE      *spec.WC
	Events   []int    // what of Run.Events it stands for, ascending
	Diff     []string // what they changed in the state
	Epilogue bool     // after the break
	Repeats  bool     // one of those that repeat for ever
}

// Rows returns the rows of the ladder in order. Every event of the run is in
// one of them.
func (l *Ladder) Rows() []Row {
	out := make([]Row, len(l.rows))
	for n := range l.rows {
		out[n] = l.rowData(n)
	}
	return out
}

func (l *Ladder) rowData(n int) Row {
	r := &l.rows[n]
	e := &l.run.Events[r.main]
	row := Row{Step: r.step, Cause: r.cause, Lane: l.LaneName(r.from), Action: l.action(r),
		Packet: e.Packet, CQE: e.WC, Events: r.events, Epilogue: n >= l.broken,
		Repeats: l.loop > 0 && n+1 >= l.loop && n < l.broken}
	if e.Kind == spec.EvDrop || e.Kind == spec.EvDup {
		row.Lane = "wire"
	}
	for _, i := range r.events {
		f := &l.run.Events[i]
		row.Diff = append(row.Diff, f.Diff...)
		if row.Fault == "" {
			row.Fault = f.Fault
		}
	}
	if p := e.Packet; p != nil {
		row.Src, row.Dst, row.PSN = l.run.Nodes[p.From], l.run.Nodes[p.To], psnText(p)
	}
	return row
}

// LaneName names a lane as the head of a ladder does: "host HCA".
func (l *Ladder) LaneName(lane Lane) string {
	name := "?"
	if lane.Node >= 0 && lane.Node < len(l.run.Nodes) {
		name = l.run.Nodes[lane.Node]
	}
	if lane.Place == spec.App {
		return name + " app"
	}
	return name + " HCA"
}

// action says what a row shows, without the columns.
func (l *Ladder) action(r *row) string {
	if r.shape == remark {
		return strings.TrimPrefix(r.note, r.fault+": ")
	}
	words := r.label[0]
	e := &l.run.Events[r.main]
	switch {
	case r.shape == lost, r.shape == vanishes:
		return words + ", lost"
	case r.copied:
		return words + ", duplicated"
	case e.Packet != nil && r.shape == departs:
		return words + ", leaves"
	case e.Packet != nil && r.shape == arrives:
		return words + ", arrives"
	case e.Kind == spec.EvCQE && r.shape == straight && len(r.events) > 1:
		for _, i := range r.events {
			late := i >= l.run.Broken && r.main < l.run.Broken
			if l.run.Events[i].Kind == spec.EvPoll && !late {
				return words + ", polled"
			}
		}
	case r.shape == told:
		return words + ", heard"
	}
	return words
}
