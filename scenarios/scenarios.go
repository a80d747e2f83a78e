// Package scenarios is the catalogue: scenarios of real questions and real
// bugs, one folder a group, with the verdicts they are known to have. It is
// part of the program, so that they can be listed, read and run without the
// sources.
package scenarios

import "embed"

// Files holds the catalogue as GROUP/NAME.ibl.
//
//go:embed */*.ibl
var Files embed.FS
