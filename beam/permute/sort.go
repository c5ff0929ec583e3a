package permute

import (
	"math/bits"

	"github.com/pavage/pavage/internal/engine/key"
)

// Up to inCache states are sorted by copies to a buffer, which fits in the second-level cache. More
// states are first divided in place. If inCache is 32 or 1,024, sorting needs a third more time.
const inCache = 1 << 13

const few = 16

// Sort sorts keys with their counts. It allocates memory for at most inCache states.
func Sort[K key.Key](keys []K, counts []uint64, words int) {
	size := min(len(keys), inCache)
	s := sorter[K]{words: words, keys: make([]K, size), counts: make([]uint64, size*words)}
	s.sort(keys, counts)
}

type sorter[K key.Key] struct {
	words  int
	keys   []K
	counts []uint64
}

func (s *sorter[K]) sort(keys []K, counts []uint64) {
	if len(keys) <= few {
		s.insert(keys, counts)
		return
	}
	differ := differences(keys)
	if len(keys) <= inCache {
		s.lowFirst(keys, counts, differ)
		return
	}
	word, shift := highest(differ)
	if word < 0 {
		return // all keys are equal
	}
	ends := s.highFirst(keys, counts, word, shift)
	begin := 0
	for _, end := range ends {
		s.sort(keys[begin:end], counts[begin*s.words:end*s.words])
		begin = end
	}
}

func differences[K key.Key](keys []K) (differ K) {
	first := keys[0]
	for _, k := range keys {
		for w := 0; w < len(k); w++ {
			differ[w] |= k[w] ^ first[w]
		}
	}
	return differ
}

func highest[K key.Key](differ K) (word, shift int) {
	for word = len(differ) - 1; word >= 0; word-- {
		if differ[word] != 0 {
			return word, max(0, bits.Len64(differ[word])-8)
		}
	}
	return word, 0
}

func (s *sorter[K]) highFirst(keys []K, counts []uint64, word, shift int) (ends [256]int) {
	for _, k := range keys {
		ends[byte(k[word]>>shift)]++
	}
	var at [256]int
	sum := 0
	for d, n := range ends {
		at[d], sum = sum, sum+n
		ends[d] = sum
	}
	for d := range ends {
		for i := at[d]; i < ends[d]; {
			to := byte(keys[i][word] >> shift)
			if int(to) == d {
				i++
				continue
			}
			j := at[to]
			at[to]++
			keys[i], keys[j] = keys[j], keys[i]
			s.exchange(counts, i, j)
		}
	}
	return ends
}

func (s *sorter[K]) exchange(counts []uint64, i, j int) {
	if s.words == 2 {
		i, j = 2*i, 2*j
		counts[i], counts[i+1], counts[j], counts[j+1] = counts[j], counts[j+1], counts[i], counts[i+1]
		return
	}
	for w := range s.words {
		i, j := i*s.words+w, j*s.words+w
		counts[i], counts[j] = counts[j], counts[i]
	}
}

func (s *sorter[K]) insert(keys []K, counts []uint64) {
	for i := 1; i < len(keys); i++ {
		for j := i; j > 0 && key.Less(keys[j], keys[j-1]); j-- {
			keys[j], keys[j-1] = keys[j-1], keys[j]
			s.exchange(counts, j, j-1)
		}
	}
}

func (s *sorter[K]) lowFirst(keys []K, counts []uint64, differ K) {
	from, fromCounts := keys, counts
	to, toCounts := s.keys[:len(keys)], s.counts[:len(counts)]
	for w := 0; w < len(differ); w++ {
		for left := differ[w]; left != 0; {
			shift := bits.TrailingZeros64(left)
			left = left >> shift >> 8 << shift << 8
			s.byDigit(from, to, fromCounts, toCounts, w, shift)
			from, to, fromCounts, toCounts = to, from, toCounts, fromCounts
		}
	}
	if &from[0] != &keys[0] {
		copy(keys, from)
		copy(counts, fromCounts)
	}
}

func (s *sorter[K]) byDigit(from, to []K, fromCounts, toCounts []uint64, word, shift int) {
	var at [256]uint32
	for _, k := range from {
		at[byte(k[word]>>shift)]++
	}
	sum := uint32(0)
	for d, n := range at {
		at[d], sum = sum, sum+n
	}
	for i, k := range from {
		d := byte(k[word] >> shift)
		j := int(at[d])
		at[d]++
		to[j] = k
		if s.words == 2 {
			pair := fromCounts[2*i : 2*i+2]
			toCounts[2*j], toCounts[2*j+1] = pair[0], pair[1]
		} else {
			copy(toCounts[j*s.words:(j+1)*s.words], fromCounts[i*s.words:(i+1)*s.words])
		}
	}
}
