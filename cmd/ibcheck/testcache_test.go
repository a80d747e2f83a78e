package main

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/spec"
)

func TestCacheKeepsAReportWhole(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	c := openTestCache()
	if c == nil {
		t.Fatal("no cache")
	}
	s := ibcheck.ScenarioReport{Name: "x", Dials: map[string]string{"srq.fifo": "no"}, StatesBy: []uint64{4, 5}, Seconds: 0.25,
		Properties: []ibcheck.PropertyReport{{Name: "order", Verdict: "violated", Bars: []string{"S1"}, Run: &spec.Run{Nodes: []string{"a"},
			Events: []spec.Event{{Kind: spec.EvCQE, WR: "S1", Cause: -1, WC: &spec.WC{WR: "S1", CQ: "a.c"}}}, Broken: 1}}},
		Variants: []ibcheck.ScenarioReport{{Params: map[string]string{"late": "true"}}}}
	if got := c.get(cacheKey("x")); got != nil {
		t.Errorf("an empty cache has %+v", got)
	}
	c.put(cacheKey("x"), &s)
	if got := c.get(cacheKey("x")); !reflect.DeepEqual(got, &s) {
		t.Errorf("got %+v\nwant %+v", got, &s)
	}
	if got := c.get(cacheKey("y")); got != nil {
		t.Errorf("another key has %+v", got)
	}
	other := *c
	other.program[0]++
	if got := other.get(cacheKey("x")); got != nil {
		t.Errorf("another program has %+v", got)
	}
}

func TestCacheForgets(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	c := openTestCache()
	c.put(cacheKey("old"), &ibcheck.ScenarioReport{Name: "old"})
	c.put(cacheKey("asked for"), &ibcheck.ScenarioReport{Name: "asked for"})
	now := time.Now()
	long := now.Add(-2 * cacheLife)
	for _, key := range []string{"old", "asked for"} {
		if err := os.Chtimes(c.file(cacheKey(key)), long, long); err != nil {
			t.Fatal(err)
		}
	}
	if c.get(cacheKey("asked for")) == nil {
		t.Error("it was forgotten before its time")
	}
	c.trim(now) // not yet: it was trimmed when it was opened
	if _, err := os.Stat(c.file(cacheKey("old"))); err != nil {
		t.Error(err)
	}
	c.trim(now.Add(25 * time.Hour))
	if c.get(cacheKey("old")) != nil || c.get(cacheKey("asked for")) == nil {
		t.Error("it keeps what is old, or forgets what was asked for")
	}
	if left, err := filepath.Glob(filepath.Join(c.dir, "*")); err != nil || len(left) != 2 {
		t.Errorf("in the folder are %v, %v", left, err)
	}
}
