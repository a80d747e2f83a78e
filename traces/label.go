package traces

import (
	"fmt"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// A label is what stands on an arrow: the same in several lengths, the longest
// first. The last one is for a row whose note says the rest.
type label []string

// fit returns the longest form that is at most n wide, "" if there is none.
func (l label) fit(n int) string {
	for _, s := range l {
		if width(s) <= n {
			return s
		}
	}
	return ""
}

// rest returns what a form that begins the label leaves out. Forms in other
// words leave nothing out that matters.
func (l label) rest(form string) string {
	rest, ok := strings.CutPrefix(l[0], form)
	if !ok {
		return ""
	}
	return strings.TrimSpace(rest)
}

// width counts columns; everything drawn is one column wide.
func width(s string) int { return len([]rune(s)) }

// clip shortens s to n columns, with a tilde where something is missing.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	if n < 1 {
		return ""
	}
	return string(r[:n-1]) + "~"
}

// syndromeWords are the syndromes of an AETH in the words of a ladder.
var syndromeWords = map[string]string{
	"ACK":               "ACK",
	"RNRNAK":            "RNR NAK",
	"NAKSequence":       "NAK sequence",
	"NAKInvalidRequest": "NAK invalid request",
	"NAKAccess":         "NAK remote access",
	"NAKOperation":      "NAK remote operational",
}

// psnText writes a PSN with its owner, "h0": the first PSN of the queue that
// is called h.
func psnText(p *spec.Packet) string {
	return fmt.Sprintf("%s%d", p.Owner, p.PSN)
}

// isResponse is true for what a responder sends: acknowledgements and the
// responses to READ and ATOMIC.
func isResponse(p *spec.Packet) bool {
	form, err := formOf(p)
	return err == nil && form.response
}

// packetLabel is the label of a packet: opcode as on the wire, WR, PSN.
func packetLabel(p *spec.Packet) label {
	if p.Opcode == "ACKNOWLEDGE" || p.Opcode == "ACK" {
		word := syndromeWords[p.Syndrome]
		if word == "" {
			word = strings.TrimSpace("ACK " + p.Syndrome)
		}
		short := word + " " + psnText(p)
		return label{short + msnText(p), short}
	}
	op := strings.TrimPrefix(p.Opcode, "RDMA_")
	brief := strings.NewReplacer("_WITH_IMMEDIATE", "_IMM", "_WITH_IMM", "_IMM", "_WITH_INVALIDATE", "_INV", "_WITH_INV", "_INV").Replace(op)
	wr := p.WR
	if wr != "" {
		wr = " " + wr
	}
	tail := msnText(p)
	switch {
	case p.Again:
		tail += " (again)"
	case p.AckReq:
		tail += " AckReq"
	}
	psn := psnText(p)
	return label{
		p.Opcode + wr + " psn=" + psn + tail,
		op + wr + " psn=" + psn + tail,
		brief + wr + " psn=" + psn + tail,
		brief + wr + " " + psn + tail,
		brief + wr + " " + psn,
		brief + " " + psn,
	}
}

func msnText(p *spec.Packet) string {
	if p.MSN < 0 {
		return ""
	}
	return fmt.Sprintf(" msn=%d", p.MSN)
}

// completionLabel is the label of a CQE or of a poll: the opcode of the
// completion, or its status instead if that is not SUCCESS.
func completionLabel(verb string, wc *spec.WC) label {
	name := verb + " " + wc.WR
	what := wc.Opcode
	if wc.Status != "" && wc.Status != spec.SUCCESS.String() {
		what = wc.Status
	}
	return label{strings.TrimSpace(name + " " + what), name, verb}
}

// verbLabel is the label of a post or of another verb.
func verbLabel(e *spec.Event) label {
	words := e.Text
	if words == "" {
		words = strings.TrimSpace(e.Rule + " " + e.WR)
	}
	verb, rest, _ := strings.Cut(words, " ")
	switch {
	case e.Kind != spec.EvPost:
		return label{words, verb}
	case verb == "post_send":
		return label{words, "post " + rest, verb}
	}
	return label{words, "recv " + rest, verb}
}

// noteText is the text of a remark, with the budget it used up.
func noteText(e *spec.Event, fault string) string {
	text := e.Text
	if text == "" {
		text = strings.TrimSpace(strings.ReplaceAll(e.Rule, "_", " ") + " " + e.WR)
	}
	if e.Place == spec.App && e.Thread != "" && !strings.HasPrefix(e.Thread, "poll ") { // an implicit poller needs no name
		text = e.Thread + ": " + text
	}
	if fault != "" {
		text = fault + ": " + text
	}
	return text
}

// wrap breaks text into lines of at most n columns, at blanks where it can.
func wrap(text string, n int) []string {
	n = max(n, 1)
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		for width(word) > n {
			if line != "" {
				lines, line = append(lines, line), ""
			}
			r := []rune(word)
			lines, word = append(lines, string(r[:n])), string(r[n:])
		}
		switch {
		case line == "":
			line = word
		case width(line)+1+width(word) <= n:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
