package lsp

import (
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/ibcheck/ibcheck/spec/scenario"
)

const source = "ibcheck"

// publish tells the client all that is to be said of a document.
func (s *server) publish(uri protocol.DocumentURI, list []protocol.Diagnostic) {
	if list == nil {
		list = []protocol.Diagnostic{} // clears what was said before; null does not
	}
	s.notify(protocol.MethodTextDocumentPublishDiagnostics, &protocol.PublishDiagnosticsParams{URI: uri, Diagnostics: list})
}

// diagnostics are a document's mistakes or, if it has none, what lint says of it
// and the verdicts that differ from what it expects.
func (s *server) diagnostics(d *document) []protocol.Diagnostic {
	text := lines(d.text)
	var out []protocol.Diagnostic
	for _, e := range d.mistakes {
		out = append(out, s.mistake(d, text, e))
	}
	if len(d.mistakes) > 0 {
		return out
	}
	for _, e := range d.file.Lint() {
		out = append(out, finding(text, e))
	}
	return append(out, d.surprises(text)...)
}

// mistake is the diagnostic of an error. One in an imported file is shown at the
// import that brings it in.
func (s *server) mistake(d *document, text []string, e *scenario.Error) protocol.Diagnostic {
	out := protocol.Diagnostic{Severity: protocol.DiagnosticSeverityError, Source: source, Message: words(e), Range: span(text, e.Pos, e.Len)}
	if via, ok := d.file.Via(e.Pos.File); ok {
		out.Range = span(text, via.Pos, via.Len)
		out.Message = fmt.Sprintf("mistake in %s, line %d: %s", via.File, e.Pos.Line, e.Msg)
		out.RelatedInformation = []protocol.DiagnosticRelatedInformation{{
			Location: protocol.Location{URI: s.uriOf(e.Pos.File), Range: span(s.linesOf(e.Pos.File), e.Pos, e.Len)},
			Message:  words(e),
		}}
	}
	return out
}

// finding is the diagnostic of a warning or of what lint found. What is unused
// is shown faded.
func finding(text []string, e *scenario.Error) protocol.Diagnostic {
	out := protocol.Diagnostic{Severity: protocol.DiagnosticSeverityInformation, Source: source, Code: e.Code, Message: words(e),
		Range: span(text, e.Pos, e.Len)}
	switch {
	case strings.HasPrefix(e.Code, "unused-"):
		out.Tags = []protocol.DiagnosticTag{protocol.DiagnosticTagUnnecessary}
	case e.Code == "self-wait" || e.Code == "unasked-counter":
		out.Severity = protocol.DiagnosticSeverityWarning
	}
	return out
}

// words are all that an error has to say: the message, what was found and
// wanted, and the help on a line of its own.
func words(e *scenario.Error) string {
	text := e.Msg
	if e.Found != "" && e.Wanted == "" {
		text += ": " + e.Found
	}
	if e.Wanted != "" {
		text += ": wanted " + e.Wanted
	}
	if e.Help != "" {
		text += "\n" + e.Help
	}
	return text
}

// codeAction offers what the suggestions of mistakes say to write instead.
func (s *server) codeAction(p *protocol.CodeActionParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	text := lines(d.text)
	out := []protocol.CodeAction{}
	for _, e := range d.mistakes {
		diagnostic := s.mistake(d, text, e)
		if e.Pos.File != d.name || !touch(diagnostic.Range, p.Range) {
			continue
		}
		for i, with := range e.Instead() {
			out = append(out, protocol.CodeAction{
				Title:       fmt.Sprintf("Write `%s`", with),
				Kind:        protocol.QuickFix,
				Diagnostics: []protocol.Diagnostic{diagnostic},
				IsPreferred: i == 0 && len(e.Instead()) == 1,
				Edit: &protocol.WorkspaceEdit{Changes: map[protocol.DocumentURI][]protocol.TextEdit{
					d.uri: {{Range: diagnostic.Range, NewText: with}}}},
			})
		}
	}
	return out, nil
}

// touch reports whether two ranges have a position in common.
func touch(a, b protocol.Range) bool { return !before(a.End, b.Start) && !before(b.End, a.Start) }

func before(a, b protocol.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}
