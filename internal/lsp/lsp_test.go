package lsp

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

const pair = `litmus "pair" { doc "x"; ref "y" }
connect host.q <-> target.q
node host {
  cq  scq, rcq
  qp  q { send_cq scq; recv_cq rcq }
  post_recv q R2
  post_send q S1 SEND SIGNALED
}
node target {
  cq  c
  qp  q { send_cq c; recv_cq c }
  post_recv q R1
  on R1.wc { post_send q S2 SEND }
}
assert order: S1.cqe precedes R2.cqe expect holds
`

func TestMistakesAsYouType(t *testing.T) {
	c := greeted(t)
	d := c.open("file:///x/pair.ibl", strings.NewReplacer("send_cq scq", "send_cq sqc", "precedes R2", "preceeds R2").Replace(pair))
	list := d.diagnostics()
	want := []string{"sqc: no cq named `sqc` on node host: not declared\ndid you mean `scq`? (cqs of node host: rcq, scq)",
		"preceeds: `preceeds` after the end of the statement\ndid you mean `precedes`?"}
	if got := d.shown(list); !slices.Equal(got, want) {
		t.Fatalf("diagnostics are\n%q, want\n%q", got, want)
	}
	for len(list) > 0 {
		var actions []protocol.CodeAction
		c.call("textDocument/codeAction", d.whole(fmt.Sprintf(`,"range":%s,"context":{"diagnostics":[]}`, compact(list[0].Range))), &actions)
		if len(actions) != 1 || actions[0].Kind != protocol.QuickFix || !strings.HasPrefix(actions[0].Title, "Write `") || !actions[0].IsPreferred {
			t.Fatalf("quick fixes of %s are %+v", list[0].Message, actions)
		}
		d.apply(actions[0].Edit.Changes[protocol.DocumentURI(d.uri)])
		list = d.diagnostics()
	}
	if d.text != pair {
		t.Errorf("fixed, it is\n%s", d.text)
	}
	d.change(strings.Replace(pair, "cq  c\n", "cq  c, spare\n", 1))
	list = d.diagnostics()
	if got := d.shown(list); !slices.Equal(got, []string{"spare: cq `spare` is not used: named nowhere else\nname it in a qp, or leave it out"}) ||
		list[0].Code != "unused-cq" || !slices.Equal(list[0].Tags, []protocol.DiagnosticTag{protocol.DiagnosticTagUnnecessary}) {
		t.Errorf("findings are %+v", list)
	}
	c.notify("textDocument/didClose", d.whole())
	e := c.open("file:///x/other.ibl", pair)
	e.diagnostics()
	c.wait("clearing of the closed document", func() bool {
		return slices.ContainsFunc(c.messages, func(m message) bool {
			return strings.Contains(string(m.Params), `"uri":"file:///x/pair.ibl","diagnostics":[]`)
		})
	})
}

// TestPositionsAreUTF16: characters outside of the basic plane are two units.
func TestPositionsAreUTF16(t *testing.T) {
	c := greeted(t)
	text := strings.Replace(pair, `litmus "pair" { doc "x"; ref "y" }`, `litmus "pair" { doc "𝔞é"; ref "y"; wat "𝔟" }`, 1)
	d := c.open("file:///x/pair.ibl", text)
	if got := d.shown(d.diagnostics()); len(got) != 1 || !strings.HasPrefix(got[0], "wat: no statement `wat`") {
		t.Errorf("diagnostics are %q", got)
	}
	d.apply([]protocol.TextEdit{{Range: protocol.Range{Start: d.find("wat", 1, 3), End: d.find("wat", 1, 0)}, NewText: "ref"}})
	if got := d.shown(d.diagnostics()); len(got) != 0 {
		t.Errorf("mended, it still has %q", got)
	}
	if !strings.Contains(d.text, `"𝔞é"; ref "y"; ref "𝔟"`) {
		t.Errorf("the text is %s", d.text)
	}
}

func TestHover(t *testing.T) {
	c := greeted(t)
	d := c.open("file:///x/pair.ibl", pair+"assume { profile rxe; ack.coalesce 2 }\n")
	for _, q := range []struct {
		at   string
		nth  int
		want []string
	}{
		{"post_send", 1, []string{"```ibl\npost_send QP WR OPCODE OPTIONS\n```", "`ibv_post_send`, `ib_post_send`", "posts a work request to the send queue (F8.1)"}},
		{"SIGNALED", 1, []string{"`IBV_SEND_SIGNALED`, `IB_SEND_SIGNALED`", "a success CQE is wanted (F2.10)"}},
		{"precedes", 1, []string{"B never happens unless A happened in an earlier step"}},
		{"S1", 2, []string{"**WR** `S1` of node `host`", "- SEND SIGNALED on host.q", "- may be taken by: R1", "- its CQE goes to scq", "implicit poller", "- asked by order"}},
		{"R1", 1, []string{"- may take: S1", "handled by the `on` in line 13"}},
		{"host", 1, []string{"**node** `host`", "posts R2, S1"}},
		{"scq", 1, []string{"**cq** `scq`", "completions of sends on: q"}},
		{"order", 1, []string{"**property** `order`", "`S1.cqe precedes R2.cqe`", "expected: holds"}},
		{"cqe", 1, []string{"cqe", "the HCA has written its CQE"}},
		{"ack.coalesce", 1, []string{"how many owed ACKs may be merged", "- `unbounded`: in iba", "- `none`: in arrival_order, rxe", "- or a number"}},
		{"rxe", 1, []string{"Linux soft-RoCE", "- `ack.coalesce none`: how many"}},
		{"holds", 1, []string{"of an assert: true of all runs"}},
	} {
		var h protocol.Hover
		c.call("textDocument/hover", d.on(d.find(q.at, q.nth, 1)), &h)
		for _, w := range q.want {
			if !strings.Contains(h.Contents.Value, w) {
				t.Errorf("over %s: no %q in\n%s", q.at, w, h.Contents.Value)
			}
		}
		if h.Range == nil || d.text[d.at(h.Range.Start):d.at(h.Range.End)] != q.at {
			t.Errorf("over %s: the range is %+v", q.at, h.Range)
		}
	}
	if m := c.answer(c.ask("textDocument/hover", d.on(d.find("<->", 1, 1)))); string(m.Result) != "null" {
		t.Errorf("over an operator: %s", m.Result)
	}
}

// places writes locations as line:column, both from 1.
func places(list []protocol.Location) string {
	var out []string
	for _, l := range list {
		out = append(out, fmt.Sprintf("%s:%d:%d", filepath.Base(string(l.URI)), l.Range.Start.Line+1, l.Range.Start.Character+1))
	}
	return strings.Join(out, " ")
}

func TestNames(t *testing.T) {
	c := greeted(t)
	d := c.open("file:///x/pair.ibl", pair)
	var list []protocol.Location
	c.call("textDocument/definition", d.on(d.find("S1.cqe", 1, 4)), &list)
	if places(list) != "pair.ibl:7:15" {
		t.Errorf("S1 is declared at %s", places(list))
	}
	c.call("textDocument/references", d.on(d.find("R1", 1, 0), `,"context":{"includeDeclaration":true}`), &list)
	if places(list) != "pair.ibl:12:15 pair.ibl:13:6" {
		t.Errorf("R1 is named at %s", places(list))
	}
	c.call("textDocument/references", d.on(d.find("R1", 1, 0), `,"context":{"includeDeclaration":false}`), &list)
	if places(list) != "pair.ibl:13:6" {
		t.Errorf("R1 is used at %s", places(list))
	}
	var marks []protocol.DocumentHighlight
	c.call("textDocument/documentHighlight", d.on(d.find("rcq", 1, 1)), &marks)
	if len(marks) != 2 || marks[0].Kind != protocol.DocumentHighlightKindWrite {
		t.Errorf("rcq is marked at %+v", marks)
	}
}

func TestRename(t *testing.T) {
	c := greeted(t)
	d := c.open("file:///x/pair.ibl", pair)
	var prepared renameRange
	c.call("textDocument/prepareRename", d.on(d.find("host.q", 1, 3)), &prepared)
	if prepared.Placeholder != "host" {
		t.Errorf("what would be renamed is %+v", prepared)
	}
	var edit protocol.WorkspaceEdit
	c.call("textDocument/rename", d.on(d.find("host.q", 1, 3), `,"newName":"client"`), &edit)
	d.apply(edit.Changes[protocol.DocumentURI(d.uri)])
	if want := strings.ReplaceAll(pair, "host", "client"); d.text != want {
		t.Errorf("renamed, it is\n%s", d.text)
	}
	if got := d.shown(d.diagnostics()); len(got) > 0 {
		t.Errorf("renamed, it has %q", got)
	}
	for name, want := range map[string]string{"SEND": "a word of the language", "R2": "already a WR", "scq": "already a cq", "target": "already a node",
		"a.b": "is not a name", "9": "is not a name", "": "is not a name"} {
		m := c.answer(c.ask("textDocument/rename", d.on(d.find("S1", 1, 0), fmt.Sprintf(`,"newName":%q`, name))))
		if m.Error == nil || !strings.Contains(m.Error.Message, want) {
			t.Errorf("S1 renamed %q: %+v, want %q", name, m.Error, want)
		}
	}
	if m := c.answer(c.ask("textDocument/prepareRename", d.on(d.find("precedes", 1, 1)))); string(m.Result) != "null" {
		t.Errorf("`precedes` can be renamed: %s", m.Result)
	}
}

func TestCompletion(t *testing.T) {
	c := greeted(t)
	d := c.open("file:///x/pair.ibl", strings.Replace(pair, "SIGNALED", "SIG", 1))
	var list protocol.CompletionList
	c.call("textDocument/completion", d.on(d.find("SEND SIG", 1, 0)), &list)
	i := slices.IndexFunc(list.Items, func(x protocol.CompletionItem) bool { return x.Label == "SIGNALED" })
	if i < 0 {
		t.Fatalf("SIGNALED is not offered: %+v", list.Items)
	}
	d.apply([]protocol.TextEdit{*list.Items[i].TextEdit})
	if d.text != pair {
		t.Errorf("completed, it is\n%s", d.text)
	}
	d.change(strings.Replace(pair, "S1.cqe", "S1.", 1))
	c.call("textDocument/completion", d.on(d.find("S1.", 1, 0)), &list)
	if !slices.ContainsFunc(list.Items, func(x protocol.CompletionItem) bool { return x.Label == "acked" && x.Documentation != nil }) {
		t.Errorf("the events of S1 are %+v", list.Items)
	}
}

func TestOutlineAndFormat(t *testing.T) {
	c := greeted(t)
	d := c.open("file:///x/pair.ibl", pair)
	var symbols []protocol.DocumentSymbol
	c.call("textDocument/documentSymbol", d.whole(), &symbols)
	var names []string
	for _, y := range symbols {
		names = append(names, y.Name)
		for _, z := range y.Children {
			names = append(names, z.Name)
			if before(z.Range.Start, y.Range.Start) || before(y.Range.End, z.Range.End) || before(z.SelectionRange.Start, z.Range.Start) {
				t.Errorf("%s does not lie within %s", z.Name, y.Name)
			}
		}
	}
	want := []string{`litmus "pair"`, "connect host.q <-> target.q", "host", "scq", "rcq", "q", "R2", "S1", "target", "c", "q", "R1", "on R1.wc", "order"}
	if !slices.Equal(names, want) {
		t.Errorf("the outline is %q", names)
	}
	for _, text := range []string{strings.Replace(pair, "  cq  c\n", "cq c\n", 1), strings.TrimRight(pair, "\n"),
		strings.ReplaceAll(pair, "\n", "\r\n"), pair + "\n\n"} {
		d.change(text)
		var edits []protocol.TextEdit
		c.call("textDocument/formatting", d.whole(`,"options":{"tabSize":2,"insertSpaces":true}`), &edits)
		d.apply(edits)
		if len(edits) != 1 || d.text != pair {
			t.Errorf("%d edits make\n%q", len(edits), d.text)
		}
	}
	d.change("node a {")
	var edits []protocol.TextEdit
	c.call("textDocument/formatting", d.whole(`,"options":{"tabSize":2,"insertSpaces":true}`), &edits)
	if len(edits) != 0 {
		t.Errorf("what is torn is formatted: %+v", edits)
	}
}

func TestRunAnAssert(t *testing.T) {
	c := greeted(t)
	d := c.open("file:///x/seed.ibl", catalogue(t, "seed/send-vs-recv-cqe"))
	lens := func(i int) protocol.CodeLens {
		var list []protocol.CodeLens
		c.call("textDocument/codeLens", d.whole(), &list)
		if len(list) < 3 {
			t.Fatalf("lenses are %+v", list)
		}
		return list[i]
	}
	first := lens(1)
	if first.Command.Title != "▶ run" || first.Command.Command != "ibcheck.run" || lens(0).Command.Title != "▶ run all" {
		t.Fatalf("the lens is %+v", first.Command)
	}
	var result runResult
	c.call("workspace/executeCommand", compact(map[string]any{"command": first.Command.Command, "arguments": first.Command.Arguments}), &result)
	i := slices.IndexFunc(result.Verdicts, func(v runVerdict) bool { return v.Property == "order" })
	if i < 0 || result.Verdicts[i].Verdict != "violated" || !result.Verdicts[i].AsExpected || !strings.Contains(result.Verdicts[i].Ladder, "SEND_ONLY S1") {
		t.Fatalf("verdicts are %+v", result.Verdicts)
	}
	c.wait("refresh of the lenses", func() bool {
		return slices.ContainsFunc(c.messages, func(m message) bool { return m.Method == "workspace/codeLens/refresh" })
	})
	if title := lens(1).Command.Title; !regexp.MustCompile(`^▶ run \(violated with 1 fault in \d+ steps, as expected\)$`).MatchString(title) {
		t.Errorf("the lens is %q", title)
	}
	var h protocol.Hover
	c.call("textDocument/hover", d.on(d.find("assert order", 1, 1)), &h)
	if !strings.Contains(h.Contents.Value, "violated with 1 fault in ") || !strings.Contains(h.Contents.Value, "```text\n") {
		t.Errorf("over the property:\n%s", h.Contents.Value)
	}
	d.change(strings.Replace(d.text, "expect violated", "expect holds", 1))
	if title := lens(1).Command.Title; !strings.HasSuffix(title, "before the last change)") {
		t.Errorf("the lens is %q", title)
	}
	c.call("workspace/executeCommand", compact(map[string]any{"command": first.Command.Command, "arguments": first.Command.Arguments}), &result)
	surprise := regexp.MustCompile(`^\["order: order is violated with 1 fault in \d+ steps, but expected holds"\]$`)
	if got := fmt.Sprintf("%q", d.shown(d.diagnostics())); !surprise.MatchString(got) {
		t.Errorf("the surprise is shown as %s", got)
	}
	d.change(d.text + "\n")
	if got := d.shown(d.diagnostics()); len(got) > 0 {
		t.Errorf("after a change, %q", got)
	}
}

func TestRunVariants(t *testing.T) {
	c := greeted(t)
	d := c.open("file:///x/arm.ibl", catalogue(t, "arming/cq-arm-race-srq"))
	var list []protocol.CodeLens
	c.call("textDocument/codeLens", d.whole(), &list)
	i := slices.IndexFunc(list, func(l protocol.CodeLens) bool { return l.Command.Title == "▶ run variant" })
	if i < 0 {
		t.Fatalf("lenses are %+v", list)
	}
	var result runResult
	c.call("workspace/executeCommand", compact(map[string]any{"command": "ibcheck.run", "arguments": list[i].Command.Arguments}), &result)
	if len(result.Verdicts) == 0 || result.Verdicts[0].Variant != "repoll = true" || result.Verdicts[0].Verdict != "holds" {
		t.Errorf("verdicts are %+v", result.Verdicts)
	}
	c.call("textDocument/codeLens", d.whole(), &list)
	if title := list[i].Command.Title; !strings.HasPrefix(title, "▶ run variant (") || !strings.Contains(title, "verdicts as expected)") {
		t.Errorf("the lens is %q", title)
	}
	c.call("workspace/executeCommand", fmt.Sprintf(`{"command":"ibcheck.run","arguments":[{"uri":%q,"all":true}]}`, d.uri), &result)
	variants := map[string]bool{}
	for _, v := range result.Verdicts {
		variants[v.Variant] = true
	}
	if len(variants) != 2 {
		t.Errorf("all variants are %v", variants)
	}
}

func TestRunsAreLimitedAndCancelled(t *testing.T) {
	c := start(t, Options{Check: ibcheck.Options{MaxStates: 50, Workers: 1}})
	c.call("initialize", `{"capabilities":{}}`, nil)
	d := c.open("file:///x/seed.ibl", catalogue(t, "seed/send-vs-recv-cqe"))
	run := fmt.Sprintf(`{"command":"ibcheck.run","arguments":[{"uri":%q}]}`, d.uri)
	var result runResult
	c.call("workspace/executeCommand", run, &result)
	if len(result.Verdicts) == 0 || !strings.Contains(result.Verdicts[0].Summary+result.Verdicts[1].Summary, "unknown: stopped by") {
		t.Errorf("with 50 states: %+v", result.Verdicts)
	}

	c = start(t, Options{Check: ibcheck.Options{Workers: 1}})
	c.call("initialize", `{"capabilities":{"window":{"workDoneProgress":true}}}`, nil)
	many := "drop(any) <= 9; dup(any) <= 9; reorder(any) <= 9"
	d = c.open("file:///x/big.ibl", strings.Replace(catalogue(t, "seed/send-vs-recv-cqe"), "drop(ACK) <= 1", many, 1))
	for _, cancel := range []string{"request", "progress"} {
		id := c.ask("workspace/executeCommand", fmt.Sprintf(`{"command":"ibcheck.run","arguments":[{"uri":%q}]}`, d.uri))
		var token any
		c.wait("progress", func() bool {
			for _, m := range c.messages {
				var p struct {
					Token any
					Value struct{ Kind string }
				}
				if m.Method == "$/progress" && json.Unmarshal(m.Params, &p) == nil && p.Value.Kind == "begin" {
					token = p.Token
				}
			}
			return token != nil
		})
		if cancel == "request" {
			c.notify("$/cancelRequest", fmt.Sprintf(`{"id":%d}`, id))
		} else {
			c.notify("window/workDoneProgress/cancel", fmt.Sprintf(`{"token":%s}`, compact(token)))
		}
		if m := c.answer(id); m.Error != nil || !strings.Contains(string(m.Result), "unknown") {
			t.Errorf("cancelled by its %s: %s %+v", cancel, m.Result, m.Error)
		}
		c.mu.Lock()
		c.messages = nil
		c.mu.Unlock()
	}
}

// TestImports: an imported file is read as the client has it open.
func TestImports(t *testing.T) {
	dir := t.TempDir()
	peer := "connect h.q <-> t.q\nnode t { cq c; qp q { send_cq c; recv_cq c }; post_recv q RT }\n"
	if err := os.WriteFile(filepath.Join(dir, "peer.ibl"), []byte(peer), 0o666); err != nil {
		t.Fatal(err)
	}
	c := greeted(t)
	main := c.open("file://"+dir+"/main.ibl", `litmus "m" { doc "x"; ref "y" }
import "peer.ibl"
node h { cq c; qp q { send_cq c; recv_cq c }; post_send q S1 SEND }
assert a: S1.posted and RT.wc expect violated
`)
	if got := main.shown(main.diagnostics()); len(got) > 0 {
		t.Errorf("with the file on disk: %q", got)
	}
	var list []protocol.Location
	c.call("textDocument/definition", main.on(main.find("RT", 1, 0)), &list)
	if places(list) != "peer.ibl:2:59" {
		t.Errorf("RT is declared at %s", places(list))
	}
	c.call("textDocument/definition", main.on(main.find("peer", 1, 0)), &list)
	if places(list) != "peer.ibl:1:1" {
		t.Errorf("the import leads to %s", places(list))
	}
	open := c.open("file://"+dir+"/peer.ibl", strings.Replace(peer, "RT", "RTT", 1))
	if got := main.shown(main.diagnostics()); len(got) != 1 || !strings.HasPrefix(got[0], "RT: no WR named `RT`") {
		t.Errorf("with the file as it is open: %q", got)
	}
	open.change(strings.Replace(peer, "recv_cq c ", "recv_cq d ", 1))
	diagnostics := main.diagnostics()
	mistake := regexp.MustCompile("^\"peer.ibl\": mistake in .*, line 2: no cq named `d`")
	if got := main.shown(diagnostics); len(got) != 1 || !mistake.MatchString(got[0]) {
		t.Errorf("with a mistake in it: %q", got)
	}
	if r := diagnostics[0].RelatedInformation; len(r) != 1 || places([]protocol.Location{r[0].Location}) != "peer.ibl:2:42" {
		t.Errorf("which is at %+v", r)
	}
	open.change(peer)
	m := c.answer(c.ask("textDocument/rename", main.on(main.find("RT", 1, 0), `,"newName":"X"`)))
	if m.Error == nil || !strings.Contains(m.Error.Message, "rename it there") {
		t.Errorf("renamed from afar: %+v", m.Error)
	}
	var edit protocol.WorkspaceEdit
	c.call("textDocument/rename", open.on(open.find("RT", 1, 0), `,"newName":"Taken"`), &edit)
	open.apply(edit.Changes[protocol.DocumentURI(open.uri)])
	main.apply(edit.Changes[protocol.DocumentURI(main.uri)])
	if got := main.shown(main.diagnostics()); len(got) > 0 || !strings.Contains(main.text, "Taken.wc") {
		t.Errorf("renamed in both: %q\n%s", got, main.text)
	}
}

func TestTheProtocol(t *testing.T) {
	c := start(t, Options{Version: "1.2.3"})
	var hello protocol.InitializeResult
	c.call("initialize", `{"capabilities":{}}`, &hello)
	if hello.ServerInfo.Version != "1.2.3" || hello.Capabilities.CodeLensProvider == nil || hello.Capabilities.CompletionProvider == nil {
		t.Errorf("the greeting is %+v", hello)
	}
	for _, q := range []struct {
		method, params string
		code           int
	}{
		{"textDocument/nothing", `{}`, -32601},
		{"textDocument/hover", `{"textDocument":5}`, -32602},
		{"textDocument/hover", `{"textDocument":{"uri":"file:///none.ibl"},"position":{"line":0,"character":0}}`, -32602},
		{"workspace/executeCommand", `{"command":"rm","arguments":[]}`, -32602},
		{"workspace/executeCommand", `{"command":"ibcheck.run","arguments":[{"uri":"file:///none.ibl"}]}`, -32602},
	} {
		if m := c.answer(c.ask(q.method, q.params)); m.Error == nil || m.Error.Code != q.code {
			t.Errorf("%s %s: %+v, want %d", q.method, q.params, m.Error, q.code)
		}
	}
	d := c.open("untitled:Untitled-1", "node a { cq c }\nimport \"x.ibl\"")
	if got := d.shown(d.diagnostics()); len(got) != 1 || !strings.Contains(got[0], "cannot import") {
		t.Errorf("a document without a path: %q", got)
	}
	for _, at := range []string{`{"line":99,"character":0}`, `{"line":0,"character":99}`} {
		c.call("textDocument/hover", fmt.Sprintf(`{"textDocument":{"uri":%q},"position":%s}`, d.uri, at), nil)
		c.call("textDocument/completion", fmt.Sprintf(`{"textDocument":{"uri":%q},"position":%s}`, d.uri, at), nil)
	}
	c.call("shutdown", `null`, nil)
	if m := c.answer(c.ask("textDocument/hover", `{}`)); m.Error == nil {
		t.Errorf("after shutdown it answers %s", m.Result)
	}
	c.notify("exit", `null`)
	if err := <-c.served; err != nil {
		t.Errorf("it ends with %v", err)
	}
}

func TestAClientThatGoes(t *testing.T) {
	for name, go_ := range map[string]func(*client){
		"closes": func(c *client) { c.out.(interface{ Close() error }).Close() },
		"exits":  func(c *client) { c.notify("exit", `null`) },
	} {
		c := greeted(t)
		c.open("file:///x/pair.ibl", pair).diagnostics()
		go_(c)
		if err := <-c.served; !errors.Is(err, ErrLost) {
			t.Errorf("when the client %s, it ends with %v", name, err)
		}
	}
}

// TestNothingFailsInside: whatever the text and wherever the cursor, no request
// ends in an internal error.
func TestNothingFailsInside(t *testing.T) {
	c := greeted(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	for i, name := range []string{"seed/send-vs-recv-cqe", "arming/cq-arm-race-srq", "memory/nvmeof-read-free-at-response"} {
		whole := catalogue(t, name)
		d := c.open(fmt.Sprintf("file:///x/%d.ibl", i), whole)
		for range 30 {
			from, to := rnd.IntN(len(whole)), rnd.IntN(len(whole))
			d.change(whole[:max(from, to)] + whole[min(from, to):])
			all := lines(d.text)
			line := rnd.IntN(len(all))
			at := protocol.Position{Line: uint32(line), Character: uint32(rnd.IntN(len(all[line]) + 2))}
			here := protocol.Range{Start: at, End: at}
			for method, params := range map[string]string{
				"textDocument/hover": d.on(at), "textDocument/completion": d.on(at), "textDocument/definition": d.on(at),
				"textDocument/references":    d.on(at, `,"context":{"includeDeclaration":true}`),
				"textDocument/prepareRename": d.on(at), "textDocument/rename": d.on(at, `,"newName":"fresh"`),
				"textDocument/documentHighlight": d.on(at), "textDocument/documentSymbol": d.whole(), "textDocument/codeLens": d.whole(),
				"textDocument/codeAction": d.whole(fmt.Sprintf(`,"range":%s,"context":{"diagnostics":[]}`, compact(here))),
				"textDocument/formatting": d.whole(`,"options":{"tabSize":2,"insertSpaces":true}`),
			} {
				if m := c.answer(c.ask(method, params)); m.Error != nil && m.Error.Code != int(requestFailed) {
					t.Fatalf("%s at %+v: %s\n%s", method, at, m.Error.Message, d.text)
				}
			}
		}
	}
}

// BenchmarkTyping is what one keystroke costs: reading a scenario, and what may
// stand at its end.
func BenchmarkTyping(b *testing.B) {
	src, err := os.ReadFile("../../spec/scenario/testdata/all.ibl")
	if err != nil {
		b.Fatal(err)
	}
	s := &server{docs: map[string]*document{}}
	d := &document{name: "all.ibl", text: string(src)}
	for b.Loop() {
		d.file, d.mistakes = scenario.Parse(d.name, src, scenario.Options{})
		s.diagnostics(d)
		scenario.Complete(d.name, src, spec.Pos{Line: 50, Col: 5}, scenario.Options{})
	}
}
