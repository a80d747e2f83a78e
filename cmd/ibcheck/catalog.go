package main

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibcheck/ibcheck/scenarios"
	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

func newCatalog(a *app) *cobra.Command {
	list := newCatalogList(a)
	c := &cobra.Command{
		Use:   "catalog",
		Short: "List, show and run the scenarios that come with ibcheck",
		Long:  "The catalogue holds scenarios of real questions and real bugs, each with the\nverdicts it is known to have. Names are GROUP/NAME, or NAME alone.",
		Args:  cobra.NoArgs,
		RunE:  list.RunE,
	}
	c.AddCommand(
		list,
		&cobra.Command{
			Use:   "show NAME...",
			Short: "Print scenarios",
			Args:  cobra.MinimumNArgs(1),
			RunE:  func(_ *cobra.Command, args []string) error { return a.catalogShow(args) },
		},
		&cobra.Command{
			Use:   "run [NAME|GROUP...]",
			Short: "Compare the verdicts of scenarios with those they are known to have",
			RunE:  func(_ *cobra.Command, args []string) error { return a.catalogRun(args) },
		})
	for _, verb := range c.Commands() {
		verb.ValidArgsFunction = cobra.FixedCompletions(catalogNames(), cobra.ShellCompDirectiveNoFileComp)
	}
	return c
}

// catalogFiles returns the catalogue's files, sorted.
func catalogFiles() []string {
	files, err := fs.Glob(scenarios.Files, "*/*.ibl")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	return files
}

// catalogNames returns all that a name of the catalogue can be: groups, and
// scenarios with their group.
func catalogNames() []string {
	var names []string
	for _, file := range catalogFiles() {
		names = append(names, path.Dir(file), strings.TrimSuffix(file, ".ibl"))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// catalogSelect returns the files that names stand for, all without names.
func catalogSelect(names []string) ([]string, error) {
	if len(names) == 0 {
		return catalogFiles(), nil
	}
	var out []string
	for _, name := range names {
		n := len(out)
		for _, file := range catalogFiles() {
			full := strings.TrimSuffix(file, ".ibl")
			if wanted := strings.TrimSuffix(name, ".ibl"); wanted == full || wanted == path.Base(full) || wanted == path.Dir(file) {
				out = append(out, file)
			}
		}
		if len(out) > n {
			continue
		}
		err := fmt.Errorf("nothing in the catalogue is named %q", name)
		if near := nearestInCatalog(name); near != "" {
			err = fmt.Errorf("%w\ndid you mean %s?", err, near)
		}
		return nil, err
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

func nearestInCatalog(name string) string {
	names := catalogNames()
	for _, full := range catalogNames() {
		names = append(names, path.Base(full))
	}
	return nearest(name, names)
}

// expectations lists the properties of a scenario with their known verdicts.
func expectations(sc *spec.Scenario) string {
	var out []string
	for _, p := range append(slices.Clone(sc.Asserts), sc.Reaches...) {
		if p.Expect != "" {
			out = append(out, p.Name+" "+p.Expect)
		}
	}
	return strings.Join(out, ", ")
}

func catalogLoad(file string) (*scenario.File, scenario.Errors) {
	src, err := scenarios.Files.ReadFile(file)
	if err != nil {
		return nil, scenario.Errors{{Pos: spec.Pos{File: file}, Msg: err.Error()}}
	}
	return scenario.Parse(file, src, scenario.Options{ReadFile: scenarios.Files.ReadFile})
}

// catalogScenario reads a scenario that can only be without mistakes.
func catalogScenario(file string) (*spec.Scenario, error) {
	f, errs := catalogLoad(file)
	if len(errs) > 0 {
		return nil, errs.Err()
	}
	sc, errs := f.Scenario(nil)
	return sc, errs.Err()
}

func (a *app) catalogShow(names []string) error {
	files, err := catalogSelect(names)
	if err != nil {
		return err
	}
	for _, file := range files {
		src, err := scenarios.Files.ReadFile(file)
		if err != nil {
			return err
		}
		if _, err := a.stdout.Write(src); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) catalogRun(names []string) error {
	files, err := catalogSelect(names)
	if err != nil {
		return err
	}
	return a.testAll(files, &tester{read: scenarios.Files.ReadFile}, &testLines{a: a}, "")
}
