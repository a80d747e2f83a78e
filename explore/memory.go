package explore

import (
	"errors"
	"sync"
	"unsafe"
)

var errNoMemory = errors.New("out of memory")

// Sizes of what is asked from the operating system.
const (
	blockBytes = 4 << 10  // at most the size of a block of states, if a state fits
	slabMin    = 1 << 20  // blocks are cut from slabs …
	slabMax    = 32 << 20 // … that grow with the search up to this size
	roomSlab   = 8 << 20
	hugePage   = 2 << 20 // mappings of at least this size ask for huge pages

	defaultMemory = 4 << 30 // where the size of the machine is not known
)

// A memory hands out the blocks and tables of one search. They lie outside
// the Go heap, so that the garbage collector neither scans nor counts them,
// and hold no pointers. What it counts as used depends only on the states
// stored, not on the machine, so that a stop by memory is deterministic.
type memory struct {
	block int                             // bytes of a block
	mmap  func(bytes int) ([]byte, error) // mapBytes, except in tests

	mu    sync.Mutex
	slab  []byte   // the rest of the newest slab
	slabs [][]byte // for release
	total int      // bytes of all slabs
	free  [][]byte // blocks given back
	used  uint64   // bytes of blocks and tables in use
	peak  uint64
}

func newMemory(width int) *memory {
	return &memory{block: width << blockShift(width), mmap: mapBytes}
}

// getBlock returns a zeroed or reused block.
func (m *memory) getBlock() ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.count(m.block)
	if n := len(m.free); n > 0 {
		b := m.free[n-1]
		m.free = m.free[:n-1]
		return b, nil
	}
	if len(m.slab) < m.block {
		size := max(m.block, min(max(m.total/4&^(hugePage-1), slabMin), slabMax))
		slab, err := m.mmap(size)
		if err != nil {
			return nil, errNoMemory
		}
		m.slab = slab
		m.slabs = append(m.slabs, slab)
		m.total += size
	}
	b := m.slab[:m.block:m.block]
	m.slab = m.slab[m.block:]
	return b, nil
}

func (m *memory) putBlock(b []byte) {
	m.mu.Lock()
	m.free = append(m.free, b)
	m.count(-m.block)
	m.mu.Unlock()
}

// getTable returns n zeroed words.
func (m *memory) getTable(n int) ([]uint32, error) {
	b, err := m.mmap(4 * n)
	if err != nil {
		return nil, errNoMemory
	}
	m.mu.Lock()
	m.count(4 * n)
	m.mu.Unlock()
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(b))), n), nil
}

// putTable releases a table; nil is fine.
func (m *memory) putTable(t []uint32) {
	if t == nil {
		return
	}
	unmapBytes(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(t))), 4*len(t)))
	m.mu.Lock()
	m.count(-4 * len(t))
	m.mu.Unlock()
}

// release gives all blocks back to the operating system.
func (m *memory) release() {
	for _, s := range m.slabs {
		unmapBytes(s)
	}
	m.slab, m.slabs, m.free = nil, nil, nil
}

func (m *memory) count(n int) {
	m.used += uint64(n)
	m.peak = max(m.peak, m.used)
}
