package search

import (
	"context"
	"math"
	"math/rand/v2"
	"time"
)

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

// Prober sends crowds of random probes down a tree, and knows what all of them found so
// far. The same seed finds the same, whatever the machine has to do besides: how long a
// probe takes is counted in tries, each of which costs what the constants say.
type Prober struct {
	space *Space
	rng   *rand.Rand
	w     *walker
	root  *frame // settled; nil: not yet, or nothing is left to decide
	top   probed // what is known of the root
	spare []*frame
	total tally
	work  float64 // nanoseconds of all probes, as the constants say
}

// Prober begins without a probe.
func (s *Space) Prober(seed uint64) *Prober {
	return &Prober{space: s, rng: rand.New(rand.NewPCG(1, seed)), w: &walker{space: s}, total: tally{size: firstCrowd}}
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
		return ctx.Err() != nil || p.work > most || lookNanos*float64(p.w.looked) > most
	}
	for !late() {
		if p.total.next == 0 { // all places have crowds of the same sizes
			if p.total.probes >= least && (p.total.error() < goodError || p.work >= limit) {
				break
			}
			p.total.size = p.nextSize(least, limit)
		}
		found, ok := p.crowd(p.total.size, late)
		if !ok {
			break
		}
		p.total.add(found)
	}
	t := &p.total
	m := t.mean()
	return Estimate{
		Nodes: m.nodes, Tries: m.tries, Seconds: m.nanos / 1e9,
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
func (p *Prober) nextSize(least int, limit float64) int {
	t := &p.total
	if t.probes == 0 {
		return firstCrowd
	}
	asked := (least - t.probes + replicas - 1) / replicas
	allowed := (limit - p.work) / (p.work / float64(t.probes)) / replicas
	return max(firstCrowd, min(2*t.size, largestCrowd, max(asked, int(min(allowed, largestCrowd)))))
}

// crowd goes down once from the root; if it gets late it returns false.
func (p *Prober) crowd(size int, late func() bool) (found probed, ok bool) {
	if c := p.space.chart; c != nil {
		found, work := c.crowd(p.rng, size)
		p.work += work
		return found, true
	}
	w := p.w
	w.late, w.ended = late, false
	if !p.begin() {
		return found, false
	}
	found = p.top
	if p.root == nil {
		return found, true
	}
	members, times := []*frame{p.copyOf(p.root)}, 1.0
	for len(members) > 0 {
		next := draw[*frame]{rng: p.rng, size: size}
		for _, f := range members {
			p.expand(f, times, &found, &next)
			if w.ended {
				return found, false
			}
		}
		for _, f := range members {
			if f.matrix != &f.own { // else other frames may have its matrix
				p.spare = append(p.spare, f)
			}
		}
		members, times = next.drawn, times*next.each()
	}
	return found, true
}

// begin settles the root, once.
func (p *Prober) begin() bool {
	if p.top.tries > 0 {
		return true
	}
	w := p.w
	w.startRoot()
	root := w.frames[0]
	p.work += fillNanos * float64(len(root.active)) * float64(p.space.rows)
	if w.stopped() {
		return false
	}
	v := p.descend(root, nothing)
	if w.stopped() {
		return false
	}
	p.top = probed{tries: 1, nanos: cost(root)}
	switch v {
	case solved:
		p.top.solutions = float64(w.frames[1].weight)
	case branched:
		p.root = p.copyOf(w.frames[1])
	}
	return true
}

// cost is what a try of a frame is expected to cost, in nanoseconds.
func cost(f *frame) float64 { return tryNanos + blockNanos*float64(len(f.active)) }

// descend is the walker's from a frame outside its own, to its frame 1, and adds to the
// work.
func (p *Prober) descend(f *frame, column int) verdict {
	p.w.reach(1)
	p.w.frames[0], p.w.path = f, p.w.path[:0]
	p.work += tryNanos + float64(len(f.active))*max(blockNanos, rowNanos*float64(len(f.open)))
	return p.w.descend(0, column)
}

// expand tries all choices of a frame that stands for so many, and offers those that
// branch. If it gets late it leaves off.
func (p *Prober) expand(f *frame, times float64, found *probed, next *draw[*frame]) {
	w := p.w
	w.compact(f)
	if w.stopped() {
		return
	}
	found.nodes += times
	f.drops = f.columnsOf(w.space)
	if uint32(f.branch) == slackItem {
		found.solutions += times * float64(f.weight)
	}
	for k, column := range f.columns {
		if f.drops && k > 0 && !f.dropColumn(w.space, f.columns[k-1]) {
			return
		}
		if w.stopped() {
			return
		}
		found.tries += times
		found.nanos += times * cost(f)
		switch p.descend(f, int(column)) {
		case solved:
			found.solutions += times * float64(w.frames[1].weight)
		case branched:
			if place := next.offer(); place != nil {
				if *place != nil {
					p.spare = append(p.spare, *place)
				}
				*place = p.copyOf(w.frames[1])
			}
		}
	}
}

// copyOf is a copy of a frame that was just settled, with the matrix it has.
func (p *Prober) copyOf(f *frame) *frame {
	g := &frame{}
	if n := len(p.spare); n > 0 {
		g, p.spare = p.spare[n-1], p.spare[:n-1]
	}
	g.matrix, g.branch, g.weight, g.blind = f.matrix, f.branch, f.weight, f.blind
	g.active = append(g.active[:0], f.active...)
	g.open = append(g.open[:0], f.open...)
	g.bounds = append(g.bounds[:0], f.bounds...)
	return g
}
