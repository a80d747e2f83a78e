package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func newMan(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "man FOLDER",
		Short:   "Write the manual pages",
		Long:    "Writes a manual page for the program and for each of its verbs into a folder,\nto be read with man: ibcheck(1), ibcheck-check(1) and so on.",
		Example: "  ibcheck man ~/.local/share/man/man1",
		Args:    cobra.ExactArgs(1),
		RunE:    func(c *cobra.Command, args []string) error { return a.man(c.Root(), args[0]) },
	}
}

func (a *app) man(root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	date, err := pageDate()
	if err != nil {
		return err
	}
	root.DisableAutoGenTag = true
	keepLists(root)
	head := &doc.GenManHeader{Section: "1", Source: "ibcheck " + version(), Manual: "ibcheck", Date: &date}
	return doc.GenManTree(root, head, dir)
}

// keepLists keeps the indented lines of help texts from being filled: Markdown,
// which the pages are made from, wants more blanks before them.
func keepLists(c *cobra.Command) {
	c.Long = strings.ReplaceAll(c.Long, "\n  ", "\n    ")
	for _, verb := range c.Commands() {
		keepLists(verb)
	}
}

// pageDate is the date on manual pages: what SOURCE_DATE_EPOCH says, so that they
// can be built again byte by byte, else that of the commit, else of the program.
func pageDate() (time.Time, error) {
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		n, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
		}
		return time.Unix(n, 0).UTC(), nil
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if date, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
				return date, nil
			}
		}
	}
	name, err := os.Executable()
	if err != nil {
		return time.Time{}, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime().UTC(), nil
}
