package traces

import (
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/spec"
)

func sequences(t *testing.T, l *Ladder) (mermaid, plantUML string) {
	t.Helper()
	texts := make([]string, 2)
	for i, write := range []func(io.Writer, Style) error{l.WriteMermaid, l.WritePlantUML} {
		var b strings.Builder
		if err := write(&b, Style{}); err != nil {
			t.Fatal(err)
		}
		texts[i] = b.String()
	}
	return texts[0], texts[1]
}

// diagrams are the fixtures and some random runs in both notations.
func diagrams(t *testing.T) (mermaid, plantUML []string) {
	for _, f := range fixtures {
		m, p := sequences(t, Layout(f.run(), f.opt))
		mermaid, plantUML = append(mermaid, m), append(plantUML, p)
	}
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 6))
		run := randomRun(r, 30)
		run.Events[0].Kind = spec.EvNote
		run.Events[0].Text = `words; that # might <b>mean</b> "more": end -- __x__ **y** //z// ~ \n %% note`
		m, p := sequences(t, Layout(run, randomOptions(r)))
		mermaid, plantUML = append(mermaid, m), append(plantUML, p)
	}
	return mermaid, plantUML
}

func TestSequences(t *testing.T) {
	for _, f := range fixtures {
		m, p := sequences(t, Layout(f.run(), f.opt))
		golden(t, f.name+".mmd", m)
		golden(t, f.name+".puml", p)
	}
}

// TestPlantUMLReads lets PlantUML check every diagram.
func TestPlantUMLReads(t *testing.T) {
	program := tool(t, "plantuml")
	_, texts := diagrams(t)
	dir := t.TempDir()
	for i, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, string(rune('a'+i))+".puml"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(program, "-checkonly", "-failfast2", filepath.Join(dir, "*.puml"))
	if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "rror") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestMermaidReads lets Mermaid draw every diagram in a browser, and looks for
// the words of the first row in the drawing.
func TestMermaidReads(t *testing.T) {
	browser := tool(t, "chromium", "chromium-browser", "google-chrome")
	library, err := os.ReadFile(os.Getenv("IBCHECK_MERMAID"))
	if err != nil {
		t.Skip("IBCHECK_MERMAID does not name mermaid.min.js")
	}
	texts, _ := diagrams(t)
	data, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	page := `<!doctype html><meta charset="utf-8"><pre id="said"></pre>
<script>` + strings.ReplaceAll(string(library), "</script", `<\/script`) + `</script>
<script>
(async () => {
  const said = [];
  mermaid.initialize({ startOnLoad: false });
  for (const [i, text] of ` + string(data) + `.entries()) {
    try {
      const { svg } = await mermaid.render("d" + i, text);
      const e = document.createElement("div");
      e.innerHTML = svg;
      said.push(i + " " + [...e.querySelectorAll("text")].map((t) => t.textContent).filter((t) => t.startsWith("1 ")).join(" "));
    } catch (e) { said.push(i + " FAILED " + e.message); }
  }
  document.getElementById("said").textContent = said.join("\n") + "\nDONE";
})();
</script>`
	words := said(t, dumpDOM(t, browser, page, "", "--virtual-time-budget=30000"))
	if !strings.Contains(words, "DONE") {
		t.Fatal("the browser did not finish")
	}
	lines := strings.Split(words, "\n")
	for i, f := range fixtures {
		if action := Layout(f.run(), f.opt).Rows()[0].Action; !strings.Contains(lines[i], "1 "+action) {
			t.Errorf("%s: the drawing says %q, want the row %q", f.name, lines[i], action)
		}
	}
	for i, line := range lines {
		if strings.Contains(line, "FAILED") {
			t.Errorf("%s\n%s", line, texts[i])
		}
	}
}
