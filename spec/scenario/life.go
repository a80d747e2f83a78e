package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// aboutWR tells the life of a WR: what is posted where, with whom it meets,
// where it completes, who learns of it and who asks about it.
func (b *builder) aboutWR(y *sym) []string {
	w := &b.sc.WRs[y.index]
	out := []string{b.postedAs(w)}
	for _, line := range []string{b.meets(w), b.completes(y.index), b.handledBy(y.index), b.askedBy(y.index)} {
		if line != "" {
			out = append(out, line)
		}
	}
	return out
}

// postedAs says what a WR is: "SEND SIGNALED on host.q".
func (b *builder) postedAs(w *spec.WR) string {
	n := &b.sc.Nodes[w.Node]
	words := []string{"receive"}
	if !w.Recv {
		words = []string{w.Opcode.String()}
	}
	for _, f := range []struct {
		has  bool
		name string
	}{{w.Signaled, "SIGNALED"}, {w.Fence, "FENCE"}, {w.Inline, "INLINE"}, {w.Solicited, "SOLICITED"}} {
		if f.has {
			words = append(words, f.name)
		}
	}
	var mrs []string
	for _, i := range w.SGE {
		mrs = append(mrs, n.MRs[i].Name)
	}
	if len(mrs) > 0 {
		words = append(words, "sg ["+strings.Join(mrs, ", ")+"]")
	}
	if w.Remote.Node >= 0 {
		words = append(words, "of "+b.sc.Nodes[w.Remote.Node].Name+"."+b.sc.Nodes[w.Remote.Node].MRs[w.Remote.MR].Name)
	}
	switch {
	case w.QP >= 0:
		words = append(words, "on "+n.Name+"."+n.QPs[w.QP].Name)
	case w.SRQ >= 0:
		words = append(words, "on srq "+n.Name+"."+n.SRQs[w.SRQ].Name)
	}
	return strings.Join(words, " ")
}

// takesReceive reports whether a send takes a receive of the peer.
func takesReceive(w *spec.WR) bool {
	switch w.Opcode {
	case spec.SEND, spec.SEND_WITH_IMM, spec.SEND_WITH_INV, spec.RDMA_WRITE_WITH_IMM:
		return true
	}
	return false
}

// queuesOf returns the QPs that a receive may serve.
func (b *builder) queuesOf(w *spec.WR) []spec.QPRef {
	if w.QP >= 0 {
		return []spec.QPRef{{Node: w.Node, QP: w.QP}}
	}
	var out []spec.QPRef
	for i, q := range b.sc.Nodes[w.Node].QPs {
		if q.SRQ == w.SRQ && w.SRQ >= 0 {
			out = append(out, spec.QPRef{Node: w.Node, QP: i})
		}
	}
	return out
}

// partners returns the WRs of the peers that a WR may meet: for a receive the
// messages it may take, for a send the receives that may take it.
func (b *builder) partners(w *spec.WR) []int {
	var out []int
	for i := range b.sc.WRs {
		send, recv := w, &b.sc.WRs[i]
		if w.Recv {
			send, recv = recv, w
		}
		if send.Recv || !recv.Recv || !takesReceive(send) || send.QP < 0 {
			continue
		}
		if peer, ok := b.peers[spec.QPRef{Node: send.Node, QP: send.QP}]; ok && slices.Contains(b.queuesOf(recv), peer) {
			out = append(out, i)
		}
	}
	return out
}

// meets names the partners of a WR.
func (b *builder) meets(w *spec.WR) string {
	if !w.Recv && !takesReceive(w) {
		return ""
	}
	var names []string
	for _, i := range b.partners(w) {
		names = append(names, b.sc.WRs[i].Name)
	}
	if w.Recv {
		return "may take: " + listed(names)
	}
	return "may be taken by: " + listed(names)
}

// completes says where a WR's CQE is written.
func (b *builder) completes(wr int) string {
	w := &b.sc.WRs[wr]
	n := &b.sc.Nodes[w.Node]
	var cqs []string
	for _, i := range b.cqsOf(wr) {
		cqs = append(cqs, cqName(n, i))
	}
	text := "its CQE goes to " + listed(cqs)
	if !w.Recv && !w.Signaled && w.QP >= 0 && !n.QPs[w.QP].SigAll {
		text += ", but only if it fails: it is not signaled (F2.10)"
	}
	return text
}

// handledBy says who learns of a WR's completion.
func (b *builder) handledBy(wr int) string {
	w := &b.sc.WRs[wr]
	n := &b.sc.Nodes[w.Node]
	var out []string
	cqs := b.cqsOf(wr)
	for _, h := range n.Handlers {
		if h.WR == wr || h.CQ >= 0 && slices.Contains(cqs, h.CQ) {
			out = append(out, fmt.Sprintf("handled by the `on` in line %d", h.Pos.Line))
		}
	}
	for _, cq := range cqs {
		if cq >= 0 {
			out = append(out, n.CQs[cq].Name+" is "+b.pollersOf(w.Node, cq))
		}
	}
	return strings.Join(out, "; ")
}

// askedBy lists the properties and waits that ask about a WR.
func (b *builder) askedBy(wr int) string {
	asks := func(sides ...*spec.Expr) (yes bool) {
		for _, x := range sides {
			walkExpr(x, func(x *spec.Expr) { yes = yes || x.Op == spec.ExprAtom && x.Atom.WR == wr })
		}
		return yes
	}
	var out []string
	for _, p := range append(slices.Clone(b.sc.Asserts), b.sc.Reaches...) {
		if asks(p.L, p.R) {
			out = append(out, p.Name)
		}
	}
	for i := range b.sc.Nodes {
		n := &b.sc.Nodes[i]
		note := func(s *spec.Stmt) {
			if asks(s.Expr) {
				out = append(out, fmt.Sprintf("line %d", s.Pos.Line))
			}
		}
		for _, t := range n.Threads {
			walkStmts(t.Body, note)
		}
		for _, h := range n.Handlers {
			walkStmts(h.Body, note)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "asked by " + strings.Join(out, ", ")
}
