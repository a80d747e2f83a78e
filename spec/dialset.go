package spec

import (
	"fmt"
	"strconv"
	"strings"
)

// dials are the dial values in the form the rules read.
type dials struct {
	ackBeforeCQE, ackAfterCQE bool
	ackFirst                  bool
	coalesce                  int // most ACKs merged into one; 0: no limit
	dupOwn, dupFree           bool
	ackreqLast, ackreqPerWR   bool
	cqeDelay                  bool
	laxRead                   bool
	readAnyTime               bool
	placementFree             bool
	invStrict                 bool
	rnrCountsAsNAK            bool
	olderWait                 bool
	sqFirst, rqFirst          bool
	ackedFlush, ackedFree     bool
	srqFIFO                   bool
	purges, purgesFree        bool
	lastWQE                   bool
	missedReport              bool
	sendErrorSolicited        bool
	recvErrorSolicited        bool
	retry7Infinite            bool
	sharedCPU                 bool
	liftFirst, atomicAgain    bool
	rearmLoses, staleArm      bool
}

// ResolveDials returns the value of every dial under a profile ("" is the
// default one) with overrides, or an error that names the bad word.
func ResolveDials(profile string, overrides map[string]string) (map[string]string, error) {
	p := FindProfile(profile)
	if p == nil {
		return nil, fmt.Errorf("no profile named %q (profiles: %s)", profile, strings.Join(profileNames(), ", "))
	}
	vals := map[string]string{}
	for _, d := range Dials {
		vals[d.Name] = d.IBA
		if p.Name == "arrival_order" {
			vals[d.Name] = d.ArrivalOrder
		} else if v, ok := p.Dials[d.Name]; ok {
			vals[d.Name] = v
		}
	}
	for k, v := range overrides {
		d := FindDial(k)
		if d == nil {
			return nil, fmt.Errorf("no dial named %q", k)
		}
		if !d.Allows(v) {
			return nil, fmt.Errorf("dial %s cannot be %q (values: %s)", k, v, strings.Join(d.Values, ", "))
		}
		vals[k] = v
	}
	return vals, nil
}

// FindProfile returns the profile of that name ("" is the default one), or nil.
func FindProfile(name string) *Profile {
	if name == "" {
		return &Profiles[0]
	}
	for i := range Profiles {
		if Profiles[i].Name == name {
			return &Profiles[i]
		}
	}
	return nil
}

// FindDial returns the dial of that name, or nil.
func FindDial(name string) *Dial {
	for i := range Dials {
		if Dials[i].Name == name {
			return &Dials[i]
		}
	}
	return nil
}

// Allows reports whether v is a value of the dial.
func (d *Dial) Allows(v string) bool {
	for _, x := range d.Values {
		if x == v {
			return true
		}
	}
	n, err := strconv.Atoi(v)
	return d.Number && err == nil && n > 0
}

// Covers reports whether value v leaves an implementation at least the freedom
// that w does: every run under w is one under v. The value of profile iba does,
// where it differs from that of the kindest HCA, for it takes every freedom.
func (d *Dial) Covers(v, w string) bool {
	if v == w || v == "free" || v == d.IBA && d.IBA != d.ArrivalOrder {
		return true
	}
	m, err1 := strconv.Atoi(strings.Replace(v, "none", "1", 1))
	n, err2 := strconv.Atoi(strings.Replace(w, "none", "1", 1))
	return d.Number && err1 == nil && err2 == nil && m >= n
}

func profileNames() []string {
	var names []string
	for _, p := range Profiles {
		names = append(names, p.Name)
	}
	return names
}

func dialsOf(v map[string]string) dials {
	is := func(name, value string) bool { return v[name] == value }
	d := dials{
		ackBeforeCQE: is("ack.order_vs_recv_cqe", "before"), ackAfterCQE: is("ack.order_vs_recv_cqe", "after"),
		ackFirst: is("ack.order_vs_own_requests", "ack_first"),
		dupOwn:   is("ack.on_duplicate", "own"), dupFree: is("ack.on_duplicate", "free"),
		ackreqLast: is("ackreq", "last"), ackreqPerWR: is("ackreq", "per_wr"),
		cqeDelay: is("requester.cqe_delay", "free"), laxRead: is("requester.lax_read", "on"),
		readAnyTime: is("read.fetch", "any_time"), placementFree: is("placement", "free"),
		invStrict: is("fence.local_inv", "strict"), rnrCountsAsNAK: is("rnr.counts_as_nak", "yes"),
		olderWait: is("error.older_first", "wait"),
		sqFirst:   is("error.queue_order", "sq_first"), rqFirst: is("error.queue_order", "rq_first"),
		ackedFlush: is("error.acked_unreported", "flush"), ackedFree: is("error.acked_unreported", "free"),
		srqFIFO: is("srq.fifo", "yes"), purges: is("destroy.purges_cqes", "yes"), purgesFree: is("destroy.purges_cqes", "free"),
		lastWQE: is("event.last_wqe", "raised"), missedReport: is("cq.missed_report", "supported"),
		sendErrorSolicited: is("cq.error_is_solicited", "yes"), recvErrorSolicited: !is("cq.error_is_solicited", "no"),
		retry7Infinite: is("retry_cnt_7", "infinite"),
		sharedCPU:      is("hca.cpu", "shared"),
		liftFirst:      is("fence.lift", "first_read"), atomicAgain: is("atomic.saved", "no"),
		rearmLoses: is("cq.rearm", "loses"), staleArm: is("cq.arm_index", "stale"),
	}
	switch c := v["ack.coalesce"]; c {
	case "none":
		d.coalesce = 1
	case "unbounded":
		d.coalesce = 0
	default:
		d.coalesce, _ = strconv.Atoi(c) // Allows has checked it
	}
	return d
}
