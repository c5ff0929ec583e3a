package clues

import (
	"context"
	"math/rand/v2"

	"github.com/pavage/pavage/internal/kit/interrupt"
)

// Fewest returns a smallest set of clues that leads a solver of the grade to the solution, as
// ascending indices of candidates. If ctx ends, it returns the error of ctx, and the smallest set
// so far or nil. The error wraps ErrAmbiguous if no set of candidates is sufficient.
func (f *Finder) Fewest(ctx context.Context, g Grade) ([]int, error) {
	best, known, err := f.minimal(ctx, rand.New(rand.NewPCG(0, 0)), g)
	if err != nil {
		return nil, err
	}
	for {
		h := hitting{sets: known, best: best, looks: interrupt.Context(ctx)}
		if err := h.search(newSet(len(f.clues)), newSet(len(f.clues))); err != nil {
			return best.members(), err
		}
		if h.best.size() == best.size() {
			return best.members(), nil
		}
		more, err := f.apart(ctx, h.best, g)
		if err != nil {
			return best.members(), err
		}
		if known = append(known, more...); len(more) == 0 {
			best = h.best // the next search finds no smaller set, and the loop ends
		}
	}
}

// apart returns disjoint minimal gaps that do not meet chosen, or nil if there are none.
func (f *Finder) apart(ctx context.Context, chosen set, g Grade) (found []set, err error) {
	for with := append(set{}, chosen...); ; {
		gaps, err := f.gaps(ctx, with, g)
		if err != nil || len(gaps) == 0 {
			return found, err
		}
		gap, err := f.shrink(ctx, smallest(gaps), g)
		if err != nil {
			return nil, err
		}
		found = append(found, gap)
		with.addAll(gap)
	}
}

// shrink returns a minimal subset of gap that is a gap.
func (f *Finder) shrink(ctx context.Context, gap set, g Grade) (set, error) {
	all := f.all()
	for _, k := range gap.members() {
		if !gap.has(k) {
			continue
		}
		gaps, err := f.gaps(ctx, all.without(gap).with(k), g)
		if err != nil {
			return nil, err
		}
		if len(gaps) > 0 {
			gap = smallest(gaps)
		}
	}
	return gap, nil
}

func smallest(gaps []set) set {
	least := gaps[0]
	for _, gap := range gaps {
		if gap.size() < least.size() {
			least = gap
		}
	}
	return least
}

type hitting struct {
	sets  []set
	best  set
	looks interrupt.Watch
}

// search looks for a set of clues that meets all gaps and is smaller than h.best. The set must have
// all members of chosen and no member of barred. The search branches on a smallest gap that chosen
// does not meet. It ends if several disjoint gaps require so many clues that the set would not be
// smaller than h.best.
func (h *hitting) search(chosen, barred set) error {
	var branch []int
	need, seen := chosen.size(), newSet(64*len(chosen))
	for _, s := range h.sets {
		if s.meets(chosen) {
			continue
		}
		if s = s.without(barred); !s.meets(seen) {
			need++
			seen.addAll(s)
		}
		if members := s.members(); branch == nil || len(members) < len(branch) {
			branch = members
		}
		if err := h.looks.Work(1 + len(s)); err != nil {
			return err
		}
	}
	switch {
	case need >= h.best.size():
		return nil
	case branch == nil:
		h.best = chosen
		return nil
	}
	for _, k := range branch {
		if err := h.search(chosen.with(k), barred); err != nil {
			return err
		}
		barred = barred.with(k)
	}
	return nil
}
