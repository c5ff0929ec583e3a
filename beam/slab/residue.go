package slab

import "math/bits"

// residue is what is left of a count modulo a prime: one division a limb. (With bits.Rem64 it was two, and
// a merge took 3 ns a state more.)
func residue(count []uint64, prime uint64) uint64 {
	last := len(count) - 1
	rest := count[last] % prime
	for i := last - 1; i >= 0; i-- {
		_, rest = bits.Div64(rest, count[i], prime)
	}
	return rest
}

// add is a + b modulo a prime below 2^63, of two residues.
func add(a, b, prime uint64) uint64 {
	if a += b; a >= prime {
		a -= prime
	}
	return a
}
