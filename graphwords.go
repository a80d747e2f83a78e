package ibcheck

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/spec"
)

// This file puts the states and steps of a graph into words.

// completed lists the WRs whose CQE has been written, with the status of those
// that failed.
func (b *grapher) completed(s *spec.State) []string {
	var out []string
	for w := range b.m.Scenario().WRs {
		if b.has(s, w, spec.WRCQE) {
			out = append(out, b.m.WRName(w, -1)+b.failure(s, w))
		}
	}
	return out
}

// stages are the events in the life of a WR that a label shows, the last first.
var stages = []spec.WRField{spec.WRWC, spec.WRCQE, spec.WRAcked, spec.WRPlaced, spec.WRExecuted, spec.WRArrived, spec.WRSent, spec.WRPosted}

// progress says of each WR how far it has come: "S1 acked".
func (b *grapher) progress(s *spec.State) []string {
	var out []string
	for w := range b.m.Scenario().WRs {
		for _, field := range stages {
			if b.has(s, w, field) {
				out = append(out, b.m.WRName(w, -1)+" "+spec.WRFields()[field]+b.failure(s, w))
				break
			}
		}
	}
	return out
}

func (b *grapher) has(s *spec.State, wr int, field spec.WRField) bool {
	return b.m.Eval(s, wrAtom(spec.Atom{Kind: spec.AtomWR, WR: wr, Instance: -1, Field: field})) != 0
}

// failure is the status of a WR that completed with another than SUCCESS.
func (b *grapher) failure(s *spec.State, wr int) string {
	status := b.m.Eval(s, wrAtom(spec.Atom{Kind: spec.AtomStatus, WR: wr, Instance: -1}))
	if status <= int(spec.SUCCESS) {
		return ""
	}
	return " " + spec.Status(status).String()
}

func wrAtom(a spec.Atom) *spec.Expr { return &spec.Expr{Op: spec.ExprAtom, Atom: a} }

// path returns the steps by which a state was met first.
func (b *grapher) path(n *explore.Node) []explore.Step {
	var steps []explore.Step
	for {
		l := b.first[n.ID()]
		if l == nil {
			steps = append(steps, explore.Step{State: n.State})
			slices.Reverse(steps)
			return steps
		}
		steps = append(steps, explore.Step{Action: l.Action, State: n.State})
		n = l.F
	}
}

// inFlight lists the packets that are on the wire in a state.
func (b *grapher) inFlight(n *explore.Node) ([]string, error) {
	steps := b.path(n)
	run, err := b.m.Explain(steps, len(steps)-1, 0)
	if err != nil {
		return nil, err
	}
	var flying []*spec.Packet
	for i := range run.Events {
		switch e := &run.Events[i]; e.Kind {
		case spec.EvDepart, spec.EvDup:
			flying = append(flying, e.Packet)
		case spec.EvArrive, spec.EvDrop:
			flying = slices.DeleteFunc(flying, func(p *spec.Packet) bool { return p.ID == e.Packet.ID })
		}
	}
	var out []string
	for _, p := range flying {
		out = append(out, packetWords(p)+" on its way")
	}
	return out, nil
}

// words says what a step does.
func (b *grapher) words(l *explore.Line) (string, error) {
	before := b.path(l.F)
	known, err := b.m.Explain(before, len(before)-1, 0)
	if err != nil {
		return "", err
	}
	run, err := b.m.Explain(append(before, explore.Step{Action: l.Action, State: l.T.State}), len(before), 0)
	if err != nil {
		return "", err
	}
	var parts []string
	for i := len(known.Events); i < len(run.Events); i++ {
		parts = append(parts, eventWords(run, &run.Events[i]))
	}
	return strings.Join(parts, "\n"), nil
}

func eventWords(run *spec.Run, e *spec.Event) string {
	switch e.Kind {
	case spec.EvDepart:
		return "send " + packetWords(e.Packet)
	case spec.EvArrive:
		return "deliver " + packetWords(e.Packet)
	case spec.EvDrop:
		return "lose " + packetWords(e.Packet)
	case spec.EvDup:
		return "duplicate " + packetWords(e.Packet)
	case spec.EvCQE:
		return "CQE " + completionWords(e.WC)
	case spec.EvPoll:
		return "poll " + completionWords(e.WC)
	}
	if e.Text != "" {
		return e.Text
	}
	return strings.Join(strings.Fields(e.Rule+" "+e.WR+" at "+run.Nodes[e.Node]), " ")
}

// packetWords names a packet as ladders do: "SEND_ONLY S1 h0", "ACK h0".
func packetWords(p *spec.Packet) string {
	name := p.Opcode
	if p.WR == "" && p.Syndrome != "" {
		name = p.Syndrome
	}
	return strings.Join(strings.Fields(name+" "+p.WR+" "+psnWords(p)), " ")
}

func psnWords(p *spec.Packet) string { return p.Owner + strconv.Itoa(p.PSN) }

func completionWords(wc *spec.WC) string {
	words := wc.WR + " " + wc.Opcode
	if wc.Status != spec.SUCCESS.String() {
		words = wc.WR + " " + wc.Status
	}
	return words
}
