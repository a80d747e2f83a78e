package lsp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"github.com/ibcheck/ibcheck"
)

// A client is an editor in miniature: it speaks to a server over a pipe, by
// hand, so that it shares no code with it.
type client struct {
	t      *testing.T
	out    io.Writer
	served chan error
	ids    int

	mu       sync.Mutex
	changed  *sync.Cond
	answers  map[int]message
	messages []message // notifications and requests of the server
	over     bool
}

// A message is one of either direction.
type message struct {
	ID     any             `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// start connects a client with a server, without saying a word.
func start(t *testing.T, opt Options) *client {
	t.Helper()
	here, there := net.Pipe()
	c := &client{t: t, out: here, served: make(chan error, 1), answers: map[int]message{}}
	c.changed = sync.NewCond(&c.mu)
	go func() { c.served <- Serve(t.Context(), there, opt) }()
	go c.listen(bufio.NewReader(here))
	t.Cleanup(func() { here.Close() })
	return c
}

// greeted is start and the greeting.
func greeted(t *testing.T) *client {
	t.Helper()
	c := start(t, Options{Check: ibcheck.Options{MaxStates: 200_000, MaxMem: 256 << 20, Workers: 1}, Version: "test"})
	c.call("initialize", `{"processId":null,"rootUri":null,
		"capabilities":{"workspace":{"codeLens":{"refreshSupport":true}},"window":{"workDoneProgress":true}}}`, nil)
	c.notify("initialized", `{}`)
	return c
}

// listen reads messages until the connection ends, and answers requests of the
// server with null.
func (c *client) listen(r *bufio.Reader) {
	for {
		size := 0
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				c.end()
				return
			}
			if line = strings.TrimSpace(line); line == "" {
				break
			}
			if v, ok := strings.CutPrefix(line, "Content-Length: "); ok {
				size, _ = strconv.Atoi(v)
			}
		}
		body := make([]byte, size)
		var m message
		if _, err := io.ReadFull(r, body); err != nil || json.Unmarshal(body, &m) != nil {
			c.end()
			return
		}
		c.mu.Lock()
		if n, number := m.ID.(float64); number && m.Method == "" {
			c.answers[int(n)] = m
		} else {
			c.messages = append(c.messages, m)
		}
		c.changed.Broadcast()
		c.mu.Unlock()
		if m.ID != nil && m.Method != "" {
			go c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":null}`, compact(m.ID)))
		}
	}
}

func (c *client) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	c.changed.Broadcast()
}

func (c *client) send(body string) {
	fmt.Fprintf(c.out, "Content-Length: %d\r\n\r\n%s", len(body), body)
}

// wait waits until a condition on what came in is met.
func (c *client) wait(what string, met func() bool) {
	c.t.Helper()
	late := time.AfterFunc(20*time.Second, c.end)
	defer late.Stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	for !met() {
		if c.over {
			c.t.Fatalf("no %s came", what)
		}
		c.changed.Wait()
	}
}

func (c *client) notify(method, params string) {
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params))
}

// ask sends a request and returns its number.
func (c *client) ask(method, params string) int {
	c.ids++
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, c.ids, method, params))
	return c.ids
}

// answer waits for the answer to a request.
func (c *client) answer(id int) message {
	c.t.Helper()
	c.wait(fmt.Sprintf("answer to request %d", id), func() bool { _, ok := c.answers[id]; return ok })
	return c.answers[id]
}

// call sends a request, waits for its answer and reads it into result, unless
// that is nil.
func (c *client) call(method, params string, result any) {
	c.t.Helper()
	m := c.answer(c.ask(method, params))
	if m.Error != nil {
		c.t.Fatalf("%s: %s", method, m.Error.Message)
	}
	if result != nil {
		if err := json.Unmarshal(m.Result, result); err != nil {
			c.t.Fatalf("%s: %v in %s", method, err, m.Result)
		}
	}
}

// A doc is a document that the client has open.
type doc struct {
	c       *client
	uri     string
	text    string
	version int
}

// open opens a document of a folder that need not exist.
func (c *client) open(uri, text string) *doc {
	d := &doc{c: c, uri: uri, text: text, version: 1}
	c.notify("textDocument/didOpen", fmt.Sprintf(`{"textDocument":{"uri":%q,"languageId":"ibl","version":1,"text":%s}}`, uri, quote(text)))
	return d
}

func quote(s string) string { return compact(s) }

func compact(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// change sends a new text: all of it.
func (d *doc) change(text string) {
	d.text = text
	d.version++
	d.c.notify("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":%q,"version":%d},"contentChanges":[{"text":%s}]}`, d.uri, d.version, quote(text)))
}

// apply applies edits of one document as a client does, and tells the server
// of each as a change of a range, the last first.
func (d *doc) apply(edits []protocol.TextEdit) {
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b protocol.TextEdit) int {
		if before(a.Range.Start, b.Range.Start) {
			return 1
		}
		return -1
	})
	for _, e := range edits {
		d.version++
		d.text = d.text[:d.at(e.Range.Start)] + e.NewText + d.text[d.at(e.Range.End):]
		change := fmt.Sprintf(`{"range":%s,"text":%s}`, compact(e.Range), quote(e.NewText))
		d.c.notify("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":%q,"version":%d},"contentChanges":[%s]}`, d.uri, d.version, change))
	}
}

// at is the byte of a position, counted by another way than the server's.
func (d *doc) at(p protocol.Position) int {
	all := strings.SplitAfter(d.text, "\n")
	bytes := 0
	for _, l := range all[:min(int(p.Line), len(all))] {
		bytes += len(l)
	}
	if int(p.Line) >= len(all) {
		return bytes
	}
	units := uint32(0)
	for _, r := range all[p.Line] {
		if units >= p.Character || r == '\n' {
			break
		}
		if units++; r > 0xFFFF {
			units++
		}
		bytes += len(string(r))
	}
	return bytes
}

// find is the position after the n-th occurrence, from 1, of a text; minus is
// how many characters before its end.
func (d *doc) find(text string, n, minus int) protocol.Position {
	d.c.t.Helper()
	from := 0
	for range n {
		i := strings.Index(d.text[from:], text)
		if i < 0 {
			d.c.t.Fatalf("no %d-th %q", n, text)
		}
		from += i + len(text)
	}
	before := d.text[:from-minus]
	line := before[strings.LastIndexByte(before, '\n')+1:]
	units := 0
	for _, r := range line {
		if units++; r > 0xFFFF {
			units++
		}
	}
	return protocol.Position{Line: uint32(strings.Count(before, "\n")), Character: uint32(units)}
}

// on is the params of a request about a position.
func (d *doc) on(p protocol.Position, more ...string) string {
	return fmt.Sprintf(`{"textDocument":{"uri":%q},"position":%s%s}`, d.uri, compact(p), strings.Join(more, ""))
}

func (d *doc) whole(more ...string) string {
	return fmt.Sprintf(`{"textDocument":{"uri":%q}%s}`, d.uri, strings.Join(more, ""))
}

// diagnostics waits until the server has said something of the document as it
// is, which it does once for each version, and returns the last.
func (d *doc) diagnostics() []protocol.Diagnostic {
	d.c.t.Helper()
	var symbols []protocol.DocumentSymbol
	d.c.call("textDocument/documentSymbol", d.whole(), &symbols) // answered after all before it
	var out []protocol.Diagnostic
	d.c.mu.Lock()
	defer d.c.mu.Unlock()
	for _, m := range d.c.messages {
		var p protocol.PublishDiagnosticsParams
		if m.Method == "textDocument/publishDiagnostics" && json.Unmarshal(m.Params, &p) == nil && string(p.URI) == d.uri {
			out = p.Diagnostics
		}
	}
	return out
}

// shown writes diagnostics with the text they underline.
func (d *doc) shown(list []protocol.Diagnostic) []string {
	var out []string
	for _, x := range list {
		out = append(out, fmt.Sprintf("%s: %s", d.text[d.at(x.Range.Start):d.at(x.Range.End)], x.Message))
	}
	return out
}

// catalogue reads a scenario of the catalogue.
func catalogue(t *testing.T, name string) string {
	t.Helper()
	src, err := os.ReadFile("../../scenarios/" + name + ".ibl")
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}
