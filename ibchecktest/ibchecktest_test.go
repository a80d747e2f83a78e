package ibchecktest_test

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/ibchecktest"
)

var update = flag.Bool("update", false, "record the reports of the scenarios anew")

func TestRun(t *testing.T) {
	ibchecktest.Run(t, "testdata/*.ibl", ibchecktest.Update(*update))
}

func TestCheck(t *testing.T) {
	s := ibchecktest.Check(t, ibcheck.MustParse("answer", answer(t)), ibchecktest.With(ibcheck.Options{Workers: 2, MaxMem: 100 << 20}))
	if p := s.Variants[0].Property("reuse"); p == nil || p.Verdict != "violated" || p.Faults != 1 {
		t.Errorf("got %+v", p)
	}
}

func answer(t *testing.T) string {
	t.Helper()
	src, err := os.ReadFile("testdata/answer.ibl")
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// failing are tests that fail; a test below runs them in a process of their own.
var failing = map[string]func(t *testing.T){
	"verdict": func(t *testing.T) { ibchecktest.Run(t, "wrong.ibl") },
	"mistake": func(t *testing.T) { ibchecktest.Run(t, "mistake.ibl") },
	"limit":   func(t *testing.T) { ibchecktest.Run(t, "answer.ibl", ibchecktest.With(ibcheck.Options{MaxStates: 10})) },
	"differs": func(t *testing.T) { ibchecktest.Run(t, "recorded.ibl") },
	"nothing": func(t *testing.T) { ibchecktest.Run(t, "*.none") },
	"options": func(t *testing.T) {
		f := ibcheck.MustParse("x", answer(t))
		if s := ibchecktest.Check(t, f, ibchecktest.With(ibcheck.Options{Profile: "none"})); s != nil {
			t.Error("a report without a profile")
		}
	},
}

func TestInner(t *testing.T) {
	if f := failing[os.Getenv("IBCHECKTEST_INNER")]; f != nil {
		f(t)
	}
}

func TestFailures(t *testing.T) {
	program, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	src := answer(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"answer.ibl":            src,
		"testdata/answer.ibl":   src,
		"wrong.ibl":             strings.Replace(src, "{ reuse violated }", "{ reuse holds }", 1),
		"mistake.ibl":           "nod a { }\n",
		"recorded.ibl":          src,
		"recorded.ibl.expected": "# another\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, wants := range map[string][]string{
		"verdict": {"--- FAIL: TestInner/wrong/lossy_=_1:_reuse ", "wrong.ibl:28:8: VIOLATED, expected holds: ask.cqe precedes answer.cqe", "✗┄ ACK c0",
			"--- PASS: TestInner/wrong/reuse "},
		"mistake": {"--- FAIL: TestInner/mistake ", "mistake.ibl:1:1: "},
		"limit":   {"--- FAIL: TestInner/answer/exploration ", "stopped at the limit on states", "--- FAIL: TestInner/answer/reuse ", "undecided"},
		"differs": {"--- FAIL: TestInner/recorded ", "the report differs from recorded.ibl.expected", "-# another\n", "+# answer\n"},
		"nothing": {"no file matches *.none"},
		"options": {"no profile `none`"},
	} {
		inner := exec.Command(program, "-test.run=^TestInner$", "-test.v")
		inner.Dir = dir
		inner.Env = append(os.Environ(), "IBCHECKTEST_INNER="+name)
		out, err := inner.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || strings.Contains(string(out), "panic") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		for _, want := range wants {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s: no %q in\n%s", name, want, out)
			}
		}
	}
}
