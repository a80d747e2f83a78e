// Package scenario reads, checks and writes scenario files (.ibl) and turns
// them into [spec.Scenario].
//
// It knows the names and the shape of what can be written, not what any of it
// means: the rules are in package spec. Reading goes in three phases. The
// first reads any sequence of words, numbers, operators and blocks. The second
// lays the statement tables over it; the same tables drive formatting, help
// and completion, so adding a verb is adding a row. The third resolves names,
// folds params and writes out what is replicated.
//
// Its one law: every mistake of a file is reported in one run, with its
// position, and none that only follows from another.
package scenario
