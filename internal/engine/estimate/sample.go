package estimate

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
)

// particle is a state that stands for weight states of its level.
type particle[K key.Key] struct {
	key    K
	weight float64
	parent int32 // of the level before
}

// population is a sample on its way from the base to the last level.
type population[K key.Key] struct {
	*past[K]
	rng  *rand.Rand
	tilt *tilt[K]
	size int // particles, at most

	now     []particle[K]   // sorted by key
	older   [][]particle[K] // generations, as many as lag, the present one last
	lag     int             // between ancestors and what they are told by
	met     int             // children
	most    int             // looks that the population may take; 0: any number
	late    func() bool     // reports that the time is up; nil: it never is
	told    func(looks int) // is told after every level; nil: nobody
	short   bool            // it was ended: its last levels are foreseen, not sampled
	reached int             // the last level that was sampled, if short
}

// newPopulation draws a sample of the base.
func newPopulation[K key.Key](p *past[K], seed uint64, t *tilt[K], size int) *population[K] {
	own := *p
	own.turn = seed
	s := &population[K]{past: &own, rng: rand.New(rand.NewPCG(seed, uint64(size))), tilt: t, size: size}
	s.lag = max(1, p.a.Window*2/3)
	all := make([]particle[K], p.base.States())
	for i := range all {
		all[i] = particle[K]{key: p.base.Key(i), weight: 1}
	}
	s.now = s.draw(all)
	return s
}

// run goes to the last level, or to where no state is drawn any more, and
// returns the expected numbers of states by level behind the base.
func (s *population[K]) run(ctx context.Context) ([]float64, error) {
	states := make([]float64, s.a.Steps()-s.baseAt)
	for at := s.baseAt; at < s.a.Steps() && len(s.now) > 0; at++ {
		s.learn()
		children, err := s.children(ctx, at)
		if errors.Is(err, errEnough) { // the levels behind are foreseen from what this one has
			s.short, s.reached = true, at
			now := float64(s.base.States())
			if at > s.baseAt {
				now = states[at-s.baseAt-1]
			}
			copy(states[at-s.baseAt:], s.a.Behind(at, now))
			break
		}
		if err != nil {
			return nil, err
		}
		if s.told != nil {
			s.told(s.looks)
		}
		states[at-s.baseAt] = weight(children)
		s.now = s.draw(children)
	}
	return states, nil
}

// errEnough ends a population that has taken what it may.
var errEnough = errors.New("enough was looked at")

// ended reports whether the population has taken what it may.
func (s *population[K]) ended() bool {
	return s.most > 0 && s.looks > s.most || s.late != nil && s.late()
}

// learn teaches the tilt what the present sample tells of its ancestors.
func (s *population[K]) learn() {
	s.older = append(s.older, s.now)
	if len(s.older) <= s.lag {
		return
	}
	all := s.older[0]
	ancestors := make([]particle[K], len(s.now))
	for i, d := range s.now {
		at := int32(i)
		for g := len(s.older) - 1; g > 0; g-- {
			at = s.older[g][at].parent
		}
		ancestors[i] = particle[K]{key: all[at].key, weight: d.weight}
	}
	for range 3 {
		s.tilt.learn(ancestors, all)
	}
	s.older = s.older[1:]
}

// children are the states that the sample's go to. A state that d reachable
// ones go to is met d times as often as it should be, and weighs a d-th of what
// comes to it.
func (s *population[K]) children(ctx context.Context, at int) ([]particle[K], error) {
	t := automaton.NewTransition[K](s.a, at)
	images := s.images(&t)
	var children []particle[K]
	for i := 0; i < len(images); {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if s.ended() {
			return nil, errEnough
		}
		c := images[i]
		for i++; i < len(images) && images[i].key == c.key; i++ {
			c.weight += images[i].weight
			if s.rng.Float64()*c.weight < images[i].weight {
				c.parent = images[i].parent
			}
		}
		c.weight /= s.degree(at, c.key, &t)
		children = append(children, c)
	}
	s.met += len(children)
	s.looks += looksPerChild * len(children)
	return children, nil
}

// looksPerChild is what a child costs beside its walks: to be sorted, drawn and learned from.
// (Dominoes on 30x30 took 10 s where walks are as short as that.)
const looksPerChild = 128

// images are the ends of all arcs from the sample, sorted by key.
func (s *population[K]) images(t *automaton.Transition[K]) []particle[K] {
	var images []particle[K]
	for i, x := range s.now {
		for m := range t.Streams {
			if k, ok := t.Streams[m].Image(x.key, t.Window); ok && (t.Keep == nil || t.Keep(k)) {
				images = append(images, particle[K]{k, x.weight, int32(i)})
			}
		}
	}
	slices.SortStableFunc(images, func(a, b particle[K]) int { return key.Compare(a.key, b.key) })
	return images
}

// degree is the expected number of arcs to k from reachable states of level at, those
// of the sample among them.
func (s *population[K]) degree(at int, k K, t *automaton.Transition[K]) (d float64) {
	predecessors(k, t, func(q K) {
		_, drawn := slices.BinarySearchFunc(s.now, q, func(a particle[K], q K) int { return key.Compare(a.key, q) })
		if drawn {
			d++
		} else {
			d += s.reachable(at, q)
		}
	})
	return d
}

// draw draws the next sample from sorted children, systematically: each with
// its own chance, evenly over all of them.
func (s *population[K]) draw(children []particle[K]) []particle[K] {
	if len(children) <= s.size {
		return children
	}
	chances := make([]float64, len(children))
	for i, c := range children {
		chances[i] = c.weight * s.tilt.chance(c.key)
	}
	scale := scaleTo(chances, s.size)
	var drawn []particle[K]
	sum, next := 0.0, s.rng.Float64()
	for i, c := range children {
		chance := min(1, chances[i]*scale)
		if sum += chance; sum > next {
			c.weight /= chance
			drawn = append(drawn, c)
			next++
		}
	}
	return drawn
}

// scaleTo is the scale with which n are expected of more chances, which are cut
// off at 1.
func scaleTo(chances []float64, n int) float64 {
	sorted := slices.Sorted(slices.Values(chances))
	sums := make([]float64, len(sorted)) // from the least up: to subtract would lose them
	var sum float64
	for i, x := range sorted {
		sum += x
		sums[i] = sum
	}
	for last := len(sorted) - 1; n > 0; last, n = last-1, n-1 { // the largest is certain, or none is
		if scale := float64(n) / sums[last]; sorted[last]*scale <= 1 {
			return scale
		}
	}
	return 0
}
