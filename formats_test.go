package ibcheck

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/parser"
	gotoken "go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	junit "github.com/joshdk/go-junit"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/xeipuuv/gojsonschema"
)

// everything is a report in which everything happens that a format must show:
// verdicts as expected and not, one that says nothing, an undecided one, and
// files that could not be explored.
func everything() *Report {
	s := sample()
	s.Bounds = nil
	s.Posted = map[string]string{"S1": "x.ibl:13:3", "R1": "x.ibl:21:3"}
	s.Properties[0].AsExpected, s.Properties[0].Expect = false, "holds"
	s.Properties[0].Trace = []TraceStep{
		{Step: 1, Lane: "a app", Action: "post_send S1", WR: "S1"},
		{Step: 2, Cause: 1, Lane: "wire", Action: "✗ ACK a0", Fault: "drop(ACK) 1/1"},
		{Step: 3, Cause: 1, Lane: "b HCA", Action: "CQE R1", WR: "R1[2]"},
	}
	s.Properties = append(s.Properties, PropertyReport{Name: "lost_wakeup", Kind: "sanitizer", Verdict: "violated",
		Trace: []TraceStep{{Step: 1, WR: "R1"}}})
	big := stopped()
	big.File = "deep/big one.ibl"
	return &Report{Schema: Schema, Scenarios: []ScenarioReport{*s, *big}, Problems: []Problem{
		{File: "bad.ibl", Pos: "bad.ibl:3:7", Text: "unknown word `nod` (did you mean `node`?)", Exit: ExitUsage},
		{File: "x.ibl", Text: "differs from x.ibl.expected: 50%, #1", More: "-  depth 4\n+  depth 5\n", Exit: ExitUnexpected},
		{File: "c.ibl", Text: "interrupted before it was explored", Exit: ExitInconclusive},
	}}
}

var strict = FormatOptions{VacuousIsError: true, Version: "v1.2.3"}

// written is a report in one of the formats.
func written(t *testing.T, write func(*bytes.Buffer) error) string {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestCases(t *testing.T) {
	var got []string
	for _, f := range everything().files(strict) {
		for _, c := range f.cases {
			got = append(got, f.path+" / "+c.Name+" ["+c.Rule+" "+strconv.Itoa(c.Exit)+"] "+c.at.String())
		}
	}
	want := []string{
		"x.ibl / order [assert 1] x.ibl:28:8",
		"x.ibl / early [reach 0] x.ibl:30:8",
		"x.ibl / safe [vacuous 4] x.ibl:31:8",
		"x.ibl / lost_wakeup [lost_wakeup 1] x.ibl:21:3",
		"x.ibl / 2 built-in checks [builtin 0] ",
		"x.ibl / late = true, n = 2: order [assert 1] x.ibl:40:3",
		"x.ibl / scenario [expected 1] x.ibl",
		"deep/big one.ibl / order [limit 3] big.ibl:9:8",
		"deep/big one.ibl / exploration [limit 3] deep/big one.ibl",
		"bad.ibl / scenario [scenario 2] bad.ibl:3:7",
		"c.ibl / scenario [limit 3] c.ibl",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	lax := everything().files(FormatOptions{})[0].cases
	if !lax[2].Passed() {
		t.Errorf("vacuous is an error only on request, got %+v", lax[2])
	}
}

// TestJUnitReads reads the XML with a library of others.
func TestJUnitReads(t *testing.T) {
	out := written(t, func(b *bytes.Buffer) error { return everything().WriteJUnit(b, strict) })
	suites, err := junit.Ingest([]byte(out))
	if err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	var totals junit.Totals
	tests := map[string]junit.Test{}
	for _, s := range suites {
		totals.Tests += s.Totals.Tests
		totals.Passed += s.Totals.Passed
		totals.Failed += s.Totals.Failed
		totals.Error += s.Totals.Error
		for _, test := range s.Tests {
			tests[test.Classname+" / "+test.Name] = test
		}
	}
	if len(suites) != 4 || totals.Tests != 11 || totals.Passed != 2 || totals.Failed != 5 || totals.Error != 4 {
		t.Errorf("%d suites with %+v", len(suites), totals)
	}
	order, ok := tests["x / order"].Error.(junit.Error)
	if !ok || order.Message != "VIOLATED, expected holds: S1.cqe precedes R1.cqe" || order.Type != "assert" ||
		!strings.Contains(order.Body, "✗┄ ACK a0 msn=1") || !strings.Contains(order.Body, "\nx.ibl:28:8\n") {
		t.Errorf("the failure reads %+v", tests["x / order"])
	}
	if bad := tests["bad / scenario"]; bad.Status != junit.StatusError {
		t.Errorf("a bad file reads %+v", bad)
	}
	if !strings.Contains(out, `name="x.ibl" tests="7" failures="5" errors="0" id="0" time="4012.345"`) {
		t.Errorf("no such suite in\n%s", out)
	}
}

// TestSARIFIsValid holds the log against the official schema, with a validator
// of others.
func TestSARIFIsValid(t *testing.T) {
	out := written(t, func(b *bytes.Buffer) error { return everything().WriteSARIF(b, strict) })
	log, err := sarif.FromBytes([]byte(out))
	if err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	if mistakes := sarifMistakes(t, out); mistakes != nil {
		t.Fatalf("%v in\n%s", mistakes, out)
	}
	if len(log.Runs) != 1 || len(log.Runs[0].Results) != 9 || *log.Runs[0].Tool.Driver.Version != "1.2.3" {
		t.Fatalf("%d runs in\n%s", len(log.Runs), out)
	}
	order := log.Runs[0].Results[0]
	at := order.Locations[0].PhysicalLocation
	if *order.RuleID != "assert" || order.Level != "error" || *at.ArtifactLocation.URI != "x.ibl" || *at.Region.StartLine != 28 {
		t.Errorf("the result is %+v at %+v", order, at)
	}
	var posts []string
	for _, l := range order.RelatedLocations {
		posts = append(posts, *l.Message.Text+":"+strconv.Itoa(*l.PhysicalLocation.Region.StartLine))
	}
	if got := strings.Join(posts, ", "); got != "R1[2] is posted here:21, S1 is posted here:13" {
		t.Errorf("related: %s", got)
	}
	flow := order.CodeFlows[0].ThreadFlows[0].Locations
	if len(flow) != 3 || *flow[1].Location.Message.Text != "wire: ✗ ACK a0 (fault: drop(ACK) 1/1)" ||
		*flow[1].Location.PhysicalLocation.Region.StartLine != 28 || *flow[2].Location.PhysicalLocation.Region.StartLine != 21 {
		t.Errorf("the code flow is %s", out)
	}
	if uri := *log.Runs[0].Results[6].Locations[0].PhysicalLocation.ArtifactLocation.URI; uri != "deep/big%20one.ibl" {
		t.Errorf("a blank in a name reads %q", uri)
	}
	empty := written(t, func(b *bytes.Buffer) error { return (&Report{}).WriteSARIF(b, strict) })
	if mistakes := sarifMistakes(t, empty); mistakes != nil || !strings.Contains(empty, `"results": []`) {
		t.Errorf("an empty report gives %v in %s", mistakes, empty)
	}
	// The schema must be able to say no: without that all this says nothing.
	if mistakes := sarifMistakes(t, strings.Replace(out, `"startLine": 28`, `"startLine": 0`, 1)); len(mistakes) != 1 {
		t.Errorf("line 0 gives %v", mistakes)
	}
}

// sarifMistakes holds a log against the schema of OASIS, which package sarif
// keeps for itself as a constant.
func sarifMistakes(t *testing.T, log string) []gojsonschema.ResultError {
	t.Helper()
	pkg, err := build.Import("github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif", ".", build.FindOnly)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(gotoken.NewFileSet(), filepath.Join(pkg.Dir, "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	literal := file.Scope.Lookup("schema").Decl.(*ast.ValueSpec).Values[0].(*ast.BasicLit).Value
	result, err := gojsonschema.Validate(gojsonschema.NewStringLoader(strings.Trim(literal, "`")), gojsonschema.NewStringLoader(log))
	if err != nil {
		t.Fatal(err)
	}
	return result.Errors()
}

// TestTAPReads lets prove, the harness of Perl, read the protocol.
func TestTAPReads(t *testing.T) {
	out := written(t, func(b *bytes.Buffer) error { return everything().WriteTAP(b, strict) })
	for _, want := range []string{"TAP version 13\n1..11\n", "\nok 2 - x.ibl / early\n", "\nnot ok 1 - x.ibl / order\n", "    ...✗┄ ACK a0"} {
		if want = strings.TrimPrefix(want, "    ..."); !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	prove, err := exec.LookPath("prove")
	if err != nil {
		if os.Getenv("IBCHECK_NEED_TOOLS") != "" {
			t.Fatal(err)
		}
		t.Skip("prove is not installed")
	}
	path := t.TempDir() + "/report.tap"
	if err := os.WriteFile(path, []byte(out), 0o666); err != nil {
		t.Fatal(err)
	}
	said, err := exec.Command(prove, "--exec", "cat", path).CombinedOutput()
	if err == nil || !strings.Contains(string(said), "Failed tests:  1, 3-4, 6-11") || strings.Contains(string(said), "Parse errors") {
		t.Errorf("prove says %v\n%s", err, said)
	}
	good := &Report{Scenarios: []ScenarioReport{{File: "a#b.ibl", Complete: true, Properties: []PropertyReport{
		{Name: "in_order", Kind: "builtin", Verdict: "holds", AsExpected: true}}}}}
	out = written(t, func(b *bytes.Buffer) error { return good.WriteTAP(b, strict) })
	if err := os.WriteFile(path, []byte(out), 0o666); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.Command(prove, "--exec", "cat", path).CombinedOutput(); err != nil || !strings.Contains(string(said), "Tests=1") {
		t.Errorf("prove says %v\n%s", err, said)
	}
}

// workflowCommand is a line as GitHub Actions documents it.
var workflowCommand = regexp.MustCompile(`^::(error|warning) ((?:[a-zA-Z]+=[^:,\r\n]*,?)*)::([^\r\n]*)$`)

func TestGitHub(t *testing.T) {
	out := written(t, func(b *bytes.Buffer) error { return everything().WriteGitHub(b, strict) })
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != 9 {
		t.Errorf("%d lines, want 9:\n%s", len(lines), out)
	}
	for _, line := range lines {
		if !workflowCommand.MatchString(line) {
			t.Errorf("no workflow command: %s", line)
		}
	}
	for _, want := range []string{
		"::error file=x.ibl,line=28,col=8,title=order::VIOLATED, expected holds: S1.cqe precedes R1.cqe%0A4 steps,",
		"::error file=x.ibl,line=40,col=3,title=late = true%2C n = 2%3A order::",
		"::warning file=big.ibl,line=9,col=8,title=order::undecided",
		"::error file=x.ibl,title=scenario::differs from x.ibl.expected: 50%25, #1%0A-  depth 4%0A+  depth 5\n",
		"::warning file=c.ibl,title=scenario::interrupted before it was explored\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

func TestGitHubSummary(t *testing.T) {
	r := everything()
	out := written(t, func(b *bytes.Buffer) error { return r.WriteGitHubSummary(b, strict) })
	for _, want := range []string{
		"## ibcheck: 2 passed, 9 failed\n",
		"\n### sample / order\n\nx.ibl:28:8: VIOLATED, expected holds: S1.cqe precedes R1.cqe\n\n```mermaid\n",
		"\n### sample / lost\\_wakeup\n", "\n```\n-  depth 4\n+  depth 5\n```\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	for range 3000 {
		r.Scenarios = append(r.Scenarios, everything().Scenarios[0])
	}
	out = written(t, func(b *bytes.Buffer) error { return r.WriteGitHubSummary(b, strict) })
	if len(out) > 1<<20 || !strings.Contains(out, "\nThe summary is full: ") {
		t.Errorf("%d bytes", len(out))
	}
}

// A report that went through JSON says the same in every format, ladders included.
func TestFormatsAfterJSON(t *testing.T) {
	before := everything()
	var data bytes.Buffer
	if err := before.WriteJSON(&data); err != nil {
		t.Fatal(err)
	}
	after, err := ReadJSON(&data)
	if err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func(*Report, *bytes.Buffer) error{
		"junit":  func(r *Report, b *bytes.Buffer) error { return r.WriteJUnit(b, strict) },
		"sarif":  func(r *Report, b *bytes.Buffer) error { return r.WriteSARIF(b, strict) },
		"tap":    func(r *Report, b *bytes.Buffer) error { return r.WriteTAP(b, strict) },
		"github": func(r *Report, b *bytes.Buffer) error { return r.WriteGitHub(b, strict) },
		"json":   func(r *Report, b *bytes.Buffer) error { return r.WriteJSON(b) },
	} {
		want := written(t, func(b *bytes.Buffer) error { return write(before, b) })
		got := written(t, func(b *bytes.Buffer) error { return write(after, b) })
		if got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
	for _, bad := range []string{"", "[]", `{"schema":"ibcheck/0"}`, `{"schema":"ibcheck/1","scenarios":7}`} {
		if _, err := ReadJSON(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is a report", bad)
		}
	}
}
