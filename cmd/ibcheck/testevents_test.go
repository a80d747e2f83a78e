package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/jstemmer/go-junit-report/v2/gtr"
	"github.com/jstemmer/go-junit-report/v2/parser/gotest"
)

// smallest is a scenario of one SEND, with the verdict that is expected.
func smallest(expect string) string {
	return `litmus "smallest" { doc "One SEND." }
connect a.q <-> b.q
node a { cq c; qp q { qp_type RC; send_cq c; recv_cq c }; post_send q S1 SEND SIGNALED }
node b { cq c; qp q { qp_type RC; send_cq c; recv_cq c }; post_recv q R1 }
param late = false
reach both: S1.cqe and R1.cqe  expect ` + expect + `
check with late = true { both ` + expect + ` }
`
}

// TestEventsRead lets a parser of others read what test --json prints.
func TestEventsRead(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if err := os.MkdirAll("deep/er", 0o777); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("deep/a.ibl", smallest("reachable"))
	write("deep/er/b.ibl", smallest("unreachable"))
	write("deep/z.ibl", "nod")
	var out, errs bytes.Buffer
	code := run([]string{"test", "--json", "./..."}, nil, &out, &errs)
	if code != 2 || errs.Len() > 0 {
		t.Fatalf("exit code %d: %s%s", code, &out, &errs)
	}
	report, err := gotest.NewJSONParser().Parse(&out)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]gtr.Result{}
	output := map[string]string{}
	for _, pkg := range report.Packages {
		for _, test := range pkg.Tests {
			got[pkg.Name+" "+test.Name] = test.Result
			output[test.Name] = strings.Join(test.Output, "\n")
		}
	}
	want := map[string]gtr.Result{
		"deep a":                                 gtr.Pass,
		"deep a/both":                            gtr.Pass,
		"deep a/20_built-in_checks":              gtr.Pass,
		"deep a/late_=_true:_both":               gtr.Pass,
		"deep a/late_=_true:_20_built-in_checks": gtr.Pass,
		"deep z":                                 gtr.Fail,
		"deep z/scenario":                        gtr.Fail,
		"deep/er b":                              gtr.Fail,
		"deep/er b/both":                         gtr.Fail,
		"deep/er b/late_=_true:_both":            gtr.Fail,
	}
	for name, result := range want {
		if got[name] != result {
			t.Errorf("%s is %v, want %v; got %v", name, got[name], result, got)
		}
	}
	if !strings.Contains(output["b/both"], "b.ibl:6:7: both: REACHABLE, expected unreachable") || !strings.Contains(output["b/both"], "CQE S1 SEND") {
		t.Errorf("the failure says %q", output["b/both"])
	}
	code = run([]string{"test", "--json", "-o", "tap", "deep"}, nil, &out, &errs)
	if code != 2 || !strings.Contains(errs.String(), "cannot be combined with -o tap") {
		t.Errorf("exit code %d: %s", code, &errs)
	}
}
