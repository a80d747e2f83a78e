package ibcheck_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The page on the Go API shows nothing but pieces of what is compiled and run.
func TestGoInDocumentsIsTested(t *testing.T) {
	page, err := os.ReadFile("docs/go-api.md")
	if err != nil {
		t.Fatal(err)
	}
	tested := ""
	for _, name := range []string{"example_test.go", "ibchecktest/ibchecktest_test.go"} {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tested += string(src)
	}
	blocks := regexp.MustCompile("(?ms)^```go\n(.*?)^```$").FindAllStringSubmatch(string(page), -1)
	if len(blocks) < 4 {
		t.Errorf("%d pieces of Go", len(blocks))
	}
	for _, b := range blocks {
		if !strings.Contains(tested, b[1]) {
			t.Errorf("no test has\n%s", b[1])
		}
	}
}
