package temperley

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pavage/pavage/internal/engine/dimer"
	"github.com/pavage/pavage/internal/engine/planar"
	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/testkit"
)

func planarEmbed(t *testing.T, vertices int, edges [][2]int32) (*planar.Embedding, error) {
	return planar.Embed(t.Context(), vertices, edges)
}

// accepted are boards that New accepts, with the numbers of their matchings.
var accepted = []struct {
	rows      []string
	matchings int
}{
	{rectangle(1, 2), 1},
	{rectangle(2, 2), 2},
	{rectangle(2, 3), 3},
	{rectangle(2, 4), 5},
	{rectangle(3, 4), 11},
	{rectangle(4, 4), 36},
	{rectangle(4, 5), 95},
	{[]string{"##..", ".##.", "..##"}, 1},
	{[]string{"####", "####", "##..", "##.."}, 12},
	{rectangle(3, 3, [2]int{0, 0}), 4},
	{rectangle(3, 3, [2]int{0, 2}), 4},
	{rectangle(3, 5, [2]int{0, 0}), 15},
	{rectangle(3, 5, [2]int{0, 2}), 15},
	{rectangle(5, 5, [2]int{0, 0}), 192},
	{rectangle(5, 5, [2]int{2, 4}), 192},
	{rectangle(5, 5, [2]int{4, 2}), 192},
	{[]string{"###..", "###..", "#####", "#####", ".####"}, 56},
}

// refused are boards that New refuses.
var refused = [][]string{
	rectangle(5, 5), rectangle(5, 5, [2]int{2, 2}), rectangle(5, 5, [2]int{1, 1}),
	{"##.##"},
	{"#.", ".#"},
	{".##.", "####", "####", ".##."},
	{"###", "#.#", "###"},
}

func TestNew(t *testing.T) {
	for _, c := range accepted {
		g := drawn(c.rows...)
		if _, err := New(t.Context(), g); err != nil {
			t.Errorf("%q: %v", c.rows, err)
		}
		if n := len(matchings(g)); n != c.matchings {
			t.Errorf("%q: %d matchings, expected %d", c.rows, n, c.matchings)
		}
	}
	for _, rows := range refused {
		_, err := New(t.Context(), drawn(rows...))
		if !errors.Is(err, ErrNotTemperleyan) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error %v", rows, err)
		}
	}
}

// TestWhiskerInside refuses the cells of a square of 3x3 with another cell beside the one in the
// middle, which lies in a face of any drawing. It has the links and the Euler characteristic of a
// Temperleyan board.
func TestWhiskerInside(t *testing.T) {
	g := drawn(rectangle(3, 3)...)
	g.White++
	g.Item[1] = append(g.Item[1], 99)
	g.Edges = append(g.Edges, dimer.Link{Black: 2, White: 4})
	if _, err := New(t.Context(), numbered(g)); !errors.Is(err, ErrNotTemperleyan) {
		t.Errorf("error %v", err)
	}
}

// checkBijection enumerates the spanning trees of the dual graph and checks that they lead to all
// matchings, each once, and that both graphs have a spanning tree for each matching.
func checkBijection(t *testing.T, name any, s *Sampler) {
	t.Helper()
	all, got, trees := matchings(s.g), map[string]bool{}, 0
	for out := range spanningTrees(s.dual) {
		trees++
		var options []int
		for v, slot := range s.match(out) {
			if slot >= free || s.ends[v][slot] == none {
				t.Fatalf("%v: edge vertex %d is matched with end %d", name, v, slot)
			}
			options = append(options, s.g.Edges[s.edges[v][slot]].Options[0])
		}
		slices.Sort(options)
		got[fmt.Sprint(options)] = true
	}
	if trees != len(all) || !maps.Equal(got, all) {
		t.Fatalf("%v: %d trees lead to %d sets of options, expected each of %d matchings once", name, trees, len(got), len(all))
	}
	checkCounts(t, name, s, int64(trees))
}

// checkCounts compares the number of spanning trees of both graphs with the number of matchings.
func checkCounts(t *testing.T, name any, s *Sampler, want int64) {
	t.Helper()
	m, err := dimer.NewMatrix(t.Context(), s.g.Graph(), nil)
	if err != nil {
		t.Fatal(err)
	}
	n, err := m.Count(t.Context(), dimer.Config{})
	if err != nil {
		t.Fatal(err)
	}
	var ends [][2]int32
	for _, of := range s.ends {
		edge := [2]int32{of[0], of[1]}
		for k := range edge {
			if edge[k] == none {
				edge[k] = s.primal
			}
		}
		ends = append(ends, edge)
	}
	primal, err := NewGraph(int(s.primal)+1, ends)
	if err != nil {
		t.Fatalf("%v: %v", name, err)
	}
	if a, b := kirchhoff(primal), kirchhoff(s.dual); !n.IsInt64() || n.Int64() != want || a.Cmp(n) != 0 || b.Cmp(n) != 0 {
		t.Fatalf("%v: %v primal and %v dual trees, %v matchings, expected %d", name, a, b, n, want)
	}
}

// TestKnownCounts compares with published numbers: domino tilings of squares (OEIS A004003), and
// spanning trees of grids (A007341), which are tilings of squares less a corner.
func TestKnownCounts(t *testing.T) {
	for _, c := range []struct {
		rows []string
		want int64
	}{
		{rectangle(6, 6), 6728},
		{rectangle(8, 8), 12988816},
		{rectangle(7, 7, [2]int{0, 0}), 100352},
		{rectangle(9, 9, [2]int{8, 4}), 557568000},
	} {
		s, err := New(t.Context(), drawn(c.rows...))
		if err != nil {
			t.Fatal(err)
		}
		checkCounts(t, c.rows, s, c.want)
	}
}

// spanningTrees yields all spanning trees of a small graph, directed to the last vertex.
func spanningTrees(g *Graph) func(yield func([]int32) bool) {
	return func(yield func([]int32) bool) {
		root := int32(g.vertices() - 1)
		out := slices.Repeat([]int32{none}, g.vertices())
		reaches := func(v int32) bool { // true for the root and for vertices without a way, false for a cycle
			for range g.vertices() {
				if out[v] == none {
					return true
				}
				v = g.to[out[v]]
			}
			return false
		}
		var extend func(v int32) bool
		extend = func(v int32) bool {
			if v == root {
				return yield(out)
			}
			for way := g.first[v]; way < g.first[v+1]; way++ {
				out[v] = way
				if reaches(v) && !extend(v+1) {
					return false
				}
			}
			out[v] = none
			return true
		}
		extend(0)
	}
}

// kirchhoff returns the number of spanning trees by the matrix-tree theorem: Bareiss' elimination
// of the Laplacian without the last vertex.
func kirchhoff(g *Graph) *big.Int {
	n := g.vertices() - 1
	a := make([][]*big.Int, n)
	for i := range a {
		a[i] = make([]*big.Int, n)
		for k := range a[i] {
			a[i][k] = new(big.Int)
		}
	}
	for v := range n {
		for _, u := range g.to[g.first[v]:g.first[v+1]] {
			a[v][v].Add(a[v][v], big.NewInt(1))
			if int(u) < n {
				a[v][u].Sub(a[v][u], big.NewInt(1))
			}
		}
	}
	last := big.NewInt(1)
	for k := range n {
		for i := k + 1; i < n; i++ {
			for j := k + 1; j < n; j++ {
				x := new(big.Int).Mul(a[i][j], a[k][k])
				x.Sub(x, new(big.Int).Mul(a[i][k], a[k][j]))
				a[i][j] = x.Quo(x, last) // the pivots of a Laplacian are positive
			}
		}
		last = a[k][k]
	}
	return last
}

func TestBijection(t *testing.T) {
	for _, c := range accepted {
		s, err := New(t.Context(), drawn(c.rows...))
		if err != nil {
			t.Fatal(err)
		}
		checkBijection(t, c.rows, s)
	}
}

// TestRandomBoards compares the recognition with the condition, read off the drawing, and checks
// the bijection of every board that is accepted.
func TestRandomBoards(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 17))
	boards := map[bool]int{}
	for boards[true] < testkit.Size(400, 4000) {
		rows := randomRows(rng)
		s, err := New(t.Context(), drawn(rows...))
		if err == nil != isTemperleyan(rows) {
			t.Fatalf("%q: %v", rows, err)
		}
		boards[err == nil]++
		if err == nil {
			checkBijection(t, rows, s)
		}
	}
	t.Log(boards)
}

// TestSuperposed recognises random plane graphs together with their duals. Most of them have
// cycles of four darts that are no faces, and several drawings; the tried drawing has other faces.
func TestSuperposed(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 17))
	found, all := [2]int{}, [2]int{} // without a drawing, and with one
	for all[0]+all[1] < testkit.Size(400, 4000) {
		g, ok := superposed(t, rng)
		if !ok || !isConnectedGraph(g) {
			continue
		}
		way := 0
		if b := (&board{cells: newCells(g), looks: interrupt.Context(t.Context())}); errors.Is(b.linkCycles(), errAmbiguous) {
			way = 1
		}
		all[way]++
		if s, err := New(t.Context(), g); err == nil {
			found[way]++
			checkBijection(t, g.Edges, s)
		}
	}
	t.Logf("%d of %d found", found, all)
	if found[0] < all[0] || all[0] < 100 || found[1] < all[1]/3 {
		t.Errorf("%d of %d found", found, all)
	}
}

// TestRandomGraphs checks the bijection of all graphs without a drawing that are accepted.
func TestRandomGraphs(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 17))
	found := 0
	for range testkit.Size(20_000, 400_000) {
		n := 1 + rng.IntN(5)
		g := &dimer.Bipartite{Black: n, White: n, Item: [2][]int{make([]int, n), make([]int, n)}}
		density := rng.IntN(n*n + 1)
		for e := range n * n {
			if rng.IntN(n*n) < density {
				g.Edges = append(g.Edges, dimer.Link{Black: int32(e / n), White: int32(e % n)})
			}
		}
		if s, err := New(t.Context(), numbered(g)); err == nil {
			found++
			checkBijection(t, g.Edges, s)
		}
	}
	if found < 300 {
		t.Errorf("%d graphs were accepted", found)
	}
}

// tooRare is the p-value below which a test rejects. Seeds are fixed, so a test that has passed
// passes again.
const tooRare = 1e-3

// checkLaw checks that the tallies of draws fit n equally likely results.
func checkLaw(t *testing.T, name any, tallies map[string]int, draws, n int) {
	t.Helper()
	mean := float64(draws) / float64(n)
	chi := float64(n-len(tallies)) * mean
	for _, times := range tallies {
		chi += (float64(times) - mean) * (float64(times) - mean) / mean
	}
	p := 1 - distuv.ChiSquared{K: float64(n - 1)}.CDF(chi)
	if len(tallies) > n || n < 2 || p < tooRare {
		t.Errorf("%v: χ² is %.1f, %d results, expected %d", name, chi, len(tallies), n)
	}
}

// TestDrawsAreFair compares draws with all solutions.
func TestDrawsAreFair(t *testing.T) {
	src := rand.NewPCG(3, 17)
	for _, c := range accepted {
		if c.matchings == 1 {
			continue
		}
		p := problem(drawn(c.rows...))
		g, err := dimer.Read(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		b, err := g.TwoColoured(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(t.Context(), b)
		if err != nil {
			t.Fatal(err)
		}
		solutions, err := oracle.Solutions(p)
		if errors.Is(err, oracle.ErrTooBig) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		tallies := map[string]int{}
		draws := testkit.Size(50, 500) * len(solutions)
		for range draws {
			options, err := s.Draw(t.Context(), dimer.Key(src))
			if err != nil {
				t.Fatal(err)
			}
			tallies[fmt.Sprint(options)]++
		}
		for _, solution := range solutions {
			if tallies[fmt.Sprint(solution)] == 0 {
				t.Errorf("%q: %v was not drawn", c.rows, solution)
			}
		}
		checkLaw(t, c.rows, tallies, draws, len(solutions))
	}
}

// TestOptionsAreFair draws from edges with two options, and refuses a board with one such edge.
func TestOptionsAreFair(t *testing.T) {
	g := drawn(rectangle(2, 3)...)
	for e := range g.Edges {
		g.Edges[e].Options = []int{2 * e, 2*e + 1}
	}
	g.Forced = []int{99}
	s, err := New(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	tallies, src := map[string]int{}, rand.NewPCG(5, 17)
	for range 24 * 100 {
		d, err := s.Draw(t.Context(), dimer.Key(src))
		if err != nil || len(d) != 4 || d[3] != 99 {
			t.Fatal(d, err)
		}
		tallies[fmt.Sprint(d)]++
	}
	checkLaw(t, "two options", tallies, 24*100, 24)
	g.Edges[0].Options = g.Edges[0].Options[:1]
	if _, err := New(t.Context(), g); !errors.Is(err, ErrNotTemperleyan) {
		t.Errorf("one pair with fewer options: %v", err)
	}
}

// TestDrawsOfSeeds pins the draws of a seed: they may never change.
func TestDrawsOfSeeds(t *testing.T) {
	s, err := New(t.Context(), drawn(rectangle(9, 9, [2]int{0, 0})...))
	if err != nil {
		t.Fatal(err)
	}
	hash, src := fnv.New64a(), rand.NewPCG(7, 17)
	for range 5 {
		d, err := s.Draw(t.Context(), dimer.Key(src))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(hash, d)
	}
	if got, want := fmt.Sprintf("%x", hash.Sum64()), "42478c481dbfa71e"; got != want {
		t.Errorf("draws of seed 7 have the sum %s, expected %s", got, want)
	}
}

// TestStops ends recognitions and draws at each of their looks at the context.
func TestStops(t *testing.T) {
	g := drawn(rectangle(151, 151, [2]int{0, 0})...)
	s, err := New(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	for name, do := range map[string]func(context.Context) error{
		"New":  func(ctx context.Context) error { _, err := New(ctx, g); return err },
		"Draw": func(ctx context.Context) error { _, err := s.Draw(ctx, [32]byte{}); return err },
	} {
		whole := testkit.AfterLooks(t, 1<<30)
		if err := do(whole); err != nil || whole.Made() == 0 {
			t.Fatalf("%s: %v after %d looks", name, err, whole.Made())
		}
		for n := range whole.Made() {
			ctx := testkit.AfterLooks(t, n)
			if err := do(ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v after %d of %d looks", name, err, n, whole.Made())
			}
		}
	}
}

// TestBytes compares the memory that a Sampler reports with the allocations while it is made.
func TestBytes(t *testing.T) {
	g := drawn(rectangle(61, 61, [2]int{0, 0})...)
	var s *Sampler
	allocated := testkit.Allocated(func() { s, _ = New(t.Context(), g) })
	if s == nil || s.Bytes() > allocated || s.Bytes() < allocated/10 {
		t.Errorf("%d bytes, of %d allocated", s.Bytes(), allocated)
	}
}

func BenchmarkDraw(b *testing.B) {
	for _, n := range []int{101, 1001, 3163} {
		b.Run(fmt.Sprintf("board=%dx%d", n, n), func(b *testing.B) {
			s, err := New(b.Context(), grid(n))
			if err != nil {
				b.Fatal(err)
			}
			src := rand.NewPCG(1, 17)
			b.ReportMetric(s.Forecast()*1e9, "forecast-ns")
			for b.Loop() {
				if _, err := s.Draw(b.Context(), dimer.Key(src)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	g := grid(1001)
	for b.Loop() {
		if _, err := New(b.Context(), g); err != nil {
			b.Fatal(err)
		}
	}
}

// grid returns the graph of dominoes on n x n cells without the first, made without maps. n is odd.
func grid(n int) *dimer.Bipartite {
	g := &dimer.Bipartite{Black: n * n / 2, White: n * n / 2}
	options := make([]int, 2*n*n)
	for i := range options {
		options[i] = i
	}
	for at := 1; at < n*n; at++ {
		g.Item[at%2] = append(g.Item[at%2], at)
		if at%2 == 1 {
			continue
		}
		r, c := at/n, at%n
		for _, to := range [4][2]int{{-1, 0}, {0, -1}, {0, 1}, {1, 0}} {
			i, k := r+to[0], c+to[1]
			if i >= 0 && k >= 0 && i < n && k < n {
				e := len(g.Edges)
				g.Edges = append(g.Edges, dimer.Link{Black: int32(at/2 - 1), White: int32((n*i + k) / 2), Options: options[e : e+1]})
			}
		}
	}
	return g
}
