package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/internal/npm"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

const editors = "../../editors/"

// TestFilesAreCurrent: what is written is what the tables say today.
func TestFilesAreCurrent(t *testing.T) {
	w := newWords()
	for _, f := range files {
		got, err := os.ReadFile(editors + f.path)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != f.text(w) {
			t.Errorf("editors/%s differs; go generate ./internal/syntax writes it anew", f.path)
		}
	}
}

// TestEveryWordHasAClass: every word of the tables, in each of its places, is in
// a class that belongs there.
func TestEveryWordHasAClass(t *testing.T) {
	w := newWords()
	for _, r := range scenario.Table() {
		if r.Word == "PROPERTY" {
			continue
		}
		word, _, _ := strings.Cut(r.Word, "(")
		afterDot := r.In&(scenario.OfWR|scenario.OfCQ|scenario.OfQP|scenario.OfMR|scenario.OfWC) != 0
		if !slices.ContainsFunc(w.classes, func(c *class) bool { return c.field == afterDot && slices.Contains(c.words, word) }) {
			t.Errorf("`%s`, which stands %s, is in no class", word, r.In)
		}
	}
	for _, name := range control {
		if !slices.Contains(w.class("control").words, name) {
			t.Errorf("no statement `%s`", name)
		}
	}
}

// A mark is a word in a sample and the class it should be coloured by.
type mark struct {
	line, column int
	word         string
	class        *class
}

// sample is a text with every word of every class where it stands, and with
// words where they are only names.
func sample() (text string, marks []mark) {
	var b strings.Builder
	line := 1
	add := func(c *class, before, word, after string) {
		if c != nil {
			marks = append(marks, mark{line, len(before) + 1, word, c})
		}
		b.WriteString(before + word + after + "\n")
		line++
	}
	for _, c := range newWords().classes {
		for _, word := range c.words {
			forms := []string{word}
			for _, p := range c.long {
				forms = append(forms, p+word)
			}
			for _, form := range forms {
				switch {
				case c.start:
					add(c, "  ", form, " x")
					add(c, "thread t { count v; ", form, " x }")
				case c.field:
					add(c, "wait x.S1.", form, " and y")
				default:
					add(c, "zzz ", form, " x")
				}
			}
		}
	}
	w := newWords()
	add(w.class("declaration"), "replicate 3 ", "qp", " q { }")
	add(w.class("control"), "} else ", "if", " x { }")
	return b.String(), marks
}

// places are the lines and columns of marks.
func places(marks []mark) [][2]int {
	var out [][2]int
	for _, m := range marks {
		out = append(out, [2]int{m.line, m.column})
	}
	return out
}

// compare holds what an editor says of each mark against what it should.
func compare(t *testing.T, marks []mark, got []string, want func(*class) string) {
	t.Helper()
	if len(got) != len(marks) || len(marks) < 250 {
		t.Fatalf("%d answers for %d marks", len(got), len(marks))
	}
	bad := 0
	for i, m := range marks {
		if got[i] != want(m.class) {
			if bad++; bad < 20 {
				t.Errorf("line %d, `%s`, is %q, want %q", m.line, m.word, got[i], want(m.class))
			}
		}
	}
	if bad > 0 {
		t.Errorf("%d of %d words", bad, len(marks))
	}
}

func TestTextMate(t *testing.T) {
	home := npm.Modules(t, editors+"test")
	text, marks := sample()
	in, err := json.Marshal(map[string]any{"text": text, "places": places(marks)})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	run(t, home, in, &got, "node", abs(t, "testdata/textmate.js"), abs(t, editors+"vscode/syntaxes/ibl.tmLanguage.json"))
	compare(t, marks, got, func(c *class) string { return c.scope + ".ibl" })

	const others = "# set x\nlitmus \"a # b\\\"c\" { }  // after\ncount free\nparam depth = 4\nassert order: x"
	in, err = json.Marshal(map[string]any{"text": others, "places": [][2]int{{1, 3}, {2, 12}, {2, 15}, {2, 16}, {2, 25}, {3, 7}, {4, 7}, {4, 15}, {5, 8}}})
	if err != nil {
		t.Fatal(err)
	}
	run(t, home, in, &got, "node", abs(t, "testdata/textmate.js"), abs(t, editors+"vscode/syntaxes/ibl.tmLanguage.json"))
	want := []string{"comment.line.number-sign.ibl", "string.quoted.double.ibl", "constant.character.escape.ibl", "string.quoted.double.ibl",
		"comment.line.double-slash.ibl", "source.ibl", "source.ibl", "constant.numeric.ibl", "entity.name.function.ibl"}
	if !slices.Equal(got, want) {
		t.Errorf("the others are\n%q, want\n%q", got, want)
	}
}

// run runs a program of others and reads the JSON it prints.
func run(t *testing.T, dir string, stdin []byte, result any, name string, args ...string) {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir, c.Stdin = dir, bytes.NewReader(stdin)
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err == nil {
		err = json.Unmarshal(out, result)
	}
	if err != nil {
		t.Fatalf("%s: %v\n%s\n%s", name, err, out, errs.Bytes())
	}
}

func abs(t *testing.T, path string) string {
	t.Helper()
	out, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// ask lets an editor that may be missing answer about the places of a text,
// through files.
func ask(t *testing.T, text string, marks [][2]int, result any, env []string, name string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("no %s here", name)
	}
	dir := t.TempDir()
	list, err := json.Marshal(marks)
	if err != nil {
		t.Fatal(err)
	}
	for file, content := range map[string]string{"x.ibl": text, "places": string(list)} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command(name, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), append(env, "IBL_FILE="+dir+"/x.ibl", "IBL_PLACES="+dir+"/places", "IBL_ANSWERS="+dir+"/answers", "HOME="+dir, "TERM=dumb")...)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	answers, err := os.ReadFile(dir + "/answers")
	if err == nil {
		err = json.Unmarshal(answers, result)
	}
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

func TestVim(t *testing.T) {
	for _, name := range []string{"vim", "nvim"} {
		t.Run(name, func(t *testing.T) {
			text, marks := sample()
			var filetype string
			var got []string
			args := []string{"-u", "NONE", "-i", "NONE", "-es", "-S", abs(t, "testdata/places.vim")}
			if name == "nvim" {
				args = append([]string{"--headless"}, args...)
			}
			ask(t, text, places(marks), &[]any{&filetype, &got}, []string{"IBL_RUNTIME=" + abs(t, editors+"vim")}, name, args...)
			if filetype != "ibl" {
				t.Errorf("the filetype is %q", filetype)
			}
			compare(t, marks, got, (*class).vimGroup)

			const others = "# set x\nlitmus \"a # b\\\"c\" { }  // after\ncount free\nparam depth = 4\nassert order: x\n"
			ask(t, others, [][2]int{{1, 3}, {2, 12}, {2, 16}, {2, 25}, {3, 7}, {4, 7}, {4, 15}, {5, 8}}, &[]any{&filetype, &got},
				[]string{"IBL_RUNTIME=" + abs(t, editors+"vim")}, name, args...)
			want := []string{"iblComment", "iblString", "iblString", "iblComment", "", "", "iblNumber", "iblProperty"}
			if !slices.Equal(got, want) {
				t.Errorf("the others are\n%q, want\n%q", got, want)
			}
		})
	}
}

func TestEmacs(t *testing.T) {
	text, marks := sample()
	var mode, indented string
	var got []string
	env := []string{"IBL_MODE=" + abs(t, editors+"emacs/ibl-mode.el")}
	args := []string{"-Q", "--batch", "-l", abs(t, "testdata/places.el")}
	ask(t, text, places(marks), &[]any{&mode, &got, &indented}, env, "emacs", args...)
	if mode != "ibl-mode" {
		t.Errorf("the mode is %q", mode)
	}
	compare(t, marks, got, func(c *class) string { return c.face })

	const others = "# set x\nlitmus \"a # b\" {\ndoc \"x\" // after\n}\nparam depth = 4\nassert order: x\n"
	ask(t, others, [][2]int{{1, 3}, {2, 12}, {3, 13}, {5, 7}, {5, 15}, {6, 8}}, &[]any{&mode, &got, &indented}, env, "emacs", args...)
	want := []string{"font-lock-comment-face", "font-lock-string-face", "font-lock-comment-face", "nil", "font-lock-constant-face", "font-lock-function-name-face"}
	if !slices.Equal(got, want) {
		t.Errorf("the others are\n%q, want\n%q", got, want)
	}
	if want := strings.Replace(others, "\ndoc", "\n  doc", 1); indented != want {
		t.Errorf("indented, it is\n%s", indented)
	}
	mode = filepath.Join(t.TempDir(), "ibl-mode.el")
	if err := os.WriteFile(mode, []byte(emacs(newWords())), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("emacs", "-Q", "--batch", "--eval", "(setq byte-compile-error-on-warn t)", "-f", "batch-byte-compile", mode).CombinedOutput()
	if err != nil {
		t.Errorf("compiling the mode: %v\n%s", err, out)
	}
}

// catalogue are the scenarios of the project.
func catalogue(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob("../../scenarios/*/*.ibl")
	if err != nil || len(list) < 100 {
		t.Fatalf("%d scenarios: %v", len(list), err)
	}
	return append(list, "../../spec/scenario/testdata/all.ibl", "../../spec/scenario/testdata/format.in")
}

// TestTreeSitter reads the catalogue and the sample by the grammar: with the
// tree-sitter program if it is there, which also proves that the grammar has no
// conflicts, and with a stand-in that node runs.
func TestTreeSitter(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node here")
	}
	text, marks := sample()
	words := filepath.Join(t.TempDir(), "words.ibl")
	if err := os.WriteFile(words, []byte(strings.NewReplacer("thread t {", "thread t", " }", "", "}", "", "{", "").Replace(text)), 0o666); err != nil {
		t.Fatal(err)
	}
	var got map[string]struct {
		Tokens [][2]string
		Error  string
	}
	args := append([]string{"testdata/treesitter.js", editors + "tree-sitter-ibl/grammar.js", words}, catalogue(t)...)
	run(t, ".", nil, &got, "node", args...)
	for file, r := range got {
		if r.Error != "" {
			t.Errorf("%s: %s", file, r.Error)
		}
	}
	classOf := map[string]string{}
	for _, c := range newWords().unique() {
		for _, word := range c.words {
			for _, form := range append([]string{""}, c.long...) {
				if key := fmt.Sprint(c.field, form+word); classOf[key] == "" {
					classOf[key] = c.name
				}
			}
		}
	}
	checked := 0
	after := ""
	for _, token := range got[words].Tokens {
		if want := classOf[fmt.Sprint(after == ".", token[1])]; want != "" {
			if checked++; token[0] != want {
				t.Errorf("`%s` is read as %s, want %s", token[1], token[0], want)
			}
		}
		after = token[1]
	}
	if checked < len(marks) {
		t.Errorf("%d words read, want at least %d", checked, len(marks))
	}
	t.Run("program", func(t *testing.T) { treeSitterProgram(t, words) })
}

// treeSitterProgram does the same with the program itself.
func treeSitterProgram(t *testing.T, words string) {
	program, err := exec.LookPath("tree-sitter")
	if err != nil {
		t.Skip("no tree-sitter here")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(editors+"tree-sitter-ibl")); err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, path := range append(catalogue(t), words) {
		list = append(list, abs(t, path))
	}
	for _, args := range [][]string{{"generate"}, append([]string{"parse", "--quiet"}, list...)} {
		c := exec.Command(program, args...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("tree-sitter %s: %v\n%s", args[0], err, out)
		}
	}
}

// TestVSCodeExtension: the extension starts the program as its settings say, and
// what its manifest names is there.
func TestVSCodeExtension(t *testing.T) {
	src, err := os.ReadFile(editors + "vscode/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Main        string
		Contributes struct {
			Languages     []struct{ ID, Configuration string }
			Grammars      []struct{ Language, ScopeName, Path string }
			Configuration struct {
				Properties map[string]struct{ Default any }
			}
		}
	}
	if err := json.Unmarshal(src, &manifest); err != nil {
		t.Fatal(err)
	}
	c := manifest.Contributes
	for _, path := range []string{manifest.Main, c.Languages[0].Configuration, c.Grammars[0].Path} {
		if _, err := os.Stat(editors + "vscode/" + path); err != nil {
			t.Error(err)
		}
	}
	var grammar tmGrammar
	text, err := os.ReadFile(editors + "vscode/" + c.Grammars[0].Path)
	if err == nil {
		err = json.Unmarshal(text, &grammar)
	}
	if err != nil || grammar.ScopeName != c.Grammars[0].ScopeName || c.Grammars[0].Language != c.Languages[0].ID {
		t.Errorf("the grammar of %s is for %s: %v", c.Grammars[0].ScopeName, grammar.ScopeName, err)
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node here")
	}
	var seen []any
	run(t, ".", nil, &seen, "node", "testdata/extension.js", abs(t, editors+"vscode/extension.js"))
	got, err := json.Marshal(seen)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"command":"/opt/ibcheck"`, `"args":["lsp","--timeout","5m"]`, `"documentSelector":[{"language":"ibl"}]`, `"start","stop"]`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	for _, s := range []string{"ibcheck.path", "ibcheck.arguments"} {
		if c.Configuration.Properties[s].Default == nil || !strings.Contains(string(got), "setting "+s) {
			t.Errorf("the setting %s has no default or is not read", s)
		}
	}
}
