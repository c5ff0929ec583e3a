package shuffle

import (
	"errors"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

// of returns a board with the marked cells of a grid and all edges.
func of(rows, cols int, in []bool) *Board {
	b := newBoard(rows, cols)
	copy(b.In, in)
	b.join(func(_, _ int, _ bool) bool { return true })
	return b
}

// holes reports whether some cells outside of the board are not connected to the rim by sides.
func (b *Board) holes() bool {
	w, h := b.Cols+2, b.Rows+2
	met := make([]bool, w*h)
	for at, in := range b.In {
		met[(at/b.Cols+1)*w+at%b.Cols+1] = in
	}
	stack := []int{0}
	met[0] = true
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, to := range [4]int{at - 1, at + 1, at - w, at + w} {
			inside := to >= 0 && to < w*h && (to/w == at/w || to%w == at%w)
			if inside && !met[to] {
				met[to] = true
				stack = append(stack, to)
			}
		}
	}
	return slices.Contains(met, false)
}

// anyBoard returns a board made of neighbouring dominoes, without holes, with at most this number
// of cells.
func anyBoard(rng *rand.Rand, cells int) *Board {
	for {
		side := 12 + rng.IntN(12)
		in := make([]bool, side*side)
		at := side*(side/2) + side/2
		in[at], in[at+1] = true, true
		near := func(r, c int) bool {
			return r > 0 && in[(r-1)*side+c] || r+1 < side && in[(r+1)*side+c] || c > 0 && in[r*side+c-1] || c+1 < side && in[r*side+c+1]
		}
		ragged := rng.Float64()
		for left, tries := cells-2, 0; left > 0 && tries < 100_000; tries++ {
			r, c := rng.IntN(side), rng.IntN(side)
			r2, c2 := r+1, c
			if rng.IntN(2) == 0 {
				r2, c2 = r, c+1
			}
			if r2 == side || c2 == side || in[r*side+c] || in[r2*side+c2] || !near(r, c) && !near(r2, c2) {
				continue
			}
			if rng.Float64() > ragged && !(near(r, c) && near(r2, c2)) {
				continue
			}
			in[r*side+c], in[r2*side+c2] = true, true
			left -= 2
		}
		if b := of(side, side, in); !b.holes() {
			return b
		}
	}
}

// TestRandomBoards embeds random boards. Draws are perfect matchings. If a board has few matchings,
// also a stretched board, draws follow the law.
func TestRandomBoards(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 30))
	boards := testkit.Size(40, 500)
	stretched, failed, checked := 0, 0, map[bool]int{}
	for range boards {
		b := anyBoard(rng, 20+2*rng.IntN(testkit.Size(20, 71)))
		cells := 0
		for _, in := range b.In {
			if in {
				cells++
			}
		}
		s, err := New(t.Context(), b, Config{Threads: 2})
		if errors.Is(err, ErrUnembedded) {
			failed++
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		if s.board != b {
			stretched++
		}
		drawn, err := s.Draw(t.Context(), [][32]byte{key(rng.Uint64()), key(rng.Uint64())}, nil)
		if err != nil {
			t.Fatal(err)
		}
		ends := b.ends()
		for _, edges := range drawn {
			met := map[int]bool{}
			for _, e := range edges {
				met[ends[e][0]], met[ends[e][1]] = true, true
			}
			if 2*len(edges) != len(met) || len(met) != cells {
				t.Fatalf("%d edges of %d cells", len(edges), len(met))
			}
		}
		if longer := s.board != b; cells <= 40 && checked[longer] < testkit.Size(2, 15) {
			checked[longer]++
			p, freedom := tail(t, s, b, testkit.Size(4000, 8_000), rng.Uint64N(1<<30))
			t.Logf("%d cells, order %d, stretched %v: %d degrees of freedom, tail %.4f", cells, s.place.n, s.board != b, freedom, p)
			if p < 1e-6 {
				t.Errorf("chi-square with a tail of %g", p)
			}
		}
	}
	t.Logf("%d of %d boards are stretched, %d are not embedded", stretched, boards, failed)
}

// polyominoes returns the boards of a number of connected cells.
func polyominoes(cells int) []*Board {
	type polyomino = [10][2]int8 // cells ascending, the rest 0
	level := map[polyomino]bool{{}: true}
	for n := 1; n < cells; n++ {
		next := map[polyomino]bool{}
		for p := range level {
			for _, c := range p[:n] {
				for _, d := range [4][2]int8{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
					more := [2]int8{c[0] + d[0], c[1] + d[1]}
					if slices.Contains(p[:n], more) {
						continue
					}
					q := p
					q[n] = more
					r0, c0 := q[0][0], q[0][1]
					for _, c := range q[:n+1] {
						r0, c0 = min(r0, c[0]), min(c0, c[1])
					}
					for i := range n + 1 {
						q[i] = [2]int8{q[i][0] - r0, q[i][1] - c0}
					}
					slices.SortFunc(q[:n+1], func(a, b [2]int8) int { return slices.Compare(a[:], b[:]) })
					next[q] = true
				}
			}
		}
		level = next
	}
	var boards []*Board
	for p := range level {
		rows, cols := 0, 0
		for _, c := range p[:cells] {
			rows, cols = max(rows, int(c[0])+1), max(cols, int(c[1])+1)
		}
		in := make([]bool, rows*cols)
		for _, c := range p[:cells] {
			in[int(c[0])*cols+int(c[1])] = true
		}
		boards = append(boards, of(rows, cols, in))
	}
	return boards
}

// TestAllSmallBoards draws from all boards of few cells. Those without holes are embedded.
func TestAllSmallBoards(t *testing.T) {
	testkit.Serial(t)
	known := map[int]int{2: 2, 4: 19, 6: 216, 8: 2725, 10: 36446} // OEIS A001168
	tested, least := 0, 1.0
	for cells := 2; cells <= testkit.Size(8, 10); cells += 2 {
		boards := polyominoes(cells)
		if len(boards) != known[cells] {
			t.Fatalf("%d boards of %d cells instead of %d", len(boards), cells, known[cells])
		}
		for _, b := range boards {
			matchings := len(b.matchings())
			s, err := New(t.Context(), b, Config{})
			switch {
			case err == ErrNoMatching && matchings == 0, errors.Is(err, ErrUnembedded) && b.holes():
				continue
			case err != nil:
				t.Fatal(err)
			}
			if matchings < 2 {
				drawn, err := s.Draw(t.Context(), [][32]byte{key(1)}, nil)
				if matchings == 0 && err != ErrNoMatching || matchings == 1 && (err != nil || 2*len(drawn[0]) != cells) {
					t.Fatalf("%d matchings: %v, %v", matchings, drawn, err)
				}
				continue
			}
			tested++
			p, _ := tail(t, s, b, testkit.Size(500, 1500), uint64(tested))
			if least = min(least, p); p < 1e-3/36446 {
				t.Errorf("chi-square with a tail of %g", p)
			}
		}
	}
	t.Logf("%d boards, least tail %g", tested, least)
}

// TestNoMatching draws from random boards, also stretched boards. Many of them have no perfect
// matching.
func TestNoMatching(t *testing.T) {
	testkit.Serial(t)
	rng := rand.New(rand.NewPCG(12, 30))
	none := 0
	for trial := range testkit.Size(4000, 20_000) {
		rows, cols := 1+rng.IntN(5), 1+rng.IntN(5)
		in := make([]bool, rows*cols)
		for at := range in {
			in[at] = rng.IntN(4) > 0
		}
		b := of(rows, cols, in)
		want := len(b.matchings()) > 0
		if trial%2 == 0 {
			longer := [2][]bool{make([]bool, rows), make([]bool, cols)}
			for _, chosen := range longer {
				for i := range chosen {
					chosen[i] = rng.IntN(2) == 0
				}
			}
			b = b.stretch(longer[0], longer[1])
		}
		s, err := New(t.Context(), b, Config{})
		if errors.Is(err, ErrUnembedded) {
			continue
		}
		if err == nil {
			_, err = s.Draw(t.Context(), [][32]byte{key(rng.Uint64())}, nil)
		}
		if want && err != nil || !want && err != ErrNoMatching {
			t.Fatalf("%v: matchings: %v, the error %v", in, want, err)
		}
		if s != nil && !want {
			none++
		}
	}
	if none == 0 {
		t.Error("all boards without matchings were found out by New")
	}
}

func TestUnembedded(t *testing.T) {
	if _, err := New(t.Context(), typed("#####", "#####", "##.##", "#####", "#####"), Config{}); !errors.Is(err, ErrUnembedded) {
		t.Errorf("a hole of one cell: %v", err)
	}
	for _, lines := range [][]string{{"#"}, {"###"}, {"#.#"}} {
		if s, err := New(t.Context(), typed(lines...), Config{}); err != ErrNoMatching {
			t.Errorf("%q: %v, %v", lines, s, err)
		}
	}
	s, err := New(t.Context(), typed("...", "..."), Config{})
	if err != nil {
		t.Fatal(err)
	}
	if drawn, err := s.Draw(t.Context(), [][32]byte{{}}, nil); err != nil || len(drawn) != 1 || len(drawn[0]) != 0 {
		t.Errorf("a board without cells: %v, %v", drawn, err)
	}
}

// TestHopeless refuses a board with many holes of one cell, of either colour, before any row or
// column is stretched.
func TestHopeless(t *testing.T) {
	in := make([]bool, 32*32)
	for at := range in {
		r, c := at/32, at%32
		in[at] = r%4 != 1 || c%4 != 1+r/4%2
	}
	looks := 0
	_, err := New(&looking{t.Context(), func() { looks++ }}, of(32, 32, in), Config{})
	if !errors.Is(err, ErrUnembedded) || looks >= 64 {
		t.Errorf("%v after %d looks at the context", err, looks)
	}
}

// TestTurned: a hexagon with any sides fits in a diamond without being stretched, and the three
// views of a board have the same matchings.
func TestTurned(t *testing.T) {
	for x := 1; x < 7; x++ {
		for y := 1; y < 7; y++ {
			for z := 1; z < 7; z++ {
				b := hexagon(x, y, z)
				for _, turned := range b.turned() {
					if x+y+z < 8 && !maps.EqualFunc(b.matchings(), turned.matchings(), func(v, w *big.Rat) bool { return v.Cmp(w) == 0 }) {
						t.Errorf("hexagon %d,%d,%d: other matchings when turned", x, y, z)
					}
				}
				whole, p, err := embed(t.Context(), b.turned())
				if err != nil {
					t.Fatal(err)
				}
				if strips := min(y+z, x+z, x+y); whole.Rows < strips || whole.Rows > max(y+z, x+z, x+y) || p.n > x+y+z+1 {
					t.Errorf("hexagon %d,%d,%d: %d rows in a diamond of order %d", x, y, z, whole.Rows, p.n)
				}
			}
		}
	}
	if all := rectangle(3, 4).turned(); len(all) != 1 {
		t.Errorf("a rectangle is turned %d times", len(all))
	}
}
