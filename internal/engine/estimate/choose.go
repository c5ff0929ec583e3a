package estimate

import (
	"cmp"
	"context"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/sweep"
)

// Choice is an order of a problem, with what a run in it is expected to meet.
type Choice struct {
	automaton.Candidate
	Estimate *Estimate
}

const (
	// farBehind is what quick estimates are seldom off by. (12x12 tetrominoes have
	// a billion states by rows, half as many more by diagonals; samples of 50 now
	// and then say the reverse.)
	farBehind = 4
)

// Choose estimates the orders between which costs leave a doubt, as first
// says, and the best again, as closer says, with the second if it is not far
// behind. It returns them, the best first: that with fewest states expected or, of
// two with about as many, that with fewest in a level. There is at
// least one, or an error as Compile's; none of a problem that cannot meet its
// bounds. Of orders that are alike, as rows and columns of a square are, there is
// but the one.
//
// first and closer may limit the looks; Late and Progress are closer's, and of all
// estimates together.
func Choose(ctx context.Context, p *cover.Problem, c sweep.Config, first, closer Sampling) ([]Choice, error) {
	within, err := doubt(ctx, p, c)
	if err != nil {
		return nil, err
	}
	candidates, err := automaton.Candidates(ctx, p, within)
	if err != nil {
		return nil, err
	}
	all := make([]Choice, len(candidates))
	parts := &parts{whole: float64(len(candidates)*first.Looks + 2*closer.Looks), told: closer.Progress}
	first.Late = closer.Late
	for i, x := range candidates {
		all[i].Candidate = x
		if all[i].Estimate, err = Of(ctx, x.Automaton, c, parts.next(first)); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(all, func(a, b Choice) int {
		return cmp.Compare(a.Estimate.Total(), b.Estimate.Total())
	})
	for i := range min(2, len(all)) {
		e := all[i].Estimate
		if closer.Late != nil && closer.Late() {
			break
		}
		if e.Certain() || e.Total() > farBehind*all[0].Estimate.Total() {
			continue
		}
		closerLook, err := Of(ctx, all[i].Automaton, c, parts.next(closer))
		if err != nil {
			return nil, err
		}
		if closerLook.Total() > e.Total()/farBehind { // or else its samples have missed what matters
			all[i].Estimate = closerLook
		}
	}
	if len(all) > 1 && betterThan(all[1].Estimate, all[0].Estimate) {
		all[0], all[1] = all[1], all[0]
	}
	return all, nil
}

// parts make one progress of several estimates.
type parts struct {
	told          func(share float64) // nil: nobody
	whole, before float64             // looks
}

// next is the sampling of the next estimate.
func (p *parts) next(s Sampling) Sampling {
	before := p.before
	p.before += float64(s.Looks)
	s.Progress = nil
	if p.told != nil {
		p.told(before / max(1, p.whole))
		s.Progress = func(share float64) { p.told(min(1, (before+share*float64(s.Looks))/max(1, p.whole))) }
	}
	return s
}

// betterThan compares sums and, where these are about the same, peaks: memory
// counts as well.
func betterThan(a, b *Estimate) bool {
	_, peakA := a.Peak()
	_, peakB := b.Peak()
	return a.Total() < b.Total()/about || a.Total() < b.Total()*about && peakA < peakB
}

// about is by how much sums may differ that are about the same.
const about = 1.25
