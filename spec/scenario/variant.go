package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// A Variant is a file with a choice of params.
type Variant struct {
	Params map[string]string // what differs from the file's own values; nil for the file itself
	Text   string            // "repoll = true", "" for the file itself
	Pos    spec.Pos          // of its check with

	file *File
	stmt *Stmt
}

// Variants returns the file itself and then each check with, in file order.
func (f *File) Variants() []Variant {
	out := []Variant{{file: f, Pos: spec.Pos{File: f.Name, Line: 1, Col: 1}}}
	for _, s := range f.all {
		if s.call == nil || s.bad || s.call.row.Word != "check" {
			continue
		}
		v := Variant{Params: map[string]string{}, Pos: s.word().Pos, file: f, stmt: s}
		toks := s.call.arg(aBindings).toks
		var parts []string
		for i := 0; i < len(toks); i += 2 {
			v.Params[toks[i].Text] = toks[i+1].Text
			parts = append(parts, toks[i].Text+" = "+toks[i+1].Text)
		}
		v.Text = strings.Join(parts, ", ")
		out = append(out, v)
	}
	return out
}

// Scenario makes the scenario of the variant: its params, and the verdicts
// that its check with expects instead of the file's.
func (v Variant) Scenario() (*spec.Scenario, Errors) {
	return v.file.make(v.Params, v.stmt)
}

// paramValues lists, by param, the values that it has anywhere in the file.
func (f *File) paramValues() map[string][]string {
	out := map[string][]string{}
	add := func(name, v string) {
		if !slices.Contains(out[name], v) {
			out[name] = append(out[name], v)
		}
	}
	for _, p := range f.params {
		add(p.name.Text, p.value.Text)
	}
	for _, v := range f.Variants()[1:] {
		for name, value := range v.Params {
			add(name, value)
		}
	}
	for _, a := range f.VaryAxes() {
		for _, v := range a.Values {
			add(a.Name, v)
		}
	}
	return out
}

// An Axis is one thing that vary varies: a budget ("drop(ACK)"), a dial,
// "profile" or a param.
type Axis struct {
	Name   string
	Values []string
	Pos    spec.Pos
}

// VaryAxes returns the axes of the file's vary statements, in file order.
func (f *File) VaryAxes() []Axis {
	var out []Axis
	for _, s := range f.all {
		if s.call == nil || s.bad || s.call.row.Word != "vary" {
			continue
		}
		for _, x := range s.call.arg(aAxes).axes {
			a := Axis{Name: x.name, Pos: x.tok.Pos}
			for _, v := range x.values {
				a.Values = append(a.Values, v.Text)
			}
			out = append(out, a)
		}
	}
	return out
}

// Vary makes the scenario for a choice of values by axis name. An axis that is
// not chosen keeps what the file says.
func (f *File) Vary(choice map[string]string) (*spec.Scenario, Errors) {
	params := map[string]string{}
	for _, p := range f.params {
		if v, ok := choice[p.name.Text]; ok {
			params[p.name.Text] = v
		}
	}
	sc, errs := f.Scenario(params)
	if errs != nil {
		return nil, errs
	}
	names := make([]string, 0, len(choice))
	for name := range choice {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if _, isParam := params[name]; isParam {
			continue
		}
		if err := Override(sc, name, choice[name]); err != nil {
			errs = append(errs, &Error{Pos: spec.Pos{File: f.Name, Line: 1, Col: 1}, Len: 1, Msg: err.Error()})
		}
	}
	if errs != nil {
		return nil, errs
	}
	return sc, nil
}

// Override sets the profile ("profile"), a dial, or a budget ("drop(ACK)",
// "early_timeout") of a scenario to a value, as `--set` and vary do. The error
// says what is not known.
func Override(sc *spec.Scenario, name, value string) error {
	switch {
	case name == "profile":
		if lookup(AsProfile, value) == nil {
			return fmt.Errorf("no profile `%s` %s", value, suggest(value, words(AsProfile), "profiles"))
		}
		sc.Profile = value
		return nil
	case dial(name) != nil:
		if !dialTakes(name, value) {
			return fmt.Errorf("%s is not `%s` %s", name, value, suggest(value, dial(name).Values, "choose from"))
		}
		sc.Dials[name] = value
		return nil
	}
	return overrideFault(sc, name, value)
}

func overrideFault(sc *spec.Scenario, name, value string) error {
	c := &collector{}
	stmts, _, ok := parseTree(c, "", []byte(name+" <= "+value))
	m := &matcher{c: c}
	if ok && len(stmts) == 1 {
		m.block(stmts, InFaults)
	}
	if len(c.errs) > 0 || len(stmts) != 1 || stmts[0].bad || stmts[0].call.row.In&InFaults == 0 || stmts[0].call.row.op != 0 {
		return fmt.Errorf("no budget, dial or param `%s`", name)
	}
	f, err := faultOf(sc, stmts[0].call)
	if err != nil {
		return err
	}
	for i := range sc.Faults {
		old := &sc.Faults[i]
		if old.Kind == f.Kind && old.Class == f.Class && old.Other == f.Other && old.WR == f.WR && old.On == f.On {
			old.Max = f.Max
			return nil
		}
	}
	sc.Faults = append(sc.Faults, f)
	return nil
}

// faultOf resolves a budget against a finished scenario.
func faultOf(sc *spec.Scenario, c *call) (spec.Fault, error) {
	f := spec.Fault{Kind: c.row.Word, WR: -1, On: spec.QPRef{Node: -1, QP: -1}}
	t, _ := c.tok1(aInt)
	if f.Max = atoi(t.Text); t.Kind != Int || f.Max < 0 || f.Max > 99 {
		return f, fmt.Errorf("budget of %s is not `%s`: 0 to 99", c.row.Word, t.Text)
	}
	var names []string
	for _, a := range c.args {
		switch {
		case a.kind == aPeer:
			if f.On = findQP(sc, a.toks[0].Text); f.On.Node < 0 {
				return f, fmt.Errorf("no qp `%s`", a.toks[0].Text)
			}
		case a.kind == aClass && lookup(AsClass, a.toks[0].Text) != nil:
			names = append(names, a.toks[0].Text)
		case a.kind == aClass:
			name := a.toks[0].Text
			f.WR = slices.IndexFunc(sc.WRs, func(w spec.WR) bool { return w.Name == name && !w.Recv })
			if f.WR < 0 || c.row.Word == "reorder" {
				return f, fmt.Errorf("`%s` is neither a packet class nor a WR %s", name, suggest(name, words(AsClass), "packet classes"))
			}
			names = append(names, "request")
		}
	}
	if len(names) > 0 {
		f.Class = names[0]
	}
	if f.Kind == "reorder" {
		f.Other = names[len(names)-1]
	}
	return f, nil
}

// findQP finds a QP by NODE.QP; Node is -1 if there is none.
func findQP(sc *spec.Scenario, name string) spec.QPRef {
	for i, n := range sc.Nodes {
		for j, q := range n.QPs {
			if n.Name+"."+q.Name == name {
				return spec.QPRef{Node: i, QP: j}
			}
		}
	}
	return spec.QPRef{Node: -1, QP: -1}
}
