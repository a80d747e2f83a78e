package spec_test

import (
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// TestNestedRepeats: repeats in repeats that nobody could write out are refused
// at once.
func TestNestedRepeats(t *testing.T) {
	text := "connect a.q <-> b.q\nnode b { cq c; qp q { send_cq c; recv_cq c } }\nnode a { cq c; qp q { send_cq c; recv_cq c }\n  var x = 0\n  " +
		strings.Repeat("repeat 64 { ", 12) + "set x = 1" + strings.Repeat(" }", 12) + "\n}\n"
	f, errs := scenario.Parse("nested.ibl", []byte(text), scenario.Options{})
	if errs != nil {
		t.Fatal(errs)
	}
	sc, errs := f.Scenario(nil)
	if errs != nil {
		t.Fatal(errs)
	}
	if _, err := spec.Compile(sc, spec.DefaultBounds(sc)); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("compiled, or refused otherwise: %v", err)
	}
}
