package main

import (
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// peerModels is the reference machine, with its constants, in the languages of
// other checkers.
//
//go:embed peers
var peerModels embed.FS

// A contender is one way to explore the reference machine.
type contender struct {
	name  string
	build []string // commands, in a folder with the models
	run   string
}

// contenders are measured side by side. The first is what the others are
// compared with.
var contenders = []contender{
	{"ibcheck, 1 worker", nil, "SELF -j 1"},
	{"ibcheck, 1 worker, with a run", nil, "SELF -j 1 -mode traced"},
	{"ibcheck, 2 workers", nil, "SELF -j 2"},
	{"SPIN, depth first", []string{"spin -a gbn.pml", "gcc -O3 -march=native -DSAFETY -DNOREDUCE -DMEMLIM=12000 -w -o dfs pan.c"}, "./dfs -m20000 -w22 -n"},
	{"rumur, 1 thread", []string{"rumur --threads 1 --deadlock-detection off -o one.c gbn.m", "gcc -O3 -march=native -w -o one one.c -lpthread -latomic"}, "./one"},
	{"rumur, 2 threads", []string{"rumur --threads 2 --deadlock-detection off -o two.c gbn.m", "gcc -O3 -march=native -w -o two two.c -lpthread -latomic"}, "./two"},
}

// wantStates is how many states each of them has to find.
const wantStates = 5_795_831

// A sample is what one run took.
type sample struct{ cpu, wall, bytes float64 } // seconds, seconds, most memory

// comparePeers builds the contenders, measures them in turn, so many rounds, and
// prints the medians as a table.
func comparePeers(rounds int) error {
	if rounds < 1 {
		return fmt.Errorf("%d rounds; at least 1 is needed", rounds)
	}
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := buildPeers(dir); err != nil {
		return err
	}
	samples := make([][]sample, len(contenders))
	for round := range rounds {
		for i := range contenders {
			s, err := contenders[i].measure(dir)
			if err != nil {
				return err
			}
			samples[i] = append(samples[i], s)
			fmt.Fprintf(os.Stderr, "round %d of %d: %s: %.2f s of processor time\n", round+1, rounds, contenders[i].name, s.cpu)
		}
	}
	printPeers(samples)
	return nil
}

// writePeers writes the models into a folder, each as edit returns it.
func writePeers(dir string, edit func(string) string) error {
	for _, name := range []string{"gbn.m", "gbn.pml"} {
		text, err := peerModels.ReadFile("peers/" + name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(edit(string(text))), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// buildPeers writes the models into a folder and builds what explores them.
func buildPeers(dir string) error {
	if err := writePeers(dir, func(text string) string { return text }); err != nil {
		return err
	}
	for i := range contenders {
		for _, line := range contenders[i].build {
			if out, err := command(dir, line).CombinedOutput(); err != nil {
				return fmt.Errorf("%s: %w\n%s", line, err, out)
			}
		}
	}
	return nil
}

// command makes a command of words between blanks; SELF is this program.
func command(dir, line string) *exec.Cmd {
	words := strings.Fields(line)
	if words[0] == "SELF" {
		if self, err := os.Executable(); err == nil {
			words[0] = self
		}
	}
	c := exec.Command(words[0], words[1:]...)
	c.Dir = dir
	return c
}

// found is how each of them says it.
var found = regexp.MustCompile(fmt.Sprintf(`\b%d states\b`, wantStates))

// measure runs a contender once. It is an error if it finds another number of
// states than the machine has.
func (c *contender) measure(dir string) (sample, error) {
	cmd := command(dir, c.run)
	begin := time.Now()
	out, err := cmd.CombinedOutput()
	wall := time.Since(begin)
	if err != nil {
		return sample{}, fmt.Errorf("%s: %w\n%s", c.run, err, out)
	}
	if !found.Match(out) {
		return sample{}, fmt.Errorf("%s: not the %d states of the machine:\n%s", c.run, wantStates, out[max(0, len(out)-1000):])
	}
	p := cmd.ProcessState
	return sample{(p.UserTime() + p.SystemTime()).Seconds(), wall.Seconds(), float64(childPeak(p))}, nil
}

// printPeers prints the medians: thousand states a second and bytes a state, and
// how many times as fast the first contender is by its processor time.
func printPeers(samples [][]sample) {
	median := func(i int, of func(sample) float64) float64 {
		var all []float64
		for _, s := range samples[i] {
			all = append(all, of(s))
		}
		slices.Sort(all)
		return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
	}
	cpu := func(s sample) float64 { return s.cpu }
	fmt.Println("| search | k states per CPU second | k states per second | bytes a state | times slower |")
	fmt.Println("| --- | ---: | ---: | ---: | ---: |")
	for i := range contenders {
		fmt.Printf("| %s | %.0f | %.0f | %.0f | %.1f |\n", contenders[i].name, wantStates/median(i, cpu)/1e3,
			wantStates/median(i, func(s sample) float64 { return s.wall })/1e3,
			median(i, func(s sample) float64 { return s.bytes })/wantStates, median(i, cpu)/median(0, cpu))
	}
}
