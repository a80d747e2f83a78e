package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ibcheck/ibcheck/docs"
	"github.com/ibcheck/ibcheck/internal/page"
)

// Every word that the list shows can be asked for, says something, and fits a page.
func TestEveryWordIsExplained(t *testing.T) {
	m := newManual()
	for _, word := range m.words() {
		entries := m.find(word)
		if len(entries) == 0 {
			t.Errorf("%s is not found", word)
			continue
		}
		var b strings.Builder
		m.explain(&b, word, entries)
		lines := strings.Split(b.String(), "\n")
		if len(lines) < 3 || strings.TrimSpace(lines[1]) == "" {
			t.Errorf("%s is not explained: %q", word, &b)
		}
		for _, line := range lines {
			if utf8.RuneCountInString(line) > page.Width {
				t.Errorf("%s: too wide: %s", word, line)
			}
		}
	}
}

// No row of the page of facts is lost, and no mark of Markdown is shown.
func TestFactsAreRead(t *testing.T) {
	got := facts()
	rows := 0
	for line := range strings.Lines(docs.Facts) {
		if len(line) > 3 && line[:2] == "| " && strings.ContainsRune("FIM", rune(line[2])) && line[3] >= '0' && line[3] <= '9' {
			rows++
		}
	}
	if len(got) != rows || rows < 100 {
		t.Errorf("%d facts of %d rows", len(got), rows)
	}
	for _, f := range got {
		if f.text == "" || strings.Contains(f.text, "](") || strings.Contains(f.text, "**") {
			t.Errorf("%s reads %q", f.id, f.text)
		}
	}
}

// What is behind a word is a fact of the page.
func TestCitedFactsExist(t *testing.T) {
	m := newManual()
	known := map[string]bool{}
	for _, f := range m.facts {
		known[f.id] = true
	}
	for _, e := range m.entries {
		for _, id := range strings.FieldsFunc(e.facts, func(r rune) bool { return strings.ContainsRune(" ,()", r) }) {
			if factID.MatchString(id) && !known[id] {
				t.Errorf("%s rests on %s, which is not on the page of facts", e.word, id)
			}
		}
	}
}

func TestCites(t *testing.T) {
	for _, c := range []struct {
		text, id string
		want     bool
	}{
		{"F1.14", "F1.14", true},
		{"F1.14", "F1.1", false},
		{"F1.1, F1.14", "F1.1", true},
		{"see F1.1.", "F1.1", true},
		{"F11.1", "F1.1", false},
		{"F1.17(2)", "F1.17", true},
		{"C9-95", "C9-9", false},
		{"(C9-95)", "C9-95", true},
		{"9.7.5.1.2", "9.7.5", false},
		{"10.8.3.3", "8.3.3", false},
		{"", "F1.1", false},
	} {
		if got := cites(c.text, c.id); got != c.want {
			t.Errorf("cites(%q, %q) is %v", c.text, c.id, got)
		}
	}
}
