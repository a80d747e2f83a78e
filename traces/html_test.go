package traces

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// page writes a page of all fixtures. The keys are pressed when it is loaded.
func page(t *testing.T, keys string) string {
	t.Helper()
	var ladders []*Ladder
	for _, f := range fixtures {
		ladders = append(ladders, Layout(f.run(), f.opt))
	}
	var b strings.Builder
	if err := WriteHTML(&b, "all <fixtures> & more", ladders); err != nil {
		t.Fatal(err)
	}
	script := ""
	for _, key := range strings.Fields(keys) {
		script += "document.dispatchEvent(new KeyboardEvent('keydown', {key: '" + key + "'}));"
	}
	return strings.Replace(b.String(), "</body>", "<script>"+script+"</script></body>", 1)
}

// TestHTMLStandsAlone: the page asks for nothing from outside and is small.
func TestHTMLStandsAlone(t *testing.T) {
	text := page(t, "")
	if n := len(text); n > 2<<20 {
		t.Errorf("the page has %d bytes", n)
	}
	for _, bad := range []string{"src=", "href=", "@import", "url(", "fetch(", "XMLHttpRequest", "<link", "<fixtures>"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	for _, want := range []string{"default-src 'none'", "all &lt;fixtures&gt; &amp; more", `role="tab"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if text != page(t, "") {
		t.Error("two pages of the same ladders differ")
	}
}

// TestHTMLInBrowser presses keys and reads what the page says.
func TestHTMLInBrowser(t *testing.T) {
	browser := tool(t, "chromium", "chromium-browser", "google-chrome")
	for _, c := range []struct {
		hash, keys string
		want       []string
	}{
		{"", "?", []string{`<h2 id="step">Step 1 of 14, host app</h2>`, `<p id="action">post_send S1</p>`,
			"nothing: it was possible from the start", `<div id="help">`}},
		{"#99-1", "j j", []string{"Step 3 of 14, target HCA", "ACK h0 msn=1, lost", "<dd>drop(ACK) 1/1</dd>", `class="mark here" id="p0-mark3"`}},
		{"#0-14", "e c", []string{"Step 7 of 14, host HCA", `aria-labelledby="tab0" class="brief"`, `class="mark cause" id="p0-mark1"`}},
		{"#3-4", "", []string{`<tr class="changed"><td>host.q.state</td><td>RTS -&gt; ERR</td></tr>`, `<tr><td>host.q.sq</td><td>[S1 S2]</td></tr>`}},
		{"#0-4", "l l l h k End Home b", []string{"Step 7 of 11, b HCA", `id="tab2" aria-controls="ladder2" aria-selected="true"`}},
	} {
		got := dumpDOM(t, browser, page(t, c.keys), c.hash)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				panel := got[max(strings.Index(got, "<aside>"), 0):]
				t.Errorf("at %q after keys %q the page lacks %q; its panel:\n%s", c.hash, c.keys, want, panel[:min(len(panel), 3000)])
			}
		}
	}
}

// dumpDOM returns a page as the browser has it after its programs have run.
func dumpDOM(t *testing.T, browser, text, hash string, options ...string) string {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "page.html")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--user-data-dir=" + filepath.Join(dir, "profile")}, options...)
	cmd := exec.Command(browser, append(args, "--dump-dom", "file://"+path+hash)...)
	cmd.WaitDelay = time.Second
	timer := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer timer.Stop()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", browser, err)
	}
	return string(out)
}
