package main

import (
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/spec"
)

// TestGrowth explores small loads: nothing in them is violated, more load makes
// more states, and eager steps make fewer.
func TestGrowth(t *testing.T) {
	eager := strings.Join(spec.Reductions(), ",")
	for _, pair := range [][2]load{
		{{1, 1, 1}, {2, 1, 1}}, // WRs
		{{2, 0, 1}, {2, 1, 1}}, // faults
		{{1, 1, 1}, {1, 1, 2}}, // QPs
	} {
		less, err := pair[0].measure("none")
		if err != nil {
			t.Fatal(err)
		}
		more, err := pair[1].measure("none")
		if err != nil {
			t.Fatal(err)
		}
		reduced, err := pair[1].measure(eager)
		if err != nil {
			t.Fatal(err)
		}
		if !more.complete || !reduced.complete || less.states >= more.states || reduced.states >= more.states {
			t.Errorf("%+v: %+v\n%+v: %+v, reduced %+v", pair[0], less, pair[1], more, reduced)
		}
	}
}

func TestCells(t *testing.T) {
	whole := size{states: 20_000, seconds: 2, bytes: 2_000_000, complete: true}
	small := size{states: 100, seconds: 0.5, complete: true}
	part := size{states: 40_000, seconds: 4, bytes: 4_000_000}
	for _, c := range []struct{ got, want string }{
		{whole.String(), "20000 | 2.00 | 100"},
		{small.String(), "100 | 0.50 | "},
		{part.String(), "> 40000 | > 4.0 | 100"},
		{fewer(whole, small), "200.0"},
		{fewer(part, small), "> 400.0"},
		{fewer(part, part), ""},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
