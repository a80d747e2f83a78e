// Package docs reads and rewrites the outputs, files and commands that Markdown
// documents show, so that a test can hold them against the program.
//
// A document marks what it shows by a comment before a fenced block:
//
//	<!-- output: ibcheck check x.ibl -->                  what the command prints
//	<!-- output: ibcheck check x.ibl | paragraphs 1-2 --> some of its paragraphs
//	<!-- file: x.ibl -->                                  a file for the commands after it
package docs

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A Kind says what a Block is.
type Kind string

// The kinds of block that a comment marks.
const (
	Output Kind = "output"
	File   Kind = "file"
)

// A Block is a fenced block of a document and the comment that marks it.
type Block struct {
	Kind        Kind
	Line        int      // of the comment, from 1
	Args        []string // Output: the command, File: the name
	First, Last int      // Output: the paragraphs shown, from 1; 0, 0 is all
	Language    string   // the word after the opening fence
	Text        string   // between the fences, each line with its newline
	from, to    int      // byte offsets of Text in the document
}

var (
	marker     = regexp.MustCompile(`^<!-- (output|file): (.*?)(?: \| paragraphs (\d+)(?:-(\d+))?)? -->$`)
	likeMarker = regexp.MustCompile(`^\s*<!--\s*(output|file)\b`)
	fence      = regexp.MustCompile("^```(\\w*)$")
)

// Blocks returns the marked blocks of a document. A comment that only looks
// like a mark, or one without a block after it, is an error.
func Blocks(doc string) ([]Block, error) {
	var out []Block
	lines := strings.SplitAfter(doc, "\n")
	offset := 0
	for i := 0; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], "\n")
		m := marker.FindStringSubmatch(line)
		if m == nil {
			if likeMarker.MatchString(line) {
				return nil, fmt.Errorf("line %d: want <!-- output: COMMAND --> or <!-- file: NAME -->, got %s", i+1, line)
			}
			offset += len(lines[i])
			continue
		}
		b, err := newBlock(m, i+1)
		if err != nil {
			return nil, err
		}
		offset += len(lines[i])
		read, err := b.readFenced(lines[i+1:], offset)
		if err != nil {
			return nil, err
		}
		for _, l := range lines[i+1 : i+1+read] {
			offset += len(l)
		}
		i += read
		out = append(out, b)
	}
	return out, nil
}

func newBlock(m []string, line int) (Block, error) {
	b := Block{Kind: Kind(m[1]), Line: line}
	args, err := Split(m[2])
	if err != nil || len(args) == 0 {
		return b, fmt.Errorf("line %d: bad command %q", line, m[2])
	}
	b.Args = args
	if m[3] != "" {
		b.First, _ = strconv.Atoi(m[3]) // the pattern allows digits only
		b.Last = b.First
	}
	if m[4] != "" {
		b.Last, _ = strconv.Atoi(m[4])
	}
	return b, nil
}

// readFenced fills in the text of a block from the lines after its comment and
// returns how many lines it read.
func (b *Block) readFenced(lines []string, offset int) (int, error) {
	if len(lines) == 0 {
		return 0, fmt.Errorf("line %d: no fenced block follows", b.Line)
	}
	open := fence.FindStringSubmatch(strings.TrimRight(lines[0], "\n"))
	if open == nil {
		return 0, fmt.Errorf("line %d: no fenced block follows", b.Line)
	}
	b.Language = open[1]
	b.from = offset + len(lines[0])
	b.to = b.from
	for i, line := range lines[1:] {
		if strings.TrimRight(line, "\n") == "```" {
			return i + 2, nil
		}
		b.Text += line
		b.to += len(line)
	}
	return 0, fmt.Errorf("line %d: the fenced block has no end", b.Line)
}

// Replace returns the document with other texts in its blocks, as many as
// Blocks returned for it.
func Replace(doc string, blocks []Block, texts []string) string {
	var out strings.Builder
	at := 0
	for i, b := range blocks {
		out.WriteString(doc[at:b.from])
		out.WriteString(texts[i])
		at = b.to
	}
	out.WriteString(doc[at:])
	return out.String()
}

// Shown returns the part of a command's output that the block shows, without
// blank lines at its ends.
func (b *Block) Shown(output string) (string, error) {
	output = strings.Trim(output, "\n") + "\n"
	if b.First == 0 {
		return output, nil
	}
	paragraphs := regexp.MustCompile(`\n{2,}`).Split(strings.TrimSuffix(output, "\n"), -1)
	if b.Last < b.First || b.Last > len(paragraphs) {
		return "", fmt.Errorf("line %d: paragraphs %d-%d of an output that has %d", b.Line, b.First, b.Last, len(paragraphs))
	}
	return strings.Join(paragraphs[b.First-1:b.Last], "\n\n") + "\n", nil
}

var clock = regexp.MustCompile(`\b\d+\.\d\d s\b|\b\d+ s\b|\b\d+ min \d+ s\b|\b\d+ h \d+ min\b`)

// WithoutClock replaces durations, which differ from run to run.
func WithoutClock(text string) string { return clock.ReplaceAllString(text, "T s") }

// Split splits a command line into words at blanks; single quotes keep blanks.
func Split(command string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord, inQuotes := false, false
	for _, r := range command {
		switch {
		case r == '\'':
			inWord, inQuotes = true, !inQuotes
		case r == ' ' && !inQuotes:
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		default:
			inWord = true
			word.WriteRune(r)
		}
	}
	if inQuotes {
		return nil, fmt.Errorf("a quote without its partner in %q", command)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// Commands returns the command lines that a document tells its reader to run:
// the lines of its sh and console blocks, each with its line number from 1.
// Prompts, comments and what a console printed are left out.
func Commands(doc string) (commands []string, lines []int) {
	language := ""
	inside := false
	for i, line := range strings.Split(doc, "\n") {
		if m := fence.FindStringSubmatch(line); m != nil {
			inside = !inside
			language = m[1]
			continue
		}
		prompted, isPrompted := strings.CutPrefix(line, "$ ")
		switch {
		case !inside:
		case language == "sh" && line != "" && !strings.HasPrefix(line, "#"):
			commands, lines = append(commands, line), append(lines, i+1)
		case language == "console" && isPrompted:
			commands, lines = append(commands, prompted), append(lines, i+1)
		}
	}
	return commands, lines
}
