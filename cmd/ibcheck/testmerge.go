package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibcheck/ibcheck"
)

const mergeHelp = `Makes one report of the reports that test -o json wrote for the shards of a test,
prints it as test would have, and ends with its exit code. A shard that is missing
and a scenario that is in two reports are errors.`

func newTestMerge(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "merge REPORT...",
		Short:   "Make one report of those of the shards of a test",
		Long:    mergeHelp,
		Example: "  ibcheck test merge 1.json 2.json\n  ibcheck test merge -o junit *.json > junit.xml",
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return a.mergeTests(args) },
	}
}

func (a *app) mergeTests(names []string) error {
	merged := ibcheck.Report{Schema: ibcheck.Schema}
	from := map[string]string{} // file of a scenario: the report it is in
	shards := map[string]string{}
	for _, name := range names {
		r, err := readReport(name)
		if err != nil {
			return err
		}
		if other, twice := shards[r.Shard]; twice && r.Shard != "" {
			return fmt.Errorf("%s and %s are both shard %s", other, name, r.Shard)
		}
		shards[r.Shard] = name
		for _, file := range filesOfReport(r) {
			if other, twice := from[file]; twice {
				return fmt.Errorf("%s is in %s and in %s", file, other, name)
			}
			from[file] = name
		}
		merged.Scenarios = append(merged.Scenarios, r.Scenarios...)
		merged.Problems = append(merged.Problems, r.Problems...)
		a.fail(r.Exit)
	}
	if err := shardsMissing(shards); err != nil {
		return err
	}
	slices.SortStableFunc(merged.Scenarios, func(x, y ibcheck.ScenarioReport) int { return strings.Compare(x.File, y.File) })
	slices.SortStableFunc(merged.Problems, func(x, y ibcheck.Problem) int { return strings.Compare(x.File, y.File) })
	a.vacuousIsError = true
	a.printMerged(&merged)
	return a.finish(&merged)
}

func readReport(name string) (*ibcheck.Report, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := ibcheck.ReadJSON(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// filesOfReport returns the files that a report speaks of, each once, sorted.
func filesOfReport(r *ibcheck.Report) []string {
	var out []string
	for i := range r.Scenarios {
		out = append(out, r.Scenarios[i].File)
	}
	for i := range r.Problems {
		out = append(out, r.Problems[i].File)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// shardsMissing says which shards have no report; reports that are no shards are
// complete in themselves.
func shardsMissing(shards map[string]string) error {
	total := 0
	for _, shard := range slices.Sorted(maps.Keys(shards)) {
		if shard == "" {
			continue
		}
		_, of, ok := parseShard(shard)
		if !ok || total != 0 && of != total {
			return fmt.Errorf("%s is shard %s, which does not go with the others", shards[shard], shard)
		}
		total = of
	}
	var missing []string
	for i := 1; i <= total; i++ {
		if shard := fmt.Sprintf("%d/%d", i, total); shards[shard] == "" {
			missing = append(missing, shard)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("no report of shard %s", strings.Join(missing, ", "))
	}
	return nil
}

// printMerged prints the lines of the files of a report.
func (a *app) printMerged(r *ibcheck.Report) {
	lines := &testLines{a: a}
	for _, file := range filesOfReport(r) {
		o := outcome{path: file}
		for i := range r.Scenarios {
			if s := &r.Scenarios[i]; s.File == file {
				o.report = s
				o.exit = ibcheck.WorseExit(o.exit, s.ExitCode(true))
			}
		}
		for i := range r.Problems {
			if r.Problems[i].File == file {
				o = o.with(r.Problems[i])
			}
		}
		lines.outcome(&o)
	}
	lines.end()
}
