package search

import (
	"math/bits"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// chartBuilder builds a chart.
type chartBuilder interface {
	explore(most int) bool
	forecast() float64
	chart() *chart
}

// newBuilder begins a chart in the first order of the problem. It returns nil if the problem does not
// fit a chart.
func (c *compiler) newBuilder() chartBuilder {
	coloured := func(o int32) bool {
		return slices.ContainsFunc(c.problem.Options[o], func(u cover.Use) bool {
			return u.Colour != 0 && c.items[u.Item].binds
		})
	}
	if len(c.problem.Orders) == 0 || slices.ContainsFunc(c.options, coloured) {
		return nil
	}
	ground := 0
	place := slices.Repeat([]int{none}, len(c.items)) // by item: its index in the ground or, from ground on, its field
	for _, i := range c.problem.Orders[0] {
		if it := &c.items[i]; it.binds && it.single && place[i] == none {
			place[i] = ground
			ground++
		}
	}
	switch (ground + 63) / 64 {
	case 1:
		return builderOf[[1]uint64](c, place, ground)
	case 2:
		return builderOf[[2]uint64](c, place, ground)
	case 3:
		return builderOf[[3]uint64](c, place, ground)
	case 4:
		return builderOf[[4]uint64](c, place, ground)
	}
	return nil
}

func builderOf[K key.Key](c *compiler, place []int, ground int) chartBuilder {
	v := &builder[K]{watch: &c.looks, ground: ground, steps: make([][]step[K], ground), over: make([][]K, ground)}
	var bounds []bound
	for i := range c.items {
		it := &c.items[i]
		if !it.binds {
			continue
		}
		if place[i] != none {
			if it.bound.need == 0 {
				s := step[K]{option: none}
				s.covers[place[i]>>6] |= 1 << (place[i] & 63)
				v.steps[place[i]] = append(v.steps[place[i]], s)
			}
			continue
		}
		place[i] = ground + len(bounds)
		b := it.bound
		b.room = int32(min(int64(b.room), it.total))
		bounds = append(bounds, b)
	}
	var ok bool
	if v.capacities, ok = newCapacities(bounds); !ok {
		return nil
	}
	v.kinds = []kind{{0, 1}} // the kind for bare items
	kinds := map[kind]int{v.kinds[0]: 0}
	for k, o := range c.options {
		first, s, what := c.step(c.problem.Options[o], place, ground, &v.capacities)
		if first == ground {
			return nil
		}
		what.weight = weightOf(c.weights, int32(k))
		n, known := kinds[what]
		if !known {
			n = len(v.kinds)
			kinds[what] = n
			v.kinds = append(v.kinds, what)
		}
		if n > 1<<16-1 {
			return nil
		}
		v.steps[first] = append(v.steps[first], step[K]{covers: key.Of[K](s[:]), kind: uint16(n), option: int32(k)})
	}
	v.begin()
	return v
}

// step returns the first ground item of an option (ground if it has none), all its ground items,
// and its use of the capacities.
func (c *compiler) step(option cover.Option, place []int, ground int, s *capacities) (first int, covers key.Wide, what kind) {
	first = ground
	for _, u := range option {
		it := &c.items[u.Item]
		if !it.binds {
			continue
		}
		if at := place[u.Item]; at < ground {
			covers.Set(at)
			first = min(first, at)
		} else {
			what.use += uint64(c.scaled(u).Times) << s.field(at-ground)
		}
	}
	return first, covers, what
}

// builder is a chartBuilder for keys of type K.
type builder[K key.Key] struct {
	watch      *interrupt.Watch
	ground     int
	steps      [][]step[K] // by the first item of a step
	kinds      []kind
	capacities capacities
	over       [][]K // by item: what the options that use it cover
	all        K
	places     []site[K]
	first      []int32 // by first free item: the first place of a list linked by site.next
	index      []int32 // hash table of 1 + a place
	done       []looked
	arcs       []arc
	at         int   // the first free item of the places that are explored now
	next       int32 // the next of these places
	begun      int   // length of done before the first of these places
}

// site is a place while the chart is built.
type site[K key.Key] struct {
	covered K
	spent   uint64 // minimum, over all ways to the place, of the use of the capacities
	next    int32  // the next place with the same first free item
}

// looked is an explored place, and the end of its arcs.
type looked struct {
	place int32
	end   uint32
}

// arc is a way before its bounds are computed.
type arc struct {
	to     int32
	option int32
	kind   uint16
}

const deadEnd = -2

// mostPlaces limits the explored places and so the memory of a builder, about 100 bytes a place.
const mostPlaces = 1 << 17

func (v *builder[K]) begin() {
	v.first = slices.Repeat([]int32{none}, v.ground+1)
	v.index = make([]int32, 1<<12)
	v.places = make([]site[K], 0, 1<<11)
	v.done = make([]looked, 0, 1<<10)
	v.arcs = make([]arc, 0, 1<<11)
	for i := range len(v.all) {
		v.all[i] = key.LowBits(min(64, max(0, v.ground-64*i)))
	}
	for _, list := range v.steps {
		for _, s := range list {
			for c := range v.ground {
				if key.Has(s.covers, c) {
					v.over[c] = append(v.over[c], s.covers)
				}
			}
		}
	}
	var bare K
	v.next = v.reach(bare, 0)
}

// free returns the lowest bit of a key that is not set. The key must have such a bit.
func free[K key.Key](k K) int {
	for i := range len(k) - 1 {
		if k[i] != 1<<64-1 {
			return 64*i + bits.TrailingZeros64(^k[i])
		}
	}
	return 64*(len(k)-1) + bits.TrailingZeros64(^k[len(k)-1])
}

func (s *site[K]) hash() uint64 { return hashOf(s.covered) }

func hashOf[K key.Key](k K) (h uint64) {
	for i := range len(k) {
		h = key.Mix(h, k[i])
	}
	return h
}

// reach returns the number of the place with the covered items k, and records that a way to the
// place uses spent of the capacities. It returns none if the place is a dead end: if one of its next
// free items cannot be covered.
func (v *builder[K]) reach(k K, spent uint64) int32 {
	mask := len(v.index) - 1
	at := int(hashOf(k)) & mask
	for ; v.index[at] != 0; at = (at + 1) & mask {
		p := &v.places[v.index[at]-1]
		if p.covered != k {
			continue
		}
		if p.next == deadEnd {
			return none
		}
		p.spent = v.capacities.least(p.spent, spent)
		return v.index[at] - 1
	}
	n := int32(len(v.places))
	v.index[at] = n + 1
	next, is := int32(deadEnd), int32(none)
	if !v.stranded(k) {
		c := v.ground
		if k != v.all {
			c = free(k)
		}
		next, is = v.first[c], n
		v.first[c] = n
	}
	v.places = push(v.places, site[K]{k, spent, next})
	if 2*len(v.places) > len(v.index) {
		v.index = rehashed(v.index, v.places, (*site[K]).hash)
	}
	return is
}

// lookout is how many free items of a place are looked at. (Pentominoes on 6x10: 3, 5 and 12 take the
// same time. Without, the chart has three times the places before it is gone through backwards.)
const lookout = 5

// stranded reports whether one of the first free items of a place cannot be covered.
func (v *builder[K]) stranded(covered K) bool {
	passed := covered
	for range lookout {
		if passed == v.all {
			break
		}
		c := free(passed)
		passed[c>>6] |= 1 << (c & 63)
		over := v.over[c]
		at := slices.IndexFunc(over, func(o K) bool { return key.Disjoint(o, covered) })
		if at < 0 {
			return true
		}
		over[0], over[at] = over[at], over[0] // it often fits again
	}
	return false
}

// explore goes on until all places are found, and then returns true. It stops earlier when most
// places, dead ends included, were found and the first free item changes, or when 2·most places
// were found. (The Bedlam cube has about 2,000 at its third item and 60,000 at its fourth.)
func (v *builder[K]) explore(most int) bool {
	for v.at < v.ground {
		if !v.inMidst() {
			if len(v.places) >= most {
				return false
			}
			v.begun = len(v.done)
		}
		for v.next != none {
			if len(v.places) >= 2*most {
				return false
			}
			p := v.next
			v.next = v.places[p].next
			v.look(p)
			if len(v.done) > mostPlaces || v.watch.Work(len(v.steps[v.at])) != nil {
				return false
			}
		}
		v.at++
		v.next = v.first[v.at]
	}
	return true
}

// inMidst reports whether some places with the present first free item were explored.
func (v *builder[K]) inMidst() bool { return v.next != v.first[v.at] }

// look finds the arcs of a place.
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

// push appends to a list, and makes a full list four times as large. (append, which makes large
// lists a quarter larger, took a fifth of the time on 6x10.)
func push[T any](list []T, x T) []T {
	if len(list) == cap(list) {
		list = slices.Grow(list, 3*len(list))
	}
	return append(list, x)
}

// forecast returns the expected number of explored places in the end. Each further item is expected
// to have 0.7 times the places of the last item. If the last item had more places than all items
// before it, or is not finished, forecast returns more than mostPlaces. (Pentominoes on 6x10:
// forecasts of 27,000 to 61,000 places, and 38,000 in the end.)
func (v *builder[K]) forecast() float64 {
	last := len(v.done) - v.begun
	if last > v.begun || v.inMidst() {
		return 2 * mostPlaces
	}
	return float64(len(v.done)) + 0.7*float64(last*(v.ground-v.at))
}

// seen is a place whose ways are in the chart.
type seen struct {
	low, high uint64 // least and most use of the capacities by a covering of the rest
	to        uint32
	ways      uint16
	live      bool
}

// chart returns the chart after the exploration. It adds the last place first, so that the bounds
// of a place are known before those of the ways to it. It returns nil if the ground cannot be
// covered.
func (v *builder[K]) chart() *chart {
	c := &chart{kinds: v.kinds, capacities: v.capacities}
	c.ways, c.options = make([]way, 0, len(v.arcs)), make([]int32, 0, len(v.arcs))
	places := make([]seen, len(v.places))
	if end := v.first[v.ground]; end != none {
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
		if p.live = n > 0; p.live {
			c.places++
		}
	}
	if root := places[0]; root.live && root.ways > 0 {
		c.root, c.roots = root.to, root.ways
		return c
	}
	return nil
}

// add adds a way from p to the place to, if the capacities suffice.
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
