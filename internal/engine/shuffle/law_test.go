package shuffle

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
	"gonum.org/v1/gonum/stat/distuv"
)

// tail makes draws, and returns the tail probability of their chi-square and its degrees of
// freedom.
func tail(t *testing.T, s *Sampler, b *Board, draws int, seed uint64) (p float64, freedom int) {
	t.Helper()
	all := b.matchings()
	total := new(big.Rat)
	for _, w := range all {
		total.Add(total, w)
	}
	seen := map[string]int{}
	for done := 0; done < draws; done += 1000 {
		keys := make([][32]byte, min(1000, draws-done))
		for i := range keys {
			keys[i] = key(seed<<32 + uint64(done+i))
		}
		drawn, err := s.Draw(t.Context(), keys, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, edges := range drawn {
			m := name(edges)
			if all[m] == nil {
				t.Fatalf("drew %s, which is no perfect matching", m)
			}
			seen[m]++
		}
	}
	chi, freedom, rare, rareSeen := 0.0, -1, 0.0, 0
	for m, w := range all {
		share, _ := new(big.Rat).Quo(w, total).Float64()
		expected := share * float64(draws)
		if expected < 5 {
			rare, rareSeen = rare+expected, rareSeen+seen[m]
			continue
		}
		chi += (float64(seen[m]) - expected) * (float64(seen[m]) - expected) / expected
		freedom++
	}
	if rare >= 1 {
		chi += (float64(rareSeen) - rare) * (float64(rareSeen) - rare) / rare
		freedom++
	}
	if freedom < 1 {
		return 1, 0
	}
	return distuv.ChiSquared{K: float64(freedom)}.Survival(chi), freedom
}

// TestLaw compares draws with all matchings of small boards, uniform and with weights.
func TestLaw(t *testing.T) {
	rng := rand.New(rand.NewPCG(30, 1))
	draws := testkit.Size(10_000, 50_000)
	least, median := 1.0, []float64{}
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for n := range small {
			if !yield(n) {
				return
			}
		}
	}) {
		for _, weighted := range []bool{false, true} {
			b := *small[name]
			if weighted {
				for range b.ends() {
					b.Weights = append(b.Weights, big.NewInt(1+rng.Int64N(6)))
				}
			}
			s, err := New(t.Context(), &b, Config{})
			if err == ErrNoMatching && len(b.matchings()) == 0 {
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			p, freedom := tail(t, s, &b, draws, rng.Uint64N(1<<30))
			t.Logf("%-15s order %2d, stretched %v: %4d degrees of freedom, tail %.4f", name, s.place.n, s.board.Rows != b.Rows || s.board.Cols != b.Cols, freedom, p)
			if p < 1e-5 {
				t.Errorf("%s, weighted %v: chi-square with a tail of %g", name, weighted, p)
			}
			if freedom > 0 {
				least, median = min(least, p), append(median, p)
			}
		}
	}
	slices.Sort(median)
	t.Logf("least tail %.5f, median %.2f", least, median[len(median)/2])
}

func BenchmarkDraw(b *testing.B) {
	for name, board := range map[string]*Board{"square 200": rectangle(200, 200), "hexagon 50": hexagon(50, 50, 50), "Aztec 500": aztec(500)} {
		for _, batch := range []int{1, 10} {
			b.Run(fmt.Sprint(name, ", draws ", batch), func(b *testing.B) {
				s, err := New(b.Context(), board, Config{})
				if err != nil {
					b.Fatal(err)
				}
				for i := range b.N {
					keys := make([][32]byte, batch)
					for k := range keys {
						keys[k] = key(uint64(i*batch + k))
					}
					if _, err := s.Draw(b.Context(), keys, nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkNew(b *testing.B) {
	for name, board := range map[string]*Board{"square 200": rectangle(200, 200), "hexagon 50": hexagon(50, 50, 50)} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				if _, err := New(b.Context(), board, Config{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
