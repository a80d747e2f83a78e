package lsp

import (
	"strings"

	"go.lsp.dev/protocol"

	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// symbols is the outline of a document.
func (s *server) symbols(p *protocol.DocumentSymbolParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	return outline(lines(d.text), d.file.Outline()), nil
}

// symbolKinds says as what the symbols of each statement are shown.
var symbolKinds = map[string]protocol.SymbolKind{
	"litmus": protocol.SymbolKindPackage, "node": protocol.SymbolKindModule, "qp": protocol.SymbolKindClass, "cq": protocol.SymbolKindStruct,
	"srq": protocol.SymbolKindStruct, "mr": protocol.SymbolKindArray, "comp_channel": protocol.SymbolKindInterface, "var": protocol.SymbolKindVariable,
	"param": protocol.SymbolKindConstant, "thread": protocol.SymbolKindFunction, "on": protocol.SymbolKindFunction,
	"post_send": protocol.SymbolKindEvent, "post_recv": protocol.SymbolKindEvent, "post_srq_recv": protocol.SymbolKindEvent,
	"assert": protocol.SymbolKindBoolean, "reach": protocol.SymbolKindBoolean,
}

func outline(text []string, list []scenario.Symbol) []protocol.DocumentSymbol {
	out := []protocol.DocumentSymbol{}
	for _, y := range list {
		kind, known := symbolKinds[y.Word]
		if !known {
			kind = protocol.SymbolKindProperty
		}
		out = append(out, protocol.DocumentSymbol{
			Name:           y.Name,
			Detail:         y.Detail,
			Kind:           kind,
			Range:          protocol.Range{Start: position(text, y.Pos), End: position(text, y.End)},
			SelectionRange: span(text, y.NamePos, y.NameLen),
			Children:       outline(text, y.Inner),
		})
	}
	return out
}

// format returns the edit that brings a document into the usual layout, none
// if its brackets or strings do not match: the diagnostics say so.
func (s *server) format(p *protocol.DocumentFormattingParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	out, errs := scenario.Format([]byte(d.text))
	if len(errs) > 0 || string(out) == d.text {
		return []protocol.TextEdit{}, nil
	}
	return []protocol.TextEdit{difference(d.text, string(out))}, nil
}

// difference is one edit that makes a text of another and leaves the lines
// alone that both begin or end with.
func difference(from, to string) protocol.TextEdit {
	a, b := strings.SplitAfter(from, "\n"), strings.SplitAfter(to, "\n")
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	edit := protocol.TextEdit{NewText: strings.Join(b[head:len(b)-tail], "")}
	edit.Range.Start.Line = uint32(head)
	if edit.Range.End.Line = uint32(len(a) - tail); tail == 0 {
		last := lines(from)
		edit.Range.End = position(last, spec.Pos{Line: len(last), Col: len(last[len(last)-1]) + 1})
	}
	return edit
}
