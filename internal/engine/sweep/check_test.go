package sweep

import (
	"math/big"
	"os"
	"strings"
	"testing"
)

// Every step of every test of this package is checked.
func TestMain(m *testing.M) {
	checkSteps = true
	os.Exit(m.Run())
}

// corrupted returns a level of two blocks and one slab, with counts of two limbs.
func corrupted() *Level[[1]uint64] {
	return &Level[[1]uint64]{
		n: 5, width: width{words: 2},
		blocks: blocks[[1]uint64]{low: 4, heads: [][1]uint64{{0x101}, {0x120}}, first: []uint32{0, 3}},
		lows:   [][]uint16{{0x1, 0x3, 0x7, 0x0, 0xf}},
		counts: [][]uint64{{1, 0, 0, 1, 2, 0, 3, 0, 1, 1}},
	}
}

// TestCorruptLevels plants a mistake for each invariant of a level, and wants an error that names
// it.
func TestCorruptLevels(t *testing.T) {
	whole := corrupted()
	if err := whole.check(true); err != nil {
		t.Fatal(err)
	}
	type level = Level[[1]uint64]
	for want, corrupt := range map[string]func(l *level){
		"the states of a block differ in 17 low bits":           func(l *level) { l.blocks.low = 17 },
		"there are -1 states":                                   func(l *level) { l.n = -1 },
		"have 2 heads and 1 blocks":                             func(l *level) { l.blocks.first = l.blocks.first[:1] },
		"0 states have 2 heads":                                 func(l *level) { l.n = 0 },
		"the first block begins with state 1, expected state 0": func(l *level) { l.blocks.first[0] = 1 },
		"block 0 begins with state 0, and the next block":       func(l *level) { l.blocks.first[1] = 0 },
		"block 1 begins with state 5":                           func(l *level) { l.blocks.first[1] = 5 },
		"is in two slabs":                                       func(l *level) { l.n, l.blocks.first[1] = SlabStates+2, SlabStates-1 },
		"head 1 is less than head 0, expected ascending heads":  func(l *level) { l.blocks.heads[1][0] = 0x10 },
		"the highest bit":                                       func(l *level) { l.blocks.heads[1][0] |= 1 << 63 },
		"in 1 slabs of low bits and 2":                          func(l *level) { l.counts = append(l.counts, nil) },
		"slab 0 has 4 states":                                   func(l *level) { l.lows[0] = l.lows[0][:4] },
		"8 words of counts, expected 5 states and 10 words":     func(l *level) { l.counts[0] = l.counts[0][:8] },
		"block 1: low bits 10000":                               func(l *level) { l.lows[0][4] = 0x10 },
		"lack the bits 1 of the head":                           func(l *level) { l.lows[0][1] = 0x2 },
		"low bits 1 are not above the low bits before them":     func(l *level) { l.lows[0][1] = 0x1 },
		"block 1: low bits 1 are not above the":                 func(l *level) { l.blocks.heads[1][0] = 0x101; l.lows[0][3], l.lows[0][4] = 0x1, 0x9 },
		"state 1 has the count 0":                               func(l *level) { l.counts[0][3] = 0 },
	} {
		l := corrupted()
		corrupt(l)
		if err := l.check(true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	residues := whole
	residues.counts[0][3] = 0
	if err := residues.check(false); err != nil {
		t.Errorf("a residue may be 0: %v", err)
	}
}

// TestCorruptRuns plants mistakes outside a level: bytes that are not counted, and states on disk
// that differ from their summary in memory.
func TestCorruptRuns(t *testing.T) {
	r := shelvedRun(t)
	if err := r.check(); err != nil {
		t.Fatal(err)
	}
	s := r.in.shelf().slabs[0]
	for want, corrupt := range map[string]func() (undo func()){
		"the counter of memory":        func() func() { r.store.used.Add(1); return func() { r.store.used.Add(-1) } },
		"from its summary":             func() func() { s.odd[3] ^= 1; return func() { s.odd[3] ^= 1 } },
		"differs from its sample":      func() func() { s.sample[2]++; return func() { s.sample[2]-- } },
		"on disk differs":              func() func() { was := s.total; s.total = new(big.Int); return func() { s.total = was } },
		"its states cannot be decoded": func() func() { s.n--; return func() { s.n++ } },
	} {
		undo := corrupt()
		if err := r.check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		undo()
	}
}
