package recurrence

import (
	"math/big"
	"math/bits"
)

// Arithmetic modulo m < 2^63 on residues below m.
func addMod(a, b, m uint64) uint64 {
	if a += b; a >= m { // the sum is below 2^64
		a -= m
	}
	return a
}

func sub(a, b, m uint64) uint64 {
	if a < b {
		a += m
	}
	return a - b
}

func mul(a, b, m uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return bits.Rem64(hi, lo, m)
}

func power(base, exponent, m uint64) uint64 {
	result := 1 % m
	for ; exponent > 0; exponent >>= 1 {
		if exponent&1 != 0 {
			result = mul(result, base, m)
		}
		base = mul(base, base, m)
	}
	return result
}

func residue(x *big.Int, m uint64) uint64 {
	var r, modulus big.Int
	return r.Mod(x, modulus.SetUint64(m)).Uint64()
}

// primeBelow returns the largest prime below n, 3 < n ≤ 2^62. ProbablyPrime is exact below 2^64.
func primeBelow(n uint64) uint64 {
	for n--; ; n-- {
		if new(big.Int).SetUint64(n).ProbablyPrime(0) {
			return n
		}
	}
}
