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
	ops := map[spec.ExprOp]string{spec.ExprAnd: "and", spec.ExprOr: "or", spec.ExprImplies: "=>", spec.ExprEq: "==", spec.ExprNe: "!=", spec.ExprSince: "since"}
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
		_, errs := Parse(name, []byte(files[name]), Options{ReadFile: read})
		if len(errs) != 1 || errs[0].Error() != want {
			t.Errorf("%s: %v, want %s", name, errs.Err(), want)
		}
	}
	if _, errs := Parse("x.ibl", []byte("import \"y.ibl\"\nnode n { cq c }"), Options{}); len(errs) != 1 {
		t.Errorf("without files to import from: %v", errs.Err())
	}
	if f, errs := Load("testdata/none.ibl"); f == nil || len(errs) != 1 {
		t.Errorf("a file that is not there: %v", errs.Err())
	}
}
