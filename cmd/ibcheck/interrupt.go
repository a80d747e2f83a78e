package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// exitInterrupted is what a shell reports of a program that SIGINT ended.
const exitInterrupted = 130

// interruptible returns a context that the first Ctrl-C cancels, so that what
// was found so far is reported. The second ends the program at once.
func (a *app) interruptible() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		select {
		case <-signals:
		case <-done:
			return
		}
		if isTerminal(a.stderr) {
			fmt.Fprint(a.stderr, eraseLine) // the progress
		}
		fmt.Fprintln(a.stderr, "ibcheck: interrupted; the report so far follows, a second Ctrl-C quits at once")
		cancel()
		select {
		case <-signals:
			a.quit(exitInterrupted)
		case <-done:
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		cancel()
	}
}
