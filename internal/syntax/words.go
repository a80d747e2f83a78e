package main

import (
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/spec/scenario"
)

// A class is a set of words that are coloured alike.
type class struct {
	name  string // "verb"
	where scenario.Where
	takes func(*scenario.Row) bool // of the rows there, those that belong; nil for all
	start bool                     // stands at the start of a statement
	field bool                     // stands after a dot
	// What the class is called in TextMate, vim, emacs and tree-sitter.
	scope, group, face, capture string

	words []string // sorted, long names not among them
	long  []string // prefixes of libibverbs and the kernel that may stand before them
}

// words are the classes with their words. A word is in the first class that
// wants it, but that those at the start of a statement and those after a dot
// are told apart from others by their place.
type words struct{ classes []*class }

// control are the statements of programs that choose, repeat and wait.
var control = []string{"if", "either", "loop", "repeat", "atomic", "wait", "stop", "lock", "unlock"}

// joining are the words that stand between arguments; no table has them.
var joining = []string{"as", "else", "expect", "in", "on", "or", "with", "faults"}

func isControl(r *scenario.Row) bool { return slices.Contains(control, r.Word) }

// newWords sorts the words of the tables into classes.
func newWords() *words {
	w := &words{classes: []*class{
		{name: "control", where: scenario.InProgram, takes: isControl, start: true, scope: "keyword.control", group: "Conditional",
			face: "font-lock-keyword-face", capture: "keyword.conditional"},
		{name: "declaration", where: scenario.InFile | scenario.InNode, start: true, scope: "keyword.declaration", group: "Structure",
			face: "font-lock-keyword-face", capture: "keyword"},
		{name: "verb", where: scenario.InProgram, start: true, scope: "support.function", group: "Function",
			face: "font-lock-builtin-face", capture: "function.call", long: []string{"ibv_", "ib_"}},
		{name: "attribute", where: scenario.InLitmus | scenario.InCQ | scenario.InQP | scenario.InSRQ | scenario.InMR | scenario.InFaults, start: true,
			scope: "support.type.property-name", group: "Type", face: "font-lock-type-face", capture: "attribute"},
		{name: "dial", where: scenario.InAssume, start: true, scope: "variable.parameter", group: "Type", face: "font-lock-type-face", capture: "variable.parameter"},
		{name: "field", where: scenario.OfWR | scenario.OfCQ | scenario.OfQP | scenario.OfMR | scenario.OfWC, field: true, scope: "variable.other.property",
			group: "Identifier", face: "font-lock-variable-name-face", capture: "property"},
		{name: "opcode", where: scenario.AsOpcode, scope: "entity.name.type", group: "Special", face: "font-lock-function-name-face",
			capture: "type", long: []string{"IBV_WR_", "IB_WR_", "IBV_WC_", "IB_WC_"}},
		{name: "flag", where: scenario.InSend | scenario.InRecv | scenario.InNotify, takes: isUpper, scope: "storage.modifier", group: "StorageClass",
			face: "font-lock-builtin-face", capture: "keyword.modifier", long: []string{"IBV_SEND_", "IB_SEND_", "IB_CQ_"}},
		{name: "option", where: scenario.InSend | scenario.InRecv | scenario.InNotify, scope: "support.type.property-name", group: "Type",
			face: "font-lock-type-face", capture: "attribute"},
		{name: "operator", where: scenario.InExpr, takes: isOperator, scope: "keyword.operator", group: "Operator", face: "font-lock-keyword-face",
			capture: "keyword.operator"},
		{name: "predicate", where: scenario.InExpr | scenario.AsAllow, scope: "support.function.predicate", group: "PreProc", face: "font-lock-preprocessor-face",
			capture: "function.builtin"},
		{name: "constant", where: scenario.AsStatus | scenario.AsState | scenario.AsEvent | scenario.AsWCOpcode | scenario.AsType |
			scenario.AsClass | scenario.AsAccess, scope: "constant.language", group: "Constant", face: "font-lock-constant-face", capture: "constant.builtin",
			long: []string{"IBV_WC_", "IB_WC_", "IBV_QPS_", "IB_QPS_", "IBV_EVENT_", "IB_EVENT_", "IBV_QPT_", "IB_QPT_", "IBV_ACCESS_", "IB_ACCESS_",
				"IBV_EVENT_QP_", "IB_EVENT_QP_"}},
		{name: "verdict", where: scenario.AsVerdict, scope: "constant.language.verdict", group: "Boolean", face: "font-lock-constant-face", capture: "boolean"},
		{name: "profile", where: scenario.AsProfile, scope: "constant.other", group: "Constant", face: "font-lock-constant-face", capture: "constant"},
		{name: "joining", scope: "keyword.other", group: "Keyword", face: "font-lock-keyword-face", capture: "keyword"},
	}}
	for _, r := range scenario.Table() {
		w.sort(r)
	}
	w.class("joining").words = slices.Clone(joining)
	for i, c := range w.classes {
		c.words = slices.DeleteFunc(c.words, func(word string) bool { return taken(w.classes[:i], c, word) })
		slices.Sort(c.words)
		c.words = slices.Compact(c.words)
	}
	return w
}

func isUpper(r *scenario.Row) bool { return strings.ToUpper(r.Word) == r.Word }

// isOperator reports whether a row is a word between or before expressions.
func isOperator(r *scenario.Row) bool {
	return !strings.HasPrefix(r.Usage, "(") && (r.Usage != "" || r.Word == "true" || r.Word == "false")
}

// sort puts a row's words into the classes that want them: for each of its
// places one.
func (w *words) sort(r *scenario.Row) {
	if r.Word == "PROPERTY" {
		return
	}
	for bit := scenario.Where(1); bit != 0 && bit <= r.In; bit <<= 1 {
		if r.In&bit == 0 {
			continue
		}
		for _, c := range w.classes {
			if c.where&bit == 0 || c.takes != nil && !c.takes(r) {
				continue
			}
			for _, word := range append(strings.Fields(r.Also), r.Word) {
				word, _, _ = strings.Cut(word, "(") // of "overflow(sq)", as another word
				c.words = append(c.words, word)
			}
			break
		}
	}
}

// taken reports whether an earlier class that stands in the same places as c has
// a word.
func taken(earlier []*class, c *class, word string) bool {
	return slices.ContainsFunc(earlier, func(o *class) bool {
		return o.start == c.start && o.field == c.field && slices.Contains(o.words, word)
	})
}

// class returns the class of a name.
func (w *words) class(name string) *class {
	for _, c := range w.classes {
		if c.name == name {
			return c
		}
	}
	return nil
}

// pattern is a regular expression for the words of a class, the longest first,
// so that engines that take the first alternative do not stop within a word.
func (c *class) pattern(or string, quote func(string) string) string {
	list := slices.Clone(c.words)
	slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
	for i := range list {
		list[i] = quote(list[i])
	}
	return strings.Join(list, or)
}

// prefixes is the same for the long prefixes, "" if there are none.
func (c *class) prefixes(or string) string {
	list := slices.Clone(c.long)
	slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
	return strings.Join(list, or)
}
