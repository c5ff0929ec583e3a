package count

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
)

// anyProblem are the engines that count any problem.
func anyProblem() []Engine {
	return slices.DeleteFunc(Engines(), func(e Engine) bool { return e == Dimer })
}

// TestDimerIsSweep counts dominoes on random boards with holes by determinants and by a sweep,
// also with conditions, up to symmetry, and modulo some numbers.
func TestDimerIsSweep(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 17))
	counted := 0
	for range testkit.Size(300, 2000) {
		side := testkit.Size(9, 14)
		m := puzzletest.Parse(t, holed(rng, 2+rng.IntN(side-1), 2+rng.IntN(side-1)))
		p := m.Problem
		if rng.IntN(2) == 0 {
			var err error
			if p, err = p.WithBounds(t.Context(), someBounds(rng, p)); err != nil {
				t.Fatal(err)
			}
		}
		want, err := Count(t.Context(), p, Sweep, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Count(t.Context(), p, Dimer, Options{Limits: Limits{Threads: 1 + rng.IntN(4)}})
		if err != nil || got.Count.Cmp(want.Count) != 0 || got.Engine != Dimer {
			t.Fatalf("%+v, %v, a sweep has %v\n%s", got, err, want.Count, text(p))
		}
		if want.Count.BitLen() > 1 {
			counted++
		}
		moduli := []uint64{2, 3, 4, 7, 9, 15, 1_000_003, 1<<62 - 57, 1 << 62, 1<<63 - 25}
		residues, r, err := Residues(t.Context(), p, moduli, nil, Options{Engine: Dimer})
		if err != nil || r.Engine != Dimer {
			t.Fatal(r, err)
		}
		for i, x := range moduli {
			rest := new(big.Int).Mod(want.Count, new(big.Int).SetUint64(x))
			if residues[i] != rest.Uint64() {
				t.Fatalf("%d modulo %d, want %v of %v", residues[i], x, rest, want.Count)
			}
		}
	}
	if counted < 20 {
		t.Errorf("only %d boards have several tilings", counted)
	}
}

// holed is a puzzle of dominoes on a board with holes.
func holed(rng *rand.Rand, rows, columns int) string {
	var b strings.Builder
	holes := rng.IntN(3)
	b.WriteString(strings.Repeat("#", columns))
	for range rows - 1 {
		b.WriteString("\\n")
		for range columns {
			b.WriteByte("#."[min(1, max(0, holes-rng.IntN(12)))])
		}
	}
	return "{board: \"" + b.String() + "\", pieces: [{name: domino, copies: any}]}"
}

// someBounds are conditions like the conditions with and without: at least one of some options, or
// none.
func someBounds(rng *rand.Rand, p *cover.Problem) []cover.Bound {
	var bounds []cover.Bound
	for k := range rng.IntN(4) {
		b := cover.Bound{Name: "bound" + string(rune('0'+k)), Min: 1, Max: cover.Unbounded}
		if k == 0 {
			b.Min, b.Max = 0, 0
		}
		for o := range p.Options {
			if rng.IntN(8) == 0 {
				b.Options = append(b.Options, o)
			}
		}
		bounds = append(bounds, b)
	}
	return bounds
}

// TestDimerDistinct counts classes of tilings. The boards that reflections and turns fold have
// determinants too; a cylinder folds to a Möbius band, which is counted otherwise.
func TestDimerDistinct(t *testing.T) {
	for _, text := range []string{
		"{board: 4x4, pieces: [{name: domino, copies: any}]}",
		"{board: 4x5, pieces: [{name: domino, copies: any}]}",
		"{board: 5x6, pieces: [{name: domino, copies: any}]}",
		"{board: 8x8, pieces: [{name: domino, copies: any}]}",
		"{board: \"########\\n########\\n###..###\\n########\\n########\", pieces: [{name: domino, copies: any}]}",
		"{lattice: triangle, board: {hexagon: [3, 3, 3]}, pieces: [{name: lozenge, cells: [[0,0],[0,1]], copies: any}]}",
		"{lattice: hexagon, board: 5x6, pieces: [{name: two, cells: [[0,0],[0,1]], copies: any}]}",
		"{board: 4x6, wrap: columns, pieces: [{name: domino, copies: any}]}",
	} {
		m := puzzletest.Parse(t, text)
		group := m.Group(true).Symmetries()
		want, err := Distinct(t.Context(), m.Problem, group, Sweep, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Distinct(t.Context(), m.Problem, group, Dimer, Options{})
		if err != nil || got.Count.Cmp(want.Count) != 0 {
			t.Fatalf("%s: %v, %v, want %v", text, got, err, want.Count)
		}
		for k, class := range got.Classes {
			if class.Fixed.Count.Cmp(want.Classes[k].Fixed.Count) != 0 {
				t.Errorf("%s: element %d fixes %v tilings, want %v", text, class.Elements[0], class.Fixed.Count, want.Classes[k].Fixed.Count)
			}
			if class.Fixed.Engine != Dimer && !strings.Contains(text, "wrap") {
				t.Errorf("%s: element %d is counted by %s", text, class.Elements[0], class.Fixed.Engine)
			}
		}
	}
}

// TestNotDimers: the reason is one line, and auto counts all the same.
func TestNotDimers(t *testing.T) {
	for text, want := range map[string]string{
		"{board: 3x3, pieces: [{name: I3, copies: any}]}":                     `option 0, of "0,0" "0,1" "0,2" "I3", covers 3 items that must be covered exactly once, expected two`,
		"{board: 3x3, cover: at-most, pieces: [{name: domino, copies: any}]}": `covers "0,0", which may stay uncovered`,
		"{board: 2x3, pieces: [{name: domino, copies: 1..2}]}":                `the bounds 1..2 of "domino" may exclude some tilings`,
		"{board: 4x4, wrap: both, pieces: [{name: domino, copies: any}]}":     "not planar",
	} {
		p := puzzletest.Parse(t, text).Problem
		_, err := Count(t.Context(), p, Dimer, Options{})
		if !errors.Is(err, ErrNotDimers) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want one line with %s", text, err, want)
		}
		n, err := oracle.Count(p)
		if err != nil {
			t.Fatal(err)
		}
		r, err := newPlanner(p, Options{}, toCount, with(eager)).auto(t.Context())
		if err != nil || r.Engine == Dimer || r.Count.Cmp(big.NewInt(int64(n))) != 0 {
			t.Errorf("%s: auto counts %+v, %v, want %d", text, r, err, n)
		}
	}
}

// TestPfaffians: boards whose cells have no two colours, and tori, are counted as a sweep counts
// them.
func TestPfaffians(t *testing.T) {
	for _, text := range []string{
		"{board: 4x5, wrap: columns, pieces: [{name: domino, copies: any}]}",
		"{lattice: hexagon, board: 4x6, pieces: [{cells: [[0,0],[0,1]], name: two, copies: any}]}",
		"{board: 6x8, wrap: both, pieces: [{name: domino, copies: any}]}",
		"{board: \"######\\n##.###\\n######\\n###.##\\n######\\n######\", wrap: both, pieces: [{name: domino, copies: any}]}",
		"{board: 2x2x5, lattice: cube, pieces: [{cells: [[0,0,0],[0,0,1]], name: two, copies: any}]}",
	} {
		p := puzzletest.Parse(t, text).Problem
		want, err := Count(t.Context(), p, Sweep, Options{})
		if err != nil || want.Count.BitLen() < 6 {
			t.Fatalf("%s: %+v, %v", text, want, err)
		}
		if r, err := Count(t.Context(), p, Dimer, Options{}); err != nil || r.Count.Cmp(want.Count) != 0 {
			t.Errorf("%s: %+v, %v, want %v", text, r, err, want.Count)
		}
	}
	p := puzzletest.Parse(t, "{lattice: hexagon, board: 24x24, pieces: [{cells: [[0,0],[0,1]], name: two, copies: any}]}").Problem
	if r, err := Count(t.Context(), p, Auto, Options{}); err != nil || r.Engine != Dimer {
		t.Errorf("%+v, %v, want it by determinants", r, err)
	}
}

// TestAutoTakesDimers: large boards are counted by determinants, small ones and others are not.
func TestAutoTakesDimers(t *testing.T) {
	for board, want := range map[string]Engine{"8x8": Sweep, "20x20": Dimer, "60x60": Dimer} {
		p := puzzletest.Inline(t, board, "domino=any").Problem
		r, err := Count(t.Context(), p, Auto, Options{})
		if err != nil || r.Engine != want {
			t.Errorf("%s: %+v, %v, want it by %s", board, r, err, want)
		}
		if want == Dimer && (r.Plan.Dimer == nil || r.Plan.Dimer.Primes != r.Primes || r.Products == 0) {
			t.Errorf("%s: plan %+v, result %+v", board, r.Plan, r)
		}
	}
	if x := Predict(t.Context(), puzzletest.Inline(t, "60x60", "domino=any").Problem, Auto); x.Engine != Dimer || !x.Known || x.Seconds > 1 {
		t.Errorf("60x60: forecast %+v", x)
	}
}

// TestDimerMemory: too little memory is an error with a name.
func TestDimerMemory(t *testing.T) {
	p := puzzletest.Inline(t, "40x40", "domino=any").Problem
	if _, err := Count(t.Context(), p, Dimer, Options{Limits: Limits{Memory: 100_000}}); !errors.Is(err, cover.ErrMemory) {
		t.Errorf("error %v, want %v", err, cover.ErrMemory)
	}
	p = puzzletest.Inline(t, "20x20", "domino=any").Problem
	r, err := newPlanner(p, Options{Limits: Limits{Threads: 1, Memory: 600_000}}, toCount, with(never)).auto(t.Context())
	if err != nil || r.Engine != Dimer || !strings.Contains(r.Plan.Reason, "out of memory") {
		t.Errorf("a sweep without memory: %+v, %v", r, err)
	}
}

// TestManyDeterminantsTakeMemory: each condition of at least one doubles the determinants, which
// are held all at once.
func TestManyDeterminantsTakeMemory(t *testing.T) {
	p := puzzletest.Parse(t, "{board: 20x20, pieces: [{name: domino, copies: any}]}").Problem
	var bounds []cover.Bound
	for k := range 6 {
		bounds = append(bounds, cover.Bound{Options: []int{k, k + 100, k + 200}, Min: 1, Max: cover.Unbounded})
	}
	asked, err := p.WithBounds(t.Context(), bounds)
	if err != nil {
		t.Fatal(err)
	}
	memory := 2 * bytesToRead(p)
	if _, err := Count(t.Context(), p, Dimer, Options{Limits: Limits{Memory: memory}}); err != nil {
		t.Error(err)
	}
	if _, err := Count(t.Context(), asked, Dimer, Options{Limits: Limits{Memory: memory}}); !errors.Is(err, cover.ErrMemory) {
		t.Errorf("error %v, want %v", err, cover.ErrMemory)
	}
}
