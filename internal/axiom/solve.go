package axiom

import "math/bits"

// An edge says that a comes before b.
type edge struct{ a, b event }

// A clause says that at least one of its alternatives holds; an alternative is
// a set of edges that hold together.
type clause [][]edge

// A problem is what the axioms say of an execution: what comes before what in
// any case, and clauses.
type problem struct {
	known    relation
	clauses  []clause
	hopeless bool // known has a cycle
}

// must says that each event comes before the next. An event that an execution
// does not have is later than all that it has.
func (p *problem) must(chain ...event) {
	for i := 1; i < len(chain); i++ {
		a, b := chain[i-1], chain[i]
		if b != none && (a == none || !p.known.add(a, b)) {
			p.hopeless = true
		}
	}
}

// either says that one of the alternatives holds.
func (p *problem) either(alternatives ...[]edge) {
	var c clause
	for _, alt := range alternatives {
		rest, possible := alt[:0:0], true
		for _, e := range alt {
			switch {
			case e.b == none:
			case e.a == none:
				possible = false
			default:
				rest = append(rest, e)
			}
		}
		if possible && len(rest) == 0 {
			return
		}
		if possible {
			c = append(c, rest)
		}
	}
	p.clauses = append(p.clauses, c)
}

// chain returns the edges from each event to the next.
func chain(events ...event) []edge {
	var list []edge
	for i := 1; i < len(events); i++ {
		list = append(list, edge{events[i-1], events[i]})
	}
	return list
}

// A search is a problem partly solved: the clauses that are still open.
type search struct {
	of   *problem
	rel  relation
	open []int
}

func (p *problem) start() *search {
	s := &search{of: p, rel: p.known}
	for i := range p.clauses {
		s.open = append(s.open, i)
	}
	return s
}

func (s *search) copy() *search {
	return &search{s.of, s.rel, append([]int(nil), s.open...)}
}

// settle draws the conclusions that need no guess, and reports whether the
// problem may still have a solution.
func (s *search) settle() bool {
	for again := true; again; {
		again = false
		rest := s.open[:0]
		for k, i := range s.open {
			only, n, done := s.alternatives(s.of.clauses[i])
			switch {
			case done:
			case n == 0:
				return false
			case n == 1:
				if !s.assume(only) {
					return false
				}
				again = true
			default:
				rest = append(rest, s.open[k])
			}
		}
		s.open = rest
	}
	return true
}

// alternatives counts the alternatives of a clause that are still possible and
// returns one of them; done says that one holds already.
func (s *search) alternatives(c clause) (one []edge, n int, done bool) {
	for _, alt := range c {
		possible, holds := true, true
		for _, e := range alt {
			if e.a == e.b || s.rel.has(e.b, e.a) {
				possible = false
				break
			}
			holds = holds && s.rel.has(e.a, e.b)
		}
		if possible && holds {
			return nil, 0, true
		}
		if possible {
			one = alt
			n++
		}
	}
	return one, n, false
}

func (s *search) assume(edges []edge) bool {
	for _, e := range edges {
		if !s.rel.add(e.a, e.b) {
			return false
		}
	}
	return true
}

// solvable reports whether there is an execution. It uses the search up.
func (s *search) solvable() bool {
	if !s.settle() {
		return false
	}
	if len(s.open) == 0 {
		return true
	}
	for _, alt := range s.of.clauses[s.open[0]] {
		next := s.copy()
		if next.assume(alt) && next.solvable() {
			return true
		}
	}
	return false
}

// orders calls found for every total order of the visible events that some
// execution shows.
func (p *problem) orders(visible uint64, found func(order []event)) {
	if p.hopeless {
		return
	}
	p.extend(p.start(), visible, nil, found)
}

// extend puts each event that can come next behind an order begun.
func (p *problem) extend(s *search, rest uint64, order []event, found func(order []event)) {
	if !s.settle() {
		return
	}
	if rest == 0 {
		if s.solvable() {
			found(order)
		}
		return
	}
	for least := s.rel.minimal(rest); least != 0; least &= least - 1 {
		e := event(bits.TrailingZeros64(least))
		next, others, ok := s.copy(), rest&^(1<<e), true
		for o := others; o != 0 && ok; o &= o - 1 {
			ok = next.rel.add(e, event(bits.TrailingZeros64(o)))
		}
		if ok {
			p.extend(next, others, append(order[:len(order):len(order)], e), found)
		}
	}
}
