package shuffle

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/pavage/pavage/internal/engine/dimer"
	"github.com/pavage/pavage/internal/test/testkit"
)

// graph returns the graph of the board, with edges in the order of their numbers.
func (b *Board) graph() (g *dimer.Bipartite, numbers []int32) {
	g = &dimer.Bipartite{}
	vertex := make([]int32, len(b.In))
	for at, in := range b.In {
		if white := (at/b.Cols + at%b.Cols) % 2; in {
			vertex[at] = int32(len(g.Item[white]))
			g.Item[white] = append(g.Item[white], at)
		}
	}
	g.Black, g.White = len(g.Item[0]), len(g.Item[1])
	for _, at := range g.Item[0] {
		r, c := at/b.Cols, at%b.Cols
		for _, e := range [4]struct {
			ok     bool
			number []int32
			at, to int
		}{
			{r > 0, b.Down, at - b.Cols, at - b.Cols},
			{c > 0, b.Right, at - 1, at - 1},
			{c+1 < b.Cols, b.Right, at, at + 1},
			{r+1 < b.Rows, b.Down, at, at + b.Cols},
		} {
			if e.ok && e.number[e.at] != None {
				number := e.number[e.at]
				g.Edges = append(g.Edges, dimer.Link{Black: vertex[at], White: vertex[e.to], Options: []int{int(number)}})
				numbers = append(numbers, number)
			}
		}
	}
	return g, numbers
}

// TestFrequencies compares the frequencies of edges with their probabilities by the inverse Kasteleyn
// matrix.
func TestFrequencies(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 30))
	ell := newBoard(22, 20) // of 380 cells
	for at := range ell.In {
		ell.In[at] = at/20 >= 6 || at%20 < 10
	}
	ell.join(func(_, _ int, _ bool) bool { return true })
	for name, b := range map[string]*Board{"16x16": rectangle(16, 16), "L": ell, "hexagon 8,8,8": hexagon(8, 8, 8), "Aztec 30": aztec(30)} {
		for _, digits := range []int{0, 1} {
			b := *b
			if digits > 0 {
				for range b.ends() {
					b.Weights = append(b.Weights, anyWeight(rng, digits))
				}
			}
			g, numbers := b.graph()
			var weights []*big.Int
			for _, number := range numbers {
				if b.Weights != nil {
					weights = append(weights, b.Weights[number])
				}
			}
			matrix, err := dimer.NewMatrix(t.Context(), g.Graph(), weights)
			if err != nil {
				t.Fatal(err)
			}
			marginals, err := matrix.Marginals(t.Context(), dimer.Config{})
			if err != nil {
				t.Fatal(err)
			}
			s, err := New(t.Context(), &b, Config{Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			draws := testkit.Size(5000, 30_000)
			seen := make([]int, len(numbers))
			first := rng.Uint64N(1 << 40)
			for done := 0; done < draws; {
				keys := make([][32]byte, 1000)
				for i := range keys {
					keys[i] = key(first + uint64(done))
					done++
				}
				drawn, err := s.Draw(t.Context(), keys, nil)
				if err != nil {
					t.Fatal(err)
				}
				for _, edges := range drawn {
					for _, e := range edges {
						seen[e]++
					}
				}
			}
			worst := 0.0
			for e, number := range numbers {
				p, _ := new(big.Rat).SetFrac(marginals.Of[e], marginals.Total).Float64()
				sigma := math.Sqrt(float64(draws) * p * (1 - p))
				off := math.Abs(float64(seen[number]) - float64(draws)*p)
				if p*(1-p)*float64(draws) < 20 { // too rare for a test by standard deviations
					if off > 40 {
						t.Errorf("%s: edge %d is in %d of %d matchings instead of %.1f", name, number, seen[number], draws, float64(draws)*p)
					}
					continue
				}
				if worst = max(worst, off/sigma); off > 5*sigma {
					t.Errorf("%s: edge %d is in %d of %d matchings instead of %.1f", name, number, seen[number], draws, float64(draws)*p)
				}
			}
			t.Logf("%s, weighted %v: order %d, %d edges, at most %.2f sigma", name, digits > 0, s.place.n, len(numbers), worst)
		}
	}
}
