package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/internal/docs"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ibcheck": main})
}

// TestScripts runs the scripts of testdata/script, one or more for each verb.
func TestScripts(t *testing.T) {
	if _, err := exec.LookPath("man"); err != nil && os.Getenv("IBCHECK_NEED_TOOLS") != "" {
		t.Error(err) // without it the script of manual pages says less
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("LANG", "C.UTF-8")
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":    exits,
			"timeless": sameButForTime,
			"break":    breakFiles,
		},
	})
}

// exits is the script command "exits N PROGRAM ARGS...": it ends with N.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// sameButForTime is the script command "timeless A B": two files say the same,
// if not as fast.
func sameButForTime(ts *testscript.TestScript, _ bool, args []string) {
	a, b := docs.WithoutClock(ts.ReadFile(args[0])), docs.WithoutClock(ts.ReadFile(args[1]))
	if a != b {
		ts.Fatalf("%s differs from %s:\n%s\n%s", args[0], args[1], a, b)
	}
}

// breakFiles is the script command "break FOLDER": it cuts all files in two.
func breakFiles(ts *testscript.TestScript, _ bool, args []string) {
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, e := range entries {
		name := filepath.Join(ts.MkAbs(args[0]), e.Name())
		info, err := e.Info()
		ts.Check(err)
		ts.Check(os.Truncate(name, info.Size()/2))
	}
}

// A panickingReader stands for a fault of the program.
type panickingReader struct{}

func (panickingReader) Read([]byte) (int, error) { panic("slice bounds out of range") }

func TestAPanicGivesExitCode70AndAReproducer(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run([]string{"fmt", "-"}, panickingReader{}, &out, &errs); code != ibcheck.ExitInternal {
		t.Errorf("exit code %d, want %d", code, ibcheck.ExitInternal)
	}
	for _, want := range []string{"internal error: slice bounds out of range", "ibcheck fmt -", "version", "cli_test.go"} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("no %q in\n%s", want, &errs)
		}
	}
	if out.Len() > 0 {
		t.Errorf("printed %q", &out)
	}
}

// A failingReader stands for a file that cannot be read.
type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, errors.New("disk on fire") }

func TestAnErrorOfTheSystemIsNotInternal(t *testing.T) {
	var errs bytes.Buffer
	if code := run([]string{"fmt", "-"}, failingReader{}, io.Discard, &errs); code != ibcheck.ExitUsage {
		t.Errorf("exit code %d, want %d: %s", code, ibcheck.ExitUsage, &errs)
	}
}

func TestFailureOfATestIsOneLine(t *testing.T) {
	bug := &explore.ModelError{Err: errors.New("panic: index out of range\ngoroutine 1 [running]:")}
	o := outcome{path: "a b.ibl"}.with(failure("a b.ibl", bug))
	want := "FAIL  a b.ibl  internal error: initial states: panic: index out of range (see ibcheck check 'a b.ibl')"
	if o.line() != want || o.exit != ibcheck.ExitInternal {
		t.Errorf("got %d, %q; want %q", o.exit, o.line(), want)
	}
	o = outcome{path: "x.ibl"}.with(failure("x.ibl", errors.New("x.ibl:3:1: no such thing")))
	if want := "FAIL  x.ibl  x.ibl:3:1: no such thing"; o.line() != want || o.exit != ibcheck.ExitUsage {
		t.Errorf("got %d, %q; want %q", o.exit, o.line(), want)
	}
}

func TestTheSecondInterruptQuits(t *testing.T) {
	var said strings.Builder
	quit := make(chan int)
	a := &app{stderr: &said, quit: func(code int) { quit <- code }}
	ctx, stop := a.interruptible()
	defer stop()
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := self.Signal(os.Interrupt); err != nil {
			t.Skipf("cannot interrupt a process here: %v", err)
		}
		<-ctx.Done() // after the first signal, and before the second
	}
	if code := <-quit; code != exitInterrupted {
		t.Errorf("quit with %d, want %d", code, exitInterrupted)
	}
	if !strings.Contains(said.String(), "a second Ctrl-C quits at once") {
		t.Errorf("said %q", &said)
	}
}
