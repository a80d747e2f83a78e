package scenario

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/spec"
)

// renamed returns a text with every name of a thing replaced.
func renamed(t *testing.T, f *File, src string, thing *Thing, to string) string {
	lines := strings.Split(src, "\n")
	for _, n := range slices.Backward(thing.Names) {
		if n.Pos.File != f.Name {
			continue
		}
		text, ok := f.Renamed(n, to)
		if !ok {
			t.Fatalf("%v: %q stands where %s %s is named", n.Pos, f.Written(n), thing.Kind, thing.Name)
		}
		line := []rune(lines[n.Pos.Line-1])
		from := n.Pos.Col - 1
		lines[n.Pos.Line-1] = string(line[:from]) + text + string(line[from+n.Len:])
	}
	return strings.Join(lines, "\n")
}

// shape is a scenario with all names and positions left out: the tree of its
// indices.
func shape(sc *spec.Scenario) string {
	var b strings.Builder
	for _, n := range sc.Nodes {
		fmt.Fprintf(&b, "node %d %d %d %d %d\n", len(n.CQs), len(n.QPs), len(n.SRQs), len(n.MRs), len(n.Vars))
		for _, q := range n.QPs {
			fmt.Fprintf(&b, "qp %d %d %d\n", q.SendCQ, q.RecvCQ, q.SRQ)
		}
		for _, h := range n.Handlers {
			fmt.Fprintf(&b, "on %d %d\n", h.WR, h.CQ)
			shapeOf(&b, h.Body)
		}
		for _, th := range n.Threads {
			b.WriteString("thread\n")
			shapeOf(&b, th.Body)
		}
	}
	for _, w := range sc.WRs {
		fmt.Fprintf(&b, "wr %d %d %d %v %v\n", w.Node, w.QP, w.SRQ, w.SGE, w.Remote)
	}
	for _, f := range sc.Faults {
		fmt.Fprintf(&b, "fault %s %s %s %d %v %d\n", f.Kind, f.Class, f.Other, f.WR, f.On, f.Max)
	}
	for _, p := range append(slices.Clone(sc.Asserts), sc.Reaches...) {
		fmt.Fprintf(&b, "property %d %s", p.Kind, p.Expect)
		for _, side := range []*spec.Expr{p.L, p.R} {
			walkExpr(side, func(x *spec.Expr) { shapeOfExpr(&b, x) })
		}
	}
	return b.String()
}

func shapeOf(b *strings.Builder, stmts []spec.Stmt) {
	for _, s := range stmts {
		fmt.Fprintf(b, "%d %d %d %d %d %d %d %d %d %d %d (", s.Op, s.WR, s.QP, s.CQ, s.SRQ, s.MR, s.Var, s.Lock, s.Channel, s.CompChannel, s.N)
		walkExpr(s.Expr, func(x *spec.Expr) { shapeOfExpr(b, x) })
		shapeOf(b, s.Body)
		shapeOf(b, s.Else)
		for _, alt := range s.Alts {
			shapeOf(b, alt)
		}
		b.WriteString(")\n")
	}
}

func shapeOfExpr(b *strings.Builder, x *spec.Expr) {
	a := x.Atom
	fmt.Fprintf(b, " %d %d[%d %d %d %d %d %d]", x.Op, x.Int, a.Kind, a.WR, a.Instance, a.Field, a.Node, a.Index)
}

// shapes are the shapes of a file and its variants.
func shapes(t *testing.T, f *File) string {
	var b strings.Builder
	for _, v := range f.Variants() {
		sc, errs := v.Scenario()
		if errs != nil {
			t.Fatal(errs.Err())
		}
		b.WriteString(shape(sc))
	}
	return b.String()
}

// TestRenaming renames everything in files of every sort: what they say stays
// the same, which it does only if every name of a thing was found, and no
// other.
func TestRenaming(t *testing.T) {
	files := catalogue(t)
	step := 24
	if testing.Short() {
		step = 60
	}
	total := 0
	for i, path := range append([]string{"testdata/all.ibl"}, files...) {
		if i%step != 0 {
			continue
		}
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, errs := Parse(path, src, Options{ReadFile: os.ReadFile})
		if errs != nil {
			t.Fatal(errs.Err())
		}
		want := shapes(t, f)
		for _, thing := range f.Things() {
			if thing.Pos.File != path {
				continue
			}
			total++
			text := renamed(t, f, string(src), thing, "zebra")
			g, errs := Parse(path, []byte(text), Options{ReadFile: os.ReadFile})
			if errs != nil {
				t.Fatalf("%s, %s %s renamed: %v", path, thing.Kind, thing.Name, errs.Err())
			}
			if got := shapes(t, g); got != want {
				t.Errorf("%s, %s %s renamed: it says something else", path, thing.Kind, thing.Name)
			}
		}
	}
	if total < 50 {
		t.Errorf("only %d things renamed", total)
	}
}

// TestNames: what every name of a file stands for.
func TestNames(t *testing.T) {
	src := `param sends = c
param fix = none
connect h.q <-> t.q
node h {
  cq c
  cq d
  qp q { send_cq sends; recv_cq c }
  post_send q S1 SEND SIGNALED
  if fix == none { post_recv q R1 } else { post_recv q R1 }
  on R1.wc as done { if done.status == SUCCESS { count n } }
}
node t {
  cq c
  qp q { send_cq c; recv_cq c }
  post_recv q R1
}
faults { drop(S1) <= 1 on h.q }
assert a: S1.wc precedes h.R1.cqe or n == 1
check with sends = d { a holds }
vary drop(S1) 0..1, fix none|both
`
	f, errs := Parse("x.ibl", []byte(src), Options{})
	if errs != nil {
		t.Fatal(errs.Err())
	}
	var got strings.Builder
	for _, thing := range f.Things() {
		fmt.Fprintf(&got, "%s %s %s:", thing.Kind, thing.Node, thing.Name)
		for _, n := range thing.Names {
			fmt.Fprintf(&got, " %d:%d", n.Pos.Line, n.Pos.Col)
			if n.Def {
				got.WriteString("!")
			}
			if at := f.NameAt(spec.Pos{File: "x.ibl", Line: n.Pos.Line, Col: n.Pos.Col + n.Len}); at != n {
				t.Errorf("at the end of %v is %+v", n.Pos, at)
			}
		}
		got.WriteString("\n")
	}
	golden(t, filepath.Join("testdata", "names.golden"), got.String())
	if n := f.NameAt(spec.Pos{File: "x.ibl", Line: 8, Col: 5}); n != nil {
		t.Errorf("`post_send` is a name of %+v", n.Thing)
	}
}
