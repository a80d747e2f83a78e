// Package npm gives tests the JavaScript packages that editors/test names:
// language clients and grammar engines that are not ours. It knows nothing of
// what they are for. Where node or the registry is missing, tests are skipped.
package npm

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// installing is how long fetching the packages may take.
const installing = 3 * time.Minute

// Modules returns a folder whose node_modules has the packages of a folder with
// a package.json and its lock file. It fetches them once and keeps them in the
// user's cache; the test is skipped where that cannot be done.
func Modules(t testing.TB, folder string) string {
	t.Helper()
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("no %s here", program)
		}
	}
	lock, err := os.ReadFile(filepath.Join(folder, "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skipf("no folder to keep packages in: %v", err)
	}
	home := filepath.Join(cache, "ibcheck", fmt.Sprintf("npm-%x", sha256.Sum256(lock))[:20])
	if _, err := os.Stat(filepath.Join(home, "node_modules")); err == nil {
		return home
	}
	if err := install(folder, home); err != nil {
		t.Skipf("npm cannot install what the test needs: %v", err)
	}
	return home
}

// install puts the packages into a new folder, whole or not at all.
func install(folder, home string) error {
	if err := os.MkdirAll(filepath.Dir(home), 0o777); err != nil {
		return err
	}
	work, err := os.MkdirTemp(filepath.Dir(home), "installing-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	for _, name := range []string{"package.json", "package-lock.json"} {
		src, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(work, name), src, 0o666); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), installing)
	defer cancel()
	c := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	c.Dir = work
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	if err := os.Rename(work, home); err != nil {
		if _, there := os.Stat(home); there != nil { // another test was quicker
			return err
		}
	}
	return nil
}
