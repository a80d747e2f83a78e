package main

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibcheck/ibcheck/internal/page"
	"github.com/ibcheck/ibcheck/scenarios"
	"github.com/ibcheck/ibcheck/spec"
)

const catalogListHelp = `Lists scenarios with the verdicts they are known to have and what they show: all,
or those of some groups, with some features, of one verdict. A scenario's verdict
is violated if it asserts, as written, something that some run breaks.`

// catalogFlags choose what is listed, and how.
type catalogFlags struct {
	by       choice
	features []string
	verdict  choice
}

func newCatalogList(a *app) *cobra.Command {
	flags := catalogFlags{by: choice{"group", []string{"group", "feature", "verdict"}}, verdict: choice{"", []string{"violated", "holds"}}}
	c := &cobra.Command{
		Use:     "list [GROUP...]",
		Short:   "List the scenarios with their verdicts",
		Long:    catalogListHelp,
		Example: "  ibcheck catalog list reply teardown\n  ibcheck catalog list --feature srq --verdict violated\n  ibcheck catalog list --by feature",
		RunE:    func(_ *cobra.Command, args []string) error { return a.catalogList(args, &flags) },
	}
	c.Flags().Var(&flags.by, "by", "what the list is ordered by")
	c.Flags().StringArrayVar(&flags.features, "feature", nil, "only scenarios with this feature, as srq; several: with all of them")
	c.Flags().Var(&flags.verdict, "verdict", "only scenarios of this verdict")
	completeFlag(c, "by", flags.by.allowed)
	completeFlag(c, "verdict", flags.verdict.allowed)
	var features []string
	for _, f := range scenarios.Features {
		features = append(features, cobra.CompletionWithDesc(f.Name, f.Doc))
	}
	completeFlag(c, "feature", features)
	return c
}

// A catalogSection is a part of the list under a heading.
type catalogSection struct {
	title   string
	entries []*spec.Scenario
}

func (a *app) catalogList(names []string, flags *catalogFlags) error {
	if err := flags.checkFeatures(); err != nil {
		return err
	}
	files, err := catalogSelect(names)
	if err != nil {
		return err
	}
	entries, err := flags.entries(files)
	if err != nil {
		return err
	}
	first := true
	for _, s := range flags.sections(entries) {
		if len(s.entries) == 0 {
			continue
		}
		if !first {
			fmt.Fprintln(a.stdout)
		}
		first = false
		fmt.Fprintln(a.stdout, s.title)
		for _, sc := range s.entries {
			a.catalogLine(sc, flags.by.value == "group")
		}
	}
	if first {
		fmt.Fprintln(a.stdout, "no scenario is so")
	}
	return nil
}

// catalogLine writes what the list says of a scenario; inGroup, where the
// heading names its group.
func (a *app) catalogLine(sc *spec.Scenario, inGroup bool) {
	name := strings.TrimSuffix(sc.File, ".ibl")
	if inGroup {
		name = path.Base(name)
	}
	head := fmt.Sprintf("  %-44s %s", name, expectations(sc))
	for _, line := range append(page.Fold(head, 47), page.Fold("      "+sc.Doc, 6)...) {
		fmt.Fprintln(a.stdout, strings.TrimRight(line, " "))
	}
}

// checkFeatures says which feature no scenario can have.
func (flags *catalogFlags) checkFeatures() error {
	var known []string
	for _, f := range scenarios.Features {
		known = append(known, f.Name)
	}
	for _, f := range flags.features {
		if slices.Contains(known, f) {
			continue
		}
		err := fmt.Errorf("no feature %q (%s)", f, strings.Join(known, ", "))
		if near := nearest(f, known); near != "" {
			err = fmt.Errorf("%w\ndid you mean %s?", err, near)
		}
		return err
	}
	return nil
}

// entries reads the files and keeps those that the flags ask for, group by
// group.
func (flags *catalogFlags) entries(files []string) ([]*spec.Scenario, error) {
	var out []*spec.Scenario
	var faults []error
	for _, file := range files {
		sc, err := catalogScenario(file)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		lacks := func(f string) bool { return !slices.Contains(sc.Tags, f) }
		if slices.ContainsFunc(flags.features, lacks) || flags.verdict.value != "" && catalogVerdict(sc) != flags.verdict.value {
			continue
		}
		out = append(out, sc)
	}
	if len(faults) > 0 {
		return nil, &internalError{errors.Join(faults...)}
	}
	slices.SortStableFunc(out, func(a, b *spec.Scenario) int { return groupRank(a.File) - groupRank(b.File) })
	return out, nil
}

func groupRank(file string) int {
	return slices.IndexFunc(scenarios.Groups, func(g scenarios.Group) bool { return g.Name == path.Dir(file) })
}

// catalogVerdict is the verdict of a scenario as a whole, as written.
func catalogVerdict(sc *spec.Scenario) string {
	if slices.ContainsFunc(sc.Asserts, func(p spec.Property) bool { return p.Expect == "violated" }) {
		return "violated"
	}
	return "holds"
}

func (flags *catalogFlags) sections(entries []*spec.Scenario) []catalogSection {
	var out []catalogSection
	section := func(title string, belongs func(*spec.Scenario) bool) {
		s := catalogSection{title: title}
		for _, sc := range entries {
			if belongs(sc) {
				s.entries = append(s.entries, sc)
			}
		}
		out = append(out, s)
	}
	switch flags.by.value {
	case "feature":
		for _, f := range scenarios.Features {
			section(f.Name+": "+f.Doc, func(sc *spec.Scenario) bool { return slices.Contains(sc.Tags, f.Name) })
		}
		section("no feature", func(sc *spec.Scenario) bool { return len(sc.Tags) == 0 })
	case "verdict":
		section("violated: asserts something that some run breaks", func(sc *spec.Scenario) bool { return catalogVerdict(sc) == "violated" })
		section("holds: all that is asserted", func(sc *spec.Scenario) bool { return catalogVerdict(sc) == "holds" })
	default:
		for _, g := range scenarios.Groups {
			section(g.Name+": "+g.Doc, func(sc *spec.Scenario) bool { return path.Dir(sc.File) == g.Name })
		}
	}
	return out
}
