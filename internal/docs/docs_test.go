package docs

import (
	"slices"
	"strings"
	"testing"
)

const sample = "# Title\n" +
	"<!-- file: first.ibl -->\n```ibl\nnode a { }\n```\n\n" +
	"text\n<!-- output: ibcheck check 'a b.ibl' -q | paragraphs 2-3 -->\n```\nold\n\nlines\n```\n" +
	"<!-- output: ibcheck version -->\n```text\n```\nend\n"

func TestBlocks(t *testing.T) {
	blocks, err := Blocks(sample)
	if err != nil {
		t.Fatal(err)
	}
	if len(blocks) != 3 {
		t.Fatalf("%d blocks, want 3: %v", len(blocks), blocks)
	}
	f, o, v := blocks[0], blocks[1], blocks[2]
	if f.Kind != File || f.Line != 2 || !slices.Equal(f.Args, []string{"first.ibl"}) || f.Language != "ibl" || f.Text != "node a { }\n" {
		t.Errorf("file block: %+v", f)
	}
	if o.Kind != Output || o.Line != 8 || !slices.Equal(o.Args, []string{"ibcheck", "check", "a b.ibl", "-q"}) || o.First != 2 || o.Last != 3 {
		t.Errorf("output block: %+v", o)
	}
	if o.Text != "old\n\nlines\n" || v.Text != "" || v.Line != 14 {
		t.Errorf("texts: %q, %q at %d", o.Text, v.Text, v.Line)
	}
}

func TestReplaceChangesOnlyTheBlocks(t *testing.T) {
	blocks, err := Blocks(sample)
	if err != nil {
		t.Fatal(err)
	}
	same := []string{blocks[0].Text, blocks[1].Text, blocks[2].Text}
	if got := Replace(sample, blocks, same); got != sample {
		t.Errorf("the same texts give\n%s", got)
	}
	got := Replace(sample, blocks, []string{blocks[0].Text, "new\n", "v1\nv2\n"})
	want := strings.Replace(sample, "old\n\nlines\n", "new\n", 1)
	want = strings.Replace(want, "```text\n", "```text\nv1\nv2\n", 1)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestBadMarksAreErrors(t *testing.T) {
	for _, doc := range []string{
		"<!-- output: -->\n```\n```\n",
		"<!-- output ibcheck version -->\n```\n```\n",
		"<!-- output: ibcheck version -->\n\n```\n```\n",
		"<!-- output: ibcheck version -->\n",
		"<!-- output: ibcheck version -->",
		"<!-- output: ibcheck version -->\n```\nno end\n",
		"<!-- output: ibcheck 'x -->\n```\n```\n",
	} {
		if blocks, err := Blocks(doc); err == nil {
			t.Errorf("%q is read as %+v", doc, blocks)
		}
	}
}

func TestShown(t *testing.T) {
	const output = "\none\nmore\n\n\ntwo\n\nthree\n\n"
	for _, tc := range []struct {
		first, last int
		want        string // "": an error
	}{
		{0, 0, "one\nmore\n\n\ntwo\n\nthree\n"},
		{1, 1, "one\nmore\n"},
		{2, 3, "two\n\nthree\n"},
		{3, 4, ""},
		{2, 1, ""},
	} {
		b := Block{First: tc.first, Last: tc.last}
		if got, err := b.Shown(output); got != tc.want || (err == nil) != (tc.want != "") {
			t.Errorf("paragraphs %d-%d: got %q, %v; want %q", tc.first, tc.last, got, err, tc.want)
		}
	}
}

func TestWithoutClock(t *testing.T) {
	got := WithoutClock("112 states, depth 14, 0.02 s; then 75 s, 3 min 4 s, 2 h 5 min")
	if want := "112 states, depth 14, T s; then T s, T s, T s"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCommands(t *testing.T) {
	doc := "```sh\n# first\nmake test\nibcheck version\n```\n```\nnot this\n```\n```console\n$ ibcheck fmt x\nprinted\n```\n"
	commands, lines := Commands(doc)
	if !slices.Equal(commands, []string{"make test", "ibcheck version", "ibcheck fmt x"}) || !slices.Equal(lines, []int{3, 4, 10}) {
		t.Errorf("got %q at %v", commands, lines)
	}
}
