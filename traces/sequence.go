package traces

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// WriteMermaid writes the ladder as a sequence diagram of Mermaid. A packet
// that waits is a remark where it leaves and an arrow where it arrives. Of the
// style only NoEpilogue is asked. Its only errors are those of w.
func (l *Ladder) WriteMermaid(w io.Writer, s Style) error {
	return l.sequence(w, s, mermaid{})
}

// WritePlantUML writes the ladder as a sequence diagram of PlantUML, in the
// same way as WriteMermaid.
func (l *Ladder) WritePlantUML(w io.Writer, s Style) error {
	return l.sequence(w, s, plantUML{})
}

// A notation writes the parts of a sequence diagram in one language. Words
// come unescaped.
type notation interface {
	open(title string) string
	participant(id, name string) string
	message(from, to, words string, kind messageKind) string
	remark(at, words string, right bool) string
	across(first, last, words string) string
	loop() string
	epilogue() string
	end() string // of a loop or an epilogue
	close() string
}

type messageKind uint8

const (
	solid messageKind = iota
	gone              // lost on the way
	dashed
)

// sequence walks the rows of a ladder in one notation.
func (l *Ladder) sequence(w io.Writer, s Style, n notation) error {
	out := bufio.NewWriter(w)
	say := func(line string) { out.WriteString(line) }
	say(n.open(joinNonempty(" / ", plain(l.caption.Scenario), plain(l.caption.Property))))
	lanes := l.lanes()
	for _, lane := range lanes {
		say(n.participant(laneID(lane), l.LaneName(lane)))
	}
	across := func(words string) {
		if words != "" && len(lanes) > 0 {
			say(n.across(laneID(lanes[0]), laneID(lanes[len(lanes)-1]), words))
		}
	}
	if len(l.run.Before) > 0 {
		across("posted before: " + strings.Join(l.run.Before, ", "))
	}
	rows := l.rows
	if s.NoEpilogue {
		rows = rows[:l.broken]
	}
	for i := range rows {
		if i+1 == l.loop {
			say(n.loop())
		}
		say(l.sequenceRow(&rows[i], n))
		if i+1 != l.broken {
			continue
		}
		if l.loop > 0 {
			say(n.end())
		}
		across(plain(l.caption.Broken))
		if l.broken < len(rows) {
			say(n.epilogue())
		}
	}
	if l.broken < len(rows) {
		say(n.end())
	}
	say(n.close())
	return out.Flush()
}

// lanes lists the lifelines of all groups, each once, from left to right.
func (l *Ladder) lanes() []Lane {
	var out []Lane
	for _, g := range l.groups {
		for _, lane := range []Lane{{g.left, spec.App}, {g.left, spec.HCA}, {g.right, spec.HCA}, {g.right, spec.App}} {
			if lane.Node >= 0 && !slices.Contains(out, lane) {
				out = append(out, lane)
			}
		}
	}
	return out
}

func laneID(l Lane) string {
	return fmt.Sprintf("n%d%s", l.Node, []string{"app", "hca"}[min(int(l.Place), 1)])
}

func (l *Ladder) sequenceRow(r *row, n notation) string {
	words := fmt.Sprintf("%d %s", r.step, joinNonempty(" ", r.tag, l.action(r)))
	if r.fault != "" {
		words += " (" + r.fault + ")"
	}
	from, to := laneID(r.from), laneID(r.to)
	right := l.laneIndex(r.group, r.from) < 2
	switch r.shape {
	case straight:
		return n.message(from, to, words, solid)
	case told:
		return n.message(from, to, words, dashed)
	case lost:
		return n.message(from, to, words, gone)
	case arrives:
		from := Lane{r.to.Node, spec.HCA} // of a poll
		if p := l.run.Events[r.main].Packet; p != nil {
			from = Lane{p.From, spec.HCA}
		}
		if from != r.to {
			return n.message(laneID(from), to, words, solid)
		}
	}
	return n.remark(from, words, right)
}

// mermaid is the notation of Mermaid.
type mermaid struct{}

var mermaidEscape = strings.NewReplacer("#", "#35;", ";", "#59;", "<", "#60;", ">", "#62;")

func (mermaid) open(title string) string {
	if title == "" {
		return "sequenceDiagram\n"
	}
	return "---\ntitle: " + strconv.Quote(title) + "\n---\nsequenceDiagram\n"
}

func (mermaid) participant(id, name string) string {
	return fmt.Sprintf("  participant %s as %s\n", id, mermaidEscape.Replace(name))
}

func (mermaid) message(from, to, words string, kind messageKind) string {
	return fmt.Sprintf("  %s%s%s: %s\n", from, []string{"->>", "--x", "-->>"}[kind], to, mermaidEscape.Replace(words))
}

func (mermaid) remark(at, words string, right bool) string {
	side := "left"
	if right {
		side = "right"
	}
	return fmt.Sprintf("  Note %s of %s: %s\n", side, at, mermaidEscape.Replace(words))
}

func (mermaid) across(first, last, words string) string {
	return fmt.Sprintf("  Note over %s,%s: %s\n", first, last, mermaidEscape.Replace(words))
}

func (mermaid) loop() string { return "  loop for ever\n" }

func (mermaid) epilogue() string { return "  rect rgba(128, 128, 128, 0.15)\n" }

func (mermaid) end() string { return "  end\n" }

func (mermaid) close() string { return "" }

// plantUML is the notation of PlantUML.
type plantUML struct{}

var plantUMLEscape = strings.NewReplacer("~", "~~", "__", "~__", "--", "~--", "**", "~**", "//", "~//", `""`, `~""`, "<", "~<", `\`, `\\`)

func (plantUML) open(title string) string {
	if title == "" {
		return "@startuml\n"
	}
	return "@startuml\ntitle " + plantUMLEscape.Replace(title) + "\n"
}

func (plantUML) participant(id, name string) string {
	return fmt.Sprintf("participant %s as %s\n", strconv.Quote(name), id)
}

func (plantUML) message(from, to, words string, kind messageKind) string {
	return fmt.Sprintf("%s %s %s : %s\n", from, []string{"->", "-->x", "-->"}[kind], to, plantUMLEscape.Replace(words))
}

func (plantUML) remark(at, words string, right bool) string {
	side := "left"
	if right {
		side = "right"
	}
	return fmt.Sprintf("note %s of %s : %s\n", side, at, plantUMLEscape.Replace(words))
}

func (plantUML) across(first, last, words string) string {
	return fmt.Sprintf("note over %s, %s : %s\n", first, last, plantUMLEscape.Replace(words))
}

func (plantUML) loop() string { return "loop for ever\n" }

func (plantUML) epilogue() string { return "group after the break\n" }

func (plantUML) end() string { return "end\n" }

func (plantUML) close() string { return "@enduml\n" }
