package scenario

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/spec"
)

const page = "../../docs/language.md"

// TestLanguagePage holds every table of docs/language.md against the rows, and
// every place of the language against the page. A table follows a comment
// <!-- table: NAME -->, NAME a place as Where names it, or one made below.
func TestLanguagePage(t *testing.T) {
	shown := holdTables(t, page)
	for _, name := range append([]string{"arguments", "dials", "choices"}, whereNames...) {
		if !slices.Contains(shown, name) && name != "in assume" {
			t.Errorf("the page has no table %q", name)
		}
	}
}

// TestEditorPage does the same with the table of docs/editor.md.
func TestEditorPage(t *testing.T) {
	if shown := holdTables(t, "../../docs/editor.md"); !slices.Contains(shown, "lint") {
		t.Error("the page has no table of what lint finds")
	}
}

// holdTables holds the tables of a page against the rows, and returns which it
// has.
func holdTables(t *testing.T, page string) []string {
	t.Helper()
	src, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	mark := regexp.MustCompile(`(?m)^<!-- table: (.*) -->\n(?:\|.*\n|\n\|.*\n)*`)
	var shown []string
	text := mark.ReplaceAllStringFunc(string(src), func(m string) string {
		name := mark.FindStringSubmatch(m)[1]
		shown = append(shown, name)
		table := tableOf(name)
		if table == "" {
			t.Errorf("no table %q", name)
		}
		return "<!-- table: " + name + " -->\n" + table
	})
	golden(t, page, text)
	return shown
}

// tableOf makes a table, "" if there is none of that name.
func tableOf(name string) string {
	switch name {
	case "arguments":
		return argumentTable()
	case "dials":
		return dialTable()
	case "lint":
		return lintTable()
	case "choices":
		return rowTable(func(r *Row) bool { return r.In&(InAssume|InFaults) != 0 && (r.Word == "if" || r.Word == "profile") })
	}
	i := slices.Index(whereNames, name)
	if i < 0 {
		return ""
	}
	return rowTable(func(r *Row) bool { return r.In&(1<<i) != 0 })
}

func rowTable(has func(*Row) bool) string {
	var b strings.Builder
	b.WriteString("\n| written | meaning | source |\n| --- | --- | --- |\n")
	for _, r := range Table() {
		if !has(r) {
			continue
		}
		doc := strings.ReplaceAll(r.Doc, "|", `\|`)
		if r.Also != "" {
			doc += "; also `" + strings.Join(strings.Fields(r.Also), "`, `") + "`"
		}
		written := usage(r)
		if lo, hi, ok := r.Bounds(); ok {
			doc += fmt.Sprintf("; %d to %d", lo, hi)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", written, doc, r.Fact)
	}
	return b.String()
}

func argumentTable() string {
	var kinds []string
	for k := range argWords {
		if k != aOptions {
			kinds = append(kinds, string(k))
		}
	}
	slices.Sort(kinds)
	var b strings.Builder
	b.WriteString("\n| in the tables | is |\n| --- | --- |\n")
	for _, k := range kinds {
		fmt.Fprintf(&b, "| `%s` | %s |\n", k, argWords[argKind(k)])
	}
	b.WriteString("| `OPTIONS` | options, each at most once |\n| `{…}` | a block |\n| `X,…` | one or more X, separated by commas |\n" +
		"| `[ X ]` | X or nothing |\n| `[ X ]…` | X any number of times |\n")
	return b.String()
}

func lintTable() string {
	var b strings.Builder
	b.WriteString("\n| code | what it says |\n| --- | --- |\n")
	for _, c := range Checks() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", c.Code, c.Doc)
	}
	return b.String()
}

func dialTable() string {
	var b strings.Builder
	b.WriteString("\n| dial | values | `iba` | `arrival_order` | meaning | source |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, d := range spec.Dials {
		values := strings.Join(d.Values, ", ")
		if d.Number {
			values += ", a number"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", d.Name, values, d.IBA, d.ArrivalOrder, d.Doc, d.Fact)
	}
	return b.String()
}

// TestExamplesOfThePage: every scenario that the page shows is valid, but for
// the one that shows mistakes. What is no whole file is tried in one.
func TestExamplesOfThePage(t *testing.T) {
	src, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?ms)^```ibl[a-z ]*\n(.*?)^```$").FindAllStringSubmatchIndex(string(src), -1)
	if len(blocks) < 8 {
		t.Fatalf("%d examples", len(blocks))
	}
	for _, at := range blocks {
		text := string(src[at[2]:at[3]])
		before := string(src[:at[0]])
		if strings.HasSuffix(before, "<!-- file: mistakes.ibl -->\n") {
			continue
		}
		if strings.HasSuffix(before, "<!-- file: messy.ibl -->\n") {
			text += "connect a.q <-> b.q\nnode b { cq c; qp q { send_cq c; recv_cq c } }\n"
		}
		if _, errs := Parse("example", []byte(completed(text)), Options{}); errs != nil {
			t.Errorf("line %d: %v\n%s", strings.Count(before, "\n")+1, errs.Err(), text)
		}
	}
}

// completed makes a file of an example: statements of the top level are given
// two nodes, others are put in one.
func completed(text string) string {
	if strings.Contains(text, "node ") {
		return text
	}
	own, top := "", text
	if first, _, _ := strings.Cut(strings.TrimSpace(text), " "); lookup(InFile, first) == nil {
		own, top = text, ""
	} else {
		own = "post_recv q R1\n"
	}
	if !strings.Contains(own, "post_send q S1") {
		own += "post_send q S1 SEND SIGNALED\n"
	}
	return "connect host.q <-> target.q\nnode host { cq c; qp q { send_cq c; recv_cq c }\n" + own + "}\n" +
		"node target { cq c; mr buf { access REMOTE_WRITE }; qp q { send_cq c; recv_cq c } }\n" + top
}
