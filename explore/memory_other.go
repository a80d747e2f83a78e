//go:build !linux

package explore

func mapBytes(n int) ([]byte, error) { return make([]byte, n), nil }

func unmapBytes([]byte) {}

// machineMemory returns a guess that is safe on a small machine.
func machineMemory() uint64 { return defaultMemory }
