package frontier

import "math/bits"

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
type past[K key] struct {
	a        *Automaton
	window   K
	base     level[K]
	baseAt   int
	horizon  int
	peels    [][]peel[K] // by the position of the last item; none before the base
	optional []bool      // by position
	biases   []floor

	at, stop  int // of the present walk: the state's level, where it ends
	left      int // nodes
	most      int // nodes of an attempt
	nodes     int // of all walks
	turn      uint64
	undecided int
	// of walks that were decided only in their last attempt: all, and those of
	// reachable states
	late, lateFound float64
}

// peel is a move as a walk sees it.
type peel[K key] struct {
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

func newPast[K key](a *Automaton, base level[K], at int) *past[K] {
	p := &past[K]{
		a: a, window: narrow[K](a.window), base: base, baseAt: at, horizon: a.Window, most: mostNodes,
		peels: make([][]peel[K], len(a.steps)), optional: make([]bool, len(a.steps)),
	}
	if len(a.counters) > 0 {
		p.horizon, p.most = len(a.steps), mostCounting
	}
	for i := range a.steps {
		for _, m := range a.steps[i].moves {
			if m.variable == NoOption {
				p.optional[i] = m.test == wide{}
			} else {
				p.add(i, m)
			}
		}
	}
	for _, c := range a.counters {
		p.biases = append(p.biases, floor{at: c.at, width: c.width + c.guardBits(), least: c.bias})
	}
	return p
}

// add files a move of step i under its last item.
func (p *past[K]) add(i int, m move) {
	last := 0
	var over wide
	for b := range p.a.Window {
		if m.add.has(b) {
			last = b
			if i < p.baseAt && i+b >= p.baseAt {
				over.set(i + b - p.baseAt)
			}
		}
	}
	if i+last < p.baseAt {
		return
	}
	var mask wide
	for b := range last + 1 {
		if m.add.has(b) {
			mask.set(last - b)
		}
	}
	x := peel[K]{mask: narrow[K](mask), over: narrow[K](over), first: i}
	x.test, x.want = without(narrow[K](m.test), p.window), without(narrow[K](m.want), p.window)
	x.add, x.guard = without(narrow[K](m.add), p.window), narrow[K](m.guard)
	p.peels[i+last] = append(p.peels[i+last], x)
}

func (w *wide) has(bit int) bool { return w[bit>>6]>>(bit&63)&1 != 0 }

// reachable is 1 if a state of a level from the base on is, and 0 if not. If
// that is not found out, which is counted, it is half the share of those that
// were, of the walks that took longest: rather too low, and the estimate too
// high. (8x8 pentominoes and a square: 260 million states are expected with the
// share, 480 with nothing, and there are 152; squares on 10x10 0.6 and 0.9 of
// those that there are.)
func (p *past[K]) reachable(at int, k K) float64 {
	if at == p.baseAt {
		return asShare(p.base.find(k) >= 0)
	}
	p.at, p.stop = at, max(p.baseAt, at-p.horizon)
	top, region := p.region(at, k)
	counters := without(k, p.window)
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
	top = min(at+p.a.Window, len(p.a.steps)) - 1
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
		return p.stop > p.baseAt || p.base.find(union(counters, over)) >= 0
	}
	if p.left--; p.left <= 0 {
		return false
	}
	peels := p.peels[top]
	next := p.anyOf(len(peels))
	for range peels {
		x := &peels[next]
		if next++; next == len(peels) {
			next = 0
		}
		if x.first >= p.at || !matches(region, x.mask, x.mask) {
			continue
		}
		if c, ok := p.uncount(counters, x); ok && p.walk(top, without(region, x.mask), c, union(over, x.over)) {
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
	n := min(trailingZeros(region), w)
	region = shiftRight(region, n)
	for b := w - n; b < w && top-n-b >= 0; b++ {
		region[b>>6] |= 1 << (b & 63)
	}
	return top - n, region
}

// uncount takes an option out of the counters, unless the base has it in its
// own.
func (p *past[K]) uncount(counters K, x *peel[K]) (K, bool) {
	c := difference(counters, x.add)
	ok := matches(c, x.test, x.want) && disjoint(counters, x.guard) && disjoint(c, x.guard) && p.unbiased(c)
	if x.first < p.baseAt {
		return counters, ok
	}
	return c, ok
}

// unbiased reports that no counter is below that of an empty past.
func (p *past[K]) unbiased(counters K) bool {
	for _, f := range p.biases {
		if !f.ok(counters[f.at>>6]) {
			return false
		}
	}
	return true
}

// predecessors calls do with every state that some move takes to k of the next
// level, once for each move, reachable or not.
func (p *past[K]) predecessors(k K, streams []stream[K], do func(K)) {
	var none K
	u := unshift(k, p.window, 1)
	for s := range streams {
		st := &streams[s]
		if q := difference(u, st.add); matches(q, st.test, st.want) && disjoint(u, st.guard) {
			do(q)
		}
		if st.variable == Skip && st.test == none {
			do(unshift(k, p.window, 0))
		}
	}
}

func union[K key](a, b K) K {
	for i := 0; i < len(a); i++ {
		a[i] |= b[i]
	}
	return a
}

func trailingZeros[K key](a K) int {
	for i := 0; i < len(a); i++ {
		if a[i] != 0 {
			return 64*i + bits.TrailingZeros64(a[i])
		}
	}
	return 64 * len(a)
}

// shiftRight shifts all bits down.
func shiftRight[K key](a K, n int) (shifted K) {
	for i := n >> 6; i < len(a); i++ {
		x := a[i] >> (n & 63)
		if i+1 < len(a) {
			x |= a[i+1] << 1 << (63 - n&63)
		}
		shifted[i-n>>6] = x
	}
	return shifted
}
