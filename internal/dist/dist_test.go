// Package dist tests what is shipped: that it is whole, works, and is the same
// byte for byte when it is made again elsewhere.
package dist

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// made makes what is shipped from a copy of the sources in a folder, for this
// machine alone, and returns the folder with the result.
func made(t *testing.T, name string) string {
	t.Helper()
	sources := filepath.Join(t.TempDir(), name)
	copyTree(t, "../..", sources)
	out := filepath.Join(t.TempDir(), "out")
	c := exec.Command("bash", "tools/dist.sh", out)
	c.Dir = sources
	c.Env = append(os.Environ(), "PLATFORMS="+runtime.GOOS+"/"+runtime.GOARCH, "SOURCE_DATE_EPOCH=1700000000")
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return out
}

// copyTree copies the sources, without what is not part of them.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case slices.Contains([]string{".git", "bin", "dist", "node_modules"}, rel):
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		}
		text, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a link that leads nowhere is nothing to build from
		}
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), text, 0o777)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestDist(t *testing.T) {
	for _, tool := range []string{"bash", "tar", "gzip", "dpkg-deb", "sha256sum"} {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("IBCHECK_NEED_TOOLS") != "" {
				t.Fatal(err)
			}
			t.Skip(err)
		}
	}
	one, two := made(t, "made-here"), made(t, "made-elsewhere")
	first, second := contents(t, one), contents(t, two)
	for name, text := range first {
		if !bytes.Equal(text, second[name]) {
			t.Errorf("%s is not the same when it is made again", name)
		}
	}
	if len(first) != 3 || len(second) != 3 {
		t.Fatalf("%d and %d files, want an archive, a package and the sums", len(first), len(second))
	}
	checkSums(t, first)
	for name, text := range first {
		switch {
		case strings.HasSuffix(name, ".tar.gz"):
			checkArchive(t, text)
		case strings.HasSuffix(name, ".deb"):
			checkPackage(t, filepath.Join(one, name))
		}
	}
}

func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, e := range entries {
		if out[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func checkSums(t *testing.T, files map[string][]byte) {
	t.Helper()
	lines := 0
	for line := range strings.Lines(string(files["SHA256SUMS"])) {
		lines++
		want, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		if sum := sha256.Sum256(files[name]); hex.EncodeToString(sum[:]) != want {
			t.Errorf("the sum of %s is wrong", name)
		}
	}
	if lines != len(files)-1 {
		t.Errorf("%d sums of %d files", lines, len(files)-1)
	}
}

// checkArchive unpacks the archive and runs the program in it.
func checkArchive(t *testing.T, archive []byte) {
	t.Helper()
	unzipped, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	program := filepath.Join(t.TempDir(), "ibcheck")
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		_, name, _ := strings.Cut(h.Name, "/") // in one folder
		have[name] = true
		if h.Uid != 0 || h.ModTime.Unix() != 1700000000 {
			t.Errorf("%s belongs to %d and is of %v", h.Name, h.Uid, h.ModTime)
		}
		if name == "ibcheck" {
			text, err := io.ReadAll(r)
			if err == nil {
				err = os.WriteFile(program, text, 0o777)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, want := range []string{"ibcheck", "LICENSE", "README.md", "man/man1/ibcheck.1", "man/man1/ibcheck-check.1",
		"completions/ibcheck.bash", "completions/_ibcheck", "completions/ibcheck.fish"} {
		if !have[want] {
			t.Errorf("no %s in the archive", want)
		}
	}
	runProgram(t, program)
}

// runProgram holds the program against a scenario of its own catalogue, and sees
// that it needs no library.
func runProgram(t *testing.T, program string) {
	t.Helper()
	said, err := exec.Command(program, "catalog", "run", "seed").CombinedOutput()
	if err != nil || !strings.Contains(string(said), " passed, 0 failed") {
		t.Errorf("%v\n%s", err, said)
	}
	if runtime.GOOS != "linux" {
		return
	}
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			t.Error("the program is not static")
		}
	}
	if text, err := os.ReadFile(program); err != nil || bytes.Contains(text, []byte("made-here")) {
		t.Errorf("the program says where it was built: %v", err)
	}
}

// checkPackage unpacks the package as Debian does and runs the program in it.
func checkPackage(t *testing.T, name string) {
	t.Helper()
	root := t.TempDir()
	if said, err := exec.Command("dpkg-deb", "-x", name, root).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for _, want := range []string{"usr/share/man/man1/ibcheck.1.gz", "usr/share/doc/ibcheck/copyright", "usr/share/doc/ibcheck/NEWS.gz",
		"usr/share/bash-completion/completions/ibcheck", "usr/share/zsh/vendor-completions/_ibcheck",
		"usr/share/fish/vendor_completions.d/ibcheck.fish"} {
		if _, err := os.Stat(filepath.Join(root, want)); err != nil {
			t.Error(err)
		}
	}
	fields, err := exec.Command("dpkg-deb", "-f", name, "Package", "Architecture", "Version").Output()
	if err != nil || !strings.Contains(string(fields), "Package: ibcheck\n") || !strings.Contains(string(fields), "Architecture: "+runtime.GOARCH+"\n") {
		t.Errorf("%v\n%s", err, fields)
	}
	runProgram(t, filepath.Join(root, "usr/bin/ibcheck"))
}
