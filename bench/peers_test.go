package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/ibcheck/ibcheck/explore/exploretest"
)

// smaller is an instance of few states.
var smaller = GBN{N: 3, Q: 2, C: 2, D: 1, R: 1}

// TestPeersAgree explores a smaller instance with the peers' models.
func TestPeersAgree(t *testing.T) {
	want, err := exploretest.Textbook(smaller)
	if err != nil || want.States != 21_161 {
		t.Fatalf("%d states, %v", want.States, err)
	}
	for _, peer := range []struct {
		file    string
		tools   []string
		edit    *strings.Replacer
		explore string
	}{
		{"gbn.pml", []string{"spin", "gcc"},
			strings.NewReplacer("define N 5", "define N 3", "define Q 3", "define Q 2",
				"define C 3", "define C 2", "define D 2", "define D 1", "define R 2", "define R 1"),
			"spin -a gbn.pml && gcc -DSAFETY -DNOREDUCE -w -o pan pan.c && ./pan -n"},
		{"gbn.m", []string{"rumur", "gcc"},
			strings.NewReplacer("Messages: 5", "Messages: 3", "Window: 3", "Window: 2",
				"Capacity: 3", "Capacity: 2", "Drops: 2", "Drops: 1", "Retries: 2", "Retries: 1"),
			"rumur --threads 1 --deadlock-detection off -o one.c gbn.m && gcc -w -o one one.c -lpthread -latomic && ./one"},
	} {
		t.Run(peer.file, func(t *testing.T) {
			for _, tool := range peer.tools {
				if _, err := exec.LookPath(tool); err != nil {
					t.Skip(err)
				}
			}
			dir := t.TempDir()
			if err := writePeers(dir, peer.edit.Replace); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("sh", "-c", peer.explore)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), " 21161 states") && !strings.Contains(string(out), "\t21161 states") {
				t.Errorf("%v, not 21161 states:\n%s", err, out)
			}
		})
	}
}
