package scenario

import (
	"fmt"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// Where says where a word may stand; a row may name several places.
type Where uint32

// The places.
const (
	InFile     Where = 1 << iota // top level
	InLitmus                     // litmus { }
	InNode                       // node { }, declarations; program statements may stand there too
	InProgram                    // main thread, thread, handler, poll body
	InCQ                         // cq { }
	InQP                         // qp { }
	InSRQ                        // srq { }
	InMR                         // mr { }
	InAssume                     // assume { }
	InFaults                     // faults { }
	InVariant                    // check with { }
	InSend                       // after a post_send
	InRecv                       // after a post_recv or post_srq_recv
	InNotify                     // after a req_notify_cq
	AsOpcode                     // opcode of a post_send
	AsAccess                     // access flag of an mr
	AsStatus                     // status of a completion
	AsWCOpcode                   // opcode of a completion
	AsState                      // state of a QP
	AsEvent                      // asynchronous event
	AsType                       // qp_type
	AsClass                      // packet class of a fault budget
	AsAllow                      // sanitizer that allow turns off
	AsProfile                    // profile
	AsVerdict                    // after expect
	InExpr                       // function or operator of an expression
	OfWR                         // WR.field
	OfCQ                         // cq.field
	OfQP                         // qp.field
	OfMR                         // mr.field
	OfWC                         // wc.field, in a poll body
)

// whereNames gives the places in words, in the order of their bits.
var whereNames = []string{"at the top level", "in litmus", "in a node", "in a program", "in a cq", "in a qp", "in an srq", "in an mr",
	"in assume", "in faults", "in check with", "after a post_send", "after a post_recv", "after req_notify_cq", "as an opcode", "as an access flag",
	"as a status", "as an opcode of a completion", "as a QP state", "as an asynchronous event", "as a qp_type", "as a packet class", "in allow",
	"as a profile", "after expect", "in an expression", "of a WR", "of a cq", "of a qp", "of an mr", "of a completion"}

// String names the places in words.
func (w Where) String() string {
	var parts []string
	for i, n := range whereNames {
		if w&(1<<i) != 0 {
			parts = append(parts, n)
		}
	}
	return strings.Join(parts, ", ")
}

// A Row says all that is known of one word in one place. The rows drive
// checking, formatting, help, completion and the documentation.
type Row struct {
	Word  string // canonical
	Also  string // other spellings in this place, separated by blanks
	In    Where
	Usage string // its arguments, in the notation of usage.go
	Doc   string // one line
	Fact  string // clause or fact behind it, "" if none

	declares symKind // what a NAME in Usage declares
	op       spec.Op // InProgram: the statement it is
	flags    rowFlag
	field    any       // what a field or function asks: an AtomKind or WRField
	lo, hi   int       // bounds of an INT argument, if hi > 0
	options  Where     // the OPTIONS of Usage
	body     Where     // where the statements of its blocks stand; 0: where it stands itself
	takes    string    // AsOpcode: the options that have a meaning for it
	must     string    // AsOpcode: the options that may not be missing
	pattern  []element // Usage compiled
}

type rowFlag uint8

const (
	blocks   rowFlag = 1 << iota // may have to wait
	noAtomic                     // may not stand in atomic at all
	polls                        // takes completions from a CQ
	many                         // may be given several times in one block
	boolean                      // its INT is false or true
)

// argument kinds, by the placeholder that stands for them in a Usage.
type argKind string

const (
	aName     argKind = "NAME"         // a new name
	aWR       argKind = "WR"           // a WR's name
	aCQ       argKind = "CQ"           // a cq of the node
	aQP       argKind = "QP"           // a qp of the node
	aSRQ      argKind = "SRQ"          // an srq of the node
	aMR       argKind = "MR"           // an mr of the node
	aCh       argKind = "COMP_CHANNEL" // a comp_channel of the node
	aVar      argKind = "VAR"          // a var of the node
	aLock     argKind = "LOCK"         // a lock of the node
	aOOB      argKind = "CHANNEL"      // a channel of the file
	aMessage  argKind = "MESSAGE"      // a message on such a channel
	aNode     argKind = "NODE"         // a node
	aPeer     argKind = "NODE.QP"      // a qp by its node
	aRemote   argKind = "NODE.MR"      // an mr by its node
	aMRs      argKind = "[MR,…]"       // mrs of the node, in order
	aDone     argKind = "X.wc"         // X.wc, X a WR or a cq
	aObject   argKind = "OBJECT"       // a qp, cq or srq
	aInt      argKind = "INT"          // a number or a param
	aValue    argKind = "VALUE"        // a number, a word or a param
	aString   argKind = "STRING"       // a string
	aExpr     argKind = "EXPR"         // an expression
	aProp     argKind = "PROP"         // a property
	aWord     argKind = "WORD"         // any word
	aOpcode   argKind = "OPCODE"       // an opcode and its own arguments
	aState    argKind = "STATE"        // a QP state
	aEvent    argKind = "EVENT"        // an asynchronous event
	aType     argKind = "TYPE"         // a QP type
	aAccess   argKind = "ACCESS"       // an access flag
	aVerdict  argKind = "VERDICT"      // an expected verdict
	aClass    argKind = "CLASS"        // a packet class or a WR
	aAllow    argKind = "CHECK"        // a sanitizer
	aBindings argKind = "BINDINGS"     // x = v, y = w
	aAxes     argKind = "AXES"         // what vary varies
	aAs       argKind = "WC"           // a name for the completion in the block
	aAsCQ     argKind = "CQNAME"       // a name for the cq whose event came
	aKey      argKind = "KEY"          // an mr of the node or of the peer, as the opcode asks
	aDecl     argKind = "DECLARATION"  // a declaration
	aOptions  argKind = "OPTIONS"      // options of the row, in any order
)

// argWords says what a placeholder wants, for messages.
var argWords = map[argKind]string{aName: "a name", aWR: "a name for the WR", aCQ: "a cq", aQP: "a qp", aSRQ: "an srq", aMR: "an mr",
	aCh: "a comp_channel", aVar: "a var", aLock: "a name for the lock", aOOB: "a channel", aMessage: "a name for the message", aNode: "a node",
	aPeer: "a qp as NODE.QP", aRemote: "an mr as NODE.MR", aMRs: "a list of mrs: [MR, …]", aDone: "WR.wc or CQ.wc", aObject: "a qp, cq or srq",
	aInt: "a number", aValue: "a value", aString: "a string", aExpr: "an expression", aProp: "a property", aWord: "a word", aOpcode: "an opcode",
	aState: "a QP state", aEvent: "an asynchronous event", aType: "a QP type", aAccess: "an access flag", aVerdict: "an expected verdict",
	aClass: "a packet class or a WR", aAllow: "the name of a sanitizer", aBindings: "PARAM = VALUE", aAxes: "what to vary and its values",
	aAs: "a name for the completion", aAsCQ: "a name for the cq", aKey: "an mr", aDecl: "a declaration", aOptions: "an option"}

// argPlaces says in which table the words for a placeholder are.
var argPlaces = map[argKind]Where{aOpcode: AsOpcode, aState: AsState, aEvent: AsEvent, aType: AsType, aAccess: AsAccess, aVerdict: AsVerdict}

// An element is a piece of a pattern.
type element struct {
	lit   string    // a word or operator to be found as it is
	arg   argKind   // an argument
	list  bool      // one or more of it, separated by commas
	block bool      // a block
	opt   []element // may be missing as a whole
	rep   bool      // opt: any number of times
}

// compile turns a usage into a pattern. A usage is a sequence, separated by
// blanks, of
//
//	UPPER      an argument of that kind; "UPPER,…" a list of them
//	{…}        a block
//	[ x y ]    x y or nothing; "[ x y ]…" any number of times
//	other      itself
func compile(usage string) []element {
	words := strings.Fields(usage)
	pattern, rest := compileSeq(words)
	if len(rest) > 0 {
		panic(fmt.Sprintf("scenario: usage %q: unmatched ]", usage))
	}
	return pattern
}

func compileSeq(words []string) (out []element, rest []string) {
	for len(words) > 0 {
		w := words[0]
		words = words[1:]
		name, list := strings.CutSuffix(w, ",…")
		switch {
		case w == "[":
			var e element
			e.opt, words = compileSeq(words)
			e.rep = words[0] == "]…"
			words = words[1:]
			out = append(out, e)
		case w == "]" || w == "]…":
			return out, append([]string{w}, words...)
		case w == "{…}":
			out = append(out, element{block: true})
		case argWords[argKind(name)] != "":
			out = append(out, element{arg: argKind(name), list: list})
		default:
			out = append(out, element{lit: w})
		}
	}
	return out, nil
}

// hasBlock reports whether a pattern cannot do without a block.
func hasBlock(pattern []element) bool {
	for _, e := range pattern {
		if e.block {
			return true
		}
	}
	return false
}

// Bounds returns the bounds of the number that a row takes; ok is false if it
// takes none, or true and false.
func (r *Row) Bounds() (lo, hi int, ok bool) {
	return r.lo, r.hi, r.hi > 0 && strings.Contains(r.Usage, "INT") && r.flags&boolean == 0
}

// rows is the whole table.
var rows = func() []*Row {
	var out []*Row
	add := func(in Where, list []Row) {
		for i := range list {
			r := &list[i]
			r.In |= in
			r.pattern = compile(r.Usage)
			out = append(out, r)
		}
	}
	add(0, fileRows)
	add(0, nodeRows)
	add(0, qpRows)
	add(0, programRows)
	add(0, optionRows)
	add(AsOpcode, opcodeRows)
	add(0, faultRows)
	add(InExpr, exprRows)
	add(0, fieldRows)
	add(0, fixedRows)
	add(0, specRows())
	return out
}()

// byWord finds rows by word and other spelling.
var byWord = func() map[string][]*Row {
	m := map[string][]*Row{}
	for _, r := range rows {
		m[r.Word] = append(m[r.Word], r)
		for _, w := range strings.Fields(r.Also) {
			m[w] = append(m[w], r)
		}
	}
	return m
}()

// Table returns the rows of the language, in the order of their presentation.
// Callers must not change them.
func Table() []*Row { return rows }

// Doc returns the rows of a word, in whatever places it may stand; any
// spelling will do. It is nil if the language has no such word.
func Doc(word string) []*Row { return byWord[shortName(word)] }

// lookup returns the row of word at a place, or nil.
func lookup(in Where, word string) *Row {
	for _, r := range byWord[word] {
		if r.In&in != 0 {
			return r
		}
	}
	return nil
}

// words lists the words that may stand at a place.
func words(in Where) []string {
	var out []string
	for _, r := range rows {
		if r.In&in != 0 {
			out = append(out, r.Word)
		}
	}
	return out
}

const anyBody = InFile | InNode | InProgram

// isStatement reports whether word begins a statement of a file, node or
// program.
func isStatement(word string) bool { return lookup(anyBody, word) != nil }

// topOnly reports whether word begins statements of the top level only.
func topOnly(word string) bool {
	for _, r := range byWord[word] {
		if r.In&InFile == 0 || r.In&InNode != 0 {
			return false
		}
	}
	return byWord[word] != nil
}

// alwaysBlock reports whether word needs a block wherever it stands.
func alwaysBlock(word string) bool {
	for _, r := range byWord[word] {
		if !hasBlock(r.pattern) && r.In&anyBody != 0 {
			return false
		}
	}
	return isStatement(word)
}

// prefixes are what libibverbs and the kernel put before names, longest first.
var prefixes = []string{"IBV_EVENT_", "IB_EVENT_", "IBV_ACCESS_", "IB_ACCESS_", "IBV_SEND_", "IB_SEND_", "IBV_QPT_", "IB_QPT_", "IBV_QPS_", "IB_QPS_",
	"IBV_MTU_", "IB_MTU_", "IBV_WR_", "IB_WR_", "IBV_WC_", "IB_WC_", "IB_CQ_", "IBV_", "IB_", "ibv_", "ib_"}

// shortName strips the prefix of libibverbs or the kernel from a name the
// language has: post_send for ibv_post_send, SEND for IB_WR_SEND. Other words
// come back as they are.
func shortName(word string) string {
	for _, p := range prefixes {
		rest, ok := strings.CutPrefix(word, p)
		if !ok {
			continue
		}
		if strings.HasSuffix(p, "EVENT_") {
			if r, ok := strings.CutPrefix(rest, "QP_"); ok && byWord[r] != nil {
				return r
			}
		}
		if byWord[rest] != nil || strings.HasSuffix(p, "MTU_") {
			return rest
		}
	}
	return word
}
