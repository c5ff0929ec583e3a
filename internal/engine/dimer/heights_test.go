package dimer

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

// heightsOf returns the heights of a matching by their definition, along any path from the roots.
func heightsOf(t *testing.T, p *plane, in []bool) []int32 {
	t.Helper()
	h, known := make([]int32, p.faces()), slices.Clone(p.root)
	for more := true; more; {
		more = false
		for e, whole := range p.g.edges {
			l, r, up := p.of[2*e], p.of[2*e+1], oneIf(in[whole])-oneIf(p.matched[e])
			switch {
			case known[l] && known[r] && h[l]-h[r] != up:
				t.Fatalf("%v: faces %d and %d have heights %d and %d, expected a difference of %d", p.g.Edges, l, r, h[l], h[r], up)
			case known[l] && !known[r]:
				h[r], known[r], more = h[l]-up, true, true
			case known[r] && !known[l]:
				h[l], known[l], more = h[r]+up, true, true
			}
		}
	}
	if slices.Contains(known, false) {
		t.Fatalf("%v: a face cannot be reached", p.g.Edges)
	}
	return h
}

func oneIf(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

func key(h []int32) string {
	b := make([]byte, len(h))
	for i, x := range h {
		b[i] = byte(x + 100)
	}
	return string(b)
}

// checkLattice checks the properties of plane on a board. It returns the number of matchings and
// the number of rotated faces that are longer than a square.
func checkLattice(t *testing.T, b *board) (all, long int) {
	t.Helper()
	matched, err := b.Matching(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if matched == nil {
		return 0, 0
	}
	p, kept, err := newPlane(t.Context(), b.Bipartite, b.next, matched)
	if err != nil {
		t.Fatal(err)
	}
	heights, sometimes, always := map[string][]int32{}, make([]bool, len(b.Edges)), slices.Repeat([]bool{true}, len(b.Edges))
	for _, edges := range matchings(b.Graph()) {
		in := make([]bool, len(b.Edges))
		for _, e := range edges {
			in[e] = true
		}
		h := heightsOf(t, p, in)
		heights[key(h)] = h
		for e := range in {
			sometimes[e] = sometimes[e] || in[e]
			always[e] = always[e] && in[e]
		}
		for e, whole := range p.g.edges {
			if p.matchedAt(e, h[p.of[2*e]], h[p.of[2*e+1]]) != in[whole] {
				t.Fatalf("%q: heights %v give edge %d matched: %v", b.rows, h, whole, !in[whole])
			}
		}
	}
	for e := range b.Edges {
		changes := slices.Contains(p.g.edges, int32(e))
		if changes != (sometimes[e] && !always[e]) || slices.Contains(kept, int32(e)) != always[e] {
			t.Fatalf("%q: edge %d is in some matchings: %v, in all: %v, but can change: %v", b.rows, e, sometimes[e], always[e], changes)
		}
	}
	checkOrder(t, b, p, heights)
	for f := range int32(p.faces()) {
		if !p.root[f] && len(p.around(f)) > 4 {
			long++
		}
	}
	return len(heights), long
}

// checkOrder checks that all heights are between bottom and top, and that rotations of single faces
// lead from the bottom to all heights.
func checkOrder(t *testing.T, b *board, p *plane, all map[string][]int32) {
	t.Helper()
	top, err := p.top(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	bottom, err := p.bottom(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if all[key(top)] == nil || all[key(bottom)] == nil {
		t.Fatalf("%q: top %v and bottom %v are not both heights of matchings", b.rows, top, bottom)
	}
	for _, h := range all {
		for f := range h {
			if h[f] > top[f] || h[f] < bottom[f] {
				t.Fatalf("%q: heights %v are not between %v and %v", b.rows, h, bottom, top)
			}
		}
	}
	met, queue := map[string]bool{key(bottom): true}, [][]int32{bottom}
	for len(queue) > 0 {
		h := queue[0]
		queue = queue[1:]
		for f := range h {
			up := slices.Clone(h)
			if up[f]++; !p.root[f] && all[key(up)] != nil && !met[key(up)] {
				met[key(up)] = true
				queue = append(queue, up)
			}
		}
	}
	if len(met) != len(all) {
		t.Fatalf("%q: rotations lead to %d of %d matchings", b.rows, len(met), len(all))
	}
}

// TestHeightsOfHoleyBoards compares the theory with all matchings of boards with holes: heights are
// well defined, there is a top and a bottom, and rotations of single faces, also of holes, connect
// all matchings.
func TestHeightsOfHoleyBoards(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 17))
	several, long := 0, 0
	for range testkit.Size(1500, 30_000) {
		n, faces := checkLattice(t, draw(randomRows(rng)...))
		several += int(oneIf(n > 1))
		long += int(oneIf(faces > 0))
	}
	t.Logf("%d boards with several matchings, %d with holes", several, long)
	if several < testkit.Size(300, 10_000) || long < several/10 {
		t.Errorf("%d boards with several matchings, %d with holes, expected more", several, long)
	}
	for _, rows := range [][]string{
		holey(6, 6, [4]int{2, 3, 2, 3}), holey(6, 7, [4]int{2, 3, 2, 4}),
		holey(5, 8, [4]int{1, 1, 1, 1}, [4]int{1, 1, 3, 3}, [4]int{3, 3, 4, 4}, [4]int{3, 3, 6, 6}),
	} {
		if n, _ := checkLattice(t, draw(rows...)); n < 4 {
			t.Errorf("%q has %d matchings", rows, n)
		}
	}
}

// randomRows draws a board with holes, with equal numbers of black and white cells.
func randomRows(rng *rand.Rand) []string {
	for {
		rows, balance := rectangle(3+rng.IntN(4), 3+rng.IntN(4)), 0
		for r, row := range rows {
			cells := []byte(row)
			for c := range cells {
				if rng.IntN(7) == 0 {
					cells[c] = '.'
				} else {
					balance += 1 - (r+c)%2*2
				}
			}
			rows[r] = string(cells)
		}
		if balance == 0 {
			return rows
		}
	}
}
