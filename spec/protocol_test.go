package spec

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// TestProtocolPage: docs/protocol.md has a row for each rule, with its clause
// and the file that has it.
func TestProtocolPage(t *testing.T) {
	page, err := os.ReadFile("../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, line := range strings.Split(string(page), "\n") {
		cells := strings.Split(line, " | ")
		for _, r := range ruleTable {
			if len(cells) != 4 || cells[0] != "| `"+r.name+"`" {
				continue
			}
			rows++
			file, _ := runtime.FuncForPC(reflect.ValueOf(r.apply).Pointer()).FileLine(reflect.ValueOf(r.apply).Pointer())
			if want := "`spec/" + filepath.Base(file) + "` |"; cells[2] != r.clause || cells[3] != want {
				t.Errorf("rule %s follows %s and is in %s, the page has %s and %s", r.name, r.clause, want, cells[2], cells[3])
			}
			if fault := strings.HasSuffix(cells[1], "; a fault"); fault != r.fault {
				t.Errorf("the page is wrong about whether %s is a fault", r.name)
			}
		}
	}
	if rows != len(ruleTable) {
		t.Errorf("%d rows for %d rules", rows, len(ruleTable))
	}
}
