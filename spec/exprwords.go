package spec

import "fmt"

// Words writes an expression as the language does.
func Words(e *Expr) string {
	switch e.Op {
	case ExprInt:
		return fmt.Sprint(e.Int)
	case ExprAtom:
		return e.Atom.Text
	case ExprNot:
		return "not " + Words(e.Kids[0])
	case ExprNeg:
		return "-" + Words(e.Kids[0])
	case ExprOnce, ExprPrev, ExprHistorically:
		return map[ExprOp]string{ExprOnce: "once", ExprPrev: "prev", ExprHistorically: "historically"}[e.Op] + "(" + Words(e.Kids[0]) + ")"
	}
	return "(" + Words(e.Kids[0]) + " " + operators[e.Op] + " " + Words(e.Kids[1]) + ")"
}

var operators = map[ExprOp]string{ExprAnd: "and", ExprOr: "or", ExprImplies: "=>", ExprEq: "==", ExprNe: "!=",
	ExprLt: "<", ExprLe: "<=", ExprGt: ">", ExprGe: ">=", ExprAdd: "+", ExprSub: "-", ExprSince: "since"}
