package axiom

import "slices"

// tables are the axioms of orders and of failures.
var tables = []*[]orderAxiom{&orderAxioms, &failureAxioms}

// AxiomNames lists the axioms of orders, of failures, and of memory.
func AxiomNames() []string {
	var names []string
	for _, t := range tables {
		for _, a := range *t {
			names = append(names, a.name)
		}
	}
	for _, a := range memoryAxioms {
		names = append(names, a.name)
	}
	return names
}

// Without calls f while the i-th axiom of AxiomNames does not hold.
func Without(i int, f func()) {
	for _, t := range tables {
		all := *t
		if i < len(all) {
			*t = slices.Delete(slices.Clone(all), i, i+1)
			defer func() { *t = all }()
			f()
			return
		}
		i -= len(all)
	}
	all := memoryAxioms
	memoryAxioms = slices.Delete(slices.Clone(all), i, i+1)
	defer func() { memoryAxioms = all }()
	f()
}

// TraceAxiomNames lists the axioms of Judge.
func TraceAxiomNames() []string {
	var names []string
	for _, a := range traceAxioms {
		names = append(names, a.name)
	}
	return names
}
