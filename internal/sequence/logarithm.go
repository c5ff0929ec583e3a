package sequence

import "math/big"

// perCellDigits are the digits behind the point of logarithms.
const perCellDigits = 20

// perCell is the natural logarithm of a count, divided by a number of cells and rounded to perCellDigits
// digits behind the point, all of them right; "-" if there is none.
//
// It lies between two numbers that are found with whole numbers alone. If both are rounded to the same
// digits, these are right; else the two are found again, closer together. Logarithms of whole numbers
// above 1 are irrational, so this comes to an end.
func perCell(count *big.Int, cells int) string {
	if count.Sign() == 0 || cells == 0 {
		return "-"
	}
	digits := new(big.Int).Exp(big.NewInt(10), big.NewInt(perCellDigits), nil)
	for bits := uint(128); ; bits *= 2 {
		low, high := logarithm(count, bits)
		unit := new(big.Int).Lsh(big.NewInt(int64(cells)), bits)
		a, b := nearest(low.Mul(low, digits), unit), nearest(high.Mul(high, digits), unit)
		if a.Cmp(b) == 0 {
			return new(big.Rat).SetFrac(a, digits).FloatString(perCellDigits)
		}
	}
}

// nearest is the whole number that is nearest to a quotient.
func nearest(a, b *big.Int) *big.Int {
	a = new(big.Int).Lsh(a, 1)
	return a.Div(a.Add(a, b), new(big.Int).Lsh(b, 1))
}

// logarithm is the natural logarithm of n ≥ 1, between two multiples of 2^-bits. With n = x·2^k, 1/2 ≤ x < 1,
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

// artanh is y + y³/3 + y⁵/5 + … of y = a/b, 0 < y ≤ 1/3, in multiples of 2^-bits, by less than the error too small.
//
// All is rounded down. y is too small by less than 1, y² by less than 2, and each power by less than 2/9 + 2/3 + 1,
// which is less than 2: so each term by less than 3, and what is left out at the end is less than 3.
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
