package ibcheck

import (
	"encoding/json"
	"io"

	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/traces"
)

// WriteJSON writes a report in the form that docs/command-line.md describes. What
// is a list or a map is one also when it is empty.
func (r *Report) WriteJSON(w io.Writer) error {
	out := *r
	out.Scenarios = filled(r.Scenarios)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false) // "<=" stays readable
	encoder.SetIndent("", "  ")
	return encoder.Encode(&out)
}

// filled copies scenarios with empty lists and maps where there were none, and
// with their ladders drawn.
func filled(scenarios []ScenarioReport) []ScenarioReport {
	out := make([]ScenarioReport, len(scenarios))
	for i, s := range scenarios {
		if s.Dials == nil {
			s.Dials = map[string]string{}
		}
		if s.Faults == nil {
			s.Faults = map[string]int{}
		}
		s.Properties = append([]PropertyReport{}, s.Properties...)
		for k := range s.Properties {
			s.Properties[k].Drawing = s.Properties[k].drawing(traces.Style{})
		}
		if s.StatesBy == nil {
			s.StatesBy = []uint64{}
		}
		if s.Variants != nil {
			s.Variants = filled(s.Variants)
		}
		out[i] = s
	}
	return out
}

// traceSteps gives the rows of a ladder up to its break as data; how the run
// would go on is not part of what the trace shows.
func traceSteps(l *traces.Ladder, run *spec.Run) []TraceStep {
	var out []TraceStep
	for _, row := range l.Rows() {
		if row.Epilogue {
			break
		}
		out = append(out, TraceStep{Step: row.Step, Cause: row.Cause, Lane: row.Lane, Action: row.Action, WR: wrOf(&row, run), Fault: row.Fault,
			Packet: packetJSON(&row), CQE: completionJSON(row.CQE)})
	}
	return out
}

// wrOf returns the WR that a row is about, "" if there is none.
func wrOf(row *traces.Row, run *spec.Run) string {
	for _, i := range row.Events {
		if wr := run.Events[i].WR; wr != "" {
			return wr
		}
	}
	return ""
}

// posted says where each WR of a scenario is posted.
func posted(sc *spec.Scenario) map[string]string {
	out := make(map[string]string, len(sc.WRs))
	for i := range sc.WRs {
		out[sc.WRs[i].Name] = position(sc.WRs[i].Pos)
	}
	return out
}

func packetJSON(row *traces.Row) *PacketJSON {
	p := row.Packet
	if p == nil {
		return nil
	}
	return &PacketJSON{Opcode: p.Opcode, PSN: row.PSN, Src: row.Src, Dst: row.Dst, AckReq: p.AckReq, Syndrome: p.Syndrome, MSN: max(0, p.MSN)}
}

func completionJSON(wc *spec.WC) *CQEJSON {
	if wc == nil {
		return nil
	}
	return &CQEJSON{WR: wc.WR, Status: wc.Status, CQ: wc.CQ}
}
