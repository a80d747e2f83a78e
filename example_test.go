package ibcheck_test

import (
	"context"
	"fmt"
	"log"

	"github.com/ibcheck/ibcheck"
)

// question asks whether the answer can be complete before the question is.
const question = `
litmus "question" { doc "May the client reuse its buffer when the answer is there?" }
connect client.q <-> server.q
node client {
  cq c; qp q { qp_type RC; send_cq c; recv_cq c }
  post_recv q answer
  post_send q ask SEND SIGNALED
}
node server {
  cq c; qp q { qp_type RC; send_cq c; recv_cq c }
  post_recv q asked
  on asked.wc { post_send q reply SEND SIGNALED }
}
assume { profile arrival_order }
faults { drop(ACK) <= 1 }
assert reuse: ask.cqe precedes answer.cqe
`

// A scenario as text in a program, checked, and the verdict that interests it.
func ExampleCheck() {
	f := ibcheck.MustParse("question", question)
	report, err := ibcheck.Check(context.Background(), f, ibcheck.Options{})
	if err != nil {
		log.Fatal(err)
	}
	reuse := report.Property("reuse")
	fmt.Printf("%s with %d fault, in %d steps\n", reuse.Verdict, reuse.Faults, reuse.Steps)
	for _, step := range reuse.Trace {
		fmt.Printf("%d %s: %s\n", step.Step, step.Lane, step.Action)
	}
	// Output:
	// violated with 1 fault, in 8 steps
	// 1 client app: post_send ask
	// 2 client HCA: SEND_ONLY ask psn=c0 AckReq
	// 3 server HCA: ACK c0 msn=1, lost
	// 4 server HCA: CQE asked RECV, polled
	// 5 server app: post_send reply
	// 6 server HCA: SEND_ONLY reply psn=s0 AckReq
	// 7 client HCA: ACK s0 msn=1
	// 8 client HCA: CQE answer RECV
}

// Options change what a scenario assumes: without a lost ACK the order holds.
func ExampleOptions() {
	f := ibcheck.MustParse("question", question)
	for losses := range 2 {
		opt := ibcheck.Options{Faults: map[string]int{"drop(ACK)": losses}}
		report, err := ibcheck.Check(context.Background(), f, opt)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(report.Under()+":", report.Property("reuse").Verdict)
	}
	// Output:
	// under profile arrival_order; faults drop(ACK) <= 0: holds
	// under profile arrival_order; faults drop(ACK) <= 1: violated
}

// Mistakes come all at once, each with its position.
func ExampleParse() {
	_, err := ibcheck.Parse("x.ibl", "node a { cq c; qp q { send_cq d } }\nconnect a.q <-> b.q\n")
	fmt.Println(err)
	// Output:
	// x.ibl:1:19: qp `q` has no recv_cq (cqs of node a: c)
	// x.ibl:1:31: no cq named `d` on node a (cqs of node a: c)
	// x.ibl:2:17: no node named `b` in the file (nodes: a)
}

// Verdicts as a test framework of one's own wants them.
func ExampleScenarioReport_Cases() {
	f, err := ibcheck.Load("scenarios/seed/send-vs-recv-cqe.ibl")
	if err != nil {
		log.Fatal(err)
	}
	report, err := ibcheck.Check(context.Background(), f, ibcheck.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range report.Cases(ibcheck.FormatOptions{VacuousIsError: true}) {
		fmt.Println(c.Passed(), c.Name)
	}
	// Output:
	// true order
	// true live
	// true early
	// true 20 built-in checks
}
