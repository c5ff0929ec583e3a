package jump

import (
	"math/bits"

	"github.com/pavage/pavage/internal/engine/key"
)

// digit is some bits of a key by which entries are distributed.
type digit struct {
	word  int
	shift uint
}

const (
	digitBits = 8
	digits    = 1 << digitBits
)

func valueOf[K key.Key](k K, d digit) int { return int(k[d.word] >> d.shift & (digits - 1)) }

// differing are the bits in which entries differ.
func differing[K key.Key](some ...[]entry[K]) (differ K) {
	first := some[0][0].key
	for _, entries := range some {
		for i := range entries {
			for w := 0; w < len(differ); w++ {
				differ[w] |= entries[i].key[w] ^ first[w]
			}
		}
	}
	return differ
}

// digitsOf are the digits of some bits, lowest first.
func digitsOf[K key.Key](differ K, to []digit) []digit {
	for w := 0; w < len(differ); w++ {
		for x := differ[w]; x != 0; {
			shift := uint(bits.TrailingZeros64(x))
			to = append(to, digit{w, shift})
			x &^= (digits - 1) << shift
		}
	}
	return to
}

// sorter sorts entries by their keys, digit by digit, the lowest first.
type sorter[K key.Key] struct {
	order []digit
	at    [][digits]uint32
}

// sort sorts src, with tmp of the same length, and returns the one of them in which the
// result is.
func (s *sorter[K]) sort(src, tmp []entry[K]) []entry[K] {
	if len(src) <= few {
		insert(src)
		return src
	}
	s.order = digitsOf(differing(src), s.order[:0])
	for len(s.at) < len(s.order) {
		s.at = append(s.at, [digits]uint32{})
	}
	for i := range s.order {
		s.at[i] = [digits]uint32{}
	}
	for i := range src {
		k := src[i].key
		for j, d := range s.order {
			s.at[j][valueOf(k, d)]++
		}
	}
	for j, d := range s.order {
		at, sum := &s.at[j], uint32(0)
		for v, n := range at {
			at[v] = sum
			sum += n
		}
		tmp = tmp[:len(src)]
		for i := range src {
			v := valueOf(src[i].key, d)
			tmp[at[v]] = src[i]
			at[v]++
		}
		src, tmp = tmp, src
	}
	return src
}

// few entries are sorted by insertion.
const few = 24

func insert[K key.Key](s []entry[K]) {
	for i := 1; i < len(s); i++ {
		x := s[i]
		j := i
		for ; j > 0 && key.Less(x.key, s[j-1].key); j-- {
			s[j] = s[j-1]
		}
		s[j] = x
	}
}

// distribute copies entries to a buffer by their highest digit, and returns it in parts of
// whole values of the digit, if possible of at most partStates.
func distribute[K key.Key](to []entry[K], some [][]entry[K]) (parts [][]entry[K]) {
	if len(to) <= partStates {
		n := 0
		for _, entries := range some {
			n += copy(to[n:], entries)
		}
		return [][]entry[K]{to}
	}
	d := highest(differing(some...))
	var at [digits]uint32
	for _, entries := range some {
		for i := range entries {
			at[valueOf(entries[i].key, d)]++
		}
	}
	first, sum := 0, 0
	for v, n := range at {
		if n > 0 && sum > first && sum+int(n)-first > partStates {
			parts = append(parts, to[first:sum:sum])
			first = sum
		}
		at[v] = uint32(sum)
		sum += int(n)
	}
	for _, entries := range some {
		for i := range entries {
			v := valueOf(entries[i].key, d)
			to[at[v]] = entries[i]
			at[v]++
		}
	}
	return append(parts, to[first:])
}

// highest is the digit of the highest of some bits.
func highest[K key.Key](differ K) digit {
	for w := len(differ) - 1; w > 0; w-- {
		if differ[w] != 0 {
			return digit{w, uint(max(digitBits, bits.Len64(differ[w])) - digitBits)}
		}
	}
	return digit{0, uint(max(digitBits, bits.Len64(differ[0])) - digitBits)}
}

// bytesOf are those of so many entries.
func bytesOf[K key.Key](n int) int64 {
	var e entry[K]
	return int64(n) * int64(len(e.key)+1) * wordBytes
}
