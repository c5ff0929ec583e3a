package count

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/search"
	"github.com/pavage/pavage/internal/kit/limit"
)

// Some returns n different solutions of p, or all if there are fewer. A solution is an ascending
// list of options. If a search does not end soon and Limits.Memory suffices, Some makes a Set.
// The result depends only on p, n and Limits.Memory. Errors are errors of Solve.
func Some(ctx context.Context, p *cover.Problem, n int, o Options) ([][]int, error) {
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	o.Weights, o.Watch = nil, Watch{}
	split, err := apart(ctx, p, Auto, false)
	switch {
	case err != nil:
		return nil, err
	case split == nil:
		return someOfPart(ctx, p, n, o)
	case split.Impossible:
		return nil, nil
	}
	some := [][]int{split.Taken}
	for _, part := range split.Parts {
		of := [][]int{{}, {0}} // an option without items is in the solution or not
		if len(part.Items) > 0 {
			if of, err = someOfPart(ctx, part.Problem, n, o); err != nil {
				return nil, err
			}
		}
		var joined [][]int
		for _, solution := range of {
			for _, before := range some {
				if len(joined) == n {
					break
				}
				both := slices.Clone(before)
				for _, option := range solution {
					both = append(both, part.Options[option])
				}
				joined = append(joined, both)
				if err := checkSolutions(joined, o); err != nil {
					return nil, err
				}
			}
		}
		some = joined
	}
	for _, solution := range some {
		slices.Sort(solution)
	}
	return some[:min(n, len(some))], nil
}

// someTries is the number of tries after which Some interrupts a search.
const someTries = 1 << 16

func someOfPart(ctx context.Context, p *cover.Problem, n int, o Options) ([][]int, error) {
	if Unbalanced(p) || n == 0 {
		return nil, nil
	}
	s, err := space(ctx, p, Options{Limits: Limits{Threads: 1, Memory: o.Memory}})
	if err != nil {
		return nil, err
	}
	var some [][]int
	var full error
	hunt := s.Hunt(ctx, search.Options{Threads: 1}, func(solution []int) bool {
		some = append(some, slices.Clone(solution))
		full = checkSolutions(some, o)
		return len(some) < n && full == nil
	})
	defer hunt.End()
	if _, err := hunt.Run(someTries); !errors.Is(err, search.ErrLimit) {
		return some, cmp.Or(full, err)
	}
	w, err := makeWhole(p, nil)
	if err != nil {
		return nil, err
	}
	set, _, err := solvePart(ctx, p, w, ForRanks, o) // Solve would refuse equal options, which a part may have
	if errors.Is(err, cover.ErrMemory) || errors.Is(err, ErrTooWide) {
		_, err := hunt.Run(0)
		return some, cmp.Or(full, err)
	}
	if err != nil {
		return nil, err
	}
	var ranks []*big.Int
	for k := big.NewInt(0); len(ranks) < n && k.Cmp(set.Ranks()) < 0; k = new(big.Int).Add(k, big.NewInt(1)) {
		ranks = append(ranks, k)
	}
	some = some[:0]
	for solution, err := range set.Unrank(ctx, ranks) {
		if err != nil {
			return nil, err
		}
		some = append(some, slices.Sorted(slices.Values(solution)))
		if err := checkSolutions(some, o); err != nil {
			return nil, err
		}
	}
	return some, nil
}

func checkSolutions(some [][]int, o Options) error {
	return limit.Check(o.Memory, int64(len(some))*int64(24+8*len(some[len(some)-1])), "the list of solutions")
}
