// Package logarithm computes natural logarithms in integer arithmetic, to a fixed number of correct
// digits.
package logarithm

import "math/big"

// Digits is the number of digits after the decimal point in the result of [Sum].
const Digits = 20

// Term is Factor times the natural logarithm of the number Of, which is above 0.
type Term struct{ Factor, Of *big.Rat }

// Sum returns the sum of the terms, with Digits correct digits after the decimal point. It computes
// ever closer bounds until both bounds round to the same digits. The computation ends, because the
// sum is 0 or transcendental (Baker 1966).
func Sum(terms ...Term) string {
	digits := new(big.Int).Exp(big.NewInt(10), big.NewInt(Digits), nil)
	for bits := uint(128); ; bits *= 2 {
		low, high := new(big.Int), new(big.Int)
		for _, t := range terms {
			add(low, high, t.Factor, t.Of.Num(), bits)
			add(low, high, new(big.Rat).Neg(t.Factor), t.Of.Denom(), bits)
		}
		unit := new(big.Int).Lsh(big.NewInt(1), bits)
		a, b := nearest(low.Mul(low, digits), unit), nearest(high.Mul(high, digits), unit)
		if a.Cmp(b) == 0 {
			return new(big.Rat).SetFrac(a, digits).FloatString(Digits)
		}
	}
}

func add(low, high *big.Int, factor *big.Rat, n *big.Int, bits uint) {
	from, to := logarithm(n, bits)
	if factor.Sign() < 0 {
		from, to = to, from
	}
	low.Add(low, from.Div(from.Mul(from, factor.Num()), factor.Denom()))
	to.Div(to.Mul(to, factor.Num()), factor.Denom())
	high.Add(high, to.Add(to, big.NewInt(1)))
}

func nearest(a, b *big.Int) *big.Int {
	a = new(big.Int).Lsh(a, 1)
	return a.Div(a.Add(a, b), new(big.Int).Lsh(b, 1))
}

// logarithm returns bounds of the natural logarithm of n ≥ 1, in multiples of 2^-bits. It computes,
// for n = x·2^k and 1/2 ≤ x < 1,
//
//	ln n = k·ln 2 + ln x,   ln 2 = 2·artanh 1/3,   ln x = -2·artanh (1-x)/(1+x)
func logarithm(n *big.Int, bits uint) (low, high *big.Int) {
	k := n.BitLen()
	if n.Cmp(big.NewInt(1)) == 0 {
		return new(big.Int), new(big.Int)
	}
	power := new(big.Int).Lsh(big.NewInt(1), uint(k))
	two, twoError := artanh(big.NewInt(1), big.NewInt(3), bits)
	x, xError := artanh(new(big.Int).Sub(power, n), power.Add(power, n), bits)
	low = new(big.Int).Mul(two, big.NewInt(int64(2*k)))
	low.Sub(low, x.Lsh(x, 1))
	high = new(big.Int).Add(low, big.NewInt(int64(2*k)*twoError))
	return low.Sub(low, big.NewInt(2*xError)), high
}

// artanh returns y + y³/3 + y⁵/5 + … for y = a/b, 0 < y ≤ 1/3, in multiples of 2^-bits. The exact
// value is between sum and sum + below.
//
// Every operation rounds down. In units of 2^-bits, y is too small by less than 1, y² by less than
// 2, and each power by less than 2: 2/9 from the power before, 2/3 from y², and 1 from rounding. So
// each term is too small by less than 3. The omitted terms together are less than 3.
func artanh(a, b *big.Int, bits uint) (sum *big.Int, below int64) {
	power := new(big.Int).Lsh(a, bits)
	power.Quo(power, b)
	square := new(big.Int).Mul(power, power)
	square.Rsh(square, bits)
	sum, below = new(big.Int), 3
	var term, odd big.Int
	for k := int64(1); power.Sign() > 0; k += 2 {
		sum.Add(sum, term.Quo(power, odd.SetInt64(k)))
		power.Rsh(power.Mul(power, square), bits)
		below += 3
	}
	return sum, below
}
