package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// About tells what a thing is, one sentence a line: of a WR its life. It is
// empty if the file's mistakes leave nothing to tell.
func (f *File) About(t *Thing) []string {
	b := f.look().base
	if b == nil || len(t.syms) == 0 {
		return nil
	}
	y := t.syms[0]
	switch t.kind {
	case symParam:
		return []string{fmt.Sprintf("%s unless a variant says otherwise; its values: %s", f.value(t.Name), strings.Join(f.values[t.Name], ", "))}
	case symNode:
		return b.aboutNode(y, len(t.syms))
	case symCQ:
		return b.aboutCQ(y)
	case symQP:
		return b.aboutQP(y)
	case symSRQ:
		return b.aboutSRQ(y)
	case symMR:
		return b.aboutMR(y)
	case symVar:
		v := b.sc.Nodes[y.node].Vars[y.index]
		return []string{fmt.Sprintf("%d at first, in %d..%d", v.Init, v.Lo, v.Hi)}
	case symOOB:
		return b.aboutChannel(y)
	case symProp:
		return b.aboutProperty(y.name)
	case symWR:
		return b.aboutWR(y)
	}
	return nil
}

// value returns the value that the file gives a param.
func (f *File) value(name string) string {
	for _, p := range f.params {
		if p.name.Text == name {
			return p.value.Text
		}
	}
	return ""
}

// count writes a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// listed joins words, "none" if there are none.
func listed(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}

func (b *builder) aboutNode(y *sym, count int) []string {
	s := b.nodes[y.index].scope
	var out []string
	if count > 1 {
		out = append(out, fmt.Sprintf("one of %d alike", count))
	}
	return append(out, fmt.Sprintf("qps: %s; cqs: %s; mrs: %s", listed(s.names(symQP)), listed(s.names(symCQ)), listed(s.names(symMR))),
		"posts "+listed(s.names(symWR)))
}

func (b *builder) aboutCQ(y *sym) []string {
	n := &b.sc.Nodes[y.node]
	var sends, recvs []string
	for _, q := range n.QPs {
		if q.SendCQ == y.index {
			sends = append(sends, q.Name)
		}
		if q.RecvCQ == y.index {
			recvs = append(recvs, q.Name)
		}
	}
	c := n.CQs[y.index]
	depth := "deep enough for everything posted"
	if c.Depth > 0 {
		depth = fmt.Sprintf("depth %d", c.Depth)
	}
	if c.Channel >= 0 {
		depth += ", events to " + n.CompChannels[c.Channel].Name
	}
	return []string{depth, fmt.Sprintf("completions of sends on: %s; of receives on: %s", listed(sends), listed(recvs)), b.pollersOf(y.node, y.index)}
}

// pollersOf says who polls a cq.
func (b *builder) pollersOf(node, cq int) string {
	n := &b.sc.Nodes[node]
	var who []string
	note := func(name string, body []spec.Stmt) {
		walkStmts(body, func(s *spec.Stmt) {
			if (s.Op == spec.OpPollCQ || s.Op == spec.OpDrain) && (s.CQ == cq || s.CQ == spec.EventCQ) && !slices.Contains(who, name) {
				who = append(who, name)
			}
		})
	}
	for i, t := range n.Threads {
		if name := "thread " + t.Name; i == 0 {
			note("the main thread", t.Body)
		} else {
			note(name, t.Body)
		}
	}
	for _, h := range n.Handlers {
		note("a handler in line "+fmt.Sprint(h.Pos.Line), h.Body)
	}
	if len(who) == 0 {
		return "polled by its implicit poller, in order"
	}
	return "polled by " + strings.Join(who, ", ")
}

// walkStmts calls f for statements and those within.
func walkStmts(stmts []spec.Stmt, f func(*spec.Stmt)) {
	for i := range stmts {
		f(&stmts[i])
		for _, body := range append(slices.Clip(stmts[i].Alts), stmts[i].Body, stmts[i].Else) {
			walkStmts(body, f)
		}
	}
}

func (b *builder) aboutQP(y *sym) []string {
	n := &b.sc.Nodes[y.node]
	q := n.QPs[y.index]
	peer := "not connected"
	if p, ok := b.peers[spec.QPRef{Node: y.node, QP: y.index}]; ok {
		peer = "connected with " + b.qpName(p)
	}
	cqs := "sends complete in " + cqName(n, q.SendCQ) + ", receives in " + cqName(n, q.RecvCQ)
	if q.SRQ >= 0 {
		cqs += ", receives come from srq " + n.SRQs[q.SRQ].Name
	}
	return []string{peer, cqs, fmt.Sprintf("%s at first; retry_cnt %d, rnr_retry %d, timeout %d, path_mtu %d", q.State, q.RetryCnt, q.RNRRetry, q.Timeout, q.MTU)}
}

func cqName(n *spec.Node, i int) string {
	if i < 0 {
		return "no cq"
	}
	return n.CQs[i].Name
}

func (b *builder) aboutSRQ(y *sym) []string {
	n := &b.sc.Nodes[y.node]
	var qps []string
	for _, q := range n.QPs {
		if q.SRQ == y.index {
			qps = append(qps, q.Name)
		}
	}
	return []string{"receives for " + listed(qps)}
}

func (b *builder) aboutMR(y *sym) []string {
	m := b.sc.Nodes[y.node].MRs[y.index]
	var access []string
	for _, a := range []struct {
		has  bool
		name string
	}{{m.RemoteWrite, "REMOTE_WRITE"}, {m.RemoteRead, "REMOTE_READ"}, {m.RemoteAtomic, "REMOTE_ATOMIC"}, {m.Relaxed, "RELAXED_ORDERING"}} {
		if a.has {
			access = append(access, a.name)
		}
	}
	out := []string{fmt.Sprintf("%s in %s, holds %d at first; access from outside: %s", count(m.Length, "byte"), count(m.Units, "unit"), m.Init, listed(access))}
	var local, remote []string
	for _, w := range b.sc.WRs {
		if w.Node == y.node && (slices.Contains(w.SGE, y.index) || w.Local == y.index) {
			local = append(local, w.Name)
		}
		if w.Remote == (spec.MRRef{Node: y.node, MR: y.index}) {
			remote = append(remote, w.Name)
		}
	}
	return append(out, fmt.Sprintf("used by own WRs: %s; by those of peers: %s", listed(local), listed(remote)))
}

func (b *builder) aboutChannel(y *sym) []string {
	c := b.sc.Channels[y.index]
	if c.From < 0 || c.To < 0 {
		return nil
	}
	return []string{fmt.Sprintf("from %s to %s; messages: %s", b.sc.Nodes[c.From].Name, b.sc.Nodes[c.To].Name, listed(c.Messages))}
}

func (b *builder) aboutProperty(name string) []string {
	p, _ := b.property(name)
	if p == nil {
		return nil
	}
	expect := "no verdict is expected"
	if p.Expect != "" {
		expect = "expected: " + p.Expect
	}
	if p.ExpectFaults >= 0 {
		expect += ", with " + count(p.ExpectFaults, "fault")
	}
	return []string{"`" + p.Text + "`", expect}
}
