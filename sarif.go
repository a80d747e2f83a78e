package ibcheck

import (
	"encoding/json"
	"io"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
)

// The parts of a SARIF 2.1.0 log that a report has. The libraries that know all
// of SARIF bring an HTTP client along; they are used by the tests, which hold
// what is written here against the schema.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		InformationURI string      `json:"informationUri"`
		Version        string      `json:"version,omitempty"`
		Rules          []sarifRule `json:"rules,omitempty"`
	}
	sarifRule struct {
		ID               string    `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
		FullDescription  sarifText `json:"fullDescription"` // this and help are for GitHub, which wants them
		Help             sarifText `json:"help"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID              string            `json:"ruleId"`
		RuleIndex           int               `json:"ruleIndex"`
		Level               string            `json:"level"`
		Message             sarifText         `json:"message"`
		Locations           []sarifLocation   `json:"locations"`
		RelatedLocations    []sarifLocation   `json:"relatedLocations,omitempty"`
		CodeFlows           []sarifCodeFlow   `json:"codeFlows,omitempty"`
		PartialFingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifCodeFlow struct {
		ThreadFlows []sarifThreadFlow `json:"threadFlows"`
	}
	sarifThreadFlow struct {
		Locations []sarifStep `json:"locations"`
	}
	sarifStep struct {
		ExecutionOrder int           `json:"executionOrder"`
		Location       sarifLocation `json:"location"`
	}
	sarifLocation struct {
		PhysicalLocation sarifPhysical `json:"physicalLocation"`
		Message          *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		ArtifactLocation struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region *sarifRegion `json:"region,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
	}
)

// WriteSARIF writes what is not as expected in a report as a SARIF 2.1.0 log: each
// result stands where its property is written, with the lines that post the WRs
// of its run as related locations and the run itself as a code flow. What passed
// is left out, because most readers show every result as a complaint.
func (r *Report) WriteSARIF(w io.Writer, opt FormatOptions) error {
	driver := sarifDriver{Name: "ibcheck", InformationURI: "https://github.com/ibcheck/ibcheck", Version: strings.TrimPrefix(opt.Version, "v")}
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}, Tool: sarifTool{driver}}
	rules := map[string]int{}
	for _, f := range r.files(opt) {
		for k := range f.cases {
			c := &f.cases[k]
			if c.Passed() {
				continue
			}
			if _, known := rules[c.Rule]; !known {
				rules[c.Rule] = len(rules)
				run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, newSARIFRule(c.Rule))
			}
			run.Results = append(run.Results, sarifResultOf(c, rules[c.Rule]))
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false) // "<=" stays readable
	encoder.SetIndent("", " ")
	return encoder.Encode(sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
}

// ruleWords says what the rules are that the name of a check does not explain.
var ruleWords = map[string]string{
	"assert":   "An assert does not have the verdict that the scenario expects.",
	"reach":    "A reach does not have the verdict that the scenario expects.",
	"vacuous":  "A verdict says nothing, because its property was never put to the test.",
	"limit":    "A limit came before the verdict.",
	"scenario": "The scenario is not valid.",
	"expected": "The report is not the one recorded beside the scenario.",
	"internal": "ibcheck is at fault.",
}

func newSARIFRule(id string) sarifRule {
	words, ok := ruleWords[id]
	help := "See docs/regression-tests.md."
	if !ok {
		words = "The built-in check " + id + " failed."
		help = "ibcheck doc '" + id + "' says what it checks."
	}
	return sarifRule{ID: id, ShortDescription: sarifText{words}, FullDescription: sarifText{words}, Help: sarifText{help}}
}

func sarifResultOf(c *Case, rule int) sarifResult {
	level := "error"
	if c.open() {
		level = "warning"
	}
	text := c.Name + ": " + c.Message
	if c.Details != "" {
		text += "\n" + c.Details
	}
	result := sarifResult{RuleID: c.Rule, RuleIndex: rule, Level: level, Message: sarifText{text},
		Locations:           []sarifLocation{sarifLocationOf(c.at, "")},
		PartialFingerprints: map[string]string{"property/v1": c.at.uri() + "#" + c.Name}}
	if c.property != nil && len(c.property.Trace) > 0 {
		addSARIFRun(&result, c)
	}
	return result
}

// addSARIFRun adds the run of a property: where its WRs are posted, and its steps.
func addSARIFRun(result *sarifResult, c *Case) {
	posted := map[string]place{}
	var flow sarifThreadFlow
	for i := range c.property.Trace {
		step := &c.property.Trace[i]
		at := c.scenario.postedAt(step.WR)
		if at.file != "" {
			posted[step.WR] = at
		} else {
			at = c.at
		}
		flow.Locations = append(flow.Locations, sarifStep{step.Step, sarifLocationOf(at, step.words())})
	}
	for _, wr := range slices.Sorted(maps.Keys(posted)) {
		result.RelatedLocations = append(result.RelatedLocations, sarifLocationOf(posted[wr], wr+" is posted here"))
	}
	result.CodeFlows = []sarifCodeFlow{{[]sarifThreadFlow{flow}}}
}

// words is a step on one line.
func (s *TraceStep) words() string {
	text := s.Lane + ": " + s.Action
	if s.Fault != "" {
		text += " (fault: " + s.Fault + ")"
	}
	return text
}

// sarifLocationOf points at a place; a place without a line is its whole file.
func sarifLocationOf(at place, words string) sarifLocation {
	var out sarifLocation
	out.PhysicalLocation.ArtifactLocation.URI = sarifURI(at)
	if at.line > 0 {
		out.PhysicalLocation.Region = &sarifRegion{at.line, at.col}
	}
	if words != "" {
		out.Message = &sarifText{words}
	}
	return out
}

// sarifURI names a file: a relative one stays relative, to be found below the
// root of the sources.
func sarifURI(at place) string {
	u := url.URL{Path: at.uri()}
	if filepath.IsAbs(at.file) {
		u.Scheme = "file"
		u.Path = "/" + strings.TrimPrefix(u.Path, "/") // also before a drive letter
	}
	return u.String()
}
