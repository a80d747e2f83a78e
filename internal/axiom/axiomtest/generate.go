package axiomtest

import (
	"iter"

	"github.com/ibcheck/ibcheck/internal/axiom"
	"github.com/ibcheck/ibcheck/spec"
)

// opcodes are the opcodes of generated programs.
var opcodes = []spec.Opcode{spec.SEND, spec.SEND_WITH_IMM, spec.RDMA_WRITE, spec.RDMA_WRITE_WITH_IMM, spec.RDMA_READ,
	spec.ATOMIC_CMP_AND_SWP, spec.ATOMIC_FETCH_AND_ADD, spec.LOCAL_INV}

// A place is who posts a WR: a side, and the receive whose handler does, or 0.
type place struct{ side, after int }

// shapes are who posts what in programs of up to three WRs, but for the names
// of the sides: on one side or on both, each by itself or in answer to a
// receive, and answers to answers.
var shapes = [][]place{
	{{0, 0}},
	{{0, 0}, {0, 0}},
	{{0, 0}, {1, 0}},
	{{0, 0}, {1, 1}},
	{{0, 0}, {0, 0}, {0, 0}},
	{{0, 0}, {0, 0}, {1, 0}},
	{{0, 0}, {0, 0}, {1, 1}},
	{{0, 0}, {0, 0}, {1, 2}},
	{{0, 0}, {1, 1}, {1, 1}},
	{{0, 0}, {1, 0}, {1, 1}},
	{{0, 0}, {1, 1}, {0, 1}},
	{{0, 0}, {1, 0}, {0, 1}},
}

// Programs yields every program of up to three WRs of any two opcodes, in every
// shape, with one CQ a side or two, one READ or ATOMIC outstanding or two, each
// WR signaled or not and, where one of its side comes before it, fenced or not.
func Programs() iter.Seq[*axiom.Program] {
	return func(yield func(*axiom.Program) bool) {
		for _, shape := range shapes {
			for ops := range sequences(len(shape)) {
				for flags := range 1 << (2*len(shape) + 2) {
					if p := program(shape, ops, flags); p != nil && !yield(p) {
						return
					}
				}
			}
		}
	}
}

// sequences yields the sequences of n opcodes of which at most two differ.
func sequences(n int) iter.Seq[[]spec.Opcode] {
	return func(yield func([]spec.Opcode) bool) {
		for x, one := range opcodes {
			if !yield(repeat(one, one, n, 0)) {
				return
			}
			for _, two := range opcodes[x+1:] {
				for which := 1; which < 1<<n-1; which++ {
					if !yield(repeat(one, two, n, which)) {
						return
					}
				}
			}
		}
	}
}

// repeat returns n opcodes, the i-th of which is two where bit i is set.
func repeat(one, two spec.Opcode, n, which int) []spec.Opcode {
	list := make([]spec.Opcode, n)
	for i := range list {
		if list[i] = one; which>>i&1 == 1 {
			list[i] = two
		}
	}
	return list
}

// program makes a program: the lowest bit of flags asks for a second CQ, the
// next for a second READ outstanding, then two bits a WR say signaled and
// fenced. It returns nil for what is not there: the receive of a handler, a WR
// that a fence could wait for, a second READ of a side.
func program(shape []place, ops []spec.Opcode, flags int) *axiom.Program {
	p := &axiom.Program{CQs: 1 + flags&1, MaxRdAtomic: 1 + flags>>1&1}
	reads := [2]int{}
	for i, at := range shape {
		flags >>= 2
		signaled, fence := flags&1 == 1, flags>>1&1 == 1
		if fence && !comesBefore(shape[:i], at.side) {
			return nil
		}
		p.WRs = append(p.WRs, axiom.WR{Side: at.side, Op: ops[i], After: at.after, Signaled: signaled, Fence: fence})
		if p.WRs[i].Brings() {
			reads[at.side]++
		}
	}
	if p.MaxRdAtomic > max(reads[0], reads[1], 1) {
		return nil
	}
	for i := range p.WRs {
		if w := &p.WRs[i]; w.After > p.Receives(w.Side) {
			return nil
		}
	}
	return p
}

func comesBefore(list []place, side int) bool {
	for _, at := range list {
		if at.side == side {
			return true
		}
	}
	return false
}
