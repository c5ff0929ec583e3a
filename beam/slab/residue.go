package slab

import "math/bits"

// residue is what is left of a count modulo a prime.
func residue(count []uint64, prime uint64) (rest uint64) {
	for i := len(count) - 1; i >= 0; i-- {
		rest = bits.Rem64(rest, count[i], prime)
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
