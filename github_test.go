package ibcheck

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/internal/npm"
)

// TestAnnotationsAreThoseOfTheToolkit compares the workflow commands with those
// that GitHub's own toolkit writes for the same words and places.
func TestAnnotationsAreThoseOfTheToolkit(t *testing.T) {
	modules := npm.Modules(t, "testdata/actions")
	type annotation struct {
		Level string `json:"level"`
		Title string `json:"title"`
		File  string `json:"file"`
		Line  int    `json:"line"`
		Col   int    `json:"col"`
		Text  string `json:"text"`
	}
	cases := []Case{
		{Name: "order", Exit: ExitUnexpected, Message: "VIOLATED", Details: "100%\n\n┬ ✗┄\r\n", at: place{"dir/x.ibl", 3, 7}},
		{Name: "a = 1, b = 2: order", Exit: ExitInconclusive, Message: "undecided: 50% of it, %0A", at: place{file: "a,b:c.ibl"}},
	}
	var asked []annotation
	var ours bytes.Buffer
	for i := range cases {
		c := &cases[i]
		level := "error"
		if c.open() {
			level = "warning"
		}
		asked = append(asked, annotation{level, c.Name, c.at.file, c.at.line, c.at.col, annotationText(c)})
		writeAnnotation(&ours, c)
	}
	data, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	node := exec.Command("node", "testdata/actions/annotate.js", modules)
	node.Stdin = bytes.NewReader(data)
	theirs, err := node.Output()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := sortedParameters(ours.String()), sortedParameters(string(theirs)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// sortedParameters gives the parameters of workflow commands one order, which
// means nothing.
func sortedParameters(commands string) string {
	var out []string
	for line := range strings.Lines(commands) {
		parts := strings.SplitN(line, "::", 3)
		if len(parts) == 3 {
			level, where, _ := strings.Cut(parts[1], " ")
			parameters := strings.Split(where, ",")
			slices.Sort(parameters)
			parts[1] = level + " " + strings.Join(parameters, ",")
		}
		out = append(out, strings.Join(parts, "::"))
	}
	return strings.Join(out, "")
}
