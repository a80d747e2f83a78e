package axiom

import "slices"

// AxiomNames lists the axioms of orders, then those of memory.
func AxiomNames() []string {
	var names []string
	for i := range orderAxioms {
		names = append(names, orderAxioms[i].name)
	}
	for i := range memoryAxioms {
		names = append(names, memoryAxioms[i].name)
	}
	return names
}

// Without calls f while the i-th axiom of AxiomNames does not hold.
func Without(i int, f func()) {
	order, memory := orderAxioms, memoryAxioms
	defer func() { orderAxioms, memoryAxioms = order, memory }()
	if n := len(order); i < n {
		orderAxioms = slices.Delete(slices.Clone(order), i, i+1)
	} else {
		memoryAxioms = slices.Delete(slices.Clone(memory), i-n, i-n+1)
	}
	f()
}
