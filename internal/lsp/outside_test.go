package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/internal/npm"
)

// TestMain lets the test binary be the server that clients start.
func TestMain(m *testing.M) {
	if os.Getenv("IBCHECK_TEST_SERVER") == "" {
		os.Exit(m.Run())
	}
	stdio := struct {
		io.Reader
		io.WriteCloser
	}{os.Stdin, os.Stdout}
	if err := Serve(context.Background(), stdio, Options{Check: ibcheck.Options{MaxStates: 200_000, MaxMem: 256 << 20, Workers: 1}, Version: "test"}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serverPath makes what the environment says start the server, and returns it.
func serverPath(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("IBCHECK_TEST_SERVER", "1")
	return path
}

var lensWithVerdict = regexp.MustCompile(`^▶ run \(violated with 1 fault in \d+ steps, as expected\)$`)

// TestTheClientOfVSCode walks through everything with the protocol library that
// VS Code uses.
func TestTheClientOfVSCode(t *testing.T) {
	home := npm.Modules(t, "../../editors/test")
	script, err := filepath.Abs("testdata/client.js")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "seed.ibl")
	if err := os.WriteFile(file, []byte(catalogue(t, "seed/send-vs-recv-cqe")), 0o666); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("node", script, serverPath(t), file)
	c.Dir = home
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Bad  []string
		Seen struct {
			Server, Mistake, Hover, RenameFrom, Refused, Lens, LensAfter, Verdict string
			AfterFix, References, Renames, Formatting, Refreshed, Exit            int
			Definition                                                            struct{ Line, Character int }
			Completions, Symbols                                                  []string
		}
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	for _, b := range got.Bad {
		t.Errorf("not as the protocol has it: %s", b)
	}
	s := got.Seen
	for _, c := range []struct {
		what string
		ok   bool
	}{
		{"server", s.Server == "ibcheck"}, {"mistake", strings.HasPrefix(s.Mistake, "no cq named `sqc`")}, {"fix", s.AfterFix == 0},
		{"hover", strings.Contains(s.Hover, "ibv_post_send")}, {"definition", s.Definition.Line > 5}, {"references", s.References > 2},
		{"rename", s.RenameFrom == "S1" && s.Renames == s.References}, {"refusal", strings.Contains(s.Refused, "a word of the language")},
		{"completion", slices.Contains(s.Completions, "FENCE")}, {"outline", slices.Contains(s.Symbols, "order")}, {"format", s.Formatting == 0},
		{"lens", s.Lens == "▶ run"}, {"run", s.Verdict == "violated" && s.Refreshed == 1}, {"verdict", lensWithVerdict.MatchString(s.LensAfter)}, {"exit", s.Exit == 0},
	} {
		if !c.ok {
			t.Errorf("%s is not as it should be: %+v", c.what, s)
		}
	}
}

// TestTheClientOfNeovim lets neovim edit a scenario with the server's help.
func TestTheClientOfNeovim(t *testing.T) {
	if _, err := exec.LookPath("nvim"); err != nil {
		t.Skip("no nvim here")
	}
	script, err := filepath.Abs("testdata/client.lua")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	seed := catalogue(t, "seed/send-vs-recv-cqe")
	torn := strings.Replace(strings.Replace(seed, "send_cq scq", "send_cq sqc", 1), "  post_recv q R2", "post_recv q R2", 1)
	if err := os.WriteFile(dir+"/seed.ibl", []byte(torn), 0o666); err != nil {
		t.Fatal(err)
	}
	server := serverPath(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, "nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", "luafile "+script)
	c.Dir = dir
	c.Env = append(os.Environ(), "IBL_FILE="+dir+"/seed.ibl", "IBL_ANSWERS="+dir+"/answers", "IBL_SERVER="+server, "HOME="+dir, "TERM=dumb")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var seen struct {
		Mistakes               []string
		Fix, Hover, Text, Lens string
		AfterFix, Exit         int
	}
	answers, err := os.ReadFile(dir + "/answers")
	if err == nil {
		err = json.Unmarshal(answers, &seen)
	}
	if err != nil {
		t.Fatalf("%v in %s", err, answers)
	}
	if len(seen.Mistakes) != 1 || !strings.HasPrefix(seen.Mistakes[0], "no cq named `sqc`") || seen.Fix != "Write `scq`" || seen.AfterFix != 0 {
		t.Errorf("mistakes %q, fixed by %q, %d left", seen.Mistakes, seen.Fix, seen.AfterFix)
	}
	if want := strings.ReplaceAll(strings.ReplaceAll(seed, "S1.", "ask."), "q S1", "q ask"); seen.Text != want {
		t.Errorf("renamed and formatted, it is\n%s, want\n%s", seen.Text, want)
	}
	if !strings.Contains(seen.Hover, "ibv_post_send") || !lensWithVerdict.MatchString(seen.Lens) || seen.Exit != 0 {
		t.Errorf("hover %q, lens %q, exit code %d", seen.Hover, seen.Lens, seen.Exit)
	}
}
