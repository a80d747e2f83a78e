package scenario

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/spec"
)

// tree returns what a file says, without positions.
func tree(t testing.TB, src []byte) string {
	f, _ := Parse("x.ibl", src, Options{})
	out, err := json.Marshal(stmtsJSON(f.Stmts, false))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// checkFormat holds src to the laws of Format: it says the same as before, is
// its own form, keeps every comment, and is valid if src is.
func checkFormat(t testing.TB, src []byte) {
	once, errs := Format(src)
	if errs != nil {
		return
	}
	twice, errs := Format(once)
	if errs != nil {
		t.Fatalf("formatted, it does not read: %v\n%s", errs.Err(), once)
	}
	if string(once) != string(twice) {
		t.Fatalf("formatting again changes it:\n--- once\n%s--- twice\n%s--- from\n%s", once, twice, src)
	}
	if a, b := tree(t, src), tree(t, once); a != b {
		i := 0
		for i < min(len(a), len(b)) && a[i] == b[i] {
			i++
		}
		t.Fatalf("formatting changes what it says:\n%.200s\n%.200s\n--- from\n%s--- to\n%s", a[max(0, i-80):], b[max(0, i-80):], src, once)
	}
	before, after := lex(&collector{}, "", src).comments, lex(&collector{}, "", once).comments
	if a, b := commentWords(before), commentWords(after); a != b {
		t.Fatalf("comments changed from %q to %q\n--- from\n%s\n--- to\n%s", a, b, src, once)
	}
	_, e1 := Parse("x.ibl", src, Options{})
	_, e2 := Parse("x.ibl", once, Options{})
	if len(e1) != len(e2) {
		t.Fatalf("%d errors before formatting, %d after:\n%v\n\n%v\n%s", len(e1), len(e2), e1.Err(), e2.Err(), once)
	}
}

// commentWords is the words of the comments in a row: which line they stand
// on may change.
func commentWords(list []comment) string {
	var b strings.Builder
	for _, c := range list {
		b.WriteString(strings.Join(strings.Fields(strings.ReplaceAll(c.text, "#", " ")), " ") + " ")
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func TestFormatLaws(t *testing.T) {
	for _, path := range append(catalogue(t), "testdata/all.ibl", "testdata/format.in") {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		checkFormat(t, src)
	}
}

// TestFormatWorkedExamples keeps the worked examples in canonical form.
func TestFormatWorkedExamples(t *testing.T) {
	for _, name := range workedExamples {
		path := "../../scenarios/" + name + ".ibl"
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out, errs := Format(src)
		if errs != nil {
			t.Fatal(errs.Err())
		}
		if string(out) != string(src) {
			t.Errorf("%s is not in canonical form; it is\n%s", path, out)
		}
	}
}

func seeds(f *testing.F) {
	for _, path := range append(catalogue(f), "testdata/all.ibl", "testdata/format.in", "testdata/mistakes.ibl") {
		src, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, chunk := range strings.Split(string(src), "---\n") {
			f.Add([]byte(chunk))
		}
	}
}

// FuzzParse: whatever the input, reading ends, says where every mistake is,
// and what has none becomes a scenario.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, src []byte) { checkRead(t, src) })
}

func checkRead(t testing.TB, src []byte) {
	file, errs := Parse("testdata/x.ibl", src, Options{ReadFile: os.ReadFile})
	for i, e := range errs {
		if e.Pos.Line < 1 || e.Pos.Col < 1 || e.Msg == "" || e.Len < 1 {
			t.Fatalf("error without a place or message: %+v", e)
		}
		if i > 0 && errs[i-1].Pos == e.Pos {
			t.Fatalf("two errors at one place: %v and %v", errs[i-1], e)
		}
	}
	if err := errs.Render(&strings.Builder{}, true); err != nil {
		t.Fatal(err)
	}
	if errs != nil {
		return
	}
	for _, v := range file.Variants() {
		sc, errs := v.Scenario()
		if errs != nil {
			t.Fatalf("parsed, but does not build: %v", errs.Err())
		}
		checkResolved(t, sc)
	}
	if _, err := file.JSON(); err != nil {
		t.Fatal(err)
	}
}

// FuzzFormat holds any input to the laws of Format.
func FuzzFormat(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, src []byte) { checkFormat(t, src) })
}

// TestRandomTampering holds files with random edits to the laws of reading
// and formatting. Edits are of whole tokens, which gets far deeper than edits
// of bytes.
func TestRandomTampering(t *testing.T) {
	var chunks []string
	for _, path := range append(catalogue(t), "testdata/all.ibl", "testdata/format.in", "testdata/mistakes.ibl") {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		chunks = append(chunks, strings.Split(string(src), "---\n")...)
	}
	pool := []string{"\n", "\n\n", "# note\n", "// note\n", ";", `"text"`, "7", "a.q", "R1.wc", "é", "q*", "?"}
	pool = append(pool, operators...)
	for _, r := range rows {
		pool = append(pool, r.Word)
	}
	rounds := 600
	if testing.Short() {
		rounds = 200
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range rounds {
		text := tamper(rnd, chunks[rnd.IntN(len(chunks))], pool)
		checkRead(t, []byte(text))
		checkFormat(t, []byte(text))
		if i%4 == 0 {
			checkEditing(t, rnd, text)
		}
		if t.Failed() {
			t.Fatalf("from\n%s", text)
		}
	}
}

// checkEditing holds what editors ask of a file to its laws, whatever the
// file: names lie within it, and candidates can be found anywhere.
func checkEditing(t *testing.T, rnd *rand.Rand, text string) {
	f, _ := Parse("testdata/x.ibl", []byte(text), Options{ReadFile: os.ReadFile})
	for _, thing := range f.Things() {
		f.About(thing)
		for _, n := range thing.Names {
			if got := f.Written(n); len([]rune(got)) != n.Len || n.Len == 0 {
				t.Errorf("%v: %q of %d characters names %s %s", n.Pos, got, n.Len, thing.Kind, thing.Name)
			}
		}
	}
	f.Outline()
	f.Lint()
	lines := strings.Split(text, "\n")
	line := rnd.IntN(len(lines))
	at := spec.Pos{File: "testdata/x.ibl", Line: line + 1, Col: 1 + rnd.IntN(len([]rune(lines[line]))+1)}
	f.At(at)
	c := Complete("testdata/x.ibl", []byte(text), at, Options{ReadFile: os.ReadFile})
	if c.From < 1 || c.To < c.From {
		t.Errorf("%v: completes from %d to %d", at, c.From, c.To)
	}
}

// tamper makes one to six edits of a text's tokens.
func tamper(rnd *rand.Rand, text string, pool []string) string {
	for range 1 + rnd.IntN(6) {
		toks := lex(&collector{}, "", []byte(text)).toks
		a, b := toks[rnd.IntN(len(toks))], toks[rnd.IntN(len(toks))]
		word := pool[rnd.IntN(len(pool))]
		switch rnd.IntN(5) {
		case 0:
			text = text[:a.Off] + text[a.End:]
		case 1:
			text = text[:a.End] + " " + text[b.Off:b.End] + " " + text[a.End:]
		case 2:
			text = text[:a.Off] + word + text[a.End:]
		case 3:
			text = text[:a.Off] + word + " " + text[a.Off:]
		default:
			text = text[:min(a.Off, b.Off)] + text[max(a.Off, b.Off):]
		}
	}
	return text
}
