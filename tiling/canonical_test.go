package tiling

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/testkit"
)

// otherwise returns an equivalent puzzle: other names and another order of pieces, each turned in
// an allowed way, and another place of the board in a larger box.
func otherwise(rng *rand.Rand, p *Puzzle) *Puzzle {
	l := p.Board.Lattice
	q := &Puzzle{Title: fmt.Sprint("other ", rng.Uint32()), Board: &Board{Lattice: l, Optional: p.Board.Optional}}
	shift := Cell{0, 2 * rng.IntN(3), 2 * rng.IntN(3)}
	for i, side := range p.Board.Size {
		q.Board.Size[i] = side + shift[i] + rng.IntN(1+i)
	}
	for _, c := range p.Board.Cells {
		q.Board.Cells = append(q.Board.Cells, c.Plus(shift))
	}
	for i, k := range rng.Perm(len(p.Pieces)) {
		piece := p.Pieces[k]
		ways := piece.Orientations()
		piece.Name, piece.Shape = fmt.Sprint("q", i), ways[rng.IntN(len(ways))]
		q.Pieces = append(q.Pieces, piece)
	}
	return q
}

// solutions returns the number of tilings by the slow solver, or -1 if there are too many.
func solutions(t *testing.T, p *Puzzle) int {
	t.Helper()
	m, err := p.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	found, err := oracle.Within(m.Problem, 1<<12)
	if err != nil {
		return -1
	}
	return len(found)
}

// TestCanonicalOfTheSame: spellings of a puzzle with the same meaning have the same canonical form,
// and different literal forms.
func TestCanonicalOfTheSame(t *testing.T) {
	for _, l := range lattices {
		rng := rand.New(rand.NewPCG(1, uint64(len(l.String()))))
		for range testkit.Size(100, 800) {
			p := randomPuzzle(rng, l)
			q := otherwise(rng, p)
			if err := q.Validate(); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(p.Canonical(), q.Canonical()) {
				t.Fatalf("%+v\nand\n%+v\nhave other forms", p, q)
			}
			if bytes.Equal(p.Literal(), q.Literal()) {
				t.Fatalf("%+v\nand\n%+v\nhave one literal form", p, q)
			}
			if a, b := solutions(t, p), solutions(t, q); a != b && a >= 0 && b >= 0 {
				t.Fatalf("%+v has %d tilings, written otherwise %d", p, a, b)
			}
		}
	}
}

// tiny returns one of few puzzles, so that many of them are equal.
func tiny(rng *rand.Rand) *Puzzle {
	p := &Puzzle{Board: &Board{Lattice: Square, Size: [3]int{1, 2, 3}}}
	for i := range 5 + rng.IntN(2) {
		p.Board.Cells = append(p.Board.Cells, Cell{0, i / 3, i % 3})
		p.Board.Optional = append(p.Board.Optional, rng.IntN(8) == 0)
	}
	shapes := [][]Cell{{{}}, {{}, {0, 0, 1}}, {{}, {0, 1, 0}}, {{}, {0, 0, 1}, {0, 1, 0}}, {{}, {0, 0, 1}, {0, 1, 1}}}
	for k := range 1 + rng.IntN(2) {
		least := rng.IntN(2)
		p.Pieces = append(p.Pieces, Piece{
			Name: fmt.Sprint("p", k), Shape: Square.Shape(shapes[rng.IntN(len(shapes))]...), Lattice: Square,
			Motions: Motions(rng.IntN(3)), Min: least, Max: []int{least, 3, cover.Unbounded}[rng.IntN(3)],
		})
	}
	return p
}

// TestCanonicalOfOthers: random puzzles with the same form have the same count. Many puzzles with
// the same count have different forms.
func TestCanonicalOfOthers(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	counts := map[string]int{}
	puzzles := map[string]*Puzzle{}
	again := 0
	for range testkit.Size(3000, 40_000) {
		p := tiny(rng)
		form := string(p.Canonical())
		n := solutions(t, p)
		if old, ok := counts[form]; ok {
			if again++; old != n {
				t.Fatalf("%+v\nhas %d tilings,\n%+v\nhas %d, and they have one form", puzzles[form], old, p, n)
			}
		}
		counts[form], puzzles[form] = n, p
	}
	if again < 100 || len(counts) < 300 {
		t.Errorf("%d forms, %d of them seen again: want more to compare", len(counts), again)
	}
}

// TestCanonicalPairs: pairs of files with the same meaning, and with different meanings.
func TestCanonicalPairs(t *testing.T) {
	const base = "board: 3x4\npieces: [{name: L4, copies: 1}, {name: domino, copies: any}, I3]\n"
	form := func(text string) string {
		p, err := parse("f", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return string(p.Canonical())
	}
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{base, "title: T\nboard: |\n  ####\n  ####\n  ####\npieces: [I3, {name: d, cells: [[7, 1], [6, 1]], copies: 0..}, {name: l, shape: \"##\\n#.\\n#.\", copies: 1..1}]", true},
		{base, strings.Replace(base, "3x4", "4x3", 1), false},
		{base, strings.Replace(base, "copies: 1", "copies: 0..1", 1), false},
		{base, strings.Replace(base, "copies: 1", "copies: 1..2", 1), false},
		{base, strings.Replace(base, "I3", "L3", 1), false},
		{base, base + "cover: at-most", false},
		{base, base + "motions: free", true},
		{base, base + "motions: one-sided", false}, // L4 has a mirror image
		{base, "board: 3x4\npieces: [L4, I3]", false},
		{"board: 5x8\npieces: [{set: tetrominoes, copies: 1}]", "board: 5x8\npieces: [T4, I4, {name: s, box: 2x2}, L4, S4]", true},
		{"board: 2x4\npieces: [{name: O4, copies: 2}]", "board: 2x4\npieces: [{name: a, box: 2x2, motions: fixed}, {name: b, box: 2x2}]", false},
		{"board: 2x4\npieces: [{name: O4, copies: 2}]", "board: 2x4\npieces: [{name: a, box: 2x2, motions: fixed, copies: 2}]", true},
		{"board: 2x4\npieces: [{name: O4, copies: any}]", "board: 1x2x4\npieces: [{name: O4, copies: any, motions: free}]", false}, // a solid piece
		{"board: |\n  ##\n  #o\npieces: [L3]", "board: |\n  ....\n  .##.\n  .#o.\npieces: [L3]", true},
		{"board: |\n  ##\n  #o\npieces: [L3]", "board: |\n  ##\n  o#\npieces: [L3]", false},
	} {
		if got := form(c.a) == form(c.b); got != c.same {
			t.Errorf("equal: %v, want %v:\n%s\nand\n%s", got, c.same, c.a, c.b)
		}
	}
}

// TestLiteralPairs: names of cells and values of parameters do not change the canonical form, but
// they change the literal form, since they are shown.
func TestLiteralPairs(t *testing.T) {
	const base = "board: ['mon # tue #', 'o . wed fri']\nopen: [day, week]\nparameters: {day: [mon, wed], week: [tue, fri]}\npieces: [{name: monomino, copies: any}]\n"
	form := func(text string) *Puzzle {
		p, err := parse("f", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := form(base)
	if again := form("title: T\n" + base); !bytes.Equal(p.Literal(), again.Literal()) {
		t.Error("a title is in the literal form")
	}
	for _, change := range [][2]string{{"wed", "thu"}, {"[mon, wed]", "[mon]"}, {"week", "month"}, {"[tue, fri]", "[tue]"}} {
		q := form(strings.ReplaceAll(base, change[0], change[1]))
		if bytes.Equal(p.Literal(), q.Literal()) {
			t.Errorf("%q: one literal form", change)
		}
		if !bytes.Equal(p.Canonical(), q.Canonical()) {
			t.Errorf("%q: another canonical form", change)
		}
	}
}

// FuzzCanonical: a puzzle and an equivalent puzzle have the same form, and a puzzle with another
// bound has another form. The model of a small puzzle is what Model documents.
func FuzzCanonical(f *testing.F) {
	f.Add([]byte("board: 2x3\npieces: [{name: domino, copies: any}]"), uint64(1))
	f.Add([]byte("board: |\n  .#\n  #o\n\n  ##\n  ##\npieces:\n- {name: s, shape: \"##\\n.#\", motions: free, copies: 0..3}\n- {name: b, box: 1x1x2}\n"), uint64(2))
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		p, err := parse("f", data)
		if err != nil || len(p.Board.Cells) > 400 || len(p.Pieces) > 50 {
			return
		}
		q := otherwise(rand.New(rand.NewPCG(seed, 0)), p)
		if !bytes.Equal(p.Canonical(), q.Canonical()) {
			t.Errorf("%+v\nand\n%+v\nhave other forms", p, q)
		}
		changed := slices.Clone(p.Pieces)
		changed[0].Min++
		if other := (&Puzzle{Board: p.Board, Pieces: changed}); bytes.Equal(p.Canonical(), other.Canonical()) {
			t.Errorf("%+v has the form of one with another bound", p)
		}
		cells := 0
		for _, piece := range p.Pieces {
			cells += len(piece.Shape)
		}
		if len(p.Board.Cells)*cells > 1<<14 {
			return
		}
		if m, err := p.Model(context.Background()); err == nil {
			checkModel(t, m)
		}
	})
}

// BenchmarkCanonical: the first step of each request to the service.
func BenchmarkCanonical(b *testing.B) {
	for _, c := range []struct{ name, board, piece string }{
		{"dominoes", "8x8", "domino=any"},
		{"large", "64x64", "pentominoes"},
		{"solid", "4x4x4", "soma"},
	} {
		p, err := Arguments{Board: c.board, Pieces: []string{c.piece}}.puzzle()
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				p.Canonical()
			}
		})
	}
}
