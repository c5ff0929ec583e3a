package frontier

import "math/bits"

// MaxWords is the number of 64-bit words in the widest key.
const MaxWords = 4

// key is a state: word 0 holds the lowest bits. Each number of words is its
// own shape to the compiler, so len is a constant below and the branches on
// it vanish; one-word keys cost what a plain uint64 costs.
type key interface {
	[1]uint64 | [2]uint64 | [3]uint64 | [4]uint64
}

// wide is a key of the largest size, in which the automaton is compiled.
type wide [MaxWords]uint64

func (w *wide) set(bit int) { w[bit>>6] |= 1 << (bit & 63) }

// put ORs a field's value in; fields do not cross words.
func (w *wide) put(at int, value uint64) { w[at>>6] |= value << (at & 63) }

func narrow[K key](w wide) (k K) {
	for i := 0; i < len(k); i++ {
		k[i] = w[i]
	}
	return k
}

func less[K key](a, b K) bool {
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

// borrow is 1 if a < b and 0 otherwise, without a branch for one word.
func borrow[K key](a, b K) int {
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

func sum[K key](a, b K) K {
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

// matches reports a&test == want.
func matches[K key](a, test, want K) bool {
	if len(a) == 1 {
		return a[0]&test[0] == want[0]
	}
	var d uint64
	for i := 0; i < len(a); i++ {
		d |= a[i]&test[i] ^ want[i]
	}
	return d == 0
}

// disjoint reports a&b == 0.
func disjoint[K key](a, b K) bool {
	if len(a) == 1 {
		return a[0]&b[0] == 0
	}
	var d uint64
	for i := 0; i < len(a); i++ {
		d |= a[i] & b[i]
	}
	return d == 0
}

// shift moves the bits under window down by one and leaves the others. It is
// monotone: the window is the low end of the key.
func shift[K key](a, window K) K {
	if len(a) == 1 {
		a[0] = a[0]&^window[0] | a[0]&window[0]>>1
		return a
	}
	for i := 0; i < len(a); i++ {
		low := a[i] & window[i] >> 1
		if i+1 < len(a) {
			low |= a[i+1] & window[i+1] << 63
		}
		a[i] = a[i]&^window[i] | low
	}
	return a
}
