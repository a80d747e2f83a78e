package ibcheck

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/ibcheck/ibcheck/spec/scenario"
)

// Load reads a scenario file and the files it imports. The error is a
// scenario.Errors: every mistake with its position.
func Load(path string) (*scenario.File, error) {
	f, errs := scenario.Load(path)
	return f, errs.Err()
}

// Parse reads a scenario from text; name stands for the file in positions. The
// files that it imports are looked for from the folder of name on. The error is
// a scenario.Errors.
func Parse(name, text string) (*scenario.File, error) {
	f, errs := scenario.Parse(name, []byte(text), scenario.Options{ReadFile: os.ReadFile})
	return f, errs.Err()
}

// MustParse is Parse for text that is part of a program: it panics if there is a
// mistake in it.
func MustParse(name, text string) *scenario.File {
	f, err := Parse(name, text)
	if err != nil {
		panic(fmt.Sprintf("ibcheck: %v", err))
	}
	return f
}

// Property returns the report on the property of that name, nil if there is none.
// Variants are reports of their own.
func (s *ScenarioReport) Property(name string) *PropertyReport {
	for i := range s.Properties {
		if s.Properties[i].Name == name {
			return &s.Properties[i]
		}
	}
	return nil
}

// ReadJSON reads a report that WriteJSON wrote. Its runs are there as Trace and
// Drawing, not as Run.
func ReadJSON(r io.Reader) (*Report, error) {
	var report Report
	if err := json.NewDecoder(r).Decode(&report); err != nil {
		return nil, fmt.Errorf("not a report of ibcheck: %w", err)
	}
	if report.Schema != Schema {
		return nil, fmt.Errorf("not a report of ibcheck: its schema is %q, not %q", report.Schema, Schema)
	}
	return &report, nil
}
