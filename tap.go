package ibcheck

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
)

// WriteTAP writes a report in version 13 of the Test Anything Protocol: a test
// for each property and one for the built-in checks that passed. Below a test
// that failed stands a block of YAML with the ladder.
func (r *Report) WriteTAP(w io.Writer, opt FormatOptions) error {
	out := bufio.NewWriter(w) // keeps its first error for Flush
	files := r.files(opt)
	total := 0
	for _, f := range files {
		total += len(f.cases)
	}
	fmt.Fprintf(out, "TAP version 13\n1..%d\n", total)
	n := 0
	for _, f := range files {
		for k := range f.cases {
			n++
			writeTAPCase(out, n, filepath.ToSlash(f.path), &f.cases[k])
		}
	}
	return out.Flush()
}

// tapEscape hides what would begin a directive.
var tapEscape = strings.NewReplacer(`\`, `\\`, "#", `\#`)

func writeTAPCase(w io.Writer, n int, path string, c *Case) {
	verdict := "ok"
	if !c.Passed() {
		verdict = "not ok"
	}
	fmt.Fprintf(w, "%s %d - %s\n", verdict, n, tapEscape.Replace(path+" / "+c.Name))
	if c.Passed() {
		return
	}
	fmt.Fprintf(w, "  ---\n  message: %s\n  severity: %s\n  at: %s\n", strconv.Quote(c.Message), tapSeverity(c), strconv.Quote(c.at.String()))
	if c.Details != "" {
		fmt.Fprintf(w, "  details: |\n")
		for line := range strings.Lines(c.Details) {
			fmt.Fprintf(w, "    %s\n", strings.TrimRight(line, " \n"))
		}
	}
	fmt.Fprintf(w, "  ...\n")
}

func tapSeverity(c *Case) string {
	if c.open() {
		return "undecided"
	}
	return "fail"
}
