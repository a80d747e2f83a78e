package traces

import (
	"os"
	"os/exec"
	"testing"
)

// tool returns the path of a program of others that reads what this package
// writes. Without it the test is skipped, unless IBCHECK_NEED_TOOLS is set.
func tool(t *testing.T, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("IBCHECK_NEED_TOOLS") != "" {
		t.Fatalf("none of %q is installed, and IBCHECK_NEED_TOOLS is set", names)
	}
	t.Skipf("none of %q is installed", names)
	return ""
}
