package scenario

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/spec"
)

// completeAt completes at the bar in a text.
func completeAt(t *testing.T, text string) []string {
	t.Helper()
	before, after, ok := strings.Cut(text, "┃")
	if !ok {
		t.Fatalf("no cursor in %q", text)
	}
	line := strings.Count(before, "\n") + 1
	col := len([]rune(before[strings.LastIndexByte(before, '\n')+1:])) + 1
	c := Complete("testdata/x.ibl", []byte(before+after), spec.Pos{Line: line, Col: col}, Options{ReadFile: os.ReadFile})
	var out []string
	for _, x := range c.Candidates {
		out = append(out, x.Text)
	}
	return out
}

// The two halves of a file around what TestComplete completes in node h.
const (
	host = "param fix = none\nparam n = 1\nconnect h.q <-> t.q\n" +
		"node h { cq c, d; comp_channel ch; mr m { units 2 }; srq s; qp q { send_cq c; recv_cq c }\nvar v; post_recv q R1; post_send q S1 SEND; "
	rest = "}\nnode t { cq tc; mr buf { access REMOTE_WRITE }; qp q { send_cq tc; recv_cq tc }; post_recv q R2; on R2.wc { stop } }\n" +
		"check with fix = both { }\n"
)

// completions are texts with a cursor, what may stand there, and what may not.
var completions = []struct{ text, with, without string }{
	{"┃", "litmus node connect assert faults", "cq post_send depth SEND"},
	{host + "┃" + rest, "cq qp post_send wait thread on if", "litmus assume depth SIGNALED"},
	{host + "thread u { ┃ }" + rest, "post_send wait loop", "thread cq on litmus"},
	{host + "po┃" + rest, "post_send post_recv poll_cq", ""},
	{host + "post_send ┃" + rest, "q fix", "c h t.q S1 n"},
	{host + "post_send q ┃" + rest, "", "q c S1 SEND"},
	{host + "post_send q S2 ┃" + rest, "SEND RDMA_WRITE REG_MR", "SIGNALED q"},
	{host + "post_send q S2 SEND ┃" + rest, "SIGNALED FENCE INLINE sg length", "remote compare SEND"},
	{host + "post_send q S2 RDMA_WRITE SIGNALED ┃" + rest, "FENCE remote sg", "SIGNALED key SOLICITED"},
	{host + "post_send q S2 RDMA_WRITE remote ┃" + rest, "t.buf h.m", "m buf t.q"},
	{host + "post_send q S2 RDMA_WRITE remote t.┃" + rest, "buf", "t.buf m q"},
	{host + "post_send q S2 SEND sg [┃" + rest, "m", "c q buf"},
	{host + "post_recv q R3 ┃" + rest, "sg length", "SIGNALED"},
	{host + "qp r { ┃ }" + rest, "send_cq retry_cnt", "depth post_send"},
	{host + "qp r { send_cq c; ┃ }" + rest, "recv_cq", "send_cq"},
	{host + "qp r { send_cq ┃ }" + rest, "c d fix", "q tc n"},
	{host + "qp r { retry_cnt ┃ }" + rest, "n", "c fix"},
	{host + "qp r { state ┃ }" + rest, "RTS ERR fix", "SUCCESS"},
	{host + "mr k { access ┃ }" + rest, "REMOTE_WRITE", "SEND"},
	{host + "modify_qp q ┃" + rest, "ERR", "RC"},
	{host + "on ┃" + rest, "R1.wc S1.wc c.wc", "R2.wc m"},
	{host + "on R1.┃" + rest, "wc", "cqe status"},
	{host + "on R1.wc as w { wait ┃ }" + rest, "w S1 v not true", "once always precedes R2 bad_state"},
	{host + "on R1.wc as w { if w.┃ { } }" + rest, "status opcode wr", "cqe posted"},
	{host + "poll_cq c { if wc.status == ┃ { } }" + rest, "WR_FLUSH_ERR SUCCESS", "ERR S1 true"},
	{host + "wait S1.┃" + rest, "cqe wc acked status", "src msg len"},
	{host + "wait R1.┃" + rest, "cqe src", "acked len"},
	{host + "wait m[2].┃" + rest, "value", "cqe"},
	{host + "wait c.┃" + rest, "len", "cqe"},
	{host + "wait S1.wc ┃" + rest, "and or", "precedes expect S1"},
	{host + "if fix == ┃ { }" + rest, "none both", "SUCCESS"},
	{host + "wait invoked(┃)" + rest, "R1.wc", "R2.wc SUCCESS"},
	{host + "get_cq_event ┃" + rest, "ch", "c"},
	{host + "get_cq_event ch ┃" + rest, "as", "c"},
	{host + "get_async_event ┃" + rest, "q c s", "m"},
	{host + "get_async_event q ┃" + rest, "COMM_EST", "ERR"},
	{host + "req_notify_cq c ┃" + rest, "SOLICITED", "SIGNALED"},
	{host + "replicate 2 ┃" + rest, "cq qp", "post_send node thread_"},
	{host + rest + "assert a: ┃", "always never S1 R2 h t hca_access bad_state once v c h.q", "q precedes expect"},
	{host + rest + "assert a: h.┃", "S1 R1 v c q m", "R2 cqe"},
	{host + rest + "assert a: h.S1.┃", "cqe", "S1"},
	{host + rest + "assert a: S1.cqe ┃", "precedes leadsto and expect", "always S1"},
	{host + rest + "assert a: never S1.cqe ┃", "and expect", "precedes"},
	{host + rest + "assert a: S1.cqe precedes R2.wc ┃", "and expect", "precedes"},
	{host + rest + "assert a: S1.cqe expect ┃", "holds violated unknown", "reachable"},
	{host + rest + "reach a: S1.cqe expect ┃", "reachable unreachable", "holds"},
	{host + rest + "reach a: S1.cqe expect reachable ┃", "faults", "and"},
	{host + rest + "assert a: hca_access(┃)", "freed foreign dead_key", "S1 hca_access(freed)"},
	{host + rest + "assert a: overflow(┃", "sq rq srq cq", "S1"},
	{host + rest + "assert a: rnr(┃)", "h.q t.q", "S1 h.c"},
	{host + rest + "assert a: R2.src == ┃", "h t", "S1"},
	{host + rest + "assert a: R2.msg == ┃", "S1", "ERR"},
	{host + rest + "assert a: h.q.state == ┃", "ERR RTS", "SUCCESS"},
	{host + rest + "assert a: invoked(┃)", "R2.wc", "S1.wc"},
	{host + rest + "connect ┃", "h.q t.q", "h.c h"},
	{host + rest + "connect h.q <-> t.┃", "q", "tc"},
	{host + rest + "connect h.q ┃", "", "t.q"},
	{host + rest + "channel cm h -> ┃", "h t", "q"},
	{host + rest + "assume { ┃ }", "profile ack.coalesce placement if", "drop"},
	{host + rest + "assume { profile iba; ┃ }", "placement", "profile"},
	{host + rest + "assume { profile ┃ }", "iba rxe fix", "free"},
	{host + rest + "assume { ack.coalesce ┃ }", "none unbounded n", "free"},
	{host + rest + "assume { ack.┃ }", "ack.coalesce", ""},
	{host + rest + "faults { ┃ }", "drop dup kill if", "profile"},
	{host + rest + "faults { drop(┃) <= 1 }", "ACK any S1", "R1 ERR"},
	{host + rest + "faults { kill(┃) <= 1 }", "h.q", "ACK"},
	{host + rest + "faults { drop(ACK) <= ┃ }", "n", "fix"},
	{host + rest + "faults { drop(ACK) <= 1 on ┃ }", "h.q", "h"},
	{host + rest + "allow ┃", "sq_leak hca_access(freed)", "S1"},
	{host + rest + "allow overflow(┃)", "cq sq", "freed"},
	{host + rest + "assert a: true\ncheck with ┃ { }", "fix n", "a"},
	{host + rest + "check with fix = ┃ { }", "none both", "fix"},
	{host + rest + "assert a: true\ncheck with n = 2 { ┃ }", "a", "assert"},
	{host + rest + "assert a: true\ncheck with n = 2 { a ┃ }", "holds violated", "a"},
	{host + rest + "vary ┃", "fix profile drop placement", "S1"},
	{host + rest + "vary drop(┃) 0..1", "ACK S1", "R1"},
	{host + rest + "vary profile iba|┃", "rxe", "ACK"},
	{host + "# ┃" + rest, "", "cq"},
	{host + rest + "litmus \"x\" { doc \"┃\" }", "", "doc"},
	{host + rest + "litmus \"x\" { ┃ }", "doc ref spec tags", "node"},
	{"node h { cq c; qp q { send_cq c; recv_cq c }; post_recv q R1\non ┃", "R1.wc", ""},
	{"import \"peer.ibl\"\nnode h { cq c; qp q { send_cq c; recv_cq c }; post_send q W RDMA_WRITE remote ┃ }", "t.buf", ""},
}

func TestComplete(t *testing.T) {
	for _, c := range completions {
		line := c.text[strings.LastIndexByte(c.text[:strings.Index(c.text, "┃")], '\n')+1:]
		got := completeAt(t, c.text)
		for _, w := range strings.Fields(c.with) {
			if !slices.Contains(got, w) {
				t.Errorf("%s\nlacks %s: %q", line, w, got)
			}
		}
		for _, w := range strings.Fields(c.without) {
			if slices.Contains(got, w) {
				t.Errorf("%s\nhas %s: %q", line, w, got)
			}
		}
	}
}

// TestCompleteFindsWhatStands: in valid files, every word that is no new name
// is among the candidates for its place.
func TestCompleteFindsWhatStands(t *testing.T) {
	files := []string{"testdata/all.ibl"}
	for _, name := range workedExamples {
		files = append(files, "../../scenarios/"+name+".ibl")
	}
	asked := 0
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, errs := Parse(path, src, Options{ReadFile: os.ReadFile})
		if errs != nil {
			t.Fatal(errs.Err())
		}
		for _, tok := range lex(&collector{}, path, src).toks {
			if tok.Kind != Word || strings.Contains(tok.Text, "*") {
				continue
			}
			parts := segments(tok)
			if dial(tok.Text) != nil {
				parts = []Token{tok}
			}
			for _, part := range parts {
				if n := f.NameAt(part.Pos); n != nil && (n.Def || n.Thing.kind == symWR && n.Thing.syms[0].tok.Pos.Line > 0 && isPost(f, part)) || freeWord(f, part) {
					continue
				}
				asked++
				c := Complete(path, src, spec.Pos{Line: part.Pos.Line, Col: part.Pos.Col + part.chars}, Options{ReadFile: os.ReadFile})
				if !offers(c, part.Text) {
					t.Errorf("%v: `%s` (of `%s`) is not offered: %v", part.Pos, part.Text, tok.Text, c.Candidates)
				}
			}
		}
	}
	if asked < 300 {
		t.Errorf("only %d words asked for", asked)
	}
}

// isPost reports whether the WR at a token is being posted there: its name is
// new there even where another branch posts it too.
func isPost(f *File, t Token) bool {
	posts := false
	for _, s := range f.all {
		s.walk(func(s *Stmt) {
			posts = posts || s.call != nil && losses[s.call.row.Word] == symWR && s.call.arg(aWR).toks[0].Pos == t.Pos
		})
	}
	return posts
}

// freeWord reports whether any word may stand at a token: tags, messages, the
// values of params.
func freeWord(f *File, t Token) bool {
	free := false
	for _, s := range f.all {
		s.walk(func(s *Stmt) {
			if s.call == nil {
				return
			}
			for _, a := range s.call.args {
				anything := a.kind == aWord || a.kind == aMessage || a.kind == aLock || a.kind == aVar || a.kind == aBindings || a.kind == aValue && s.in == InFile
				free = free || anything && slices.ContainsFunc(a.toks, func(o Token) bool { return o.Pos == t.Pos })
			}
		})
	}
	return free
}

func offers(c Completion, word string) bool {
	return slices.ContainsFunc(c.Candidates, func(x Candidate) bool {
		return x.Text == word || strings.HasPrefix(x.Text, word+".") || strings.HasPrefix(x.Text, word+"(")
	})
}
