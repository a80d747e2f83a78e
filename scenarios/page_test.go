package scenarios_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck"
	layout "github.com/ibcheck/ibcheck/internal/page"
	"github.com/ibcheck/ibcheck/scenarios"
	"github.com/ibcheck/ibcheck/traces"
)

var update = flag.Bool("update", false, "write docs/catalogue.md anew")

const pageFile = "../docs/catalogue.md"

// shown are the runs that the page draws: scenario, property, and the variant
// where it is not the file as written.
var shown = []struct{ name, property, with string }{
	{"send-vs-recv-cqe", "order", ""},
	{"v1-ack-after-answer", "order", ""},
	{"v6-all-acks-lost", "error_means_unanswered", ""},
	{"m10-both-acks-lost", "order", ""},
	{"a01-founding-ladder", "slot", ""},
	{"a04-iser-unmapped-under-resend", "dma", ""},
	{"a05-xprtrdma-reply-ends-send", "wire", ""},
	{"a08-spdk-request-recycled", "identity", ""},
	{"a13-srpt-credit-before-context", "slot", ""},
	{"b01-srpt-command-before-rtu", "state", ""},
	{"b07-mooncake-peer-not-rtr", "alive", ""},
	{"c01-libfabric-arm-after-poll", "wakes", ""},
	{"c05-perftest-bounded-batch", "wakes", ""},
	{"c07-mana-rearm-of-idle-cq", "wakes", ""},
	{"d05-rccl-two-of-three", "room", ""},
	{"d08-accelio-flush-of-unsignaled", "known", ""},
	{"e02-pegaflow-read-after-timeout", "dma", ""},
	{"e11-svcrdma-unfenced-local-inv", "dma", ""},
	{"e13-ompi-window-freed-under-atomic", "dma", ""},
	{"f02-siw-fence-after-several-reads", "data", ""},
	{"f03-dcping-fence-on-the-read", "before", ""},
	{"g01-deepep-flag-overtakes-tokens", "order", ""},
	{"g04-ucx-arrived-through-shared-memory", "visible", ""},
	{"g11-sherman-sibling-and-pointer", "reader", "place = free"},
	{"h01-spdk-destroy-without-last-wqe", "serves", ""},
	{"h03-ceph-destroy-without-err", "stale", ""},
	{"h08-spdk-flush-cqes-in-shared-cq", "own", ""},
	{"i06-spdk-repost-after-response", "alive", ""},
	{"j02-atomic-response-lost", "value", ""},
	{"j03-failover-old-copy-lands", "last", ""},
	{"q13-page-fault-in-the-field", "alive", ""},
}

const pageHead = `# The catalogue

<!-- Written by go test ./scenarios -update; do not edit. -->

Every scenario that comes with the program, with what it shows, where it comes from, and
the verdicts of all its variants: the bug, the fix, the wrong fix where one is on record.
` + "`ibcheck catalog show NAME`" + ` prints a scenario, ` + "`ibcheck catalog run NAME`" + ` explores it again.

Recorded bugs have names that begin with a letter and a number: **a** the reply overtakes
the send completion, **b** traffic before the connection is established, **c** arming and
lost wake-ups, **d** queue capacity, **e** memory and keys, **f** fences, **g** visibility,
**h** teardown, **i** receive credits, **j** atomics and failover; **q** are questions of
users, **v** variants of the seed's question, **m** measurements on soft-RoCE.

A verdict stands under its profile, its dials and its budget of faults. Behind a violated
property stand the fewest faults that break it and the steps of the shortest run. *Found
unasked* names the sanitizers that fire when the file's own properties are left out.
`

func TestPage(t *testing.T) {
	text := page(t, explored(t))
	if *update && !t.Failed() {
		if err := os.WriteFile(pageFile, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	old, err := os.ReadFile(pageFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(old) == text {
		return
	}
	was, is := strings.Split(string(old), "\n"), strings.Split(text, "\n")
	n := 0
	for n < min(len(was), len(is)) && was[n] == is[n] {
		n++
	}
	next := strings.Join(is[n:min(n+3, len(is))], "\n")
	t.Errorf("%s:%d differs from what the catalogue says (go test ./scenarios -update writes it anew)\n%s", pageFile, n+1, next)
}

func page(t *testing.T, all []*entry) string {
	var out strings.Builder
	out.WriteString(pageHead)
	out.WriteString(summary(all))
	for _, g := range scenarios.Groups {
		fmt.Fprintf(&out, "\n## %s: %s\n", g.Name, g.Doc)
		if g.Name == "mutants" {
			out.WriteString("\n| scenario | what it shows | verdicts |\n| --- | --- | --- |\n")
		}
		for _, e := range all {
			switch {
			case e.group != g.Name:
			case g.Name == "mutants":
				e.row(&out)
			default:
				e.section(&out)
				e.ladders(t, &out)
			}
		}
	}
	return out.String()
}

// summary counts, and lists scenarios by feature.
func summary(all []*entry) string {
	var out strings.Builder
	var cases, variants, bugs, found int
	for _, e := range all {
		variants += len(e.variants)
		if !isCase(e) {
			continue
		}
		cases++
		for i := range e.variants {
			if v := &e.variants[i]; e.buggy(v) {
				bugs++
				found += min(len(v.caught), 1)
			}
		}
	}
	fmt.Fprintf(&out, "\n%d scenarios with %d variants, %d of them recorded bugs. Of their %d buggy variants sanitizers alone find %d.\n",
		len(all), variants, cases, bugs, found)
	for _, name := range slices.Sorted(maps.Keys(absent)) {
		fmt.Fprintf(&out, "\n%s\n", folded("There is no "+name+": "+absent[name]+"."))
	}
	out.WriteString("\n| feature | scenarios |\n| --- | --- |\n")
	for _, f := range scenarios.Features {
		var links []string
		for _, e := range all {
			if slices.Contains(e.asWritten().Tags, f.Name) {
				links = append(links, fmt.Sprintf("[%s](#%s)", short(e), e.name))
			}
		}
		fmt.Fprintf(&out, "| `%s`: %s | %s |\n", f.Name, f.Doc, strings.Join(links, " "))
	}
	return out.String()
}

// short is the number of a scenario that has one, else its name.
func short(e *entry) string {
	if number := caseName.FindString(e.name); number != "" {
		return strings.TrimSuffix(number, "-")
	}
	return e.name
}

// row is a scenario on one line of a table.
func (e *entry) row(out *strings.Builder) {
	var verdicts []string
	for i := range e.variants {
		v := &e.variants[i]
		with := ""
		if v.with != "" {
			with = "with `" + v.with + "`: "
		}
		verdicts = append(verdicts, with+v.verdicts())
	}
	fmt.Fprintf(out, "| [%s](../scenarios/%s) | %s | %s |\n", e.name, e.path, e.asWritten().Doc, strings.Join(verdicts, "; "))
}

// section is a scenario with all that is known of it.
func (e *entry) section(out *strings.Builder) {
	sc := e.asWritten()
	from := "From: " + strings.Join(sc.Refs, "; ")
	if len(sc.Clauses) > 0 {
		from += ". Decided by " + strings.Join(sc.Clauses, ", ")
	}
	from += fmt.Sprintf(". [%s.ibl](../scenarios/%s)", e.name, e.path)
	fmt.Fprintf(out, "\n### %s\n\n%s\n\n%s\n\n", e.name, folded(sc.Doc), folded(from))
	for _, p := range slices.Concat(sc.Asserts, sc.Reaches) {
		fmt.Fprintf(out, "- %s: `%s`\n", p.Name, p.Text)
	}
	out.WriteString("\n| with | under | verdicts |\n| --- | --- | --- |\n")
	for i := range e.variants {
		v := &e.variants[i]
		with := "as written"
		if v.with != "" {
			with = "`" + v.with + "`"
		}
		fmt.Fprintf(out, "| %s | %s | %s |\n", with, v.under(), v.verdicts())
	}
}

func folded(text string) string { return strings.Join(layout.Fold(text, 0), "\n") }

// under says what a verdict stands under, without budgets of nothing.
func (v *variant) under() string {
	r := v.report
	r.Faults = maps.Clone(r.Faults)
	maps.DeleteFunc(r.Faults, func(_ string, most int) bool { return most == 0 })
	return strings.TrimPrefix(r.Under(), "under profile ")
}

func (v *variant) verdicts() string {
	var words []string
	for i := range v.report.Properties {
		p := &v.report.Properties[i]
		if p.Kind == "assert" || p.Kind == "reach" {
			words = append(words, verdict(p))
		}
	}
	if len(v.caught) > 0 {
		words = append(words, "*found unasked: "+strings.Join(v.caught, ", ")+"*")
	}
	return strings.Join(words, "; ")
}

func verdict(p *ibcheck.PropertyReport) string {
	switch p.Verdict {
	case "violated":
		return fmt.Sprintf("**%s violated** (%s)", p.Name, extent(p))
	case "reachable":
		return fmt.Sprintf("%s reachable (%s)", p.Name, extent(p))
	}
	return p.Name + " " + p.Verdict
}

func extent(p *ibcheck.PropertyReport) string {
	faults := fmt.Sprintf("%d faults", p.Faults)
	if p.Faults == 1 {
		faults = "1 fault"
	}
	if p.Steps == 1 {
		return faults + ", 1 step"
	}
	return fmt.Sprintf("%s, %d steps", faults, p.Steps)
}

// ladders draws the runs of the entry that are among those shown.
func (e *entry) ladders(t *testing.T, out *strings.Builder) {
	t.Helper()
	for _, s := range shown {
		if s.name != e.name {
			continue
		}
		drawn := false
		for i := range e.variants {
			v := &e.variants[i]
			for j := range v.report.Properties {
				p := &v.report.Properties[j]
				if v.with != s.with || p.Name != s.property || p.Run == nil {
					continue
				}
				out.WriteString("\n```text\n")
				if err := v.report.Ladder(p).Write(out, traces.Style{NoEpilogue: true}); err != nil {
					t.Fatal(err)
				}
				out.WriteString("```\n")
				drawn = true
			}
		}
		if !drawn {
			t.Errorf("%s: no run of %s with %q to draw", s.name, s.property, s.with)
		}
	}
}
