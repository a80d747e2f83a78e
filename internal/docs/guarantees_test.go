package docs_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/spec"
)

const guaranteesPage = "../../docs/guarantees.md"

// TestGuarantees holds the tables of docs/guarantees.md against the model.
func TestGuarantees(t *testing.T) {
	page, err := os.ReadFile(guaranteesPage)
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string]func(*testing.T) string{"answers": answersTable, "queue": queueTable, "starts": startsTable,
		"ends": endsTable, "visible": visibleTable}
	mark := regexp.MustCompile(`<!-- table: (\w+) -->\n(\n\|.*(\n\|.*)*\n)*`)
	text := mark.ReplaceAllStringFunc(string(page), func(m string) string {
		name := mark.FindStringSubmatch(m)[1]
		if tables[name] == nil {
			t.Fatalf("no table %q", name)
		}
		return "<!-- table: " + name + " -->\n" + tables[name](t)
	})
	if text == string(page) {
		return
	}
	if !*update {
		t.Fatalf("%s does not show what the model says (go test ./internal/docs -update writes it anew):\n%s", guaranteesPage, text)
	}
	if err := os.WriteFile(guaranteesPage, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// posts are the opcodes with what else their post needs, %s being the memory of
// the request itself.
var posts = []struct{ opcode, rest string }{
	{"SEND", ""},
	{"SEND_WITH_IMM", ""},
	{"SEND_WITH_INV", "key b.old%s"},
	{"RDMA_WRITE", "sg [src] remote b.x"},
	{"RDMA_WRITE_WITH_IMM", "sg [src] remote b.x"},
	{"RDMA_READ", "sg [got] remote b.x"},
	{"ATOMIC_CMP_AND_SWP", "sg [got] remote b.x compare 0 swap 1"},
	{"ATOMIC_FETCH_AND_ADD", "sg [got] remote b.x add 1"},
	{"LOCAL_INV", "key old%s"},
	{"REG_MR", "new%s"},
	{"BIND_MW", "new%s"},
}

func opcodes() (names []string) {
	for _, p := range posts {
		names = append(names, p.opcode)
	}
	return names
}

// post returns the statement that posts a signaled request.
func post(name, opcode, flags string) string {
	i := slices.IndexFunc(posts, func(p struct{ opcode, rest string }) bool { return p.opcode == opcode })
	rest := strings.ReplaceAll(posts[i].rest, "%s", name)
	if opcode == "REG_MR" || opcode == "BIND_MW" {
		return fmt.Sprintf("  post_send q %s %s %s SIGNALED %s\n", name, opcode, rest, flags)
	}
	return fmt.Sprintf("  post_send q %s %s SIGNALED %s %s\n", name, opcode, flags, rest)
}

func takesReceive(opcode string) bool {
	return strings.HasPrefix(opcode, "SEND") || opcode == "RDMA_WRITE_WITH_IMM"
}

// nodes returns a scenario of two nodes with these programs.
func nodes(profile, atA, atB, rest string) string {
	const qp = "  cq  c\n  qp  q { send_cq c; recv_cq c; max_rd_atomic 2; max_dest_rd_atomic 2 }\n"
	return "connect a.q <-> b.q\nnode a {\n  mr  src, got, oldX, oldY\n  mr  newX, newY { unregistered }\n" + qp + atA +
		"}\nnode b {\n  mr  x { access REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC }\n  mr  oldX, oldY\n" + qp + atB +
		"}\nassume { profile " + profile + " }\n" + rest
}

// pair returns what the model says of two completions.
func pair(t *testing.T, text, a, b string) ibcheck.Pair {
	t.Helper()
	r, err := ibcheck.Orders(context.Background(), ibcheck.MustParse("pair.ibl", text), ibcheck.Options{}, false)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, p := range r.Pairs {
		switch {
		case p.A == a && p.B == b:
			return p
		case p.A == b && p.B == a:
			p.A, p.B, p.AFirst, p.BFirst = a, b, p.BFirst, p.AFirst
			return p
		}
	}
	t.Fatalf("%s and %s are not among %v\n%s", a, b, r.Completions, text)
	return ibcheck.Pair{}
}

// verdicts returns the verdict of each property of a scenario by its name.
func verdicts(t *testing.T, text string) map[string]string {
	t.Helper()
	r, err := ibcheck.Check(context.Background(), ibcheck.MustParse("check.ibl", text), ibcheck.Options{NoEpilogue: true})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	out := map[string]string{}
	for _, p := range r.Properties {
		if p.Kind == "assert" || p.Kind == "reach" {
			out[p.Name] = p.Verdict
		}
	}
	return out
}

// profilesTable makes a table with a column for each profile.
func profilesTable(head string, rows []string, cell func(row, profile string) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n| %s |", head)
	for _, p := range spec.Profiles {
		fmt.Fprintf(&b, " `%s` |", p.Name)
	}
	fmt.Fprintf(&b, "\n| --- |%s\n", strings.Repeat(" --- |", len(spec.Profiles)))
	for _, row := range rows {
		fmt.Fprintf(&b, "| %s |", row)
		for _, p := range spec.Profiles {
			fmt.Fprintf(&b, " %s |", cell(row, p.Name))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func losses(n int) string {
	if n < 0 {
		return "never"
	}
	return fmt.Sprint(n)
}

func answersTable(t *testing.T) string {
	return profilesTable("X", opcodes(), func(op, profile string) string {
		question, ask := "X", ""
		if !takesReceive(op) {
			question, ask = "Q", "  post_send q Q SEND\n"
		}
		b := "  post_recv q R" + question + "\n  on R" + question + ".wc { post_send q Y SEND }\n"
		text := nodes(profile, "  post_recv q Answer\n"+post("X", op, "")+ask, b, "faults { drop(any) <= 2 }\n")
		return losses(pair(t, text, "X", "Answer").BFirst)
	})
}

// receives posts what two requests may take.
const receives = "  post_recv q R1\n  post_recv q R2\n"

func queueTable(t *testing.T) string {
	return profilesTable("X before Y, of all pairs of opcodes", []string{"Y's CQE can be first with at most one loss"}, func(_, profile string) string {
		for _, x := range opcodes() {
			for _, y := range opcodes() {
				text := nodes(profile, post("X", x, "")+post("Y", y, ""), receives, "faults { drop(any) <= 1 }\n")
				if n := pair(t, text, "X", "Y").BFirst; n >= 0 {
					return fmt.Sprintf("%s before %s: %d", x, y, n)
				}
			}
		}
		return "never"
	})
}

// classes are the opcodes that the pair table tells apart.
var classes = []string{"SEND", "RDMA_WRITE", "RDMA_READ", "ATOMIC_FETCH_AND_ADD", "BIND_MW", "REG_MR", "LOCAL_INV"}

// startsTable has one table for the profiles of each fence.local_inv, which must
// agree among themselves.
func startsTable(t *testing.T) string {
	tables := map[string][]string{} // table: the profiles that have it
	var order []string
	for _, p := range spec.Profiles {
		text := starts(t, p.Name)
		if tables[text] == nil {
			order = append(order, text)
		}
		tables[text] = append(tables[text], "`"+p.Name+"`")
	}
	var b strings.Builder
	for _, text := range order {
		fmt.Fprintf(&b, "\n| %s: X, then Y%s", strings.Join(tables[text], ", "), text)
	}
	return b.String()
}

func starts(t *testing.T, profile string) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, " | %s |\n| --- |%s\n", strings.Join(classes, " | "), strings.Repeat(" --- |", len(classes)))
	for _, x := range classes {
		fmt.Fprintf(&b, "| %s |", x)
		for _, y := range classes {
			fmt.Fprintf(&b, " %s |", start(t, profile, x, y))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// start says whether Y can begin while X is open.
func start(t *testing.T, profile, x, y string) string {
	t.Helper()
	begun := "sent"
	if y == "BIND_MW" || y == "REG_MR" || y == "LOCAL_INV" {
		begun = "executed"
	}
	can := func(flags string) bool {
		text := nodes(profile, post("X", x, "")+post("Y", y, flags), receives, "reach early: Y."+begun+" and not X.acked\n")
		return verdicts(t, text)["early"] == "reachable"
	}
	switch {
	case can("FENCE"):
		return "yes"
	case can(""):
		return "fence"
	}
	return "no"
}

func endsTable(t *testing.T) string {
	rows := []string{"SEND: the send CQE", "SEND: the receive CQE", "RDMA_WRITE_WITH_IMM: the send CQE", "RDMA_WRITE_WITH_IMM: the receive CQE"}
	return profilesTable("may be first", rows, func(row, profile string) string {
		op, which, _ := strings.Cut(row, ": ")
		p := pair(t, nodes(profile, post("X", op, ""), "  post_recv q RX\n", ""), "X", "RX")
		first := p.AFirst
		if which == "the receive CQE" {
			first = p.BFirst
		}
		if first < 0 {
			return "no"
		}
		return "yes"
	})
}

// visible are the events after which data may be seen: what A posts behind the
// WRITE W, and the event.
var visible = []struct{ row, posts, event string }{
	{"A polls the WRITE's own completion", "", "W.wc"},
	{"B polls the receive of a WRITE with immediate", "", "RW.wc"},
	{"B polls the receive of a SEND behind it", "  post_send q S SEND\n", "RS.wc"},
	{"A has read it back, same QP", "  post_send q G RDMA_READ SIGNALED sg [got] remote b.x\n", "G.wc"},
	{"B sees the result of an ATOMIC behind it", "  post_send q F ATOMIC_FETCH_AND_ADD sg [got] remote b.flag add 1\n", "b.flag.value == 1"},
	{"B polls the receive of a SEND on another QP, posted when the WRITE was complete", "  wait W.wc\n  post_send p S SEND\n", "RS.wc"},
}

func visibleTable(t *testing.T) string {
	var rows []string
	for _, v := range visible {
		rows = append(rows, v.row)
	}
	return profilesTable("when", rows, func(row, profile string) string {
		v := visible[slices.IndexFunc(visible, func(v struct{ row, posts, event string }) bool { return v.row == row })]
		op, queue := "RDMA_WRITE", "q"
		if v.event == "RW.wc" {
			op = "RDMA_WRITE_WITH_IMM"
		}
		if strings.Contains(v.posts, "send p ") {
			queue = "p"
		}
		const other = "  qp  p { send_cq c; recv_cq c }\n"
		b := other + "  mr  flag { access REMOTE_ATOMIC }\n"
		if strings.HasPrefix(v.event, "R") {
			b += "  post_recv " + queue + " " + strings.TrimSuffix(v.event, ".wc") + "\n"
		}
		text := nodes(profile, other+post("W", op, "")+v.posts, b, "connect a.p <-> b.p\nassert seen: W.placed precedes "+v.event+"\n")
		if verdicts(t, text)["seen"] == "holds" {
			return "yes"
		}
		return "no"
	})
}
