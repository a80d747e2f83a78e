// Package expected keeps the report that a scenario is known to have in a file
// beside it, so that a change of meaning cannot hide. It knows nothing of what a
// report says. Its one law: the file is text for people, compared byte by byte.
package expected

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/ibcheck/ibcheck"
)

// Name returns the name of the file beside a scenario that holds its report.
func Name(scenario string) string { return scenario + ".expected" }

// Compare compares a report with the one recorded beside its scenario and returns
// the difference as a unified diff, "" if there is none or nothing is recorded.
func Compare(scenario string, s *ibcheck.ScenarioReport) (string, error) {
	name := Name(scenario)
	recorded, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	got, err := text(s)
	if err != nil {
		return "", err
	}
	out := string(diff.Diff(name, recorded, "now", got))
	return strings.TrimPrefix(out, fmt.Sprintf("diff %s now\n", name)), nil
}

// Update records a report beside its scenario if it is not the one recorded
// there, and says whether it was not.
func Update(scenario string, s *ibcheck.ScenarioReport) (changed bool, err error) {
	got, err := text(s)
	if err != nil {
		return false, err
	}
	name := Name(scenario)
	recorded, err := os.ReadFile(name)
	if err == nil && bytes.Equal(recorded, got) {
		return false, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return true, os.WriteFile(name, got, 0o666)
}

// text is what is recorded of a report. A report of half a search says nothing
// that the next one must repeat.
func text(s *ibcheck.ScenarioReport) ([]byte, error) {
	for _, v := range append([]ibcheck.ScenarioReport{*s}, s.Variants...) {
		if !v.Complete {
			return nil, errors.New("the search did not end, so its report can neither be recorded nor compared")
		}
	}
	var b bytes.Buffer
	err := s.WriteExpected(&b)
	return b.Bytes(), err
}
