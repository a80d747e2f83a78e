package scenario

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files and generated tables anew")

// golden compares what was made with a file, or writes it.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test ./spec/scenario -update writes it anew); got\n%s", path, got)
	}
}

func TestFormatGolden(t *testing.T) {
	src, err := os.ReadFile("testdata/format.in")
	if err != nil {
		t.Fatal(err)
	}
	out, errs := Format(src)
	if errs != nil {
		t.Fatal(errs.Err())
	}
	golden(t, "testdata/format.golden", string(out))
}

func TestFormatRefuses(t *testing.T) {
	for src, want := range map[string]string{
		"node a {":              "`{` is never closed",
		"node a }":              "no `{` after `node`",
		"}\nnode a { }":         "closes nothing",
		`litmus "x {` + "\n}":   "string without an end",
		"connect a.q <-> ; x":   "nothing after",
		"else { }":              "does not begin a statement",
		"node a { é }\nnode b ": "illegal character",
	} {
		out, errs := Format([]byte(src))
		if out != nil || len(errs) != 1 || !strings.Contains(errs[0].Msg, want) && !strings.Contains(errs[0].Error(), want) {
			t.Errorf("%q: %v, want %q", src, errs.Err(), want)
		}
	}
}

// TestRender pins how mistakes look, with and without colours, tabs included.
func TestRender(t *testing.T) {
	src := "connect h.q <-> t.q\nnode h {\n\tcq  scq, rcq\n\tqp  q { send_cq sqc; recv_cq rcq; timeout 99 }\n" +
		"\tpost_send q S1 SEND → SIGNALED\n\tpost_send q\n}\nnode t { cq c; qp q { send_cq c; recv_cq c } }\nassert x: S1.cqe expect sure\n"
	_, errs := Parse("seed.ibl", []byte(src), Options{})
	var plain, color strings.Builder
	if err := errs.Render(&plain, false); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/render.golden", plain.String())
	if err := errs.RenderWarnings(&color, true); err != nil {
		t.Fatal(err)
	}
	bare := color.String()
	for _, code := range []string{"\x1b[1;33m", "\x1b[34m", "\x1b[0m"} {
		if !strings.Contains(bare, code) {
			t.Errorf("no %q among the colours", code)
		}
		bare = strings.ReplaceAll(bare, code, "")
	}
	if strings.ReplaceAll(bare, "warning:", "error:") != plain.String() {
		t.Errorf("colours change the text:\n%s", bare)
	}
}

func TestJSON(t *testing.T) {
	f := parse(t, "node a { cq c { depth 4 } }\nassert x: true")
	out, err := f.JSON()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/json.golden", string(out))
}
