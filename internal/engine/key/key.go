package key

import "math/bits"

// MaxWords is the number of words of the widest key. MaxBits is the number of its bits, without the
// highest bit, which is always 0.
const (
	MaxWords = 8
	MaxBits  = 64*MaxWords - 1
)

// Key is a state. For each type the compiler makes a copy of the sweep, which adds 0.5 MB to a
// program of 51 MB. So keys of five to eight words share a type. Unused words cost little: squares
// on 15x15 need 0.73 s in keys of four words, and 0.97 s in keys of eight words.
type Key interface {
	[1]uint64 | [2]uint64 | [3]uint64 | [4]uint64 | [MaxWords]uint64
}

// Widths returns the numbers of words that keys can have, ascending.
func Widths() []int { return []int{1, 2, 3, 4, MaxWords} }

// Fit returns the smallest of [Widths] for a number of words, which is at most MaxWords.
func Fit(words int) int {
	for _, w := range Widths() {
		if w >= words {
			return w
		}
	}
	panic("key: more words than a key has") // a bug: layouts are checked
}

// Wide is a key of the largest size. All automata are compiled with keys of this size.
type Wide [MaxWords]uint64

// Set sets a bit.
func (w *Wide) Set(bit int) { w[bit>>6] |= 1 << (bit & 63) }

// Put ORs value into the field that begins at the given bit. The field must lie in one word.
func (w *Wide) Put(at int, value uint64) { w[at>>6] |= value << (at & 63) }

// Of returns the key of the first words of a list. The other words of the list are 0.
func Of[K Key](words []uint64) (k K) {
	for i := 0; i < len(k); i++ {
		k[i] = words[i]
	}
	return k
}

// LowBits returns a mask of the n lowest bits, 0 ≤ n ≤ 64 (a shift by 64 gives 0).
func LowBits(n int) uint64 { return 1<<n - 1 }

// Low returns a key whose n lowest bits are set, 0 ≤ n ≤ 64.
func Low[K Key](n uint) (k K) {
	k[0] = LowBits(int(n))
	return k
}

// Has reports whether a bit is set.
func Has[K Key](k K, bit int) bool { return k[bit>>6]>>(bit&63)&1 != 0 }

// Less reports whether a < b.
func Less[K Key](a, b K) bool {
	if len(a) == 1 {
		return a[0] < b[0]
	}
	for i := len(a) - 1; i > 0; i-- {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return a[0] < b[0]
}

// Borrow returns 1 if a < b and 0 otherwise. For keys of one word it has no branch.
func Borrow[K Key](a, b K) int {
	if len(a) == 1 {
		_, c := bits.Sub64(a[0], b[0], 0)
		return int(c)
	}
	var c uint64
	for i := 0; i < len(a); i++ {
		_, c = bits.Sub64(a[i], b[i], c)
	}
	return int(c)
}

// Compare returns -1, 0 or 1 if a is below, equal to or above b.
func Compare[K Key](a, b K) int { return Borrow(b, a) - Borrow(a, b) }

// Sum returns a + b, which must fit in a key.
func Sum[K Key](a, b K) K {
	if len(a) == 1 {
		a[0] += b[0]
		return a
	}
	var c uint64
	for i := 0; i < len(a); i++ {
		a[i], c = bits.Add64(a[i], b[i], c)
	}
	return a
}

// Difference returns a - b. If b is larger, the result wraps around; its [Sum] with b is still a.
func Difference[K Key](a, b K) K {
	var borrowed uint64
	for i := 0; i < len(a); i++ {
		a[i], borrowed = bits.Sub64(a[i], b[i], borrowed)
	}
	return a
}

// Matches reports whether a&test == want.
func Matches[K Key](a, test, want K) bool {
	if len(a) == 1 {
		return a[0]&test[0] == want[0]
	}
	var d uint64
	for i := 0; i < len(a); i++ {
		d |= a[i]&test[i] ^ want[i]
	}
	return d == 0
}

// Disjoint reports whether a&b == 0.
func Disjoint[K Key](a, b K) bool {
	if len(a) == 1 {
		return a[0]&b[0] == 0
	}
	var d uint64
	for i := 0; i < len(a); i++ {
		d |= a[i] & b[i]
	}
	return d == 0
}

// Union returns a|b.
func Union[K Key](a, b K) K {
	for i := 0; i < len(a); i++ {
		a[i] |= b[i]
	}
	return a
}

// Without returns a without the bits of b.
func Without[K Key](a, b K) K {
	for i := 0; i < len(a); i++ {
		a[i] &^= b[i]
	}
	return a
}

// Mix returns a hash of h and word.
func Mix(h, word uint64) uint64 {
	hi, lo := bits.Mul64(h^word^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return hi ^ lo
}
