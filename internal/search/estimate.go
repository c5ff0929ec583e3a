package search

import (
	"context"
	"math"
	"math/rand/v2"
	"time"
)

// Estimate is what some random descents say of the whole tree.
type Estimate struct {
	Nodes, Tries float64
	Solutions    float64 // in the counted sense: weighted, free options included
	Seconds      float64 // of one core of the machine that the constants were measured on
	Error        float64 // standard error of Tries, relative; +Inf for one probe
	Probes       int
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

// Prober sends random probes down a tree, and knows what all of them found so far.
// The same seed finds the same, whatever the machine has to do besides: how long a
// probe takes is counted in tries, each of which costs what the constants say.
type Prober struct {
	space *Space
	rng   *rand.Rand
	w     *walker
	total tally
	work  float64 // nanoseconds of all probes, as the constants say
}

// Prober begins without a probe.
func (s *Space) Prober(seed uint64) *Prober {
	return &Prober{space: s, rng: rand.New(rand.NewPCG(1, seed)), w: &walker{space: s}}
}

// Probe sends probes down the tree, Knuth's way: at each node all choices are
// tried, one of those that survive is followed, and what is met below counts as
// often as there were survivors. The estimate of every figure is unbiased, but the
// tree's largest part may hide behind a rare choice, so the true figure is more
// often above it than below.
//
// It stops when so many probes in all were sent, at least, and either the standard
// error is below a tenth or the probes, those of earlier calls included, have done
// so much work. On a board of thousands of cells one probe alone may be more: after
// ten times the work fewer probes are enough, also none. Then Probes is 0 and
// nothing is known. Many rows are looked at again after each forced choice; these
// looks count for the ten times alone.
//
// D. E. Knuth, "Estimating the efficiency of backtrack programs" (1975).
func (p *Prober) Probe(ctx context.Context, least int, work time.Duration) (Estimate, error) {
	if p.space.never {
		return Estimate{Probes: 1}, ctx.Err()
	}
	limit := float64(work)
	most := max(float64(minWork), lateness*limit)
	late := func() bool {
		return ctx.Err() != nil || p.work > most || lookNanos*float64(p.w.looked) > most
	}
	for !late() {
		if p.total.probes >= least && (p.total.error() < goodError || p.work >= limit) {
			break
		}
		found, ok := p.probe(late)
		if !ok {
			break
		}
		p.total.add(found)
	}
	return p.total.estimate(len(p.space.free)), ctx.Err()
}

const (
	goodError = 0.1
	lateness  = 10
	// minWork is also for those who allow none.
	minWork = 100 * time.Millisecond
)

// probed is what one probe expects of the whole tree.
type probed struct{ nodes, tries, nanos, solutions float64 }

// probe goes down once from the root; if it gets late it returns false.
func (p *Prober) probe(late func() bool) (found probed, ok bool) {
	w := p.w
	w.late, w.ended = late, false
	w.startRoot()
	root := w.frames[0]
	p.work += fillNanos * float64(len(root.active)) * float64(p.space.rows)
	if w.stopped() {
		return found, false
	}
	v := p.descend(0, nothing)
	found.tries = 1
	found.nanos = cost(root)
	if v == solved {
		found.solutions = float64(w.frames[1].weight)
	}
	times := 1.0
	for d := 1; v == branched; d++ {
		found.nodes += times
		survivors := p.probeNode(d, times, &found)
		times *= float64(survivors)
		if survivors == 0 {
			break
		}
	}
	return found, !w.ended
}

// cost is what a try of a frame is expected to cost, in nanoseconds.
func cost(f *frame) float64 { return tryNanos + blockNanos*float64(len(f.active)) }

// descend is the walker's, and adds to the work.
func (p *Prober) descend(d, column int) verdict {
	f := p.w.frames[d]
	p.work += tryNanos + float64(len(f.active))*max(blockNanos, rowNanos*float64(len(f.open)))
	return p.w.descend(d, column)
}

// probeNode tries all choices of frame d and leaves frame d+1 as one of those
// that branch has it, any of them with equal probability. If it gets late it leaves
// off.
func (p *Prober) probeNode(d int, times float64, found *probed) (survivors int) {
	w := p.w
	f := w.frames[d]
	w.compact(f)
	if w.stopped() {
		return 0
	}
	f.drops = f.columnsOf(w.space)
	if uint32(f.branch) == slackItem {
		found.solutions += times * float64(f.weight)
	}
	chosen := int32(nothing)
	var kept []block
	for k, column := range f.columns {
		if f.drops && k > 0 && !f.dropColumn(w.space, f.columns[k-1]) {
			break
		}
		if w.stopped() {
			return survivors
		}
		found.tries += times
		found.nanos += times * cost(f)
		switch p.descend(d, int(column)) {
		case solved:
			found.solutions += times * float64(w.frames[d+1].weight)
		case branched:
			survivors++
			if p.rng.IntN(survivors) == 0 {
				chosen = column
				kept = append(kept[:0], f.active...)
			}
		}
		w.path = w.path[:0]
	}
	if chosen != nothing {
		f.active = append(f.active[:0], kept...)
		p.descend(d, int(chosen))
		w.path = w.path[:0]
	}
	return survivors
}

// tally sums up probes.
type tally struct {
	probed
	squares float64 // of tries
	probes  int
}

func (t *tally) add(p probed) {
	t.nodes += p.nodes
	t.tries += p.tries
	t.nanos += p.nanos
	t.solutions += p.solutions
	t.squares += p.tries * p.tries
	t.probes++
}

// error is the relative standard error of the mean of the tries.
func (t *tally) error() float64 {
	n := float64(t.probes)
	mean := t.tries / n
	if n < 2 || mean == 0 {
		return math.Inf(1)
	}
	variance := max(0, t.squares/n-mean*mean) / (n - 1)
	return math.Sqrt(variance) / mean
}

func (t *tally) estimate(free int) Estimate {
	n := float64(max(1, t.probes))
	return Estimate{
		Nodes: t.nodes / n, Tries: t.tries / n, Seconds: t.nanos / n / 1e9,
		Solutions: math.Ldexp(t.solutions/n, free), Error: t.error(), Probes: t.probes,
	}
}
