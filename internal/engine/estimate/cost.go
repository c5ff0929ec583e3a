package estimate

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/sweep"
)

// paths is a sample of the pasts of a level, of all of them alike: states by
// their counts. It needs no walks, since pasts, unlike states, do not merge.
// What it tells is how large counts become, and so how many limbs they take.
type paths[K key.Key] struct {
	a   *automaton.Automaton
	rng *rand.Rand
	now []K
	log float64 // binary logarithm of their number
}

// pathSamples of a level. A tenth of a bit is more than is asked for.
const pathSamples = 1000

// newPaths draws a sample of a level.
func newPaths[K key.Key](a *automaton.Automaton, l *sweep.Level[K], seed uint64) *paths[K] {
	p := &paths[K]{a: a, rng: rand.New(rand.NewPCG(seed, 2))}
	counts := make([]float64, l.States())
	var sum float64
	widest := l.Widest()
	for i := range counts {
		for k, limb := range l.Count(i) { // over 2^widest, so that it is 1 at most
			counts[i] += math.Ldexp(float64(limb), 64*k-widest)
		}
		sum += counts[i]
	}
	p.log = math.Log2(sum) + float64(widest)
	upTo, next := 0.0, p.rng.Float64()
	for i, c := range counts {
		upTo += c / sum * pathSamples
		for upTo > next {
			p.now = append(p.now, l.Key(i))
			next++
		}
	}
	return p
}

// step goes on to the next level.
func (p *paths[K]) step(at int) {
	t := automaton.NewTransition[K](p.a, at)
	var next []K
	for _, k := range p.now {
		for s := range t.Streams {
			if image, ok := t.Streams[s].Image(k, t.Window); ok && (t.Keep == nil || t.Keep(image)) {
				next = append(next, image)
			}
		}
	}
	p.log += math.Log2(float64(len(next)) / float64(max(1, len(p.now))))
	if len(next) > pathSamples {
		p.rng.Shuffle(len(next), func(i, j int) { next[i], next[j] = next[j], next[i] })
		next = next[:pathSamples]
	}
	p.now = next
}

// made is a run that was given up at the base.
type made[K key.Key] struct {
	a      *automaton.Automaton
	c      sweep.Config
	base   *sweep.Level[K]
	effort sweep.Effort
	e      *Estimate
}

// tellCost fills Bytes and Seconds, the levels being known: at any time there
// are two of them, what repetition keeps, and buffers, which are those of the
// levels that were made.
func (m *made[K]) tellCost(ctx context.Context, seed uint64) error {
	e := m.e
	limbs, err := m.limbsByLevel(ctx, seed)
	if err != nil {
		return err
	}
	sizes := make([]float64, len(e.States))
	for at, n := range e.States {
		slabs := math.Ceil(n / sweep.SlabStates)
		if n < sweep.SlabStates {
			slabs = n / sweep.SlabStates
		}
		sizes[at] = slabs * float64(sweep.StateBytes(sweep.SlabStates, limbs[at]))
	}
	peak, _ := e.Peak()
	for at := range sizes[1:] {
		e.Bytes = max(e.Bytes, sizes[at]+sizes[at+1])
	}
	made := sizes[e.Exact] + sizes[max(0, e.Exact-1)]
	e.Bytes += m.repetition(peak) + max(0, float64(m.effort.Bytes)-made)
	if e.Certain() {
		e.Bytes = float64(m.effort.Bytes)
	}
	e.Seconds = e.spent
	for _, n := range e.States[e.Exact+1:] {
		e.Seconds += n * median(e.rates[max(0, len(e.rates)-lastRates):])
	}
	return nil
}

// lastRates are those that tell what a large level takes.
const lastRates = 5

// limbsByLevel are those of the counts: of the mean of a level, and as many bits
// more as the base's largest count has, and of the next level's sums.
func (m *made[K]) limbsByLevel(ctx context.Context, seed uint64) ([]int, error) {
	e, base := m.e, m.base
	limbs := make([]int, len(e.States))
	for at := range e.Exact + 1 {
		limbs[at] = base.Limbs()
	}
	if base.States() == 0 || base.Limbs() == 0 {
		return limbs, nil
	}
	p := newPaths(m.a, base, seed)
	more := float64(base.Widest()) - p.log + math.Log2(float64(base.States()))
	for at := e.Exact; at < m.a.Steps(); at++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p.step(at)
		sums := bits.Len(uint(m.a.Moves(at) + 1))
		widest := p.log - math.Log2(max(1, e.States[at+1])) + more + float64(sums)
		limbs[at+1] = max(limbs[at], int(math.Ceil(widest/64)))
	}
	return limbs, nil
}

// repetition is the bytes of the arcs and levels that are kept for steps to
// come again, in front of the peak: a row's, where rows repeat.
func (m *made[K]) repetition(peak int) (size float64) {
	if m.a.Steps() == 0 || !m.a.Recurs(min(peak, m.a.Steps()-1)) {
		return 0
	}
	period := periodOf(kindsOf(m.a), m.a.Window, min(peak, m.a.Steps()-1))
	arcs := float64(m.effort.Arcs) / float64(m.effort.States)
	each := float64(sweep.StateBytes(1, 0)) + 2 + 4*arcs
	for at := max(0, peak-period); at < peak; at++ {
		size += m.e.States[at] * each
	}
	return min(size, sweep.RoomForRepeats(m.c.Memory))
}
