package key

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// number returns a key as a big number.
func number[K Key](k K) *big.Int {
	n := new(big.Int)
	for i := len(k) - 1; i >= 0; i-- {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(k[i]))
	}
	return n
}

func key[K Key](n *big.Int) (k K) {
	word := new(big.Int).SetUint64(1<<64 - 1)
	rest := new(big.Int).Set(n)
	for i := range len(k) {
		k[i] = new(big.Int).And(rest, word).Uint64()
		rest.Rsh(rest, 64)
	}
	return k
}

// random returns a key of few or many bits. The highest bit is 0.
func random[K Key](r *rand.Rand) (k K) {
	for i := range len(k) {
		switch r.IntN(4) {
		case 0:
			k[i] = ^uint64(0)
		case 1:
		default:
			k[i] = r.Uint64()
		}
	}
	k[len(k)-1] &^= 1 << 63
	return k
}

// testArithmetic compares keys of one width with big numbers.
func testArithmetic[K Key](t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		a, b := random[K](r), random[K](r)
		if r.IntN(8) == 0 {
			b = a
		}
		x, y := number(a), number(b)
		bits := 64 * len(a)
		window := r.IntN(bits) + 1
		mask := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(window)), big.NewInt(1))
		and := func(p, q *big.Int) *big.Int { return new(big.Int).And(p, q) }
		shifted := new(big.Int).Or(new(big.Int).AndNot(x, mask), new(big.Int).Rsh(and(x, mask), 1))
		all := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(bits)), big.NewInt(1))

		for what, ok := range map[string]bool{
			"Less":       Less(a, b) == (x.Cmp(y) < 0),
			"Borrow":     (Borrow(a, b) == 1) == (x.Cmp(y) < 0),
			"Compare":    Compare(a, b) == x.Cmp(y),
			"Sum":        number(Sum(a, b)).Cmp(and(new(big.Int).Add(x, y), all)) == 0,
			"Difference": number(Difference(a, b)).Cmp(and(new(big.Int).Sub(x, y), all)) == 0,
			"Matches":    Matches(a, b, b) == (and(x, y).Cmp(y) == 0),
			"Disjoint":   Disjoint(a, b) == (and(x, y).Sign() == 0),
			"Union":      number(Union(a, b)).Cmp(new(big.Int).Or(x, y)) == 0,
			"Without":    number(Without(a, b)).Cmp(new(big.Int).AndNot(x, y)) == 0,
			"Shift":      number(Shift(a, key[K](mask))).Cmp(shifted) == 0,
		} {
			if !ok {
				t.Fatalf("%s of %x and %x, window %d", what, x, y, window)
			}
		}
		if low := Without(a, key[K](new(big.Int).Lsh(big.NewInt(1), uint(window-1)))); Shift(Unshift(low, key[K](mask), 1), key[K](mask)) != low {
			t.Fatalf("unshifting %x by a window of %d is not undone", number(low), window)
		}
	}
}

func TestArithmetic(t *testing.T) {
	t.Run("1", testArithmetic[[1]uint64])
	t.Run("2", testArithmetic[[2]uint64])
	t.Run("3", testArithmetic[[3]uint64])
	t.Run("4", testArithmetic[[4]uint64])
	t.Run("8", testArithmetic[[8]uint64])
}
