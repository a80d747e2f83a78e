// Command ibcheck checks scenarios of RDMA verbs programs: can this completion
// come before that one? It joins the packages of the project on the command
// line; what it knows itself is flags and printing.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/ibcheck/ibcheck"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the program: it returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil {
			crashed(stderr, args, p, debug.Stack())
			code = ibcheck.ExitInternal
		}
	}()
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, quit: os.Exit}
	root := newRoot(a)
	root.SetArgs(args)
	err := root.Execute()
	if err == nil {
		return a.exit
	}
	var fault *internalError
	if errors.As(err, &fault) {
		crashed(stderr, args, fault.err, nil)
		return ibcheck.ExitInternal
	}
	fmt.Fprintf(stderr, "ibcheck: %v\n", err)
	return ibcheck.ExitUsage
}

// An internalError is a fault of the program, not of its input.
type internalError struct{ err error }

func (e *internalError) Error() string { return e.err.Error() }
func (e *internalError) Unwrap() error { return e.err }

// crashed says what a report about a fault of the program must contain.
func crashed(w io.Writer, args []string, what any, stack []byte) {
	fmt.Fprintf(w, "ibcheck: internal error: %v\n\n", what)
	fmt.Fprintln(w, "This is a fault of ibcheck, not of your scenario. To report it, send the scenario and these lines:")
	fmt.Fprintf(w, "  command  ibcheck %s\n", quoted(args))
	fmt.Fprintf(w, "  version  %s\n", versionLine())
	if len(stack) > 0 {
		fmt.Fprintf(w, "\n%s", stack)
	}
}

// quoted writes arguments so that a shell reads them back.
func quoted(args []string) string {
	out := make([]string, len(args))
	for i, arg := range args {
		out[i] = arg
		if arg == "" || strings.ContainsAny(arg, " \t\n\"'`$&|;<>()*?[]{}~#!\\") {
			out[i] = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " ")
}
