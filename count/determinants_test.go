package count

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/tiling"
)

// someOptions are random ones, at least one.
func someOptions(rng *rand.Rand, m *tiling.Model) (some []int) {
	n := len(m.Placements)
	for range 1 + rng.IntN(3) {
		some = append(some, rng.IntN(n))
	}
	slices.Sort(some)
	return slices.Compact(some)
}

// flatBoards are kinds of boards whose cells are a plane graph.
var flatBoards = []string{puzzletest.Square, puzzletest.Triangle, puzzletest.Hexagon, puzzletest.Cylinder}

// TestDeterminants: on random boards with holes, with weights and under conditions, determinants
// and a diagram have the same results.
func TestDeterminants(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 17))
	kinds := map[string]int{}
	for range testkit.Size(500, 5000) {
		kind, m := puzzletest.Pairs(t, rng, flatBoards...)
		if len(m.Placements) == 0 {
			continue
		}
		var bounds []cover.Bound
		if rng.IntN(3) == 0 {
			bounds = append(bounds, cover.Bound{Options: someOptions(rng, m), Min: 1, Max: cover.Unbounded})
		}
		if rng.IntN(3) == 0 {
			bounds = append(bounds, cover.Bound{Options: someOptions(rng, m), Max: 0})
		}
		m = withBounds(t, m, bounds)
		var weights []*big.Rat
		if rng.IntN(2) == 0 {
			weights = randomWeights(rng, len(m.Problem.Options))
		}
		o := Options{Engine: Dimer, Weights: weights, Limits: Limits{Threads: 1 + rng.IntN(2), Memory: 1 << 30}}
		d, _, err := Solve(t.Context(), m.Problem, ForMarginals, o)
		if errors.Is(err, ErrNotDimers) {
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s", kind, err, text(m.Problem))
		}
		sameAsDiagram(t, d, m, o)
		first, second := someOptions(rng, m), someOptions(rng, m)
		one, err := d.Without(t.Context(), first)
		if err != nil {
			t.Fatal(err)
		}
		sameAsDiagram(t, one, withBounds(t, m, []cover.Bound{{Options: first, Max: 0}}), o)
		first = slices.Compact(slices.Sorted(slices.Values(slices.Concat(first, second))))
		both, err := d.Without(t.Context(), first)
		if err != nil {
			t.Fatal(err)
		}
		sameAsDiagram(t, both, withBounds(t, m, []cover.Bound{{Options: first, Max: 0}}), o)
		if d.Weight().Sign() > 0 {
			kinds[kind]++
		}
	}
	for _, kind := range flatBoards {
		if kinds[kind] < 6 {
			t.Errorf("%d boards of the kind %s", kinds[kind], kind)
		}
	}
}

func withBounds(t *testing.T, m *tiling.Model, bounds []cover.Bound) *tiling.Model {
	t.Helper()
	for i := range bounds {
		bounds[i].Name = fmt.Sprintf("b%d.%d", len(m.Problem.Items), i)
	}
	m, err := m.WithBounds(t.Context(), bounds)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// sameAsDiagram compares the weight and the marginals.
func sameAsDiagram(t *testing.T, d Sums, m *tiling.Model, o Options) {
	t.Helper()
	o.Engine = Diagram
	r, err := solve(t.Context(), m.Problem, o)
	if err != nil {
		t.Fatal(err)
	}
	if d.Weight().Cmp(r.Weight()) != 0 {
		t.Fatalf("%v, want %v, weights %v\n%s", d.Weight(), r.Weight(), o.Weights, text(m.Problem))
	}
	want, err := r.Marginals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got, err := d.Marginals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range want.Of {
		if want.Of[i].Cmp(got.Of[i]) != 0 {
			t.Fatalf("option %d: %v, want %v, weights %v\n%s", i, got.Of[i], want.Of[i], o.Weights, text(m.Problem))
		}
	}
}

// TestDetermineChooses: determinants are used where a sweep would run long, and refused where
// there are none.
func TestDetermineChooses(t *testing.T) {
	for n, want := range map[int]bool{6: false, 26: true, 50: true} {
		m := puzzletest.Inline(t, fmt.Sprintf("%dx%[1]d", n), "domino=any")
		d, _, err := Solve(t.Context(), m.Problem, ForWeight, Options{})
		if _, determinants := d.(*determinantSet); err != nil || determinants != want {
			t.Errorf("%dx%[1]d: %T, %v, want determinants: %v", n, d, err, want)
		}
	}
	m := puzzletest.Inline(t, "4x3", "L3=any")
	if _, _, err := Solve(t.Context(), m.Problem, ForMarginals, Options{Engine: Dimer}); !errors.Is(err, ErrNotDimers) {
		t.Errorf("pieces of three cells: %v", err)
	}
	if d, _, err := Solve(t.Context(), m.Problem, ForMarginals, Options{}); err != nil || d.Count().Sign() == 0 {
		t.Errorf("pieces of three cells: %v, %v", d, err)
	}
	if _, _, err := Solve(t.Context(), puzzletest.Inline(t, "26x26", "domino=any").Problem, ForMarginals, Options{Engine: Dimer, Limits: Limits{Memory: 600_000}}); !errors.Is(err, cover.ErrMemory) {
		t.Errorf("little memory: %v", err)
	}
}

// TestBorder: single cells on some of the border, with weights.
func TestBorder(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 17))
	for range testkit.Size(40, 1000) {
		rows, columns := 1+rng.IntN(5), 2+rng.IntN(5)
		m := puzzletest.Parse(t, fmt.Sprintf("{board: %dx%d, pieces: [{name: domino, copies: any}, {name: one, cells: [[0,0]], copies: any}]}", rows, columns))
		var out []int
		for i, p := range m.Placements {
			cells := p.Cells
			if len(cells) > 1 {
				continue
			}
			r, c := cells[0]/columns, cells[0]%columns
			if inside := r > 0 && r < rows-1 && c > 0 && c < columns-1; inside || rng.IntN(3) == 0 {
				out = append(out, i)
			}
		}
		m = withBounds(t, m, []cover.Bound{{Options: out, Max: 0}})
		o := Options{Engine: Dimer, Weights: randomWeights(rng, len(m.Problem.Options))}
		d, _, err := Solve(t.Context(), m.Problem, ForMarginals, o)
		if err != nil {
			t.Fatal(err)
		}
		sameAsDiagram(t, d, m, o)
	}
}
