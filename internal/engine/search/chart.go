package search

import (
	"iter"
	"math/bits"
	"slices"

	"github.com/pavage/pavage/internal/engine/key"
)

// chart is a graph of all covers of the ground. The items of an order are the ground; other items
// have capacities. A place is a set of covered ground items such that the rest of the ground can be
// covered, too. A way is an option that covers the first free item of a place. It leads to another
// place. Each way stores bounds on the remaining capacities, so the walk reads nothing but ways.
type chart struct {
	ways       []way // the ways of a place are adjacent, after the ways of places to which they lead
	options    []int32
	kinds      []kind
	capacities capacities
	root       uint32 // index of the first way of the root, where no ground item is covered
	roots      uint16
	merges     bool // whether a count merges equal spots
}

// way is a choice at a place: an option, or no option, which leaves an item uncovered.
type way struct {
	// low and high are bounds of each remaining capacity, outside of which there is no solution.
	low, high uint64
	to        uint32 // index of the first way of the place to which this way leads
	ways      uint16 // number of ways of that place; 0 if the whole ground is covered
	kind      uint16
}

type kind struct{ use, weight uint64 }

// capacities has the number of uses that each item outside the ground allows. Each number is in a
// field of bits below a guard bit.
//
//	      13 planks  1 cube  1 tile  3 bars
//	room  0|1101     0|0001  0|0001  0|0011
type capacities struct {
	width int // bits of a field with its guard bit; field k begins at bit k*width
	guard uint64
	room  uint64
	slack uint64 // part of room that a solution may leave unused
}

func newCapacities(bounds []bound) (s capacities, ok bool) {
	most := int32(0)
	for _, b := range bounds {
		most = max(most, b.room)
	}
	s.width = bits.Len32(uint32(most)) + 1
	if s.width*len(bounds) > 64 {
		return s, false
	}
	for k, b := range bounds {
		at := k * s.width
		s.guard |= 1 << (at + s.width - 1)
		s.room |= uint64(b.room) << at
		s.slack |= uint64(b.room-b.need) << at
	}
	return s, true
}

// fits reports whether low <= left <= high holds in each field.
func fits(left, low, high, guard uint64) bool {
	return ((left|guard)-low)&((high|guard)-left)&guard == guard
}

// allows reports whether use <= left holds in each field.
func (s *capacities) allows(left, use uint64) bool { return ((left|s.guard)-use)&s.guard == s.guard }

// chosen returns a mask of the fields in which a >= b. The mask has no guard bits.
func (s *capacities) chosen(a, b uint64) uint64 {
	atLeast := ((a | s.guard) - b) & s.guard
	return atLeast - atLeast>>(s.width-1)
}

func (s *capacities) least(a, b uint64) uint64 {
	m := s.chosen(a, b)
	return b&m | a&^m
}

func (s *capacities) most(a, b uint64) uint64 {
	m := s.chosen(a, b)
	return a&m | b&^m
}

// plus returns the minimum of a+b and s.room in each field. Neither a nor b may exceed s.room.
func (s *capacities) plus(a, b uint64) uint64 {
	return (b + s.least(a, s.room-b))
}

type step[K key.Key] struct {
	covers K
	kind   uint16
	option int32
}

const none = -1

// spot is a place with remaining capacities. It has no pointers for the garbage collector to scan.
type spot struct {
	left   uint64  // remaining capacities
	weight uint64  // number of solutions for which each solution below the spot stands
	share  float64 // share of the whole tree that is below the spot
	at     uint32  // index of the first way of the place
	ways   uint16  // number of ways of the place
}

func (c *chart) top() spot {
	return spot{at: c.root, ways: c.roots, left: c.capacities.room, weight: 1, share: 1}
}

// below yields the index of each way that the capacities of s allow, and the spot to which the way
// leads. A spot without ways is a solution.
func (c *chart) below(s *spot) iter.Seq2[uint32, spot] {
	return func(yield func(uint32, spot) bool) {
		share := s.share / float64(s.ways)
		for at := s.at; at < s.at+uint32(s.ways); at++ {
			w := &c.ways[at]
			if fits(s.left, w.low, w.high, c.capacities.guard) {
				k := &c.kinds[w.kind]
				if !yield(at, spot{s.left - k.use, s.weight * k.weight, share, w.to, w.ways}) {
					return
				}
			}
		}
	}
}

type spots []spot

func (c *chart) whole(*pool) parcel { return spots{c.top()} }

func (c *chart) walkers(p *pool) (all []worker) {
	for range p.Threads {
		all = append(all, &chartWalker{chart: c, account: p.account()})
	}
	return all
}

func (c *chart) bytes(int) int64 {
	held := int64(len(c.ways))*40 + 1<<20
	if c.merges {
		held += 4 * 64 * mostSpots
	}
	return held
}

type chartWalker struct {
	*chart
	account
	stack []chartFrame
	path  []int32
}

type chartFrame struct {
	at, end      uint32 // the ways that are not tried yet
	left, weight uint64
}

// do counts the solutions below the spots of p. If p is the whole walk, do divides it first. But if
// solutions are visited, do makes all visits itself, since visits must not overlap.
func (f *chartWalker) do(p parcel) {
	todo := p.(spots)
	if f.pool.visit != nil {
		f.visitAll(todo[0])
		f.poll()
		return
	}
	if todo[0].at == f.root {
		todo = f.divide()
	}
	for i := range todo {
		if !f.count(&todo[i]) || f.due() && !f.poll() {
			return
		}
	}
	f.poll()
}

// placesPerPoll is the number of places visited between two polls. They need about 0.2 ms.
const placesPerPoll = 1 << 13

func (f *chartWalker) due() bool { return f.nodes-f.told.nodes >= placesPerPoll }

// count counts the solutions below a spot, and reports whether the walk goes on.
func (f *chartWalker) count(e *spot) bool {
	ways, kinds, guard := f.chart.ways, f.chart.kinds, f.chart.capacities.guard
	stack := f.stack[:0]
	at, end, left, weight := e.at, e.at+uint32(e.ways), e.left, e.weight
	nodes, tries, total := 1, int(e.ways), f.sum
	for {
		if at == end {
			if len(stack) == 0 {
				break
			}
			top := &stack[len(stack)-1]
			at, end, left, weight = top.at, top.end, top.left, top.weight
			stack = stack[:len(stack)-1]
			continue
		}
		w := &ways[at]
		at++
		if !fits(left, w.low, w.high, guard) {
			continue
		}
		k := &kinds[w.kind]
		if w.ways == 0 {
			total.add(weight * k.weight)
			continue
		}
		if at < end {
			stack = append(stack, chartFrame{at, end, left, weight})
		}
		left -= k.use
		weight *= k.weight
		at, end = w.to, w.to+uint32(w.ways)
		tries += int(w.ways)
		if nodes++; nodes == placesPerPoll {
			f.nodes += int64(nodes)
			f.tries += int64(tries)
			f.sum = total
			if nodes, tries = 0, 0; !f.poll() {
				return false
			}
		}
	}
	f.stack = stack
	f.sum = total
	f.nodes += int64(nodes)
	f.tries += int64(tries)
	f.done += e.share
	return true
}

func (f *chartWalker) visitAll(s spot) {
	if f.nodes++; f.due() && !f.poll() {
		return
	}
	f.tries += int64(s.ways)
	long, decided := len(f.path), int(s.ways)
	for at, to := range f.below(&s) {
		if o := f.options[at]; o != none {
			f.path = append(f.path, o)
		}
		if to.ways == 0 {
			f.sum.add(to.weight)
			f.ended = f.stopped() || !f.pool.visit(f.path, to.weight)
		} else {
			decided--
			f.visitAll(to)
		}
		if f.ended {
			return
		}
		f.path = f.path[:long]
	}
	f.done += s.share * float64(decided) / float64(s.ways)
}

const (
	// parts is the least number of parcels, so that no walker waits long for the last parcel.
	parts = 256
	// Spots are merged only if the walk is expected to need more than longWalk seconds.
	longWalk = 0.03
	// If there are fewSpots spots or more, merging goes on only if it divides their number by more
	// than mergesPay. (Kanoodle's 5x11 needs 0.148 s without merging, and 0.072 s with it.)
	fewSpots  = 1 << 12
	mergesPay = 1.25
	// mostSpots limits the memory of merging. A spot has 32 bytes, and there are two lists.
	mostSpots = 1 << 17
	// mostWeight limits the weight of a spot, so that its product with a weight of an option fits in
	// a word. At most one option of a solution has a weight above 1.
	mostWeight = 1 << 31
)

type spotSet struct {
	list  []spot
	index []int32 // hash table of 1 + an index in list; 0 means empty
}

func (t *spotSet) add(s spot, merges bool) {
	if merges {
		mask := len(t.index) - 1
		at := int(s.hash()) & mask
		for ; t.index[at] != 0; at = (at + 1) & mask {
			one := &t.list[t.index[at]-1]
			if one.at == s.at && one.left == s.left && one.weight+s.weight <= mostWeight {
				one.weight += s.weight
				one.share += s.share
				return
			}
		}
		t.index[at] = int32(len(t.list)) + 1
	}
	t.list = push(t.list, s)
	if 2*len(t.list) > len(t.index) {
		t.index = rehashed(t.index, t.list, (*spot).hash)
	}
}

// divide divides the walk into parcels. It returns the first parcel and gives the others to the
// pool. It merges equal spots of a depth while merging pays.
func (f *chartWalker) divide() (own spots) {
	here, next := []spot{f.top()}, spotSet{index: make([]int32, fewSpots)}
	for more := true; more && !f.ended; {
		met := 0 // number of spots that were added to the set next, before merging
		next.list = next.list[:0]
		clear(next.index)
		for i := range here {
			s := &here[i]
			f.nodes++
			f.tries += int64(s.ways)
			decided := int(s.ways)
			for _, to := range f.below(s) {
				if to.ways == 0 {
					f.sum.add(to.weight)
					continue
				}
				decided--
				met++
				next.add(to, f.merges)
			}
			f.done += s.share * float64(decided) / float64(s.ways)
		}
		here, next.list = next.list, here
		n := len(here)
		pays := f.merges && (n < fewSpots || n < mostSpots && float64(met) > mergesPay*float64(n))
		more = n > 0 && (n < parts || pays)
		f.report()
		f.ended = f.ended || f.pool.stopped.Load()
	}
	for list := range slices.Chunk(here, 1+len(here)/parts) {
		if own == nil {
			own = list
		} else {
			f.pool.accept(spots(list))
		}
	}
	return own
}

func (s *spot) hash() uint64 { return key.Mix(uint64(s.at), s.left) }

func rehashed[T any](index []int32, list []T, hash func(*T) uint64) []int32 {
	index = make([]int32, 4*len(index))
	mask := len(index) - 1
	for n := range list {
		at := int(hash(&list[n])) & mask
		for index[at] != 0 {
			at = (at + 1) & mask
		}
		index[at] = int32(n) + 1
	}
	return index
}
