package evidence

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/dimer"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/sample"
)

// TestDeterminantsTell: the reports on a count that no sweep can follow, and on counts that a
// sweep can.
func TestDeterminantsTell(t *testing.T) {
	for _, c := range []struct {
		puzzle            string
		established, open []string
	}{
		{"{board: 36x36, pieces: [{name: domino, copies: any}]}", []string{"For each of 20 random options", "A determinant with signs, elimination order and arithmetic of its own"}, []string{"All these counts are determinants: no sweep"}},
		{"{board: 18x18, pieces: [{name: domino, copies: any}]}", []string{"For each of 20 random options", "A determinant with signs, elimination order and arithmetic of its own", "A sweep has the same count"}, nil},
		{"{lattice: hexagon, board: 10x12, pieces: [{name: two, cells: [[0,0],[0,1]], copies: any}]}", []string{"For each of 20 random options", "A determinant with signs", "A sweep has the same count"}, nil},
		{"{board: 8x10, wrap: both, pieces: [{name: domino, copies: any}]}", []string{"For each of 20 random options", "A sweep has the same count"}, []string{"There was no second determinant: not a problem of planar dimers"}},
	} {
		p := puzzletest.Parse(t, c.puzzle).Problem
		r, err := Verify(t.Context(), p, Options{Engine: count.Dimer, Method: Dimer, Source: sample.Seeded(3)})
		if err != nil || !r.Agrees() || r.Dimer.Splits != splits || len(r.Dimer.Rests) != primes && c.open == nil {
			t.Errorf("%s: %v, %+v", c.puzzle, err, r)
		}
		if !begin(r.Established, c.established) || !begin(r.Open, c.open) {
			t.Errorf("%s: established %q, open %q", c.puzzle, r.Established, r.Open)
		}
	}
}

// begin reports whether texts begin as they should.
func begin(texts, want []string) bool {
	return slices.EqualFunc(texts, want, strings.HasPrefix)
}

// TestChosenMethod: parts are counted as long as a sweep is short.
func TestChosenMethod(t *testing.T) {
	for _, c := range []struct {
		board  string
		engine count.Engine
		want   Method
	}{
		{"6x6", count.Dimer, List},
		{"14x14", count.Dimer, Spots},
		{"30x30", count.Dimer, Dimer},
		{"14x14", count.Sweep, Spots},
		{"30x30", count.Search, Spots},
	} {
		p := puzzletest.Inline(t, c.board, "domino=any").Problem
		n := new(big.Int).Lsh(big.NewInt(1), 80)
		if c.board == "6x6" {
			n.SetInt64(6728)
		}
		v := &verifier{Report: &Report{Result: &count.Result{Count: n, Engine: c.engine}}, problem: p}
		if got := v.choose(t.Context()); got != c.want {
			t.Errorf("%s by %s: %s, want %s", c.board, c.engine, got, c.want)
		}
	}
}

// TestWrongDeterminants: a count that is wrong is found out by each part.
func TestWrongDeterminants(t *testing.T) {
	p := puzzletest.Inline(t, "6x7", "domino=any").Problem
	g, err := dimer.Read(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		do   func(*verifier, context.Context, *rand.Rand) error
		want string
	}{
		{"split", (*verifier).split, "with option "},
		{"turned", func(v *verifier, ctx context.Context, rng *rand.Rand) error { return v.turned(ctx, rng, g) }, "another determinant has the residue "},
		{"both", (*verifier).determinants, "with option "},
	} {
		for _, wrong := range []int64{-1, 0, 1, 1 << 40} {
			v := planted(t, p, wrong)
			v.Dimer = &DimerCheck{}
			v.Result.Engine = count.Dimer
			got := told(t, c.do(v, t.Context(), rand.New(sample.Seeded(5))))
			if (got == "") != (wrong == 0) || wrong != 0 && !strings.Contains(got, c.want) {
				t.Errorf("%s, wrong by %d: %q", c.name, wrong, got)
			}
			if agrees := wrong == 0 && c.name != "split"; v.Agrees() != agrees {
				t.Errorf("%s, wrong by %d: agrees %v", c.name, wrong, v.Agrees())
			}
		}
	}
}

// TestDeterminantsOfBoards: on random boards with holes determinants agree with the oracle.
func TestDeterminantsOfBoards(t *testing.T) {
	some := 0
	for seed := range uint64(testkit.Size(60, 3000)) {
		rng := rand.New(rand.NewPCG(seed, 17))
		p := drawnBoard(t, holey(2+rng.IntN(3), 2+rng.IntN(4), rng))
		want, err := oracle.Count(p)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Verify(t.Context(), p, Options{Engine: count.Sweep, Method: Dimer, Source: sample.Seeded(seed)})
		if err != nil || !r.Agrees() || r.Result.Count.Int64() != int64(want) {
			t.Fatalf("seed %d: %v, %+v, oracle %d", seed, err, r, want)
		}
		if want > 0 {
			some++
		}
	}
	if some < 20 {
		t.Errorf("only %d boards have tilings", some)
	}
}

// drawnBoard is the cover of a drawn board by dominoes.
func drawnBoard(t *testing.T, drawn string) *cover.Problem {
	t.Helper()
	return puzzletest.Parse(t, fmt.Sprintf("{board: %q, pieces: [{name: domino, copies: any}]}", drawn)).Problem
}

// holey draws a board some of whose cells are left out, two at a time.
func holey(rows, columns int, rng *rand.Rand) string {
	board := slices.Repeat([]byte(strings.Repeat("#", columns)+"\n"), rows)
	for range rng.IntN(4) {
		r, c := rng.IntN(rows), rng.IntN(columns-1)
		at := r*(columns+1) + c
		board[at], board[at+1] = '.', '.'
	}
	board[rng.IntN(columns)] = '#' // there is a cell
	return string(board)
}

// TestNotDimers: a problem that determinants cannot count is an error.
func TestNotDimers(t *testing.T) {
	p := puzzletest.Inline(t, "3x3", "L3=any").Problem
	if _, err := Verify(t.Context(), p, Options{Method: Dimer}); !errors.Is(err, dimer.ErrNotDimers) {
		t.Error(err)
	}
}

// TestTurn: a turned graph has the same matchings, and is another graph.
func TestTurn(t *testing.T) {
	g, err := dimer.Read(t.Context(), puzzletest.Inline(t, "4x4", "domino=any").Problem)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	h := turn(g, rng)
	same := slices.EqualFunc(g.Edges, h.Edges, func(a, b dimer.Edge) bool { return a.Ends == b.Ends })
	if len(h.Edges) != len(g.Edges) || same {
		t.Errorf("%+v of %+v", h, g)
	}
	for _, g := range []*dimer.Graph{g, h} {
		n, err := plainly(t.Context(), g, []uint64{1_000_003, 7}, 0)
		if err != nil || n[0] != 1296 && n[0] != 1_000_003-1296 || n[1] != 1 && n[1] != 6 {
			t.Errorf("%d, %v, want 1296 or -1296", n, err)
		}
	}
}

// TestPlainDeterminants: the plain determinant is the square of the oracle's count or its negative,
// modulo small primes too, where many pivots are 0.
func TestPlainDeterminants(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 3))
	primes := []uint64{3, 5, 7, 101, 1<<61 - 1}
	some := 0
	for range testkit.Size(300, 10_000) {
		p := drawnBoard(t, holey(2+rng.IntN(3), 2+rng.IntN(4), rng))
		want, err := oracle.Count(p)
		if err != nil {
			t.Fatal(err)
		}
		g, err := dimer.Read(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := plainly(t.Context(), turn(g, rng), primes, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i, prime := range primes {
			if rest := mulmod(uint64(want)%prime, uint64(want)%prime, prime); got[i] != rest && got[i] != prime-rest {
				t.Fatalf("%d modulo %d, want %d or its negative\n%+v", got[i], prime, rest, g)
			}
		}
		if want > 0 {
			some++
		}
	}
	if some < 100 {
		t.Errorf("only %d boards have tilings", some)
	}
}

// TestOddPart: a part of an odd number of cells has no directions, and no tiling.
func TestOddPart(t *testing.T) {
	g := &dimer.Graph{Vertices: 10} // two of one colour and three of the other, twice
	for b := range int32(5) {
		for w := range int32(5) {
			if (b < 2) == (w < 3) {
				g.Edges = append(g.Edges, dimer.Edge{Ends: [2]int32{b, 5 + w}, Options: []int{0}})
			}
		}
	}
	m, err := g.Embed(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	of, faces := m.Faces()
	if _, ok := directions(g, of, faces); ok {
		t.Error("five cells have directions")
	}
	if n, err := plainly(t.Context(), g, []uint64{7}, 0); err != nil || n[0] != 0 {
		t.Errorf("%d, %v, want 0", n, err)
	}
}

func BenchmarkPlain(b *testing.B) {
	p := puzzletest.Inline(b, "100x100", "domino=any").Problem
	g, err := dimer.Read(b.Context(), p)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := plainly(b.Context(), turn(g, rand.New(rand.NewPCG(1, 2))), []uint64{1<<61 - 1}, 0); err != nil {
			b.Fatal(err)
		}
	}
}

// TestDeterminantsInLittleMemory: checks that do not fit are left open, and reported.
func TestDeterminantsInLittleMemory(t *testing.T) {
	v := planted(t, puzzletest.Inline(t, "8x8", "domino=any").Problem, 0)
	v.Result.Engine, v.o.Count.Memory = count.Dimer, 100
	err := v.determinants(t.Context(), rand.New(sample.Seeded(5)))
	if err != nil || v.Agrees() || len(v.Open) != 3 {
		t.Errorf("%v, %+v", err, v.Report)
	}
}
