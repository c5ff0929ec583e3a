package search

import (
	"context"
	"slices"
	"time"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/key"
)

// chartBuilder makes a chart.
type chartBuilder interface {
	explore(most int) bool
	forecast() float64
	chart() *chart
}

const (
	// trialPlaces are found before it is asked how many there will be; it takes about half a
	// millisecond.
	trialPlaces = 1 << 12
	// fewPlaces take less time than to make matrices and to ask what the search there
	// will take.
	fewPlaces = 1 << 14
	// placeNanos is what it costs to look at a place, with those that are dead ends.
	placeNanos = 500
	// mostForCopies are the items of a board that a chart of pieces in several copies is made of;
	// larger ones are swept. (Monomers and dimers on 16x16: 50 ms to see that, for a sweep of 100.)
	mostForCopies = 128
)

// begin begins a chart in the first order of the problem. It is done at once if it is small.
func (d *draft) begin(ctx context.Context) {
	if !d.collect() || len(d.problem.Orders) == 0 || len(d.problem.Orders[0]) > mostForCopies && !IsOfSingles(d.problem) {
		return
	}
	if d.chartBuilder = d.newBuilder(d.problem.Orders[0]); d.chartBuilder == nil {
		return
	}
	d.done = d.goOn(ctx, fewPlaces)
}

// goOn goes on as long as no more places than so many are foreseen.
func (d *draft) goOn(ctx context.Context, most float64) bool {
	for step := trialPlaces; ctx.Err() == nil; step += trialPlaces {
		if d.explore(step) {
			return true
		}
		if d.forecast() > most {
			return false
		}
	}
	return false
}

// make makes the chart.
func (d *draft) make(ctx context.Context) bool {
	if d.chart == nil {
		if d.chart = d.chartBuilder.chart(); d.chart == nil {
			return false
		}
		e, err := d.use().Prober(seedOfChoice).Probe(ctx, walkProbes, 0)
		if err != nil {
			return false
		}
		d.walk = e.Seconds
		d.chart.merges = e.Seconds > longWalk && d.chart.isOfSingles()
	}
	return true
}

// isBetter reports whether the walk in the chart, and the chart, take less time than the
// walk of the matrices.
func (d *draft) isBetter(ctx context.Context, s *Space) bool {
	if d.chartBuilder == nil || d.done && d.chart == nil || !d.done && (d.forecast() > mostPlaces || !IsOfSingles(d.problem)) {
		return false // right trominoes on 12x12: 331 ms for a chart, and a sweep takes 4
	}
	e, err := s.Prober(seedOfChoice).Probe(ctx, matrixProbes, matrixWork)
	if err != nil || e.Probes == 0 {
		return false
	}
	if !d.done {
		places := min(mostPlaces, e.Seconds/2*1e9/placeNanos)
		d.done = d.goOn(ctx, places)
	}
	return d.done && d.make(ctx) && d.walk < e.Seconds && (IsOfSingles(d.problem) || d.walk < smallWalk)
}

const (
	smallWalk    = 15e-3 // seconds
	walkProbes   = 16
	matrixProbes = 32
	matrixWork   = time.Millisecond / 5
	seedOfChoice = 1
)

// draft is what charts in all orders share.
type draft struct {
	*compiler
	chartBuilder
	done     bool // explored
	chart    *chart
	walk     float64 // seconds
	options  []int32 // the problem's, that something binds
	weights  []uint32
	free     []int
	isGround []bool // by item
}

// use makes a space that walks in the chart.
func (d *draft) use() *Space {
	return &Space{options: d.options, weights: d.weights, free: d.free, restriction: d.restriction, parts: d.parts, chart: d.chart}
}

// collect finds the options to walk with; false if they have colours that bind.
func (d *draft) collect() bool {
	p := d.problem
	for o, option := range p.Options {
		if !d.usable[o] {
			continue
		}
		binds := false
		for _, u := range option {
			if d.items[u.Item].binds {
				binds = true
				if u.Colour != 0 {
					return false
				}
			}
		}
		if !binds {
			d.free = append(d.free, o)
			continue
		}
		d.options = append(d.options, int32(o))
		if d.restriction != nil {
			d.weights = append(d.weights, max(1, d.restriction.weights[o]))
		}
	}
	return true
}

// newBuilder begins a chart in an order; it is nil if the problem is none for a chart.
func (d *draft) newBuilder(order []int) chartBuilder {
	ground := 0
	d.isGround = make([]bool, len(d.items))
	place := make([]int, len(d.items)) // of an item in the order, or among the capacities
	for i := range place {
		place[i] = none
	}
	for _, i := range order {
		if it := &d.items[i]; it.binds && it.single && place[i] == none {
			place[i] = ground
			d.isGround[i] = true
			ground++
		}
	}
	switch (ground + 63) / 64 {
	case 1:
		return builderOf[[1]uint64](d, place, ground)
	case 2:
		return builderOf[[2]uint64](d, place, ground)
	case 3:
		return builderOf[[3]uint64](d, place, ground)
	case 4:
		return builderOf[[4]uint64](d, place, ground)
	}
	return nil
}

func builderOf[K key.Key](d *draft, place []int, ground int) chartBuilder {
	v := &builder[K]{watch: &d.looks, ground: ground, steps: make([][]step[K], ground)}
	var bounds []bound
	for i := range d.items {
		it := &d.items[i]
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
	v.kinds = []kind{{0, 1}} // of bare items
	kinds := map[kind]int{v.kinds[0]: 0}
	for k, o := range d.options {
		first, s, what := d.step(d.problem.Options[o], place, ground, &v.capacities)
		if first == ground {
			return nil
		}
		what.weight = 1
		if d.weights != nil {
			what.weight = uint64(d.weights[k])
		}
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

// step is what an option does on the ground and to the capacities.
func (d *draft) step(option cover.Option, place []int, ground int, s *capacities) (first int, covers key.Wide, what kind) {
	first = ground
	for _, u := range option {
		it := &d.items[u.Item]
		if !it.binds {
			continue
		}
		if at := place[u.Item]; at < ground {
			covers.Set(at)
			first = min(first, at)
		} else {
			what.use += uint64(d.scaled(u).times) << s.field(at-ground)
		}
	}
	return first, covers, what
}

// IsOfSingles reports whether each option of a problem with orders uses an item of max 1 that
// is in none of them, as a piece that is there once.
func IsOfSingles(p *cover.Problem) bool {
	if len(p.Orders) == 0 {
		return false
	}
	single := make([]bool, len(p.Items))
	for i, it := range p.Items {
		single[i] = it.Max == 1
	}
	for _, i := range p.Orders[0] {
		single[i] = false
	}
	return !slices.ContainsFunc(p.Options, func(o cover.Option) bool {
		return !slices.ContainsFunc(o, func(u cover.Use) bool { return single[u.Item] })
	})
}
