package main

import (
	"maps"
	"testing"
)

func TestSizesAndCounts(t *testing.T) {
	for _, tc := range []struct {
		text  string
		size  uint64 // 0: an error
		count uint64
	}{
		{"1", 1, 1},
		{"5000", 5000, 5000},
		{"200M", 200 << 20, 200e6},
		{"200m", 200 << 20, 200e6},
		{"4G", 4 << 30, 4e9},
		{"2T", 2 << 40, 2e12},
		{"1.5k", 1536, 1500},
		{"1e6", 1e6, 1e6},
		{"4GiB", 4 << 30, 0},
		{"64kB", 64 << 10, 0},
		{"", 0, 0},
		{"0", 0, 0},
		{"-1", 0, 0},
		{"many", 0, 0},
		{"4MG", 0, 0},
		{"NaN", 0, 0},
		{"1e99", 0, 0},
	} {
		var s size
		if err := s.Set(tc.text); uint64(s) != tc.size || (err == nil) != (tc.size > 0) {
			t.Errorf("size %q: got %d, %v; want %d", tc.text, s, err, tc.size)
		}
		var c count
		if err := c.Set(tc.text); uint64(c) != tc.count || (err == nil) != (tc.count > 0) {
			t.Errorf("count %q: got %d, %v; want %d", tc.text, c, err, tc.count)
		}
	}
}

func TestBudgets(t *testing.T) {
	got, err := budgets([]string{"drop(ACK)<=2", " dup(any) <= 0 ", "reorder(ACK, SEND) <= 1"})
	want := map[string]int{"drop(ACK)": 2, "dup(any)": 0, "reorder(ACK, SEND)": 1}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	for _, bad := range []string{"", "drop(ACK)", "drop(ACK)=2", "<= 2", "drop(ACK) <= x", "drop(ACK) <= 99999999999999999999"} {
		if got, err := budgets([]string{bad}); err == nil {
			t.Errorf("%q is read as %v", bad, got)
		}
	}
}

func TestPairs(t *testing.T) {
	got, err := pairs("set", []string{"ack.coalesce=none", " n = 3", "x=a=b"})
	want := map[string]string{"ack.coalesce": "none", "n": "3", "x": "a=b"}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	for _, bad := range []string{"", "x", "x=", "=1"} {
		if got, err := pairs("set", []string{bad}); err == nil {
			t.Errorf("%q is read as %v", bad, got)
		}
	}
}

func TestQuoted(t *testing.T) {
	got := quoted([]string{"check", "a b", "it's", "drop(ACK)<=1", ""})
	if want := `check 'a b' 'it'\''s' 'drop(ACK)<=1' ''`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
