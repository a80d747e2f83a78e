package main

import (
	"bytes"
	"flag"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/internal/docs"
)

var update = flag.Bool("update", false, "write the outputs shown in documents anew")

// documents are README.md and what is below docs, as paths from here.
func documents(t *testing.T) []string {
	t.Helper()
	paths := []string{"../../README.md", "../../CHANGELOG.md"}
	err := filepath.WalkDir("../../docs", func(path string, d os.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// workIn goes to an empty folder with the catalogue in it, as a reader at the
// root of a clone would see it.
func workIn(t *testing.T) {
	t.Helper()
	catalogue, err := filepath.Abs("../../scenarios")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(catalogue, filepath.Join(dir, "scenarios")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("LANG", "C.UTF-8")
	t.Setenv("LC_ALL", "")
	t.Setenv("LC_CTYPE", "")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
}

// TestOutputsInDocuments holds every marked block of every document against
// what the program prints; see package docs for the marks.
func TestOutputsInDocuments(t *testing.T) {
	for _, path := range documents(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			abs, err := filepath.Abs(path)
			if err != nil {
				t.Fatal(err)
			}
			src, err := os.ReadFile(abs)
			if err != nil {
				t.Fatal(err)
			}
			workIn(t)
			blocks, err := docs.Blocks(string(src))
			if err != nil {
				t.Fatal(err)
			}
			texts := shownTexts(t, blocks)
			if *update && !t.Failed() {
				if err := os.WriteFile(abs, []byte(docs.Replace(string(src), blocks, texts)), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			for i, b := range blocks {
				if texts[i] != b.Text {
					t.Errorf("%s:%d: %q shows\n%sbut prints\n%s(go test ./cmd/ibcheck -update writes it anew)",
						filepath.Base(path), b.Line, b.Args, b.Text, texts[i])
				}
			}
		})
	}
}

// shownTexts returns what each block should show. Where only the clock differs
// that is what it shows already.
func shownTexts(t *testing.T, blocks []docs.Block) []string {
	t.Helper()
	texts := make([]string, len(blocks))
	for i, b := range blocks {
		texts[i] = b.Text
		if b.Kind == docs.File {
			if err := os.WriteFile(b.Args[0], []byte(b.Text), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if b.Args[0] != "ibcheck" {
			t.Errorf("line %d: only outputs of ibcheck can be shown, not of %q", b.Line, b.Args[0])
			continue
		}
		var out bytes.Buffer
		code := run(b.Args[1:], strings.NewReader(""), &out, &out)
		shown, err := b.Shown(out.String())
		if err != nil {
			t.Errorf("%v (exit code %d)", err, code)
			continue
		}
		if docs.WithoutClock(shown) != docs.WithoutClock(b.Text) {
			texts[i] = shown
		}
	}
	return texts
}

// TestCommandsInDocuments parses every command of the program that a document
// tells its reader to run: verb, flags and files must exist.
func TestCommandsInDocuments(t *testing.T) {
	for _, path := range documents(t) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		written := filesOf(t, string(src))
		commands, lines := docs.Commands(string(src))
		for i, command := range commands {
			if err := parses(command, written); err != nil {
				t.Errorf("%s:%d: %s: %v", filepath.Base(path), lines[i], command, err)
			}
		}
	}
}

func filesOf(t *testing.T, doc string) []string {
	t.Helper()
	blocks, err := docs.Blocks(doc)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, b := range blocks {
		if b.Kind == docs.File {
			names = append(names, b.Args[0])
		}
	}
	return names
}

// parses says what is wrong with a command line, if it is one of the program.
func parses(command string, written []string) error {
	args, err := docs.Split(command)
	if err != nil {
		return err
	}
	switch {
	case len(args) > 2 && slices.Equal(args[:3], []string{"go", "run", "./cmd/ibcheck"}):
		args = args[3:]
	case len(args) > 0 && args[0] == "ibcheck":
		args = args[1:]
	default:
		return nil
	}
	c, rest, err := newRoot(&app{}).Find(args)
	if err != nil {
		return err
	}
	if err := c.ParseFlags(rest); err != nil {
		return err
	}
	if err := c.ValidateArgs(c.Flags().Args()); err != nil {
		return err
	}
	for _, arg := range c.Flags().Args() {
		file := strings.TrimSuffix(arg, "/...")
		if filepath.Ext(file) != ".ibl" && file == arg || slices.Contains(written, file) {
			continue
		}
		if _, err := os.Stat(filepath.Join("../..", file)); err != nil {
			return fmt.Errorf("no file %s", file)
		}
	}
	return nil
}

func TestParsesFindsStaleCommands(t *testing.T) {
	for command, good := range map[string]bool{
		"make test":                                true,
		"ibcheck version":                          true,
		"ibcheck check first.ibl --max-mem 200M":   true,
		"go run ./cmd/ibcheck check first.ibl":     true,
		"ibcheck chekc first.ibl":                  false,
		"ibcheck check --no-such-flag first.ibl":   false,
		"ibcheck check other.ibl":                  false,
		"ibcheck test ./no-such-folder/...":        false,
		"go run ./cmd/ibcheck check --max-mem x y": false,
	} {
		if err := parses(command, []string{"first.ibl"}); (err == nil) != good {
			t.Errorf("%s: %v", command, err)
		}
	}
}

// TestPictureInDocuments holds the words in the drawn graph of the seed against
// the graph: which way Graphviz places them may change with its version.
func TestPictureInDocuments(t *testing.T) {
	const picture = "../../docs/seed-cqe.svg"
	var out, errs bytes.Buffer
	args := []string{"graph", "--project", "cqe", "../../scenarios/seed/send-vs-recv-cqe.ibl"}
	if code := run(args, strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, &errs)
	}
	if *update {
		draw := exec.Command("dot", "-Tsvg", "-o", picture)
		draw.Stdin = &out
		if err := draw.Run(); err != nil {
			t.Fatal(err)
		}
		return
	}
	svg, err := os.ReadFile(picture)
	if err != nil {
		t.Fatal(err)
	}
	var drawn, written []string
	for _, m := range regexp.MustCompile(`<text [^>]*>([^<]*)</text>`).FindAllStringSubmatch(string(svg), -1) {
		drawn = append(drawn, strings.ReplaceAll(html.UnescapeString(m[1]), "\u00a0", " "))
	}
	for _, m := range regexp.MustCompile(`(?m)\blabel=("(?:[^"\\]|\\.)*"|\w+)`).FindAllStringSubmatch(out.String(), -1) {
		written = append(written, strings.Split(strings.Trim(m[1], `"`), `\n`)...)
	}
	slices.Sort(drawn)
	slices.Sort(written)
	if !slices.Equal(drawn, written) {
		t.Errorf("%s shows\n%q\nbut the graph has\n%q\n(go test ./cmd/ibcheck -update draws it anew)", picture, drawn, written)
	}
}
