package lsp

import (
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode/utf16"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// A document is a file that the client has open.
type document struct {
	uri      protocol.DocumentURI
	name     string // as positions give it: its path, or its URI if it has none
	text     string
	file     *scenario.File
	mistakes scenario.Errors
	verdicts verdicts
}

// nameOf is the path of a file's URI, and any other URI as it is.
func nameOf(uri protocol.DocumentURI) string {
	u, err := url.Parse(string(uri))
	if err != nil || u.Scheme != "file" {
		return string(uri)
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	return filepath.FromSlash(path)
}

// uriOf is the URI of a document, or that of a path.
func (s *server) uriOf(name string) protocol.DocumentURI {
	if d := s.docs[name]; d != nil {
		return d.uri
	}
	path := filepath.ToSlash(name)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	u := url.URL{Scheme: "file", Path: path}
	return protocol.DocumentURI(u.String())
}

// document returns an open document; an error if the client never opened it.
func (s *server) document(uri protocol.DocumentURI) (*document, error) {
	if d := s.docs[nameOf(uri)]; d != nil {
		return d, nil
	}
	return nil, failed(jsonrpc2.InvalidParams, "%s is not open", uri)
}

// read returns a file as the client has it open, or as it is on disk.
func (s *server) read(path string) ([]byte, error) {
	if d := s.docs[path]; d != nil {
		return []byte(d.text), nil
	}
	return os.ReadFile(path)
}

func (s *server) didOpen(p *protocol.DidOpenTextDocumentParams) (any, error) {
	d := &document{uri: p.TextDocument.URI, name: nameOf(p.TextDocument.URI), text: p.TextDocument.Text}
	s.docs[d.name] = d
	s.changed(d)
	return nil, nil
}

// changeParams are DidChangeTextDocumentParams of which one can tell whether a
// change has a range.
type changeParams struct {
	TextDocument   protocol.TextDocumentIdentifier `json:"textDocument"`
	ContentChanges []struct {
		Range *protocol.Range `json:"range"`
		Text  string          `json:"text"`
	} `json:"contentChanges"`
}

func (s *server) didChange(p *changeParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	for _, c := range p.ContentChanges {
		if c.Range == nil {
			d.text = c.Text
		} else {
			d.text = replaced(d.text, *c.Range, c.Text)
		}
	}
	s.changed(d)
	return nil, nil
}

func (s *server) didClose(p *protocol.DidCloseTextDocumentParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	delete(s.docs, d.name)
	s.publish(d.uri, nil)
	s.changedFile(d.name)
	return nil, nil
}

// didChangeFiles judges again what imports files that changed on disk.
func (s *server) didChangeFiles(p *protocol.DidChangeWatchedFilesParams) (any, error) {
	for _, c := range p.Changes {
		if name := nameOf(protocol.DocumentURI(c.URI)); s.docs[name] == nil {
			s.changedFile(name)
		}
	}
	return nil, nil
}

// changed reads a document anew, and those that import it.
func (s *server) changed(d *document) {
	s.analyse(d)
	s.changedFile(d.name)
}

// changedFile reads the documents anew that import a file.
func (s *server) changedFile(name string) {
	var names []string
	for other, d := range s.docs {
		if _, imports := d.file.Via(name); imports && other != name {
			names = append(names, other)
		}
	}
	slices.Sort(names)
	for _, other := range names {
		s.analyse(s.docs[other])
	}
}

// analyse reads a document and tells the client what is wrong with it.
func (s *server) analyse(d *document) {
	d.file, d.mistakes = scenario.Parse(d.name, []byte(d.text), scenario.Options{ReadFile: s.read})
	s.publish(d.uri, s.diagnostics(d))
}

// lines splits a text; a line keeps neither its end nor a byte order mark.
func lines(text string) []string {
	list := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
	for i := range list {
		list[i] = strings.TrimSuffix(list[i], "\r")
	}
	return list
}

// linesOf returns the lines of a file as read does.
func (s *server) linesOf(name string) []string {
	src, err := s.read(name)
	if err != nil {
		return nil
	}
	return lines(string(src))
}

// position turns a place in a file into one of the protocol: columns count from
// 0 and in units of UTF-16.
func position(text []string, p spec.Pos) protocol.Position {
	if p.Line < 1 || p.Line > len(text) {
		return protocol.Position{Line: uint32(max(p.Line-1, 0))}
	}
	line := []rune(text[p.Line-1])
	n := min(max(p.Col-1, 0), len(line))
	return protocol.Position{Line: uint32(p.Line - 1), Character: uint32(len(utf16.Encode(line[:n])))}
}

// span is the range of some characters of a line.
func span(text []string, p spec.Pos, length int) protocol.Range {
	end := p
	end.Col += length
	return protocol.Range{Start: position(text, p), End: position(text, end)}
}

// place turns a position of the protocol into a place in a document.
func (d *document) place(p protocol.Position) spec.Pos {
	out := spec.Pos{File: d.name, Line: int(p.Line) + 1, Col: 1}
	text := lines(d.text)
	if int(p.Line) >= len(text) {
		return out
	}
	units := 0
	for _, r := range text[p.Line] {
		if units += utf16.RuneLen(r); units > int(p.Character) {
			break
		}
		out.Col++
	}
	return out
}

// offset is the byte of a text at a position of the protocol.
func offset(text string, p protocol.Position) int {
	at := 0
	for range p.Line {
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			return len(text)
		}
		at += n + 1
	}
	units := 0
	for i, r := range text[at:] {
		if r == '\n' || units >= int(p.Character) {
			return at + i
		}
		units += max(utf16.RuneLen(r), 1)
	}
	return len(text)
}

// replaced puts a text in place of a range of another.
func replaced(text string, r protocol.Range, with string) string {
	from, to := offset(text, r.Start), offset(text, r.End)
	return text[:from] + with + text[max(from, to):]
}
