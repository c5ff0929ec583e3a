package search

import (
	"math/big"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/facts"
)

// TestMemo counts covers for which a search without a memo would need years, or many times the
// nodes.
func TestMemo(t *testing.T) {
	most := map[string]int64{
		"dominoes-12x12": 100_000, "monomer-dimer-6x6": 20_000, "bricks-3x3x4": 20_000,
		"right-trominoes-9x9": 150_000, "squares-0..7-7x9": 500_000, "pent-6x10": 170_000,
	}
	for _, f := range facts.Counts() {
		nodes := most[f.ID]
		if nodes == 0 {
			continue
		}
		s := compiled(t, model(t, f.Puzzle))
		for _, threads := range []int{1, 2} {
			r := mustCount(t, s, Options{Threads: threads})
			if r.Count.Cmp(f.Count) != 0 || r.Nodes > nodes*int64(threads) {
				t.Errorf("%s, %d threads: %v in %d nodes, want %v in at most %d", f.ID, threads, r.Count, r.Nodes, f.Count, nodes)
			}
		}
	}
}

// TestLargeCounts: numbers of more than a word are not stored in the memo, but counted.
func TestLargeCounts(t *testing.T) {
	s := compiled(t, model(t, "{board: 7x12, pieces: [{name: domino, copies: any}, {name: twin, box: 1x2, copies: any}]}"))
	one := mustCount(t, compiled(t, model(t, "{board: 7x12, pieces: [{name: domino, copies: any}]}")), Options{Threads: 1})
	want := new(big.Int).Lsh(one.Count, 42) // each of 42 dominoes has two sorts
	if r := mustCount(t, s, Options{Threads: 1}); r.Count.Cmp(want) != 0 || want.BitLen() < 66 {
		t.Errorf("%v, want %v", r.Count, want)
	}
}

// TestMemoTable stores more keys than there is room for: an entry that is found has the values
// stored last, and most of the last entries are found.
func TestMemoTable(t *testing.T) {
	m := &memo{matrices: &matrices{}}
	key := func(i uint64) []uint64 { return []uint64{i * 7, i / 3, 1} }
	const keys = 1 << 20 // of five words: 40 MiB
	for i := range uint64(keys) {
		m.put(key(i), i, 1)
		m.put(key(i), i+5, 2)
	}
	found, held := 0, 0
	for i := range uint64(keys) {
		solutions, nodes := m.get(key(i))
		if nodes > 0 {
			found++
			if solutions != i+5 || nodes != 2 {
				t.Fatalf("key %d: %d, %d", i, solutions, nodes)
			}
		}
	}
	for i := range m.parts {
		held += 8 * cap(m.parts[i].entries)
	}
	if held > memoBytes || found < memoBytes/5/8/3 {
		t.Errorf("%d of %d keys found in %d bytes", found, keys, held)
	}
	if _, nodes := m.get([]uint64{7, 0, 2}); nodes != 0 {
		t.Error("found a key that was not stored")
	}
}

// TestMemoOfColours: an option of colours alone excludes nothing of its own, so that no key shows
// whether it was chosen.
func TestMemoOfColours(t *testing.T) {
	colours := func(uses ...cover.Use) cover.Option { return uses }
	p := &cover.Problem{
		Items:   []cover.Item{{Min: 1, Max: 2}, {Max: 1}, {Min: 1, Max: 1}},
		Colours: []string{"R", "G"},
		Options: []cover.Option{
			colours(cover.Use{Item: 0, Times: 1}, cover.Use{Item: 1, Times: 1, Colour: 1}),
			colours(cover.Use{Item: 0, Times: 1}, cover.Use{Item: 1, Times: 1, Colour: 2}),
			colours(cover.Use{Item: 2, Times: 1}),
		},
	}
	if inMatrices(compiled(t, p)).remembers() {
		t.Error("a memo of options without a row")
	}
	p.Options[0] = append(p.Options[0], cover.Use{Item: 2, Times: 1})
	p.Options[1] = append(p.Options[1], cover.Use{Item: 2, Times: 1})
	if !inMatrices(compiled(t, p)).remembers() {
		t.Error("no memo of options that exclude themselves")
	}
}
