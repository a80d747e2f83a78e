package main

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// globalFlags are the flags that every verb understands.
type globalFlags struct {
	output     choice
	outDir     string
	jobs       uint
	maxMem     size
	maxStates  count
	timeout    time.Duration
	ascii      bool
	style      choice
	noEpilogue bool
	state      bool
	wide       bool
	quiet      bool
	verbose    bool
}

func (g *globalFlags) add(f *pflag.FlagSet) {
	g.output = choice{"text", []string{"text", "json", "junit", "sarif", "tap", "github"}}
	g.style = choice{"ladder", []string{"ladder", "lore"}}
	f.VarP(&g.output, "output", "o", "form of the report: text, json, junit, sarif, tap, or github, which is text with annotations")
	f.StringVar(&g.outDir, "out", "", "also write the report and its ladders into this folder")
	f.UintVarP(&g.jobs, "jobs", "j", 0, "processors to use (default all)")
	f.Var(&g.maxMem, "max-mem", "stop at this much memory, as 200M or 4G (default half of the machine's)")
	f.Var(&g.maxStates, "max-states", "stop after this many states, as 100000 or 10M")
	f.DurationVar(&g.timeout, "timeout", 0, "stop after this long, as 90s or 10m")
	f.BoolVar(&g.ascii, "ascii", false, "draw with ASCII only (default unless the locale is UTF-8)")
	f.Var(&g.style, "style", "how runs are drawn: ladder, or lore to paste into a mail")
	f.BoolVar(&g.noEpilogue, "no-epilogue", false, "end ladders where the property breaks")
	f.BoolVar(&g.state, "state", false, "show in ladders what each step changed")
	f.BoolVar(&g.wide, "wide", false, "let ladders of many nodes be wider than 100 columns")
	f.BoolVarP(&g.quiet, "quiet", "q", false, "verdicts only")
	f.BoolVarP(&g.verbose, "verbose", "v", false, "every built-in check and every ladder")
}

// modelFlags change what a scenario assumes.
type modelFlags struct {
	profile string
	dials   []string
	params  []string
	faults  []string
	reduce  string
}

func (m *modelFlags) add(f *pflag.FlagSet) {
	f.StringVar(&m.profile, "profile", "", "assume this implementation profile instead of the file's")
	f.StringArrayVar(&m.dials, "set", nil, "set a dial of the implementation, as ack.coalesce=none")
	f.StringArrayVar(&m.params, "param", nil, "set a param of the file, as repoll=true")
	f.StringVar(&m.reduce, "reduce", "auto", "steps to take alone where nothing can see it: auto (in large spaces), none, or a list")
	f.StringArrayVar(&m.faults, "faults", nil, "set a fault budget, as 'drop(ACK)<=2'")
}

// simFlags try random runs instead of exploring.
type simFlags struct {
	runs count
	seed uint64
}

func (s *simFlags) add(f *pflag.FlagSet) {
	f.Var(&s.runs, "simulate", "try this many random runs instead of exploring, as 5000 or 1M")
	f.Uint64Var(&s.seed, "seed", 1, "of the random runs of --simulate: another seed, other runs")
}

// pairs splits NAME=VALUE arguments of a flag.
func pairs(flag string, args []string) (map[string]string, error) {
	out := map[string]string{}
	for _, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" || value == "" {
			return nil, fmt.Errorf("--%s %s: want NAME=VALUE", flag, quoted([]string{arg}))
		}
		out[name] = value
	}
	return out, nil
}

var budgetPattern = regexp.MustCompile(`^(.+?)\s*<=\s*([0-9]+)$`)

// budgets reads the arguments of --faults.
func budgets(args []string) (map[string]int, error) {
	out := map[string]int{}
	for _, arg := range args {
		m := budgetPattern.FindStringSubmatch(strings.TrimSpace(arg))
		if m == nil {
			return nil, fmt.Errorf("--faults %s: want FAULT <= NUMBER, as 'drop(ACK)<=2'", quoted([]string{arg}))
		}
		n, err := strconv.Atoi(m[2])
		if err != nil {
			return nil, fmt.Errorf("--faults %s: %v", quoted([]string{arg}), err)
		}
		out[m[1]] = n
	}
	return out, nil
}

// A choice is a flag whose value is one of a few words.
type choice struct {
	value   string
	allowed []string
}

func (c *choice) String() string { return c.value }

// Type is what the help shows for the value; the words of a long list are in the
// text behind it.
func (c *choice) Type() string {
	if len(c.allowed) > 3 {
		return "form"
	}
	return strings.Join(c.allowed, "|")
}

func (c *choice) Set(s string) error {
	for _, v := range c.allowed {
		if s == v {
			c.value = s
			return nil
		}
	}
	text := "want " + strings.Join(c.allowed, " or ")
	if near := nearest(s, c.allowed); near != "" {
		text += fmt.Sprintf("; did you mean %s?", near)
	}
	return fmt.Errorf("%s", text)
}

// A size is a number of bytes: 200M, 4G, 1.5GiB. Units are powers of 1024.
type size uint64

func (s *size) String() string { return amount(uint64(*s)) }
func (s *size) Type() string   { return "size" }

func (s *size) Set(text string) error {
	text = strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(text), "IB"), "B")
	n, err := scaledNumber(text, 1024)
	*s = size(n)
	return err
}

// A count is a number of things: 100000, 10M, 1e6. Units are powers of 1000.
type count uint64

func (c *count) String() string { return amount(uint64(*c)) }
func (c *count) Type() string   { return "number" }

func (c *count) Set(text string) error {
	n, err := scaledNumber(text, 1000)
	*c = count(n)
	return err
}

func amount(n uint64) string {
	if n == 0 {
		return "" // no default to show in the help
	}
	return strconv.FormatUint(n, 10)
}

// scaledNumber reads a positive number with an optional unit k, M, G or T.
func scaledNumber(text string, base float64) (uint64, error) {
	digits := strings.TrimRight(text, "kKMmGgTt")
	unit := strings.ToUpper(text[len(digits):])
	power := strings.Index("KMGT", unit) + 1
	if unit == "" {
		power = 0
	}
	x, err := strconv.ParseFloat(digits, 64)
	n := math.Round(x * math.Pow(base, float64(power)))
	if err != nil || len(unit) > 1 || !(n >= 1 && n < 1<<62) {
		return 0, fmt.Errorf("want a positive number, as 5000, 200M or 4G")
	}
	return uint64(n), nil
}
