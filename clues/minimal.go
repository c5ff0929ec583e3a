package clues

import (
	"context"
	"math/rand/v2"
	"slices"
)

// Minimal returns clues that lead a solver of the grade to the solution, as ascending indices of
// candidates. None of the clues can be left out. The same random numbers give the same clues. The
// error wraps ErrAmbiguous or cover.ErrMemory, or is the error of ctx.
func (f *Finder) Minimal(ctx context.Context, rng *rand.Rand, g Grade) ([]int, error) {
	chosen, _, err := f.minimal(ctx, rng, g)
	if err != nil {
		return nil, err
	}
	return chosen.members(), nil
}

func (f *Finder) minimal(ctx context.Context, rng *rand.Rand, g Grade) (chosen set, known []set, err error) {
	if _, err := f.gaps(ctx, f.all(), g); err != nil { // if the solution is ambiguous, end here
		return nil, nil, err
	}
	chosen = newSet(len(f.clues))
	for {
		more, err := f.gaps(ctx, chosen, g)
		if err != nil {
			return nil, nil, err
		}
		if len(more) == 0 {
			break
		}
		known = append(known, more...)
		for _, gap := range more {
			if !gap.meets(chosen) {
				chosen.add(f.best(rng, gap, known))
			}
		}
	}
	order := chosen.members()
	rng.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
	for _, k := range order {
		rest := chosen.without(newSet(len(f.clues)).with(k))
		if slices.ContainsFunc(known, func(gap set) bool { return !gap.meets(rest) }) {
			continue
		}
		more, err := f.gaps(ctx, rest, g)
		if err != nil {
			return nil, nil, err
		}
		if known = append(known, more...); len(more) == 0 {
			chosen = rest
		}
	}
	return chosen, known, nil
}

// best returns the clue of the gap that is in the most known gaps, or one of these at random.
func (f *Finder) best(rng *rand.Rand, gap set, known []set) int {
	best, most, ties := -1, 0, 0
	for _, k := range gap.members() {
		n := 0
		for _, other := range known {
			if other.has(k) {
				n++
			}
		}
		switch {
		case n > most:
			best, most, ties = k, n, 1
		case n == most:
			if ties++; rng.IntN(ties) == 0 {
				best = k
			}
		}
	}
	return best
}
