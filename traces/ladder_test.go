package traces

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/spec"
)

var update = flag.Bool("update", false, "write the golden files anew")

// seedOptions are what the command line says around the seed's ladder.
var seedOptions = Options{
	Bars: []string{"S1", "R2"},
	Caption: Caption{
		Verdict: "VIOLATED, as expected", Scenario: "send-vs-recv-cqe", Property: "order: S1.cqe precedes R2.cqe",
		Pos: "seed.ibl:28:8", Minimal: "%d steps, 1 fault, minimal: holds with 0 faults (38 states); nothing shorter with 1 (112 states)",
		Broken: "order: R2 completed at %d, S1 still open",
	},
}

// golden compares text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs, go test -update writes it anew; got:\n%s\nwant:\n%s", path, got, want)
	}
}

func write(t *testing.T, run *spec.Run, opt Options, s Style) string {
	t.Helper()
	var b strings.Builder
	if err := Layout(run, opt).Write(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestFixtures pins every form of every fixture.
func TestFixtures(t *testing.T) {
	for _, f := range fixtures {
		var b strings.Builder
		for _, form := range []struct {
			name  string
			style Style
		}{
			{"unicode", Style{}},
			{"ascii, state", Style{Form: ASCII, State: true}},
			{"wide", Style{Wide: true, NoEpilogue: true}},
			{"lore", Style{Form: Lore}},
		} {
			b.WriteString("-- " + form.name + " --\n" + write(t, f.run(), f.opt, form.style))
		}
		golden(t, f.name+".txt", b.String())
	}
}
