package search

import (
	"math/bits"

	"github.com/pavage/pavage/internal/engine/key"
)

// pockets finds places that nothing leads out of: some free items are walled off, and no
// options together are as large. Every option is connected in the graph, so it lies in one
// pocket as a whole.
type pockets[K key.Key] struct {
	near     []K // by item: its neighbours
	optional K
	sizes    uint64 // bit n: options can cover n items together
	unit     int    // which all such numbers are multiples of
	enough   int    // multiples of unit that are as large can all be covered
}

// maxPairs limits the work of finding neighbours: 10 ms.
const maxPairs = 1 << 22

// newPockets makes the graph: of each option the pairs that connect it and are most often
// together in an option, which are neighbours on a board.
func newPockets[K key.Key](steps [][]step[K]) *pockets[K] {
	n := len(steps)
	p := &pockets[K]{near: make([]K, n)}
	together := make([]int32, n*n)
	pairs := 0
	var cells []int
	for _, list := range steps {
		for i := range list {
			cells = items(list[i].covers, cells)
			if pairs += len(cells) * len(cells); pairs > maxPairs {
				return nil
			}
			for _, a := range cells {
				for _, b := range cells {
					together[a*n+b]++
				}
			}
		}
	}
	var sizes uint64
	for _, list := range steps {
		for i := range list {
			cells = items(list[i].covers, cells)
			if list[i].option == none {
				p.optional = key.Union(p.optional, list[i].covers)
				continue
			}
			sizes |= 1 << min(63, len(cells))
			p.unit = gcd(p.unit, len(cells))
			p.connect(cells, together, n)
		}
	}
	p.sizes = 1
	for grown := uint64(0); grown != p.sizes; {
		grown = p.sizes
		for s := sizes; s != 0; s &= s - 1 {
			p.sizes |= p.sizes << bits.TrailingZeros64(s)
		}
	}
	for n := 0; n < 64; n += max(1, p.unit) {
		if p.sizes>>n&1 == 0 {
			p.enough = n + 1
		}
	}
	return p
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// items lists the bits of a key.
func items[K key.Key](k K, list []int) []int {
	list = list[:0]
	for i := range len(k) {
		for w := k[i]; w != 0; w &= w - 1 {
			list = append(list, 64*i+bits.TrailingZeros64(w))
		}
	}
	return list
}

// connect adds a spanning tree of the cells, R. C. Prim's: of the pairs that are most often
// together.
func (p *pockets[K]) connect(cells []int, together []int32, n int) {
	for in := 1; in < len(cells); in++ {
		from, to, most := 0, in, int32(-1)
		for a := range in {
			for b := in; b < len(cells); b++ {
				if t := together[cells[a]*n+cells[b]]; t > most {
					from, to, most = a, b, t
				}
			}
		}
		a, b := cells[from], cells[to]
		p.near[a][b>>6] |= 1 << (b & 63)
		p.near[b][a>>6] |= 1 << (a & 63)
		cells[in], cells[to] = cells[to], cells[in]
	}
}

// around are the neighbours of some items.
func (p *pockets[K]) around(covers K) (k K) {
	for i := range len(k) {
		for w := covers[i]; w != 0; w &= w - 1 {
			k = key.Union(k, p.near[64*i+bits.TrailingZeros64(w)])
		}
	}
	return key.Without(k, covers)
}

// dead reports whether one of the pockets at some items cannot be filled, which nothing said
// before these were next to what was covered.
func (p *pockets[K]) dead(covered, at K) bool {
	var nothing K
	at = key.Without(at, covered)
	for i := range len(at) {
		for at[i] != 0 {
			var pocket K
			pocket[i] = at[i] & -at[i]
			pocket = p.flood(pocket, covered, at)
			if at = key.Without(at, pocket); at == nothing && p.suffices(pocket) {
				return false
			}
			if !p.fillable(pocket) {
				return true
			}
		}
	}
	return false
}

// suffices reports whether a pocket that is the last can be filled however much larger it
// is: its size is a multiple of the unit, for that of the pocket that it was cut from was.
// (Optional items may leave a rest.)
func (p *pockets[K]) suffices(pocket K) bool {
	var nothing K
	return p.optional == nothing && size(pocket) >= p.enough
}

// flood is all that is connected to some free items, or as much as is enough to know that
// it can be filled: with all items that something is asked about. (Conway's box, before it is
// seen that it has too many places: 17 ms -> 4.)
func (p *pockets[K]) flood(from, covered, asked K) K {
	var nothing K
	pocket := from
	for from != nothing {
		var near K
		for i := range len(from) {
			for w := from[i]; w != 0; w &= w - 1 {
				near = key.Union(near, p.near[64*i+bits.TrailingZeros64(w)])
			}
		}
		from = key.Without(key.Without(near, covered), pocket)
		pocket = key.Union(pocket, from)
		if key.Without(asked, pocket) == nothing && p.suffices(pocket) {
			break
		}
	}
	return pocket
}

func size[K key.Key](k K) (n int) {
	for i := range len(k) {
		n += bits.OnesCount64(k[i])
	}
	return n
}

func (p *pockets[K]) fillable(pocket K) bool {
	if !key.Disjoint(pocket, p.optional) {
		return true
	}
	n := size(pocket)
	return n >= 64 && n%p.unit == 0 || n < 64 && p.sizes>>n&1 != 0
}
