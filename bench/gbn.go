package main

import (
	"encoding/binary"
	"fmt"

	"github.com/ibcheck/ibcheck/explore"
)

// A GBN is a go-back-N requester and responder joined by two FIFO channels, as
// a reliable connection has them. The same machine was written for other
// checkers, which find the same states; gbn_test.go has the counts.
type GBN struct {
	N int // messages to send, at most 7
	Q int // messages in flight, and receives posted ahead, at most
	C int // packets in a channel, at most 4
	D int // packets that may be dropped, at most 3
	R int // retries, at most 7
}

// The kinds of action of a GBN; each is one rule.
const (
	Post uint8 = iota
	Send
	DropReq
	RecvReq
	SendAck
	SendNak
	DropAck
	RecvAck
	Timeout
	Fail
	PollSend
	PollRecv
	PostRecv
)

// gbn is a state, unpacked. The channels are packed words, the oldest packet
// in the lowest bits.
type gbn struct {
	posted, nxt, una, spoll uint8 // requester: posted, next to send, oldest unacknowledged, polled
	retry                   uint8
	xp, rposted, rpoll      uint8 // responder: expected, receives posted, polled
	drops                   uint8
	err                     bool
	ackp, nakp, nakst       bool // an ACK is owed, a NAK is owed, a NAK is outstanding
	rl, al                  uint8
	rq, aq                  uint16
}

const (
	reqBits = 3
	ackBits = 4
)

// Check returns an error if a parameter does not fit into the packed state.
func (m GBN) Check() error {
	if m.N < 1 || m.N > 7 || m.Q < 1 || m.C < 1 || m.C > 4 || m.D < 0 || m.D > 3 || m.R < 0 || m.R > 7 {
		return fmt.Errorf("parameters out of range: %+v", m)
	}
	return nil
}

// Width returns 8: a state is one word.
func (m GBN) Width() int { return 8 }

// Initial adds the one initial state, in which nothing is posted.
func (m GBN) Initial(out *explore.Successors) { out.Fork(0) }

// Successors applies every rule that is enabled.
func (m GBN) Successors(state []byte, out *explore.Successors) {
	s := unpack(state)
	m.requester(s, out)
	m.responder(s, out)
	m.wire(s, out)
}

// add is small so that it is inlined: the state is packed once, into place.
func add(out *explore.Successors, kind uint8, s *gbn) {
	binary.LittleEndian.PutUint64(out.Fork(explore.Action(kind)<<56), pack(s))
}

func (m GBN) requester(s gbn, out *explore.Successors) {
	n, q := uint8(m.N), uint8(m.Q)
	if !s.err && s.posted < n && s.posted-s.una < q {
		t := s
		t.posted++
		add(out, Post, &t)
	}
	if !s.err && s.nxt < s.posted && s.rl < uint8(m.C) {
		t := s
		t.rq |= uint16(s.nxt) << (reqBits * s.rl)
		t.rl++
		t.nxt++
		add(out, Send, &t)
	}
	if !s.err && s.una < s.nxt {
		t := s
		if s.retry < uint8(m.R) {
			t.retry++
			t.nxt = s.una
			add(out, Timeout, &t)
		} else {
			t.err = true
			add(out, Fail, &t)
		}
	}
	if s.al > 0 {
		t := s
		m.acknowledge(&t)
		add(out, RecvAck, &t)
	}
	if s.spoll < s.una {
		t := s
		t.spoll++
		add(out, PollSend, &t)
	}
}

// acknowledge takes the oldest response. Those above N are NAKs.
func (m GBN) acknowledge(s *gbn) {
	n := uint8(m.N)
	v := uint8(s.aq & (1<<ackBits - 1))
	s.popAck()
	if s.err {
		return
	}
	nak := v > n
	if nak {
		v -= n + 1
	}
	if v > s.una {
		s.una, s.retry = v, 0
	}
	if s.nxt < s.una || nak && v == s.una {
		s.nxt = s.una
	}
}

func (m GBN) responder(s gbn, out *explore.Successors) {
	if s.rl > 0 {
		t := s
		p := uint8(s.rq & (1<<reqBits - 1))
		t.popReq()
		switch {
		case p == s.xp && s.rposted > s.xp:
			t.xp, t.ackp, t.nakst, t.nakp = s.xp+1, true, false, false
		case p < s.xp:
			t.ackp = true
		case p > s.xp && !s.nakst:
			t.nakst, t.nakp = true, true
		}
		add(out, RecvReq, &t)
	}
	if s.ackp && s.al < uint8(m.C) {
		t := s
		t.pushAck(s.xp)
		t.ackp = false
		add(out, SendAck, &t)
	}
	if s.nakp && s.al < uint8(m.C) {
		t := s
		t.pushAck(uint8(m.N) + 1 + s.xp)
		t.nakp = false
		add(out, SendNak, &t)
	}
	if s.rpoll < s.xp {
		t := s
		t.rpoll++
		add(out, PollRecv, &t)
	}
	if s.rposted < uint8(m.N) && s.rposted-s.rpoll < uint8(m.Q) {
		t := s
		t.rposted++
		add(out, PostRecv, &t)
	}
}

func (m GBN) wire(s gbn, out *explore.Successors) {
	if s.drops == uint8(m.D) {
		return
	}
	if s.rl > 0 {
		t := s
		t.popReq()
		t.drops++
		add(out, DropReq, &t)
	}
	if s.al > 0 {
		t := s
		t.popAck()
		t.drops++
		add(out, DropAck, &t)
	}
}

func (s *gbn) popReq() { s.rq >>= reqBits; s.rl-- }
func (s *gbn) popAck() { s.aq >>= ackBits; s.al-- }

func (s *gbn) pushAck(v uint8) {
	s.aq |= uint16(v) << (ackBits * s.al)
	s.al++
}
