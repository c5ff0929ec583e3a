package key

import "math/bits"

// Slide moves the bits under window down by n and leaves the others: n calls of [Shift].
func Slide[K Key](a, window K, n int) K {
	if len(a) == 1 {
		x := a[0] & window[0]
		a[0] ^= x ^ x>>n
		return a
	}
	if n < 64 { // mostly
		var carry uint64 // from the word above
		for i := len(a) - 1; i >= 0; i-- {
			x := a[i] & window[i]
			a[i] ^= x ^ (x>>n | carry)
			carry = x << 1 << (63 - n)
		}
		return a
	}
	var x K
	for i := 0; i < len(a); i++ {
		x[i] = a[i] & window[i]
	}
	return Union(Without(a, window), ShiftRight(x, n))
}

// SlideBack moves the bits under window up by n and sets those that come free: n calls of
// [Unshift] with 1.
func SlideBack[K Key](a, window K, n int) K {
	for ; n > 0; n-- {
		a = Unshift(a, window, 1)
	}
	return a
}

// TrailingOnes is the number of the lowest bit that is not set, or of all bits.
func TrailingOnes[K Key](a K) int {
	for i := 0; i < len(a); i++ {
		if a[i] != ^uint64(0) {
			return 64*i + bits.TrailingZeros64(^a[i])
		}
	}
	return 64 * len(a)
}
