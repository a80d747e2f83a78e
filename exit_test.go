package ibcheck

import (
	"slices"
	"testing"
)

func TestExitCode(t *testing.T) {
	holds := PropertyReport{Verdict: "holds", Expect: "holds", AsExpected: true}
	violated := PropertyReport{Verdict: "violated", Expect: "violated", AsExpected: true}
	wrong := PropertyReport{Verdict: "violated", Expect: "holds"}
	unforeseen := PropertyReport{Verdict: "violated", Kind: "sanitizer"}
	unknown := PropertyReport{Verdict: "unknown", Expect: "holds"}
	meantUnknown := PropertyReport{Verdict: "unknown", Expect: "unknown", AsExpected: true}
	vacuous := PropertyReport{Verdict: "holds", Expect: "holds", AsExpected: true, Vacuous: "S1 is never posted"}
	done := func(p ...PropertyReport) ScenarioReport { return ScenarioReport{Complete: true, Properties: p} }
	stopped := func(p ...PropertyReport) ScenarioReport {
		return ScenarioReport{Stopped: "states", Properties: p}
	}
	bounded := done(holds)
	bounded.Bounds = []string{"PSN window"}
	boundedViolated := done(violated)
	boundedViolated.Bounds = bounded.Bounds
	withVariant := done(holds)
	withVariant.Variants = []ScenarioReport{done(wrong)}

	for _, tc := range []struct {
		name          string
		scenarios     []ScenarioReport
		check, inTest int
	}{
		{"nothing", nil, 0, 0},
		{"as expected", []ScenarioReport{done(holds, violated, meantUnknown)}, 0, 0},
		{"differs", []ScenarioReport{done(holds, wrong)}, 1, 1},
		{"fires without expect", []ScenarioReport{done(holds, unforeseen)}, 1, 1},
		{"in a variant only", []ScenarioReport{withVariant}, 1, 1},
		{"in the last file only", []ScenarioReport{done(holds), done(holds), done(wrong)}, 1, 1},
		{"stopped", []ScenarioReport{stopped(unknown)}, 3, 3},
		{"stopped, all found before", []ScenarioReport{stopped(violated)}, 3, 3},
		{"unknown though complete", []ScenarioReport{done(unknown)}, 3, 3},
		{"differs, then stopped", []ScenarioReport{stopped(wrong, unknown)}, 1, 1},
		{"one differs, one stopped", []ScenarioReport{stopped(unknown), done(wrong)}, 1, 1},
		{"vacuous", []ScenarioReport{done(vacuous)}, 0, 4},
		{"vacuous and differs", []ScenarioReport{done(vacuous, wrong)}, 1, 1},
		{"vacuous where stopped", []ScenarioReport{stopped(vacuous)}, 3, 3},
		{"holds within a bound", []ScenarioReport{bounded}, 3, 3},
		{"violated within a bound", []ScenarioReport{boundedViolated}, 0, 0},
	} {
		r := Report{Scenarios: tc.scenarios}
		if got := r.ExitCode(false); got != tc.check {
			t.Errorf("%s: exit code of check is %d, want %d", tc.name, got, tc.check)
		}
		if got := r.ExitCode(true); got != tc.inTest {
			t.Errorf("%s: exit code of test is %d, want %d", tc.name, got, tc.inTest)
		}
	}
}

func TestWorseExit(t *testing.T) {
	order := []int{ExitExpected, ExitVacuous, ExitInconclusive, ExitUnexpected, ExitUsage, ExitInternal}
	for i, a := range order {
		for j, b := range order {
			if got, want := WorseExit(a, b), order[max(i, j)]; got != want {
				t.Errorf("WorseExit(%d, %d) = %d, want %d", a, b, got, want)
			}
		}
	}
}

func TestComplaints(t *testing.T) {
	s := ScenarioReport{Stopped: "states", Properties: []PropertyReport{
		{Name: "a", Verdict: "violated", Expect: "holds"},
		{Name: "b", Verdict: "violated", Kind: "sanitizer"},
		{Name: "c", Verdict: "unknown", Expect: "holds"},
		{Name: "d", Verdict: "holds", Expect: "holds", AsExpected: true, Vacuous: "S1 is never posted"},
		{Name: "e", Verdict: "holds", Expect: "holds", AsExpected: true},
	}}
	s.Variants = []ScenarioReport{{Complete: true, Params: map[string]string{"y": "2", "x": "1"}, Properties: s.Properties[:1]}}
	want := []string{
		"a VIOLATED, expected holds",
		"b VIOLATED",
		"d is vacuous: S1 is never posted",
		"stopped at the limit on states (--max-states)",
		"with x = 1, y = 2: a VIOLATED, expected holds",
	}
	if got := s.Complaints(true); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	s.Complete, s.Variants = true, nil
	if got := s.Complaints(false); !slices.Equal(got, []string{"a VIOLATED, expected holds", "b VIOLATED", "c is undecided"}) {
		t.Errorf("of a complete search: %q", got)
	}
	for _, code := range []bool{false, true} {
		for _, s := range []ScenarioReport{{Complete: true}, {Complete: true, Properties: s.Properties[4:]}} {
			if got := s.Complaints(code); len(got) > 0 || s.ExitCode(code) != 0 {
				t.Errorf("complaints %q about %v", got, s)
			}
		}
	}
}
