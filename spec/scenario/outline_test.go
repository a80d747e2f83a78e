package scenario

import (
	"fmt"
	"strings"
	"testing"
)

// TestOutline pins the outline of a file that uses everything.
func TestOutline(t *testing.T) {
	f, errs := Load("testdata/all.ibl")
	if errs != nil {
		t.Fatal(errs.Err())
	}
	var b strings.Builder
	writeOutline(&b, f.Outline(), "")
	golden(t, "testdata/outline.golden", b.String())
}

func writeOutline(b *strings.Builder, list []Symbol, indent string) {
	for _, y := range list {
		fmt.Fprintf(b, "%s%s %s (%s) %d:%d-%d:%d\n", indent, y.Word, y.Name, y.Detail, y.Pos.Line, y.Pos.Col, y.End.Line, y.End.Col)
		writeOutline(b, y.Inner, indent+"  ")
	}
}
