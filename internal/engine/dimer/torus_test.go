package dimer

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

// ring returns a part of a torus of rows and columns of squares.
func ring(rows, columns int, keep func() bool) *Graph {
	return ringWith(rows, columns, keep, func(int, int) bool { return true })
}

// ringWith keeps only the edges between rows for which down is true.
func ringWith(rows, columns int, keep func() bool, down func(r, c int) bool) *Graph {
	g := &Graph{}
	number := map[[2]int]int32{}
	for r := range rows {
		for c := range columns {
			if keep() {
				number[[2]int{r, c}] = int32(len(number))
			}
		}
	}
	g.Vertices = len(number)
	for r := range rows {
		for c := range columns {
			for k, to := range [][2]int{{r, (c + 1) % columns}, {(r + 1) % rows, c}} {
				a, here := number[[2]int{r, c}]
				if b, there := number[to]; here && there && (k == 0 || down(r, c)) {
					g.Edges = append(g.Edges, Edge{[2]int32{a, b}, []int{len(g.Edges)}})
				}
			}
		}
	}
	return g
}

// TestTorus counts dominoes on a torus. (P. W. Kasteleyn, "The statistics of dimers on a lattice",
// 1961)
func TestTorus(t *testing.T) {
	always := func() bool { return true }
	if n := countGraph(t, ring(6, 6, always), nil); n.Int64() != 90176 {
		t.Errorf("6x6: %v, want 90176", n)
	}
	for _, size := range [][2]int{{6, 8}, {8, 8}, {10, 6}, {30, 30}} {
		got, want := countGraph(t, ring(size[0], size[1], always), nil), kasteleyn(size[0], size[1])
		if got.Cmp(want) != 0 {
			t.Errorf("%v: %v, want %v", size, got, want)
		}
	}
}

// kasteleyn returns the number of domino tilings of a torus of even sides by Kasteleyn's formula:
// half of the sum of three determinants. Each is the product of 4 sin²a + 4 sin²b = 4 - z - 1/z - w
// - 1/w over z = exp(2ia) and w = exp(2ib) with z^(m/2) = ±1 and w^(n/2) = ±1. The fourth
// determinant, with two +, is 0. The determinants are found without floats, as norms.
func kasteleyn(m, n int) *big.Int {
	sum := new(big.Int)
	for _, signs := range [][2]int64{{-1, -1}, {1, -1}, {-1, 1}} {
		sum.Add(sum, product2(m/2, n/2, signs[0], signs[1]))
	}
	return sum.Rsh(sum, 1)
}

// product2 returns the product of 4 - z - 1/z - w - 1/w over z^m = s and w^n = t. The product over
// z is y^m + y^-m - 2s for y + 1/y = 4 - w - 1/w, a number c₀ + c₁w + … modulo w^n - t. The product
// over w is the norm of this number.
func product2(m, n int, s, t int64) *big.Int {
	times := func(a, b []*big.Int) []*big.Int {
		p := slicesOf(n)
		for i := range a {
			for j := range b {
				x := new(big.Int).Mul(a[i], b[j])
				if i+j >= n {
					x.Mul(x, big.NewInt(t))
				}
				p[(i+j)%n].Add(p[(i+j)%n], x)
			}
		}
		return p
	}
	x := slicesOf(n)
	x[0].SetInt64(4)
	x[1%n].Sub(x[1%n], big.NewInt(1))
	x[n-1].Sub(x[n-1], big.NewInt(t)) // 1/w is t·w^(n-1), since w^n = t = ±1
	before, now := slicesOf(n), x     // y^k + y^-k
	before[0].SetInt64(2)
	for range m - 1 {
		next := times(x, now)
		for i := range next {
			next[i].Sub(next[i], before[i])
		}
		before, now = now, next
	}
	now[0].Sub(now[0], big.NewInt(2*s))
	return norm(now, t)
}

// norm is the determinant of the multiplication with a number modulo w^n - t, by Bareiss's rule.
func norm(a []*big.Int, t int64) *big.Int {
	n := len(a)
	m := make([][]*big.Int, n)
	for i := range m {
		m[i] = slicesOf(n)
		for j := range a {
			x := new(big.Int).Set(a[j])
			if i+j >= n {
				x.Mul(x, big.NewInt(t))
			}
			m[i][(i+j)%n] = x
		}
	}
	last, sign := big.NewInt(1), int64(1)
	for k := range n - 1 {
		pivot := k
		for pivot < n && m[pivot][k].Sign() == 0 {
			pivot++
		}
		if pivot == n {
			return new(big.Int)
		}
		if pivot != k {
			m[k], m[pivot], sign = m[pivot], m[k], -sign
		}
		for i := k + 1; i < n; i++ {
			for j := k + 1; j < n; j++ {
				x := new(big.Int).Mul(m[i][j], m[k][k])
				x.Sub(x, new(big.Int).Mul(m[i][k], m[k][j]))
				m[i][j] = x.Quo(x, last)
			}
		}
		last = m[k][k]
	}
	return new(big.Int).Mul(m[n-1][n-1], big.NewInt(sign))
}

// TestTori compares counts of tori with holes and weights with all their matchings.
func TestTori(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 17))
	tori := 0
	for range testkit.Size(300, 700) {
		holes := rng.IntN(5)
		keep := func() bool { return rng.IntN(14) >= holes }
		g := ring([]int{5, 6}[rng.IntN(2)], 6, keep)
		if rng.IntN(3) == 0 { // hexagons
			g = ringWith(4, 8, keep, func(r, c int) bool { return (r+c)%2 == 0 })
		}
		weights, of := make([]*big.Int, len(g.Edges)), make([]*big.Int, len(g.Edges))
		for e := range weights {
			weights[e], of[e] = randomWeight(rng), new(big.Int)
		}
		m, err := NewMatrix(t.Context(), g, weights)
		if errors.Is(err, ErrNotDimers) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		all := matchings(g)
		if m.torus && len(all) > 1 {
			tori++
		}
		total := new(big.Int)
		for _, edges := range all {
			weight := product(weighing(edges, weights))
			total.Add(total, weight)
			for _, e := range edges {
				of[e].Add(of[e], weight)
			}
		}
		if n, err := m.Count(t.Context(), Config{}); err != nil || n.Cmp(total) != 0 {
			t.Fatalf("%v, %v, want %v, weights %v of %+v", n, err, total, weights, g)
		}
		if n, err := m.Modulo(t.Context(), 101, Config{}); err != nil || n != new(big.Int).Mod(total, big.NewInt(101)).Uint64() {
			t.Fatalf("%v, %v, want %v modulo 101", n, err, total)
		}
		marginals, err := m.Marginals(t.Context(), Config{})
		if err != nil || marginals.Total.Cmp(total) != 0 {
			t.Fatalf("marginals of %v, %v, want %v", marginals, err, total)
		}
		for e, n := range marginals.Of {
			if n.Cmp(of[e]) != 0 {
				t.Fatalf("edge %d: %v, want %v, weights %v of %+v", e, n, of[e], weights, g)
			}
		}
	}
	if tori < 20 {
		t.Errorf("only %d tori have several matchings", tori)
	}
}
