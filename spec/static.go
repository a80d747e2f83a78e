package spec

// In most scenarios one thread posts to a queue, in straight line: the order of
// the queue is then known beforehand, and how many are posted tells all of it.

// A fixedOrder is the WR instances of a queue in the only order in which they
// can be posted; nil when there are several.
type fixedOrder []uint8

// sendOrder, recvOrder and srqOrder return the posting order of a queue.
func (c *compiler) sendOrder(q int) fixedOrder {
	return c.order(func(w *wrConf) bool { return w.qp == q && !w.recv })
}

func (c *compiler) recvOrder(q int) fixedOrder {
	if c.qps[q].srq >= 0 {
		return nil // its list is what its messages took from the SRQ
	}
	return c.order(func(w *wrConf) bool { return w.qp == q && w.recv })
}

func (c *compiler) srqOrder(i int) fixedOrder {
	return c.order(func(w *wrConf) bool { return w.srq == i })
}

// order finds the posting order of the WRs that belong to a queue.
func (c *compiler) order(belongs func(w *wrConf) bool) fixedOrder {
	var all fixedOrder
	for i := range c.wrs {
		if belongs(&c.wrs[i]) {
			all = append(all, uint8(i))
		}
	}
	if len(all) <= 1 {
		return all
	}
	var list fixedOrder
	next := make([]int, len(c.sites))
	post := func(site int) {
		if k := c.sites[site].first + next[site]; next[site] < c.sites[site].n && belongs(&c.wrs[k]) {
			list = append(list, uint8(k))
			next[site]++
		}
	}
	for _, p := range c.setup {
		post(p.site)
	}
	straight := 0
	for t := range c.threads {
		if !c.posts(t, belongs) {
			continue
		}
		if straight++; straight > 1 || !c.straightLine(t, post) {
			return nil
		}
	}
	if len(list) != len(all) {
		return nil
	}
	return list
}

// posts reports whether a thread posts to the queue.
func (c *compiler) posts(t int, belongs func(w *wrConf) bool) bool {
	found := false
	for i := range c.threads[t].code {
		eachPost(&c.threads[t].code[i], func(site int) { found = found || belongs(&c.wrs[c.sites[site].first]) })
	}
	return found
}

// eachPost calls f for the sites that an instruction posts.
func eachPost(in *instr, f func(site int)) {
	if in.op == iStmt && (in.st == OpPostSend || in.st == OpPostRecv) {
		f(in.site)
	}
	for i := range in.body {
		eachPost(&in.body[i], f)
	}
	for i := range in.els {
		eachPost(&in.els[i], f)
	}
}

// straightLine follows a thread that never branches and never repeats, and
// calls post for its posts; it reports whether the thread is such a one. A post
// that fails leaves a gap, so queues that can be full have no fixed order.
func (c *compiler) straightLine(t int, post func(site int)) bool {
	th := &c.threads[t]
	pc := th.start
	for n := 0; pc != 0; n++ {
		in := &th.code[pc]
		if n > len(th.code) || in.op != iStmt || in.st == OpAtomic || in.alt != 0 {
			return false
		}
		eachPost(in, post)
		pc = in.next
	}
	return true
}

// mayFail reports whether posts to a queue can fail and the program go on.
func (c *compiler) mayFail() bool {
	return c.allowed[BadSQ] || c.allowed[BadRQ] || c.allowed[BadSRQ] || c.allowed[BadState] || c.allowed[BadSQLeak]
}
