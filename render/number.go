package render

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Numbers in pictures have few digits, rounded from exact numbers.

// percent returns "0" or "100" only for a share that is exactly 0 or 1.
func percent(v *big.Rat, decimals int) string { return rounded(v, 100, decimals) }

func rounded(v *big.Rat, times int64, decimals int) string {
	if v.Sign() == 0 {
		return "0"
	}
	all := new(big.Rat).SetInt64(times)
	text := new(big.Rat).Mul(v, all).FloatString(decimals)
	parts := int64(1)
	for range decimals {
		parts *= 10
	}
	least, most := new(big.Rat).SetFrac64(1, parts), new(big.Rat)
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

func signed(v *big.Rat, tens int) string {
	if v.Sign() == 0 {
		return "0"
	}
	decimals := 2
	if tens > 0 {
		decimals = 1
		v = new(big.Rat).Mul(v, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(tens)), nil)))
	}
	text := v.FloatString(decimals)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

func asItIs(v *big.Rat, decimals int) string {
	if v.IsInt() {
		return v.Num().String()
	}
	return v.FloatString(decimals)
}

func timesTens(tens int) string {
	if tens == 0 {
		return ""
	}
	return " (times " + powerOfTen(tens) + ")"
}

func powerOfTen(n int) string {
	if n < 4 {
		return "1" + strings.Repeat("0", n)
	}
	return fmt.Sprintf("10^%d", n)
}

const (
	longCount  = 60
	shortCount = 15
)

func counted(n *big.Int, digits int) string {
	if digitsOf(n) <= digits {
		return n.String()
	}
	return scientific(log10(n))
}

func numberOf(n, things string) string {
	if n == "1" {
		things = strings.TrimSuffix(things, "s")
	}
	return n + " " + things
}

func scientific(log float64) string {
	power := math.Floor(log)
	mantissa := strconv.FormatFloat(math.Pow(10, log-power), 'f', 2, 64)
	if mantissa == "10.00" {
		mantissa, power = "1.00", power+1
	}
	return fmt.Sprintf("%s·10^%.0f", mantissa, power)
}

func log10(v *big.Int) float64 {
	mantissa := new(big.Float)
	exponent := new(big.Float).SetPrec(64).SetInt(v).MantExp(mantissa)
	f, _ := mantissa.Float64()
	return math.Log10(f) + float64(float64(exponent)*math.Log10(2))
}

// digitsOf returns the number of digits of n, or one more. It does not convert a large n.
func digitsOf(n *big.Int) int {
	if n.BitLen() <= 192 {
		return len(new(big.Int).Abs(n).String())
	}
	return int(float64(n.BitLen())*math.Log10(2)) + 1
}

func total(v *big.Rat, digits int) string {
	if v.IsInt() {
		return counted(v.Num(), digits)
	}
	if f, _ := v.Float64(); f > 1e-5 && f < 1e12 {
		return strconv.FormatFloat(f, 'g', 6, 64)
	}
	return scientific(log10(v.Num()) - log10(v.Denom()))
}

func shortened(text string, most int) string {
	runes := []rune(text)
	if most = max(most, 1); len(runes) <= most {
		return text
	}
	return strings.TrimRight(string(runes[:most-1]), " ") + "…"
}
