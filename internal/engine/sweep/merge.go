package sweep

import (
	"sort"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
)

type entry[K key.Key] struct {
	key      K
	source   uint32 // index of the block
	variable uint32 // index of the class
}

// Worker makes parts, one at a time, and keeps its buffers.
type Worker[K key.Key] struct {
	buf    [2][]entry[K]
	ends   []int // ends of the sorted runs in buf
	sorter *sorter
	of     *Step[K] // the step whose level the worker reads
	reader
}

func (w *Worker[K]) gather(heads []K, classes []class[K], window K, b Bounds[K]) {
	w.ends = w.ends[:0]
	n := 0
	for i := range classes {
		st := &classes[i].Stream
		from, to := 0, len(heads)
		if b.HasLo {
			from = search(heads, st.Add, window, b.Lo)
		}
		if b.HasHi {
			to = search(heads, st.Add, window, b.Hi)
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

func (w *Worker[K]) bytes() int64 {
	var k K
	entryBytes := int64(len(k)+1) * wordBytes
	return int64(cap(w.buf[0])+cap(w.buf[1]))*entryBytes + w.sorter.bytes()
}

func (w *Worker[K]) reserve(n int) {
	if n > cap(w.buf[0]) {
		grown := make([]entry[K], n+n/2)
		copy(grown, w.buf[0][:cap(w.buf[0])])
		w.buf[0] = grown
	}
	w.buf[0] = w.buf[0][:cap(w.buf[0])]
}

// search returns the index of the first state that is mapped to lo or above. The
// images of rising states rise, even if the move does not fit some of the states.
func search[K key.Key](states []K, add, window, lo K) int {
	return sort.Search(len(states), func(i int) bool {
		return !key.Less(key.Shift(key.Sum(states[i], add), window), lo)
	})
}

// scan writes the images of heads to dst, and returns their number.
func scan[K key.Key](dst []entry[K], heads []K, source uint32, st *automaton.Stream[K], window K) int {
	n := 0
	for q, k := range heads {
		if !key.Matches(k, st.Test, st.Want) {
			continue
		}
		if k = key.Sum(k, st.Add); key.Disjoint(k, st.Guard) {
			dst[n] = entry[K]{key.Shift(k, window), source + uint32(q), st.Variable}
			n++
		}
	}
	return n
}

func (w *Worker[K]) merge() []entry[K] {
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

// mergePair merges src[a:b] and src[b:end] into dst[a:end], without unpredictable branches.
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
