package ibcheck

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/spec/scenario"
)

func fixesOf(t *testing.T, file string, opt FixOptions) *FixReport {
	t.Helper()
	path := filepath.Join("scenarios", filepath.FromSlash(file))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := FindFixes(context.Background(), path, text, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestFixesOfTheCatalogue pins what is offered for some bugs.
func TestFixesOfTheCatalogue(t *testing.T) {
	for name, file := range map[string]string{
		"seed":        "seed/send-vs-recv-cqe.ibl",
		"ladder":      "reply/a01-founding-ladder.ibl",
		"unmap":       "reply/a02-nvme-unmap-at-response.ibl",
		"unsignaled":  "reply/a06-rtrs-unsignaled-write.ibl",
		"not-found":   "reply/a15-nbs-request-not-found.ibl",
		"arm-race":    "arming/cq-arm-race-srq.ibl",
		"never-armed": "arming/c02-libfabric-never-armed.ibl",
		"solicited":   "arming/c10-brpc-solicited-hides-sends.ibl",
		"inflight":    "memory/e05-ofi-nccl-dereg-inflight.ibl",
		"fence":       "visibility/f03-dcping-fence-on-the-read.ibl",
		"lanes":       "visibility/g05-nixl-notification-on-another-lane.ibl",
		"repost":      "receive/i06-spdk-repost-after-response.ibl",
		"no-rnr":      "receive/j04-no-rnr-retry-by-default.ibl",
	} {
		t.Run(name, func(t *testing.T) {
			var text bytes.Buffer
			if err := fixesOf(t, file, FixOptions{Enough: 4}).WriteText(&text); err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join("fix", name+".txt"), text.String())
		})
	}
}

// TestMostBugsGetAFix counts the buggy scenarios of the catalogue for which some
// edit turns a verdict and breaks nothing: at least half of those about the order
// of completions and visibility, ownership of memory, and arming.
func TestMostBugsGetAFix(t *testing.T) {
	if testing.Short() {
		t.Skip("checks thousands of edits")
	}
	for kind, groups := range map[string][]string{
		"order":     {"reply", "visibility"},
		"ownership": {"memory"},
		"arming":    {"arming"},
	} {
		var fixed, left []string
		for _, g := range groups {
			files, err := filepath.Glob(filepath.Join("scenarios", g, "*.ibl"))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range files {
				file := filepath.ToSlash(strings.TrimPrefix(path, "scenarios"+string(filepath.Separator)))
				r := fixesOf(t, file, FixOptions{Options: Options{MaxStates: 60_000}, Enough: 1})
				switch {
				case len(r.Violated) == 0:
				case len(r.Fixes) > 0:
					fixed = append(fixed, file)
				default:
					left = append(left, file)
				}
			}
		}
		t.Logf("%s: %d of %d get a fix; not %s", kind, len(fixed), len(fixed)+len(left), strings.Join(left, ", "))
		if len(fixed) < len(left) || len(fixed) == 0 {
			t.Errorf("%s: %d get a fix, %d do not: %v", kind, len(fixed), len(left), left)
		}
	}
}

// TestFixesHold checks an edited file as anybody would: what the fix turns holds.
func TestFixesHold(t *testing.T) {
	for _, file := range []string{"reply/a02-nvme-unmap-at-response.ibl", "arming/cq-arm-race-srq.ibl", "receive/i06-spdk-repost-after-response.ibl"} {
		for _, fix := range fixesOf(t, file, FixOptions{}).Fixes {
			f, errs := scenario.Parse("fixed.ibl", []byte(fix.Text), scenario.Options{})
			if errs != nil {
				t.Fatalf("%s, %s: %v", file, fix.Title, errs.Err())
			}
			s, err := Check(context.Background(), f, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for i := range s.Properties {
				if p := &s.Properties[i]; slices.Contains(fix.Turns, p.Name) && p.Verdict != "holds" {
					t.Errorf("%s, %s: %s is %s", file, fix.Title, p.Name, p.Verdict)
				}
			}
		}
	}
}

// TestNoFixStopsThePrograms: what would only keep a program from doing what is
// judged is no fix.
func TestNoFixStopsThePrograms(t *testing.T) {
	src := `connect a.q <-> b.q
node a { mr data { init 1 }; cq c; qp q { send_cq c; recv_cq c }; post_send q W RDMA_WRITE SIGNALED sg [data] remote b.buf }
node b {
  mr buf { access REMOTE_WRITE }
  cq c
  qp q { send_cq c; recv_cq c }
  post_recv q R
  if buf.value == 0 { count garbage }
}
assume { profile arrival_order }
assert visible: never b.garbage == 1
`
	r, err := FindFixes(context.Background(), "x.ibl", []byte(src), FixOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Violated) != 1 || len(r.Fixes) != 0 || r.Tried == 0 {
		t.Errorf("violated %v, tried %d, fixes %v", r.Violated, r.Tried, r.Fixes)
	}
}

// TestFixesDoNotDependOnWorkers.
func TestFixesDoNotDependOnWorkers(t *testing.T) {
	var first string
	for _, workers := range []int{1, 2, 5} {
		var text bytes.Buffer
		r := fixesOf(t, "arming/c10-brpc-solicited-hides-sends.ibl", FixOptions{Options: Options{Workers: workers}})
		if err := r.WriteJSON(&text); err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = text.String()
		} else if text.String() != first {
			t.Errorf("%d workers: got\n%s\nwant\n%s", workers, &text, first)
		}
	}
}

// TestEditsOfSource: statements on lines of their own and on one line, first,
// between and last.
func TestEditsOfSource(t *testing.T) {
	const src = `connect a.q <-> b.q
node a {
  cq c
  qp q { send_cq c; recv_cq c }
  post_send q S1 SEND SIGNALED  # first
  post_send q S2 SEND SIGNALED
}
node b { cq c; qp q { send_cq c; recv_cq c }; post_recv q R1; post_recv q R2 }
`
	f, errs := scenario.Parse("x.ibl", []byte(src), scenario.Options{})
	if errs != nil {
		t.Fatal(errs.Err())
	}
	x := newSource(src, f)
	at := func(w string) site {
		i := slices.IndexFunc(x.sites, func(u site) bool { return isPost(u.stmt) && word(u.stmt, 2) == w })
		return x.sites[i]
	}
	for _, c := range []struct {
		name  string
		edits []edit
		want  string
	}{
		{"before", []edit{x.before(at("S2").stmt, "wait S1.wc")}, "  wait S1.wc\n  post_send q S2"},
		{"before in a line", []edit{x.before(at("R2").stmt, "stop")}, "post_recv q R1; stop; post_recv q R2 }"},
		{"after", []edit{x.after(at("S1").stmt, "wait S1.wc")}, "# first\n  wait S1.wc\n  post_send q S2"},
		{"after in a line", []edit{x.after(at("R2").stmt, "stop")}, "post_recv q R2; stop }"},
		{"remove", []edit{x.remove(at("S1"))}, "recv_cq c }\n  post_send q S2"},
		{"remove between", []edit{x.remove(at("R1"))}, "recv_cq c }; post_recv q R2 }"},
		{"remove the last", []edit{x.remove(at("R2"))}, "post_recv q R1 }"},
		{"swap", x.swap(at("S1").stmt, at("S2").stmt), "S2 SEND SIGNALED  # first\n  post_send q S1"},
	} {
		got, ok := x.apply(c.edits)
		if !ok || !strings.Contains(got, c.want) {
			t.Errorf("%s: no %q in\n%s", c.name, c.want, got)
		}
		if _, errs := scenario.Parse("x.ibl", []byte(got), scenario.Options{}); errs != nil {
			t.Errorf("%s: %v", c.name, errs.Err())
		}
	}
	if _, ok := x.apply([]edit{{3, 9, ""}, {5, 6, "x"}}); ok {
		t.Error("edits of the same text are made")
	}
	if fmt.Sprint(words(at("S1").stmt)) != "post_send q S1 SEND SIGNALED" {
		t.Errorf("words %q", words(at("S1").stmt))
	}
}
