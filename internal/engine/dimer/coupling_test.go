package dimer

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
)

// coupled prepares draws of a board that is given by its drawing.
func coupled(t testing.TB, b *board, longest int32) *Coupling {
	t.Helper()
	matched, err := b.Matching(t.Context())
	if err != nil || matched == nil {
		t.Fatalf("%q: %v, %v", b.rows, matched, err)
	}
	c, err := newCoupling(t.Context(), b.Bipartite, b.next, matched, settings{longest: longest})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func ofPuzzle(t testing.TB, text string) *Coupling {
	t.Helper()
	g, err := Read(t.Context(), puzzletest.Parse(t, text).Problem)
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewCoupling(t.Context(), g, Config{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const lozenges = `
lattice: triangle
board: {hexagon: [3, 4, 5]}
pieces:
  - {name: lozenge, shape: "^v", copies: any}
`

// TestLanes compares updates of 64 faces at once with updates of single heights by their
// definition: the higher or the lower of the heights that the neighbours allow.
func TestLanes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 17))
	all := []*Coupling{coupled(t, draw(rectangle(8, 9)...), longest), coupled(t, draw(diamond(12)...), longest), ofPuzzle(t, lozenges)}
	for range testkit.Size(100, 1000) {
		b := draw(randomRows(rng)...)
		if m, _ := b.Matching(t.Context()); m != nil {
			all = append(all, coupled(t, b, longest))
		}
	}
	for _, c := range all {
		compareSweeps(t, c, rng)
	}
}

func compareSweeps(t *testing.T, c *Coupling, rng *rand.Rand) {
	t.Helper()
	p, l := c.plane, c.lanes
	top, _ := p.top(t.Context())
	bottom, _ := p.bottom(t.Context())
	state := make([]both, len(l.words))
	c.begin(state)
	faces := slices.Repeat([]int32{none}, lanesPerWord*len(l.words)) // by lane
	for f, at := range l.place {
		if at != none {
			faces[at] = int32(f)
		}
	}
	for range 10 {
		var seed [32]byte
		seed[0] = byte(rng.Uint32())
		l.sweep(state, rand.NewChaCha8(seed))
		src := rand.NewChaCha8(seed)
		for w := range l.words {
			bits := src.Uint64()
			for lane := range lanesPerWord {
				if f := faces[lanesPerWord*w+lane]; f != none {
					top[f] = p.updated(top, f, bits>>lane&1)
					bottom[f] = p.updated(bottom, f, bits>>lane&1)
				}
			}
		}
		above, below := l.bits(top), l.bits(bottom)
		for w := range state {
			if state[w] != (both{above[w], below[w]}) {
				t.Fatalf("%d faces: word %d is %x, expected %x and %x", p.faces(), w, state[w], above[w], below[w])
			}
		}
	}
}

// updated is the next height of a face.
func (p *plane) updated(h []int32, f int32, bit uint64) int32 {
	low, high := int32(-1<<30), int32(1<<30)
	for _, d := range p.around(f) {
		there := h[p.of[d^1]]
		high = min(high, there+p.step(d^1))
		low = max(low, there-p.step(d))
	}
	if bit == 1 {
		return high
	}
	return low
}

// tooRare is the p-value below which a test rejects. Seeds are fixed, so a test that has passed
// passes again.
const tooRare = 1e-3

// chi returns the χ² of draws of the matchings of a board, and the number of matchings.
func chi(t *testing.T, b *board, longest int32, draws int, seed uint64) (chi float64, n int) {
	t.Helper()
	tallies := map[string]int{}
	for _, m := range matchings(b.Graph()) {
		tallies[fmt.Sprint(m)] = 0
	}
	c, src, n := coupled(t, b, longest), rand.NewPCG(seed, 17), len(tallies)
	for range draws * n {
		c.first.Store(0) // so that every draw tries all shorter runs
		m, err := c.Draw(t.Context(), Key(src), nil)
		if err != nil {
			t.Fatal(err)
		}
		tallies[fmt.Sprint(m)]++
	}
	if len(tallies) != n {
		t.Fatalf("%q: drew edges that are no matching", b.rows)
	}
	for _, times := range tallies {
		off := float64(times - draws)
		chi += off * off / float64(draws)
	}
	return chi, n
}

// pValue is the probability that fair draws have a χ² of at least this value.
func pValue(chi float64, matchings int) float64 {
	return 1 - distuv.ChiSquared{K: float64(matchings - 1)}.CDF(chi)
}

// TestCouplingIsFair draws from boards with holes that are rotated.
func TestCouplingIsFair(t *testing.T) {
	boards := [][]string{
		rectangle(2, 2), rectangle(2, 5), rectangle(3, 4), rectangle(4, 4), rectangle(4, 5), diamond(2),
		{"####", "####", "##..", "##.."},
		{".##.", "####", "####", ".##."},
		{"###", "#.#", "###"},
		holey(4, 5, [4]int{1, 2, 2, 2}), holey(6, 6, [4]int{2, 3, 2, 3}), holey(5, 6, [4]int{1, 3, 1, 2}),
	}
	if testkit.IsLong() { // 153, 64, 281 and 90 tilings
		boards = append(boards, rectangle(3, 8), diamond(3), rectangle(4, 6), holey(5, 6, [4]int{0, 0, 0, 1}, [4]int{4, 4, 4, 5}))
	}
	for _, rows := range boards {
		b := draw(rows...)
		x, n := chi(t, b, longest, testkit.Size(30, 200), 1)
		if n < 2 || pValue(x, n) < tooRare {
			t.Errorf("%q: χ² is %.1f for %d matchings", rows, x, n)
		}
	}
}

// TestCutsAreFair draws from boards with holes that are all cut open.
func TestCutsAreFair(t *testing.T) {
	for _, rows := range [][]string{
		{"###", "#.#", "###"},
		holey(4, 4, [4]int{1, 2, 1, 2}), holey(6, 6, [4]int{2, 3, 2, 3}),
		holey(5, 8, [4]int{1, 1, 1, 1}, [4]int{1, 1, 3, 3}, [4]int{3, 3, 4, 4}, [4]int{3, 3, 6, 6}),
	} {
		b := draw(rows...)
		x, n := chi(t, b, 4, testkit.Size(20, 60), 2)
		if n < 2 || pValue(x, n) < tooRare {
			t.Errorf("%q: χ² is %.1f for %d matchings", rows, x, n)
		}
	}
}

// TestAllSmallBoards draws from every simply connected board of a few cells that has several
// matchings. The sum of all χ² is also a χ².
func TestAllSmallBoards(t *testing.T) {
	sum, free, boards := 0.0, 0, 0
	for cells := range polyominoes(testkit.Size(8, 10)) {
		b := draw(cells...)
		if !simplyConnected(b.rows) || b.Black != b.White || len(matchings(b.Graph())) < 2 {
			continue
		}
		x, n := chi(t, b, longest, 50, uint64(boards))
		if pValue(x, n) < 1e-7 {
			t.Errorf("%q: χ² is %.1f for %d matchings", b.rows, x, n)
		}
		sum, free, boards = sum+x, free+n-1, boards+1
	}
	t.Logf("%d boards: χ² is %.1f, %d expected", boards, sum, free)
	if p := pValue(sum, free+1); p < tooRare || p > 1-tooRare || boards < 100 {
		t.Errorf("%d boards: χ² is %.1f, expected about %d", boards, sum, free)
	}
}

// TestDrawsOfSeeds pins the draw of each seed. A draw depends neither on the sweeps of earlier
// draws nor on concurrent draws.
func TestDrawsOfSeeds(t *testing.T) {
	dominoes := func(rows ...string) string {
		return "pieces: [{name: domino, copies: any}]\nboard: |\n  " + strings.Join(rows, "\n  ")
	}
	for _, c := range []struct{ text, want string }{
		{dominoes(rectangle(6, 6)...), "e04e982999f3914d"},
		{lozenges, "1a8d197621ed223a"},
		{dominoes("######", "#.##.#", "######", "######", "##..##", "######"), "f8a6ce240cb13ca4"},
		{dominoes(holey(16, 16, [4]int{2, 13, 2, 13})...), "b1eb65f210353a38"},
	} {
		first, second := ofPuzzle(t, c.text), ofPuzzle(t, c.text)
		a, b := rand.NewPCG(7, 17), rand.NewPCG(7, 17)
		second.first.Store(9)
		hash := fnv.New64a()
		for range 5 {
			x, err := first.Draw(t.Context(), Key(a), nil)
			if err != nil {
				t.Fatal(err)
			}
			y, err := second.Draw(t.Context(), Key(b), nil)
			if err != nil || !slices.Equal(x, y) {
				t.Fatalf("%s: %v and %v, %v", c.text, x, y, err)
			}
			fmt.Fprintln(hash, x)
		}
		if got := fmt.Sprintf("%x", hash.Sum64()); got != c.want {
			t.Errorf("%s: draws of seed 7 have the sum %s, expected %s", c.text, got, c.want)
		}
	}
}

// TestOptionsAreFair draws where every pair of cells has two options, and refuses a board where
// only one pair has.
func TestOptionsAreFair(t *testing.T) {
	g := draw(rectangle(2, 3)...)
	for e := range g.Edges {
		g.Edges[e].Options = []int{2*e + 1, 2 * e}
		slices.Sort(g.Edges[e].Options)
	}
	g.Forced = []int{99}
	c, err := NewCoupling(t.Context(), g.Graph(), Config{})
	if err != nil {
		t.Fatal(err)
	}
	tallies, src := map[string]int{}, rand.NewPCG(5, 17)
	for range 24 * 100 {
		d, err := c.Draw(t.Context(), Key(src), nil)
		if err != nil || len(d) != 4 || d[3] != 99 {
			t.Fatal(d, err)
		}
		tallies[fmt.Sprint(d)]++
	}
	chi := 0.0
	for _, n := range tallies {
		chi += float64(n-100) * float64(n-100) / 100
	}
	if len(tallies) != 24 || pValue(chi, 24) < tooRare {
		t.Errorf("χ² is %.1f for %v", chi, tallies)
	}
	g.Edges[0].Options = g.Edges[0].Options[:1]
	if _, err := NewCoupling(t.Context(), g.Graph(), Config{}); !errors.Is(err, ErrNotDimers) {
		t.Errorf("one pair with fewer options: %v", err)
	}
}

// TestCouplingStops looks at its context about every 2^14 words.
func TestCouplingStops(t *testing.T) {
	c := coupled(t, draw(rectangle(60, 60)...), longest)
	ctx := testkit.AfterLooks(t, 2)
	sweeps := int64(0)
	_, err := c.Draw(ctx, Key(rand.NewPCG(1, 1)), func(n int64) { sweeps += n })
	if !errors.Is(err, context.DeadlineExceeded) || ctx.Late() > 0 {
		t.Errorf("%v, %d looks too late", err, ctx.Late())
	}
	if most := int64(4 * interrupt.Every / len(c.lanes.words)); sweeps > 4*most {
		t.Errorf("%d sweeps were begun, expected at most %d", sweeps, 4*most)
	}
}

func BenchmarkDraw(b *testing.B) {
	for _, board := range []struct {
		name string
		rows []string
	}{{"8x8", rectangle(8, 8)}, {"100x100", rectangle(100, 100)}, {"aztec-100", diamond(100)}} {
		b.Run("board="+board.name, func(b *testing.B) {
			c, src := coupled(b, draw(board.rows...), longest), rand.NewPCG(1, 17)
			for b.Loop() {
				if _, err := c.Draw(b.Context(), Key(src), nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestBreadth(t *testing.T) {
	for _, c := range []struct {
		rows []string
		want int
	}{{rectangle(1, 2), 1}, {rectangle(6, 9), 6}, {rectangle(9, 6), 6}, {diamond(10), 20}, {[]string{"##..####", "....####"}, 2}} {
		if got := draw(c.rows...).Graph().Breadth(); got != c.want {
			t.Errorf("%q: breadth %d, expected %d", c.rows, got, c.want)
		}
	}
}

// TestCouplingBytes compares the memory that a Coupling reports with its actual memory.
func TestCouplingBytes(t *testing.T) {
	b := draw(rectangle(60, 60)...)
	took := testkit.Allocated(func() {
		if _, err := NewCoupling(t.Context(), b.Graph(), Config{}); err != nil {
			t.Fatal(err)
		}
	})
	if told := b.Graph().CouplingBytes(); took > told || took < told/4 {
		t.Errorf("%d edges used %d bytes, reported %d", len(b.Edges), took, told)
	}
	if _, err := NewCoupling(t.Context(), b.Graph(), Config{Memory: b.Graph().CouplingBytes() - 1}); !errors.Is(err, cover.ErrMemory) {
		t.Errorf("too little memory: %v", err)
	}
}
