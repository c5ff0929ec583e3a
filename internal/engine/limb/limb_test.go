package limb

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// numbers returns a random number of this number of limbs, which are often 0 or full.
func numbers(rng *rand.Rand, limbs int) []uint64 {
	x := make([]uint64, limbs)
	for i := range x {
		switch rng.IntN(4) {
		case 0:
			x[i] = 1<<64 - 1
		case 1:
			x[i] = rng.Uint64()
		case 2:
			x[i] = rng.Uint64N(3)
		}
	}
	return x
}

// TestAgainstBig compares all functions with math/big.
func TestAgainstBig(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		limbs := 1 + rng.IntN(4)
		a, b := numbers(rng, limbs), numbers(rng, 1+rng.IntN(limbs))
		x, y := Int(a), Int(b)
		if got := Of(x, limbs); !slices.Equal(got, a) {
			t.Fatalf("the limbs of %v are %v, want %v", x, got, a)
		}
		if got := Less(a, b); got != (x.Cmp(y) < 0) {
			t.Fatalf("%v below %v: %v", x, y, got)
		}
		if got := Less(b, a); got != (y.Cmp(x) < 0) {
			t.Fatalf("%v below %v: %v", y, x, got)
		}
		longer := append(slices.Clone(b), 0, 0, 0) // longer than a, with the value of b
		if got := Less(a, longer); got != (x.Cmp(y) < 0) {
			t.Fatalf("%v below %v of more limbs: %v", x, y, got)
		}
		if got := BitLength(a, limbs); got != x.BitLen() {
			t.Fatalf("%v has %d bits", x, got)
		}
		beside := append(slices.Concat(a, []uint64{1 << 63}, b), make([]uint64, limbs+1-len(b))...)
		if got := Longest(beside, limbs+1, limbs); got != max(x.BitLen(), y.BitLen()) {
			t.Fatalf("%v and %v have %d bits", x, y, got)
		}
		sum := slices.Clone(a)
		carry := Add(sum, b)
		if got := Int(append(sum, carry)); got.Cmp(new(big.Int).Add(x, y)) != 0 {
			t.Fatalf("%v + %v = %v", x, y, got)
		}
		rest := slices.Clone(a)
		want := x
		took := Take(rest, append(slices.Clone(b), make([]uint64, rng.IntN(4))...))
		if took {
			want = new(big.Int).Sub(x, y)
		}
		if took != (x.Cmp(y) >= 0) || Int(rest).Cmp(want) != 0 {
			t.Fatalf("%v - %v: %v, %v is left", x, y, took, Int(rest))
		}
	}
}

// TestProducts compares sums of products, by numbers and by powers of 2, and quotients with
// math/big. Bits that do not fit are never lost.
func TestProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	fit := 0
	for range 20_000 {
		total, v, w := numbers(rng, 1+rng.IntN(6)), numbers(rng, 1+rng.IntN(3)), numbers(rng, 1+rng.IntN(3))
		x := new(big.Int).Mul(Int(v), Int(w))
		x.Add(x, Int(total))
		got := slices.Clone(total)
		if lost := AddProduct(got, v, w); (lost == 0) != (x.BitLen() <= 64*len(total)) || lost == 0 && Int(got).Cmp(x) != 0 {
			t.Fatalf("%v + %v · %v = %v, %d lost", total, v, w, got, lost)
		} else if lost == 0 {
			fit++
		}
		shift := uint(rng.IntN(200))
		x = new(big.Int).Lsh(Int(v), shift)
		x.Add(x, Int(total))
		got = slices.Clone(total)
		if lost := AddShifted(got, v, shift); (lost == 0) != (x.BitLen() <= 64*len(total)) || lost == 0 && Int(got).Cmp(x) != 0 {
			t.Fatalf("%v + %v << %d = %v, %d lost", total, v, shift, got, lost)
		}
		for _, y := range []*big.Int{new(big.Int).SetUint64(rng.Uint64()>>rng.IntN(64) | 1), Int(w)} {
			if y.Sign() == 0 {
				continue
			}
			got = slices.Clone(total)
			if Divide(got, y); Int(got).Cmp(new(big.Int).Quo(Int(total), y)) != 0 {
				t.Fatalf("%v / %d = %v", total, y, got)
			}
		}
	}
	if fit < 5000 || fit > 19_000 {
		t.Errorf("%d of 20,000 sums fit", fit)
	}
}

func TestResidue(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		a, b := numbers(rng, rng.IntN(5)), numbers(rng, rng.IntN(5))
		modulus := rng.Uint64N(MaxModulus-1) + 2
		rest := func(x *big.Int) uint64 { return new(big.Int).Mod(x, new(big.Int).SetUint64(modulus)).Uint64() }
		x, y := Residue(a, modulus), Residue(b, modulus)
		if x != rest(Int(a)) || y != rest(Int(b)) {
			t.Fatalf("%v and %v modulo %d: %d and %d", a, b, modulus, x, y)
		}
		if got := SumModulo(x, y, modulus); got != rest(new(big.Int).Add(Int(a), Int(b))) {
			t.Fatalf("%d + %d modulo %d: %d", x, y, modulus, got)
		}
	}
}

func TestTotal(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for k := range 10 {
		limbs, beside := k/2, k%2 // words that are no part of the numbers
		want := new(big.Int)
		var all [][]uint64
		for range 3 {
			var some []uint64
			for range rng.IntN(9) * min(1, limbs) {
				x := numbers(rng, limbs)
				some = append(append(some, x...), numbers(rng, beside)...)
				want.Add(want, Int(x))
			}
			all = append(all, some)
		}
		if got := Total(all, max(1, limbs+beside), limbs); got.Cmp(want) != 0 {
			t.Errorf("%d limbs: %v, want %v", limbs, got, want)
		}
	}
	long := numbers(rng, 1<<19) // quadratic work would take minutes
	if got := Total([][]uint64{long, long}, len(long), len(long)); got.Cmp(new(big.Int).Lsh(Int(long), 1)) != 0 {
		t.Error("the double of a long number is another")
	}
}
