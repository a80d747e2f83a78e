package ibcheck

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/jstemmer/go-junit-report/v2/junit"
)

// WriteJUnit writes a report as JUnit XML: a suite for each file, a case for each
// property and one for the built-in checks that passed. What is not as expected
// is a failure with the ladder in it; what is undecided or could not be explored
// is an error.
func (r *Report) WriteJUnit(w io.Writer, opt FormatOptions) error {
	suites := junit.Testsuites{Name: "ibcheck"}
	for i, f := range r.files(opt) {
		suite := junit.Testsuite{Name: filepath.ToSlash(f.path), File: filepath.ToSlash(f.path), ID: i, Time: fmt.Sprintf("%.3f", f.seconds)}
		for k := range f.cases {
			suite.AddTestcase(junitCase(f.path, &f.cases[k]))
		}
		suites.AddSuite(suite)
	}
	if _, err := io.WriteString(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"); err != nil {
		return err
	}
	return suites.WriteXML(w)
}

func junitCase(path string, c *Case) junit.Testcase {
	out := junit.Testcase{Name: c.Name, Classname: strings.TrimSuffix(filepath.ToSlash(path), ".ibl")}
	if c.Passed() {
		return out
	}
	result := &junit.Result{Message: c.Message, Type: c.Rule, Data: "\n" + c.at.String() + "\n" + c.Details}
	switch c.Exit {
	case ExitUnexpected, ExitVacuous:
		out.Failure = result
	default:
		out.Error = result
	}
	return out
}
