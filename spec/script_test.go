package spec_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/explore/exploretest"
	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// TestScripts runs the interaction scripts of testdata: text in, text out. An
// action is named by the rule or the program's verb and by as many words of
// its full name, which `enabled` shows, as tell it from the others; further
// lines are further actions. `go test ./spec -run TestScripts -rewrite` writes
// the answers anew. The scenarios of the scripts also keep the laws of models.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			s := &script{}
			datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string {
				out, err := s.run(d)
				if err != nil {
					d.Fatalf(t, "%v", err)
				}
				return strings.TrimRight(out, "\n") + "\n"
			})
			for _, m := range s.models {
				packing(t, m, 10)
				if err := exploretest.Laws(m, 20); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// A script is a run of one scenario as far as it has come.
type script struct {
	m     *spec.Model
	out   *explore.Successors
	steps []explore.Step

	models []*spec.Model // of all scenarios of the file
}

func (s *script) run(d *datadriven.TestData) (string, error) {
	if d.Cmd == "scenario" {
		return "ok", s.begin(d.Input)
	}
	if s.m == nil {
		return "", fmt.Errorf("no scenario yet")
	}
	first := d.Cmd
	for _, a := range d.CmdArgs {
		first += " " + a.Key
	}
	var b strings.Builder
	for _, line := range append([]string{first}, strings.Split(d.Input, "\n")...) {
		if err := s.line(&b, strings.TrimSpace(line)); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// line does one line of a script.
func (s *script) line(b *strings.Builder, line string) error {
	verb, arg, _ := strings.Cut(line, " ")
	switch verb {
	case "":
		return nil
	case "enabled":
		writeList(b, s.names(""))
	case "state":
		fmt.Fprintln(b, s.show())
	case "cq":
		list, ok := s.m.CQWords(s.state(), arg)
		if !ok {
			return fmt.Errorf("no cq %s", arg)
		}
		writeList(b, list)
	case "run":
		return s.finish(b, arg)
	default:
		return s.take(b, line)
	}
	return nil
}

func writeList(b *strings.Builder, list []string) {
	if len(list) == 0 {
		list = []string{"nothing"}
	}
	fmt.Fprintln(b, strings.Join(list, "\n"))
}

// begin starts a run of the scenario in text.
func (s *script) begin(text string) error {
	f, errs := scenario.Parse("script.ibl", []byte(text), scenario.Options{})
	if errs != nil {
		return errs
	}
	sc, errs := f.Scenario(nil)
	if errs != nil {
		return errs
	}
	bounds := spec.DefaultBounds(sc)
	bounds.Wire, bounds.Resp = 8, 8
	for i := range bounds.Inst {
		bounds.Inst[i] = 2
	}
	m, err := spec.Compile(sc, bounds)
	if err != nil {
		return err
	}
	s.m, s.out = m, explore.NewSuccessors(m)
	s.models = append(s.models, m)
	if err := s.out.Start(m); err != nil {
		return err
	}
	return s.arrive(0)
}

// arrive goes on to successor i.
func (s *script) arrive(i int) error {
	a, state, _ := s.out.At(i)
	s.steps = append(s.steps, explore.Step{Action: a, State: slices.Clone(state)})
	if s.out.Ended(i) {
		return s.out.Expand(nothing{s.m}, s.steps[len(s.steps)-1].State)
	}
	return s.out.Expand(s.m, s.steps[len(s.steps)-1].State)
}

// nothing is a model in which nothing is possible any more.
type nothing struct{ explore.Model }

func (nothing) Successors([]byte, *explore.Successors) {}

func (s *script) state() *spec.State { return s.m.Unpack(s.steps[len(s.steps)-1].State) }

// names lists the full names of the actions that can be taken now and have all
// the words of a line.
func (s *script) names(line string) []string {
	var list []string
	for i := range s.out.Len() {
		a, _, _ := s.out.At(i)
		if name := s.m.ActionWords(s.state(), a); hasWords(name, line) {
			list = append(list, name)
		}
	}
	return list
}

func hasWords(name, line string) bool {
	have, want := strings.Fields(strings.ReplaceAll(name, ",", "")), strings.Fields(line)
	if len(want) > 0 && have[0] != want[0] {
		return false
	}
	for _, w := range want {
		if !slices.Contains(have, w) {
			return false
		}
	}
	return true
}

// take takes the one action that has all the words of a line and says what it
// changed.
func (s *script) take(b *strings.Builder, line string) error {
	names := s.names(line)
	if len(names) != 1 {
		return fmt.Errorf("%q names %d actions of\n%s", line, len(names), strings.Join(s.names(""), "\n"))
	}
	for i := range s.out.Len() {
		if a, _, _ := s.out.At(i); s.m.ActionWords(s.state(), a) == names[0] {
			return s.step(b, i, false)
		}
	}
	return nil
}

// step takes successor i and writes down what it changed; if short is set, only
// what it wrote into a CQ, and how a run ended.
func (s *script) step(b *strings.Builder, i int, short bool) error {
	a, _, _ := s.out.At(i)
	before := s.state()
	name := s.m.ActionWords(before, a)
	if err := s.arrive(i); err != nil {
		return err
	}
	after := s.state()
	var list []string
	if !short {
		list = s.changes(before, after)
	} else if rule, _, _ := strings.Cut(name, " "); strings.HasSuffix(rule, "_cqe") {
		list = slices.DeleteFunc(s.changes(before, after), func(c string) bool { return !s.isCQ(c) })
	}
	if after.Env.Bad != spec.BadNone {
		list = append(list, "the run ends: "+s.m.BadText(after))
	}
	writeStep(b, name, list)
	return nil
}

// isCQ reports whether a change is one of what a CQ holds.
func (s *script) isCQ(change string) bool {
	name, _, _ := strings.Cut(change, " ")
	_, ok := s.m.CQWords(s.state(), name)
	return ok
}

// writeStep writes a step and what it changed, on one line if that is short.
func writeStep(b *strings.Builder, name string, changes []string) {
	const width = 112
	line := name
	for i, c := range changes {
		switch sep := [...]string{" | ", ", "}[min(i, 1)]; {
		case len(line)+len(sep)+len(c) <= width:
			line += sep + c
		default:
			fmt.Fprintln(b, line)
			line = "    " + c
		}
	}
	fmt.Fprintln(b, line)
}

// changes lists what differs between two states.
func (s *script) changes(a, b *spec.State) []string {
	var list []string
	from, to := s.m.Fields(a), s.m.Fields(b)
	for i, f := range to {
		name := f.Of
		if f.Name != "" {
			name += "." + f.Name
		}
		switch {
		case f.Value == from[i].Value || f.Value == "":
		case f.List || from[i].Value == "":
			list = append(list, name+" "+f.Value)
		case f.Value == "true":
			list = append(list, name)
		case f.Value == "false":
			list = append(list, name+" over")
		default:
			list = append(list, fmt.Sprintf("%s %s→%s", name, from[i].Value, f.Value))
		}
	}
	return list
}

// show lists what is not as usual in the state, a line for each thing.
func (s *script) show() string {
	var b strings.Builder
	of := ""
	for _, f := range s.m.Fields(s.state()) {
		if f.Value == f.Usual {
			continue
		}
		if f.Of != of {
			if of != "" {
				b.WriteByte('\n')
			}
			b.WriteString(f.Of + ":")
			of = f.Of
		}
		b.WriteString(" " + strings.TrimSpace(f.Name+" "+f.Value))
	}
	return b.String()
}

// finish takes the first action that is no fault until none is left, or until
// an action with the given words was taken, and names them.
func (s *script) finish(b *strings.Builder, until string) error {
	const most = 500
	for range most {
		i := s.first()
		if i < 0 {
			if until != "" {
				return fmt.Errorf("the run ends without %q", until)
			}
			fmt.Fprintln(b, s.show())
			return nil
		}
		a, _, _ := s.out.At(i)
		name := s.m.ActionWords(s.state(), a)
		if err := s.step(b, i, true); err != nil {
			return err
		}
		if until != "" && hasWords(name, until) {
			return nil
		}
	}
	return fmt.Errorf("no end after %d actions", most)
}

// first returns the first successor by an action that is no fault, or -1.
func (s *script) first() int {
	for i := range s.out.Len() {
		if a, _, _ := s.out.At(i); !spec.IsFault(a) {
			return i
		}
	}
	return -1
}
