package permute

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
)

const prime = 1<<63 - 25

type state[K key.Key] struct {
	key   K
	count []uint64
}

// randomStates returns states whose keys differ only in some bits. All words of a count are random.
func randomStates[K key.Key](rng *rand.Rand, n, words int) (keys []K, counts []uint64) {
	base, differ := random[K](rng), random[K](rng)
	for range rng.IntN(4) {
		mask := random[K](rng)
		for w := 0; w < len(mask); w++ {
			differ[w] &= mask[w]
		}
	}
	for range n {
		k := random[K](rng)
		for w := 0; w < len(k); w++ {
			k[w] = base[w] ^ k[w]&differ[w]
		}
		keys = append(keys, k)
		for range words {
			counts = append(counts, rng.Uint64())
		}
	}
	return keys, counts
}

// states returns keys and counts, sorted by key and, for equal keys, by count.
func states[K key.Key](keys []K, counts []uint64, words int) []state[K] {
	all := make([]state[K], len(keys))
	for i, k := range keys {
		all[i] = state[K]{k, counts[i*words : (i+1)*words]}
	}
	slices.SortFunc(all, func(a, b state[K]) int {
		if c := key.Compare(a.key, b.key); c != 0 {
			return c
		}
		return slices.Compare(a.count, b.count)
	})
	return all
}

func same[K key.Key](a, b state[K]) bool { return a.key == b.key && slices.Equal(a.count, b.count) }

// testSort compares with slices.SortFunc.
func testSort[K key.Key](t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, 2, few, few + 1, 300, inCache, inCache + 1, 20_000} {
		for words := range 4 {
			keys, counts := randomStates[K](rng, n, words)
			want := states(keys, slices.Clone(counts), words)
			Sort(keys, counts, words)
			if !slices.IsSortedFunc(keys, key.Compare) {
				t.Fatalf("%d states of %d words: not sorted", n, words)
			}
			if got := states(keys, counts, words); !slices.EqualFunc(got, want, same) {
				t.Fatalf("%d states of %d words: sorted, they are others", n, words)
			}
		}
	}
}

func TestSort(t *testing.T) {
	t.Run("1", testSort[one])
	t.Run("2", testSort[[2]uint64])
	t.Run("3", testSort[[3]uint64])
	t.Run("4", testSort[[4]uint64])
	t.Run("8", testSort[[key.MaxWords]uint64])
}

// TestAdd compares sums and residues with big numbers.
func TestAdd(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		limbs, inputs := 1+rng.IntN(3), 1+rng.IntN(9)
		wide := Limbs(64*limbs, inputs)
		var keys []one
		var counts []uint64
		sums := map[one]*big.Int{}
		for range inputs { // each input has a key once
			for k := range uint64(20) {
				if rng.IntN(3) == 0 {
					continue
				}
				count := make([]uint64, wide)
				for i := range limbs {
					count[i] = ^uint64(0) - rng.Uint64N(3)
				}
				keys, counts = append(keys, one{k}), append(counts, append(count, limb.Residue(count, prime))...)
				if sums[one{k}] == nil {
					sums[one{k}] = new(big.Int)
				}
				sums[one{k}].Add(sums[one{k}], limb.Int(count))
			}
		}
		Sort(keys, counts, wide+1)
		n, err := Add(keys, counts, wide+1, prime)
		if err != nil || n != len(sums) {
			t.Fatalf("%d states, %v, want %d", n, err, len(sums))
		}
		for i, k := range keys[:n] {
			count := counts[i*(wide+1):][:wide+1]
			if want := sums[k]; limb.Int(count[:wide]).Cmp(want) != 0 || count[wide] != limb.Residue(count[:wide], prime) {
				t.Fatalf("state %v: %x, want %x", k, count, want)
			}
		}
	}
}

// TestNarrow: a sum that does not fit is an error.
func TestNarrow(t *testing.T) {
	_, err := Add([]one{{7}, {7}}, []uint64{1 << 63, 0, 1 << 63, 0}, 2, prime)
	if !errors.Is(err, ErrNarrow) {
		t.Errorf("error %v, want %v", err, ErrNarrow)
	}
	if n, err := Add([]one{}, nil, 2, prime); n != 0 || err != nil {
		t.Errorf("no states: %d, %v", n, err)
	}
}

func TestLimbs(t *testing.T) {
	for _, c := range []struct{ widest, inputs, want int }{
		{0, 0, 1}, {1, 1, 1}, {64, 1, 1}, {64, 2, 2}, {63, 2, 1}, {63, 3, 2}, {128, 1, 2}, {120, 256, 2}, {120, 257, 3},
	} {
		if got := Limbs(c.widest, c.inputs); got != c.want {
			t.Errorf("%d inputs of %d bits: %d limbs, want %d", c.inputs, c.widest, got, c.want)
		}
	}
}

// BenchmarkSort puts a million states in order and adds equal ones.
func BenchmarkSort(b *testing.B) {
	const n = 1_000_000
	rng := rand.New(rand.NewPCG(1, 2))
	p := Of[one](compiled(b, "10x10", "tetrominoes=any"), 50, 55)
	was, counts := make([]one, n), make([]uint64, 2*n)
	for i := range was {
		was[i] = one{rng.Uint64() >> 33}
	}
	keys := make([]one, n)
	for b.Loop() {
		for i, k := range was {
			keys[i] = p.Undo(k)
		}
		Sort(keys, counts, 2)
		if _, err := Add(keys, counts, 2, prime); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/state")
}
