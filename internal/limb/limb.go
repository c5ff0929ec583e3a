package limb

import (
	"math/big"
	"math/bits"
)

// MaxModulus is the largest number by which counts can be reduced: the sum of
// two residues is a word.
const MaxModulus = 1 << 63

// Add adds v to total, which is as long or longer, and returns the carry.
func Add(total, v []uint64) (carry uint64) {
	for i, x := range v {
		total[i], carry = bits.Add64(total[i], x, carry)
	}
	for i := len(v); i < len(total); i++ {
		total[i], carry = bits.Add64(total[i], 0, carry)
	}
	return carry
}

// AddModulo adds v to total, each limb by its own modulus. All three have equal
// lengths.
func AddModulo(total, v, moduli []uint64) {
	for i, m := range moduli {
		x := total[i] + v[i]
		if x >= m {
			x -= m
		}
		total[i] = x
	}
}

// Take subtracts b from a if a is at least b, and reports whether it is. a has
// as many limbs as b or more.
func Take(a, b []uint64) bool {
	var borrowed uint64
	for i, x := range a {
		_, borrowed = bits.Sub64(x, at(b, i), borrowed)
	}
	if borrowed != 0 {
		return false
	}
	for i, x := range a {
		a[i], borrowed = bits.Sub64(x, at(b, i), borrowed)
	}
	return true
}

// at is limb i, which is 0 above the highest.
func at(b []uint64, i int) uint64 {
	if i < len(b) {
		return b[i]
	}
	return 0
}

// BitLength is the length in bits of the largest of many numbers, of so many
// limbs each.
func BitLength(numbers []uint64, limbs int) int {
	for limb := limbs - 1; limb >= 0; limb-- {
		var or uint64
		for i := limb; i < len(numbers); i += limbs {
			or |= numbers[i]
		}
		if or != 0 {
			return 64*limb + bits.Len64(or)
		}
	}
	return 0
}

// Total is the sum of many numbers of so many limbs each, in several slices: of
// each limb a sum of two words, which 2^64 numbers cannot pass.
func Total(numbers [][]uint64, limbs int) *big.Int {
	low, high := make([]uint64, limbs), make([]uint64, limbs)
	for _, some := range numbers {
		for i := 0; i < len(some); i += limbs {
			for limb, x := range some[i : i+limbs] {
				var carry uint64
				low[limb], carry = bits.Add64(low[limb], x, 0)
				high[limb] += carry
			}
		}
	}
	sum, word := new(big.Int), new(big.Int)
	for limb := limbs - 1; limb >= 0; limb-- {
		sum.Lsh(sum, 64)
		sum.Add(sum, word.Lsh(word.SetUint64(high[limb]), 64))
		sum.Add(sum, word.SetUint64(low[limb]))
	}
	return sum
}

// Int is a number of limbs.
func Int(limbs []uint64) *big.Int { return Total([][]uint64{limbs}, len(limbs)) }
