package bdd

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/engine/limb"
)

// randomWeights are weights of all kinds: nil, 0, 1, of one limb and of several, powers of
// 2^64, and fewer than there are variables.
func randomWeights(rng *rand.Rand, vars int) []*big.Int {
	weights := make([]*big.Int, rng.IntN(vars+1))
	for v := range weights {
		w := new(big.Int)
		switch rng.IntN(7) {
		case 0:
			w = nil
		case 1:
		case 2:
			w.SetInt64(1)
		case 3:
			w.SetInt64(rng.Int64N(10))
		case 4:
			w.SetUint64(rng.Uint64())
		case 5:
			w.Lsh(big.NewInt(1+rng.Int64N(2)), 64*rng.UintN(3))
		case 6:
			w = limb.Int([]uint64{rng.Uint64(), rng.Uint64() >> rng.UintN(64), 1<<63 | rng.Uint64()})
		}
		weights[v] = w
	}
	return weights
}

// weightOf is the product of the weights of a set's variables.
func weightOf(set []int, weights []*big.Int) *big.Int {
	product := big.NewInt(1)
	for _, v := range set {
		if v < len(weights) && weights[v] != nil {
			product.Mul(product, weights[v])
		}
	}
	return product
}

// TestWeigh compares every node's number with the sum over the sets below it, and looks at
// how the limbs lie.
func TestWeigh(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 14))
		vars := 1 + rng.IntN(9)
		d := listed(t, vars, randomSets(rng, vars))
		weights := randomWeights(rng, vars)
		counts, err := d.Weigh(t.Context(), weights, 0)
		if err != nil {
			t.Fatal(err)
		}
		sums := evaluateAll(d, new(big.Int), big.NewInt(1), func(v int, lo, hi *big.Int) *big.Int {
			product := new(big.Int).Mul(weightOf([]int{v}, weights), hi)
			return product.Add(product, lo)
		})
		for n, want := range sums {
			if got := counts.At(uint32(n)); got.Cmp(want) != 0 {
				t.Fatalf("seed %d: node %d weighs %v, want %v; weights %v", seed, n, got, want, weights)
			}
		}
		total := new(big.Int)
		for set := range d.AllSets() {
			total.Add(total, weightOf(set, weights))
		}
		if got := counts.At(d.Root()); got.Cmp(total) != 0 {
			t.Fatalf("seed %d: the root weighs %v, want %v", seed, got, total)
		}
		checkWidths(t, d, counts)
	}
}

// checkWidths: the number of limbs of a variable's numbers is the number that the largest of them,
// or of the numbers below, needs.
func checkWidths(t *testing.T, d *Diagram, counts *Counts) {
	t.Helper()
	least, size := 1, 2
	for v := d.Vars() - 1; v >= 0; v-- {
		first, end := d.Nodes(v)
		for n := first; n < end; n++ {
			least = max(least, (counts.At(n).BitLen()+63)/64)
		}
		for n := first; n < end; n++ {
			if got := len(counts.Limbs(n)); got != least {
				t.Fatalf("node %d of variable %d has %d limbs, want %d", n, v, got, least)
			}
			size += least
		}
	}
	if counts.Width() != least || len(counts.limbs) != size {
		t.Fatalf("width %d and %d limbs in all, want %d and %d", counts.Width(), len(counts.limbs), least, size)
	}
}

func TestWeighMistakes(t *testing.T) {
	d := build(t, dominoes())
	for _, weights := range [][]*big.Int{{nil, big.NewInt(-1)}, slices.Repeat([]*big.Int{nil}, 8)} {
		if _, err := d.Weigh(t.Context(), weights, 0); !errors.Is(err, ErrInvalid) {
			t.Errorf("weights %v: error %v", weights, err)
		}
	}
	huge := []*big.Int{0: nil, 6: new(big.Int).Lsh(big.NewInt(1), 1<<16)}
	if _, err := d.Weigh(t.Context(), huge, 1<<12); !errors.Is(err, ErrLimit) {
		t.Errorf("error %v, want the limit's error", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.Weigh(ctx, nil, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's error", err)
	}
}

// TestWeighCarries: products that fit in a number of limbs, and sums of them that do not.
func TestWeighCarries(t *testing.T) {
	for _, bits := range []uint{63, 127, 128, 192} {
		weight := new(big.Int).Lsh(big.NewInt(1), bits)
		for _, less := range []int64{0, 1} {
			w := new(big.Int).Sub(weight, big.NewInt(less))
			d := listed(t, 5, [][]int{{0}, {1}, {2}, {3}, {4}})
			counts := must[*Counts](t)(d.Weigh(t.Context(), slices.Repeat([]*big.Int{w}, 5), 0))
			if got, want := counts.At(d.Root()), new(big.Int).Mul(w, big.NewInt(5)); got.Cmp(want) != 0 {
				t.Errorf("five sets of weight %v: %v, want %v", w, got, want)
			}
			checkWidths(t, d, counts)
		}
	}
}

// evaluateAll computes a value for every node, from the terminals up. The value of a node
// is f of its variable and the values of its children.
func evaluateAll[T any](d *Diagram, bottom, top T, f func(v int, lo, hi T) T) []T {
	value := make([]T, d.Size())
	value[Bottom], value[Top] = bottom, top
	for v := d.Vars() - 1; v >= 0; v-- {
		first, end := d.Nodes(v)
		for n := first; n < end; n++ {
			value[n] = f(v, value[d.lo[n]], value[d.hi[n]])
		}
	}
	return value
}
