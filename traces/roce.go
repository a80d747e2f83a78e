package traces

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"net"
	"strings"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/ibcheck/ibcheck/spec"
)

// What a run does not say about its frames, chosen as in the captures that
// PROTOCOL 11 tells of: payloads are zeros, a full packet has the smallest
// path MTU and the last one 16 bytes, and the first PSNs are 0x100 and 0x200.
const (
	roceMTU     = 256
	roceLast    = 16
	rocePort    = 4791
	roceFirst   = 0x100
	roceQPN     = 0x11
	roceRKey    = 0x1000
	roceRNR     = 0x10 // min_rnr_timer: 2.56 ms
	bthLength   = 12
	udpLength   = 8
	ipLength    = 20
	etherLength = 14
)

// A packetForm says which headers follow the BTH of an opcode (F1.6).
type packetForm struct {
	code     byte
	reth     bool // address, key and length of an RDMA operation
	atomic   bool // AtomicETH
	aeth     bool // syndrome and MSN
	original bool // the value that an atomic found
	word     bool // immediate data, or the key to invalidate
	payload  bool
	full     bool // as long as the path MTU
	response bool
}

// packetForms is every opcode of RC, by its name without RDMA_ and with
// immediate and invalidate shortened.
var packetForms = map[string]packetForm{
	"SEND_FIRST":           {code: 0, payload: true, full: true},
	"SEND_MIDDLE":          {code: 1, payload: true, full: true},
	"SEND_LAST":            {code: 2, payload: true},
	"SEND_LAST_IMM":        {code: 3, word: true, payload: true},
	"SEND_ONLY":            {code: 4, payload: true},
	"SEND_ONLY_IMM":        {code: 5, word: true, payload: true},
	"WRITE_FIRST":          {code: 6, reth: true, payload: true, full: true},
	"WRITE_MIDDLE":         {code: 7, payload: true, full: true},
	"WRITE_LAST":           {code: 8, payload: true},
	"WRITE_LAST_IMM":       {code: 9, word: true, payload: true},
	"WRITE_ONLY":           {code: 10, reth: true, payload: true},
	"WRITE_ONLY_IMM":       {code: 11, reth: true, word: true, payload: true},
	"READ_REQUEST":         {code: 12, reth: true},
	"READ_RESPONSE_FIRST":  {code: 13, aeth: true, payload: true, full: true, response: true},
	"READ_RESPONSE_MIDDLE": {code: 14, payload: true, full: true, response: true},
	"READ_RESPONSE_LAST":   {code: 15, aeth: true, payload: true, response: true},
	"READ_RESPONSE_ONLY":   {code: 16, aeth: true, payload: true, response: true},
	"ACKNOWLEDGE":          {code: 17, aeth: true, response: true},
	"ATOMIC_ACKNOWLEDGE":   {code: 18, aeth: true, original: true, response: true},
	"COMPARE_SWAP":         {code: 19, atomic: true},
	"FETCH_ADD":            {code: 20, atomic: true},
	"SEND_LAST_INV":        {code: 22, word: true, payload: true},
	"SEND_ONLY_INV":        {code: 23, word: true, payload: true},
}

// otherNames are opcodes as verbs or drivers call them.
var otherNames = map[string]string{
	"READ": "READ_REQUEST", "READ_ONLY": "READ_REQUEST", "ACK": "ACKNOWLEDGE", "ATOMIC_ACK": "ATOMIC_ACKNOWLEDGE",
	"ATOMIC_CMP_AND_SWP": "COMPARE_SWAP", "ATOMIC_CMP_AND_SWP_ONLY": "COMPARE_SWAP", "CMP_SWAP": "COMPARE_SWAP",
	"ATOMIC_FETCH_AND_ADD": "FETCH_ADD", "ATOMIC_FETCH_AND_ADD_ONLY": "FETCH_ADD",
}

var shortSuffixes = strings.NewReplacer("_WITH_IMMEDIATE", "_IMM", "_WITH_IMM", "_IMM", "_WITH_INVALIDATE", "_INV", "_WITH_INV", "_INV")

func formOf(p *spec.Packet) (packetForm, error) {
	name := shortSuffixes.Replace(strings.TrimPrefix(p.Opcode, "RDMA_"))
	if other, ok := otherNames[name]; ok {
		name = other
	}
	f, ok := packetForms[name]
	if !ok {
		return f, fmt.Errorf("packet %d: no opcode of RC is called %q", p.ID, p.Opcode)
	}
	return f, nil
}

// syndromeCodes are the values of the AETH's syndrome (F1.7).
var syndromeCodes = map[string]byte{
	"": 0x1f, "ACK": 0x1f, "RNRNAK": 0x20 | roceRNR, "NAKSequence": 0x60, "NAKInvalidRequest": 0x61, "NAKAccess": 0x62, "NAKOperation": 0x63,
}

// A framer turns the packets of a run into RoCEv2 frames.
type framer struct {
	run    *spec.Run
	number uint16 // of the next frame, which becomes the IP identification
}

// side is 0 for the queue pair that a connection names first, 1 for the other.
func (f *framer) side(p *spec.Packet, node int) int {
	if p.Conn < 0 || p.Conn >= len(f.run.Conns) || f.run.Conns[p.Conn].A == node {
		return 0
	}
	return 1
}

// frame builds one frame: Ethernet, IPv4, UDP, BTH and what follows it, ICRC.
func (f *framer) frame(p *spec.Packet) ([]byte, error) {
	form, err := formOf(p)
	if err != nil {
		return nil, err
	}
	conn := max(p.Conn, 0)
	sender, receiver := f.side(p, p.From), f.side(p, p.To)
	owner := sender // of the PSN: a response carries one of the requester (F1.2)
	if form.response {
		owner = receiver
	}
	b := make([]byte, bthLength)
	b[0] = form.code
	if p.Solicited {
		b[1] = 0x80
	}
	binary.BigEndian.PutUint16(b[2:], 0xffff)
	put24(b[5:], roceQPN+2*conn+receiver)
	if p.AckReq {
		b[8] = 0x80
	}
	put24(b[9:], roceFirst*(1+2*conn+owner)+p.PSN)
	b = append(b, f.headers(p, &form)...)
	if form.payload {
		n := roceLast
		if form.full {
			n = roceMTU
		}
		b = append(b, make([]byte, n)...)
	}
	return f.envelope(p, conn, b)
}

func put24(b []byte, v int) { b[0], b[1], b[2] = byte(v>>16), byte(v>>8), byte(v) }

// headers are the extended headers behind the BTH, in the order of the wire.
func (f *framer) headers(p *spec.Packet, form *packetForm) []byte {
	var b []byte
	if form.reth || form.atomic {
		b = binary.BigEndian.AppendUint64(b, 0) // the address
		b = binary.BigEndian.AppendUint32(b, roceRKey)
	}
	if form.reth {
		b = binary.BigEndian.AppendUint32(b, f.length(p))
	}
	if form.atomic {
		b = binary.BigEndian.AppendUint64(b, 1) // swap or add
		b = binary.BigEndian.AppendUint64(b, 0) // compare
	}
	if form.aeth {
		b = append(b, syndromeCodes[p.Syndrome], 0, 0, 0)
		put24(b[len(b)-3:], max(p.MSN, 0))
	}
	if form.original {
		b = binary.BigEndian.AppendUint64(b, 0)
	}
	if form.word {
		b = binary.BigEndian.AppendUint32(b, 0)
	}
	return b
}

// length is how many bytes the message of a packet has: its packets are full
// but for the last one.
func (f *framer) length(p *spec.Packet) uint32 {
	last := p.PSN
	for i := range f.run.Events {
		q := f.run.Events[i].Packet
		if q != nil && q.Conn == p.Conn && q.From == p.From && q.WR == p.WR && q.Owner == p.Owner {
			last = max(last, q.PSN)
		}
	}
	return uint32(last-p.PSN)*roceMTU + roceLast
}

// envelope puts Ethernet, IP and UDP around a packet and the ICRC behind it.
// The UDP checksum is 0, as adapters send it.
func (f *framer) envelope(p *spec.Packet, conn int, roce []byte) ([]byte, error) {
	f.number++
	buf := gopacket.NewSerializeBuffer()
	lengths := gopacket.SerializeOptions{FixLengths: true}
	sums := gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}
	body := append(roce, 0, 0, 0, 0) // room for the ICRC
	for _, part := range []struct {
		layer gopacket.SerializableLayer
		opt   gopacket.SerializeOptions
	}{
		{gopacket.Payload(body), lengths},
		{&layers.UDP{SrcPort: layers.UDPPort(49152 + conn), DstPort: rocePort}, lengths},
		{&layers.IPv4{Version: 4, TTL: 64, Id: f.number, Flags: layers.IPv4DontFragment, Protocol: layers.IPProtocolUDP,
			SrcIP: nodeIP(p.From), DstIP: nodeIP(p.To)}, sums},
		{&layers.Ethernet{SrcMAC: nodeMAC(p.From), DstMAC: nodeMAC(p.To), EthernetType: layers.EthernetTypeIPv4}, lengths},
	} {
		if err := part.layer.SerializeTo(buf, part.opt); err != nil {
			return nil, err
		}
	}
	frame := buf.Bytes()
	binary.LittleEndian.PutUint32(frame[len(frame)-4:], icrc(frame))
	return frame, nil
}

func nodeIP(n int) net.IP { return net.IPv4(10, 0, byte(n>>8), byte(n+1)) }

func nodeMAC(n int) net.HardwareAddr { return net.HardwareAddr{2, 0, 0, 0, byte(n >> 8), byte(n + 1)} }

// icrc computes the invariant CRC of a RoCEv2 frame over IPv4: what routers may
// change on the way counts as ones.
func icrc(frame []byte) uint32 {
	b := append([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, frame[etherLength:len(frame)-4]...)
	const ip, udp, bth = 8, 8 + ipLength, 8 + ipLength + udpLength
	for _, i := range []int{ip + 1, ip + 8, ip + 10, ip + 11, udp + 6, udp + 7, bth + 4} {
		b[i] = 0xff // type of service, time to live, checksums, and the BTH's reserved byte
	}
	return crc32.ChecksumIEEE(b)
}
