package traces

import (
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
)

// A NamedValue is one variable of a state: an integer, a boolean, a string or a
// list of these.
type NamedValue struct {
	Name  string
	Value any
}

// A NamedState is a state of a trace and the action that led to it, "" for the
// first. Every state of a trace has the same names.
type NamedState struct {
	Action string
	Values []NamedValue
}

// States returns the states of the run in the order of the trace, as far as the
// run tells them: the variables that some event changes. The first state is
// the one before the first event.
func (l *Ladder) States() []NamedState {
	var names []string
	first := map[string]string{}
	for i := range l.run.Events {
		for _, d := range l.run.Events[i].Diff {
			name, from, _ := splitChange(d)
			if _, seen := first[name]; !seen {
				names, first[name] = append(names, name), from
			}
		}
	}
	slices.Sort(names)
	now := first
	state := func(action string) NamedState {
		s := NamedState{Action: action, Values: make([]NamedValue, len(names))}
		for i, name := range names {
			s.Values[i] = NamedValue{name, valueOf(now[name])}
		}
		return s
	}
	out := []NamedState{state("")}
	for i := range l.run.Events {
		e := &l.run.Events[i]
		for _, d := range e.Diff {
			name, _, to := splitChange(d)
			now[name] = to
		}
		out = append(out, state(joinNonempty(" ", e.Rule, eventWR(e))))
	}
	return out
}

// splitChange reads a change of the state, "host.q.sq [S1]->[]".
func splitChange(d string) (name, from, to string) {
	name, change, _ := strings.Cut(d, " ")
	from, to, _ = strings.Cut(change, "->")
	return name, from, to
}

// valueOf reads a value as changes write it: a number, a truth value, a list of
// words in brackets, else a word.
func valueOf(s string) any {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	if b, err := strconv.ParseBool(s); err == nil {
		return b
	}
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
		return append([]string{}, strings.Fields(s[1:len(s)-1])...)
	}
	return s
}

// WriteITF writes states as a trace in the Informal Trace Format, which tools
// around TLA+ read. Integers are numbers, lists are sequences. description says
// what the trace shows. Its only errors are those of w and values that JSON
// does not have.
func WriteITF(w io.Writer, description string, states []NamedState) error {
	vars := []string{}
	if len(states) > 0 {
		for _, v := range states[0].Values {
			vars = append(vars, v.Name)
		}
	}
	list := make([]map[string]any, len(states))
	for i, s := range states {
		meta := map[string]any{"index": i}
		if s.Action != "" {
			meta["action"] = s.Action
		}
		list[i] = map[string]any{"#meta": meta}
		for _, v := range s.Values {
			list[i][v.Name] = v.Value
		}
	}
	out := json.NewEncoder(w) // which sorts the keys of maps
	out.SetEscapeHTML(false)
	out.SetIndent("", " ")
	return out.Encode(struct {
		Meta   map[string]string `json:"#meta"`
		Vars   []string          `json:"vars"`
		States []map[string]any  `json:"states"`
	}{map[string]string{"format": "ITF", "format-description": "https://apalache.informal.systems/docs/adr/015adr-trace.html",
		"description": description}, vars, list})
}
