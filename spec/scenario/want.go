package scenario

import "strings"

// cursorWord stands in the text where the cursor is when candidates are asked
// for: no name and no word of the language is like it.
const cursorWord = "cursor0here"

// A want is what the tables or the grammar of expressions want at the cursor.
// One of the fields says what; the others belong to it.
type want struct {
	in       Where   // a statement or option of this place
	beside   []*Stmt // in: the statements of its block
	given    []*call // in: the options that are there already
	lit      string  // a word as it is
	arg      argKind // an argument
	label    string  // arg: the literal before it; the name before "(" in allow
	call     *call   // in, arg: the call it belongs to
	op       argKind // an operator: of a property (aProp) or an expression
	prefixed bool    // op: the property has its operator, always or so
	compared *expr   // something to compare with this
	function *Row    // an argument of this function
	n        int     // function: the n-th, from 0
	valueOf  string  // a value of this param, dial or budget
	fieldOf  string  // a field of this thing
}

// want notes what is wanted if the cursor is here.
func (m *matcher) want(c *cursor, w want) {
	if m.wants == nil || c.done() || c.block() != nil || !strings.Contains(c.peek().Text, cursorWord) {
		return
	}
	*m.wants = append(*m.wants, w)
}
