package sweep

import (
	"sort"

	"github.com/pavage/pavage/internal/automaton"
	"github.com/pavage/pavage/internal/key"
)

// entry is the image of a block: where it goes, and from where.
type entry[K key.Key] struct {
	key      K
	source   uint32 // index of the block
	variable uint32 // of the class
}

// part is a consecutive piece of the next level, and of its arcs.
type part[K key.Key] struct {
	blocks blocks[K] // first counts from the part's first state
	common uint16    // low bits that all states of the last block have
	lows   []uint16
	counts []uint64
	room   []room // where the states go
	arcs   []partArc
	along  gathered // arcs to be kept, if any
	all    int      // arcs seen, those to pruned states included
	pruned int      // states dropped
	held   int64    // bytes of the above that are counted
}

// clear empties the part.
func (p *part[K]) clear() {
	p.blocks.heads, p.blocks.first = p.blocks.heads[:0], p.blocks.first[:0]
	p.lows, p.counts, p.arcs = p.lows[:0], p.counts[:0], p.arcs[:0]
	p.all, p.pruned = 0, 0
}

// addTo begins a block if the last one has other high bits, the mask being that
// of the low ones.
func (p *part[K]) addTo(high, mask K) {
	n := len(p.blocks.heads)
	if n > 0 && key.Without(p.blocks.heads[n-1], mask) == high {
		return
	}
	p.close()
	p.blocks.heads = append(p.blocks.heads, high)
	p.blocks.first = append(p.blocks.first, uint32(len(p.lows)))
	p.common = uint16(mask[0])
}

// dropEmpty drops the last block if no state of it was kept. Those to come have
// higher bits.
func (p *part[K]) dropEmpty() {
	if n := len(p.blocks.heads) - 1; int(p.blocks.first[n]) == len(p.lows) {
		p.blocks.heads, p.blocks.first = p.blocks.heads[:n], p.blocks.first[:n]
		p.common = 0
	}
}

// addLow adds a state to the last block.
func (p *part[K]) addLow(low uint16) {
	p.lows = append(p.lows, low)
	p.common &= low
}

// close completes the head of the last block.
func (p *part[K]) close() {
	if n := len(p.blocks.heads); n > 0 {
		p.blocks.heads[n-1][0] |= uint64(p.common)
	}
}

// copyOut copies the states to where they go.
func (p *part[K]) copyOut() { fillRooms(p.room, p.lows, p.counts) }

// grown is by how many bytes the part has grown since the last call.
func (p *part[K]) grown() int64 {
	size := p.blocks.bytes() + int64(cap(p.lows))*lowBytes + int64(cap(p.counts))*wordBytes + int64(cap(p.arcs))*partArcBytes
	grown := size - p.held
	p.held = size
	return grown
}

// partArc is an arc to the child-th state of the part.
type partArc struct{ source, variable, child uint32 }

const partArcBytes = 12

// worker makes parts, one at a time, in buffers it keeps.
type worker[K key.Key] struct {
	buf    [2][]entry[K]
	ends   []int // ends of the sorted runs in buf
	sorter *sorter
	reader[K]
}

// bounds is a range [lo, hi) of keys of the next level, which cuts no block of
// sorter.
type bounds[K key.Key] struct {
	lo, hi          K
	hasLo, hasUpper bool
}

// gather fills buf[0] with one sorted run for each class.
func (w *worker[K]) gather(heads []K, classes []class[K], window K, b bounds[K]) {
	w.ends = w.ends[:0]
	n := 0
	for i := range classes {
		st := &classes[i].Stream
		from, to := 0, len(heads)
		if b.hasLo {
			from = search(heads, st.Add, window, b.lo)
		}
		if b.hasUpper {
			to = search(heads, st.Add, window, b.hi)
		}
		if from >= to {
			continue
		}
		before := n
		w.reserve(n + to - from)
		n += scan(w.buf[0][n:], heads[from:to], uint32(from), st, window)
		if n > before {
			w.ends = append(w.ends, n)
		}
	}
	w.buf[0] = w.buf[0][:n]
}

// bytes is the size of the worker's own buffers.
func (w *worker[K]) bytes() int64 {
	var k K
	entryBytes := int64(len(k)+1) * wordBytes
	return int64(cap(w.buf[0])+cap(w.buf[1]))*entryBytes + w.sorter.bytes()
}

// reserve makes buf[0] at least n long.
func (w *worker[K]) reserve(n int) {
	if n > cap(w.buf[0]) {
		grown := make([]entry[K], n+n/2)
		copy(grown, w.buf[0][:cap(w.buf[0])])
		w.buf[0] = grown
	}
	w.buf[0] = w.buf[0][:cap(w.buf[0])]
}

// search is the first of sorted states that a stream maps to lo or above. It
// may look at states the stream's move does not fit: the mapping is monotone on
// all.
func search[K key.Key](states []K, add, window, lo K) int {
	return sort.Search(len(states), func(i int) bool {
		return !key.Less(key.Shift(key.Sum(states[i], add), window), lo)
	})
}

// scan appends the images of the heads that fit and returns how many. dst is at
// least as long as heads.
func scan[K key.Key](dst []entry[K], heads []K, source uint32, st *automaton.Stream[K], window K) int {
	n := 0
	for q, k := range heads {
		if image, ok := st.Image(k, window); ok {
			dst[n] = entry[K]{image, source + uint32(q), st.Variable}
			n++
		}
	}
	return n
}

// merge turns the runs of buf[0] into one sorted run, which it returns.
func (w *worker[K]) merge() []entry[K] {
	src, dst := w.buf[0], w.buf[1]
	if cap(dst) < len(src) {
		dst = make([]entry[K], cap(src))
	}
	dst = dst[:len(src)]
	for len(w.ends) > 1 {
		kept, start := w.ends[:0], 0
		for r := 0; r < len(w.ends); r += 2 {
			end := w.ends[r]
			if r+1 < len(w.ends) {
				mergePair(dst, src, start, end, w.ends[r+1])
				end = w.ends[r+1]
			} else {
				copy(dst[start:end], src[start:end])
			}
			kept = append(kept, end)
			start = end
		}
		w.ends = kept
		src, dst = dst, src
	}
	w.buf[0], w.buf[1] = src, dst
	return src
}

// mergePair merges src[a:b] and src[b:end] into dst[a:end]. Which side is
// next is anyone's guess, so the choice is arithmetic, not a branch.
func mergePair[K key.Key](dst, src []entry[K], a, b, end int) {
	i, j, n := a, b, a
	for i < b && j < end {
		right := key.Borrow(src[j].key, src[i].key)
		dst[n] = src[i^(i^j)&-right]
		i += 1 - right
		j += right
		n++
	}
	n += copy(dst[n:], src[i:b])
	copy(dst[n:], src[j:end])
}
