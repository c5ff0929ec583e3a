package search

import "math/rand/v2"

// probed is what a crowd expects of the whole tree.
type probed struct{ tries, nanos, solutions float64 }

func (p *probed) add(q probed, times float64) {
	p.tries += times * q.tries
	p.nanos += times * q.nanos
	p.solutions += times * q.solutions
}

// crowds are those of one engine.
type crowds interface {
	// crowd goes down once from the root; if it gets late it returns false.
	crowd(size int, late func() bool) (found probed, ok bool)
	// work is that of all probes in nanoseconds, as the constants say: what counts for the limit,
	// and what counts for being late.
	work() (counted, all float64)
}

// draw is a number of things, drawn from all that are offered with equal probability.
type draw[T any] struct {
	rng     *rand.Rand
	size    int
	offered int
	drawn   []T
}

// offer returns the place of another thing, or nil if it is not drawn. What was there is
// drawn no longer.
func (d *draw[T]) offer() *T {
	d.offered++
	if len(d.drawn) < d.size {
		var none T
		d.drawn = append(d.drawn, none)
		return &d.drawn[len(d.drawn)-1]
	}
	if k := d.rng.IntN(d.offered); k < d.size {
		return &d.drawn[k]
	}
	return nil
}

// crowd goes down a tree from its top. Expand is told of a node of each depth that was drawn and
// how many nodes it stands for, and offers its children; false ends the crowd, which is then no good.
func crowd[T any](rng *rand.Rand, size int, top T, expand func(node *T, times float64, next *draw[T]) bool) bool {
	members, times := []T{top}, 1.0
	for len(members) > 0 {
		next := draw[T]{rng: rng, size: size}
		for i := range members {
			if !expand(&members[i], times, &next) {
				return false
			}
		}
		members, times = next.drawn, times*(float64(next.offered)/float64(max(1, len(next.drawn))))
	}
	return true
}

// A try costs this much on the machine that the constants of this package were
// measured on, with its share of matrices: 8x8 pentominoes and a square, the
// Bedlam cube and 6x10 pentominoes, all within a fifth.
const (
	tryNanos   = 70
	blockNanos = 110 // for each block of a row
	// rowNanos are for each row and block where rows are many: a try that does
	// not fail looks at all of them. (1,000 rows of 60x60 squares.)
	rowNanos = 1.1
	// lookNanos are for each row and block that is looked at, where a matrix is too
	// large for the caches: 2.6 to 8. (Boards from 16x16 to 64x64, dominoes of 5 to 100
	// names.)
	lookNanos = 4
	// fillNanos are for each row and block of the matrix that a probe begins with.
	fillNanos = 5
)

// prober is the crowds of matrices.
type prober struct {
	*walker
	rng   *rand.Rand
	root  *frame // settled; nil: not yet, or nothing is left to decide
	top   probed // what is known of the root
	nanos float64
}

func (m *matrices) crowds(rng *rand.Rand) crowds {
	return &prober{walker: &walker{matrices: m}, rng: rng}
}

func (p *prober) work() (counted, all float64) {
	return p.nanos, max(p.nanos, lookNanos*float64(p.looked))
}

func (p *prober) crowd(size int, late func() bool) (found probed, ok bool) {
	p.stop, p.ended = late, false
	if p.top.tries == 0 && !p.settle() {
		return found, false
	}
	found = p.top
	if p.root == nil {
		return found, true
	}
	ok = crowd(p.rng, size, p.root.copyTo(&frame{}), func(f **frame, times float64, next *draw[*frame]) bool {
		p.expand(*f, times, &found, next)
		return !p.ended
	})
	return found, ok
}

// settle settles the root; it reports false if it gets late.
func (p *prober) settle() bool {
	f := p.matrices.root(p.stopped)
	p.nanos += fillNanos * float64(len(f.active)) * float64(p.rows)
	if p.stopped() {
		return false
	}
	v := p.descend(f, nothing)
	if p.stopped() {
		return false
	}
	p.top = probed{tries: 1, nanos: cost(f)}
	switch v {
	case solved:
		p.top.solutions = float64(p.frames[1].weight)
	case branched:
		p.root = p.frames[1].copyTo(&frame{})
	}
	return true
}

// cost is what a try of a frame is expected to cost, in nanoseconds.
func cost(f *frame) float64 { return tryNanos + blockNanos*float64(len(f.active)) }

// descend is the walker's from a frame outside its own, to its frame 1, and adds to the
// work.
func (p *prober) descend(f *frame, column int) verdict {
	p.begin(f)
	p.nanos += tryNanos + float64(len(f.active))*max(blockNanos, rowNanos*float64(len(f.open)))
	return p.walker.descend(0, column)
}

// expand tries all choices of a frame that stands for so many, and offers those that
// branch. If it gets late it leaves off.
func (p *prober) expand(f *frame, times float64, found *probed, next *draw[*frame]) {
	p.unfold(f)
	if uint32(f.branch) == slackItem {
		found.solutions += times * float64(f.weight)
	}
	for !p.stopped() && f.step(p.matrices) {
		found.tries += times
		found.nanos += times * cost(f)
		switch p.descend(f, f.column()) {
		case solved:
			found.solutions += times * float64(p.frames[1].weight)
		case branched:
			if place := next.offer(); place != nil {
				if *place == nil {
					*place = &frame{}
				}
				p.frames[1].copyTo(*place)
			}
		}
	}
}

const (
	// wayNanos and placeVisitNanos are the nanoseconds that the walk takes for a way and a place.
	wayNanos        = 3
	placeVisitNanos = 8
	// placeProbeNanos is the time of a probe, in nanoseconds, for a place that it visits.
	placeProbeNanos = 60
	// larger is the factor by which crowds in a chart are larger than requested: a place takes
	// a hundredth of the time of a node. (Pentominoes on 4x15, 16 probes: with 1 the walk may
	// take six times the forecast, with 8 twice the forecast.)
	larger = 8
)

// chartProber is the crowds of a chart.
type chartProber struct {
	*chart
	rng   *rand.Rand
	nanos float64 // of all probes
}

func (c *chart) crowds(rng *rand.Rand) crowds { return &chartProber{chart: c, rng: rng} }

func (p *chartProber) work() (counted, all float64) { return p.nanos, p.nanos }

func (p *chartProber) crowd(size int, _ func() bool) (found probed, ok bool) {
	ok = crowd(p.rng, larger*size, p.top(), func(s *spot, times float64, next *draw[spot]) bool {
		p.nanos += placeProbeNanos + wayNanos*float64(s.ways)
		found.tries += times * float64(s.ways)
		found.nanos += times * (placeVisitNanos + wayNanos*float64(s.ways))
		for _, to := range p.below(s) {
			if to.ways == 0 {
				found.solutions += times * float64(to.weight)
			} else if place := next.offer(); place != nil {
				*place = to
			}
		}
		return true
	})
	return found, ok
}
