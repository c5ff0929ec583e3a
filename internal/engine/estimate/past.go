package estimate

import (
	"slices"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/sweep"
)

// past decides which states can be reached at all. A state before step i is
// the region that its pasts have covered: all items before i and those of the
// window whose bits are set. It is reachable if options tile the region, and
// what they add up to is the state's counters. So a walk takes options out of
// the region, always one with the last item that is left:
//
//	           base            i
//	# # # # # #│# # # # # # # #│# . # # . .     region: '#'
//	# # # # # #│# # # # # # # #│# . a a         the last item must be covered
//	# # # # # #│# # # # b b c c│c . a a         by an option that ends in it
//
// Undoing the steps themselves, one by one, would find out too late: whether
// step i-1 took an option is only seen to be wrong a window's length behind.
// (10x10 tetrominoes: 5,500 states a walk, with this 50.)
//
// A walk ends at the base, a level that is known; what has reached over its
// edge by then must be a state of it, with the counters that are left. Where
// nothing is counted it ends, reachable, after a horizon of a window's length:
// what is wrong with a region shows at its edge.
type past[K key.Key] struct {
	a        *automaton.Automaton
	window   K
	base     *sweep.Level[K]
	baseAt   int
	horizon  int
	peels    [][]peel[K] // by the position of the last item; none before the base
	optional []bool      // by position
	biases   []automaton.Floor

	at, stop  int // of the present walk: the state's level, where it ends
	left      int // nodes
	most      int // nodes of an attempt
	nodes     int // of all walks
	looks     int // at peels, in all walks: what takes the time
	turn      uint64
	undecided int
	// of walks that were decided only in their last attempt: all, and those of
	// reachable states
	late, lateFound float64
}

// peel is a move as a walk sees it.
type peel[K key.Key] struct {
	mask                   K // bit j: the item of the last position less j
	over                   K // items from the base on, as bits of its states
	first                  int
	test, want, add, guard K // of counters
}

// A walk has so many nodes, at first; then it begins again with other options
// tried first and twice as many. Most walks that take many have begun badly:
// without beginning again, 10,000 of a million walks of 12x12 tetrominoes end
// undecided and make an estimate seven times too high, with it a few hundred.
// With counters those that take many have little to win, and are given up.
const (
	walkNodes    = 64
	mostNodes    = 1 << 13
	mostCounting = 1 << 10
)

func newPast[K key.Key](a *automaton.Automaton, base *sweep.Level[K], at int) *past[K] {
	p := &past[K]{
		a: a, base: base, baseAt: at, horizon: a.Window, most: mostNodes,
		peels: make([][]peel[K], a.Steps()), optional: make([]bool, a.Steps()), biases: a.Biases(),
	}
	if a.Counts() {
		p.horizon, p.most = a.Steps(), mostCounting
	}
	var none K
	for i := range a.Steps() {
		t := automaton.NewTransition[K](a, i)
		p.window = t.Window
		for _, s := range t.Streams {
			if s.Variable == automaton.Skip {
				p.optional[i] = s.Test == none
			} else {
				p.add(i, &s)
			}
		}
	}
	return p
}

// add files a move of step i under its last item.
func (p *past[K]) add(i int, s *automaton.Stream[K]) {
	last := 0
	var mask, over K
	for b := range p.a.Window {
		if key.Has(s.Add, b) {
			last = b
			if i < p.baseAt && i+b >= p.baseAt {
				over = with(over, i+b-p.baseAt)
			}
		}
	}
	if i+last < p.baseAt {
		return
	}
	for b := range last + 1 {
		if key.Has(s.Add, b) {
			mask = with(mask, last-b)
		}
	}
	p.peels[i+last] = append(p.peels[i+last], peel[K]{
		mask: mask, over: over, first: i,
		test: key.Without(s.Test, p.window), want: key.Without(s.Want, p.window),
		add: key.Without(s.Add, p.window), guard: s.Guard,
	})
}

// with is k with one more bit.
func with[K key.Key](k K, bit int) K {
	k[bit>>6] |= 1 << (bit & 63)
	return k
}

// reachable is 1 if a state of a level from the base on is, and 0 if not. If
// that is not found out, which is counted, it is half the share of those that
// were, of the walks that took longest: rather too low, and the estimate too
// high. (8x8 pentominoes and a square: 260 million states are expected with the
// share, 480 with nothing, and there are 152; squares on 10x10 0.6 and 0.9 of
// those that there are.)
func (p *past[K]) reachable(at int, k K) float64 {
	if at == p.baseAt {
		return asShare(p.base.Find(k) >= 0)
	}
	p.at, p.stop = at, max(p.baseAt, at-p.horizon)
	top, region := p.region(at, k)
	counters := key.Without(k, p.window)
	if !p.unbiased(counters) {
		return 0
	}
	var over K
	for nodes := walkNodes; nodes <= p.most; nodes *= 2 {
		p.left = nodes
		found := asShare(p.walk(top, region, counters, over))
		p.nodes += nodes - p.left
		if p.left > 0 {
			if nodes == p.most {
				p.late++
				p.lateFound += found
			}
			return found
		}
	}
	p.undecided++
	return (p.lateFound + 1) / (p.late + 2) / 2
}

func asShare(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// region is the region of a state; bit j is the position top-j.
func (p *past[K]) region(at int, k K) (top int, region K) {
	top = min(at+p.a.Window, p.a.Steps()) - 1
	for j := range min(p.a.Window, top+1) {
		if b := top - j - at; b < 0 || k[b>>6]>>(b&63)&1 != 0 {
			region[j>>6] |= 1 << (j & 63)
		}
	}
	return top, region
}

// walk reports whether a region can be tiled, over being what is already known
// to reach over the edge of the base.
func (p *past[K]) walk(top int, region, counters, over K) bool {
	for region[0]&1 == 0 && top >= p.stop {
		top, region = p.lower(top, region)
	}
	if top < p.stop {
		return p.stop > p.baseAt || p.base.Find(key.Union(counters, over)) >= 0
	}
	if p.left--; p.left <= 0 {
		return false
	}
	peels := p.peels[top]
	p.looks += len(peels)
	next := p.anyOf(len(peels))
	for range peels {
		x := &peels[next]
		if next++; next == len(peels) {
			next = 0
		}
		if x.first >= p.at || !key.Matches(region, x.mask, x.mask) {
			continue
		}
		if c, ok := p.uncount(counters, x); ok && p.walk(top, key.Without(region, x.mask), c, key.Union(over, x.over)) {
			return true
		}
	}
	if top < p.at && p.optional[top] {
		region[0] &^= 1
		return p.walk(top, region, counters, over)
	}
	return false
}

// anyOf is a number below n, the next of a sequence.
func (p *past[K]) anyOf(n int) int {
	p.turn = p.turn*6364136223846793005 + 1442695040888963407 // Knuth's MMIX
	return int(p.turn >> 33 * uint64(n) >> 31)
}

// lower drops the highest items of a region that are not in it, at most a
// window's length of them. Below its other end all are.
func (p *past[K]) lower(top int, region K) (int, K) {
	w := p.a.Window
	n := min(key.TrailingZeros(region), w)
	region = key.ShiftRight(region, n)
	for b := w - n; b < w && top-n-b >= 0; b++ {
		region[b>>6] |= 1 << (b & 63)
	}
	return top - n, region
}

// uncount takes an option out of the counters, unless the base has it in its
// own.
func (p *past[K]) uncount(counters K, x *peel[K]) (K, bool) {
	c := key.Difference(counters, x.add)
	ok := key.Matches(c, x.test, x.want) && key.Disjoint(counters, x.guard) && key.Disjoint(c, x.guard) && p.unbiased(c)
	if x.first < p.baseAt {
		return counters, ok
	}
	return c, ok
}

// unbiased reports that no counter is below that of an empty past.
func (p *past[K]) unbiased(counters K) bool {
	return automaton.Reached(counters, p.biases)
}

// predecessors calls do with every state that some move takes to k of the next
// level, once for each move, reachable or not.
func predecessors[K key.Key](k K, t *automaton.Transition[K], do func(K)) {
	for s := range t.Streams {
		from, n := t.Streams[s].Origins(k, t.Window)
		for _, q := range slices.Backward(from[:n]) {
			do(q)
		}
	}
}
