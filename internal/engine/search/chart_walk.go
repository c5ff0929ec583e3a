package search

import (
	"iter"
	"slices"

	"github.com/pavage/pavage/internal/engine/key"
)

// spot is a place, reached with some capacities left: all below it is a part of the walk. It has
// no pointers, so the garbage collector does not scan lists of spots.
type spot struct {
	left   uint64  // remaining capacities
	weight uint64  // how many solutions each one below stands for
	share  float64 // of the whole tree
	at     uint32  // the first way of the place
	ways   uint16  // the number of its ways
}

// top is the spot that has all below it.
func (c *chart) top() spot {
	return spot{at: c.root, ways: c.roots, left: c.capacities.room, weight: 1, share: 1}
}

// below are the ways of a spot that its capacities allow, and the spots they lead to. A spot without
// ways is a solution. Each has an equal part of the share.
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

// spots are a parcel of a chart.
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

// chartWalker is one walker in a chart.
type chartWalker struct {
	*chart
	account
	stack []chartFrame
	path  []int32
}

// chartFrame is a place on the path to the present place.
type chartFrame struct {
	at, end      uint32 // the ways that are not tried yet
	left, weight uint64
}

// do counts the solutions of some spots; the top is divided first. Visits cannot overlap, so one
// walker makes them all.
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

// placesPerPoll is the number of places visited between two polls: a fifth of a millisecond.
const placesPerPoll = 1 << 13

// due reports whether it is time to poll.
func (f *chartWalker) due() bool { return f.nodes-f.told.nodes >= placesPerPoll }

// count counts the solutions of a spot: the hot loop. It returns whether the walk goes on.
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

// visitAll visits the solutions of a spot, whose path is that of the walker.
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
	// parts is the least number of parcels of a walk, if the tree has as many: more than walkers,
	// so that no walker waits long for the last.
	parts = 256
	// longWalk is the time in seconds above which a walk merges spots: on 6x10, whose walk
	// takes 5 ms, merging takes as long as it saves.
	longWalk = 0.03
	// From fewSpots on, merging goes on only while it makes the spots mergesPay times fewer.
	// (Kanoodle's 5x11: 3.3 million visits to places, with 196,874 different pairs of a place and
	// pieces left. User time of the whole process: 0.148 s without merging, 0.072 s with it.)
	fewSpots  = 1 << 12
	mergesPay = 1.25
	// mostSpots limits the memory of merging: two lists of 32 bytes for each spot.
	mostSpots = 1 << 17
	// mostWeight limits the weight of a merged spot, so that its product with the weights of
	// the remaining options fits a word: only one of these options has a weight above 1.
	mostWeight = 1 << 31
)

// divider makes parcels of a walk, depth by depth. If the chart merges, it makes one of all spots of
// a depth with the same place and remaining capacities, and goes on as long as that pays.
type divider struct {
	*chartWalker
	next  []spot
	index []int32 // hash table of 1 + an index in next
	met   int     // ways that lead to the spots in next
}

// divide gives all parcels but one to the pool, and returns that one.
func (f *chartWalker) divide() (own spots) {
	d := &divider{chartWalker: f, index: make([]int32, fewSpots)}
	here := []spot{f.top()}
	for more := true; more && !f.ended; {
		d.met, d.next = 0, d.next[:0]
		clear(d.index)
		for i := range here {
			d.expand(&here[i])
		}
		here, d.next = d.next, here
		n := len(here)
		pays := f.merges && (n < fewSpots || n < mostSpots && float64(d.met) > mergesPay*float64(n))
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

// expand adds the spots to which the ways of s lead.
func (d *divider) expand(s *spot) {
	d.nodes++
	d.tries += int64(s.ways)
	decided := int(s.ways)
	for _, to := range d.below(s) {
		if to.ways == 0 {
			d.sum.add(to.weight)
			continue
		}
		decided--
		d.met++
		d.add(to)
	}
	d.done += s.share * float64(decided) / float64(s.ways)
}

// add adds a spot to next, or merges it with an equal spot there.
func (d *divider) add(s spot) {
	if d.merges {
		mask := len(d.index) - 1
		at := int(s.hash()) & mask
		for ; d.index[at] != 0; at = (at + 1) & mask {
			one := &d.next[d.index[at]-1]
			if one.at == s.at && one.left == s.left && one.weight+s.weight <= mostWeight {
				one.weight += s.weight
				one.share += s.share
				return
			}
		}
		d.index[at] = int32(len(d.next)) + 1
	}
	d.next = push(d.next, s)
	if 2*len(d.next) > len(d.index) {
		d.index = rehashed(d.index, d.next, (*spot).hash)
	}
}

func (s *spot) hash() uint64 { return key.Mix(uint64(s.at), s.left) }

// rehashed is a larger hash table of 1 + an index in a list.
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
