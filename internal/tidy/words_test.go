package tidy

import (
	"fmt"
	"regexp"
	"strings"
)

// wordsFile is the one file that may contain the words: this one.
const wordsFile = "internal/tidy/words_test.go"

// words are what no file of the project may say.
var words = []struct {
	pattern *regexp.Regexp
	why     string
}{
	{regexp.MustCompile(`(?i)\b(sessions?|assistants?|chatbots?)\b`), "the project speaks of itself alone"},
	{regexp.MustCompile(`(?i)\b(claude|anthropic|chatgpt|gpt-?\d\w*|openai|copilot|gemini|llms?)\b`), "the project speaks of itself alone"},
	{regexp.MustCompile(`\b(TODO|FIXME|XXX)\b`), "do it, or file it"},
	{regexp.MustCompile(`(^|[\s"'` + "`" + `(=])/(work|root|home|Users)/`), "a path of one machine"},
	{regexp.MustCompile(`\.\./shared\b`), "a path of one machine"},
	// Only a package client should know these hosts.
	{regexp.MustCompile(`\b(proxy\.golang\.org|sum\.golang\.org|deb\.debian\.org|registry\.npmjs\.org|pypi\.org)\b`), "the host of a registry"},
}

func checkWords(t *tree) []problem {
	var out []problem
	for _, f := range t.files {
		if f.path == wordsFile || f.path == "LICENSE" {
			continue
		}
		for i, line := range strings.Split(f.text, "\n") {
			for _, w := range words {
				if found := w.pattern.FindString(line); found != "" {
					text := fmt.Sprintf("%q: %s", strings.TrimSpace(found), w.why)
					out = append(out, problem{f.path, i + 1, text})
				}
			}
		}
	}
	return out
}

// plantedWords are lines that checkWords must find, each for one row.
var plantedWords = []string{
	"written in this session",
	"an LLM wrote it",
	"// TODO: later",
	"see /work/notes",
	"see ../shared/notes",
	"from proxy.golang.org",
}
