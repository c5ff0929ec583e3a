package sweep

import (
	"bytes"
	"context"
	"flag"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/testkit"
)

var boards = flag.Int("boards", testkit.Size(600, 2000), "random `BOARDS` that are swept with and without dead states")

// TestDeadStatesDoNotCount compares counts with the oracle, for every choice of tests of states,
// on boards of all lattices with holes and optional cells, for pieces of all bounds.
func TestDeadStatesDoNotCount(t *testing.T) {
	states := map[tests]int64{}
	checked := 0
	for seed := uint64(0); checked < *boards; seed++ {
		rng := rand.New(rand.NewPCG(seed, 16))
		p := randomBoard(rng)
		solutions, err := oracle.Within(p, 1<<13)
		if err != nil {
			continue
		}
		a, err := automaton.CompileThorough(context.Background(), p, anOrder(t, rng, p))
		if err != nil {
			t.Fatal(err)
		}
		if !a.Feasible {
			continue
		}
		checked++
		for _, which := range []tests{noTests, loneOnly, allTests, chosen} {
			total, e, _ := trace(t, a, Config{Value: Count{}, Threads: 1 + int(seed%2), chunk: 5, tests: which})
			if total.Cmp(big.NewInt(int64(len(solutions)))) != 0 {
				t.Fatalf("seed %d, tests %d: %v, want %d\n%+v", seed, which, total, len(solutions), p)
			}
			states[which] += e.States
		}
	}
	if n := states; n[noTests] <= n[loneOnly] || n[loneOnly] <= n[allTests] {
		t.Errorf("states by tests: %v", n)
	}
}

// TestDeadStatesResume: a run that is saved at any level goes on from there to the same count,
// with any tests of states before and afterwards.
func TestDeadStatesResume(t *testing.T) {
	for seed, checked := uint64(0), 0; checked < 10; seed++ {
		p := randomBoard(rand.New(rand.NewPCG(seed, 17)))
		solutions, err := oracle.Within(p, 1<<10)
		if err != nil || len(solutions) == 0 {
			continue
		}
		checked++
		want := big.NewInt(int64(len(solutions)))
		a, err := automaton.CompileThorough(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		for _, before := range []tests{noTests, loneOnly, allTests} {
			for k, level := range levels(t, a, Config{Value: Count{}, chunk: 5, tests: before}) {
				after := noTests + (before-noTests+1+tests(k%2))%3
				r, err := Resume(a, bytes.NewReader(level), Config{Value: Count{}, Threads: 1 + k%2, chunk: 5, tests: after})
				if err != nil {
					t.Fatal(err)
				}
				for r.Level() < a.Steps() {
					advance(t, r)
				}
				if r.Total().Cmp(want) != 0 {
					t.Errorf("seed %d, level %d, tests %d and then %d: %v, want %v", seed, k, before, after, r.Total(), want)
				}
			}
		}
	}
}

// anOrder returns one of the orders worth trying.
func anOrder(t *testing.T, rng *rand.Rand, p *cover.Problem) []int {
	t.Helper()
	orders, err := automaton.Orders(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return orders[rng.IntN(len(orders))]
}

// randomBoard returns a board of some lattice. Some of its cells are missing or may stay bare. The
// options are some connected sets of cells of one or two sizes. Most pieces may have any number of
// copies, some have a bound, and one is sometimes used once.
func randomBoard(rng *rand.Rand) *cover.Problem {
	cells := someCells(rng)
	p := &cover.Problem{Orders: [][]int{nil}}
	for i := range cells {
		p.Items = append(p.Items, cover.Item{Min: min(1, rng.IntN(12)), Max: 1})
		p.Orders[0] = append(p.Orders[0], i)
	}
	for range rng.IntN(3) {
		p.Items = append(p.Items, cover.Item{Max: 1 + rng.IntN(4)})
	}
	sizes := [][]int{{2}, {3}, {4}, {2, 4}, {3, 4}, {3, 5}, {1, 3}}[rng.IntN(7)]
	for _, size := range sizes {
		for _, set := range connected(cells, size) {
			if rng.IntN(3) == 0 {
				continue
			}
			o := cover.Option{}
			for i := range cells {
				if set>>i&1 != 0 {
					o = append(o, cover.Use{Item: i, Times: 1})
				}
			}
			if piece := len(cells) + rng.IntN(4); piece < len(p.Items) {
				o = append(o, cover.Use{Item: piece, Times: 1})
			}
			p.Options = append(p.Options, o)
		}
	}
	return p
}

// cell is a place in a grid: layer, row, column.
type cell [3]int

// someCells returns up to 14 cells and, as bits, the neighbours of each.
func someCells(rng *rand.Rand) (near []uint) {
	steps := [][]cell{
		{{0, 0, 1}, {0, 1, 0}},             // squares
		{{0, 0, 1}, {0, 1, 0}, {0, 1, -1}}, // hexagons
		{{0, 0, 1}, {0, 1, 0}},             // triangles: see below
		{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}},  // cubes
	}
	lattice := rng.IntN(len(steps))
	size := cell{1, 3, 5}
	if lattice == 3 {
		size = cell{2, 2, 4}
	}
	at := map[cell]int{}
	for l := range size[0] {
		for r := range size[1] {
			for c := range size[2] {
				if rng.IntN(10) > 0 {
					at[cell{l, r, c}] = len(near)
					near = append(near, 0)
				}
			}
		}
	}
	for c, i := range at {
		for _, s := range steps[lattice] {
			if lattice == 2 && s[1] == 1 && (c[1]+c[2])%2 == 1 {
				continue // only every other triangle has one below
			}
			if j, ok := at[cell{c[0] + s[0], c[1] + s[1], c[2] + s[2]}]; ok {
				near[i] |= 1 << j
				near[j] |= 1 << i
			}
		}
	}
	return near
}

// connected returns the connected sets of the given number of cells, as bits, in order.
func connected(near []uint, size int) []uint {
	sets := map[uint]bool{0: true}
	for range size {
		grown := map[uint]bool{}
		for set := range sets {
			for i := range near {
				if set>>i&1 == 0 && (set == 0 || set&near[i] != 0) {
					grown[set|1<<i] = true
				}
			}
		}
		sets = grown
	}
	return slices.Sorted(maps.Keys(sets))
}
