// Package ibcheck checks scenarios of RDMA verbs programs: it explores every
// interleaving of requester, responder and verbs actions under a bounded
// number of faults and says which ordering properties hold.
package ibcheck

import "github.com/ibcheck/ibcheck/spec"

// Schema is the version of the JSON form of a [Report].
const Schema = "ibcheck/1"

// A Report is what one call of Check found. Its JSON form is documented in
// docs/language.md and stable: additions are allowed, changes raise Schema.
type Report struct {
	Schema    string           `json:"schema"`
	Scenarios []ScenarioReport `json:"scenarios"`
	Problems  []Problem        `json:"problems,omitempty"`
	Shard     string           `json:"shard,omitempty"` // "1/4": only every fourth file of a test, from the first on
	Exit      int              `json:"exit"`
}

// A Problem is what is wrong with a file beside its verdicts: why it could not be
// explored, or that its report is not the recorded one.
type Problem struct {
	File string `json:"file"`
	Pos  string `json:"pos,omitempty"` // "x.ibl:3:1", if the problem has a place in a file
	Text string `json:"text"`
	More string `json:"more,omitempty"` // lines that say more: a difference
	Exit int    `json:"exit"`           // the exit code that it deserves
}

// A ScenarioReport is the outcome of one scenario with one choice of params.
type ScenarioReport struct {
	File        string            `json:"file"`
	Name        string            `json:"name"`
	Params      map[string]string `json:"params,omitempty"` // of a variant
	Profile     string            `json:"profile"`
	Dials       map[string]string `json:"dials"`  // overrides of the profile
	Faults      map[string]int    `json:"faults"` // budgets: "drop(ACK)": 1
	Properties  []PropertyReport  `json:"properties"`
	Variants    []ScenarioReport  `json:"variants,omitempty"`
	States      uint64            `json:"states"`
	Transitions uint64            `json:"transitions"`
	Depth       int               `json:"depth"`
	Reduced     []string          `json:"reduced,omitempty"`      // kinds of eager steps that the search took alone
	NotShortest bool              `json:"not_shortest,omitempty"` // a limit came before all runs shown were known to be shortest
	Simulated   *Simulation       `json:"simulated,omitempty"`    // random runs were tried; nothing was explored
	Exact       bool              `json:"exact"`                  // every state stored whole
	Complete    bool              `json:"complete"`               // no limit stopped the search
	Stopped     string            `json:"stopped,omitempty"`
	Seconds     float64           `json:"seconds"`
	StatesBy    []uint64          `json:"states_by_faults"`       // states first met with 0, 1, … faults
	CompleteTo  int               `json:"complete_faults"`        // all behaviours with at most this many faults were explored; -1: none
	OrderMatrix []string          `json:"order_matrix,omitempty"` // as OrderMatrix returns it, where it was asked for
	NeverFired  []string          `json:"rules_never_exercised,omitempty"`
	Budgets     []Budget          `json:"budgets,omitempty"`
	Bounds      []string          `json:"bounds_hit,omitempty"` // model bounds that cut behaviours
	Posted      map[string]string `json:"posted,omitempty"`     // where each WR is posted: "S1": "x.ibl:13:3"
}

// A Budget is a fault budget and the most of it that any run used.
type Budget struct {
	Name string `json:"name"`
	Max  int    `json:"max"`
	Used int    `json:"used"`
}

// A PropertyReport is the verdict of one property.
type PropertyReport struct {
	Name       string      `json:"name"`
	Kind       string      `json:"kind"`     // assert, reach, builtin, sanitizer
	Property   string      `json:"property"` // source text
	Pos        string      `json:"pos,omitempty"`
	Verdict    string      `json:"verdict"` // holds, violated, reachable, unreachable, unknown
	Why        string      `json:"why,omitempty"`
	Expect     string      `json:"expect,omitempty"`
	AsExpected bool        `json:"as_expected"`
	Vacuous    string      `json:"vacuous,omitempty"` // why it says nothing, "" if it does
	Faults     int         `json:"faults"`            // fewest faults of the trace
	Steps      int         `json:"steps"`             // rows of the ladder up to the break
	Actions    int         `json:"actions,omitempty"` // model actions up to the break
	Met        *Meeting    `json:"met,omitempty"`     // how a simulation came by the run
	Token      string      `json:"token,omitempty"`
	Trace      []TraceStep `json:"trace,omitempty"`
	Run        *spec.Run   `json:"-"`                // the trace in words, for drawing
	Breaks     string      `json:"breaks,omitempty"` // what broke, in words: "R2 completed, S1 still open"
	Bars       []string    `json:"-"`                // WRs the property names
	Drawing    string      `json:"ladder,omitempty"` // the run as text, filled in by WriteJSON

	Explanation *Explanation `json:"explanation,omitempty"` // of a violation
}

// A TraceStep is one row of a ladder.
type TraceStep struct {
	Step   int         `json:"step"`
	Cause  int         `json:"cause,omitempty"` // step that made it possible, 0 if none
	Lane   string      `json:"lane"`            // "host app", "host HCA", "wire"
	Action string      `json:"action"`
	WR     string      `json:"wr,omitempty"` // the WR it is about
	Fault  string      `json:"fault,omitempty"`
	Packet *PacketJSON `json:"packet,omitempty"`
	CQE    *CQEJSON    `json:"cqe,omitempty"`
}

// A PacketJSON is the packet of a TraceStep.
type PacketJSON struct {
	Opcode   string `json:"opcode"`
	PSN      string `json:"psn"`
	Src      string `json:"src"`
	Dst      string `json:"dst"`
	AckReq   bool   `json:"ackreq,omitempty"`
	Syndrome string `json:"syndrome,omitempty"`
	MSN      int    `json:"msn,omitempty"`
}

// A CQEJSON is the completion of a TraceStep.
type CQEJSON struct {
	WR     string `json:"wr"`
	Status string `json:"status"`
	CQ     string `json:"cq"`
}
