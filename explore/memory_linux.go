package explore

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

func mapBytes(n int) ([]byte, error) {
	b, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, err
	}
	if n >= hugePage {
		// A kernel without huge pages refuses; the memory is as good.
		_ = unix.Madvise(b, unix.MADV_HUGEPAGE)
	}
	return b, nil
}

func unmapBytes(b []byte) {
	// It fails only for memory that mapBytes did not return.
	_ = unix.Munmap(b)
}

// machineMemory returns the bytes of memory this process may use.
func machineMemory() uint64 {
	var info unix.Sysinfo_t
	total := uint64(defaultMemory)
	if err := unix.Sysinfo(&info); err == nil {
		total = uint64(info.Totalram) * uint64(info.Unit)
	}
	// In a container the limit of the control group is the real size.
	if text, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil {
		if limit, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil {
			total = min(total, limit)
		}
	}
	return total
}
