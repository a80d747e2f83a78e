//go:build !linux

package main

import (
	"os"
	"time"
)

// childPeak returns 0: only on Linux the unit of what the system says is known.
func childPeak(*os.ProcessState) uint64 { return 0 }

var started = time.Now()

// ownTime returns the time since the start, for want of a finer measure.
func ownTime() time.Duration { return time.Since(started) }
