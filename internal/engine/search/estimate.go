package search

import (
	"context"
	"math"
	"math/rand/v2"
	"time"
)

// Estimate is what some random descents say of the whole tree.
type Estimate struct {
	Tries     float64
	Solutions float64 // in the counted sense: weighted, free options included
	Seconds   float64 // of one core of the machine that the constants were measured on
	Error     float64 // standard error of Tries, relative; +Inf for one crowd
	// Most is how many times Tries the tree has at most, in 95 of 100 cases: a bound that
	// knows how few crowds it comes from. +Inf for one crowd.
	Most   float64
	Probes int // descents: crowds times their sizes
}

// replicas is how many crowds of each size are sent. What one place of theirs finds, over all
// sizes, is independent of what another does, and how far the places differ is the error.
const replicas = 8

// Prober sends crowds of random probes down a tree, and knows what all of them found so
// far. The same seed finds the same, whatever the machine has to do besides: how long a
// probe takes is counted in tries, each of which costs what the constants say.
type Prober struct {
	space  *Space
	crowds crowds
	size   int // of the crowds of this round
	next   int // place of the next crowd
	places [replicas]place
	probes int
}

// place sums up crowds, each weighted by its size.
type place struct {
	probed
	weight float64
}

// Prober begins without a probe.
func (s *Space) Prober(seed uint64) *Prober {
	return &Prober{space: s, crowds: s.engine.crowds(rand.New(rand.NewPCG(1, seed))), size: firstCrowd}
}

// Probe sends crowds of probes down the tree, which go down together: of all nodes of
// one depth below the crowd's, so many are drawn as the crowd has places, and each of them
// counts as often as there were more. The estimate of every figure is unbiased. A single probe
// (Knuth's way, a crowd of one) dies out on most ways down, and a tree whose largest part is
// behind a rare choice looks small to nearly all; a crowd goes on from those that live.
// Standard errors of 3 and of 30 ms of probes, of the tries:
//
//	                        tries   one by one     crowds of 16   crowds of 64
//	Y pentominoes 15x15     77.1e6  138%, 114%      46%, 21%       56%, 26%
//	one-sided 3x30           2.2e6   42%,  22%      31%, 10%       26%,  7%
//	Kanoodle's 5x11          5.9e6   36%,  25%      25%, 11%       22%,  6%
//	8x8 and a square         4.2e6   57%,  25%      53%, 19%       32%, 12%
//	pentominoes 6x10         0.7e6   40%,  13%      51%, 12%       21%, 10%
//	Soma                     3,725   12%,   3%       5%,  2%        3%,  1%
//
// (Half of the first row's single probes of 3 ms said less than a seventh of the truth.
// Places for each number of open rows, or of active options, were worse in the first two
// rows and alike in the others.) A small tree fits in a crowd, and is walked whole.
//
// It stops when so many probes in all were sent, at least, and either the standard
// error is below a tenth or the probes, those of earlier calls included, have done
// so much work. On a board of thousands of cells one probe alone may be more: after
// ten times the work fewer probes are enough, also none. Then Probes is 0 and
// nothing is known. Many rows are looked at again after each forced choice; these
// looks count for the ten times alone.
//
// D. E. Knuth, "Estimating the efficiency of backtrack programs" (1975). P. C. Chen,
// "Heuristic sampling" (1992). R. Rubinstein, "Stochastic enumeration method for counting
// NP-hard problems" (2013): crowds.
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
		if p.next == 0 { // all places have crowds of the same sizes
			work, _ := p.crowds.work()
			if deviation, _ := p.errors(); p.probes >= least && (deviation < goodError || work >= limit) {
				break
			}
			// Up to twice the last crowds, but no more than were asked for or the work allows.
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

const (
	goodError = 0.1
	lateness  = 10
	// minWork is also for those who allow none.
	minWork = 100 * time.Millisecond
	// firstCrowd is the size of the first crowds, and largestCrowd that of the last.
	firstCrowd, largestCrowd = 2, 1 << 10
)

// errors are the relative standard error of the mean of the tries, and how many times this mean the
// tries are at most: an upper limit of confidence for the mean of a distribution whose logarithm is
// normal (D. R. Cox's, with Student's quantile for few places). A few places of which one found a
// hundred times what the others did are taken for a sample of a tree that hides more of the kind.
func (p *Prober) errors() (deviation, most float64) {
	var tries, logs []float64 // means of each place
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

// student are the quantiles of 99% of Student's distribution, of one degree of freedom
// and more: with those of 95%, one bound in eight was too low, and with these one in twenty.
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
