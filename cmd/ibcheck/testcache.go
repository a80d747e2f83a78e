package main

import (
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/ibcheck/ibcheck"
)

// A testCache keeps the reports of scenarios that passed, each under a key that
// stands for all it was made from, so that a hit cannot be wrong. Whatever goes
// wrong with it is a miss: it only saves time. A nil cache has nothing.
type testCache struct {
	dir     string
	program [sha256.Size]byte // of the running program itself
}

// A cacheKey names a report in the cache.
type cacheKey []byte

// cacheLife is how long a report is kept that nobody asks for.
const cacheLife = 10 * 24 * time.Hour

// openTestCache opens the cache in the user's folder for such things, or returns
// nil if there is none or the program cannot be read.
func openTestCache() *testCache {
	base, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	c := &testCache{dir: filepath.Join(base, "ibcheck", "test")}
	if c.program, err = programHash(); err != nil || os.MkdirAll(c.dir, 0o777) != nil {
		return nil
	}
	c.trim(time.Now())
	return c
}

// programHash is the hash of the program: its version says too little, since two
// builds of a version under development differ.
func programHash() (sum [sha256.Size]byte, err error) {
	name, err := os.Executable()
	if err != nil {
		return sum, err
	}
	f, err := os.Open(name)
	if err != nil {
		return sum, err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return [sha256.Size]byte(h.Sum(nil)), err
}

func (c *testCache) file(key cacheKey) string {
	sum := sha256.Sum256(append(c.program[:], key...))
	return filepath.Join(c.dir, hex.EncodeToString(sum[:]))
}

// get returns the report of a key, nil if it is not there.
func (c *testCache) get(key cacheKey) *ibcheck.ScenarioReport {
	if c == nil {
		return nil
	}
	name := c.file(key)
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	var s ibcheck.ScenarioReport
	if err := gob.NewDecoder(f).Decode(&s); err != nil {
		return nil
	}
	now := time.Now()
	_ = os.Chtimes(name, now, now) // or it is dropped earlier than need be
	return &s
}

// put keeps a report. It appears whole or not at all, also to other programs.
func (c *testCache) put(key cacheKey, s *ibcheck.ScenarioReport) {
	if c == nil {
		return
	}
	f, err := os.CreateTemp(c.dir, "new-")
	if err != nil {
		return
	}
	err = gob.NewEncoder(f).Encode(s)
	if closed := f.Close(); err != nil || closed != nil || os.Rename(f.Name(), c.file(key)) != nil {
		_ = os.Remove(f.Name()) // trim would find it too
	}
}

// trim drops what was not asked for in a long time, at most once a day.
func (c *testCache) trim(now time.Time) {
	mark := filepath.Join(c.dir, "trimmed")
	if info, err := os.Stat(mark); err == nil && now.Sub(info.ModTime()) < 24*time.Hour {
		return
	}
	if os.WriteFile(mark, nil, 0o666) != nil || os.Chtimes(mark, now, now) != nil {
		return
	}
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return // the next trim tries again
	}
	for _, d := range entries {
		if info, err := d.Info(); err == nil && now.Sub(info.ModTime()) > cacheLife {
			_ = os.Remove(filepath.Join(c.dir, d.Name())) // as above
		}
	}
}
