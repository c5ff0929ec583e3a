package key

import "math/bits"

// Shift moves the window bits of a down by one. The window is a mask of low bits. If a ≤ b, the
// result for a is at most the result for b.
func Shift[K Key](a, window K) K {
	if len(a) == 1 {
		x := a[0] & window[0]
		a[0] ^= x ^ x>>1
		return a
	}
	var carry uint64 // bit 63 is the lowest bit of the word above
	for i := len(a) - 1; i >= 0; i-- {
		x := a[i] & window[i]
		a[i] ^= x ^ (x>>1 | carry)
		carry = x << 63
	}
	return a
}

// Unshift moves the window bits of a up by one and sets bit 0 to bit0.
func Unshift[K Key](a, window K, bit0 uint64) K {
	for i := len(a) - 1; i >= 0; i-- {
		up := a[i] & window[i] << 1
		if i > 0 {
			up |= a[i-1] & window[i-1] >> 63
		} else {
			up |= bit0
		}
		a[i] = a[i]&^window[i] | up&window[i]
	}
	return a
}

// TrailingOnes returns the number of consecutive set bits from bit 0 on.
func TrailingOnes[K Key](a K) int {
	for i := 0; i < len(a); i++ {
		if a[i] != ^uint64(0) {
			return 64*i + bits.TrailingZeros64(^a[i])
		}
	}
	return 64 * len(a)
}

// EachBit calls a function with the index of each set bit, ascending.
func EachBit[K Key](k K, do func(bit int)) {
	for i := 0; i < len(k); i++ {
		for w := k[i]; w != 0; w &= w - 1 {
			do(64*i + bits.TrailingZeros64(w))
		}
	}
}
