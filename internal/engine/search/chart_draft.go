package search

import (
	"context"
	"slices"
	"time"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/key"
)

// chartBuilder builds a chart.
type chartBuilder interface {
	explore(most int) bool
	forecast() float64
	chart() *chart
}

const (
	// trialPlaces is the number of places found between two forecasts: about half a millisecond.
	trialPlaces = 1 << 12
	// fewPlaces is a number of places that takes less time than making matrices and probing
	// the search in them.
	fewPlaces = 1 << 14
	// placeNanos is the cost of a place, in nanoseconds, dead ends included.
	placeNanos = 500
	// mostForCopies is the largest number of items in an order for which a chart of pieces in
	// several copies is built; the sweep counts larger boards. (Monomers and dimers on 16x16: a
	// chart was given up after 50 ms, and the sweep took 100 ms.)
	mostForCopies = 128
)

// begin begins a chart in the first order of the problem, and finishes it if it is small.
func (d *draft) begin(ctx context.Context) {
	if d.coloured() || len(d.problem.Orders) == 0 || len(d.problem.Orders[0]) > mostForCopies && !IsOfSingles(d.problem) {
		return
	}
	if d.chartBuilder = d.newBuilder(d.problem.Orders[0]); d.chartBuilder == nil {
		return
	}
	d.done = d.goOn(ctx, fewPlaces)
}

// goOn explores as long as the forecast is at most most places. It reports whether it is done.
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

// make builds the chart, once, and probes its walk. It returns false if it fails.
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

// isBetter reports whether building the chart and walking in it take less time than the walk with
// matrices.
func (d *draft) isBetter(ctx context.Context, s *Space) bool {
	if d.chartBuilder == nil || d.done && d.chart == nil || !d.done && (d.forecast() > mostPlaces || !IsOfSingles(d.problem)) {
		return false // right trominoes on 12x12: 331 ms for a chart, 4 ms for a sweep
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

// draft is a chart in the making, and the space that it is for.
type draft struct {
	*compiler
	chartBuilder
	space Space // with all options
	done  bool  // explored
	chart *chart
	walk  float64 // forecast of its walk, in seconds
}

// use returns a space that walks in the chart.
func (d *draft) use() *Space {
	d.space.engine = d.chart
	return &d.space
}

// coloured reports whether an option has a colour on an item that binds.
func (d *draft) coloured() bool {
	return slices.ContainsFunc(d.options, func(o int32) bool {
		return slices.ContainsFunc(d.problem.Options[o], func(u cover.Use) bool {
			return u.Colour != 0 && d.items[u.Item].binds
		})
	})
}

// newBuilder begins a chart in an order. It returns nil if the problem does not fit a chart.
func (d *draft) newBuilder(order []int) chartBuilder {
	ground := 0
	place := make([]int, len(d.items)) // by item: its index in the ground or, from ground on, its field
	for i := range place {
		place[i] = none
	}
	for _, i := range order {
		if it := &d.items[i]; it.binds && it.single && place[i] == none {
			place[i] = ground
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
	v := &builder[K]{watch: &d.looks, ground: ground, steps: make([][]step[K], ground), over: make([][]K, ground)}
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
	v.kinds = []kind{{0, 1}} // the kind for bare items
	kinds := map[kind]int{v.kinds[0]: 0}
	for k, o := range d.options {
		first, s, what := d.step(d.problem.Options[o], place, ground, &v.capacities)
		if first == ground {
			return nil
		}
		what.weight = weightOf(d.weights, int32(k))
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

// IsOfSingles reports whether each option of p uses an item with Max 1, such as a piece with one
// copy, that is not in the first order. It returns false if p has no orders.
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
