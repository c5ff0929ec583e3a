package search

import "math/rand/v2"

const (
	// wayNanos and placeVisitNanos are the nanoseconds that the walk takes for a way and a place.
	wayNanos        = 3
	placeVisitNanos = 8
	// placeProbeNanos is the time of a probe, in nanoseconds, for a place that it visits.
	placeProbeNanos = 60
)

// larger is the factor by which crowds in a chart are larger than requested: a place takes
// a hundredth of the time of a node. (Pentominoes on 4x15, 16 probes: with 1 the walk may take six
// times the forecast, with 8 twice the forecast.)
const larger = 8

// chartCrowds are those of a chart.
type chartCrowds struct {
	*chart
	rng   *rand.Rand
	nanos float64 // of all probes
}

func (c *chart) crowds(rng *rand.Rand) crowds { return &chartCrowds{chart: c, rng: rng} }

func (c *chartCrowds) work() (counted, all float64) { return c.nanos, c.nanos }

func (c *chartCrowds) crowd(size int, _ func() bool) (found probed, ok bool) {
	members, times := []spot{c.top()}, 1.0
	for len(members) > 0 {
		next := draw[spot]{rng: c.rng, size: larger * size}
		for i := range members {
			c.nanos += placeProbeNanos + wayNanos*float64(members[i].ways)
			c.expand(&members[i], times, &found, &next)
		}
		members, times = next.drawn, times*next.each()
	}
	return found, true
}

// expand adds the ways of a place that represents times places to found, and offers their places to
// next.
func (c *chart) expand(e *spot, times float64, found *probed, next *draw[spot]) {
	found.nodes += times
	found.tries += times * float64(e.ways)
	found.nanos += times * (placeVisitNanos + wayNanos*float64(e.ways))
	for k := range uint32(e.ways) {
		w := &c.ways[e.at+k]
		if !fits(e.left, w.low, w.high, c.capacities.guard) {
			continue
		}
		of := c.kinds[w.kind]
		if w.ways == 0 {
			found.solutions += times * float64(e.weight*of.weight)
		} else if place := next.offer(); place != nil {
			*place = spot{at: w.to, ways: w.ways, left: e.left - of.use, weight: e.weight * of.weight}
		}
	}
}
