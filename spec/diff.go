package spec

import (
	"fmt"
	"strings"
)

// diff lists what a step changed, in words: "host.q.sq [S1]→[]".
func (m *Model) diff(a, b *State) []string {
	var out []string
	add := func(name string, from, to any) {
		if f, t := fmt.Sprint(from), fmt.Sprint(to); f != t {
			out = append(out, fmt.Sprintf("%s %s→%s", name, f, t))
		}
	}
	for q := range a.QPs {
		x, y, n := &a.QPs[q], &b.QPs[q], m.qps[q].name
		add(n+".state", x.State, y.State)
		add(n+".sq", m.openSQ(a, q), m.openSQ(b, q))
		add(n+".rq", m.openRQ(a, q), m.openRQ(b, q))
		add(n+".nextPSN", x.Req.NextPSN, y.Req.NextPSN)
		add(n+".unackedPSN", x.Req.UnackedPSN, y.Req.UnackedPSN)
		add(n+".retriesLeft", x.Req.RetriesLeft, y.Req.RetriesLeft)
		add(n+".rnrRetriesLeft", x.Req.RNRLeft, y.Req.RNRLeft)
		add(n+".rnrWait", x.Req.RNRWait, y.Req.RNRWait)
		add(n+".ePSN", x.Rsp.EPSN, y.Rsp.EPSN)
		add(n+".executed", x.Rsp.XPSN, y.Rsp.XPSN)
		add(n+".nak", x.Rsp.NAK, y.Rsp.NAK)
		add(n+".owes", x.Rsp.NResp, y.Rsp.NResp)
	}
	for c := range a.CQs {
		add(m.cqs[c].name, m.names(a.CQs[c].WR[:a.CQs[c].N]), m.names(b.CQs[c].WR[:b.CQs[c].N]))
	}
	for v := range m.vars {
		add(m.vars[v].name, int(a.Env.Vars[v])+m.vars[v].lo, int(b.Env.Vars[v])+m.vars[v].lo)
	}
	return out
}

func (m *Model) names(wrs []uint8) string {
	list := make([]string, len(wrs))
	for i, w := range wrs {
		list[i] = m.wrs[w].name
	}
	return "[" + strings.Join(list, " ") + "]"
}

// openSQ lists the send WRs whose slots are not given back.
func (m *Model) openSQ(s *State, q int) string {
	r := &s.QPs[q].Req
	return m.names(r.SQ[r.Done:r.N])
}

func (m *Model) openRQ(s *State, q int) string {
	r := &s.QPs[q].Rsp.RQ
	return m.names(r.WR[r.CQE:r.N])
}
