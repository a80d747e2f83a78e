package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// templates are first scenarios, each named by its litmus line as by its file.
//
//go:embed templates/*.ibl
var templates embed.FS

const newHelp = `Writes NAME.ibl, a scenario that passes ibcheck test, to be changed into one's own:

  seed          a question and its answer, by SEND; one lost ACK
  write-notify  data by RDMA_WRITE, then a notice, over one QP or two
  srq           two clients, one shared receive queue
  arm           a worker that polls, arms and sleeps

A file that is there already is left alone.`

func newNew(a *app) *cobra.Command {
	from := choice{"seed", []string{"seed", "write-notify", "srq", "arm"}}
	c := &cobra.Command{
		Use:     "new NAME",
		Short:   "Write a first scenario",
		Long:    newHelp,
		Example: "  ibcheck new mine && ibcheck check mine.ibl\n  ibcheck new --from srq pool",
		Args:    cobra.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return a.newScenario(args[0], from.value) },

		ValidArgsFunction: cobra.NoFileCompletions,
	}
	c.Flags().Var(&from, "from", "begin with this: seed, write-notify, srq or arm")
	completeFlag(c, "from", from.allowed)
	return c
}

func (a *app) newScenario(name, from string) error {
	src, err := templates.ReadFile("templates/" + from + ".ibl")
	if err != nil {
		return err
	}
	base := strings.TrimSuffix(filepath.Base(name), ".ibl")
	if base == "" || base == "." || strings.ContainsAny(base, "\"\\\n") {
		return fmt.Errorf("%s is no name for a scenario", strconv.Quote(name))
	}
	file := filepath.Join(filepath.Dir(name), base+".ibl")
	text := strings.Replace(string(src), "litmus \""+from+"\"", "litmus \""+base+"\"", 1)
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already", file)
	}
	if err != nil {
		return err
	}
	if _, err := out.WriteString(text); err != nil {
		return errors.Join(err, out.Close())
	}
	if err := out.Close(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s: next, ibcheck check %s\n", file, quoted([]string{file}))
	return err
}
