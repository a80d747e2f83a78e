package lsp

import (
	"slices"

	"go.lsp.dev/protocol"

	"github.com/ibcheck/ibcheck/spec/scenario"
)

// at returns the document and the name at a position, nil if none stands there.
func (s *server) at(p *protocol.TextDocumentPositionParams) (*document, *scenario.Name, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, nil, err
	}
	return d, d.file.NameAt(d.place(p.Position)), nil
}

// location is where a name stands.
func (s *server) location(n *scenario.Name) protocol.Location {
	return protocol.Location{URI: s.uriOf(n.Pos.File), Range: span(s.linesOf(n.Pos.File), n.Pos, n.Len)}
}

// definition finds where a name is declared; of an import, the file.
func (s *server) definition(p *protocol.DefinitionParams) (any, error) {
	d, n, err := s.at(&p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	if n != nil {
		def := scenario.Name{Pos: n.Thing.Pos, Len: n.Thing.Len}
		return []protocol.Location{s.location(&def)}, nil
	}
	at := d.place(p.Position)
	for _, i := range d.file.Imports() {
		if i.Pos.Line == at.Line && i.Pos.Col <= at.Col && at.Col <= i.Pos.Col+i.Len {
			return []protocol.Location{{URI: s.uriOf(i.File)}}, nil
		}
	}
	return []protocol.Location{}, nil
}

// references finds where a thing is named, in its file, in what that imports,
// and in the open documents that import it.
func (s *server) references(p *protocol.ReferenceParams) (any, error) {
	_, n, err := s.at(&p.TextDocumentPositionParams)
	out := []protocol.Location{}
	if err != nil || n == nil {
		return out, err
	}
	for _, o := range s.everywhere(n.Thing) {
		if p.Context.IncludeDeclaration || !o.Def {
			out = append(out, s.location(o))
		}
	}
	return out, nil
}

// everywhere returns the names of a thing in all open documents, each once.
func (s *server) everywhere(t *scenario.Thing) []*scenario.Name {
	var files []string
	for name := range s.docs {
		files = append(files, name)
	}
	slices.Sort(files)
	var out []*scenario.Name
	add := func(n *scenario.Name) {
		if !slices.ContainsFunc(out, func(o *scenario.Name) bool { return o.Pos == n.Pos }) {
			out = append(out, n)
		}
	}
	for _, n := range t.Names {
		add(n)
	}
	for _, file := range files {
		for _, o := range s.docs[file].file.Things() {
			if o.Pos != t.Pos {
				continue
			}
			for _, n := range o.Names {
				add(n)
			}
		}
	}
	return out
}

// highlight finds where the thing at the cursor is named in the document.
func (s *server) highlight(p *protocol.DocumentHighlightParams) (any, error) {
	d, n, err := s.at(&p.TextDocumentPositionParams)
	out := []protocol.DocumentHighlight{}
	if err != nil || n == nil {
		return out, err
	}
	text := lines(d.text)
	for _, o := range n.Thing.Names {
		if o.Pos.File != d.name {
			continue
		}
		kind := protocol.DocumentHighlightKindRead
		if o.Def {
			kind = protocol.DocumentHighlightKindWrite
		}
		out = append(out, protocol.DocumentHighlight{Range: span(text, o.Pos, o.Len), Kind: kind})
	}
	return out, nil
}

// renameRange is what prepareRename answers.
type renameRange struct {
	Range       protocol.Range `json:"range"`
	Placeholder string         `json:"placeholder"`
}

// prepareRename says what would be renamed. Of `q*` and `q1` that is the q.
func (s *server) prepareRename(p *protocol.PrepareRenameParams) (any, error) {
	d, n, err := s.at(&p.TextDocumentPositionParams)
	if err != nil || n == nil {
		return nil, err
	}
	if _, ok := d.file.Renamed(n, ""); !ok || n.Thing.Pos.File != d.name {
		return nil, nil
	}
	return &renameRange{Range: span(lines(d.text), n.Pos, n.Thing.Len), Placeholder: n.Thing.Name}, nil
}

// rename renames a thing wherever open documents name it. It refuses what would
// make the document wrong or mean something else.
func (s *server) rename(p *protocol.RenameParams) (any, error) {
	d, n, err := s.at(&p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	if n == nil {
		return nil, failed(requestFailed, "nothing that has a name stands here")
	}
	if n.Thing.Pos.File != d.name {
		return nil, failed(requestFailed, "`%s` is declared in %s: rename it there", n.Thing.Name, n.Thing.Pos.File)
	}
	if err := d.file.CheckName(n.Thing, p.NewName); err != nil {
		return nil, failed(requestFailed, "%v", err)
	}
	changes := map[protocol.DocumentURI][]protocol.TextEdit{}
	for _, o := range s.everywhere(n.Thing) {
		text, ok := d.file.Renamed(o, p.NewName)
		if other := s.docs[o.Pos.File]; other != nil {
			text, ok = other.file.Renamed(o, p.NewName)
		}
		if ok {
			l := s.location(o)
			changes[l.URI] = append(changes[l.URI], protocol.TextEdit{Range: l.Range, NewText: text})
		}
	}
	return &protocol.WorkspaceEdit{Changes: changes}, nil
}
