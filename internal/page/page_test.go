package page

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFold(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	for _, tc := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"short", []string{"short"}},
		{x(100), []string{x(100)}},
		{x(101), []string{x(101)}},
		{x(60) + " " + x(60), []string{x(60), "  " + x(60)}},
		{x(60) + ", " + x(20) + " " + x(60), []string{x(60) + ",", "  " + x(20) + " " + x(60)}},
		{x(20) + ", " + x(60) + " " + x(60), []string{x(20) + ", " + x(60), "  " + x(60)}},
		{strings.Repeat("é", 99) + " é", []string{strings.Repeat("é", 99), "  é"}},
	} {
		if got := Fold(tc.text, 2); !slices.Equal(got, tc.want) {
			t.Errorf("%q: got %q, want %q", tc.text, got, tc.want)
		}
	}
}

func FuzzFold(f *testing.F) {
	f.Add(strings.Repeat("word, ", 40), 2)
	f.Add(strings.Repeat("é ", 90), 24)
	f.Fuzz(func(t *testing.T, text string, indent int) {
		if indent < 0 || indent > Width/2 || !utf8.ValidString(text) {
			return
		}
		lines := Fold(text, indent)
		if got, want := strings.Fields(strings.Join(lines, " ")), strings.Fields(text); !slices.Equal(got, want) {
			t.Errorf("the words are %q, want %q", got, want)
		}
	})
}
