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
	Seconds      float64 // of one core
	Error        float64 // standard error of Tries, relative; +Inf for one probe
	Probes       int
}

// A try costs this much on the machine that the constants of this package were
// measured on, with its share of matrices: 8x8 pentominoes and a square, the
// Bedlam cube and 6x10 pentominoes, all within a fifth.
const (
	tryNanos   = 70
	blockNanos = 110 // for each block of a row
)

// Estimate sends probes down the tree, Knuth's way: at each node all choices
// are tried, one of those that survive is followed, and what is met below
// counts as often as there were survivors. The estimate of every figure is
// unbiased, but the tree's largest part may hide behind a rare choice, so the
// true figure is more often above it than below. It stops when the standard
// error is below a tenth, or when the time is up, after ten probes at least; but
// on a board of thousands of cells one of them takes seconds. After ten times
// the limit fewer are enough, also none: then Probes is 0 and nothing is known.
//
// D. E. Knuth, "Estimating the efficiency of backtrack programs" (1975).
func (s *Space) Estimate(ctx context.Context, rng *rand.Rand, limit time.Duration) (Estimate, error) {
	var total tally
	if s.never {
		return Estimate{Probes: 1}, ctx.Err()
	}
	w := &walker{space: s}
	start := time.Now()
	late := func() bool { return ctx.Err() != nil || time.Since(start) > max(minLimit, lateness*limit) }
	for !late() {
		if total.probes >= minProbes && (total.error() < goodError || time.Since(start) > limit) {
			break
		}
		p, ok := w.probe(rng, late)
		if !ok {
			break
		}
		total.add(p)
	}
	return total.estimate(len(s.free)), ctx.Err()
}

const (
	minProbes = 10
	goodError = 0.1
	lateness  = 10
	// minLimit is also for those who set none.
	minLimit = 10 * time.Millisecond
)

// probed is what one probe expects of the whole tree.
type probed struct{ nodes, tries, nanos, solutions float64 }

// probe goes down once from the root; if it gets late it returns false.
func (w *walker) probe(rng *rand.Rand, late func() bool) (p probed, ok bool) {
	w.startRoot()
	v := w.descend(0, nothing)
	p.tries = 1
	p.nanos = tryNanos + blockNanos*float64(len(w.frames[0].active))
	if v == solved {
		p.solutions = float64(w.frames[1].weight)
	}
	times := 1.0
	for d := 1; v == branched; d++ {
		if late() {
			return p, false
		}
		p.nodes += times
		survivors := w.probeNode(d, times, &p, rng)
		times *= float64(survivors)
		if survivors == 0 {
			break
		}
	}
	return p, true
}

// probeNode tries all choices of frame d and leaves frame d+1 as one of those
// that branch has it, any of them with equal probability.
func (w *walker) probeNode(d int, times float64, p *probed, rng *rand.Rand) (survivors int) {
	f := w.frames[d]
	f.compact(w.space)
	f.drops = f.columnsOf(w.space)
	if uint32(f.branch) == slackItem {
		p.solutions += times * float64(f.weight)
	}
	chosen := int32(nothing)
	var kept []block
	for k, column := range f.columns {
		if f.drops && k > 0 && !f.dropColumn(w.space, f.columns[k-1]) {
			break
		}
		p.tries += times
		p.nanos += times * (tryNanos + blockNanos*float64(len(f.active)))
		switch w.descend(d, int(column)) {
		case solved:
			p.solutions += times * float64(w.frames[d+1].weight)
		case branched:
			survivors++
			if rng.IntN(survivors) == 0 {
				chosen = column
				kept = append(kept[:0], f.active...)
			}
		}
		w.path = w.path[:0]
	}
	if chosen != nothing {
		f.active = append(f.active[:0], kept...)
		w.descend(d, int(chosen))
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
