package bdd

import (
	"context"
	"errors"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// dominoes is the running example: the 2x3 board abc/def, an exact cover by
// the seven dominoes, as cells covered so far.
var dominoNames = []string{"ab", "ad", "bc", "be", "cf", "de", "ef"}

func dominoes() Spec {
	return boardSpec(2, 3, []shape{{{0, 0}, {0, 1}}, {{0, 0}, {1, 0}}})
}

type (
	cell  [2]int
	shape []cell // its first cell is {0, 0}
)

// boardSpec covers a board exactly with the shapes: a small twin of the real
// frontier. Layer i decides the option that covers cell i; a state is the covered cells
// from i on, bit 0 being cell i.
func boardSpec(rows, cols int, shapes []shape) *layerSpec {
	s := &layerSpec{}
	states := []uint64{0}
	for i := range rows * cols {
		s.expand(&states, placements(i, rows, cols, shapes))
	}
	return s
}

// placements is the masks, bit 0 being cell i, of the shapes at cell i.
func placements(i, rows, cols int, shapes []shape) (masks []uint64) {
next:
	for _, sh := range shapes {
		mask := uint64(0)
		for _, c := range sh {
			row, col := i/cols+c[0], i%cols+c[1]
			if row >= rows || col < 0 || col >= cols {
				continue next
			}
			mask |= 1 << (row*cols + col - i)
		}
		masks = append(masks, mask)
	}
	return masks
}

// layerSpec is a Spec of prepared layers.
type layerSpec struct {
	vars   int
	layers []Layer
}

func (s *layerSpec) Vars() int   { return s.vars }
func (s *layerSpec) Layers() int { return len(s.layers) }
func (s *layerSpec) Expand(_ context.Context, i int) (Layer, error) {
	return s.layers[i], nil
}

func (s *layerSpec) expand(states *[]uint64, masks []uint64) {
	layer := Layer{Start: []uint32{0}}
	index := map[uint64]uint32{}
	var next []uint64
	arc := func(v uint32, state uint64) {
		i, ok := index[state]
		if !ok {
			i = uint32(len(next))
			index[state] = i
			next = append(next, state)
		}
		layer.Arcs = append(layer.Arcs, Arc{v, i})
	}
	for _, state := range *states {
		if state&1 != 0 {
			arc(NoVar, state>>1)
		} else {
			for k, m := range masks {
				if state&m == 0 {
					arc(uint32(s.vars+k), (state|m)>>1)
				}
			}
		}
		layer.Start = append(layer.Start, uint32(len(layer.Arcs)))
	}
	layer.Next = len(next)
	s.layers = append(s.layers, layer)
	s.vars += len(masks)
	*states = next
}

// small3 is the monomino, the dominoes and the trominoes, all orientations.
var small3 = []shape{
	{{0, 0}},
	{{0, 0}, {0, 1}},
	{{0, 0}, {1, 0}},
	{{0, 0}, {0, 1}, {0, 2}},
	{{0, 0}, {1, 0}, {2, 0}},
	{{0, 0}, {0, 1}, {1, 0}},
	{{0, 0}, {0, 1}, {1, 1}},
	{{0, 0}, {1, 0}, {1, 1}},
	{{0, 0}, {1, -1}, {1, 0}},
}

func build(t testing.TB, s Spec) *Diagram {
	t.Helper()
	d, err := Build(t.Context(), s, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	checkCanonical(t, d)
	return d
}

// checkCanonical fails unless d has the form that the package promises.
func checkCanonical(t testing.TB, d *Diagram) {
	t.Helper()
	if d.offset[d.Vars()] != 2 || int(d.offset[0]) != d.Size() || int(d.root) != max(d.Size()-1, 2) && d.root > Top {
		t.Fatalf("offsets %v, size %d, root %d", d.offset, d.Size(), d.root)
	}
	reached := make([]bool, d.Size())
	reached[0], reached[1], reached[d.root] = true, true, true
	for n := d.Size() - 1; n > 1; n-- {
		reached[d.lo[n]], reached[d.hi[n]] = true, true
	}
	if slices.Contains(reached, false) {
		t.Fatal("a node is not reached")
	}
	for v := range d.Vars() {
		first, end := d.Nodes(v)
		for n := first; n < end; n++ {
			if d.Var(n) != v || d.VarFrom(0, n) != v || d.VarFrom(v, n) != v {
				t.Fatalf("node %d: variable %d, %d, %d, want %d", n, d.Var(n), d.VarFrom(0, n), d.VarFrom(v, n), v)
			}
			if d.hi[n] == Bottom || d.Var(d.hi[n]) <= v || d.Var(d.lo[n]) <= v {
				t.Fatalf("node %d: children %d, %d", n, d.hi[n], d.lo[n])
			}
			if n > first && !less(d, n-1, n) {
				t.Fatalf("nodes %d, %d are not in order", n-1, n)
			}
		}
	}
}

func less(d *Diagram, m, n uint32) bool {
	return d.hi[m] < d.hi[n] || d.hi[m] == d.hi[n] && d.lo[m] < d.lo[n]
}

func count(t testing.TB, d *Diagram) *big.Int {
	t.Helper()
	c, err := d.Counts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c.At(d.Root())
}

// TestRunningExample checks the picture of the package comment.
func TestRunningExample(t *testing.T) {
	d := build(t, dominoes())
	wantHi := []uint32{0, 1, 1, 1, 1, 3, 4, 2, 7, 5}
	wantLo := []uint32{0, 1, 0, 0, 0, 0, 0, 6, 0, 8}
	if !slices.Equal(d.hi, wantHi) || !slices.Equal(d.lo, wantLo) {
		t.Errorf("hi %v, lo %v", d.hi, d.lo)
	}
	var got []string
	for set := range d.AllSets() {
		names := make([]string, len(set))
		for i, v := range set {
			names[i] = dominoNames[v]
		}
		got = append(got, strings.Join(names, " "))
		if !d.Contains(set) {
			t.Errorf("does not contain %v", set)
		}
	}
	if want := []string{"ab cf de", "ad bc ef", "ad be cf"}; !slices.Equal(got, want) {
		t.Errorf("sets %v, want %v", got, want)
	}
}

// TestKnownSizes: the figures of Knuth's and TdZdd's diagrams.
func TestKnownSizes(t *testing.T) {
	for _, c := range []struct {
		rows, cols int
		shapes     []shape
		nodes      int
		count      string
	}{
		{8, 8, []shape{small3[1], small3[2]}, 2300, "12988816"},
		{8, 8, small3, 512227, "92109458286284989468604"},
	} {
		if testing.Short() && c.nodes > 1e5 {
			continue
		}
		d := build(t, boardSpec(c.rows, c.cols, c.shapes))
		if got := count(t, d).String(); d.Size() != c.nodes || got != c.count {
			t.Errorf("%dx%d: %d nodes, count %s, want %d, %s", c.rows, c.cols, d.Size(), got, c.nodes, c.count)
		}
	}
}

func powerSet(vars int) Spec {
	return Automaton(vars, struct{}{}, func(s struct{}, _ int, _ bool) (struct{}, bool) { return s, true })
}

// TestWideCounts: the power set of n variables has 2^n members, and the sets
// that are not all of it one less.
func TestWideCounts(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 65, 127, 128, 129, 200, 1000, 20000} {
		c, err := build(t, powerSet(n)).Counts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		root := uint32(n + 1)
		if want := new(big.Int).Lsh(big.NewInt(1), uint(n)); c.At(root).Cmp(want) != 0 {
			t.Errorf("power set of %d: count %v", n, c.At(root))
		}
		if want := n/64 + 1; c.Width() != want || len(c.Limbs(root)) != want {
			t.Errorf("power set of %d: width %d, want %d", n, c.Width(), want)
		}
	}
	d := build(t, Automaton(128, true, func(all bool, v int, take bool) (bool, bool) {
		return all && take, v < 127 || !(all && take)
	}))
	want := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 128), big.NewInt(1))
	if c, err := d.Counts(t.Context()); err != nil || c.At(d.Root()).Cmp(want) != 0 || c.Width() != 2 {
		t.Errorf("all but one: %v, %v, width %d", c.At(d.Root()), err, c.Width())
	}
	if _, err := d.Weigh(t.Context(), nil, 100); !errors.Is(err, ErrLimit) {
		t.Errorf("100 bytes: %v", err)
	}
}

// TestDeadStates: states that nothing leads to, or that lead nowhere, leave
// nothing behind.
func TestDeadStates(t *testing.T) {
	s := &layerSpec{vars: 4, layers: []Layer{
		{Next: 4, Start: []uint32{0, 3}, Arcs: []Arc{{0, 0}, {1, 1}, {NoVar, 2}}},
		// State 0 continues; 1 is ⊥; 2 leads to ⊥ alone; 3 is not reached.
		{Next: 3, Start: []uint32{0, 1, 1, 2, 4}, Arcs: []Arc{{2, 0}, {2, 1}, {2, 0}, {NoVar, 2}}},
		{Next: 1, Start: []uint32{0, 1, 1, 2}, Arcs: []Arc{{3, 0}, {3, 0}}},
	}}
	d := build(t, s)
	if want := singleton(t, 4, 0, 2, 3); !d.Equal(want) {
		t.Errorf("hi %v, lo %v, offsets %v; want %v", d.hi, d.lo, d.offset, want)
	}
}

// TestEmptySpecs: no layer is {∅}, a last layer that accepts nothing is empty.
func TestEmptySpecs(t *testing.T) {
	unit, _ := Unit(2)
	if d := build(t, &layerSpec{vars: 2}); !d.Equal(unit) {
		t.Errorf("no layers: %v", d)
	}
	empty, _ := Empty(2)
	if d := build(t, &layerSpec{vars: 2, layers: []Layer{{Start: []uint32{0, 0}}}}); !d.Equal(empty) {
		t.Errorf("nothing accepted: %v", d)
	}
}

// TestMalformed: whatever a Spec returns, Build answers with an error.
func TestMalformed(t *testing.T) {
	arcs := []Arc{{0, 0}}
	good := Layer{Next: 1, Start: []uint32{0, 1}, Arcs: arcs}
	for name, s := range map[string]*layerSpec{
		"vars negative":     {vars: -1},
		"vars huge":         {vars: MaxVars + 1},
		"next negative":     {vars: 1, layers: []Layer{{Next: -1, Start: []uint32{0, 1}, Arcs: arcs}}},
		"no start":          {vars: 1, layers: []Layer{{Next: 1}}},
		"start long":        {vars: 1, layers: []Layer{{Next: 1, Start: []uint32{0, 1, 1}, Arcs: arcs}}},
		"start not 0":       {vars: 1, layers: []Layer{{Next: 1, Start: []uint32{1, 1}, Arcs: arcs}}},
		"start short":       {vars: 1, layers: []Layer{{Next: 1, Start: []uint32{0, 0}, Arcs: arcs}}},
		"start falls":       {vars: 2, layers: []Layer{{Next: 2, Start: []uint32{0, 1}, Arcs: arcs}, {Next: 1, Start: []uint32{0, 2, 1}, Arcs: []Arc{{1, 0}}}}},
		"start far":         {vars: 2, layers: []Layer{{Next: 2, Start: []uint32{0, 1}, Arcs: arcs}, {Next: 1, Start: []uint32{0, 9, 1}, Arcs: []Arc{{1, 0}}}}},
		"child":             {vars: 1, layers: []Layer{{Next: 1, Start: []uint32{0, 1}, Arcs: []Arc{{0, 1}}}}},
		"variable":          {vars: 1, layers: []Layer{{Next: 1, Start: []uint32{0, 1}, Arcs: []Arc{{1, 0}}}}},
		"variables fall":    {vars: 2, layers: []Layer{{Next: 1, Start: []uint32{0, 2}, Arcs: []Arc{{1, 0}, {0, 0}}}}},
		"variable twice":    {vars: 2, layers: []Layer{{Next: 1, Start: []uint32{0, 2}, Arcs: []Arc{{1, 0}, {1, 0}}}}},
		"NoVar first":       {vars: 2, layers: []Layer{{Next: 1, Start: []uint32{0, 2}, Arcs: []Arc{{NoVar, 0}, {1, 0}}}}},
		"variable again":    {vars: 1, layers: []Layer{good, good}},
		"many accepted":     {vars: 1, layers: []Layer{{Next: 2, Start: []uint32{0, 1}, Arcs: arcs}}},
		"states do not fit": {vars: 2, layers: []Layer{{Next: 2, Start: []uint32{0, 1}, Arcs: arcs}, {Next: 1, Start: []uint32{0, 0}}}},
	} {
		if _, err := Build(t.Context(), s, Limits{}); !errors.Is(err, ErrSpec) && !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestLimits(t *testing.T) {
	want := build(t, boardSpec(6, 6, small3))
	var last Progress
	d, err := Build(t.Context(), boardSpec(6, 6, small3), Limits{Nodes: int64(want.Size()), Progress: func(p Progress) {
		if p.Step != last.Step+1 || p.Steps != 72 || p.Bytes < last.Bytes || p.Nodes < last.Nodes {
			t.Errorf("progress %+v after %+v", p, last)
		}
		last = p
	}})
	if err != nil || !d.Equal(want) {
		t.Errorf("just enough nodes: %v", err)
	}
	if _, err := Build(t.Context(), boardSpec(6, 6, small3), Limits{Bytes: last.Bytes + d.Bytes()}); err != nil {
		t.Errorf("just enough bytes: %v", err)
	}
	for _, l := range []Limits{{Nodes: int64(want.Size() - 1)}, {Nodes: 1}, {Bytes: 1}, {Bytes: 1000}, {Bytes: last.Bytes / 2}, {Bytes: d.Bytes()}} {
		if _, err := Build(t.Context(), boardSpec(6, 6, small3), l); !errors.Is(err, ErrLimit) {
			t.Errorf("limits %+v: error %v", l, err)
		}
	}
}

// TestCancel stops a build at every step.
func TestCancel(t *testing.T) {
	steps := 2 * boardSpec(3, 3, small3).Layers()
	for stop := range steps {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := Build(ctx, boardSpec(3, 3, small3), Limits{Progress: func(p Progress) {
			if p.Step == stop {
				cancel()
			}
		}})
		if stop > 0 && stop < steps && !errors.Is(err, context.Canceled) {
			t.Errorf("step %d: error %v", stop, err)
		}
		cancel()
	}
	d := build(t, boardSpec(3, 3, small3))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.Counts(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("counts: error %v", err)
	}
}

// TestRadixSort sorts long arrays, with wide and narrow keys.
func TestRadixSort(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, keys := range []uint32{1, 2, 300, 1 << 17, 1 << 31} {
		b := make([]branch, 5000)
		for i := range b {
			b[i] = branch{hi: 7 + rng.Uint32N(keys), lo: rng.Uint32N(keys), state: uint32(i)}
		}
		want := slices.Clone(b)
		slices.SortStableFunc(want, compareBranches)
		a, err := newAssembler(1, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if err := a.sort(b); err != nil || !slices.Equal(b, want) {
			t.Errorf("keys below %d: not sorted, %v", keys, err)
		}
	}
}

// tableSpec is the family over n ≤ 6 variables whose members, as bit masks, are
// the bits of table. A state is the table of the variables that follow.
func tableSpec(n int, table uint64) Spec {
	return Automaton(n, table, func(s uint64, v int, take bool) (uint64, bool) {
		half := uint64(1)<<(1<<(n-1-v)) - 1
		// The low variables come first, so the table is split by the low bit
		// of the mask: even members lack v, odd ones hold it.
		out := uint64(0)
		for k := range 1 << (n - 1 - v) {
			bit := 2 * k
			if take {
				bit++
			}
			out |= s >> bit & 1 << k
		}
		return out & half, out != 0
	})
}

// TestTables builds every family over 3 variables and random ones over 6.
func TestTables(t *testing.T) {
	for table := range uint64(256) {
		checkTable(t, build(t, tableSpec(3, table)), 3, table)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		table := rng.Uint64() & rng.Uint64() & rng.Uint64()
		checkTable(t, build(t, tableSpec(6, table)), 6, table)
	}
}

// checkTable compares the members of d with the bits of table.
func checkTable(t *testing.T, d *Diagram, n int, table uint64) {
	t.Helper()
	got := uint64(0)
	for set := range d.AllSets() {
		got |= 1 << maskOf(set)
	}
	if got != table || count(t, d).Int64() != int64(bits.OnesCount64(table)) {
		t.Fatalf("table %x: sets %x", table, got)
	}
	for mask := range 1 << n {
		if d.Contains(setOf(mask)) != (table>>mask&1 != 0) {
			t.Fatalf("table %x: contains %v is wrong", table, setOf(mask))
		}
	}
}

func maskOf(set []int) (mask int) {
	for _, v := range set {
		mask |= 1 << v
	}
	return mask
}

func setOf(mask int) (set []int) {
	for ; mask != 0; mask &= mask - 1 {
		set = append(set, bits.TrailingZeros(uint(mask)))
	}
	return set
}

// Contains reports whether the set of variables is in the family. It returns false if the
// list is not strictly ascending or has a number that is no variable.
func (d *Diagram) Contains(set []int) bool {
	n, v := d.root, d.Var(d.root)
	for _, want := range set {
		for v < want && n > Top {
			n = d.lo[n]
			v = d.VarFrom(v+1, n)
		}
		if v != want || n <= Top {
			return false
		}
		n = d.hi[n]
		v = d.VarFrom(v+1, n)
	}
	for n > Top {
		n = d.lo[n]
	}
	return n == Top
}
