package ibcheck

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ibcheck/ibcheck/internal/page"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// TestExplanationsOfTheCatalogue pins the text below the ladders of a dozen runs:
// orders, sanitizers of every sort, lost wake-ups, ends, and what must not happen.
func TestExplanationsOfTheCatalogue(t *testing.T) {
	for name, c := range map[string]struct{ file, property string }{
		"seed":        {"seed/send-vs-recv-cqe.ibl", "order"},
		"early":       {"seed/send-vs-recv-cqe.ibl", "early"},
		"slot":        {"reply/a01-founding-ladder.ibl", "slot"},
		"unmap":       {"reply/a02-nvme-unmap-at-response.ibl", "unmap"},
		"free":        {"reply/a06-rtrs-unsignaled-write.ibl", "dma"},
		"exposed":     {"reply/a05-xprtrdma-reply-ends-send.ibl", "wire"},
		"arm-race":    {"arming/cq-arm-race-srq.ibl", "wakeup"},
		"never-armed": {"arming/c02-libfabric-never-armed.ibl", "wakes"},
		"solicited":   {"arming/c10-brpc-solicited-hides-sends.ibl", "wakes"},
		"rnr":         {"receive/i06-spdk-repost-after-response.ibl", "alive"},
		"full-cq":     {"capacity/d07-transferbench-polled-at-the-end.ibl", "room"},
		"bad-state":   {"establish/b01-srpt-command-before-rtu.ibl", "state"},
		"delivered":   {"variants/v6-all-acks-lost.ibl", "error_means_undelivered"},
		"remote":      {"memory/e10-nvme-rdma-other-key-invalidated.ibl", "dma"},
		"deadlock":    {"arming/c08-ucx-events-acked-to-wrong-cq.ibl", "ends"},
		"placement":   {"visibility/g08-last-byte-polling.ibl", "whole"},
		"lane":        {"visibility/g05-nixl-notification-on-another-lane.ibl", "visible"},
	} {
		t.Run(name, func(t *testing.T) {
			p := explained(t, load(t, c.file), c.property, Options{})
			lines := p.Explanation.Lines()
			for _, line := range lines {
				if utf8.RuneCountInString(line) > page.Width {
					t.Errorf("%d characters: %s", utf8.RuneCountInString(line), line)
				}
			}
			golden(t, filepath.Join("explain", name+".txt"), strings.Join(lines, "\n")+"\n")
		})
	}
}

func explained(t *testing.T, f *scenario.File, name string, opt Options) *PropertyReport {
	t.Helper()
	s, err := ExplainProperty(context.Background(), f, opt, name)
	if err != nil {
		t.Fatal(err)
	}
	p := &s.Properties[0]
	if p.Explanation == nil {
		t.Fatalf("%s is %s and not explained", name, p.Verdict)
	}
	return p
}

// TestTheSeedIsExplained checks what the text says against what is known of it.
func TestTheSeedIsExplained(t *testing.T) {
	f := load(t, "seed/send-vs-recv-cqe.ibl")
	text := strings.Join(explained(t, f, "order", Options{}).Explanation.Lines(), " ")
	for _, want := range []string{
		`S1.cqe is not in it: "ACK h0 sent" (3) is, but "ACK h0 arrived" is not.`,
		"C9-95",
		"The fault at 3, drop(ACK), is necessary",
		"No freedom of the       HCA is needed.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	text = strings.Join(explained(t, f, "order", Options{Profile: "iba"}).Explanation.Lines(), " ")
	if want := "No fault is needed. Of the HCA's freedoms one is enough: requester.cqe_delay = free."; !strings.Contains(text, want) {
		t.Errorf("under iba: no %q in %s", want, text)
	}
	dial := Options{Dials: map[string]string{"requester.cqe_delay": "free"}}
	text = strings.Join(explained(t, f, "order", dial).Explanation.Lines(), " ")
	if want := "requester.cqe_delay = free is the freedom that it takes."; !strings.Contains(text, want) {
		t.Errorf("with a late CQE: no %q in %s", want, text)
	}
}

// TestALassoIsExplained: what repeats for ever is named.
func TestALassoIsExplained(t *testing.T) {
	src := `connect a.q <-> b.q
node a { cq c; qp q { send_cq c; recv_cq c }; post_send q S SEND SIGNALED }
node b { cq c; qp q { send_cq c; recv_cq c } }
assume { profile arrival_order }
assert ends: eventually S.wc
`
	f, errs := scenario.Parse("lasso.ibl", []byte(src), scenario.Options{})
	if errs != nil {
		t.Fatal(errs.Err())
	}
	p := explained(t, f, "ends", Options{})
	text := strings.Join(p.Explanation.Lines(), "\n")
	if p.Run.Loop == 0 || !strings.Contains(text, "can repeat for ever, and none of them brings it.") {
		t.Errorf("loop from event %d:\n%s", p.Run.Loop, text)
	}
}

// TestExplanationsDoNotDependOnWorkers.
func TestExplanationsDoNotDependOnWorkers(t *testing.T) {
	for _, file := range []string{"seed/send-vs-recv-cqe.ibl", "arming/c02-libfabric-never-armed.ibl"} {
		var first string
		for _, workers := range []int{1, 2, 5} {
			s, err := Check(context.Background(), load(t, file), Options{Workers: workers, Explain: Briefly})
			if err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			if err := s.WriteText(&text, TextOptions{Timeless: true}); err != nil {
				t.Fatal(err)
			}
			if first == "" {
				first = text.String()
			} else if text.String() != first {
				t.Errorf("%s, %d workers: got\n%s\nwant\n%s", file, workers, &text, first)
			}
		}
	}
}

// TestEveryViolationIsExplained: whatever is violated in the catalogue has the
// three first parts, or says why nothing is missing.
func TestEveryViolationIsExplained(t *testing.T) {
	if testing.Short() {
		t.Skip("checks much of the catalogue")
	}
	files, err := filepath.Glob("scenarios/*/*.ibl")
	if err != nil {
		t.Fatal(err)
	}
	explanations := 0
	for _, path := range files {
		f, errs := scenario.Load(path)
		if errs != nil {
			t.Fatal(errs.Err())
		}
		sc, errs := f.Scenario(nil)
		if errs != nil {
			t.Fatal(errs.Err())
		}
		s, err := CheckScenario(context.Background(), sc, Options{MaxStates: 20_000, NoEpilogue: true, Explain: Briefly})
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Properties {
			p := &s.Properties[i]
			if p.Verdict != "violated" || p.Run == nil {
				continue
			}
			explanations++
			if x := p.Explanation; x == nil || len(x.Let) == 0 || len(x.Then) == 0 || x.Run == "" {
				t.Errorf("%s: %s is not explained: %+v", path, p.Name, p.Explanation)
			}
		}
	}
	if explanations < 100 {
		t.Errorf("%d explanations in the catalogue", explanations)
	}
}
