package main

import (
	"os"
	"syscall"
	"time"
)

// childPeak returns the most memory that a finished process had, in bytes.
func childPeak(p *os.ProcessState) uint64 {
	if usage, ok := p.SysUsage().(*syscall.Rusage); ok {
		return uint64(usage.Maxrss) << 10
	}
	return 0
}

// ownTime returns the processor time that this process has used.
func ownTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
