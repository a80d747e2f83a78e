package scenario

import (
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// expression adds what an expression can begin with. In a node its own things
// can be asked, elsewhere those of all nodes.
func (k *completer) expression() {
	if len(k.prefix) > 0 {
		k.fieldsOf(strings.Join(k.prefix, "."))
		return
	}
	kinds := []symKind{symWR, symVar, symCQ, symQP, symMR}
	k.params("")
	k.rows(InExpr, "word", func(r *Row) bool {
		ofProperty := r.field == spec.AtomSanitizer || past(r)
		return (r.field != nil || r.Word == "not" || r.Usage == "") && (k.node == nil || !ofProperty)
	})
	if k.node != nil {
		k.names(k.node.scope, "", kinds...)
		for _, name := range k.wcs {
			k.add(Candidate{Text: name, Kind: "completion", Detail: "the completion at hand"})
		}
		return
	}
	k.names(k.b.file, "", symNode)
	for _, nb := range k.b.nodes {
		for _, y := range nb.scope.list {
			if slices.Contains(kinds, y.kind) && !strings.Contains(y.name, cursorWord) {
				k.add(Candidate{Text: k.short(nb, y.name), Kind: kindNames[y.kind], Detail: kindNames[y.kind] + " " + nb.scope.place()})
			}
		}
	}
}

// past reports whether a function looks back, which programs cannot.
func past(r *Row) bool {
	return r.field == spec.ExprOnce || r.field == spec.ExprPrev || r.field == spec.ExprHistorically
}

// homes counts the nodes that have a name.
func (k *completer) homes(name string) int {
	n := 0
	for _, nb := range k.b.nodes {
		if nb.scope.syms[name] != nil {
			n++
		}
	}
	return n
}

// resolve finds what a dotted name without a field stands for.
func (k *completer) resolve(name string) *sym {
	parts := strings.Split(name, ".")
	if k.node != nil && len(parts) == 1 {
		return k.node.scope.syms[name]
	}
	if y := k.b.file.syms[parts[0]]; y != nil && y.kind == symNode {
		if len(parts) == 1 {
			return y
		}
		return k.b.nodes[y.index].scope.syms[parts[1]]
	}
	for _, nb := range k.b.nodes {
		if y := nb.scope.syms[name]; y != nil {
			return y
		}
	}
	return nil
}

// fieldsOf adds what can be asked of a thing, or the things of a node.
func (k *completer) fieldsOf(name string) {
	if slices.Contains(k.wcs, name) {
		k.rows(OfWC, "field", nil)
		return
	}
	y := k.resolve(name)
	switch {
	case y == nil:
		return
	case y.kind == symNode:
		k.names(k.b.nodes[y.index].scope, "", symWR, symVar, symCQ, symQP, symMR)
		return
	}
	for _, p := range fieldPlaces {
		if p.kind == y.kind {
			k.rows(p.in, "field", func(r *Row) bool { return y.kind != symWR || suitable(r.Word, k.b.sc.WRs[y.index].Recv) })
		}
	}
}

// fieldOf returns the field that an expression asks, "" if it asks none.
func fieldOf(e *expr) string {
	if e.kind != eName {
		return ""
	}
	if e.field != nil {
		return e.field.Text
	}
	_, field, _ := cutLast(e.tok.Text)
	return field
}

// valued reports whether what something can be compared with is of a few known
// words or names.
func (k *completer) valued(e *expr) bool {
	v, isParam := k.b.params[e.tok.Text]
	return contains("status state opcode src qp msg wr", fieldOf(e)) || bare(e) && isParam && kindOfValue(v) == "a word"
}

// comparand adds what something can be compared with.
func (k *completer) comparand(e *expr) {
	if e.kind != eName {
		return
	}
	switch fieldOf(e) {
	case "status":
		k.rows(AsStatus, "word", nil)
		k.params("a word")
	case "state":
		k.rows(AsState, "word", nil)
		k.params("a word")
	case "opcode":
		k.rows(AsWCOpcode, "word", nil)
	case "src":
		k.names(k.b.file, "", symNode)
	case "qp":
		k.local(symQP)
	case "msg", "wr", "data":
		for _, w := range k.b.sc.WRs {
			if !strings.Contains(w.Name, cursorWord) {
				k.add(Candidate{Text: w.Name, Kind: "WR", Detail: k.b.postedAs(&w)})
			}
		}
	default:
		k.values(e.tok.Text)
	}
}

// functionArg adds what the argument of a function may be.
func (k *completer) functionArg(w want) {
	kinds := map[any]symKind{spec.AtomRNR: symQP, spec.AtomEvent: symCh, spec.AtomAsleep: symThread}
	switch field := w.function.field; field {
	case spec.AtomHCAAccess, spec.AtomOverflow:
		k.sanitizers(w.function.Word)
	case spec.AtomAsync:
		if w.n == 1 {
			k.rows(AsEvent, "word", nil)
			return
		}
		k.things(symQP, symCQ, symSRQ)
	case spec.AtomInvoked:
		if k.node != nil {
			k.completions()
			return
		}
		k.handled()
	default:
		if kind, ok := kinds[field]; ok {
			k.things(kind)
		}
		if field == spec.AtomAsleep && len(k.prefix) == 0 {
			k.names(k.b.file, "", symNode) // its main thread
		}
	}
}

// handled adds the completions that have a handler.
func (k *completer) handled() {
	for _, nb := range k.b.nodes {
		n := k.b.node(nb)
		for _, h := range n.Handlers {
			if h.WR >= 0 {
				k.addDotted(Candidate{Text: k.b.sc.WRs[h.WR].Name + ".wc", Kind: "WR", Detail: "has a handler"})
			} else {
				k.addDotted(Candidate{Text: k.short(nb, n.CQs[h.CQ].Name) + ".wc", Kind: "cq", Detail: "has a handler"})
			}
		}
	}
}

// short is a thing's name as properties call it: with its node if another node
// has the name too.
func (k *completer) short(nb *nodeBuild, name string) string {
	if k.homes(name) > 1 {
		return nb.scope.name + "." + name
	}
	return name
}

// things adds things of the node around the cursor or, outside, of all nodes.
func (k *completer) things(kinds ...symKind) {
	if k.node != nil {
		k.names(k.node.scope, "", kinds...)
		return
	}
	for _, nb := range k.b.nodes {
		for _, y := range nb.scope.list {
			if slices.Contains(kinds, y.kind) && !strings.Contains(y.name, cursorWord) {
				c := Candidate{Text: nb.scope.name + "." + y.name, Kind: kindNames[y.kind], Detail: kindNames[y.kind] + " " + nb.scope.place()}
				k.addDotted(c)
				c.Text = k.short(nb, y.name)
				k.addDotted(c)
			}
		}
	}
}
