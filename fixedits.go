package ibcheck

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// editKinds make the candidates, each kind from the statements of the file and the
// runs that show what is wrong. What is most often the answer comes first. Each
// candidate is checked, so a kind may well propose what does not help.
var editKinds = []func(x *fixer) []candidate{
	waitEdits, stateEdits, swapEdits, armEdits, receiveEdits, flagEdits, queueEdits, keyEdits, slotEdits, retryEdits,
}

// declarations are the statements of a node that are no steps of a program.
var declarations = []string{"mr", "cq", "qp", "srq", "comp_channel", "var", "on", "thread"}

// programs returns the sites of program statements.
func (x *fixer) programs() []site {
	return slices.DeleteFunc(slices.Clone(x.src.sites), func(t site) bool { return !t.isStep() })
}

// isStep reports whether the site is a statement of a program.
func (t *site) isStep() bool {
	if slices.Contains(declarations, word(t.stmt, 0)) {
		return false
	}
	return len(t.outer) == 0 || !slices.Contains([]string{"cq", "qp", "srq", "mr"}, word(t.outer[len(t.outer)-1], 0))
}

func isPost(s *scenario.Stmt) bool {
	return slices.Contains([]string{"post_send", "post_recv", "post_srq_recv"}, word(s, 0))
}

// wrOf returns the scenario's WR that a statement posts, or nil.
func (x *fixer) wrOf(t site) *spec.WR {
	if isPost(t.stmt) {
		return x.wrNamed(x.src.nodes[t.node].name, word(t.stmt, 2))
	}
	return nil
}

// wrNamed returns the WR of that name at a node.
func (x *fixer) wrNamed(node, name string) *spec.WR {
	for i := range x.sc.WRs {
		w := &x.sc.WRs[i]
		if x.sc.Nodes[w.Node].Name == node && shortWR(w.Name) == name {
			return w
		}
	}
	return nil
}

// shortWR is a WR's name as its node's program writes it, without an instance.
func shortWR(name string) string {
	name = name[strings.LastIndexByte(name, '.')+1:]
	base, _, _ := strings.Cut(name, "[")
	return base
}

// A deed is a step of a program in a run: which statement, and which WRs of its
// node were posted and not yet polled before it.
type deed struct {
	site site
	open []string
}

// deeds lists the steps of the run of a property that are statements of the file,
// the one nearest to the break first.
func (x *fixer) deeds(p *PropertyReport) []deed {
	var out []deed
	open := make([][]string, len(p.Run.Nodes))
	for _, b := range p.Run.Before {
		name, queue, _ := strings.Cut(b, " on ")
		node, _, _ := strings.Cut(queue, ".")
		if n := slices.Index(p.Run.Nodes, node); n >= 0 {
			open[n] = append(open[n], shortWR(name))
		}
	}
	for _, e := range p.Run.Events[:p.Run.Broken] {
		if e.Place == spec.App {
			for _, t := range x.programs() {
				if x.src.nodes[t.node].name == p.Run.Nodes[e.Node] && does(t.stmt, &e) {
					out = append(out, deed{t, slices.Clone(open[e.Node])})
				}
			}
		}
		switch wr := shortWR(e.WR); e.Kind {
		case spec.EvPost:
			open[e.Node] = append(open[e.Node], wr)
		case spec.EvPoll:
			if i := slices.Index(open[e.Node], wr); i >= 0 {
				open[e.Node] = slices.Delete(slices.Clone(open[e.Node]), i, i+1)
			}
		}
	}
	slices.Reverse(out)
	return out
}

// does reports whether a statement is what an event of its node shows.
func does(s *scenario.Stmt, e *spec.Event) bool {
	switch {
	case isPost(s):
		failed := e.Kind == spec.EvVerb && strings.HasPrefix(e.Text, "post ")
		return (e.Kind == spec.EvPost || failed) && word(s, 2) == shortWR(e.WR)
	case word(s, 0) == "set", word(s, 0) == "count":
		name, _, _ := strings.Cut(e.Text, " = ")
		return name[strings.LastIndexByte(name, '.')+1:] == word(s, 1)
	case word(s, 0) == "atomic":
		for _, b := range blocks(s) {
			for _, inner := range b.Stmts {
				if does(inner, e) || e.Kind != spec.EvSilent && strings.Contains(e.Text+",", words(inner)+",") {
					return true
				}
			}
		}
		return false
	}
	return e.Text != "" && e.Text == words(s)
}

// waitEdits make a program wait for a completion, which was still to come, before
// it does what it did in the run.
func waitEdits(x *fixer) []candidate {
	var out []candidate
	for i := range x.base.Properties {
		p := &x.base.Properties[i]
		if p.Run == nil || !slices.Contains(x.r.Violated, p.Name) {
			continue
		}
		for _, d := range x.deeds(p) {
			open := x.relevantFirst(d, p)
			for _, wr := range open {
				out = append(out, x.waits(d.site, wr)...)
			}
			if sends := x.sends(d.site.node, open); len(sends) > 1 && d.site.within("on") == nil && d.site.within("atomic") == nil {
				title := fmt.Sprintf("wait for %s before %s", strings.Join(sends, " and "), brief(d.site.stmt))
				out = append(out, candidate{title, []edit{x.src.before(d.site.stmt, "wait "+strings.Join(sends, " and "))}})
			}
		}
	}
	return out
}

// sends lists the polls of those of some WRs that are signaled sends.
func (x *fixer) sends(node int, wrs []string) []string {
	var out []string
	for _, name := range wrs {
		if w := x.wrNamed(x.src.nodes[node].name, name); w != nil && !w.Recv && w.Signaled {
			out = append(out, name+".wc")
		}
	}
	return out
}

// relevantFirst orders the open WRs of a deed: those that the property names
// first, sends before receives.
func (x *fixer) relevantFirst(d deed, p *PropertyReport) []string {
	rank := func(name string) int {
		w := x.wrNamed(x.src.nodes[d.site.node].name, name)
		switch named := slices.ContainsFunc(p.Bars, func(b string) bool { return shortWR(strings.TrimSuffix(b, ".wc")) == name }); {
		case named:
			return 0
		case w != nil && !w.Recv:
			return 1
		}
		return 2
	}
	list := slices.Compact(slices.Sorted(slices.Values(d.open)))
	slices.SortStableFunc(list, func(a, b string) int { return rank(a) - rank(b) })
	return list
}

// waits makes the candidates that put a statement off until a completion of a WR
// of its node was polled.
func (x *fixer) waits(t site, wr string) []candidate {
	w := x.wrNamed(x.src.nodes[t.node].name, wr)
	if w == nil || t.within("atomic") != nil || word(t.stmt, 2) == wr && isPost(t.stmt) {
		return nil
	}
	var signal []edit
	also := ""
	if !w.Recv && !w.Signaled {
		if signal = x.signal(wr, t.node); signal == nil {
			return nil
		}
		also = "signal " + wr + " and "
	}
	title := fmt.Sprintf("%swait for %s.wc before %s", also, wr, brief(t.stmt))
	out := []candidate{{title, append(slices.Clone(signal), x.src.before(t.stmt, "wait "+wr+".wc"))}}
	if on := t.within("on"); on != nil {
		out = nil // the handler would keep the poller from polling what it waits for
		if moved := x.moveToThread(t, on, wr); moved != nil {
			title := fmt.Sprintf("%sdo %s in a thread that waits for %s.wc too", also, brief(t.stmt), wr)
			out = append(out, candidate{title, append(slices.Clone(signal), moved...)})
		}
		if last := x.inTheLast(t, on, wr); last != nil {
			title := fmt.Sprintf("%sdo %s when both %s and %s.wc have come", also, brief(t.stmt), word(on, 1), wr)
			out = append(out, candidate{title, append(slices.Clone(signal), last...)})
		}
	}
	return out
}

// inTheLast does a statement of the handler of a WR, and what follows it in its
// block, in that handler or in the one of another WR, whichever runs last.
func (x *fixer) inTheLast(t site, on *scenario.Stmt, wr string) []edit {
	of, ok := strings.CutSuffix(word(on, 1), ".wc")
	body, plain := x.tail(t, on)
	if !ok || !plain || len(on.Items) != 3 {
		return nil
	}
	first, last := t.block[t.at], t.block[len(t.block)-1]
	out := []edit{{begin(first), begin(first), "if " + wr + ".wc { "}, {end(last), end(last), " }"}}
	again := "if " + of + ".wc { " + body + " }"
	for _, u := range x.src.sites {
		if u.node != t.node || word(u.stmt, 0) != "on" || word(u.stmt, 1) != wr+".wc" || len(blocks(u.stmt)) != 1 {
			continue
		}
		if list := blocks(u.stmt)[0].Stmts; len(list) > 0 {
			return append(out, x.src.after(list[len(list)-1], again))
		}
	}
	at := x.src.lineEnd(end(on))
	return append(out, edit{at, at, "\n" + x.src.indent(on) + "on " + wr + ".wc { " + again + " }"})
}

// tail returns a statement of a handler and those after it in its block as one
// line, with the conditions around them; ok is false where that is not possible.
func (x *fixer) tail(t site, on *scenario.Stmt) (text string, ok bool) {
	var body []string
	for _, s := range t.block[t.at:] {
		body = append(body, x.src.of(s))
	}
	for i := len(t.outer) - 1; t.outer[i] != on; i-- { // what the handler asks is asked there too
		s := t.outer[i]
		if word(s, 0) != "if" || len(blocks(s)) > 1 {
			return "", false
		}
		body = []string{words(s) + " { " + strings.Join(body, "; ") + " }"}
	}
	text = strings.Join(body, "; ")
	return text, !strings.Contains(text, "\n")
}

// brief is a statement in few words.
func brief(s *scenario.Stmt) string {
	if isPost(s) {
		return "posting " + word(s, 2)
	}
	if !slices.Contains([]string{"if", "either", "atomic", "loop", "repeat"}, word(s, 0)) {
		return words(s)
	}
	var parts []string
	for _, b := range blocks(s) {
		for _, inner := range b.Stmts {
			parts = append(parts, brief(inner))
		}
	}
	return strings.Join(parts, ", ")
}

// signal makes every post of a WR at a node signaled.
func (x *fixer) signal(wr string, node int) []edit {
	var out []edit
	for _, t := range x.programs() {
		if t.node == node && word(t.stmt, 0) == "post_send" && word(t.stmt, 2) == wr && !has(t.stmt, "SIGNALED") && len(t.stmt.Items) > 3 {
			at := t.stmt.Items[3].Tok.End
			out = append(out, edit{at, at, " SIGNALED"})
		}
	}
	return out
}

// newThread begins the name of a thread that an edit adds. It may wait for ever where
// its handler did not run.
const newThread = "after_"

// moveToThread moves a statement, and those after it in its block, out of the
// handler of a WR into a new thread that waits for that WR and another.
func (x *fixer) moveToThread(t site, on *scenario.Stmt, wr string) []edit {
	of, ok := strings.CutSuffix(word(on, 1), ".wc")
	if !ok || len(on.Items) != 3 {
		return nil // a handler of a whole CQ
	}
	body, ok := x.tail(t, on)
	if !ok {
		return nil
	}
	lines := []string{"wait " + of + ".wc and " + wr + ".wc", body}
	if t.outer[len(t.outer)-1] == on {
		lines = lines[:1]
		for _, s := range t.block[t.at:] {
			lines = append(lines, x.src.of(s))
		}
	}
	indent := x.src.indent(on)
	text := indent + "thread " + newThread + of + " {\n" + indent + "  " + strings.Join(lines, "\n"+indent+"  ") + "\n" + indent + "}"
	gone, all := x.emptied(t, on)
	if all && x.src.opens(on) && x.src.closes(on) {
		gone[0].text = text + "\n"
		return gone
	}
	end := x.src.lineEnd(end(on))
	return append(gone, edit{end, end, "\n\n" + text})
}

// emptied removes a statement and those after it in its block, and with them what
// would have nothing left in it; all says that this is the whole handler.
func (x *fixer) emptied(t site, on *scenario.Stmt) (out []edit, all bool) {
	last := t.block[len(t.block)-1]
	for t.at == 0 {
		outer := t.outer[len(t.outer)-1]
		t = x.src.sites[slices.IndexFunc(x.src.sites, func(u site) bool { return u.stmt == outer })]
		last = t.stmt
		if t.stmt == on {
			return []edit{x.src.remove(t)}, true
		}
	}
	for i := t.at; ; i++ {
		out = append(out, x.src.remove(site{t.node, t.block[i], t.block, i, t.outer}))
		if t.block[i] == last {
			return out, false
		}
	}
}

// stateEdits make a program wait until another part of it has set a variable, before
// it does what it did in the run: in place, or before all else in its handler.
func stateEdits(x *fixer) []candidate {
	var out []candidate
	for i := range x.base.Properties {
		p := &x.base.Properties[i]
		if p.Run == nil || !slices.Contains(x.r.Violated, p.Name) {
			continue
		}
		for _, d := range x.deeds(p) {
			places := []*scenario.Stmt{d.site.stmt}
			if on := d.site.within("on"); on != nil {
				places = []*scenario.Stmt{blocks(on)[0].Stmts[0]}
			}
			if d.site.within("atomic") != nil {
				continue
			}
			for _, s := range places {
				for _, cond := range x.conditions(d.site) {
					out = append(out, candidate{fmt.Sprintf("wait until %s before %s", cond, brief(s)), []edit{x.src.before(s, "wait "+cond)}})
				}
			}
		}
	}
	return out
}

// conditions lists the values that other threads and handlers of a site's node give
// to its variables.
func (x *fixer) conditions(t site) []string {
	var out []string
	counts := map[string]int{}
	for _, u := range x.programs() {
		same := u.within("on") == t.within("on") && u.within("thread") == t.within("thread")
		name, value := word(u.stmt, 1), ""
		switch word(u.stmt, 0) {
		case "set":
			if value = word(u.stmt, 3); len(u.stmt.Items) > 4 {
				value = "0" // it counts down
			}
		case "count":
			if u.node == t.node {
				counts[name]++
			}
			value = strconv.Itoa(counts[name])
		}
		if cond := name + " == " + value; value != "" && u.node == t.node && !same && !slices.Contains(out, cond) {
			out = append(out, cond)
		}
	}
	return out
}

// swapEdits exchange two steps that follow each other.
func swapEdits(x *fixer) []candidate {
	var out []candidate
	for _, t := range x.programs() {
		if t.at+1 == len(t.block) {
			continue
		}
		next := site{t.node, t.block[t.at+1], t.block, t.at + 1, t.outer}
		if next.isStep() && words(t.stmt) != words(next.stmt) {
			title := fmt.Sprintf("%s before %s", brief(next.stmt), brief(t.stmt))
			out = append(out, candidate{title, x.src.swap(t.stmt, next.stmt)})
		}
	}
	return out
}

// armEdits are about completion channels: poll again after arming, arm before
// sleeping, poll until empty, arm for any completion.
func armEdits(x *fixer) []candidate {
	var out []candidate
	for _, t := range x.programs() {
		switch word(t.stmt, 0) {
		case "req_notify_cq":
			for _, poll := range x.polls(t, word(t.stmt, 1)) {
				out = append(out, candidate{"poll " + word(t.stmt, 1) + " again after arming it", []edit{x.src.after(t.stmt, poll)}})
			}
			if i := slices.IndexFunc(t.stmt.Items, func(it scenario.Item) bool { return it.Tok.Text == "SOLICITED" }); i > 0 {
				out = append(out, candidate{"arm " + word(t.stmt, 1) + " for any completion", []edit{{t.stmt.Items[i-1].Tok.End, t.stmt.Items[i].Tok.End, ""}}})
			}
		case "get_cq_event":
			for _, cq := range x.cqsOf(t, word(t.stmt, 1)) {
				arm := "req_notify_cq " + cq
				out = append(out, candidate{"arm " + cq + " before sleeping", []edit{x.src.before(t.stmt, arm)}})
				for _, poll := range x.polls(t, cq) {
					at := x.src.before(t.stmt, arm)
					at.text += x.src.before(t.stmt, poll).text
					out = append(out, candidate{"arm " + cq + " and poll it again before sleeping", []edit{at}})
				}
			}
		case "poll_cq":
			if len(blocks(t.stmt)) <= 1 {
				out = append(out, candidate{"poll " + word(t.stmt, 1) + " until it is empty", []edit{replaceToken(t.stmt.Items[0].Tok, "drain")}})
			}
		}
	}
	return out
}

// polls returns the different ways in which the thread of a site polls a CQ, as
// they are written.
func (x *fixer) polls(t site, cq string) []string {
	var out []string
	for _, u := range x.programs() {
		w := word(u.stmt, 0)
		if (w == "drain" || w == "poll_cq") && word(u.stmt, 1) == cq && u.node == t.node && u.within("thread") == t.within("thread") {
			text := x.src.of(u.stmt)
			if !strings.Contains(text, "\n") && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	return out
}

// cqsOf lists the CQs of a completion channel at a site's node.
func (x *fixer) cqsOf(t site, channel string) []string {
	var out []string
	for i := range x.sc.Nodes {
		n := &x.sc.Nodes[i]
		if n.Name != x.src.nodes[t.node].name {
			continue
		}
		for _, c := range n.CQs {
			if c.Channel >= 0 && n.CompChannels[c.Channel].Name == channel {
				out = append(out, c.Name)
			}
		}
	}
	return out
}

// receiveEdits post receives before anybody moves, or one more of them.
func receiveEdits(x *fixer) []candidate {
	var out []candidate
	done := map[string]bool{}
	for _, t := range x.programs() {
		if w := word(t.stmt, 0); w != "post_recv" && w != "post_srq_recv" {
			continue
		}
		first := x.firstStep(t.node)
		if first == nil || first == t.stmt {
			continue
		}
		if begin(first) < begin(t.stmt) {
			text := x.src.of(t.stmt)
			out = append(out, candidate{"post " + word(t.stmt, 2) + " before anybody moves", []edit{x.src.remove(t), x.src.before(first, text)}})
		}
		if queue := fmt.Sprint(t.node, word(t.stmt, 1)); !done[queue] && x.ranDry() {
			done[queue] = true
			more := fmt.Sprintf("%s %s Rmore", word(t.stmt, 0), word(t.stmt, 1))
			out = append(out, candidate{"post one more receive on " + word(t.stmt, 1), []edit{x.src.before(first, more)}})
		}
	}
	return out
}

// firstStep returns the first statement of a node's main thread.
func (x *fixer) firstStep(node int) *scenario.Stmt {
	for _, s := range x.src.nodes[node].body {
		if t := (site{stmt: s}); t.isStep() {
			return s
		}
	}
	return nil
}

// ranDry reports whether in some run a message found no receive.
func (x *fixer) ranDry() bool {
	for i := range x.base.Properties {
		if r := x.base.Properties[i].Run; r != nil && slices.ContainsFunc(r.Events, func(e spec.Event) bool { return e.Text == "no receive posted" }) {
			return true
		}
	}
	return false
}

// flagEdits signal, fence or solicit a send.
func flagEdits(x *fixer) []candidate {
	var out []candidate
	for _, t := range x.programs() {
		w := x.wrOf(t)
		if w == nil || w.Recv || len(t.stmt.Items) < 4 {
			continue
		}
		add := func(title, flag string) {
			if at := t.stmt.Items[3].Tok.End; !has(t.stmt, flag) {
				out = append(out, candidate{title + " " + word(t.stmt, 2), []edit{{at, at, " " + flag}}})
			}
		}
		if !w.Signaled {
			add("signal", "SIGNALED")
		}
		add("fence", "FENCE")
		if slices.ContainsFunc(x.programs(), func(u site) bool { return word(u.stmt, 0) == "req_notify_cq" && has(u.stmt, "SOLICITED") }) {
			add("solicit an event for", "SOLICITED")
		}
	}
	return out
}

// queueEdits put on one queue what is on two: messages of two connections between
// the same nodes on one of them, completions of two CQs in one.
func queueEdits(x *fixer) []candidate {
	var out []candidate
	for i, a := range x.sc.Conns {
		for k, b := range x.sc.Conns {
			ends := [2][2]spec.QPRef{{a.A, b.A}, {a.B, b.B}}
			if a.A.Node != b.A.Node {
				ends = [2][2]spec.QPRef{{a.A, b.B}, {a.B, b.A}}
			}
			if i == k || ends[0][0].Node != ends[0][1].Node || ends[1][0].Node != ends[1][1].Node {
				continue
			}
			edits := append(x.onOtherQP(ends[0]), x.onOtherQP(ends[1])...)
			out = append(out, candidate{fmt.Sprintf("use %s for what goes over %s", x.qpName(a.A), x.qpName(b.A)), edits})
		}
	}
	if len(out) > 2 { // more than two connections: all on one
		out = append(out, x.onOneQP(out)...)
	}
	for _, t := range x.src.sites {
		if word(t.stmt, 0) != "qp" {
			continue
		}
		send, recv := attribute(t.stmt, "send_cq"), attribute(t.stmt, "recv_cq")
		if send != nil && recv != nil && word(send, 1) != word(recv, 1) {
			title := fmt.Sprintf("let %s use %s for both its queues", word(t.stmt, 1), word(send, 1))
			out = append(out, candidate{title, []edit{replaceToken(recv.Items[1].Tok, word(send, 1))}})
		}
	}
	return out
}

// onOneQP joins those of the candidates that move to the first connection.
func (x *fixer) onOneQP(moves []candidate) []candidate {
	to := x.qpName(x.sc.Conns[0].A)
	all := candidate{title: "use " + to + " for all"}
	for _, c := range moves {
		if strings.HasPrefix(c.title, "use "+to+" ") {
			all.edits = append(all.edits, c.edits...)
		}
	}
	return []candidate{all}
}

func (x *fixer) qpName(q spec.QPRef) string {
	return x.sc.Nodes[q.Node].Name + "." + x.sc.Nodes[q.Node].QPs[q.QP].Name
}

// onOtherQP posts to the first QP of a node what is posted to the second.
func (x *fixer) onOtherQP(q [2]spec.QPRef) []edit {
	n := &x.sc.Nodes[q[0].Node]
	var out []edit
	for _, t := range x.programs() {
		if w := word(t.stmt, 0); (w == "post_send" || w == "post_recv") && x.src.nodes[t.node].name == n.Name && word(t.stmt, 1) == n.QPs[q[1].QP].Name {
			out = append(out, replaceToken(t.stmt.Items[1].Tok, n.QPs[q[0].QP].Name))
		}
	}
	return out
}

// attribute returns the statement that sets an attribute in a declaration.
func attribute(s *scenario.Stmt, name string) *scenario.Stmt {
	for _, b := range blocks(s) {
		for _, a := range b.Stmts {
			if word(a, 0) == name {
				return a
			}
		}
	}
	return nil
}

// keyEdits take a key back, or empty a queue, before what needs that.
func keyEdits(x *fixer) []candidate {
	var out []candidate
	for _, t := range x.programs() {
		what := word(t.stmt, 1)
		before := func(texts ...string) {
			for _, text := range texts {
				out = append(out, candidate{text + " before " + words(t.stmt), []edit{x.src.before(t.stmt, text)}})
			}
		}
		switch word(t.stmt, 0) {
		case "free":
			before("dereg_mr "+what, "invalidate "+what)
			for _, q := range x.qpsOf(t) {
				before("drain_qp "+q, "drain_sq "+q)
			}
		case "dereg_mr", "invalidate":
			for _, q := range x.qpsOf(t) {
				before("drain_qp "+q, "drain_sq "+q)
			}
		case "destroy_qp":
			before("drain_qp "+what, "drain_sq "+what, "drain_rq "+what)
			at := x.src.before(t.stmt, "modify_qp "+what+" ERR")
			at.text += x.src.before(t.stmt, "get_async_event "+what+" LAST_WQE_REACHED").text
			out = append(out, candidate{"take " + what + " to ERR and wait for the last WQE before destroying it", []edit{at}})
		}
	}
	return out
}

// qpsOf lists the QPs of a site's node.
func (x *fixer) qpsOf(t site) []string {
	var out []string
	for i := range x.sc.Nodes {
		if n := &x.sc.Nodes[i]; n.Name == x.src.nodes[t.node].name {
			for _, q := range n.QPs {
				out = append(out, q.Name)
			}
		}
	}
	return out
}

// slotEdits make a queue one place deeper.
func slotEdits(x *fixer) []candidate {
	var out []candidate
	for _, t := range x.src.sites {
		if !slices.Contains([]string{"max_send_wr", "max_recv_wr", "max_wr", "depth"}, word(t.stmt, 0)) || len(t.outer) == 0 {
			continue
		}
		n, ok := x.number(word(t.stmt, 1))
		if !ok {
			continue
		}
		of := t.outer[len(t.outer)-1]
		title := fmt.Sprintf("%s %d instead of %d for %s", word(t.stmt, 0), n+1, n, word(of, 1))
		out = append(out, candidate{title, []edit{replaceToken(t.stmt.Items[1].Tok, strconv.Itoa(n+1))}})
	}
	return out
}

// number returns the value of a number or of a param that is one.
func (x *fixer) number(text string) (int, bool) {
	if v, ok := x.sc.ParamText[text]; ok {
		text = v
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// retryEdits let a QP try again for ever where a receive is late, and as often as
// it can where packets are lost.
func retryEdits(x *fixer) []candidate {
	var out []candidate
	for _, t := range x.src.sites {
		if word(t.stmt, 0) != "qp" || len(blocks(t.stmt)) == 0 {
			continue
		}
		for _, name := range []string{"rnr_retry", "retry_cnt"} {
			title := fmt.Sprintf("%s 7 for %s", name, word(t.stmt, 1))
			attrs := blocks(t.stmt)[0].Stmts
			switch a := attribute(t.stmt, name); {
			case a != nil && len(a.Items) > 1:
				out = append(out, candidate{title, []edit{replaceToken(a.Items[1].Tok, "7")}})
			case a == nil && len(attrs) > 0:
				out = append(out, candidate{title, []edit{x.src.after(attrs[len(attrs)-1], name+" 7")}})
			}
		}
	}
	return out
}
