package scenario

import (
	"fmt"
	"slices"
	"strings"
)

// expand calls f once for each number that the `*` in a statement's own words
// stands for, or once if there is none. Inside of something replicated `*` is
// that thing's number already.
func (b *builder) expand(s *Stmt, f func()) {
	if b.star >= 0 {
		f()
		return
	}
	n, ok := b.countStars(s)
	if !ok { // nothing of what it would have declared is missed
		b.lose(s)
		return
	}
	if n < 0 {
		f()
		return
	}
	for b.star = 0; b.star < n; b.star++ {
		f()
	}
	b.star = -1
}

// countStars returns how many numbers the `*` of a statement stands for, or -1
// if it has none. ok is false if that is a mistake, which is reported.
func (b *builder) countStars(s *Stmt) (n int, ok bool) {
	n = -1
	var unknown *Token
	for _, t := range starred(s) {
		base := b.starBase(s, t)
		if base == "" {
			continue
		}
		count := b.group(base)
		switch {
		case count == 0 && unknown == nil:
			unknown = &t
		case count == 0:
		case n >= 0 && n != count:
			b.fail(t, fmt.Sprintf("`%s` stands for %d, another `*` here for %d", t.Text, count, n), "", "", "")
			return 0, false
		default:
			n = count
		}
	}
	if n < 0 && unknown != nil {
		if !b.excused(unknown.Text, symQP) {
			b.fail(*unknown, fmt.Sprintf("nothing replicated is called `%s`", b.starBase(s, *unknown)), "", "",
				"`replicate N qp q { … }` declares q0, q1, …, together `q*`")
		}
		return 0, false
	}
	return n, true
}

// starred returns the words of a statement whose `*` is its own, not that of
// an all(…) or any(…).
func starred(s *Stmt) []Token {
	var out []Token
	depth, inside := 0, 0 // brackets open; those around an all or any
	for i, it := range s.Items {
		switch {
		case it.Block != nil:
		case it.Tok.is("("):
			if depth++; inside == 0 && (s.Items[i-1].Tok.is("all") || s.Items[i-1].Tok.is("any")) {
				inside = depth
			}
		case it.Tok.is(")"):
			if depth--; depth < inside {
				inside = 0
			}
		case inside == 0 && it.Tok.Kind == Word:
			out = append(out, it.Tok)
		}
	}
	return out
}

// starBase returns the name before the `*` of a word, "" if it has none. In
// connect and channel, the bare name of a replicated node has one too.
func (b *builder) starBase(s *Stmt, t Token) string {
	if t.Kind != Word {
		return ""
	}
	if base, _, ok := strings.Cut(t.Text, "*"); ok {
		return base
	}
	first, _, _ := strings.Cut(t.Text, ".")
	if w := s.word(); b.groups[first] > 0 && (w.is("connect") || w.is("channel")) {
		return first
	}
	return ""
}

// group returns how many numbers a base stands for, 0 if it is unknown: a
// node "c", a name "s.q" of a node, or "q" in the node being built or, from
// outside, in the only node that has it.
func (b *builder) group(base string) int {
	if b.here != nil {
		if n := b.groups[b.here.scope.name+"."+base]; n > 0 {
			return n
		}
	}
	if n := b.groups[base]; n > 0 {
		return n
	}
	found := 0
	for _, nb := range b.nodes {
		if n := b.groups[nb.scope.name+"."+base]; n > 0 {
			if found > 0 {
				return 0
			}
			found = n
		}
	}
	return found
}

// spreadGroups finds how many numbers the `*` of WRs and threads stands for:
// as many as that of something replicated beside it. A statement with a `*` of
// its own hands its number down to what it holds.
func (b *builder) spreadGroups() {
	for changed := true; changed; {
		changed = false
		b.eachNode(func(nb *nodeBuild) {
			if nb.star < 0 && b.spread(nb, nb.block.Stmts) {
				changed = true
			}
		})
	}
}

func (b *builder) spread(nb *nodeBuild, stmts []*Stmt) bool {
	changed := false
	for _, s := range stmts {
		own := slices.ContainsFunc(starred(s), func(t Token) bool { return b.starBase(s, t) != "" })
		if !own {
			for _, it := range s.Items {
				if it.Block != nil && b.spread(nb, it.Block.Stmts) {
					changed = true
				}
			}
			continue
		}
		n := 0
		s.each(func(t *Token) {
			if base := b.starBase(s, *t); base != "" {
				n = max(n, b.group(base))
			}
		})
		s.each(func(t *Token) {
			base := b.starBase(s, *t)
			if n > 0 && base != "" && !strings.Contains(base, ".") && b.group(base) == 0 {
				b.groups[nb.scope.name+"."+base] = n
				changed = true
			}
		})
	}
	return changed
}
