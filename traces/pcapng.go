package traces

import (
	"fmt"
	"io"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/ibcheck/ibcheck/spec"
)

// WritePcapng writes the packets of the run as RoCEv2 frames in a capture with
// one interface for each node: a packet is seen where it leaves and where it
// arrives, a lost one only where it left, the copy of a duplicate only where
// it arrives. Every frame has a comment that names its step, and step n
// happens at n milliseconds. Of the style only NoEpilogue is asked. An error
// is one of w, or a packet whose opcode RC does not have.
func (l *Ladder) WritePcapng(w io.Writer, s Style) error {
	c := &capture{framer: framer{run: l.run}, frames: map[int][]byte{}}
	if err := c.open(w); err != nil {
		return err
	}
	rows := l.rows
	if s.NoEpilogue {
		rows = rows[:l.broken]
	}
	for i := range rows {
		for _, e := range rows[i].events {
			if err := c.event(l, &rows[i], e); err != nil {
				return err
			}
		}
	}
	return c.out.Flush()
}

// A capture is a file of frames while it is written.
type capture struct {
	framer
	out    *pcapgo.NgWriter
	frames map[int][]byte // by packet
}

// open writes the head of the file, which must have an interface even if the
// run has no node.
func (c *capture) open(w io.Writer) error {
	nodes := c.run.Nodes
	if len(nodes) == 0 {
		nodes = []string{"nobody"}
	}
	for i, name := range nodes {
		port := pcapgo.NgInterface{Name: name, LinkType: layers.LinkTypeEthernet, Description: "the adapter of node " + name,
			TimestampResolution: 6}
		var err error
		if i == 0 {
			c.out, err = pcapgo.NewNgWriterInterface(w, port, pcapgo.NgWriterOptions{
				SectionInfo: pcapgo.NgSectionInfo{Application: "ibcheck"}})
		} else {
			_, err = c.out.AddInterface(port)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// event writes the frame of event i of a row, if it has one. The second event
// of a row is a little later than the first.
func (c *capture) event(l *Ladder, r *row, i int) error {
	e := &l.run.Events[i]
	at := time.Duration(r.step) * time.Millisecond
	if i != r.main {
		at += 100 * time.Microsecond
	}
	switch e.Kind {
	case spec.EvDepart:
		words := "leaves " + l.run.Nodes[e.Packet.From]
		if l.isLost(r) {
			words += " and is lost"
		}
		return c.write(e.Packet, e.Packet.From, at, l.frameComment(r, e, words))
	case spec.EvArrive:
		words := "arrives at " + l.run.Nodes[e.Packet.To]
		if r.copied {
			words += ", a duplicate"
		}
		return c.write(e.Packet, e.Packet.To, at, l.frameComment(r, e, words))
	}
	return nil
}

// isLost is true for the row of a packet that never arrives because the wire
// loses it, at once or later.
func (l *Ladder) isLost(r *row) bool {
	if r.shape == departs {
		if w := l.waits[r.wait]; w.to < len(l.rows) {
			return l.rows[w.to].shape == vanishes
		}
	}
	return r.shape == lost
}

func (l *Ladder) frameComment(r *row, e *spec.Event, words string) string {
	text := fmt.Sprintf("step %d: %s %s", r.step, packetLabel(e.Packet)[0], words)
	if r.fault != "" {
		text += " (" + r.fault + ")"
	}
	return text
}

// write adds a frame to the capture of a node. Both ends see the same bytes.
func (c *capture) write(p *spec.Packet, node int, at time.Duration, comment string) error {
	frame := c.frames[p.ID]
	if frame == nil {
		var err error
		if frame, err = c.frame(p); err != nil {
			return err
		}
		c.frames[p.ID] = frame
	}
	info := gopacket.CaptureInfo{Timestamp: time.Unix(0, int64(at)).UTC(), CaptureLength: len(frame), Length: len(frame), InterfaceIndex: node}
	return c.out.WritePacketWithOptions(info, frame, pcapgo.NgPacketOptions{Comments: []string{comment}})
}
