package ibcheck

import (
	"encoding/json"
	"io"
)

// WriteJSON writes a report in the form that docs/language.md describes. What
// is a list or a map is one also when it is empty.
func (r *Report) WriteJSON(w io.Writer) error {
	out := *r
	out.Scenarios = filled(r.Scenarios)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false) // "<=" stays readable
	encoder.SetIndent("", "  ")
	return encoder.Encode(&out)
}

// filled copies scenarios with empty lists and maps where there were none.
func filled(scenarios []ScenarioReport) []ScenarioReport {
	out := make([]ScenarioReport, len(scenarios))
	for i, s := range scenarios {
		if s.Dials == nil {
			s.Dials = map[string]string{}
		}
		if s.Faults == nil {
			s.Faults = map[string]int{}
		}
		if s.Properties == nil {
			s.Properties = []PropertyReport{}
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
