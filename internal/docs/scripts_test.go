package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestQuotedScripts holds what docs/protocol.md quotes of interaction scripts
// against the scripts, which stand in spec/testdata.
func TestQuotedScripts(t *testing.T) {
	page, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	quote := regexp.MustCompile("(?m)^( *)<!-- script: (\\S+) -->\n *```\n((?:.*\n)*?) *```\n")
	quotes := quote.FindAllStringSubmatch(string(page), -1)
	if len(quotes) != strings.Count(string(page), "<!-- script:") || len(quotes) == 0 {
		t.Fatalf("%d quotes found", len(quotes))
	}
	for _, q := range quotes {
		text := regexp.MustCompile("(?m)^"+q[1]).ReplaceAllString(q[3], "")
		script, err := os.ReadFile(filepath.Join("../../spec/testdata", q[2]))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(script), text) {
			t.Errorf("%s does not have\n%s", q[2], text)
		}
	}
}
