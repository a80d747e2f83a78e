package scenario

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// A builder makes a spec.Scenario from the statements of a file: it folds
// params, writes out what is replicated and resolves names.
type builder struct {
	f        *File
	c        *collector
	warn     collector
	variant  *Stmt             // the check with being built, nil for the file itself
	given    map[string]string // values of params that differ from the file's
	params   map[string]Token  // values by name
	sc       *spec.Scenario
	file     *scope
	nodes    []*nodeBuild
	here     *nodeBuild     // the node being built, nil outside
	orbits   int            // replicated nodes so far
	groups   map[string]int // how many numbers `*` stands for, by name: "c", "s.q", "s.R"
	star     int            // what `*` stands for, -1 outside of anything replicated
	dead     int            // > 0: in a branch that the params leave out
	peers    map[spec.QPRef]spec.QPRef
	dials    map[string]Token // where each was set
	asked    map[*sym]bool    // vars in expressions
	counters []counter
	messages map[messageKey]*sym
	posts    []spec.Pos // where WRs are posted
	index    *index     // of what is named where, nil unless somebody asks

	// What was reported, so that nothing that follows from it is.
	suspects map[string]bool // words of statements nobody understands
	lost     map[symKind]bool
	missed   map[missing]bool
	lonely   map[spec.QPRef]bool // not connected
}

// newBuilder prepares to build f with the given values of params.
func newBuilder(f *File, params map[string]string) *builder {
	return &builder{f: f, c: f.c, warn: collector{sources: f.c.sources}, given: params, params: map[string]Token{}, file: newScope("", -1),
		groups: map[string]int{}, star: -1, suspects: map[string]bool{}, lost: map[symKind]bool{}, dials: map[string]Token{}, asked: map[*sym]bool{},
		peers: map[spec.QPRef]spec.QPRef{}, lonely: map[spec.QPRef]bool{}, missed: map[missing]bool{}, messages: map[messageKey]*sym{}}
}

// build makes the scenario; what is wrong is in the collector.
func (b *builder) build() *spec.Scenario {
	b.sc = &spec.Scenario{File: b.f.Name, Name: baseName(b.f.Name), Profile: spec.Profiles[0].Name, Dials: map[string]string{}, ParamText: map[string]string{}}
	b.excuse(b.f.all, false)
	b.bindParams()
	b.top("node replicate", b.declareNodes)
	b.spreadGroups()
	b.eachNode(b.attributes)
	b.top("connect channel", b.connections)
	b.eachNode(b.declareWRs)
	b.uniqueNames()
	b.eachNode(b.declareHandlers)
	b.eachNode(b.programs)
	b.top("litmus assume faults allow", b.settings)
	b.top("assert reach", b.properties)
	b.expectations()
	b.wholeFile()
	sort.Strings(b.sc.Allows)
	return b.sc
}

func baseName(path string) string {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	return strings.TrimSuffix(name, ".ibl")
}

// fail reports a mistake at a token.
func (b *builder) fail(t Token, msg, found, wanted, help string) {
	b.c.at(t, msg, found, wanted, help)
}

// text returns a token's text with the number that `*` stands for in place.
func (b *builder) text(t Token) string {
	if b.star < 0 || !strings.Contains(t.Text, "*") {
		return t.Text
	}
	return strings.ReplaceAll(t.Text, "*", strconv.Itoa(b.star))
}

// excuse notes what may be missing because of mistakes that are already
// reported: what a bad statement, and all that it holds, would have declared,
// and the words of a statement nobody understands.
func (b *builder) excuse(stmts []*Stmt, lost bool) {
	for _, s := range stmts {
		gone := lost || s.bad
		if gone {
			b.lose(s)
		}
		for _, it := range s.Items {
			if it.Block != nil {
				b.excuse(it.Block.Stmts, gone)
			}
		}
	}
}

// namesWR reports whether a bad statement is a post that went wrong only after
// the name of its WR: then no other name can be missing because of it.
func (s *Stmt) namesWR() bool {
	if losses[s.word().Text] != symWR || s.unclear || s.matched < 3 {
		return false
	}
	name := s.Items[2].Tok
	return name.Kind == Word && len(byWord[shortName(name.Text)]) == 0 // else the name itself may be missing
}

// suspectAll excuses every word of a statement.
func (b *builder) suspectAll(s *Stmt) {
	for _, it := range s.Items {
		if it.Block == nil && it.Tok.Kind == Word {
			b.suspects[it.Tok.Text] = true
		}
	}
}

// losses says what else than their names statements declare or do.
var losses = map[string]symKind{"post_send": symWR, "post_recv": symWR, "post_srq_recv": symWR, "count": symVar, "lock": symLock,
	"connect": lostConnect, "tell": lostTell, "on": lostHandler, "import": lostAll}

// lose notes what is missing with a statement.
func (b *builder) lose(s *Stmt) {
	if named := s.namesWR(); named {
		b.suspectAll(s)
	} else {
		b.loseWord(s.word().Text)
	}
	if !s.unclear {
		return
	}
	for _, it := range s.Items {
		if it.Block == nil && it.Tok.Kind == Word {
			b.suspects[it.Tok.Text] = true
			b.loseWord(it.Tok.Text)
		}
		b.lost[lostConnect] = b.lost[lostConnect] || it.Tok.is("<->")
	}
	b.lost[lostAttr] = b.lost[lostAttr] || s.in&(InCQ|InQP) != 0
	b.lost[lostAll] = b.lost[lostAll] || s.in&anyBody != 0 && !isStatement(s.word().Text) && hasBlocks(s)
}

func (b *builder) loseWord(word string) {
	for _, r := range byWord[word] {
		if r.In&(anyBody|InCQ|InQP) != 0 {
			b.lost[r.declares] = true
			b.lost[losses[r.Word]] = true
			b.lost[lostAttr] = b.lost[lostAttr] || r.In&(InCQ|InQP) != 0
		}
	}
}

// bindParams declares the params and gives them their values.
func (b *builder) bindParams() {
	for _, p := range b.f.params {
		v := p.value
		if given, ok := b.given[p.name.Text]; ok {
			if t, ok := b.binding(p.name.Text); ok {
				v.Pos, v.chars = t.Pos, t.chars
			}
			v.Text = given
			v.Kind = Word
			if _, err := strconv.Atoi(given); err == nil {
				v.Kind = Int
			}
			if kindOfValue(v) != kindOfValue(p.value) {
				b.fail(p.name, fmt.Sprintf("param `%s` is %s, not %s", p.name.Text, kindOfValue(p.value), kindOfValue(v)), "", "", "given `"+given+"`")
				v = p.value
			}
		}
		if b.declare(b.file, p.name, symParam, len(b.params)) == nil {
			continue
		}
		b.params[p.name.Text] = v
		b.sc.ParamText[p.name.Text] = v.Text
	}
	names := make([]string, 0, len(b.given))
	for name := range b.given {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if _, ok := b.params[name]; !ok && !b.excused(name, symParam) {
			b.c.add(Error{Pos: spec.Pos{File: b.f.Name, Line: 1, Col: 1}, Msg: fmt.Sprintf("no param named `%s`", name),
				Help: suggest(name, b.file.names(symParam), "params")})
		}
	}
}

// binding returns the value that the check with being built gives a param.
func (b *builder) binding(name string) (Token, bool) {
	if b.variant == nil {
		return Token{}, false
	}
	toks := b.variant.call.arg(aBindings).toks
	for i := 0; i < len(toks); i += 2 {
		if toks[i].Text == name {
			return toks[i+1], true
		}
	}
	return Token{}, false
}

// kindOfValue says what kind of value a param has.
func kindOfValue(t Token) string {
	switch {
	case t.Kind == Int:
		return "a number"
	case t.Text == "true" || t.Text == "false":
		return "true or false"
	}
	return "a word"
}

// top calls f for the good statements of the top level whose words are among
// some.
func (b *builder) top(words string, f func(*Stmt)) {
	var some []*Stmt
	for _, s := range b.f.all {
		if slices.Contains(strings.Fields(words), s.word().Text) {
			some = append(some, s)
		}
	}
	b.each(some, f)
}

// each calls f for every good statement, once for each number that its `*`
// stands for.
func (b *builder) each(stmts []*Stmt, f func(*Stmt)) {
	for _, s := range stmts {
		if s.call != nil && !s.bad {
			b.expand(s, func() { f(s) })
		}
	}
}

// int returns the value of an INT argument within the bounds of its row.
func (b *builder) int(t Token, r *Row) int {
	v := t
	if t.Kind == Word {
		if t.Text == "true" || t.Text == "false" {
			v = Token{Kind: Int, Text: map[string]string{"true": "1", "false": "0"}[t.Text]}
		} else if v = b.param(t, "a number"); v.Kind == EOF {
			return r.lo
		}
	}
	n := atoi(v.Text)
	lo, hi := r.lo, r.hi
	if r.flags&boolean != 0 {
		lo, hi = 0, 1
	}
	if v.Kind != Int && v.Text != "true" && v.Text != "false" {
		b.fail(t, fmt.Sprintf("`%s` is `%s`, not a number", t.Text, v.Text), "", "a number", "")
		return lo
	}
	if v.Text == "true" {
		n = 1
	}
	if n < lo || hi > 0 && n > hi {
		b.fail(t, fmt.Sprintf("%d is out of range", n), "", fmt.Sprintf("%d to %d", lo, hi), b.where(t))
		return lo
	}
	return n
}

// where says from where a value comes that is not written where it is used.
func (b *builder) where(t Token) string {
	name := t.Text
	if t.param != "" {
		name = t.param
	}
	v, ok := b.params[name]
	switch {
	case t.Kind != Word || !ok:
		return ""
	case b.variant != nil:
		return fmt.Sprintf("`%s` is %s in the check with of line %d", name, v.Text, b.variant.word().Pos.Line)
	}
	return fmt.Sprintf("`%s` is %s", name, v.Text)
}

// param returns the value of the param that a word names; what it should be
// serves the message. The EOF token stands for none.
func (b *builder) param(t Token, want string) Token {
	if v, ok := b.params[t.Text]; ok {
		b.useParam(t)
		return v
	}
	if !b.excused(t.Text, symParam) {
		b.fail(t, fmt.Sprintf("`%s` is neither %s nor a param", t.Text, want), "", want, suggest(t.Text, b.file.names(symParam), "params"))
	}
	return Token{}
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s) // tokens of kind Int have few digits
	return n
}

// word returns the word that stands in a place for words: the word itself, or
// the value of the param it names.
func (b *builder) word(t Token, in Where) string {
	if lookup(in, t.Text) != nil {
		return t.Text
	}
	if v, ok := b.params[t.Text]; ok {
		b.useParam(t)
		w := shortName(v.Text)
		if lookup(in, w) == nil {
			b.fail(t, fmt.Sprintf("`%s` is `%s`", t.Text, v.Text), "", in.String(), suggest(w, words(in), "choose from"))
		}
		return w
	}
	return t.Text
}

// wholeFile checks what only the whole file shows.
func (b *builder) wholeFile() {
	b.unasked()
	for _, s := range b.f.all {
		if s.call == nil || s.bad || s.call.row.Word != "vary" {
			continue
		}
		for _, x := range s.call.arg(aAxes).axes {
			b.checkAxis(x)
		}
	}
	if len(b.nodes) == 0 && len(b.c.errs) == 0 {
		b.c.add(Error{Pos: spec.Pos{File: b.f.Name, Line: 1, Col: 1}, Msg: "no node", Help: "`node NAME { … }` with a cq, a qp and a program"})
	}
}

// checkAxis checks that an axis exists and takes its values.
func (b *builder) checkAxis(x axis) {
	for _, t := range x.args {
		if y := b.wrOf(t); y != nil {
			b.use(segments(t)[strings.Count(t.Text, ".")], y)
		}
	}
	if p, ok := b.params[x.name]; ok {
		b.useParam(x.tok)
		for _, v := range x.values {
			if kindOfValue(v) != kindOfValue(p) {
				b.fail(v, fmt.Sprintf("param `%s` is %s, not %s", x.name, kindOfValue(p), kindOfValue(v)), "", kindOfValue(p), "")
			}
		}
		return
	}
	scratch := *b.sc
	scratch.Dials = map[string]string{}
	scratch.Faults = nil
	for _, v := range x.values {
		if err := Override(&scratch, x.name, v.Text); err != nil && !b.excused(x.name, symParam) {
			t := v
			if strings.HasPrefix(err.Error(), "no budget") {
				t = x.tok
			}
			b.fail(t, err.Error(), "", "", "")
		}
	}
}
