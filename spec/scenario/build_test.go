package scenario

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/spec"
)

// parse reads a file that must be valid.
func parse(t *testing.T, src string) *File {
	t.Helper()
	f, errs := Parse("x.ibl", []byte(src), Options{ReadFile: func(path string) ([]byte, error) { return os.ReadFile("testdata/" + path) }})
	if errs != nil {
		t.Fatal(errs.Err())
	}
	return f
}

func scenarioOf(t *testing.T, src string, params map[string]string) *spec.Scenario {
	t.Helper()
	sc, errs := parse(t, src).Scenario(params)
	if errs != nil {
		t.Fatal(errs.Err())
	}
	return sc
}

// pair is two connected nodes, h and t, with a program for h.
func pair(program string) string {
	return "import \"peer.ibl\"\nnode h {\n cq c\n qp q { send_cq c; recv_cq c }\n" + program + "\n}\n"
}

func wrNames(sc *spec.Scenario) string {
	var out []string
	for _, w := range sc.WRs {
		out = append(out, w.Name)
	}
	return strings.Join(out, " ")
}

func wrOf(sc *spec.Scenario, name string) spec.WR {
	for _, w := range sc.WRs {
		if w.Name == name {
			return w
		}
	}
	return spec.WR{}
}

func TestDefaults(t *testing.T) {
	sc := scenarioOf(t, pair(""), nil)
	if sc.Name != "x" || sc.Profile != "iba" || len(sc.Dials) != 0 || len(sc.Faults) != 0 {
		t.Errorf("name %q, profile %q, dials %v, faults %v", sc.Name, sc.Profile, sc.Dials, sc.Faults)
	}
	q := sc.Nodes[1].QPs[0]
	q.Pos = spec.Pos{}
	want := spec.QP{Name: "q", Type: "RC", SRQ: -1, MTU: 1024, Timeout: 1, RetryCnt: 2, RNRRetry: 7, MaxRdAtomic: 1, MaxDestRdAtomic: 1, State: "RTS"}
	if q != want {
		t.Errorf("qp is %+v, want %+v", q, want)
	}
}

func TestParamsFold(t *testing.T) {
	src := `param n = 3
param fix = none
param slow = false
` + pair(`
  cq d { depth n }
  if slow { post_send q S1 SEND } else { post_send q S1 SEND SIGNALED }
  if fix == wait { wait S1.wc } else if fix == both { wait S1.wc and R1.wc }
  if n > 2 and not slow { post_send q S2 SEND }
  post_recv q R1
`) + `
assume { if slow { profile arrival_order } else { ack.coalesce n } }
faults { drop(ACK) <= n; if slow { dup(any) <= 1 } }
check with fix = wait, slow = true { }
check with fix = both { }
`
	base := scenarioOf(t, src, nil)
	if got := base.Nodes[1].CQs[1].Depth; got != 3 {
		t.Errorf("depth is %d, want that of the param", got)
	}
	if body := base.Nodes[1].Threads[0].Body; len(body) != 3 || body[0].Op != spec.OpPostSend || body[1].Op != spec.OpPostSend || body[2].Op != spec.OpPostRecv {
		t.Errorf("without the fix, the program is %d statements", len(body))
	}
	if !wrOf(base, "S1").Signaled || base.Profile != "iba" || base.Dials["ack.coalesce"] != "3" || len(base.Faults) != 1 {
		t.Errorf("the branches of the file's own params: signaled %v, profile %s, dials %v, %d faults",
			wrOf(base, "S1").Signaled, base.Profile, base.Dials, len(base.Faults))
	}
	slow := scenarioOf(t, src, map[string]string{"slow": "true", "fix": "wait", "n": "1"})
	body := slow.Nodes[1].Threads[0].Body
	taken := len(body) == 3 && body[1].Op == spec.OpWait && !wrOf(slow, "S1").Signaled && slow.Profile == "arrival_order"
	if !taken || len(slow.Faults) != 2 || slow.Faults[0].Max != 1 {
		t.Errorf("with slow and fix: %d statements, %+v", len(body), slow.Faults)
	}
	if got := wrNames(slow); got != "RT ST S1 S2 R1" {
		t.Errorf("WRs are %s: one that is never posted must stay for properties to speak of", got)
	}
	if !reflect.DeepEqual(slow.ParamText, map[string]string{"n": "1", "fix": "wait", "slow": "true"}) {
		t.Errorf("params are %v", slow.ParamText)
	}
}

// TestWordParamsFold: a word compared with a param is a constant wherever it
// stands, beside what asks the state too.
func TestWordParamsFold(t *testing.T) {
	src := `param fix = both
` + pair(`
  post_send q S1 SEND SIGNALED
  post_recv q R1
  var n
  if fix == both and R1.wc { stop }
  if n == 1 or none != fix { stop }
  thread u { wait R1.wc and (S1.wc or not (fix == both)); bug_on fix == none or n > 2 }
`) + `assert a: fix == none or S1.cqe precedes R1.cqe
assert b: fix == both => S1.cqe
check with fix = none { }
`
	f := parse(t, src)
	for i, want := range []string{
		"(1 and R1.wc) | ((n == 1) or 1) | (R1.wc and (S1.wc or 0)) | (0 or (n > 2)) | (0 or S1.cqe) | (1 => S1.cqe)",
		"(0 and R1.wc) | ((n == 1) or 0) | (R1.wc and (S1.wc or 1)) | (1 or (n > 2)) | (1 or S1.cqe) | (0 => S1.cqe)",
	} {
		sc, errs := f.Variants()[i].Scenario()
		if errs != nil {
			t.Fatal(errs.Err())
		}
		threads := sc.Nodes[1].Threads
		var got []string
		for _, s := range append(threads[0].Body[2:], threads[1].Body[0]) {
			got = append(got, show(s.Expr))
		}
		got = append(got, show(threads[1].Body[1].Expr.Kids[0]), show(sc.Asserts[0].L), show(sc.Asserts[1].L))
		if text := strings.Join(got, " | "); text != want {
			t.Errorf("variant %d is\n%s, want\n%s", i, text, want)
		}
	}
}

// TestParamsNameThings: a word param stands for its value also where a name is
// wanted.
func TestParamsNameThings(t *testing.T) {
	src := `param sends = c
param own = none
param lost = ACK
param where = t.buf
` + pair(`
  cq d
  srq s
  qp r { send_cq sends; recv_cq c; srq own }
  if own == none { post_recv r R1 } else { post_srq_recv s R1 }
  post_send q W1 RDMA_WRITE remote where
  thread u { poll_cq sends; get_async_event sends CQ_ERR }
`) + `faults { drop(lost) <= 1 }
check with sends = d, own = s, lost = W1 { }
`
	f := parse(t, src)
	for i, want := range []string{"cq 0, srq -1, 0 polled, event of 0, R1 on -1, write of 0, ACK of -1",
		"cq 1, srq 0, 1 polled, event of 1, R1 on 0, write of 0, request of 3"} {
		sc, errs := f.Variants()[i].Scenario()
		if errs != nil {
			t.Fatal(errs.Err())
		}
		h := sc.Nodes[1]
		body := h.Threads[1].Body
		got := fmt.Sprintf("cq %d, srq %d, %d polled, event of %d, R1 on %d, write of %d, %s of %d", h.QPs[1].SendCQ, h.QPs[1].SRQ, body[0].CQ, body[1].CQ,
			wrOf(sc, "R1").SRQ, wrOf(sc, "W1").Remote.MR, sc.Faults[0].Class, sc.Faults[0].WR)
		if got != want {
			t.Errorf("variant %d: %s, want %s", i, got, want)
		}
	}
}

// TestUnits: the units of an mr are asked one by one.
func TestUnits(t *testing.T) {
	sc := scenarioOf(t, pair("mr m { units 2 }\nwait m[1].value == 1 and m[2].value == 0 and m.value == 3"), nil)
	and := sc.Nodes[1].Threads[0].Body[0].Expr
	for i, x := range []*spec.Expr{and.Kids[0].Kids[0], and.Kids[0].Kids[1], and.Kids[1]} {
		want := []spec.Atom{{Instance: 1, Text: "m[1].value"}, {Instance: 2, Text: "m[2].value"}, {Instance: -1, Text: "m.value"}}[i]
		want.Kind, want.WR, want.Node = spec.AtomMRValue, -1, 1
		if got := x.Kids[0].Atom; got != want {
			t.Errorf("the atom is %+v, want %+v", got, want)
		}
	}
}

// TestPropertyPositions: a property is where its name is.
func TestPropertyPositions(t *testing.T) {
	sc := scenarioOf(t, pair("post_recv q R1")+"assert order: R1.cqe\n  reach  early: R1.wc\n", nil)
	for i, p := range []spec.Property{sc.Asserts[0], sc.Reaches[0]} {
		if want := (spec.Pos{File: "x.ibl", Line: 7 + i, Col: 8 + 2*i}); p.Pos != want {
			t.Errorf("%s is at %v, want %v", p.Name, p.Pos, want)
		}
	}
}

func TestBadParams(t *testing.T) {
	f := parse(t, "param n = 3\n"+pair("cq d { depth n }"))
	for name, params := range map[string]map[string]string{
		"no param named `m`": {"m": "1"}, "is a number, not a word": {"n": "x"}, "0 is out of range": {"n": "0"},
	} {
		if _, errs := f.Scenario(params); errs == nil || !strings.Contains(errs.Err().Error(), name) {
			t.Errorf("params %v: %v, want %q", params, errs, name)
		}
	}
}

func TestVariants(t *testing.T) {
	f := parse(t, `param slow = false
`+pair("post_recv q R1\npost_send q S1 SEND SIGNALED")+`
assert a: S1.cqe precedes R1.cqe expect violated faults 1
reach  b: R1.cqe                 expect reachable
check with slow = true { a holds }
check with slow = false { b unreachable }
`)
	vs := f.Variants()
	if len(vs) != 3 || vs[0].Text != "" || vs[1].Text != "slow = true" || vs[1].Pos.Line != 12 {
		t.Fatalf("variants are %+v", vs)
	}
	for i, want := range []string{"violated 1 reachable", "holds -1 reachable", "violated 1 unreachable"} {
		sc, errs := vs[i].Scenario()
		if errs != nil {
			t.Fatal(errs.Err())
		}
		if got := fmt.Sprint(sc.Asserts[0].Expect, " ", sc.Asserts[0].ExpectFaults, " ", sc.Reaches[0].Expect); got != want {
			t.Errorf("variant %d expects %s, want %s", i, got, want)
		}
	}
}

func TestReplicate(t *testing.T) {
	sc := scenarioOf(t, `param n = 3
connect c.q <-> s.q*
channel cm* c -> s
node s {
  cq c
  mr buf { length 128; access REMOTE_WRITE }
  replicate n qp q { send_cq c; recv_cq c }
  post_recv q* R*
  on R*.wc { post_send q* A* SEND SIGNALED }
  thread t* { hear cm* GO; post_recv q* X* }
}
replicate n node c {
  cq c
  qp q { send_cq c; recv_cq c }
  post_recv q R
  post_send q S RDMA_WRITE remote s.buf
  tell cm* GO
}
faults { drop(ACK) <= 1 on s.q*; kill(c1.q) <= 1 }
assert every: eventually all(c*.S.wc) and any(R*.wc)
assert p*:    R*.wc precedes c*.R.wc
`, nil)
	var nodes []string
	for _, n := range sc.Nodes {
		nodes = append(nodes, fmt.Sprint(n.Name, n.Orbit))
	}
	if got := strings.Join(nodes, " "); got != "s0 c01 c11 c21" {
		t.Errorf("nodes and orbits are %s", got)
	}
	if got := wrNames(sc); got != "R0 R1 R2 A0 A1 A2 X0 X1 X2 c0.R c0.S c1.R c1.S c2.R c2.S" {
		t.Errorf("WRs are %s", got)
	}
	for i, c := range sc.Conns {
		if c.A != (spec.QPRef{Node: 1 + i, QP: 0}) || c.B != (spec.QPRef{Node: 0, QP: i}) {
			t.Errorf("connection %d is %+v", i, c)
		}
	}
	s := sc.Nodes[0]
	if len(sc.Conns) != 3 || len(sc.Channels) != 3 || len(s.Handlers) != 3 || len(s.Threads) != 4 || s.Threads[2].Name != "t1" {
		t.Errorf("%d connections, %d channels, %d handlers, %d threads", len(sc.Conns), len(sc.Channels), len(s.Handlers), len(s.Threads))
	}
	if h := s.Handlers[2]; sc.WRs[h.WR].Name != "R2" || sc.WRs[h.Body[0].WR].Name != "A2" {
		t.Errorf("handler of %s posts %s", sc.WRs[h.WR].Name, sc.WRs[h.Body[0].WR].Name)
	}
	if hear := s.Threads[3].Body[0]; hear.Channel != 2 || hear.N != 0 {
		t.Errorf("the third thread hears message %d of channel %d", hear.N, hear.Channel)
	}
	if len(sc.Faults) != 4 || sc.Faults[1].On != (spec.QPRef{Node: 0, QP: 1}) || sc.Faults[3].On != (spec.QPRef{Node: 2, QP: 0}) {
		t.Errorf("faults are %+v", sc.Faults)
	}
	if len(sc.Asserts) != 4 || sc.Asserts[2].Name != "p1" || sc.Asserts[2].Text != "R1.wc precedes c1.R.wc" {
		t.Errorf("asserts are %+v", sc.Asserts)
	}
}

func TestAlternativesAreOneWR(t *testing.T) {
	sc := scenarioOf(t, pair("post_recv q R1\nif R1.wc { post_send q S1 SEND } else { either { post_send q S1 SEND } or { stop } }"), nil)
	if got := wrNames(sc); got != "RT ST R1 S1" {
		t.Errorf("WRs are %s", got)
	}
	top := sc.Nodes[1].Threads[0].Body[1]
	if top.Body[0].WR != 3 || top.Else[0].Alts[0][0].WR != 3 {
		t.Error("the two posts are not of one WR")
	}
}

func TestEventCQ(t *testing.T) {
	for src, want := range map[string]int{
		"comp_channel ch\ncq a { channel ch }\nget_cq_event ch as e\nack_cq_events e 1":                      1,
		"comp_channel ch\ncq a { channel ch }\ncq b { channel ch }\nget_cq_event ch as e\nack_cq_events e 1": spec.EventCQ,
	} {
		body := scenarioOf(t, pair(src), nil).Nodes[1].Threads[0].Body
		if body[1].CQ != want {
			t.Errorf("%q acknowledges cq %d, want %d", src, body[1].CQ, want)
		}
	}
}

func TestFaults(t *testing.T) {
	sc := scenarioOf(t, pair("post_send q S1 SEND")+`faults {
  drop(S1) <= 2
  reorder(ACK, SEND) <= 1
  reorder(any) <= 1
  early_timeout <= 1 on h.q
  kill(t.q) <= 1
}`, nil)
	nowhere, hq, tq := spec.QPRef{Node: -1, QP: -1}, spec.QPRef{Node: 1, QP: 0}, spec.QPRef{Node: 0, QP: 0}
	want := []spec.Fault{
		{Kind: "drop", Class: "request", WR: 2, On: nowhere, Max: 2}, {Kind: "reorder", Class: "ACK", Other: "SEND", WR: -1, On: nowhere, Max: 1},
		{Kind: "reorder", Class: "any", Other: "any", WR: -1, On: nowhere, Max: 1}, {Kind: "early_timeout", WR: -1, On: hq, Max: 1},
		{Kind: "kill", WR: -1, On: tq, Max: 1}}
	for i := range sc.Faults {
		sc.Faults[i].Pos = spec.Pos{}
	}
	if !reflect.DeepEqual(sc.Faults, want) {
		t.Errorf("faults are\n%+v, want\n%+v", sc.Faults, want)
	}
}

func TestExpressions(t *testing.T) {
	sc := scenarioOf(t, pair("post_recv q R1\npost_send q S1 SEND SIGNALED\nvar n")+`
assert a: n
assert b: 2 - 1 == 1 => S1.status == WR_FLUSH_ERR
assert c: R1.src == t and R1.msg == ST
assert d: once(S1[2].cqe) or (S1.cqe since S1.posted)
assert e: never overflow(sq) and hca_access(freed)
assert f: h.q.state != ERR
`, nil)
	for i, want := range []string{"(n != 0)", "(1 => (S1.status == WR_FLUSH_ERR:4))", "((R1.src == t:0) and (R1.msg == ST:1))",
		"(once(S1[2].cqe) or (S1.cqe since S1.posted))", "(overflow(sq) and hca_access(freed))", "(h.q.state != ERR:6)"} {
		if got := show(sc.Asserts[i].L); got != want {
			t.Errorf("%s is %s, want %s", sc.Asserts[i].Text, got, want)
		}
	}
	if got := sc.Asserts[4].Allow; !reflect.DeepEqual(got, []string{"overflow(sq)", "hca_access(freed)"}) {
		t.Errorf("it replaces %v", got)
	}
}

// show writes an expression with all its brackets.
func show(x *spec.Expr) string {
	switch x.Op {
	case spec.ExprInt:
		return fmt.Sprint(x.Int)
	case spec.ExprAtom:
		if x.Atom.Kind == spec.AtomConst {
			return fmt.Sprintf("%s:%d", x.Atom.Text, x.Int)
		}
		return x.Atom.Text
	case spec.ExprOnce:
		return "once(" + show(x.Kids[0]) + ")"
	}
	ops := map[spec.ExprOp]string{spec.ExprAnd: "and", spec.ExprOr: "or", spec.ExprImplies: "=>", spec.ExprEq: "==", spec.ExprNe: "!=",
		spec.ExprGt: ">", spec.ExprSince: "since"}
	return "(" + show(x.Kids[0]) + " " + ops[x.Op] + " " + show(x.Kids[1]) + ")"
}

func TestWarnings(t *testing.T) {
	for src, want := range map[string]string{
		"post_send q S1 SEND SIGNALED\nthread u { wait S1.wc; drain c }":              "only the waiting program itself polls `c`, where `S1` completes",
		"post_send q S1 SEND SIGNALED\npost_recv q R1\non R1.wc { wait S1.wc }":       "only the waiting program itself polls `c`",
		"count handeld\nvar handled\nif handled { stop }":                             "counter `handeld` is never asked",
		"post_send q S1 SEND SIGNALED\nthread u { wait S1.wc }\nthread v { drain c }": "",
		"post_send q S1 SEND SIGNALED\nwait S1.wc":                                    "",
	} {
		f := parse(t, pair(src))
		switch {
		case want == "" && f.Warnings != nil:
			t.Errorf("%q: %v", src, f.Warnings.Err())
		case want != "" && (f.Warnings == nil || !strings.Contains(f.Warnings[0].Msg, want)):
			t.Errorf("%q: warnings are %v, want %q", src, f.Warnings.Err(), want)
		}
	}
}

func TestVary(t *testing.T) {
	f := parse(t, "param n = 1\n"+pair("post_send q S1 SEND")+`
faults { drop(ACK) <= 1 }
vary drop(ACK) 0..2, profile iba|rxe, n 1|2, drop(S1) 1
`)
	axes := f.VaryAxes()
	if len(axes) != 4 || axes[0].Name != "drop(ACK)" || !reflect.DeepEqual(axes[0].Values, []string{"0", "1", "2"}) {
		t.Fatalf("axes are %+v", axes)
	}
	sc, errs := f.Vary(map[string]string{"drop(ACK)": "2", "profile": "rxe", "n": "2", "drop(S1)": "1", "ack.coalesce": "3"})
	if errs != nil {
		t.Fatal(errs.Err())
	}
	chosen := sc.Profile == "rxe" && sc.ParamText["n"] == "2" && sc.Dials["ack.coalesce"] == "3"
	if !chosen || len(sc.Faults) != 2 || sc.Faults[0].Max != 2 || sc.Faults[1].WR != 2 {
		t.Errorf("profile %s, params %v, dials %v, faults %+v", sc.Profile, sc.ParamText, sc.Dials, sc.Faults)
	}
	for name, value := range map[string]string{"drop(AC)": "1", "nothing": "1", "profile": "x", "ack.coalesce": "x", "drop(ACK)": "-1",
		"kill(h.x)": "1", "node": "1"} {
		if _, errs := f.Vary(map[string]string{name: value}); errs == nil {
			t.Errorf("%s = %s is taken", name, value)
		}
	}
}

func TestImport(t *testing.T) {
	files := map[string]string{"d/a.ibl": "litmus \"a\" { }\nimport \"b.ibl\"\nimport \"e/c.ibl\"\n", "d/b.ibl": "litmus \"b\" { }\nnode n { cq c }\n",
		"d/e/c.ibl": "import \"../b.ibl\"\nnode m { cq c; mr c }\n", "loop.ibl": "import \"loop.ibl\"\n"}
	read := func(path string) ([]byte, error) {
		if src, ok := files[path]; ok {
			return []byte(src), nil
		}
		return nil, os.ErrNotExist
	}
	for name, want := range map[string]string{
		"d/a.ibl":  "d/e/c.ibl:2:19: `c` is already a cq on node m",
		"loop.ibl": "loop.ibl:1:8: a file cannot import itself",
	} {
		f, errs := Parse(name, []byte(files[name]), Options{ReadFile: read})
		if len(errs) != 1 || errs[0].Error() != want {
			t.Errorf("%s: %v, want %s", name, errs.Err(), want)
		}
		if got := fmt.Sprint(f.Imports()); name == "d/a.ibl" && got != "[{{d/a.ibl 2 8} 7 d/b.ibl} {{d/a.ibl 3 8} 9 d/e/c.ibl}]" {
			t.Errorf("%s imports %s", name, got)
		}
	}
	files["d/f.ibl"] = "import \"e/c.ibl\"\n"
	f, _ := Parse("d/f.ibl", []byte(files["d/f.ibl"]), Options{ReadFile: read})
	if i, ok := f.Via("d/b.ibl"); !ok || i.File != "d/e/c.ibl" || i.Pos.Line != 1 {
		t.Errorf("b.ibl comes in by %+v", i)
	}
	if _, errs := Parse("x.ibl", []byte("import \"y.ibl\"\nnode n { cq c }"), Options{}); len(errs) != 1 {
		t.Errorf("without files to import from: %v", errs.Err())
	}
	if f, errs := Load("testdata/none.ibl"); f == nil || len(errs) != 1 {
		t.Errorf("a file that is not there: %v", errs.Err())
	}
}
