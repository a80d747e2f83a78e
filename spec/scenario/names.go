package scenario

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// A Name is a place where a thing is declared or named.
type Name struct {
	Pos   spec.Pos // in the file or in one that it imports
	Len   int      // characters
	Def   bool     // the place that declares it
	Thing *Thing
}

// A Thing is what a name stands for: a node, a cq, a WR. What is replicated
// is one thing, for it is declared in one place.
type Thing struct {
	Kind  string   // "node", "cq", "WR", "param", …
	Name  string   // as declared, without a `*`
	Node  string   // the node it is of, "" if of the file
	Pos   spec.Pos // where it is declared
	Len   int      // characters of Name
	Names []*Name  // every place, in the order of the text

	kind symKind
	syms []*sym // of the file itself: several, if it is replicated
}

// A word is a place where a word of the tables stands whose meaning only the
// names around it show: a field, a status.
type word struct {
	tok Token
	row *Row
}

// An index knows what every name and word of a file stands for.
type index struct {
	f      *File
	things map[spec.Pos]*Thing
	names  map[spec.Pos]*Name
	words  map[spec.Pos]word
	base   *builder // of the file itself
}

// A messageKey names a message of an out-of-band channel.
type messageKey struct {
	channel int
	message string
}

// look builds the file and its variants once more, to learn what their names
// stand for. Mistakes are no hindrance: what can be resolved is.
func (f *File) look() *index {
	if f.known != nil {
		return f.known
	}
	x := &index{f: f, things: map[spec.Pos]*Thing{}, names: map[spec.Pos]*Name{}, words: map[spec.Pos]word{}}
	f.known = x
	if !f.matched {
		saved := f.c
		f.c = &collector{sources: saved.sources}
		f.match()
		f.c = saved
	}
	for i, v := range f.Variants() {
		b := newBuilder(f, v.Params)
		b.c = &collector{sources: f.c.sources}
		b.variant, b.index = v.stmt, x
		b.build()
		if i == 0 {
			x.base = b
		}
	}
	for _, n := range x.names {
		n.Thing.Names = append(n.Thing.Names, n)
	}
	for _, t := range x.things {
		sort.Slice(t.Names, func(i, j int) bool { return f.before(t.Names[i].Pos, t.Names[j].Pos) })
	}
	return x
}

// before orders positions by file, in the order they were read, line and
// column.
func (f *File) before(a, b spec.Pos) bool {
	switch {
	case a.File != b.File:
		return f.order[a.File] < f.order[b.File]
	case a.Line != b.Line:
		return a.Line < b.Line
	}
	return a.Col < b.Col
}

// Things returns all that the file declares, in the order of the declarations.
// It works on files with mistakes, as far as they can be understood.
func (f *File) Things() []*Thing {
	var out []*Thing
	for _, t := range f.look().things {
		out = append(out, t)
	}
	sort.Slice(out, func(i, j int) bool { return f.before(out[i].Pos, out[j].Pos) })
	return out
}

// NameAt returns the name at a position, or just before it; nil if there is
// none.
func (f *File) NameAt(p spec.Pos) *Name {
	x := f.look()
	for col := p.Col; col > 0; col-- {
		q := p
		q.Col = col
		if n := x.names[q]; n != nil && p.Col <= col+n.Len {
			return n
		}
	}
	return nil
}

// Written returns what stands in the text at a name: "q1" and "q*" are names
// of a replicated q.
func (f *File) Written(n *Name) string {
	lines := f.c.sources[n.Pos.File]
	if n.Pos.Line > len(lines) {
		return ""
	}
	line := []rune(lines[n.Pos.Line-1])
	from := min(n.Pos.Col-1, len(line))
	return string(line[from:min(from+n.Len, len(line))])
}

// Renamed returns what must stand at a name when its thing gets a new one; ok
// is false if what stands there is not made of the thing's name.
func (f *File) Renamed(n *Name, to string) (text string, ok bool) {
	rest, ok := strings.CutPrefix(f.Written(n), n.Thing.Name)
	return to + rest, ok
}

// use notes that a token names a thing. Where a param stands for the name, it
// is the param's value that names the thing.
func (b *builder) use(t Token, y *sym) {
	if b.index == nil || y == nil || y.tok.Pos.Line == 0 {
		return
	}
	if t.param != "" {
		parts := segments(b.params[t.param])
		if t = parts[len(parts)-1]; y.kind == symNode {
			t = parts[0]
		}
	}
	b.index.use(b, t, y)
}

// useParam notes that a word is a param, if it is one.
func (b *builder) useParam(t Token) {
	if y := b.file.syms[t.Text]; y != nil && y.kind == symParam {
		b.use(t, y)
	}
}

// useRow notes that a token is a word of the tables.
func (b *builder) useRow(t Token, r *Row) {
	if b.index != nil && r != nil {
		b.index.words[t.Pos] = word{t, r}
	}
}

func (x *index) use(b *builder, t Token, y *sym) {
	thing := x.things[y.tok.Pos]
	if thing == nil {
		thing = &Thing{Kind: kindNames[y.kind], Pos: y.tok.Pos, kind: y.kind}
		def := Name{Pos: y.tok.Pos, Len: y.tok.chars}
		thing.Name = strings.TrimSuffix(x.f.Written(&def), "*")
		thing.Len = len(thing.Name)
		if y.node >= 0 {
			thing.Node = b.nodes[y.node].scope.name
		}
		x.things[y.tok.Pos] = thing
	}
	if x.base == nil && !slices.Contains(thing.syms, y) {
		thing.syms = append(thing.syms, y)
	}
	if x.names[t.Pos] == nil {
		x.names[t.Pos] = &Name{Pos: t.Pos, Len: t.chars, Def: t.Pos == y.tok.Pos, Thing: thing}
	}
}

// wrOf finds the WR that a budget names, nil if there is none or several.
func (b *builder) wrOf(t Token) *sym {
	var found *sym
	parts := strings.Split(t.Text, ".")
	for _, nb := range b.nodes {
		y := nb.scope.syms[parts[len(parts)-1]]
		if y == nil || y.kind != symWR || len(parts) > 1 && nb.scope.name != parts[0] {
			continue
		}
		if found != nil {
			return nil
		}
		found = y
	}
	return found
}

// CheckName says why a thing cannot have a name, nil if it can: it is no name,
// the language keeps the word for itself, or something it would be taken for
// has it already.
func (f *File) CheckName(t *Thing, name string) error {
	toks := lex(&collector{}, "", []byte(name)).toks
	switch {
	case len(toks) != 2 || toks[0].Kind != Word || toks[0].End != len(name) || strings.ContainsAny(name, ".*"):
		return fmt.Errorf("`%s` is not a name", name)
	case reserved(toks[0].Text) || toks[0].Text != name:
		return fmt.Errorf("`%s` is a word of the language", name)
	}
	wanted := []string{name}
	for _, y := range t.syms {
		if n := name + strings.TrimPrefix(y.name, t.Name); !slices.Contains(wanted, n) {
			wanted = append(wanted, n)
		}
	}
	for _, o := range f.Things() {
		near := o.Node == t.Node || o.kind == symParam || t.kind == symParam || o.Node == "" && o.kind == symNode || t.kind == symNode
		if taken := slices.IndexFunc(wanted, o.named); o != t && near && taken >= 0 {
			return fmt.Errorf("`%s` is already %s", wanted[taken], o.kind)
		}
	}
	return nil
}

// named reports whether a thing, or one of its likes, has a name.
func (t *Thing) named(name string) bool {
	return t.Name == name || slices.ContainsFunc(t.syms, func(y *sym) bool { return y.name == name })
}
