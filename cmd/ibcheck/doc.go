package main

import (
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibcheck/ibcheck/internal/page"
	"github.com/ibcheck/ibcheck/invariants"
	"github.com/ibcheck/ibcheck/scenarios"
	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

const docHelp = `Says what a word means, wherever it may stand: a statement or a verb, an option,
an opcode, a status, a function of properties, a question to a thing (WR.acked),
a dial or a profile of the adapter, a built-in check, a rule of the model, a fact
(F1.14) or a clause of the specification (C9-95). Names of libibverbs will do:
ibv_post_send, IBV_WC_RETRY_EXC_ERR.

Without a word it lists them all.`

func newDoc(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "doc [WORD...]",
		Short:   "Say what a word of a scenario means",
		Long:    docHelp,
		Example: "  ibcheck doc post_send\n  ibcheck doc ack.coalesce\n  ibcheck doc F1.14",
		RunE:    func(_ *cobra.Command, args []string) error { return a.doc(args) },

		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return newManual().words(), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

func (a *app) doc(words []string) error {
	m := newManual()
	if len(words) == 0 {
		m.list(a.stdout)
		return nil
	}
	for i, word := range words {
		entries := m.find(word)
		if len(entries) == 0 {
			return m.unknown(word)
		}
		if i > 0 {
			fmt.Fprintln(a.stdout)
		}
		m.explain(a.stdout, word, entries)
	}
	return nil
}

// An entry is all that is known of a word in one place.
type entry struct {
	word  string
	also  []string // other spellings
	group string   // "in a program", "dials"
	usage string   // how it is written
	lines []string // what it means
	facts string   // what is behind it: "F1.14, F1.16"
}

// A manual is the entries of all words, in the order in which they are listed.
type manual struct {
	entries []entry
	facts   []fact
}

func newManual() *manual {
	m := &manual{facts: facts()}
	for _, r := range scenario.Table() {
		if r.In&scenario.AsProfile == 0 && spec.FindDial(r.Word) == nil {
			m.entries = append(m.entries, entry{word: r.Word, also: strings.Fields(r.Also), group: r.In.String(), usage: usageOf(r),
				lines: []string{r.Doc}, facts: r.Fact})
		}
	}
	for i := range spec.Dials {
		m.entries = append(m.entries, dialEntry(&spec.Dials[i]))
	}
	for i := range spec.Profiles {
		m.entries = append(m.entries, profileEntry(&spec.Profiles[i]))
	}
	m.entries = append(m.entries, builtinEntries()...)
	m.entries = append(m.entries, ruleEntries()...)
	for _, c := range scenario.Checks() {
		m.entries = append(m.entries, entry{word: c.Code, group: "checks of lint", lines: []string{c.Doc}})
	}
	return m
}

// usageOf shows how a word is written, "" if it stands alone.
func usageOf(r *scenario.Row) string {
	switch {
	case r.Usage == "":
		return ""
	case r.In == scenario.InExpr && strings.HasPrefix(r.Usage, "EXPR EXPR"):
		return "EXPR " + r.Word + " EXPR"
	}
	return strings.ReplaceAll(r.Word+" "+r.Usage, r.Word+" (", r.Word+"(")
}

func dialEntry(d *spec.Dial) entry {
	values := strings.Join(d.Values, ", ")
	if d.Number {
		values += ", or a number"
	}
	e := entry{word: d.Name, group: "dials of the adapter", usage: "assume { " + d.Name + " VALUE }", facts: d.Fact,
		lines: []string{d.Doc, "values: " + values}}
	var by []string
	for _, p := range spec.Profiles {
		if set, err := spec.ResolveDials(p.Name, nil); err == nil { // a profile of the table has no unknown dials
			by = append(by, p.Name+" "+set[d.Name])
		}
	}
	e.lines = append(e.lines, "in the profiles: "+strings.Join(by, ", "))
	return e
}

func profileEntry(p *spec.Profile) entry {
	e := entry{word: p.Name, group: "profiles", usage: "assume { profile " + p.Name + " }", lines: []string{p.Doc}}
	set, err := spec.ResolveDials(p.Name, nil)
	if err != nil {
		return e // as above
	}
	for _, d := range spec.Dials {
		line := fmt.Sprintf("%-26s %s", d.Name, set[d.Name])
		if set[d.Name] != d.IBA {
			line += " (iba: " + d.IBA + ")"
		}
		e.lines = append(e.lines, line)
	}
	return e
}

// builtinEntries are the checks that no scenario can turn off; the others are
// words of the language.
func builtinEntries() []entry {
	watch, err := invariants.Compile(&spec.Scenario{})
	if err != nil {
		return nil // an empty scenario has no property that could be wrong
	}
	var out []entry
	for _, t := range watch.Targets {
		if t.Kind == "builtin" {
			out = append(out, entry{word: t.Name, group: "checks that are always on", lines: []string{t.Text}, facts: t.Text})
		}
	}
	return out
}

// ruleEntries are the kinds of step, which reports name.
func ruleEntries() []entry {
	var out []entry
	facts := spec.RuleFacts()
	for k, name := range spec.Rules() {
		words := "a kind of step of the transport"
		if facts[k] == "environment" {
			words = "a kind of step of programs and wire"
		}
		out = append(out, entry{word: name, group: "rules of the model", lines: []string{words}, facts: facts[k]})
	}
	return out
}

// words are all words of the manual, each once, sorted.
func (m *manual) words() []string {
	var out []string
	for _, e := range m.entries {
		out = append(append(out, e.word), e.also...)
	}
	for _, f := range m.facts {
		out = append(out, f.id)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// find returns the entries of a word in any spelling; if only capitals differ,
// they do not matter.
func (m *manual) find(word string) []entry {
	canonical := word
	if rows := scenario.Doc(word); len(rows) > 0 {
		canonical = rows[0].Word
	}
	same := []func(w string) bool{
		func(w string) bool { return w == word || w == canonical },
		func(w string) bool { return strings.EqualFold(w, word) },
	}
	for _, is := range same {
		var out []entry
		for _, e := range m.entries {
			if is(e.word) || slices.ContainsFunc(e.also, is) {
				out = append(out, e)
			}
		}
		for _, f := range m.facts {
			if is(f.id) {
				out = append(out, entry{word: f.id, group: "facts", lines: append([]string{f.text}, f.more...)})
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return m.clause(word)
}

// clause returns an entry for a clause of the specification, if a fact or a
// scenario cites it.
func (m *manual) clause(word string) []entry {
	if !regexp.MustCompile(`^(C\d+-|\d+\.)[\d.]+$`).MatchString(word) {
		return nil
	}
	e := entry{word: word, group: "clauses of the specification"}
	for _, f := range m.facts {
		if cites(f.text, word) {
			e.lines = append(e.lines, "cited by "+f.id+": "+f.text)
		}
	}
	if len(e.lines) == 0 && len(catalogCites(word)) == 0 {
		return nil
	}
	return []entry{e}
}

func (m *manual) unknown(word string) error {
	err := fmt.Errorf("no word %q in the language, the dials or the facts; ibcheck doc lists them", word)
	if near := nearest(word, m.words()); near != "" {
		err = fmt.Errorf("%w\ndid you mean %s?", err, near)
	}
	return err
}

// explain writes the entries of a word, what is behind it and what rests on it,
// and scenarios to learn from.
func (m *manual) explain(w io.Writer, word string, entries []entry) {
	for i, e := range entries {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s  %s\n", e.word, e.group)
		if e.usage != "" {
			folded(w, 4, e.usage)
		}
		for _, line := range e.lines {
			folded(w, 4, line)
		}
		if len(e.also) > 0 {
			folded(w, 4, "also written: "+strings.Join(e.also, ", "))
		}
		for _, f := range m.facts {
			if cites(e.facts, f.id) {
				folded(w, 4, f.id+": "+f.text)
			}
		}
		if e.group == "facts" {
			if users := m.usersOf(e.word); len(users) > 0 {
				folded(w, 4, "behind: "+strings.Join(users, ", "))
			}
		}
	}
	if names := catalogCites(entries[0].word); len(names) > 0 {
		fmt.Fprintf(w, "\nIn the catalogue (ibcheck catalog show NAME):\n")
		for _, name := range names {
			fmt.Fprintf(w, "    %s\n", name)
		}
	}
}

// usersOf lists the words that rest on a fact.
func (m *manual) usersOf(id string) []string {
	var out []string
	for _, e := range m.entries {
		if cites(e.facts, id) && !slices.Contains(out, e.word) {
			out = append(out, e.word)
		}
	}
	return out
}

func folded(w io.Writer, indent int, text string) {
	for _, line := range page.Fold(strings.Repeat(" ", indent)+text, indent+2) {
		fmt.Fprintln(w, line)
	}
}

// catalogCites names the shortest scenarios of the catalogue that use a word, at
// most three.
func catalogCites(word string) []string {
	edge := func(in string) string {
		if regexp.MustCompile(`^\w$`).MatchString(in) {
			return `\b`
		}
		return ""
	}
	pattern := regexp.MustCompile(edge(word[:1]) + regexp.QuoteMeta(word) + edge(word[len(word)-1:]))
	type found struct {
		name string
		size int
	}
	var all []found
	for _, file := range catalogFiles() {
		src, err := scenarios.Files.ReadFile(file)
		if err == nil && path.Dir(file) != "mutants" && pattern.Match(src) {
			all = append(all, found{strings.TrimSuffix(file, ".ibl"), len(src)})
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return a.size - b.size })
	var out []string
	for _, f := range all[:min(3, len(all))] {
		out = append(out, f.name)
	}
	return out
}

// list writes all words by the place where they may stand.
func (m *manual) list(w io.Writer) {
	var groups []string
	words := map[string][]string{}
	for _, e := range m.entries {
		if words[e.group] == nil {
			groups = append(groups, e.group)
		}
		if !slices.Contains(words[e.group], e.word) {
			words[e.group] = append(words[e.group], e.word)
		}
	}
	for _, g := range groups {
		fmt.Fprintf(w, "%s\n", g)
		folded(w, 2, strings.Join(words[g], ", "))
	}
	fmt.Fprintln(w, "facts")
	folded(w, 2, strings.Join(m.factRanges(), ", "))
}

// factRanges names the facts by chapter: "F1.1 to F1.36".
func (m *manual) factRanges() []string {
	var out []string
	chapter := func(id string) string { // "F1" of F1.14, "M" of M3
		if before, _, ok := strings.Cut(id, "."); ok {
			return before
		}
		return id[:1]
	}
	for i := 0; i < len(m.facts); {
		k := i
		for k+1 < len(m.facts) && chapter(m.facts[k+1].id) == chapter(m.facts[i].id) {
			k++
		}
		if k > i {
			out = append(out, m.facts[i].id+" to "+m.facts[k].id)
		} else {
			out = append(out, m.facts[i].id)
		}
		i = k + 1
	}
	return out
}
