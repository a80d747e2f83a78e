package spec

import "fmt"

// A faultKind is the kind of a fault budget.
type faultKind uint8

const (
	faultDrop faultKind = iota
	faultDup
	faultReorder
	faultCorrupt
	faultEarlyTimeout
	faultKill
)

// A classMask is a set of packet classes.
type classMask uint16

const (
	classSend classMask = 1 << iota
	classWrite
	classRead
	classAtomic
	classReadResp
	classAtomicAck
	classAck
	classNAK
	classRNR

	classRequest  = classSend | classWrite | classRead | classAtomic
	classResponse = classReadResp | classAtomicAck | classAck | classNAK | classRNR
)

var classByName = map[string]classMask{"SEND": classSend, "WRITE": classWrite, "READ": classRead, "ATOMIC": classAtomic,
	"READ_RESPONSE": classReadResp, "ATOMIC_ACK": classAtomicAck, "ACK": classAck, "NAK": classNAK, "RNR_NAK": classRNR,
	"request": classRequest, "response": classResponse, "any": classRequest | classResponse}

// faults compiles the fault budgets; those of 0 are kept, so that the report
// shows them.
func (c *compiler) faults() {
	for i := range c.sc.Faults {
		f := &c.sc.Faults[i]
		b := budgetConf{f: f, name: FaultName(c.sc, f), site: -1, qp: -1}
		for k, name := range FaultKinds() {
			if name == f.Kind {
				b.kind = faultKind(k)
			}
		}
		if f.WR >= 0 {
			b.site, b.mask = f.WR, classRequest
		} else {
			b.mask = classByName[f.Class]
		}
		if f.Class == "" && f.WR < 0 {
			b.mask = classByName["any"]
		}
		b.over = classByName["any"]
		if f.Other != "" {
			b.over = classByName[f.Other]
		}
		if f.On.Node >= 0 {
			b.qp = c.nodeQP[f.On.Node] + f.On.QP
		}
		if f.Max > 255 {
			c.errorf(f.Pos, "budget %d is larger than 255", f.Max)
		}
		c.budgets = append(c.budgets, b)
	}
}

// FaultName returns a budget's name as the language writes it: "drop(ACK)".
func FaultName(sc *Scenario, f *Fault) string {
	on := ""
	if f.On.Node >= 0 {
		nd := &sc.Nodes[f.On.Node]
		on = nd.Name + "." + nd.QPs[f.On.QP].Name
	}
	switch {
	case f.Kind == "kill":
		return "kill(" + on + ")"
	case f.Kind == "early_timeout" && on == "":
		return f.Kind
	case f.Kind == "early_timeout":
		return f.Kind + " on " + on
	}
	what := f.Class
	if f.WR >= 0 {
		what = sc.WRs[f.WR].Name
	}
	if f.Other != "" {
		what += ", " + f.Other
	}
	name := fmt.Sprintf("%s(%s)", f.Kind, what)
	if on != "" {
		name += " on " + on
	}
	return name
}

// class returns the class of a packet in wire w.
func (m *Model) class(s *State, w int, p Pkt) classMask {
	switch p.Kind {
	case PktAck:
		return classAck
	case PktNAKSeq, PktNAKInv, PktNAKAccess, PktNAKOp:
		return classNAK
	case PktRNR:
		return classRNR
	case PktReadResp:
		return classReadResp
	case PktAtomicAck:
		return classAtomicAck
	}
	q := m.wires[w].from
	i, ok := m.wqeAt(s, q, p.PSN)
	if !ok {
		return classSend
	}
	switch op := m.wrs[s.QPs[q].Req.SQ[i]].op; {
	case op.isWrite():
		return classWrite
	case op.isAtomic():
		return classAtomic
	case op == RDMA_READ:
		return classRead
	}
	return classSend
}

// hits reports whether budget b may be spent on packet p of wire w.
func (m *Model) hits(s *State, b *budgetConf, w int, p Pkt) bool {
	if b.mask&m.class(s, w, p) == 0 {
		return false
	}
	if b.qp >= 0 && m.wires[w].from != b.qp && m.wires[w].to != b.qp {
		return false
	}
	if b.site < 0 {
		return true
	}
	i, ok := m.wqeAt(s, m.wires[w].from, p.PSN)
	return p.Kind == PktRequest && ok && m.wrs[s.QPs[m.wires[w].from].Req.SQ[i]].site == b.site
}
