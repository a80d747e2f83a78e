package scenario

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// FileSchema is the version of the JSON form of a parsed file.
const FileSchema = "ibcheck-file/1"

// A fileJSON is a parsed file. Additions are allowed, changes raise FileSchema.
type fileJSON struct {
	Schema string     `json:"schema"`
	File   string     `json:"file,omitempty"`
	Stmts  []stmtJSON `json:"statements"`
}

// A stmtJSON is a statement: its words as fmt writes them, and its blocks
// where they stand among them.
type stmtJSON struct {
	Word  string     `json:"word"`
	Pos   string     `json:"pos,omitempty"` // line:column
	Items []itemJSON `json:"items,omitempty"`
}

// An itemJSON is a token or a block of a statement.
type itemJSON struct {
	Kind  string     `json:"kind"` // word, int, string, op, block
	Text  string     `json:"text,omitempty"`
	Stmts []stmtJSON `json:"statements,omitempty"`
}

// JSON returns the parsed file, its own statements without those of imports,
// as documented in docs/language.md.
func (f *File) JSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // "<->" is not HTML here
	e.SetIndent("", "  ")
	err := e.Encode(fileJSON{FileSchema, f.Name, stmtsJSON(f.Stmts, true)})
	return b.Bytes(), err
}

var tokenKinds = map[TokenKind]string{Word: "word", Int: "int", String: "string", Op: "op"}

func stmtsJSON(stmts []*Stmt, pos bool) []stmtJSON {
	out := []stmtJSON{}
	for _, s := range stmts {
		j := stmtJSON{Word: s.word().Text}
		if pos {
			j.Pos = fmt.Sprintf("%d:%d", s.word().Pos.Line, s.word().Pos.Col)
		}
		for _, it := range s.Items[1:] {
			if it.Block != nil {
				j.Items = append(j.Items, itemJSON{Kind: "block", Stmts: stmtsJSON(it.Block.Stmts, pos)})
				continue
			}
			text := it.Tok.Text
			if it.Tok.Kind == String {
				text = it.Tok.str()
			}
			j.Items = append(j.Items, itemJSON{Kind: tokenKinds[it.Tok.Kind], Text: text})
		}
		out = append(out, j)
	}
	return out
}
