package scenario

import "strings"

// joinTokens writes tokens in a row with the spaces that fmt puts between
// them.
func joinTokens(toks []Token) string {
	var b strings.Builder
	for i, t := range toks {
		if i > 0 && spaced(toks, i) {
			b.WriteByte(' ')
		}
		b.WriteString(t.Text)
	}
	return b.String()
}

// spaced reports whether a space stands between tokens i-1 and i. Tokens that
// would read differently without it keep it.
func spaced(toks []Token, i int) bool {
	prev, t := toks[i-1], toks[i]
	plain := func(t Token) bool { return t.Kind == Word || t.Kind == Int }
	switch {
	case t.is(",") || t.is(")") || t.is("]") || t.is(":"):
		return false
	case prev.is("(") || prev.is("["):
		return false
	case t.is("..") || t.is("|"):
		return !plain(prev) || i+1 == len(toks) || !plain(toks[i+1]) && !(signed(toks, i+1) && i+2 < len(toks))
	case prev.is("..") || prev.is("|"):
		return !plain(t) && !(signed(toks, i) && i+1 < len(toks)) || i < 2 || !plain(toks[i-2])
	case t.is("."):
		return !prev.is("]")
	case prev.is("."):
		return i < 2 || !toks[i-2].is("]") || t.Kind != Word
	case t.is("("):
		return prev.Kind != Word || !called(prev.Text)
	case t.is("["):
		return prev.Kind != Word || prev.Text == "sg"
	case signed(toks, i-1):
		return !plain(t)
	}
	return true
}

// signed reports whether token i is a "-" before a number rather than between
// two.
func signed(toks []Token, i int) bool {
	return toks[i].is("-") && (i == 0 || !operand(toks[i-1]) || toks[0].is("vary"))
}

// called reports whether a "(" after the word belongs to it.
func called(w string) bool {
	if r := lookup(InExpr|InFaults, w); r != nil {
		return strings.HasPrefix(r.Usage, "(")
	}
	return len(withPrefix(words(AsAllow), w+"(")) > 0
}

// operand reports whether an expression can end with the token, so that a "-"
// after it subtracts.
func operand(t Token) bool {
	if t.Kind == Int || t.is(")") || t.is("]") {
		return true
	}
	return t.Kind == Word && !t.is("in") && !goesOn[t.Text] && propPrefix[t.Text] == 0
}
