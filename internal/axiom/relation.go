package axiom

import "math/bits"

// An event is a thing that happens once in an execution, by number.
type event uint8

// maxEvents is how many events one execution can have.
const maxEvents = 64

// none stands for an event that an execution does not have.
const none event = maxEvents

// A relation is a strict partial order of events, closed under transitivity:
// bit b of before[a] says that a comes before b.
type relation struct{ before [maxEvents]uint64 }

// has reports whether a comes before b.
func (r *relation) has(a, b event) bool { return r.before[a]>>b&1 == 1 }

// add puts a before b, with all that follows from it, and reports whether that
// leaves the relation free of cycles.
func (r *relation) add(a, b event) bool {
	if a == b || r.has(b, a) {
		return false
	}
	if r.has(a, b) {
		return true
	}
	after := r.before[b] | 1<<b
	for x := range r.before {
		if event(x) == a || r.has(event(x), a) {
			r.before[x] |= after
		}
	}
	return true
}

// minimal returns the events of a set that no other event of the set precedes.
func (r *relation) minimal(set uint64) uint64 {
	least := set
	for s := set; s != 0; s &= s - 1 {
		least &^= r.before[bits.TrailingZeros64(s)]
	}
	return least
}
