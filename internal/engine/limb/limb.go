package limb

import (
	"math/big"
	"math/bits"
)

// MaxModulus is the largest modulus of counts, so that the sum of two residues fits in a word.
const MaxModulus = 1 << 63

// Add adds v to total, and returns the carry. The length of total is at least the length of v.
func Add(total, v []uint64) (carry uint64) {
	for i, x := range v {
		total[i], carry = bits.Add64(total[i], x, carry)
	}
	for i := len(v); i < len(total); i++ {
		total[i], carry = bits.Add64(total[i], 0, carry)
	}
	return carry
}

// Trim returns v without the highest limbs that are 0.
func Trim(v []uint64) []uint64 {
	for len(v) > 0 && v[len(v)-1] == 0 {
		v = v[:len(v)-1]
	}
	return v
}

// AddShifted adds v times 2^shift to total, and returns 0 if the sum fits.
func AddShifted(total, v []uint64, shift uint) (lost uint64) {
	words, shift := int(shift/64), shift%64
	if v = Trim(v); len(v) == 0 {
		return 0
	}
	if words+len(v) > len(total) {
		return 1
	}
	total = total[words:]
	if shift == 0 {
		return Add(total, v)
	}
	var low, carry uint64
	for i, x := range v {
		total[i], carry = bits.Add64(total[i], x<<shift|low, carry)
		low = x >> (64 - shift)
	}
	rest := total[len(v):]
	if len(rest) == 0 {
		return low + carry
	}
	rest[0], carry = bits.Add64(rest[0], low, carry)
	for i := 1; carry != 0 && i < len(rest); i++ {
		rest[i], carry = bits.Add64(rest[i], 0, carry)
	}
	return carry
}

// AddProduct adds v times w to total, and returns 0 if the sum fits.
func AddProduct(total, v, w []uint64) (lost uint64) {
	v, w = Trim(v), Trim(w)
	for j, y := range w {
		if y == 0 || len(v) == 0 {
			continue
		}
		if j+len(v) > len(total) {
			return 1
		}
		lost |= addTimes(total[j:], v, y)
	}
	return lost
}

func addTimes(total, v []uint64, y uint64) (carry uint64) {
	for i, x := range v {
		high, low := bits.Mul64(x, y)
		var c uint64
		low, c = bits.Add64(low, carry, 0)
		high += c
		total[i], c = bits.Add64(total[i], low, 0)
		carry = high + c
	}
	for i := len(v); carry != 0 && i < len(total); i++ {
		total[i], carry = bits.Add64(total[i], carry, 0)
	}
	return carry
}

// Divide divides a by y > 0 and drops the remainder. It allocates memory if y has several limbs.
func Divide(a []uint64, y *big.Int) {
	if !y.IsUint64() {
		q := Int(a)
		copy(a, Of(q.Quo(q, y), len(a)))
		return
	}
	if word := y.Uint64(); word != 1 {
		rest := uint64(0)
		for i := len(a) - 1; i >= 0; i-- {
			a[i], rest = bits.Div64(rest, a[i], word)
		}
	}
}

// AddModulo adds v to total, limb by limb, each modulo the element of moduli at its index.
func AddModulo(total, v, moduli []uint64) {
	for i, m := range moduli {
		total[i] = SumModulo(total[i], v[i], m)
	}
}

// SumModulo returns the residue of a sum of residues.
func SumModulo(a, b, modulus uint64) uint64 {
	x := a + b
	if x >= modulus {
		x -= modulus
	}
	return x
}

// Residue returns the remainder of a number divided by a modulus.
func Residue(number []uint64, modulus uint64) (rest uint64) {
	for i := len(number) - 1; i >= 0; i-- {
		if x := number[i]; rest == 0 && x < modulus {
			rest = x // most counts are below the modulus, and this costs a tenth of a division
		} else {
			_, rest = bits.Div64(rest, x, modulus)
		}
	}
	return rest
}

// Less reports whether a is below b. Either may have more limbs.
func Less(a, b []uint64) bool {
	for ; len(b) > len(a); b = b[:len(b)-1] {
		if b[len(b)-1] != 0 {
			return true
		}
	}
	for ; len(a) > len(b); a = a[:len(a)-1] {
		if a[len(a)-1] != 0 {
			return false
		}
	}
	for i := len(a) - 1; i >= 0; i-- {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// Take subtracts b from a and returns true, or returns false if a < b. Either may have more limbs.
func Take(a, b []uint64) bool {
	if Less(a, b) {
		return false
	}
	var borrowed uint64
	for i, y := range b[:min(len(a), len(b))] {
		a[i], borrowed = bits.Sub64(a[i], y, borrowed)
	}
	for i := len(b); borrowed != 0; i++ {
		a[i], borrowed = bits.Sub64(a[i], 0, borrowed)
	}
	return true
}

// BitLength returns the length in bits of the largest of several numbers with equally many limbs.
func BitLength(numbers []uint64, limbs int) int { return Longest(numbers, limbs, limbs) }

// Longest is like BitLength, but number k begins at numbers[k*words], where words ≥ limbs.
func Longest(numbers []uint64, words, limbs int) int {
	for limb := limbs - 1; limb >= 0; limb-- {
		var or uint64
		for i := limb; i < len(numbers); i += words {
			or |= numbers[i]
		}
		if or != 0 {
			return 64*limb + bits.Len64(or)
		}
	}
	return 0
}

// Total returns the sum of numbers that are stored as for [Longest]. It sums each limb in two
// words, which the sum of 2^64 limbs cannot overflow.
func Total(numbers [][]uint64, words, limbs int) *big.Int {
	low, high := make([]uint64, limbs), make([]uint64, limbs)
	for _, some := range numbers {
		for i := 0; i < len(some); i += words {
			for limb, x := range some[i : i+limbs] {
				var carry uint64
				low[limb], carry = bits.Add64(low[limb], x, 0)
				high[limb] += carry
			}
		}
	}
	sum := Int(high)
	return sum.Add(sum.Lsh(sum, 64), Int(low))
}

// words is the number of values of type big.Word in a limb: 1, or 2 on machines of 32 bits.
const words = 64 / bits.UintSize

// Int returns the number with these limbs.
func Int(limbs []uint64) *big.Int {
	all := make([]big.Word, len(limbs)*words)
	for i := range all {
		all[i] = big.Word(limbs[i/words] >> (i % words * bits.UintSize))
	}
	return new(big.Int).SetBits(all)
}

// Of returns x ≥ 0 in the given number of limbs, which must be enough. Int is its inverse.
func Of(x *big.Int, limbs int) []uint64 {
	all := make([]uint64, limbs)
	Set(all, x)
	return all
}

// Set stores the limbs of x, which must fit into the slice.
func Set(all []uint64, x *big.Int) {
	clear(all)
	for i, word := range x.Bits() {
		all[i/words] |= uint64(word) << (i % words * bits.UintSize)
	}
}
