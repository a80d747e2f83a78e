package scenario

import (
	"sort"
	"strings"
)

// nearest returns the candidate most like word, or "" when none is like it:
// at most a third of the letters may differ, swapped neighbours count once.
func nearest(word string, candidates []string) string {
	best, bestDist := "", max(1, len(word)/3)+1
	for _, c := range candidates {
		if d := distance(strings.ToLower(word), strings.ToLower(c)); d < bestDist && d < len(c) && c != word {
			best, bestDist = c, d
		}
	}
	return best
}

// distance is the edit distance of a and b in bytes where swapping two
// neighbours is one edit.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	var before, last, row []int
	for j := 0; j <= len(b); j++ {
		last = append(last, j)
	}
	for i := 1; i <= len(a); i++ {
		row = append(make([]int, 0, len(b)+1), i)
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			row = append(row, d)
		}
		before, last = last, row
	}
	return last[len(b)]
}

// suggest makes the help for an unknown word: the nearest candidate and, in
// parentheses, the whole list under its title unless it is too long to help.
func suggest(word string, candidates []string, title string) string {
	list := append([]string(nil), candidates...)
	sort.Strings(list)
	var parts []string
	if n := nearest(word, candidates); n != "" {
		parts = append(parts, "did you mean `"+n+"`?")
	}
	switch {
	case len(list) == 0:
		parts = append(parts, "("+title+": none)")
	case len(list) <= 8 || len(parts) == 0 && len(list) <= 24:
		parts = append(parts, "("+title+": "+strings.Join(list, ", ")+")")
	}
	if len(parts) == 1 {
		return strings.Trim(parts[0], "()")
	}
	return strings.Join(parts, " ")
}
