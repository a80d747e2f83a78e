package scenario

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// catalogue returns the scenario files of the project.
func catalogue(t testing.TB) []string {
	files, err := filepath.Glob("../../scenarios/*/*.ibl")
	if err != nil || len(files) < 3 {
		t.Fatalf("%d scenario files: %v", len(files), err)
	}
	return files
}

// workedExamples are the files whose every token is tampered with.
var workedExamples = []string{"seed/send-vs-recv-cqe", "memory/nvmeof-read-free-at-response", "arming/cq-arm-race-srq"}

// TestTokenDeletedOrDoubled tampers with one token at a time. What comes out
// is a valid file or has one mistake, at or after the place of the tampering
// or, for a name that is gone, where it is used first.
func TestTokenDeletedOrDoubled(t *testing.T) {
	valid, broken := 0, 0
	for _, name := range workedExamples {
		path := filepath.Join("../../scenarios", name+".ibl")
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		l := lex(&collector{}, path, src)
		for _, tok := range l.toks[:len(l.toks)-1] {
			word := src[tok.Off:tok.End]
			for _, text := range []string{
				fmt.Sprintf("%s%s", src[:tok.Off], src[tok.End:]),
				fmt.Sprintf("%s %s%s", src[:tok.End], word, src[tok.End:]),
			} {
				f, errs := Parse(path, []byte(text), Options{})
				if checkTampered(t, tok, text, f, errs) {
					valid++
				} else {
					broken++
				}
			}
		}
	}
	if valid < 30 || broken < 500 {
		t.Errorf("%d files stayed valid, %d broke: the tampering does not reach", valid, broken)
	}
}

// checkTampered reports whether the file is valid.
func checkTampered(t *testing.T, tok Token, text string, f *File, errs Errors) bool {
	if len(errs) == 0 {
		for _, v := range f.Variants() {
			if _, errs := v.Scenario(); errs != nil {
				t.Errorf("%v %s: parsed, but does not build: %v", tok.Pos, tok.Text, errs)
			}
		}
		return true
	}
	if len(errs) > 1 {
		t.Errorf("%v %s: %d errors from one mistake:\n%v", tok.Pos, tok.Text, len(errs), errs.Err())
	}
	lines := strings.Split(text, "\n")
	for _, e := range errs {
		if e.Pos.Line < 1 || e.Pos.Line > len(lines) || e.Pos.Col < 1 || e.Pos.Col > len([]rune(lines[e.Pos.Line-1]))+1 {
			t.Errorf("%v %s: error outside of the file: %v", tok.Pos, tok.Text, e)
		}
	}
	return false
}
