package lsp

import (
	"fmt"

	"go.lsp.dev/protocol"

	"github.com/ibcheck/ibcheck/spec/scenario"
)

// complete offers what may stand at the cursor.
func (s *server) complete(p *protocol.CompletionParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	at := d.place(p.Position)
	c := scenario.Complete(d.name, []byte(d.text), at, scenario.Options{ReadFile: s.read})
	from := at
	from.Col = c.From
	r := span(lines(d.text), from, c.To-c.From)
	items := []protocol.CompletionItem{}
	for i, x := range c.Candidates {
		item := protocol.CompletionItem{
			Label:    x.Text,
			Kind:     itemKind(x),
			Detail:   x.Detail,
			SortText: fmt.Sprintf("%04d", i),
			TextEdit: &protocol.TextEdit{Range: r, NewText: x.Text},
		}
		if x.Row != nil {
			item.Documentation = &protocol.MarkupContent{Kind: protocol.Markdown, Value: explained(x.Row)}
		}
		items = append(items, item)
	}
	return &protocol.CompletionList{Items: items}, nil
}

// itemKinds says as what each sort of candidate is shown.
var itemKinds = map[string]protocol.CompletionItemKind{
	"statement": protocol.CompletionItemKindKeyword, "option": protocol.CompletionItemKindProperty, "field": protocol.CompletionItemKindField,
	"word": protocol.CompletionItemKindEnumMember, "node": protocol.CompletionItemKindModule, "param": protocol.CompletionItemKindConstant,
	"WR": protocol.CompletionItemKindEvent, "var": protocol.CompletionItemKindVariable, "property": protocol.CompletionItemKindProperty,
	"message": protocol.CompletionItemKindValue,
}

func itemKind(x scenario.Candidate) protocol.CompletionItemKind {
	switch {
	case x.Row != nil && x.Row.In&(scenario.InProgram|scenario.InExpr) != 0 && x.Row.Usage != "":
		return protocol.CompletionItemKindFunction
	case itemKinds[x.Kind] != 0:
		return itemKinds[x.Kind]
	}
	return protocol.CompletionItemKindClass
}
