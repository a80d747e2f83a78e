package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/term"

	"github.com/ibcheck/ibcheck/traces"
)

// A walker shows one step of a run at a time, on a terminal key by key, else
// line by line.
type walker struct {
	rows  []traces.Row
	at    int // steps taken
	out   io.Writer
	eol   string
	ascii bool
}

const walkHelp = "n next, b back, c to the cause, g first, G last, NUMBER to that step, s state, q quit"

// walk walks through a ladder until the user quits.
func (a *app) walk(l *traces.Ladder) error {
	w := &walker{rows: l.Rows(), out: a.stdout, eol: "\n", ascii: a.flags.ascii || !unicodeLocale()}
	next := lineCommands(a.stdin)
	if f, ok := a.stdin.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		old, err := term.MakeRaw(int(f.Fd()))
		if err != nil {
			return err
		}
		defer term.Restore(int(f.Fd()), old)
		next, w.eol = keyCommands(f), "\r\n"
	}
	w.say(walkHelp)
	w.show(0)
	for {
		command, err := next()
		if errors.Is(err, io.EOF) || command == "q" {
			return nil
		}
		if err != nil {
			return err
		}
		w.do(command)
	}
}

// lineCommands reads one command a line; an empty line is the next step.
func lineCommands(in io.Reader) func() (string, error) {
	scan := bufio.NewScanner(in)
	return func() (string, error) {
		if !scan.Scan() {
			return "", errors.Join(scan.Err(), io.EOF)
		}
		if text := strings.TrimSpace(scan.Text()); text != "" {
			return text, nil
		}
		return "n", nil
	}
}

// keys are the commands of keys that are not their own letters.
var keys = map[string]string{" ": "n", "\r": "n", "\n": "n", "p": "b", "\x7f": "b", "\x03": "q", "\x04": "q",
	"\x1b[C": "n", "\x1b[B": "n", "\x1b[D": "b", "\x1b[A": "b", "\x1b[H": "g", "\x1b[F": "G"}

// keyCommands reads one command a key; digits wait for Enter.
func keyCommands(in io.Reader) func() (string, error) {
	buf := make([]byte, 16)
	number := ""
	return func() (string, error) {
		for {
			n, err := in.Read(buf)
			if err != nil {
				return "", err
			}
			key := string(buf[:n])
			if len(key) == 1 && key >= "0" && key <= "9" {
				number += key
				continue
			}
			if number != "" && keys[key] == "n" {
				key, number = number, ""
				return key, nil
			}
			number = ""
			if command, ok := keys[key]; ok {
				return command, nil
			}
			return key, nil
		}
	}
}

func (w *walker) say(text string) {
	if !w.ascii {
		text = strings.ReplaceAll(text, "->", "→")
	}
	fmt.Fprint(w.out, text, w.eol)
}

// do carries out a command.
func (w *walker) do(command string) {
	switch command {
	case "n":
		w.move(w.at + 1)
	case "b":
		w.move(w.at - 1)
	case "g":
		w.move(0)
	case "G":
		w.move(len(w.rows))
	case "c":
		w.toCause()
	case "s":
		w.state()
	default:
		n, err := strconv.Atoi(command)
		if err != nil {
			w.say(walkHelp)
			return
		}
		w.move(n)
	}
}

func (w *walker) toCause() {
	if w.at == 0 || w.rows[w.at-1].Cause == 0 {
		w.say("nothing had to come before")
		return
	}
	w.move(w.rows[w.at-1].Cause)
}

// move goes to the state after step n, one step at a time, and shows what that
// did.
func (w *walker) move(n int) {
	from := w.at
	w.at = max(0, min(n, len(w.rows)))
	if w.at == from {
		w.say(map[bool]string{true: "that was the last step", false: "that is the beginning"}[n > 0])
		return
	}
	w.show(from)
}

// show shows where the walker is and what has changed since it was after step
// from.
func (w *walker) show(from int) {
	if w.at == 0 {
		w.say(fmt.Sprintf("%3d      nothing has happened, %d steps to come", 0, len(w.rows)))
	} else {
		r := &w.rows[w.at-1]
		cause, more := "", ""
		if r.Cause > 0 {
			cause = fmt.Sprintf("<%d", r.Cause)
		}
		if r.Fault != "" {
			more += "  fault " + r.Fault
		}
		if r.Epilogue {
			more += "  (after the break)"
		}
		if r.Repeats {
			more += "  (repeats)"
		}
		w.say(fmt.Sprintf("%3d %-4s %-12s %s%s", r.Step, cause, r.Lane, r.Action, more))
	}
	for _, c := range w.changes(from, w.at) {
		w.say("         " + c.String())
	}
}

// A change is what one variable was and became.
type change struct{ name, from, to string }

func (c change) String() string { return c.name + " " + c.from + "->" + c.to }

// each calls f for what the steps between two places change, in order.
func (w *walker) each(lo, hi int, f func(change)) {
	for _, r := range w.rows[lo:hi] {
		for _, d := range r.Diff {
			name, values, _ := strings.Cut(d, " ")
			from, to, _ := strings.Cut(values, "->")
			f(change{name, from, to})
		}
	}
}

// changes adds up what the steps between two places changed; going backwards,
// what undoing them does.
func (w *walker) changes(from, to int) []change {
	var out []change
	w.each(min(from, to), max(from, to), func(c change) {
		if i := slices.IndexFunc(out, func(d change) bool { return d.name == c.name }); i >= 0 {
			out[i].to = c.to
		} else {
			out = append(out, c)
		}
	})
	out = slices.DeleteFunc(out, func(c change) bool { return c.from == c.to })
	if to < from {
		for i := range out {
			out[i].from, out[i].to = out[i].to, out[i].from
		}
	}
	return out
}

// state shows every variable that the run ever changes, as it is here.
func (w *walker) state() {
	value := map[string]string{}
	w.each(0, len(w.rows), func(c change) {
		if _, known := value[c.name]; !known {
			value[c.name] = c.from
		}
	})
	w.each(0, w.at, func(c change) { value[c.name] = c.to })
	for _, name := range slices.Sorted(maps.Keys(value)) {
		w.say("         " + name + " = " + value[name])
	}
}
