package scenario

import (
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
	src, err := os.ReadFile("testdata/mistakes.ibl")
	if err != nil {
		t.Fatal(err)
	}
	line := 0
	for _, chunk := range strings.Split(string(src), "---\n") {
		name := "line_" + strconv.Itoa(line+1)
		line += strings.Count(chunk, "\n") + 1
		t.Run(name, func(t *testing.T) { checkChunk(t, chunk) })
	}
}

func checkChunk(t *testing.T, chunk string) {
	_, errs := Parse("testdata/x.ibl", []byte(chunk), Options{ReadFile: os.ReadFile})
	byLine := map[int]Errors{}
	for _, e := range errs {
		byLine[e.Pos.Line] = append(byLine[e.Pos.Line], e)
	}
	expected := 0
	for i, l := range strings.Split(chunk, "\n") {
		_, comment, _ := strings.Cut(l, "### ")
		for comment = strings.TrimSpace(comment); comment != ""; comment = strings.TrimSpace(comment) {
			end := closing(comment)
			if end < 0 {
				t.Fatalf("line %d: bad expectation %s", i+1, comment)
			}
			re := regexp.MustCompile(strings.ReplaceAll(comment[1:end], `\"`, `"`))
			comment = comment[end+1:]
			expected++
			if !take(byLine, i+1, re) {
				t.Errorf("line %d: no error that matches %q\n%s", i+1, re, l)
			}
		}
	}
	if expected == 0 && chunk != "" {
		t.Error("chunk without a mistake")
	}
	for _, rest := range byLine {
		for _, e := range rest {
			t.Errorf("unexpected: %v", e)
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

// take removes the error of a line that matches.
func take(byLine map[int]Errors, line int, re *regexp.Regexp) bool {
	for i, e := range byLine[line] {
		if re.MatchString(e.Error()) {
			byLine[line] = append(byLine[line][:i:i], byLine[line][i+1:]...)
			return true
		}
	}
	return false
}
