package search

import (
	"slices"

	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

type chartBuilder interface {
	explore(most int) bool
	forecast() float64
	chart() *chart
}

// mostGround is the largest number of ground items of a chart.
const mostGround = 128

// newBuilder begins a chart in the first order of the problem, or returns nil if none is possible.
func (c *compiler) newBuilder() chartBuilder {
	if len(c.problem.Orders) == 0 || len(c.problem.Orders[0]) > mostGround {
		return nil
	}
	ground := 0
	// place[i] is the index of a ground item i, or ground plus the index of the field of item i.
	place := slices.Repeat([]int{none}, len(c.items))
	for _, i := range c.problem.Orders[0] {
		if it := &c.items[i]; it.binds && it.single {
			place[i] = ground
			ground++
		}
	}
	switch {
	case ground == 0:
		return nil
	case ground <= 64:
		return builderOf[[1]uint64](c, place, ground)
	}
	return builderOf[[2]uint64](c, place, ground)
}

func builderOf[K key.Key](c *compiler, place []int, ground int) chartBuilder {
	v := &builder[K]{
		watch: &c.looks, ground: ground, steps: make([][]step[K], ground), over: make([][]K, ground),
		kinds: []kind{{0, 1}}, // the kind of all ways that leave an item uncovered
		found: make([][]int32, ground+1), index: make([]int32, 1<<12), places: make([]site[K], 0, 1<<11),
		done: make([]looked, 0, 1<<10), arcs: make([]arc, 0, 1<<11),
	}
	var bounds []bound
	for i := range c.items {
		switch it := &c.items[i]; {
		case !it.binds:
		case place[i] == none:
			place[i] = ground + len(bounds)
			bounds = append(bounds, bound{it.bound.need, int32(min(int64(it.bound.room), it.total))})
		case it.bound.need == 0:
			s := step[K]{option: none}
			s.covers[place[i]>>6] |= 1 << (place[i] & 63)
			v.add(place[i], s)
		}
	}
	var ok bool
	if v.capacities, ok = newCapacities(bounds); !ok {
		return nil
	}
	kinds := map[kind]int{v.kinds[0]: 0}
	for k, o := range c.options {
		s, what, first := step[K]{option: int32(k)}, kind{weight: uint64(c.weights[k])}, ground
		for _, u := range c.problem.Options[o] {
			switch at := place[u.Item]; {
			case !c.items[u.Item].binds:
			case u.Colour != 0:
				return nil
			case at < ground:
				s.covers[at>>6] |= 1 << (at & 63)
				first = min(first, at)
			default:
				what.use += uint64(c.scaled(u).Times) << ((at - ground) * v.capacities.width)
			}
		}
		n, known := kinds[what]
		if !known {
			n = len(v.kinds)
			kinds[what] = n
			v.kinds = append(v.kinds, what)
		}
		if s.kind = uint16(n); int(s.kind) != n || first == ground {
			return nil
		}
		v.add(first, s)
	}
	var bare K
	v.reach(bare, 0)
	return v
}

func (v *builder[K]) add(first int, s step[K]) {
	v.steps[first] = append(v.steps[first], s)
	key.EachBit(s.covers, func(item int) { v.over[item] = append(v.over[item], s.covers) })
}

type builder[K key.Key] struct {
	watch      *interrupt.Watch
	ground     int
	steps      [][]step[K] // indexed by the first item that a step covers
	kinds      []kind
	capacities capacities
	over       [][]K // by item: for each step that covers it, all items that the step covers
	places     []site[K]
	found      [][]int32 // places that are no dead ends, indexed by their first free item
	index      []int32   // hash table of 1 + an index in places; 0 means empty
	done       []looked
	arcs       []arc
	at         int // first free item of the places that are explored now
	explored   int // number of places in found[at] that are explored
	begun      int // length of done before the first place in found[at] was explored
}

type site[K key.Key] struct {
	covered K
	spent   uint64 // for each capacity, the least number of uses on a path to the place
	dead    bool   // one of the next free items cannot be covered
}

type looked struct {
	place int32
	end   uint32
}

type arc struct {
	to     int32
	option int32
	kind   uint16
}

// mostPlaces limits the number of explored places. A builder needs about 100 bytes for each place.
const mostPlaces = 1 << 17

func (s *site[K]) hash() uint64 { return hashOf(s.covered) }

func hashOf[K key.Key](k K) (h uint64) {
	for i := range len(k) {
		h = key.Mix(h, k[i])
	}
	return h
}

// reach returns the index of the place where the items k are covered, or none if it is a dead end.
// The argument spent has, for each capacity, the uses by the options that cover k.
func (v *builder[K]) reach(k K, spent uint64) int32 {
	mask := len(v.index) - 1
	at := int(hashOf(k)) & mask
	for ; v.index[at] != 0; at = (at + 1) & mask {
		p := &v.places[v.index[at]-1]
		if p.covered != k {
			continue
		}
		if p.dead {
			return none
		}
		p.spent = v.capacities.least(p.spent, spent)
		return v.index[at] - 1
	}
	n, dead := int32(len(v.places)), v.stranded(k)
	v.index[at] = n + 1
	v.places = push(v.places, site[K]{k, spent, dead})
	if 2*len(v.places) > len(v.index) {
		v.index = rehashed(v.index, v.places, (*site[K]).hash)
	}
	if dead {
		return none
	}
	c := key.TrailingOnes(k)
	v.found[c] = push(v.found[c], n)
	return n
}

// lookout is the number of free items that are checked at each place. (For pentominoes on 6x10 the
// values 3, 5 and 12 need the same time. With 0 the builder has three times as many places.)
const lookout = 5

func (v *builder[K]) stranded(covered K) bool {
	passed := covered
	for range lookout {
		c := key.TrailingOnes(passed)
		if c == v.ground {
			break
		}
		passed[c>>6] |= 1 << (c & 63)
		over := v.over[c]
		at := slices.IndexFunc(over, func(o K) bool { return key.Disjoint(o, covered) })
		if at < 0 {
			return true
		}
		over[0], over[at] = over[at], over[0] // the option that fits now is likely to fit next time
	}
	return false
}

// explore finds all places and returns true. It returns false if it is interrupted, if it has
// len(v.places) ≥ 2·most, or if it turns to another first free item and has len(v.places) ≥ most.
// The next call goes on.
func (v *builder[K]) explore(most int) bool {
	for ; v.at < v.ground; v.at, v.explored = v.at+1, 0 {
		if v.explored == 0 {
			if len(v.places) >= most {
				return false
			}
			v.begun = len(v.done)
		}
		for ; v.explored < len(v.found[v.at]); v.explored++ {
			if len(v.places) >= 2*most || len(v.done) > mostPlaces || v.watch.Work(len(v.steps[v.at])) != nil {
				return false
			}
			v.look(v.found[v.at][v.explored])
		}
	}
	return true
}

func (v *builder[K]) look(p int32) {
	k, spent := v.places[p].covered, v.places[p].spent
	left := v.capacities.room - spent
	steps := v.steps[v.at]
	for i := range steps {
		s := &steps[i]
		if !key.Disjoint(s.covers, k) {
			continue
		}
		use := v.kinds[s.kind].use
		if !v.capacities.allows(left, use) {
			continue
		}
		if to := v.reach(key.Union(s.covers, k), spent+use); to != none {
			v.arcs = push(v.arcs, arc{to, s.option, s.kind})
		}
	}
	v.done = push(v.done, looked{p, uint32(len(v.arcs))})
}

func push[T any](list []T, x T) []T {
	if len(list) == cap(list) {
		list = slices.Grow(list, 3*len(list))
	}
	return append(list, x)
}

// forecast returns the expected number of places. For each item that is not explored yet, it adds
// 0.7 times the places of the last explored item. If that item has more places than all items
// before it together, forecast returns more than mostPlaces.
func (v *builder[K]) forecast() float64 {
	last := len(v.done) - v.begun
	if last > v.begun || v.explored > 0 {
		return 2 * mostPlaces
	}
	return float64(len(v.done)) + 0.7*float64(last*(v.ground-v.at))
}

type seen struct {
	low, high uint64 // for each capacity, the bounds of the uses by a cover of the free items
	to        uint32
	ways      uint16
	live      bool
}

// chart returns the chart, or nil if the ground cannot be covered. It adds the last place first,
// since the bounds of a place depend on the places to which its ways lead.
func (v *builder[K]) chart() *chart {
	c := &chart{kinds: v.kinds, capacities: v.capacities}
	c.ways, c.options = make([]way, 0, len(v.arcs)), make([]int32, 0, len(v.arcs))
	places := make([]seen, len(v.places))
	for _, end := range v.found[v.ground] {
		places[end].live = true
	}
	for i := len(v.done) - 1; i >= 0; i-- {
		from := uint32(0)
		if i > 0 {
			from = v.done[i-1].end
		}
		p := &places[v.done[i].place]
		p.to = uint32(len(c.ways))
		for _, a := range v.arcs[from:v.done[i].end] {
			if to := &places[a.to]; to.live {
				c.add(a, to, p, v.places[v.done[i].place].spent)
			}
		}
		n := len(c.ways) - int(p.to)
		if p.ways = uint16(n); int(p.ways) != n {
			return nil
		}
		p.live = n > 0
	}
	if root := places[0]; root.live && root.ways > 0 {
		c.root, c.roots = root.to, root.ways
		return c
	}
	return nil
}

func (c *chart) add(a arc, to, p *seen, spent uint64) {
	s := &c.capacities
	k := c.kinds[a.kind]
	if !s.allows(s.room-k.use, to.low) || !s.allows(s.room-spent, k.use+to.low) {
		return
	}
	low, high := k.use+to.low, s.plus(k.use, to.high)
	if len(c.ways) == int(p.to) {
		p.low, p.high = low, high
	} else {
		p.low, p.high = s.least(p.low, low), s.most(p.high, high)
	}
	c.ways = append(c.ways, way{low, s.plus(high, s.slack), to.to, to.ways, a.kind})
	c.options = append(c.options, a.option)
}
