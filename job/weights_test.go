package job

import (
	"fmt"
	"math/big"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pavage/pavage/query"
	"github.com/pavage/pavage/render"
)

// macMahon returns the sum of q^(number of cubes) over all piles of cubes in a box: the product of
// (1-q^(i+j+k-1))/(1-q^(i+j+k-2)) over all cubes (P. A. MacMahon).
func macMahon(q *big.Rat, a, b, c int64) *big.Rat {
	one := big.NewRat(1, 1)
	less := func(n int64) *big.Rat { return new(big.Rat).Sub(one, power(q, n)) }
	z := big.NewRat(1, 1)
	for i := int64(1); i <= a; i++ {
		for j := int64(1); j <= b; j++ {
			for k := int64(1); k <= c; k++ {
				z.Mul(z, less(i+j+k-1))
				z.Quo(z, less(i+j+k-2))
			}
		}
	}
	return z
}

// power returns q^n.
func power(q *big.Rat, n int64) *big.Rat {
	if n < 0 {
		q, n = new(big.Rat).Inv(q), -n
	}
	e := big.NewInt(n)
	return new(big.Rat).SetFrac(new(big.Int).Exp(q.Num(), e, nil), new(big.Int).Exp(q.Denom(), e, nil))
}

// TestVolumes: the total weight of the lozenges in a hexagon is MacMahon's product times a power of
// q, the weight of the empty box, by each method.
func TestVolumes(t *testing.T) {
	for _, sides := range [][]int64{{2, 2, 2}, {1, 2, 3}, {3, 2, 1}, {3, 3, 2}} {
		for _, q := range []*big.Rat{big.NewRat(1, 2), big.NewRat(7, 3)} {
			for _, method := range []string{queryDiagram, querySweep, queryDimer} {
				r := Query{Method: method, Weights: []string{"volume=" + q.RatString()}, Puzzle: Puzzle{
					Lattice: "triangle", Board: fmt.Sprintf("hexagon:%d,%d,%d", sides[0], sides[1], sides[2]), Pieces: []string{"lozenge=any"},
				}}
				a, err := Do(t.Context(), &r, Limits{}, Watch{})
				if err != nil {
					t.Fatal(err)
				}
				got, _ := new(big.Rat).SetString(a.Weight)
				got.Quo(got, macMahon(q, sides[0], sides[1], sides[2]))
				empty := int64(0) // exponent of the weight of the empty box
				for power(q, empty).Cmp(got) != 0 && power(q, -empty).Cmp(got) != 0 && empty < 20 {
					empty++
				}
				if empty == 20 {
					t.Errorf("%v by %s: total weight %s, which is MacMahon's product times %s, want a power of %s", sides, method, a.Weight, got.RatString(), q.RatString())
				}
			}
		}
	}
}

// TestWeighedLaw: tilings that are drawn by shuffling, with a volume and with periodic weights, are
// as frequent as their weights among all tilings demand.
func TestWeighedLaw(t *testing.T) {
	hexagon := Puzzle{Lattice: "triangle", Board: "hexagon:2", Pieces: []string{"lozenge=any"}}
	square := Puzzle{Board: "4x4", Pieces: []string{"domino=any"}}
	for _, c := range []struct {
		puzzle  Puzzle
		weights []string
	}{
		{hexagon, []string{"volume=1/2"}},
		{hexagon, []string{"volume=3/2", "lozenge@@0mod2,*=2"}},
		{square, []string{"volume=0.7"}},
		{square, []string{"domino:1@@*,0mod2=1/2", "domino:2@@0mod2,*=1/2"}},
		{Puzzle{Board: "diamond:2", Pieces: []string{"domino=any"}}, []string{"domino:1@@0mod3,1mod3=3", "1mod2,1mod2=1/5"}},
	} {
		m, err := (&work{}).conditioned(t.Context(), &c.puzzle, &Conditions{})
		if err != nil {
			t.Fatal(err)
		}
		weights, err := query.Weights(m, c.weights)
		if err != nil {
			t.Fatal(err)
		}
		share, sum := map[string]float64{}, 0.0
		all := Watch{Tiling: func(one render.Tiling) error {
			product := big.NewRat(1, 1)
			for _, o := range one.Numbers {
				if weights[o] != nil {
					product.Mul(product, weights[o])
				}
			}
			w, _ := product.Float64()
			share[fmt.Sprint(one.Numbers)] = w
			sum += w
			return nil
		}}
		if _, err := Do(t.Context(), &List{Puzzle: c.puzzle}, Limits{}, all); err != nil {
			t.Fatal(err)
		}
		seed, n := Whole(3), 200*len(share)
		tally := map[string]float64{}
		drawn := Watch{Tiling: func(one render.Tiling) error { tally[fmt.Sprint(one.Numbers)]++; return nil }}
		r := Sample{Puzzle: c.puzzle, Number: Whole(n), Seed: &seed, Method: "shuffling", Weights: c.weights}
		if _, err := Do(t.Context(), &r, Limits{}, drawn); err != nil {
			t.Fatal(err)
		}
		chi, cells := 0.0, 0
		for name, w := range share {
			if e := float64(n) * w / sum; e > 5 {
				chi += (tally[name] - e) * (tally[name] - e) / e
				cells++
			}
			delete(tally, name)
		}
		if p := (distuv.ChiSquared{K: float64(cells - 1)}).Survival(chi); p < 1e-4 || len(tally) > 0 || cells < 5 {
			t.Errorf("%v, %v: chi-square of %d tilings has a tail of %g; %d drawn that are no tilings", c.puzzle.Board, c.weights, cells, p, len(tally))
		}
	}
}
