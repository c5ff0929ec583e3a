package sweep

import (
	"math"
	"math/big"
	"slices"
	"sort"

	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
)

// maxStates is the largest number of states of a level. Any index + SlabStates fits in 32 bits.
const maxStates = math.MaxUint32 - SlabStates

// Level is a sorted sequence of distinct states with the number of ways to each. The key of a state
// is the head of its block and its low bits:
//
//	blocks   head 0100……  head 0101……  head 1000……     a key for each block
//	         first 0      first 3      first 5
//	lows     00 01 11     10 11        00 10           2 bytes a state, in slabs
//	counts   1  4  2      9  1         6  6            some words a state, in slabs
type Level[K key.Key] struct {
	n      int       // number of states, at most maxStates
	width            // words of the value of a state
	blocks blocks[K] // empty if and only if n is 0

	// Indexed by slab; nil if the field away has the slab. A slab has SlabStates states, but the
	// last slab may have fewer. A count is never 0, but with Residues all its words may be 0.
	lows   [][]uint16
	counts [][]uint64

	away Source // the slabs that are not in lows and counts; nil if there are none
	lent bool   // records share blocks and lows: neither may be recycled
	held bool   // a history keeps the level: no slab may be recycled
}

// States returns the number of states.
func (l *Level[K]) States() int { return l.n }

// Limbs returns the number of words of a count, without its residue.
func (l *Level[K]) Limbs() int { return l.limbs() }

// Key returns the key of state i. For many states, the method all is faster.
func (l *Level[K]) Key(i int) K {
	return l.blocks.key(l.block(i), l.lows[i>>slabBits][i&slabMask])
}

func (l *Level[K]) block(i int) int {
	return sort.Search(len(l.blocks.first), func(b int) bool { return int(l.blocks.first[b]) > i }) - 1
}

func (l *Level[K]) end(b int) int {
	if b+1 < len(l.blocks.first) {
		return int(l.blocks.first[b+1])
	}
	return l.n
}

// all calls do with each state in order until do returns false. All slabs must be in memory.
func (l *Level[K]) all(do func(i int, k K) bool) {
	for b := range l.blocks.heads {
		for i := int(l.blocks.first[b]); i < l.end(b); i++ {
			if !do(i, l.blocks.key(b, l.lows[i>>slabBits][i&slabMask])) {
				return
			}
		}
	}
}

// Find returns the index of state k and true, or the index of the first state above k and false.
func (l *Level[K]) Find(k K) (i int, found bool) {
	mask := key.Low[K](l.blocks.low)
	high := key.Without(k, mask)
	b := sort.Search(len(l.blocks.heads), func(b int) bool { return !key.Less(key.Without(l.blocks.heads[b], mask), high) })
	for ; b < len(l.blocks.heads) && key.Without(l.blocks.heads[b], mask) == high; b++ {
		first, end := int(l.blocks.first[b]), l.end(b)
		lows := l.lows[first>>slabBits][first&slabMask:][:end-first]
		if i, found := slices.BinarySearch(lows, uint16(k[0]&mask[0])); i < len(lows) {
			return first + i, found
		}
	}
	return l.end(b - 1), false
}

func (l *Level[K]) source() Source {
	if l.away != nil {
		return l.away
	}
	return inMemory{l.lows, l.counts, l.width}
}

// EachSlab calls do with the keys and counts of each slab in order. Keys and counts are valid until
// do returns. With [Checked] the limbs of a count are followed by its residue.
func (l *Level[K]) EachSlab(do func(keys []K, counts []uint64) error) error {
	var keys []K
	b := 0
	from := l.source()
	for i := range l.lows {
		lows, counts, err := from.Get(i)
		if err != nil {
			return err
		}
		keys = keys[:0]
		for k, low := range lows {
			if i<<slabBits+k == l.end(b) {
				b++
			}
			keys = append(keys, l.blocks.key(b, low))
		}
		err = do(keys, counts)
		from.LetGo(i)
		if err != nil {
			return err
		}
	}
	return nil
}

// each calls do with each state and its count, valid until do returns. It reads one slab at a time.
func (l *Level[K]) each(do func(k K, count []uint64) error) error {
	b, from := 0, l.source()
	for slab := range l.lows {
		lows, counts, err := from.Get(slab)
		if err != nil {
			return err
		}
		for i := 0; err == nil && i < len(lows); i++ {
			if slab<<slabBits+i == l.end(b) {
				b++
			}
			err = do(l.blocks.key(b, lows[i]), counts[i*l.words:(i+1)*l.words])
		}
		from.LetGo(slab)
		if err != nil {
			return err
		}
	}
	return nil
}

// Widest returns the length in bits of the largest count.
func (l *Level[K]) Widest() (most int) {
	for _, slab := range l.counts {
		most = max(most, limb.Longest(slab, l.words, l.limbs()))
	}
	return most
}

// Count returns the words of state i: the limbs of its number of pasts, then its residue if the
// level has residues.
func (l *Level[K]) Count(i int) []uint64 {
	at := (i & slabMask) * l.words
	return l.counts[i>>slabBits][at : at+l.words]
}

func (l *Level[K]) total() *big.Int { return l.source().Total() }

// print returns a hash of n and blocks. Different levels may have equal hashes.
func (l *Level[K]) print() uint64 {
	h := uint64(l.n)
	for b, k := range l.blocks.heads {
		for w := range len(k) {
			h = key.Mix(h, k[w])
		}
		h = key.Mix(h, uint64(l.blocks.first[b]))
	}
	return h
}

func sameKeys[K key.Key](a, b *Level[K]) bool {
	return a.n == b.n && slices.Equal(a.blocks.first, b.blocks.first) && slices.Equal(a.blocks.heads, b.blocks.heads) &&
		slices.EqualFunc(a.lows, b.lows, func(x, y []uint16) bool {
			return len(x) == len(y) && (&x[0] == &y[0] || slices.Equal(x, y))
		})
}

func (l *Level[K]) lend() Level[K] {
	l.lent = true
	return Level[K]{n: l.n, blocks: l.blocks, lows: l.lows, lent: true}
}

func (l *Level[K]) copied() Level[K] {
	c := *l
	c.lows, c.counts = slices.Clone(l.lows), slices.Clone(l.counts)
	c.lent = false // the copy outlives the records that share its slabs
	return c
}
