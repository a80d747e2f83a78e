package scenario

import (
	"fmt"
	"sort"
	"strings"
)

// A symKind is the kind of thing a name stands for.
type symKind uint8

const (
	symNone symKind = iota
	symParam
	symNode
	symOOB
	symProp
	symCQ
	symQP
	symSRQ
	symMR
	symCh
	symVar
	symLock
	symThread
	symWR
	symMessage
	symWC    // the name of a completion in a block
	symEvent // the name of the cq whose event came

	// What is no name, but may be lost with a bad statement like one.
	lostConnect
	lostTell
	lostHandler
	lostAttr // of a cq or qp
	lostAll
)

// kindNames gives the kinds in words, singular; an "s" makes the plural.
var kindNames = map[symKind]string{symParam: "param", symNode: "node", symOOB: "channel", symProp: "property", symCQ: "cq", symQP: "qp",
	symSRQ: "srq", symMR: "mr", symCh: "comp_channel", symVar: "var", symLock: "lock", symThread: "thread", symWR: "WR",
	symMessage: "message", symWC: "completion", symEvent: "cq of an event"}

// String gives the kind with its article, for messages.
func (k symKind) String() string {
	if k == symSRQ || k == symMR {
		return "an " + kindNames[k]
	}
	return "a " + kindNames[k]
}

// A sym is what a name stands for: the index-th thing of its kind in its node
// or, for nodes, channels and WRs, in the file.
type sym struct {
	kind  symKind
	name  string
	index int
	tok   Token // that declares it
	node  int   // -1: of the file
}

// A scope holds the names of a node or of the file.
type scope struct {
	name string // of the node, "" for the file
	node int    // index, -1 for the file
	syms map[string]*sym
	list []*sym
}

func newScope(name string, node int) *scope {
	return &scope{name: name, node: node, syms: map[string]*sym{}}
}

// place says where the names of the scope are, for messages.
func (s *scope) place() string {
	if s.node < 0 {
		return "in the file"
	}
	return "on node " + s.name
}

// names lists the names of a kind, sorted.
func (s *scope) names(kinds ...symKind) []string {
	var out []string
	for _, y := range s.list {
		for _, k := range kinds {
			if y.kind == k {
				out = append(out, y.name)
			}
		}
	}
	sort.Strings(out)
	return out
}

// declare adds a name to a scope, or reports that it is taken.
func (b *builder) declare(s *scope, t Token, kind symKind, index int) *sym {
	name := b.text(t)
	if old := s.syms[name]; old != nil {
		b.fail(t, fmt.Sprintf("`%s` is already %s %s", name, old.kind, s.place()), fmt.Sprintf("first in line %d", old.tok.Pos.Line), "", "")
		return nil
	}
	if old := b.file.syms[name]; old != nil && old.kind == symParam {
		b.fail(t, fmt.Sprintf("`%s` is already a param", name), fmt.Sprintf("first in line %d", old.tok.Pos.Line), "", "a param stands for its value everywhere")
		return nil
	}
	y := &sym{kind: kind, name: name, index: index, tok: t, node: s.node}
	s.syms[name] = y
	s.list = append(s.list, y)
	b.use(t, y)
	return y
}

// undeclared reports a name that a scope does not have, unless a mistake
// elsewhere may be why.
func (b *builder) undeclared(s *scope, t Token, kind symKind) {
	name := b.text(t)
	use := missing{s, name, kind}
	if b.excused(name, kind) || b.missed[use] {
		return
	}
	b.missed[use] = true
	k, found := kindNames[kind], "not declared"
	if t.param != "" {
		found = b.where(t)
	}
	if old := s.syms[name]; old != nil && old.kind != kind {
		b.fail(t, fmt.Sprintf("`%s` is %s, not %s", name, old.kind, kind), "", kind.String(), suggest(name, s.names(kind), b.listTitle(s, k)))
		return
	}
	b.fail(t, fmt.Sprintf("no %s named `%s` %s", k, name, s.place()), found, "", suggest(name, s.names(kind), b.listTitle(s, k)))
}

func (b *builder) listTitle(s *scope, kind string) string {
	title := kind + "s"
	if kind == "property" {
		title = "properties"
	}
	if s.node >= 0 {
		title += " of node " + s.name
	}
	return title
}

// local resolves a name of a node to the index of a thing of the kind, or -1.
func (b *builder) local(s *scope, t Token, kind symKind) int {
	t = b.meant(t)
	if y := s.syms[b.text(t)]; y != nil && y.kind == kind {
		b.use(t, y)
		return y.index
	}
	b.undeclared(s, t, kind)
	return -1
}

// meant returns the name that a word stands for: where the word is a param,
// the value of that.
func (b *builder) meant(t Token) Token {
	if v, ok := b.params[t.Text]; ok && v.Kind == Word {
		b.useParam(t)
		t.param, t.Text = t.Text, v.Text
	}
	return t
}

// segments cuts a dotted name into its parts.
func segments(t Token) []Token {
	var out []Token
	col := 0
	for _, text := range strings.Split(t.Text, ".") {
		part := t
		part.Text = text
		if t.param == "" {
			part.Pos.Col, part.chars = t.Pos.Col+col, len(text)
		}
		col += len(text) + 1
		out = append(out, part)
	}
	return out
}

// A missing is a name that was reported as undeclared: once is enough.
type missing struct {
	scope *scope
	name  string
	kind  symKind
}

// excused reports whether a name may be missing only because a statement that
// would have declared it was reported already.
func (b *builder) excused(name string, kind symKind) bool {
	return b.suspects[name] || b.gone(kind)
}

// gone reports whether a bad statement may have been what there is none of.
func (b *builder) gone(kind symKind) bool { return b.lost[kind] || b.lost[lostAll] }
