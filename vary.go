package ibcheck

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// A VaryReport is the verdicts of a scenario over all choices of some assumptions.
type VaryReport struct {
	Schema     string            `json:"schema"`
	File       string            `json:"file"`
	Name       string            `json:"name"`
	Params     map[string]string `json:"params,omitempty"`
	Profile    string            `json:"profile"` // where it is not varied
	Dials      map[string]string `json:"dials"`
	Faults     map[string]int    `json:"faults"`
	Axes       []VaryAxis        `json:"axes"`
	Properties []VaryProperty    `json:"properties"`
	Points     []VaryPoint       `json:"points"` // the last axis varies fastest
}

// A VaryAxis is one assumption and its values.
type VaryAxis struct {
	Name   string   `json:"name"` // of a budget, a dial, a param, or "profile"
	Values []string `json:"values"`
}

// A VaryPoint is one choice of assumptions and the verdicts under it.
type VaryPoint struct {
	Values   []string  `json:"values"` // by axis
	Verdicts []Verdict `json:"verdicts"`
	States   uint64    `json:"states"`
	Complete bool      `json:"complete"`
}

// A Verdict is what a property comes to at a point.
type Verdict struct {
	Verdict string `json:"verdict"`
	Faults  int    `json:"faults"`            // of the run that shows it, if there is one
	Token   string `json:"token,omitempty"`   // of that run
	Vacuous string `json:"vacuous,omitempty"` // why it says nothing
}

// A VaryProperty is a property and what its verdict depends on. Points are
// numbers in VaryReport.Points.
type VaryProperty struct {
	Name     string `json:"name"`
	Kind     string `json:"kind"`
	Property string `json:"property"`
	// Weakest are the points where it holds (a reach: is unreachable) and nowhere
	// that takes less for granted.
	Weakest []int `json:"weakest"`
	// Breaking are the points where it is violated (reachable) and nowhere that
	// takes more for granted.
	Breaking []int `json:"breaking"`
}

// maxPoints bounds the choices of one call of Vary.
const maxPoints = 1024

// Vary explores a scenario for every choice of values of the axes, or of those
// that the file's vary statements name if there are none. Errors are as those of
// Check; limits hold for each exploration.
func Vary(ctx context.Context, f *scenario.File, opt Options, axes []VaryAxis) (*VaryReport, error) {
	ctx, cancel := opt.limited(ctx)
	defer cancel()
	v, err := newVarier(ctx, f, opt, axes)
	if err != nil {
		return nil, err
	}
	choice := make([]int, len(v.r.Axes))
	for {
		if err := v.point(choice); err != nil {
			return nil, err
		}
		k := len(choice) - 1
		for ; k >= 0; k-- {
			if choice[k]++; choice[k] < len(v.r.Axes[k].Values) {
				break
			}
			choice[k] = 0
		}
		if k < 0 {
			break
		}
	}
	v.summarize()
	return v.r, nil
}

// A varier fills in a VaryReport.
type varier struct {
	ctx     context.Context
	f       *scenario.File
	opt     Options
	isParam []bool // by axis
	r       *VaryReport
	dials   []map[string]string // by point: the value of every dial
}

func newVarier(ctx context.Context, f *scenario.File, opt Options, axes []VaryAxis) (*varier, error) {
	if len(axes) == 0 {
		for _, a := range f.VaryAxes() {
			axes = append(axes, VaryAxis{a.Name, a.Values})
		}
	}
	if len(axes) == 0 {
		return nil, fmt.Errorf("%s has no vary statement; name what to vary, as --vary 'drop(ACK)=0..2' or --vary profile=iba,arrival_order", f.Name)
	}
	points := 1
	for i, a := range axes {
		if slices.ContainsFunc(axes[:i], func(b VaryAxis) bool { return b.Name == a.Name }) {
			return nil, fmt.Errorf("%s is varied twice", a.Name)
		}
		if points *= len(a.Values); points == 0 || points > maxPoints {
			return nil, fmt.Errorf("the choices to explore are %d with %s; 1 to %d are possible", points, a.Name, maxPoints)
		}
	}
	v := &varier{ctx: ctx, f: f, opt: opt}
	sc, errs := f.Scenario(opt.Params)
	if errs != nil {
		return nil, errs
	}
	if err := opt.override(sc); err != nil {
		return nil, err
	}
	for _, a := range axes {
		_, isParam := sc.ParamText[a.Name]
		v.isParam = append(v.isParam, isParam)
	}
	v.r = &VaryReport{Schema: Schema, File: sc.File, Name: sc.Name, Params: opt.Params, Profile: sc.Profile, Dials: sc.Dials,
		Faults: budgetsOf(sc), Axes: axes}
	return v, nil
}

// point explores one choice of values.
func (v *varier) point(choice []int) error {
	params := maps.Clone(v.opt.Params)
	if params == nil {
		params = map[string]string{}
	}
	p := VaryPoint{}
	for i, a := range v.r.Axes {
		p.Values = append(p.Values, a.Values[choice[i]])
		if v.isParam[i] {
			params[a.Name] = p.Values[i]
		}
	}
	sc, errs := v.f.Scenario(params)
	if errs != nil {
		return errs
	}
	opt := v.opt
	if err := opt.override(sc); err != nil {
		return err
	}
	for i, a := range v.r.Axes {
		if v.isParam[i] {
			continue
		}
		if err := scenario.Override(sc, a.Name, p.Values[i]); err != nil {
			return err
		}
	}
	dials, err := spec.ResolveDials(sc.Profile, sc.Dials)
	if err != nil {
		return err
	}
	opt.Profile, opt.Dials, opt.Faults, opt.NoEpilogue = "", nil, nil, true
	r, err := CheckScenario(v.ctx, sc, opt)
	if err != nil {
		return err
	}
	p.States, p.Complete = r.States, r.Complete
	for i := range r.Properties {
		q := &r.Properties[i]
		k := v.property(q, len(v.r.Points))
		for len(p.Verdicts) <= k {
			p.Verdicts = append(p.Verdicts, Verdict{Verdict: "absent"})
		}
		p.Verdicts[k] = Verdict{q.Verdict, q.Faults, q.Token, q.Vacuous}
	}
	v.dials = append(v.dials, dials)
	v.r.Points = append(v.r.Points, p)
	return nil
}

// property returns the number of a property, a new one if it is met for the
// first time: with the params, asserts may take the place of sanitizers.
func (v *varier) property(q *PropertyReport, points int) int {
	k := slices.IndexFunc(v.r.Properties, func(p VaryProperty) bool { return p.Name == q.Name && p.Kind == q.Kind })
	if k >= 0 {
		return k
	}
	v.r.Properties = append(v.r.Properties, VaryProperty{Name: q.Name, Kind: q.Kind, Property: q.Property, Weakest: []int{}, Breaking: []int{}})
	for i := range points {
		v.r.Points[i].Verdicts = append(v.r.Points[i].Verdicts, Verdict{Verdict: "absent"})
	}
	return len(v.r.Properties) - 1
}

// summarize finds the extreme points of each property.
func (v *varier) summarize() {
	for i := range v.r.Points {
		for len(v.r.Points[i].Verdicts) < len(v.r.Properties) {
			v.r.Points[i].Verdicts = append(v.r.Points[i].Verdicts, Verdict{Verdict: "absent"})
		}
	}
	for k := range v.r.Properties {
		p := &v.r.Properties[k]
		for i := range v.r.Points {
			good, bad := v.is(i, k)
			for j := range v.r.Points {
				likeGood, likeBad := v.is(j, k)
				good = good && !(likeGood && v.weaker(j, i) && !v.weaker(i, j))
				bad = bad && !(likeBad && v.weaker(i, j) && !v.weaker(j, i))
			}
			if good {
				p.Weakest = append(p.Weakest, i)
			}
			if bad {
				p.Breaking = append(p.Breaking, i)
			}
		}
	}
}

// is says whether property k holds, or is violated, at point i.
func (v *varier) is(i, k int) (good, bad bool) {
	switch v.r.Points[i].Verdicts[k].Verdict {
	case "holds", "unreachable":
		return true, false
	case "violated", "reachable":
		return false, true
	}
	return false, false
}

// weaker reports whether point i takes no more for granted than point j does:
// every budget is at least as large and every dial at least as free. Values of
// params can only be the same.
func (v *varier) weaker(i, j int) bool {
	for d := range spec.Dials {
		name := spec.Dials[d].Name
		if !spec.Dials[d].Covers(v.dials[i][name], v.dials[j][name]) {
			return false
		}
	}
	for k, a := range v.r.Axes {
		x, y := v.r.Points[i].Values[k], v.r.Points[j].Values[k]
		switch {
		case x == y, a.Name == "profile", spec.FindDial(a.Name) != nil && !v.isParam[k]: // dials are compared above
		case v.isParam[k]:
			return false
		default:
			m, err1 := strconv.Atoi(x)
			n, err2 := strconv.Atoi(y)
			if err1 != nil || err2 != nil || m < n {
				return false
			}
		}
	}
	return true
}
