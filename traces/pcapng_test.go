package traces

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gopacket/gopacket/pcapgo"

	"github.com/ibcheck/ibcheck/spec"
)

func pcapngBytes(t *testing.T, l *Ladder) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := l.WritePcapng(&b, Style{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// measured reads a capture taken of a real implementation.
func measured(t *testing.T, name string) [][]byte {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", "measured", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := pcapgo.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]byte
	for {
		data, _, err := r.ReadPacketData()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, slices.Clone(data))
	}
}

// TestICRC: the checksum of every frame that a real implementation sent is what
// we compute for it.
func TestICRC(t *testing.T) {
	for _, name := range []string{"seed-nft.pcap", "h1-readimplicit.pcap"} {
		for i, frame := range measured(t, name) {
			if got, want := icrc(frame), binary.LittleEndian.Uint32(frame[len(frame)-4:]); got != want {
				t.Errorf("%s frame %d: ICRC %08x, on the wire it is %08x", name, i+1, got, want)
			}
		}
	}
}

// sent lists the frames of a pcapng as their senders saw them.
func sent(t *testing.T, data []byte) [][]byte {
	t.Helper()
	r, err := pcapgo.NewNgReader(bytes.NewReader(data), pcapgo.DefaultNgReaderOptions)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]byte
	for {
		frame, info, err := r.ReadPacketData()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if frame[11] == byte(info.InterfaceIndex+1) { // the last byte of the sender's MAC
			out = append(out, slices.Clone(frame))
		}
	}
}

// TestPcapngLikeMeasured: the seed's frames are those of the same run on a real
// implementation, but for what the model does not know: the identification of
// IP, the source port, the number of the queue pair, and so the checksums.
func TestPcapngLikeMeasured(t *testing.T) {
	want := measured(t, "seed-nft.pcap")
	got := sent(t, pcapngBytes(t, Layout(seed(), seedOptions)))
	if len(got) != len(want) {
		t.Fatalf("%d frames, want %d", len(got), len(want))
	}
	for i := range got {
		for _, f := range [][]byte{got[i], want[i]} {
			clear(f[18:20])     // identification
			clear(f[24:26])     // header checksum
			clear(f[34:36])     // source port
			clear(f[47:50])     // destination queue pair
			clear(f[len(f)-4:]) // ICRC
		}
		if !bytes.Equal(got[i], want[i]) {
			t.Errorf("frame %d:\n got %x\nwant %x", i+1, got[i], want[i])
		}
	}
}

// TestPcapngInWireshark lets tshark read some fixtures and compares what it
// shows: interfaces, headers, comments, and that nothing is wrong.
func TestPcapngInWireshark(t *testing.T) {
	tshark := tool(t, "tshark")
	var all strings.Builder
	for _, f := range fixtures {
		if !slices.Contains([]string{"seed", "three-nodes", "multi-packet", "duplicate", "rnr"}, f.name) {
			continue
		}
		path := filepath.Join(t.TempDir(), "run.pcapng")
		if err := os.WriteFile(path, pcapngBytes(t, Layout(f.run(), f.opt)), 0o644); err != nil {
			t.Fatal(err)
		}
		fields := []string{"frame.interface_name", "frame.time_relative", "ip.src", "infiniband.bth.opcode", "infiniband.bth.psn", "infiniband.bth.a",
			"infiniband.aeth.syndrome", "infiniband.aeth.msn", "_ws.malformed", "_ws.expert.message"}
		args := []string{"-n", "-o", "ip.check_checksum:TRUE", "-r", path, "-T", "fields", "-E", "separator=|"}
		for _, field := range fields {
			args = append(args, "-e", field)
		}
		var stderr strings.Builder
		cmd := exec.Command(tshark, args...)
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", f.name, err, stderr.String())
		}
		fmt.Fprintf(&all, "-- %s --\n%s", f.name, out)
	}
	golden(t, "tshark.txt", all.String())
}

// TestEveryOpcode: frames of all opcodes are as long as their headers, have a
// right checksum, and an unknown opcode is an error.
func TestEveryOpcode(t *testing.T) {
	names := make([]string, 0, len(packetForms))
	for name := range packetForms {
		names = append(names, name)
	}
	slices.Sort(names)
	f := framer{run: &spec.Run{Nodes: []string{"a", "b"}, Conns: []spec.RunConn{{A: 0, B: 1}}}}
	for _, name := range names {
		p := request(name, "W", "a3")
		p.To = 1
		frame, err := f.frame(&p)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		form := packetForms[name]
		want := etherLength + ipLength + udpLength + bthLength + 4
		for _, h := range []struct {
			has bool
			n   int
		}{{form.reth, 16}, {form.atomic, 28}, {form.aeth, 4}, {form.original, 8}, {form.word, 4},
			{form.payload && form.full, roceMTU}, {form.payload && !form.full, roceLast}} {
			if h.has {
				want += h.n
			}
		}
		psn := roceFirst + 3
		if form.response {
			psn += roceFirst
		}
		if got := int(frame[51])<<16 | int(frame[52])<<8 | int(frame[53]); len(frame) != want || got != psn || frame[42] != form.code {
			t.Errorf("%s: %d bytes, opcode %d, PSN %#x; want %d, %d, %#x", name, len(frame), frame[42], got, want, form.code, psn)
		}
		if icrc(frame) != binary.LittleEndian.Uint32(frame[len(frame)-4:]) {
			t.Errorf("%s: wrong ICRC", name)
		}
	}
	l := Layout(build("a b", "a.q b.q").run, Options{})
	b := build("a b", "a.q b.q")
	b.arrive(b.depart("a.q", request("SEND_SOMETHING", "S", "a0"), -1))
	if err := Layout(b.run, Options{}).WritePcapng(io.Discard, Style{}); err == nil || !strings.Contains(err.Error(), `"SEND_SOMETHING"`) {
		t.Errorf("an opcode that RC does not have gives the error %v", err)
	}
	if len(pcapngBytes(t, l)) == 0 {
		t.Error("a run without packets gives no file")
	}
}

// TestPcapngCounts: on random runs, every departure is seen by its sender and
// every arrival by its receiver, nothing else, at times that never go back.
func TestPcapngCounts(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 5))
		run := randomRun(r, 1+r.IntN(60))
		want := make([]int, len(run.Nodes))
		for _, e := range run.Events {
			if e.Kind == spec.EvDepart || e.Kind == spec.EvArrive {
				want[e.Node]++
			}
		}
		reader, err := pcapgo.NewNgReader(bytes.NewReader(pcapngBytes(t, Layout(run, Options{}))), pcapgo.DefaultNgReaderOptions)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]int, len(run.Nodes))
		last := int64(0)
		for {
			_, info, err := reader.ReadPacketData()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if at := info.Timestamp.UnixNano(); at < last {
				t.Fatalf("run %d: time goes back", seed)
			} else {
				last = at
			}
			got[info.InterfaceIndex]++
		}
		if !slices.Equal(got, want) {
			t.Fatalf("run %d: frames by node %v, want %v", seed, got, want)
		}
	}
}
