package search

import (
	"context"
	"math"
	"math/rand/v2"
	"time"
)

// Estimate is the expected cost of a search of the whole tree. It is found by random probes.
type Estimate struct {
	Tries     float64
	Solutions float64 // number of solutions of the problem
	Seconds   float64 // time on one core of the machine on which the constants were measured
	Error     float64 // relative standard error of Tries; +Inf after a single crowd
	// In 95 of 100 cases the tree has at most Most · Tries tries. Most is +Inf after one crowd.
	Most   float64
	Probes int // number of probes in all crowds
}

// replicas is the number of crowds of each size. Their differences show the standard error.
const replicas = 8

// Prober sends crowds of random probes down a tree. The same seed gives the same results.
type Prober struct {
	space  *Space
	crowds crowds
	size   int // size of the crowds in this round
	next   int // index in places for the next crowd
	places [replicas]place
	probes int
}

type place struct {
	probed
	weight float64
}

// Prober returns a prober that has sent no probes.
func (s *Space) Prober(seed uint64) *Prober {
	return &Prober{space: s, crowds: s.engine.crowds(rand.New(rand.NewPCG(1, seed))), size: firstCrowd}
}

// Probe sends crowds of probes, see the package comment. Single probes (Knuth's method) mostly end
// early, and mostly miss a rare choice that has most of the tree. The table has the relative
// standard errors of the estimated tries after 3 ms and after 30 ms of probes:
//
//	                        tries   one by one     crowds of 16   crowds of 64
//	Y pentominoes 15x15     77.1e6  138%, 114%      46%, 21%       56%, 26%
//	one-sided 3x30           2.2e6   42%,  22%      31%, 10%       26%,  7%
//	Kanoodle's 5x11          5.9e6   36%,  25%      25%, 11%       22%,  6%
//	8x8 and a square         4.2e6   57%,  25%      53%, 19%       32%, 12%
//	pentominoes 6x10         0.7e6   40%,  13%      51%, 12%       21%, 10%
//	Soma                     3,725   12%,   3%       5%,  2%        3%,  1%
//
// (Strata by open rows or active options, as in P. C. Chen, "Heuristic sampling", 1992, were not
// better.) The argument least is the least number of probes. After these probes, Probe stops when
// the relative standard error is below a tenth or the cost reaches the argument work. It stops in
// any case when the cost exceeds both ten times work and 0.1 s. (For this limit, the cost includes
// rows that are tested again after forced choices.) If there is no estimate by then, Probes is 0.
func (p *Prober) Probe(ctx context.Context, least int, work time.Duration) (Estimate, error) {
	if p.space.never {
		return Estimate{Probes: 1, Most: 1}, ctx.Err()
	}
	limit := float64(work)
	most := max(float64(minWork), lateness*limit)
	late := func() bool {
		_, all := p.crowds.work()
		return ctx.Err() != nil || all > most
	}
	for !late() {
		if p.next == 0 { // all places have had crowds of the same sizes
			work, _ := p.crowds.work()
			if deviation, _ := p.errors(); p.probes >= least && (deviation < goodError || work >= limit) {
				break
			}
			// The size at most doubles. The last crowds are no larger than least or limit requires.
			if p.probes > 0 {
				asked := (least - p.probes + replicas - 1) / replicas
				allowed := (limit - work) / (work / float64(p.probes)) / replicas
				p.size = max(firstCrowd, min(2*p.size, largestCrowd, max(asked, int(min(allowed, largestCrowd)))))
			}
		}
		found, ok := p.crowds.crowd(p.size, late)
		if !ok {
			break
		}
		x := &p.places[p.next]
		x.add(found, float64(p.size))
		x.weight += float64(p.size)
		p.probes += p.size
		p.next = (p.next + 1) % replicas
	}
	var all place
	for _, x := range p.places {
		all.add(x.probed, 1)
		all.weight += x.weight
	}
	weight := max(1, all.weight)
	e := Estimate{
		Tries: all.tries / weight, Seconds: all.nanos / weight / 1e9,
		Solutions: math.Ldexp(all.solutions/weight, len(p.space.free)), Probes: p.probes,
	}
	e.Error, e.Most = p.errors()
	return e, ctx.Err()
}

// Seconds returns the cost of all probes so far. Estimate.Seconds has the same unit.
func (p *Prober) Seconds() float64 {
	_, all := p.crowds.work()
	return all / 1e9
}

const (
	goodError                = 0.1
	lateness                 = 10
	minWork                  = 100 * time.Millisecond
	firstCrowd, largestCrowd = 2, 1 << 10
)

// errors returns the relative standard error of the mean of the tries, and the ratio of an upper
// confidence limit to this mean. Since rare branches skew the tries, the limit is D. R. Cox's
// limit for log-normal means, with a quantile of Student's distribution.
func (p *Prober) errors() (deviation, most float64) {
	var tries, logs []float64 // for each place, the mean of its tries, and the logarithm of the mean
	for _, x := range p.places {
		if x.weight > 0 {
			tries = append(tries, x.tries/x.weight)
			logs = append(logs, math.Log(x.tries/x.weight))
		}
	}
	mean, variance, n := momentsOf(tries)
	if n < 2 || mean == 0 || math.IsInf(mean, 1) {
		return math.Inf(1), math.Inf(1)
	}
	middle, spread, _ := momentsOf(logs)
	upper := middle + spread/2 + student[int(n)-2]*math.Sqrt(spread/n+spread*spread/(2*(n-1)))
	return math.Sqrt(variance/n) / mean, max(1, math.Exp(upper)/mean)
}

// student has the 99% quantiles of Student's distribution for 1 to 7 degrees of freedom. With 95%
// quantiles, one upper limit in eight was exceeded; with 99% quantiles, one in twenty.
var student = [replicas - 1]float64{31.82, 6.965, 4.541, 3.747, 3.365, 3.143, 2.998}

func momentsOf(sample []float64) (mean, variance, n float64) {
	n = float64(len(sample))
	for _, x := range sample {
		mean += x / n
	}
	for _, x := range sample {
		variance += (x - mean) * (x - mean) / max(1, n-1)
	}
	return mean, variance, n
}

type probed struct{ tries, nanos, solutions float64 }

func (p *probed) add(q probed, times float64) {
	p.tries += times * q.tries
	p.nanos += times * q.nanos
	p.solutions += times * q.solutions
}

type crowds interface {
	// crowd sends one crowd down from the root. ok is false if late returned true meanwhile.
	crowd(size int, late func() bool) (found probed, ok bool)
	// work returns the cost of all probes in nanoseconds. The second result, all, also includes
	// the cost of rows that are tested again after forced choices.
	work() (counted, all float64)
}

type draw[T any] struct {
	rng     *rand.Rand
	size    int
	offered int
	drawn   []T
}

// place decides whether one more element is drawn, and returns its index in drawn, or none.
func (d *draw[T]) place() int {
	d.offered++
	if len(d.drawn) < d.size {
		d.drawn = append(d.drawn, *new(T))
		return len(d.drawn) - 1
	}
	if k := d.rng.IntN(d.offered); k < d.size {
		return k
	}
	return none
}

// crowd sends a crowd down a tree from top. The function expand offers the children of a node to
// the draw next. Its argument times is the number of nodes for which the node stands. If expand
// returns false, crowd stops and returns false.
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

// The cost of a try is the sum of these costs, in nanoseconds. It is right within a fifth for
// pentominoes and for the Bedlam cube.
const (
	tryNanos   = 70
	blockNanos = 110 // for each block of the active options
	// The cost of a block is rowNanos for each open row, if this is more than blockNanos.
	rowNanos = 1.1
	// The cost is at least lookNanos for each tested block of a row: the block may be in no cache.
	lookNanos = 4
	fillNanos = 5
)

type prober struct {
	*walker
	rng   *rand.Rand
	root  *frame // the settled root; nil before it is settled, or if nothing is left to decide
	top   probed // the try that settles the root
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
	if p.top.tries == 0 {
		f := p.matrices.root(p.stopped)
		p.nanos += fillNanos * float64(len(f.active)) * float64(p.rows)
		if p.stopped() {
			return found, false
		}
		v := p.descend(f, nothing)
		if p.stopped() {
			return found, false
		}
		p.top = probed{tries: 1, nanos: cost(f)}
		switch v {
		case solved:
			p.top.solutions = float64(p.frames[1].weight)
		case branched:
			p.root = p.frames[1].copyTo(&frame{})
		}
	}
	found = p.top
	if p.root == nil {
		return found, true
	}
	ok = crowd(p.rng, size, p.root.copyTo(&frame{}), func(node **frame, times float64, next *draw[*frame]) bool {
		f := *node
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
				if k := next.place(); k != none {
					next.drawn[k] = p.frames[1].copyTo(&frame{})
				}
			}
		}
		return !p.ended
	})
	return found, ok
}

func cost(f *frame) float64 { return tryNanos + blockNanos*float64(len(f.active)) }

func (p *prober) descend(f *frame, column int) verdict {
	p.begin(f)
	p.nanos += tryNanos + float64(len(f.active))*max(blockNanos, rowNanos*float64(len(f.open)))
	return p.walker.descend(0, column)
}

const (
	// wayNanos and placeVisitNanos are the costs of a way and of a place in the walk.
	wayNanos        = 3
	placeVisitNanos = 8
	placeProbeNanos = 60
	// larger multiplies the size of crowds in a chart, where a place costs a hundredth of a node.
	// (4x15 pentominoes need up to twice the forecast time; up to six times if larger is 1.)
	larger = 8
)

type chartProber struct {
	*chart
	rng   *rand.Rand
	nanos float64
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
			} else if k := next.place(); k != none {
				next.drawn[k] = to
			}
		}
		return true
	})
	return found, ok
}
