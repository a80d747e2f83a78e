package traces

import (
	"encoding/json"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

// page writes a page of all fixtures.
func page(t *testing.T) string {
	t.Helper()
	var ladders []*Ladder
	for _, f := range fixtures {
		ladders = append(ladders, Layout(f.run(), f.opt))
	}
	var b strings.Builder
	if err := WriteHTML(&b, "all <fixtures> & more", ladders); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestHTMLStandsAlone: the page asks for nothing from outside and is small.
func TestHTMLStandsAlone(t *testing.T) {
	text := page(t)
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
	if text != page(t) {
		t.Error("two pages of the same ladders differ")
	}
}

// A view is what the page shows at a time.
type view struct {
	Tab, Step, Action string
	Here              string   // the row that is marked
	Causes            []string // the rows that are marked as its causes
	State             []string // "name value", with "*" before what changed
	Brief, Help       bool
}

// press is a program that presses keys, one word of keys after the other, and
// writes down a view before the first and after every word.
const press = `<pre id="said"></pre><script>
const texts = (q) => [...document.querySelectorAll(q)].map((e) => e.textContent);
const ids = (q) => [...document.querySelectorAll(q)].map((e) => e.id.split("-")[1]);
const look = () => ({
  Tab: texts("[role=tab][aria-selected=true]").join(), Step: texts("#step").join(), Action: texts("#action").join(),
  Here: ids(".mark.here").join(), Causes: ids(".mark.cause"),
  State: [...document.querySelectorAll("#state tr")].map((r) =>
    (r.classList.contains("changed") ? "*" : "") + [...r.cells].map((c) => c.textContent).join(" ")),
  Brief: document.querySelector("section:not([hidden])").classList.contains("brief"), Help: !document.getElementById("help").hidden,
});
const views = [look()];
for (const word of KEYS) {
  for (const key of word.split(" ")) document.dispatchEvent(new KeyboardEvent("keydown", { key }));
  views.push(look());
}
document.getElementById("said").textContent = JSON.stringify(views);
</script></body>`

// TestHTMLInBrowser presses keys and looks at what the page shows.
func TestHTMLInBrowser(t *testing.T) {
	browser := tool(t, "chromium", "chromium-browser", "google-chrome")
	for _, c := range []struct {
		hash string
		keys []string
		want []view
	}{
		{"", []string{"j ArrowDown", "End c ?", "e", "b c k k", "l ArrowRight l h End", "ArrowLeft Home"}, []view{
			{Tab: "order", Step: "Step 1 of 14, host app", Action: "post_send S1", Here: "mark1", Causes: []string{}, State: []string{}},
			{Tab: "order", Step: "Step 3 of 14, target HCA", Action: "ACK h0 msn=1, lost", Here: "mark3", Causes: []string{"mark1", "mark2"}, State: []string{}},
			{Tab: "order", Step: "Step 13 of 14, target HCA, after the break", Action: "ACK h0 msn=1", Here: "mark13",
				Causes: []string{"mark1", "mark2", "mark3", "mark10", "mark11"}, State: []string{}, Help: true},
			{Tab: "order", Step: "Step 8 of 14, host HCA", Action: "CQE R2 RECV", Here: "mark8",
				Causes: []string{"mark1", "mark2", "mark3", "mark4", "mark5", "mark6", "mark7"}, State: []string{}, Brief: true, Help: true},
			{Tab: "order", Step: "Step 5 of 14, target app", Action: "post_send S2", Here: "mark5",
				Causes: []string{"mark1", "mark2", "mark3", "mark4"}, State: []string{}, Brief: true, Help: true},
			{Tab: "fair", Step: "Step 11 of 11, server HCA, after the break", Action: "CQE R2 RECV, polled", Here: "mark11",
				Causes: []string{"mark1", "mark2", "mark8"}, State: []string{}, Help: true},
			{Tab: "order", Step: "Step 1 of 10, host app", Action: "post_send W1", Here: "mark1", Causes: []string{}, State: []string{}, Help: true},
		}},
		{"#3-4", []string{"k k"}, []view{
			{Tab: "clean", Step: "Step 4 of 9, host HCA", Action: "host.q goes to ERR", Here: "mark4", Causes: []string{},
				State: []string{"host.q.sq [S1 S2]", "*host.q.state RTS -> ERR", "*host.q.owes 1 -> 0"}},
			{Tab: "clean", Step: "Step 2 of 9, host app", Action: "post_send S2", Here: "mark2", Causes: []string{},
				State: []string{"*host.q.sq [S1] -> [S1 S2]", "host.q.state RTS", "host.q.owes 1"}},
		}},
	} {
		keys, err := json.Marshal(c.keys)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Replace(page(t), "</body>", strings.Replace(press, "KEYS", string(keys), 1), 1)
		var got []view
		if err := json.Unmarshal([]byte(said(t, dumpDOM(t, browser, text, c.hash))), &got); err != nil {
			t.Fatal(err)
		}
		if len(got) != len(c.want) {
			t.Fatalf("%d views, want %d", len(got), len(c.want))
		}
		for i := range c.want {
			if !reflect.DeepEqual(got[i], c.want[i]) {
				t.Errorf("at %q after %d words of %q the page shows\n%+v, want\n%+v", c.hash, i, c.keys, got[i], c.want[i])
			}
		}
	}
}

// said returns what a page's program wrote down.
func said(t *testing.T, dom string) string {
	t.Helper()
	found := regexp.MustCompile(`(?s)<pre id="said">(.*?)</pre>`).FindStringSubmatch(dom)
	if found == nil {
		t.Fatal("the browser did not finish")
	}
	return html.UnescapeString(found[1])
}

// dumpDOM returns a page as the browser has it after its programs have run.
func dumpDOM(t *testing.T, browser, text, hash string, options ...string) string {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "page.html")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--user-data-dir=" + filepath.Join(dir, "profile")}, options...)
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
