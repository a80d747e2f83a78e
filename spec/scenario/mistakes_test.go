package scenario

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestMistakes parses every chunk of testdata/mistakes.ibl. The comment
//
//	### "regexp" "regexp"
//
// at the end of a line gives the errors expected there, message and help; no
// others may come, and every one must.
func TestMistakes(t *testing.T) {
	checkChunks(t, "testdata/mistakes.ibl", func(_ *File, errs Errors) []string {
		var out []string
		for _, e := range errs {
			out = append(out, e.Error())
		}
		return out
	})
}

// TestLint does the same with testdata/lint.ibl, where the regexps match the
// code of a finding and its text.
func TestLint(t *testing.T) {
	codes := map[string]bool{}
	checkChunks(t, "testdata/lint.ibl", func(f *File, errs Errors) []string {
		var out []string
		for _, e := range append(errs, f.Lint()...) {
			codes[e.Code] = true
			out = append(out, fmt.Sprintf("%s:%d:%d: %s %s", e.Pos.File, e.Pos.Line, e.Pos.Col, e.Code, e.Msg))
		}
		return out
	})
	for _, c := range Checks() {
		if !codes[c.Code] {
			t.Errorf("testdata/lint.ibl has nothing for %s", c.Code)
		}
		delete(codes, c.Code)
	}
	if len(codes) > 0 {
		t.Errorf("codes that no check has: %v", codes)
	}
}

// checkChunks holds what is reported of each chunk of a file, as
// file:line:column: text, against what its comments expect.
func checkChunks(t *testing.T, path string, report func(*File, Errors) []string) {
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	line := 0
	for _, chunk := range strings.Split(string(src), "---\n") {
		name := "line_" + strconv.Itoa(line+1)
		line += strings.Count(chunk, "\n") + 1
		t.Run(name, func(t *testing.T) {
			f, errs := Parse("testdata/x.ibl", []byte(chunk), Options{ReadFile: os.ReadFile})
			checkChunk(t, chunk, report(f, errs))
		})
	}
}

func checkChunk(t *testing.T, chunk string, reported []string) {
	byLine := map[int][]string{}
	for _, text := range reported {
		n, err := strconv.Atoi(strings.Split(text, ":")[1])
		if err != nil {
			t.Fatalf("no position in %q", text)
		}
		byLine[n] = append(byLine[n], text)
	}
	expected := 0
	for i, l := range strings.Split(chunk, "\n") {
		_, comment, _ := strings.Cut(l, "### ")
		comment = strings.TrimPrefix(comment, "nothing")
		for comment = strings.TrimSpace(comment); comment != ""; comment = strings.TrimSpace(comment) {
			end := closing(comment)
			if end < 0 {
				t.Fatalf("line %d: bad expectation %s", i+1, comment)
			}
			re := regexp.MustCompile(strings.ReplaceAll(comment[1:end], `\"`, `"`))
			comment = comment[end+1:]
			expected++
			if !take(byLine, i+1, re) {
				t.Errorf("line %d: nothing that matches %q\n%s", i+1, re, l)
			}
		}
	}
	if expected == 0 && chunk != "" && !strings.Contains(chunk, "### nothing") {
		t.Error("chunk without a mistake")
	}
	for _, rest := range byLine {
		for _, text := range rest {
			t.Errorf("unexpected: %s", text)
		}
	}
}

// TestInstead: what a help says to write instead does away with the mistake.
func TestInstead(t *testing.T) {
	src, err := os.ReadFile("testdata/mistakes.ibl")
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, chunk := range strings.Split(string(src), "---\n") {
		_, errs := Parse("testdata/x.ibl", []byte(chunk), Options{ReadFile: os.ReadFile})
		for _, e := range errs {
			for _, text := range e.Instead() {
				tried++
				fixed := replaced1(chunk, e, text)
				_, after := Parse("testdata/x.ibl", []byte(fixed), Options{ReadFile: os.ReadFile})
				if after.has(e) {
					t.Errorf("%v: `%s` instead does not help", e, text)
				}
			}
		}
	}
	if tried < 30 {
		t.Errorf("only %d suggestions", tried)
	}
}

// replaced1 puts a text in place of what an error underlines.
func replaced1(src string, e *Error, text string) string {
	lines := strings.Split(src, "\n")
	line := []rune(lines[e.Pos.Line-1])
	from := e.Pos.Col - 1
	lines[e.Pos.Line-1] = string(line[:from]) + text + string(line[from+e.Len:])
	return strings.Join(lines, "\n")
}

// has reports whether an error like e is among others.
func (es Errors) has(e *Error) bool {
	return slices.ContainsFunc(es, func(o *Error) bool { return o.Pos == e.Pos && o.Msg == e.Msg })
}

// closing returns the index of the quote that closes the one s begins with.
func closing(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i] == '"' && s[i-1] != '\\' {
			return i
		}
	}
	return -1
}

// take removes what matches from what was reported of a line.
func take(byLine map[int][]string, line int, re *regexp.Regexp) bool {
	for i, text := range byLine[line] {
		if re.MatchString(text) {
			byLine[line] = append(byLine[line][:i:i], byLine[line][i+1:]...)
			return true
		}
	}
	return false
}
