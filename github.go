package ibcheck

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/ibcheck/ibcheck/traces"
)

// WriteGitHub writes what is not as expected in a report as workflow commands of
// GitHub Actions, one line each, which it shows beside the lines of the files.
func (r *Report) WriteGitHub(w io.Writer, opt FormatOptions) error {
	out := bufio.NewWriter(w) // keeps its first error for Flush
	for _, f := range r.files(opt) {
		for k := range f.cases {
			if c := &f.cases[k]; !c.Passed() {
				writeAnnotation(out, c)
			}
		}
	}
	return out.Flush()
}

// What a workflow command escapes in its message and in its parameters.
var (
	messageEscape   = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	parameterEscape = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func writeAnnotation(w io.Writer, c *Case) {
	level := "error"
	if c.open() {
		level = "warning"
	}
	where := "file=" + parameterEscape.Replace(c.at.uri())
	if c.at.line > 0 {
		where += fmt.Sprintf(",line=%d,col=%d", c.at.line, c.at.col)
	}
	fmt.Fprintf(w, "::%s %s,title=%s::%s\n", level, where, parameterEscape.Replace(c.Name), messageEscape.Replace(annotationText(c)))
}

// annotationText is what an annotation says, in several lines.
func annotationText(c *Case) string { return strings.TrimRight(c.Message+"\n"+c.Details, "\n") }

// summaryLimit is the size of a summary beyond which nothing is added: GitHub
// shows none at all if it is larger than 1 MiB.
const summaryLimit = 512 << 10

// WriteGitHubSummary writes a report as Markdown for the summary of a job: the
// totals, and for everything that is not as expected its words and a diagram of
// its run.
func (r *Report) WriteGitHubSummary(w io.Writer, opt FormatOptions) error {
	var body strings.Builder
	passed, failed, left := 0, 0, 0
	for _, f := range r.files(opt) {
		for k := range f.cases {
			c := &f.cases[k]
			if c.Passed() {
				passed++
				continue
			}
			failed++
			if body.Len() > summaryLimit {
				left++
			} else if err := writeSummaryCase(&body, c); err != nil {
				return err
			}
		}
	}
	if left > 0 {
		fmt.Fprintf(&body, "\nThe summary is full: %d more failed, see the log.\n", left)
	}
	_, err := fmt.Fprintf(w, "## ibcheck: %d passed, %d failed\n%s", passed, failed, body.String())
	return err
}

func writeSummaryCase(b *strings.Builder, c *Case) error {
	name := c.Name
	if c.scenario != nil {
		name = c.scenario.Name + " / " + name
	}
	fmt.Fprintf(b, "\n### %s\n\n%s: %s\n", markdownEscape.Replace(name), markdownEscape.Replace(c.at.String()), markdownEscape.Replace(c.Message))
	switch {
	case c.property != nil && c.property.Run != nil:
		b.WriteString("\n```mermaid\n")
		if err := c.scenario.Ladder(c.property).WriteMermaid(b, traces.Style{}); err != nil {
			return err
		}
		b.WriteString("```\n")
	case c.Details != "":
		b.WriteString("\n```\n" + c.Details + "```\n")
	}
	return nil
}

// markdownEscape keeps text from being read as Markdown.
var markdownEscape = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "&", "&amp;", "[", `\[`, "#", `\#`, "|", `\|`)
