package frontier

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
)

// paths is a sample of the pasts of a level, of all of them alike: states by
// their counts. It needs no walks, since pasts, unlike states, do not merge.
// What it tells is how large counts become, and so how many limbs they take.
type paths[K key] struct {
	a      *Automaton
	window K
	rng    *rand.Rand
	now    []K
	log    float64 // binary logarithm of their number
}

// pathSamples of a level. A tenth of a bit is more than is asked for.
const pathSamples = 1000

// newPaths draws a sample of a run's level.
func newPaths[K key](r *run[K], seed uint64) *paths[K] {
	p := &paths[K]{a: r.a, window: r.window, rng: rand.New(rand.NewPCG(seed, 2))}
	counts := make([]float64, r.in.n)
	var sum float64
	widest := r.in.widest()
	for i := range counts {
		counts[i] = asFloat(r.in.count(i), widest)
		sum += counts[i]
	}
	p.log = math.Log2(sum) + float64(widest)
	upTo, next := 0.0, p.rng.Float64()
	for i, c := range counts {
		upTo += c / sum * pathSamples
		for upTo > next {
			p.now = append(p.now, r.in.key(i))
			next++
		}
	}
	return p
}

// asFloat is a count over 2^unit, which is at least as large.
func asFloat(count []uint64, unit int) (x float64) {
	for i, limb := range count {
		x += math.Ldexp(float64(limb), 64*i-unit)
	}
	return x
}

// step goes on to the next level.
func (p *paths[K]) step(at int) {
	r := &run[K]{a: p.a, at: at, window: p.window}
	streams, keep := r.streams(), r.keeper()
	var next []K
	for _, k := range p.now {
		for s := range streams {
			if image, ok := streams[s].image(k, p.window); ok && (keep == nil || keep(image)) {
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

// tellCost fills Bytes and Seconds, the levels being known: at any time there
// are two of them, what repetition keeps, and buffers, which are those of the
// levels that were made.
func tellCost[K key](ctx context.Context, r *run[K], e *Estimate, seed uint64) error {
	limbs, err := limbsByLevel(ctx, r, e, seed)
	if err != nil {
		return err
	}
	sizes := make([]float64, len(e.States))
	for at, n := range e.States {
		slabs := math.Ceil(n / slabSize)
		if n < slabSize {
			slabs = n / slabSize
		}
		sizes[at] = slabs * float64(r.store.slabBytes(slabSize, limbs[at]))
	}
	peak, _ := e.Peak()
	for at := range sizes[1:] {
		e.Bytes = max(e.Bytes, sizes[at]+sizes[at+1])
	}
	made := sizes[e.Exact] + sizes[max(0, e.Exact-1)]
	e.Bytes += repetition(r, e, peak) + max(0, float64(r.store.peak.Load())-made)
	if e.Certain() {
		e.Bytes = float64(r.store.peak.Load())
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
func limbsByLevel[K key](ctx context.Context, r *run[K], e *Estimate, seed uint64) ([]int, error) {
	limbs := make([]int, len(e.States))
	for at := range e.Exact + 1 {
		limbs[at] = r.in.limbs
	}
	if r.in.n == 0 || r.in.limbs == 0 {
		return limbs, nil
	}
	p := newPaths(r, seed)
	more := float64(r.in.widest()) - p.log + math.Log2(float64(r.in.n))
	for at := e.Exact; at < len(r.a.steps); at++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p.step(at)
		sums := bits.Len(uint(len(r.a.steps[at].moves) + 1))
		widest := p.log - math.Log2(max(1, e.States[at+1])) + more + float64(sums)
		limbs[at+1] = max(limbs[at], int(math.Ceil(widest/64)))
	}
	return limbs, nil
}

// repetition is the bytes of the arcs and levels that are kept for steps to
// come again, in front of the peak: a row's, where rows repeat.
func repetition[K key](r *run[K], e *Estimate, peak int) (size float64) {
	if len(r.a.steps) == 0 || r.a.pockets != nil {
		return 0
	}
	period := r.a.period(min(peak, len(r.a.steps)-1))
	arcs := float64(r.effort.Arcs) / float64(r.effort.States)
	each := float64(r.store.slabBytes(1, 0)) + 2 + 4*arcs
	for at := max(0, peak-period); at < peak; at++ {
		size += e.States[at] * each
	}
	most := float64(repeatBytes)
	if r.c.Memory > 0 {
		most = min(most, float64(r.c.Memory)/4)
	}
	return min(size, most)
}
