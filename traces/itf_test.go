package traces

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// TestStates follows a value through the changes of a run.
func TestStates(t *testing.T) {
	states := Layout(kill(), Options{}).States()
	if want := len(kill().Events) + 1; len(states) != want {
		t.Fatalf("%d states, want %d", len(states), want)
	}
	want := []NamedValue{{"host.q.owes", 1}, {"host.q.sq", []string{"S1"}}, {"host.q.state", "RTS"}}
	if !reflect.DeepEqual(states[0].Values, want) || states[0].Action != "" {
		t.Errorf("the first state is %v, want %v", states[0], want)
	}
	want = []NamedValue{{"host.q.owes", 0}, {"host.q.sq", []string{"S1", "S2"}}, {"host.q.state", "ERR"}}
	if last := states[len(states)-1]; !reflect.DeepEqual(last.Values, want) {
		t.Errorf("the last state is %v, want %v", last, want)
	}
	if states[2].Action != "program S2" {
		t.Errorf("the second action is %q", states[2].Action)
	}
}

func TestITF(t *testing.T) {
	var b strings.Builder
	if err := WriteITF(&b, "a queue pair fails", Layout(kill(), Options{}).States()); err != nil {
		t.Fatal(err)
	}
	golden(t, "kill.itf.json", b.String())
	var trace struct {
		Vars   []string
		States []map[string]any
	}
	if err := json.Unmarshal([]byte(b.String()), &trace); err != nil {
		t.Fatal(err)
	}
	for i, s := range trace.States {
		if index := s["#meta"].(map[string]any)["index"]; index != float64(i) {
			t.Errorf("state %d has index %v", i, index)
		}
		for _, name := range trace.Vars {
			if _, ok := s[name]; !ok {
				t.Errorf("state %d lacks %s", i, name)
			}
		}
		if len(s) != len(trace.Vars)+1 {
			t.Errorf("state %d has %d members for %d variables", i, len(s), len(trace.Vars))
		}
	}
}
