package logarithm

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestSum compares with logarithms of 40 digits, from elsewhere.
func TestSum(t *testing.T) {
	ln := func(factor, of string) Term {
		f, _ := new(big.Rat).SetString(factor)
		x, _ := new(big.Rat).SetString(of)
		return Term{f, x}
	}
	for _, c := range []struct {
		want  string
		terms []Term
	}{
		{"0.00000000000000000000", nil},
		{"0.00000000000000000000", []Term{ln("1/2", "1")}},
		{"0.00000000000000000000", []Term{ln("1", "8/27"), ln("-3", "2/3")}},
		{"0.69314718055994530942", []Term{ln("1", "2")}},    // 0.6931471805599453094172321214581765680755
		{"-0.69314718055994530942", []Term{ln("1", "1/2")}}, // the same below 0
		{"0.18310204811135161523", []Term{ln("1/6", "3")}},  // 1.0986122886681096913952452369225257 / 6
		{"2.30258509299404568402", []Term{ln("1", "10")}},   // 2.302585092994045684017991454684364207601
		{"2.30258509299404568402", []Term{ln("1", "5/3"), ln("-1", "1/6")}},
		{"0.25593123808525714166", []Term{ln("1/64", "12988816")}}, // 0.2559312380852571416633896249943292950656
		{"0.26278486609068667621", []Term{ln("1/100", "258584046368")}},
		{"0.63651416829481281845", []Term{ln("1", "3"), ln("-2/3", "2")}}, // 0.6365141682948128184504238226170746592638
	} {
		if got := Sum(c.terms...); got != c.want {
			t.Errorf("%v: %s, want %s", c.terms, got, c.want)
		}
	}
}

// TestLogarithmBounds: the bounds of more bits lie between the bounds of fewer bits, and ln ab = ln
// a + ln b.
func TestLogarithmBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 17))
	for range 300 {
		a, b := randomInt(rng), randomInt(rng)
		const few, many = 64, 160
		low, high := logarithm(a, few)
		fine, finer := logarithm(a, many)
		if low.Lsh(low, many-few).Cmp(fine) > 0 || high.Lsh(high, many-few).Cmp(finer) < 0 || fine.Cmp(finer) > 0 {
			t.Fatalf("ln %v: %v to %v, and %v to %v", a, low, high, fine, finer)
		}
		other, others := logarithm(b, many)
		least, most := logarithm(new(big.Int).Mul(a, b), many)
		if fine.Add(fine, other).Cmp(most) > 0 || finer.Add(finer, others).Cmp(least) < 0 {
			t.Fatalf("ln %v + ln %v: %v to %v, and of the product %v to %v", a, b, fine, finer, least, most)
		}
	}
}

// randomInt has up to 600 bits, and is at least 1.
func randomInt(rng *rand.Rand) *big.Int {
	n := big.NewInt(1 + rng.Int64N(1000))
	for range rng.IntN(10) {
		n.Add(n.Lsh(n, 60), big.NewInt(rng.Int64N(1<<60)))
	}
	return n
}
