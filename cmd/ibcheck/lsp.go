package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/internal/lsp"
)

const lspHelp = `Serves scenario files to an editor by the Language Server Protocol, on its
standard input and output: mistakes as you type, quick fixes, hover, definition,
references, rename, completion, outline, formatting, and a lens over each property
that runs the checker. docs/editor.md says how to set an editor up.

The limits of such runs are those of the flags; without them, a minute and one
gigabyte of memory.`

// What a run that a lens starts may take, unless flags say otherwise.
const (
	lensTimeout = time.Minute
	lensMem     = 1 << 30
)

func newLSP(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "lsp",
		Short: "Serve scenario files to an editor",
		Long:  lspHelp,
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.lsp() },
	}
	c.Flags().Bool("stdio", true, "speak on the standard input and output: the only way, some editors ask for it")
	return c
}

func (a *app) lsp() error {
	opt, err := a.options(&modelFlags{})
	if err != nil {
		return err
	}
	if opt.Timeout == 0 {
		opt.Timeout = lensTimeout
	}
	if opt.MaxMem == 0 {
		opt.MaxMem = lensMem
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err = lsp.Serve(ctx, &stdio{a.stdin, a.stdout}, lsp.Options{Check: opt, Version: versionLine()})
	if errors.Is(err, lsp.ErrLost) { // the protocol wants exit code 1
		a.fail(ibcheck.ExitUnexpected)
		_, err = fmt.Fprintf(a.stderr, "ibcheck: %v\n", err)
	}
	return err
}

// A stdio is the connection with a client that started the program.
type stdio struct {
	io.Reader
	io.Writer
}

// Close ends a read that waits for the client.
func (s *stdio) Close() error {
	if c, ok := s.Reader.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
