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

// Prober sends crowds of random probes down a tree, and knows what all of them found so
// far. The same seed finds the same, whatever the machine has to do besides: how long a
// probe takes is counted in tries, each of which costs what the constants say.
type Prober struct {
	space  *Space
	crowds crowds
	total  tally
}

// Prober begins without a probe.
func (s *Space) Prober(seed uint64) *Prober {
	return &Prober{space: s, crowds: s.engine.crowds(rand.New(rand.NewPCG(1, seed))), total: tally{size: firstCrowd}}
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
		if p.total.next == 0 { // all places have crowds of the same sizes
			work, _ := p.crowds.work()
			if p.total.probes >= least && (p.total.error() < goodError || work >= limit) {
				break
			}
			p.total.size = p.total.nextSize(least, work, limit)
		}
		found, ok := p.crowds.crowd(p.total.size, late)
		if !ok {
			break
		}
		p.total.add(found)
	}
	t := &p.total
	m := t.mean()
	return Estimate{
		Tries: m.tries, Seconds: m.nanos / 1e9,
		Solutions: math.Ldexp(m.solutions, len(p.space.free)),
		Error:     t.error(), Most: t.most(), Probes: t.probes,
	}, ctx.Err()
}

const (
	goodError = 0.1
	lateness  = 10
	// minWork is also for those who allow none.
	minWork = 100 * time.Millisecond
	// firstCrowd is the size of the first crowds, and largestCrowd that of the last.
	firstCrowd, largestCrowd = 2, 1 << 10
)

// nextSize is that of the next round's crowds: up to twice the last one's, but no more than
// were asked for or the work allows.
func (t *tally) nextSize(least int, work, limit float64) int {
	if t.probes == 0 {
		return firstCrowd
	}
	asked := (least - t.probes + replicas - 1) / replicas
	allowed := (limit - work) / (work / float64(t.probes)) / replicas
	return max(firstCrowd, min(2*t.size, largestCrowd, max(asked, int(min(allowed, largestCrowd)))))
}
