package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// A Candidate is a word that may stand at the cursor.
type Candidate struct {
	Text   string // what to write in place of the word at the cursor
	Kind   string // "statement", "option", "word" of the language, or what a name stands for: "cq", "WR", …
	Detail string // how it is written, or what it is: "QP WR OPCODE OPTIONS", "cq of node host"
	Row    *Row   // of a word of the tables, else nil
}

// A Completion is what may stand at the cursor. The candidates are not cut down
// to what begins like the word there.
type Completion struct {
	Candidates []Candidate
	From, To   int // columns of the word to be replaced: characters, from 1; To is after its end
}

// Complete returns what may stand at a position of a file, which need not be
// valid. Nothing may stand in comments and strings.
func Complete(name string, src []byte, at spec.Pos, opt Options) Completion {
	text, out := placeCursor(string(src), at)
	var wants []want
	f := &File{Name: name, opt: opt, c: &collector{}, order: map[string]int{}, via: map[string]Import{}, wants: &wants}
	f.Stmts, f.tail = f.open(name, []byte(text))
	f.all = f.imports(f.Stmts, []string{name})
	f.match()
	if len(wants) == 0 {
		return out
	}
	k := &completer{b: newBuilder(f, nil)}
	k.b.c = &collector{sources: f.c.sources}
	k.b.build()
	k.locate(f.Stmts)
	for _, w := range k.narrowed(wants) {
		k.answer(w)
	}
	out.Candidates = k.found
	return out
}

// placeCursor puts cursorWord in place of the word at a position: of a dotted
// name the part at the position.
func placeCursor(src string, at spec.Pos) (string, Completion) {
	lines := strings.SplitAfter(strings.TrimPrefix(src, "\ufeff"), "\n")
	if at.Line < 1 || at.Line > len(lines) {
		return src, Completion{From: at.Col, To: at.Col}
	}
	line := []rune(lines[at.Line-1])
	from := min(max(at.Col-1, 0), len([]rune(strings.TrimRight(string(line), "\r\n"))))
	to := from
	part := func(r rune) bool { return r < 128 && (isWordByte(byte(r)) || r == '*') }
	for from > 0 && part(line[from-1]) {
		from--
	}
	for to < len(line) && part(line[to]) {
		to++
	}
	lines[at.Line-1] = string(line[:from]) + cursorWord + string(line[to:])
	return strings.Join(lines, ""), Completion{From: from + 1, To: to + 1}
}

// A completer collects candidates.
type completer struct {
	b      *builder
	node   *nodeBuild // in which the cursor is, nil if in none
	wcs    []string   // names of completions there
	events []string   // names of cqs whose event came, there
	prefix []string   // of the dotted name at the cursor, what stands before it
	found  []Candidate
	given  map[string]bool
}

// locate finds the cursor among statements: the node around it, the names of
// completions there, the dotted name it is in.
func (k *completer) locate(stmts []*Stmt) {
	for _, s := range stmts {
		for _, it := range s.Items {
			if it.Block != nil && holdsCursor(it.Block.Stmts) {
				k.enter(s, it.Block)
				k.locate(it.Block.Stmts)
				return
			} else if before, _, here := strings.Cut(it.Tok.Text, cursorWord); here && it.Block == nil {
				k.prefix = strings.Split(before, ".")
				k.prefix = k.prefix[:len(k.prefix)-1]
				return
			}
		}
		if s.call != nil && s.call.arg(aAsCQ) != nil {
			k.events = append(k.events, s.call.arg(aAsCQ).toks[0].Text)
		}
	}
}

func holdsCursor(stmts []*Stmt) bool {
	held := false
	for _, s := range stmts {
		s.each(func(t *Token) { held = held || strings.Contains(t.Text, cursorWord) })
	}
	return held
}

// enter notes what a statement with the cursor in a block means for it.
func (k *completer) enter(s *Stmt, block *Block) {
	for _, nb := range k.b.nodes {
		if nb.block == block {
			k.node = nb
		}
	}
	if s.call == nil || s.call.row.flags&polls == 0 && s.call.row.Word != "on" {
		return
	}
	name := "wc"
	if a := s.call.arg(aAs); a != nil {
		name = a.toks[0].Text
	}
	k.wcs = append(k.wcs, name)
}

// narrowed leaves out wants that a closer one makes pointless: an argument of a
// function or the other side of a comparison is an expression too, but not any.
func (k *completer) narrowed(wants []want) []want {
	closer := slices.ContainsFunc(wants, func(w want) bool {
		return w.function != nil && w.function.pattern[1].arg != aExpr || w.compared != nil && k.valued(w.compared)
	})
	if !closer {
		return wants
	}
	return slices.DeleteFunc(slices.Clone(wants), func(w want) bool { return w.arg == aExpr })
}

// add adds a candidate, once.
func (k *completer) add(c Candidate) {
	if k.given == nil {
		k.given = map[string]bool{}
	}
	if !k.given[c.Text] {
		k.given[c.Text] = true
		k.found = append(k.found, c)
	}
}

// rows adds the words of a place.
func (k *completer) rows(in Where, kind string, take func(*Row) bool) {
	if len(k.prefix) > 0 && in&InAssume == 0 && in&(OfWR|OfCQ|OfQP|OfMR|OfWC) == 0 {
		return
	}
	for _, r := range rows {
		if r.In&in != 0 && r.Word != "PROPERTY" && (take == nil || take(r)) {
			k.add(Candidate{Text: r.Word, Kind: kind, Detail: r.Usage, Row: r})
		}
	}
}

// names adds the names of some kinds in a scope.
func (k *completer) names(s *scope, prefix string, kinds ...symKind) {
	for _, y := range s.list {
		if slices.Contains(kinds, y.kind) && !strings.Contains(y.name, cursorWord) {
			k.add(Candidate{Text: prefix + y.name, Kind: kindNames[y.kind], Detail: strings.TrimSpace(kindNames[y.kind] + " " + s.place())})
		}
	}
}

// local adds names of the node around the cursor, and params, whose values may
// be names.
func (k *completer) local(kinds ...symKind) {
	if k.node != nil && len(k.prefix) == 0 {
		k.names(k.node.scope, "", kinds...)
		k.params("a word")
	}
}

// params adds the params with a sort of value, "" for any.
func (k *completer) params(sort string) {
	for _, p := range k.b.f.params {
		if sort == "" || kindOfValue(p.value) == sort {
			k.add(Candidate{Text: p.name.Text, Kind: "param", Detail: "param = " + p.value.Text})
		}
	}
}

// far adds names of a kind as NODE.NAME. What is replicated is also known by
// the name that its likes share.
func (k *completer) far(kind symKind) {
	for _, nb := range k.b.nodes {
		for _, y := range nb.scope.list {
			if y.kind != kind || strings.Contains(y.name, cursorWord) {
				continue
			}
			detail := kindNames[kind] + " " + nb.scope.place()
			k.addDotted(Candidate{Text: nb.scope.name + "." + y.name, Kind: kindNames[kind], Detail: detail})
			if base := strings.TrimSuffix(nb.scope.name, fmt.Sprint(nb.star)); nb.star == 0 {
				k.addDotted(Candidate{Text: base + "." + y.name, Kind: kindNames[kind], Detail: kindNames[kind] + " on every node " + base})
			}
		}
	}
}

// addDotted adds a dotted name, or what is missing of it at the cursor.
func (k *completer) addDotted(c Candidate) {
	for _, p := range k.prefix {
		rest, ok := strings.CutPrefix(c.Text, p+".")
		if !ok {
			return
		}
		c.Text = rest
	}
	k.add(c)
}

// answer adds what one want wants.
func (k *completer) answer(w want) {
	switch {
	case w.beside != nil:
		k.statements(w)
	case w.in != 0:
		k.options(w)
	case w.lit != "" && len(k.prefix) == 0:
		if isLetter(w.lit) {
			k.add(Candidate{Text: w.lit, Kind: "word"})
		}
	case w.op != "":
		k.operators(w)
	case w.function != nil:
		k.functionArg(w)
	case w.compared != nil:
		k.comparand(w.compared)
	case w.valueOf != "":
		k.values(w.valueOf)
	case w.fieldOf != "":
		k.fieldsOf(w.fieldOf)
	case w.arg != "":
		k.argument(w)
	}
}

func isLetter(lit string) bool { return 'a' <= lit[0] && lit[0] <= 'z' }

// statements adds what may begin a statement, without what may stand once and
// does already.
func (k *completer) statements(w want) {
	in := w.in
	if in == InVariant {
		k.names(k.b.file, "", symProp)
		return
	}
	if in == InNode {
		in |= InProgram
	}
	k.rows(in, "statement", func(r *Row) bool {
		once := r.flags&many == 0 && w.in&(InProgram|InNode) == 0
		return !once || !slices.ContainsFunc(w.beside, func(s *Stmt) bool { return s.call != nil && s.call.row == r })
	})
}

// options adds the options that are not there yet and mean something.
func (k *completer) options(w want) {
	takes := func(string) bool { return true }
	if op := w.call.arg(aOpcode); op != nil {
		list := op.calls[0].row.takes + " SIGNALED FENCE"
		takes = func(word string) bool { return contains(list, word) }
	}
	k.rows(w.in, "option", func(r *Row) bool {
		return takes(r.Word) && !slices.ContainsFunc(w.given, func(c *call) bool { return c.row == r })
	})
}

// operators adds what may go on after a complete expression.
func (k *completer) operators(w want) {
	words := []string{"and", "or"}
	if w.op == aProp && !w.prefixed {
		words = []string{"precedes", "leadsto", "until", "since"}
	}
	k.rows(InExpr, "word", func(r *Row) bool { return slices.Contains(words, r.Word) })
}

// namedKinds gives the kinds of things that arguments name.
var namedKinds = map[argKind][]symKind{aCQ: {symCQ}, aQP: {symQP}, aSRQ: {symSRQ}, aMR: {symMR}, aCh: {symCh}, aVar: {symVar}, aLock: {symLock},
	aObject: {symQP, symCQ, symSRQ}}

// argument adds what an argument may be.
func (k *completer) argument(w want) {
	if in, ok := argPlaces[w.arg]; ok {
		k.rows(in, "word", k.fits(w))
		if w.arg == aState || w.arg == aAccess || w.arg == aEvent {
			k.params("a word")
		}
	}
	if kinds, ok := namedKinds[w.arg]; ok {
		k.local(kinds...)
	}
	switch w.arg {
	case aCQ:
		for _, name := range k.events {
			k.add(Candidate{Text: name, Kind: "cq", Detail: "the cq whose event came"})
		}
	case aClass:
		k.rows(AsClass, "word", nil)
		k.sends()
	case aPeer:
		k.far(symQP)
	case aRemote:
		k.far(symMR)
	case aKey:
		if op := w.call; op != nil {
			k.local(symMR)
			k.far(symMR)
		}
	case aNode:
		k.names(k.b.file, "", symNode)
	case aOOB:
		k.names(k.b.file, "", symOOB)
	case aMessage:
		k.messages(w.call)
	case aDone:
		k.completions()
	case aAllow:
		k.sanitizers(w.label)
	case aInt:
		k.params("a number")
	case aValue:
		k.value(w.call)
	case aDecl:
		k.rows(k.place(), "statement", func(r *Row) bool { return r.declares != 0 && r.declares != symProp && r.declares != symParam })
	case aBindings:
		k.params("")
	case aAxes:
		k.axes()
	case aExpr:
		k.expression()
	case aProp:
		k.rows(InExpr, "word", func(r *Row) bool { return propPrefix[r.Word] != 0 })
	}
}

// place is where declarations at the cursor stand.
func (k *completer) place() Where {
	if k.node != nil {
		return InNode
	}
	return InFile
}

// fits leaves out verdicts that the property cannot have.
func (k *completer) fits(w want) func(*Row) bool {
	return func(r *Row) bool {
		if w.arg != aVerdict || w.call == nil || r.Word == "unknown" || w.call.row.In == InVariant {
			return true
		}
		return (w.call.row.Word == "reach") == strings.HasSuffix(r.Word, "reachable")
	}
}

// sends adds the WRs that have packets.
func (k *completer) sends() {
	for _, w := range k.b.sc.WRs {
		if !w.Recv {
			k.add(Candidate{Text: w.Name, Kind: "WR", Detail: "the packets of " + k.b.postedAs(&w)})
		}
	}
}

// messages adds what is told on the channel of a tell or hear.
func (k *completer) messages(c *call) {
	y := k.b.file.syms[c.args[0].toks[0].Text]
	if y == nil || y.kind != symOOB {
		return
	}
	for _, m := range k.b.sc.Channels[y.index].Messages {
		k.add(Candidate{Text: m, Kind: "message", Detail: "message on " + y.name})
	}
}

// completions adds X.wc for the WRs and cqs of the node.
func (k *completer) completions() {
	if k.node == nil {
		return
	}
	for _, y := range k.node.scope.list {
		if y.kind != symWR && y.kind != symCQ || strings.Contains(y.name, cursorWord) {
			continue
		}
		k.addDotted(Candidate{Text: y.name + ".wc", Kind: kindNames[y.kind], Detail: "a completion of " + y.name})
	}
}

// sanitizers adds what allow can turn off, or the kinds of one of them.
func (k *completer) sanitizers(of string) {
	if of == "" {
		k.rows(AsAllow, "word", nil)
		return
	}
	for _, r := range rows {
		if kind, ok := strings.CutPrefix(r.Word, of+"("); ok && r.In&AsAllow != 0 {
			k.add(Candidate{Text: strings.TrimSuffix(kind, ")"), Kind: "word", Row: r})
		}
	}
}

// value adds the values of a dial or of the profile.
func (k *completer) value(c *call) {
	if c == nil || c.row.In&InAssume == 0 {
		return
	}
	k.values(c.row.Word)
	k.params("")
}

// values adds the values of a dial, a param or the profile.
func (k *completer) values(of string) {
	if of == "profile" {
		k.rows(AsProfile, "word", nil)
	}
	if d := dial(of); d != nil {
		for _, v := range d.Values {
			detail := "value of " + d.Name
			for _, p := range []struct{ name, value string }{{"iba", d.IBA}, {"arrival_order", d.ArrivalOrder}} {
				if p.value == v {
					detail += ", that of " + p.name
				}
			}
			k.add(Candidate{Text: v, Kind: "word", Detail: detail, Row: lookup(InAssume, d.Name)})
		}
	}
	values := k.b.f.values[of]
	if v := k.b.f.value(of); v == "true" || v == "false" {
		values = []string{"true", "false"}
	}
	for _, v := range values {
		if !strings.Contains(v, cursorWord) {
			k.add(Candidate{Text: v, Kind: "word", Detail: fmt.Sprintf("value of param %s", of)})
		}
	}
}

// axes adds what vary can vary.
func (k *completer) axes() {
	k.params("")
	k.rows(InAssume, "word", func(r *Row) bool { return r.Word != "if" })
	k.rows(InFaults, "word", func(r *Row) bool { return r.Word != "if" })
}
