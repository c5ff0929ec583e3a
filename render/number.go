package render

import (
	"fmt"
	"math"
	"math/big"
	"strings"
)

// How numbers are written in pictures: few digits where there is little room. What is rounded is
// rounded from exact numbers.

// percent writes a share in percent with so many decimals; what is not quite 0 or 1 is never written as
// such.
func percent(v *big.Rat, decimals int) string { return rounded(v, 100, decimals) }

// rounded writes v times a power of ten with so many decimals.
func rounded(v *big.Rat, times int64, decimals int) string {
	if v.Sign() == 0 {
		return "0"
	}
	all := new(big.Rat).SetInt64(times)
	text := new(big.Rat).Mul(v, all).FloatString(decimals)
	least, most := new(big.Rat).SetFrac64(1, pow10(decimals)), new(big.Rat)
	switch most.Sub(all, least); {
	case v.Sign() > 0 && strings.Trim(text, "0.") == "":
		return "<" + least.FloatString(decimals)
	case text == all.FloatString(decimals) && v.Cmp(big.NewRat(1, 1)) < 0:
		return ">" + most.FloatString(decimals)
	case v.Cmp(big.NewRat(1, 1)) == 0:
		return all.FloatString(0)
	}
	return text
}

// signed writes a number around 0 with two decimals.
func signed(v *big.Rat) string {
	if v.Sign() == 0 {
		return "0"
	}
	text := v.FloatString(2)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

func pow10(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}

// longCount is the most digits of a count that is written in full where there is room.
const longCount = 60

// counted writes a whole number: in full up to so many digits, else as 1.27·10^48.
func counted(n *big.Int, digits int) string {
	if digitsOf(n) <= digits {
		return n.String()
	}
	mantissa, exponent := scientific(n)
	return fmt.Sprintf("%s·10^%d", mantissa, exponent)
}

// scientific are the first three digits and the power of ten of a large number.
func scientific(n *big.Int) (mantissa string, exponent int) {
	f := new(big.Float).SetPrec(64).SetInt(n)
	mantissa, power, _ := strings.Cut(f.Text('e', 2), "e+")
	fmt.Sscan(power, &exponent) // a Float writes a number there
	return mantissa, exponent
}

// digitsOf is the number of digits of n, at most one too many: writing a number to count its digits takes long.
func digitsOf(n *big.Int) int {
	if n.BitLen() <= 192 {
		return len(new(big.Int).Abs(n).String())
	}
	return int(float64(n.BitLen())*math.Log10(2)) + 1
}

// total writes a count, or a weight that is no whole number.
func total(v *big.Rat, digits int) string {
	if v.IsInt() {
		return counted(v.Num(), digits)
	}
	return new(big.Float).SetPrec(64).SetRat(v).Text('g', 6)
}

// shortened is a text with at most so many characters.
func shortened(text string, most int) string {
	runes := []rune(text)
	if most = max(most, 1); len(runes) <= most {
		return text
	}
	return strings.TrimRight(string(runes[:most-1]), " ") + "…"
}
