package dimer

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
)

// grid returns the graph of dominoes on the cells of a rectangle for which keep is true.
func grid(rows, columns int, keep func(r, c int) bool) *Bipartite {
	g := &Bipartite{}
	number := map[[2]int]int32{}
	var cells [2][]int
	for i := range rows * columns {
		r, c := i/columns, i%columns
		if keep(r, c) {
			side := (r + c) % 2
			number[[2]int{r, c}] = int32(len(cells[side]))
			cells[side] = append(cells[side], i)
		}
	}
	g.Black, g.White = len(cells[0]), len(cells[1])
	for b, i := range cells[0] {
		r, c := i/columns, i%columns
		for _, to := range [][2]int{{r - 1, c}, {r, c - 1}, {r, c + 1}, {r + 1, c}} {
			if w, kept := number[to]; kept {
				g.Edges = append(g.Edges, Link{int32(b), w, []int{len(g.Edges)}})
			}
		}
	}
	return g
}

func everywhere(int, int) bool { return true }

func aztec(n int) func(r, c int) bool {
	return func(r, c int) bool {
		x, y := min(r, 2*n-1-r), min(c, 2*n-1-c)
		return x+y >= n-1
	}
}

func matrix(t testing.TB, g *Bipartite, weights []*big.Int) *Matrix {
	t.Helper()
	m, err := NewMatrix(t.Context(), g.Graph(), weights)
	if err != nil {
		t.Fatalf("%v of %+v", err, g)
	}
	return m
}

func coloured(t testing.TB, g *Graph) *Bipartite {
	t.Helper()
	b, err := g.TwoColoured(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func count(t testing.TB, g *Bipartite, weights []*big.Int, threads int) *big.Int {
	t.Helper()
	n, err := matrix(t, g, weights).Count(t.Context(), Config{Threads: threads})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestKnownCounts(t *testing.T) {
	for n, want := range map[int]string{
		0: "1", 1: "0", 2: "2", 4: "36", 5: "0", 8: "12988816",
		10: "258584046368", // OEIS A004003
		20: "1269984011256235834242602753102293934298576249856",
	} {
		if got := count(t, grid(n, n, everywhere), nil, 2); got.String() != want {
			t.Errorf("%dx%[1]d: %v, want %s", n, got, want)
		}
	}
	for n := 1; n <= 40; n += testkit.Size(1+n/4, 1) {
		want := new(big.Int).Lsh(big.NewInt(1), uint(n*(n+1)/2)) // Elkies, Kuperberg, Larsen and Propp (1992)
		if got := count(t, grid(2*n, 2*n, aztec(n)), nil, 1); got.Cmp(want) != 0 {
			t.Errorf("Aztec diamond of order %d: %v, want %v", n, got, want)
		}
	}
	for k := testkit.Size(509, 0); k < 512; k++ {
		a, b, c := 1+k/64, 1+k/8%8, 1+k%8
		m := puzzletest.Parse(t, fmt.Sprintf("{lattice: triangle, board: {hexagon: [%d, %d, %d]}, pieces: [{name: lozenge, cells: [[0,0],[0,1]], copies: any}]}", a, b, c))
		g, err := Read(t.Context(), m.Problem)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := count(t, coloured(t, g), nil, 1), macMahon(a, b, c); got.Cmp(want) != 0 {
			t.Errorf("hexagon %d, %d, %d: %v, want %v", a, b, c, got, want)
		}
	}
}

// macMahon is the number of plane partitions in a box.
func macMahon(a, b, c int) *big.Int {
	up, down := big.NewInt(1), big.NewInt(1)
	for i := 1; i <= a; i++ {
		for j := 1; j <= b; j++ {
			for k := 1; k <= c; k++ {
				up.Mul(up, big.NewInt(int64(i+j+k-1)))
				down.Mul(down, big.NewInt(int64(i+j+k-2)))
			}
		}
	}
	return up.Quo(up, down)
}

// TestRandomBoards compares counts on boards of every lattice, with holes, with the oracle.
func TestRandomBoards(t *testing.T) {
	all := []string{puzzletest.Square, puzzletest.Triangle, puzzletest.Hexagon, puzzletest.Cylinder, puzzletest.Cube}
	rng := rand.New(rand.NewPCG(3, 17))
	kinds := map[string]int{}
	for range testkit.Size(400, 8000) {
		kind, board := puzzletest.Pairs(t, rng, all...)
		p := board.Problem
		g, err := Read(t.Context(), p)
		if errors.Is(err, ErrNotDimers) {
			continue
		}
		m, err := NewMatrix(t.Context(), g, nil)
		if errors.Is(err, ErrNotDimers) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		solutions, err := oracle.Within(p, 20_000)
		if err != nil {
			continue
		}
		want := len(solutions)
		got, err := m.Count(t.Context(), Config{Threads: 1 + rng.IntN(3)})
		if err != nil || got.Cmp(big.NewInt(int64(want))) != 0 {
			t.Fatalf("%s: %v, %v, want %d\n%+v", kind, got, err, want, g)
		}
		for _, prime := range []uint64{3, 5, 7, 65537} { // many pivots are 0
			got, err := m.Modulo(t.Context(), prime, Config{})
			if err != nil || got != uint64(want)%prime {
				t.Fatalf("%s: %d, %v modulo %d, want %d modulo it\n%+v", kind, got, err, prime, want, g)
			}
		}
		if want > 0 {
			kinds[kind]++
		}
	}
	for _, kind := range all {
		if kinds[kind] < 5 {
			t.Errorf("%d boards of the kind %s", kinds[kind], kind)
		}
	}
}

// TestRandomGraphs counts matchings of random subgraphs of grids, with weights.
func TestRandomGraphs(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 17))
	several := 0
	for range testkit.Size(2000, 20000) {
		holes, cuts := rng.IntN(4), rng.IntN(6)
		g := grid(1+rng.IntN(5), 1+rng.IntN(5), func(int, int) bool { return rng.IntN(12) >= holes })
		var weights []*big.Int
		edges := g.Edges[:0]
		for _, e := range g.Edges {
			if rng.IntN(12) >= cuts {
				edges = append(edges, e)
				weights = append(weights, randomWeight(rng))
			}
		}
		g.Edges = edges
		want := new(big.Int)
		for i := range g.Edges {
			g.Edges[i].Options = []int{i}
		}
		all := matchings(g.Graph())
		for _, m := range all {
			product := big.NewInt(1)
			for _, e := range m {
				product.Mul(product, weights[e])
			}
			want.Add(want, product)
		}
		if got := count(t, g, weights, 1+rng.IntN(3)); got.Cmp(want) != 0 {
			t.Fatalf("%+v: %v, want %v", g, got, want)
		}
		if got := count(t, g, nil, 1); got.Cmp(big.NewInt(int64(len(all)))) != 0 {
			t.Fatalf("%+v: %v, want %d", g, got, len(all))
		}
		if len(all) > 1 {
			several++
		}
	}
	if several < 150 {
		t.Errorf("only %d graphs have several matchings", several)
	}
}

// randomWeight is small, or large, or 0, or 0 modulo the first prime.
func randomWeight(rng *rand.Rand) *big.Int {
	w := big.NewInt(1 + rng.Int64N(3))
	switch rng.IntN(8) {
	case 0:
		w.SetUint64(primesUpTo(1)[0])
	case 1:
		w.Lsh(big.NewInt(rng.Int64()), 70)
	case 2:
		w.SetInt64(0)
	}
	return w
}

// TestTightBound counts matchings whose number reaches Hadamard's bound and exceeds the product of
// all primes but one.
func TestTightBound(t *testing.T) {
	primes := primesUpTo(3)
	for k := range primes {
		w := big.NewInt(1)
		for _, p := range primes[:k+1] {
			w.Mul(w, new(big.Int).SetUint64(p))
		}
		for d := int64(-1); d <= 1; d++ {
			x := new(big.Int).Add(w, big.NewInt(d))
			g := &Bipartite{Black: 1, White: 1, Edges: []Link{{0, 0, []int{0}}}}
			if got := count(t, g, []*big.Int{x}, 1); got.Cmp(x) != 0 {
				t.Errorf("one edge of weight %v: %v", x, got)
			}
		}
	}
}

func TestNotPlanar(t *testing.T) {
	g := &Bipartite{Black: 3, White: 3}
	for b := range int32(3) {
		for w := range int32(3) {
			g.Edges = append(g.Edges, Link{b, w, []int{0}})
		}
	}
	_, err := NewMatrix(t.Context(), g.Graph(), nil)
	if !errors.Is(err, ErrNotDimers) || !strings.Contains(err.Error(), "planar") {
		t.Errorf("K3,3: %v", err)
	}
}

// TestSignsAreChecked gives a dart a face of its own, so that the faces are no embedding.
func TestSignsAreChecked(t *testing.T) {
	g := grid(3, 4, everywhere).Graph()
	m, err := g.Embed(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	of, faces := m.Faces()
	of[0] = int32(faces)
	if _, err := g.signs(of, faces+1); err == nil {
		t.Error("faces that are none have signs")
	}
}

func TestLimits(t *testing.T) {
	m := matrix(t, grid(20, 20, everywhere), nil)
	c := m.Cost()
	if _, err := m.Count(t.Context(), Config{Memory: c.Shared + c.Bytes - 1}); !errors.Is(err, cover.ErrMemory) {
		t.Errorf("one byte too few: %v", err)
	}
	done := 0
	n, err := m.Count(t.Context(), Config{Threads: 9, Memory: c.Shared + 2*c.Bytes, Progress: func(k, of int) {
		if done++; k != done || of != c.Primes {
			t.Errorf("progress %d of %d after %d of %d", k, of, done, c.Primes)
		}
	}})
	if err != nil || n.BitLen() != 160 || done != c.Primes {
		t.Errorf("%v, %v, %d of %d primes done", n, err, done, c.Primes)
	}
	ctx, stop := context.WithCancel(t.Context())
	m = matrix(t, grid(60, 60, everywhere), nil)
	_, err = m.Count(ctx, Config{Threads: 2, Progress: func(int, int) { stop() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestCancelled(t *testing.T) {
	g := grid(150, 150, everywhere)
	ctx := testkit.AfterLooks(t, 5)
	if _, err := NewMatrix(ctx, g.Graph(), nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a matrix that was cancelled: %v", err)
	}
	m := matrix(t, g, nil)
	ctx = testkit.AfterLooks(t, 5)
	if _, err := m.Modulo(ctx, 1_000_003, Config{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a determinant that was cancelled: %v", err)
	}
}

func BenchmarkCount(b *testing.B) {
	for _, n := range []int{20, 40, 60, 100, 200} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			g := grid(n, n, everywhere)
			for b.Loop() {
				count(b, g, nil, 1)
			}
		})
	}
}

// TestRunningExample follows the elimination that the package comment draws.
func TestRunningExample(t *testing.T) {
	g, err := Read(t.Context(), read(t, puzzletest.Running))
	if err != nil {
		t.Fatal(err)
	}
	m := matrix(t, coloured(t, g), nil)
	p := m.parts[0]
	e := newEliminator(t.Context(), newField(101), m)
	if d, err := e.run(p); err != nil || e.out(d) != 3 {
		t.Errorf("%d, %v, want 3", e.out(d), err)
	}
	if len(p.rows) != 3 || p.width != 2 || p.primes != 1 {
		t.Errorf("%d rows, %d unknowns, %d primes", len(p.rows), p.width, p.primes)
	}
}

func BenchmarkHoles(b *testing.B) {
	for _, n := range []int{60, 100} {
		for _, holes := range []int{1, 3, 10} {
			b.Run(fmt.Sprint(n, "x", holes), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(5, 17))
				cut := map[[2]int]bool{}
				for range n * n * holes / 200 { // dominoes of the tiling by rows, so that a tiling is left
					r, c := rng.IntN(n), 2*rng.IntN(n/2)
					cut[[2]int{r, c}], cut[[2]int{r, c + 1}] = true, true
				}
				g := grid(n, n, func(r, c int) bool { return !cut[[2]int{r, c}] })
				for b.Loop() {
					m := matrix(b, g, nil)
					b.Logf("%+v", m.Cost())
					if _, err := m.Count(b.Context(), Config{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// TestAnyOrder eliminates the rows of boards with holes in random orders: equal determinants.
func TestAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 17))
	for range 200 {
		holes := rng.IntN(10)
		g := grid(8, 8, func(r, c int) bool { return rng.IntN(100) >= holes })
		m := matrix(t, g, nil)
		matched, err := g.Matching(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		known := &term{}
		for _, e := range matched {
			known.column, known.negative = append(known.column, g.Edges[e].White), append(known.negative, m.negative[e])
		}
		l := newLayouts(newOrderer(t.Context(), g))
		for _, p := range m.parts {
			e := newEliminator(t.Context(), newField(1009), m)
			want, err := e.run(p)
			if err != nil {
				t.Fatal(err)
			}
			var order []int32
			for _, r := range p.rows {
				order = append(order, g.Edges[p.arcs[r.known].edge].Black)
			}
			for range 3 {
				rng.Shuffle(len(order)/2, func(i, j int) { order[2*i], order[2*j] = order[2*j], order[2*i] })
				if got, err := e.run(l.lay(order, known)); err != nil || got != want {
					t.Fatalf("%d, %v in the order %v, want %d", e.out(got), err, order, e.out(want))
				}
			}
		}
	}
}
