package job

import (
	"cmp"
	"context"
	"math/big"
	"slices"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/query"
	"github.com/pavage/pavage/tiling"
)

// maxPairs limits Query.Pairs: each takes three sums.
const maxPairs = 1000

// pairsQuestion asks how often two things occur together.
type pairsQuestion Query

func (r *pairsQuestion) check() error {
	if len(r.Pairs) > maxPairs {
		return bad("{pairs} has %d pairs, want at most %d", len(r.Pairs), maxPairs)
	}
	return nil
}

func (r *pairsQuestion) answer(ctx context.Context, w *work, s *subject, to *Queried) error {
	pairs := make([]*query.Pair, len(r.Pairs))
	words := query.Of(s.model)
	for i, text := range r.Pairs { // all before the work
		var err error
		if pairs[i], err = words.Pair(text); err != nil {
			return bad("{pairs} is %.60q: %w", text, err)
		}
	}
	set, err := (*Query)(r).solutions(ctx, w, s, count.ForWeight, to)
	if err != nil {
		return err
	}
	// How many have one of A: all less those without A. How many have both: those with one of
	// A and those with one of B less those with one of either.
	known := map[[2]string]*big.Rat{} // by the names of one selector, or of two
	having := func(name [2]string, options []int) (*big.Rat, error) {
		if known[name] == nil {
			without, err := set.Without(ctx, options)
			if err != nil {
				return nil, err
			}
			known[name] = new(big.Rat).Sub(set.Weight(), without.Weight())
		}
		return known[name], nil
	}
	for _, p := range pairs {
		first, err := having([2]string{p.Names[0]}, p.Options[0])
		if err != nil {
			return err
		}
		second, err := having([2]string{p.Names[1]}, p.Options[1])
		if err != nil {
			return err
		}
		either, err := having(p.Names, slices.Concat(p.Options[0], p.Options[1]))
		if err != nil {
			return err
		}
		both := new(big.Rat).Add(first, second)
		to.Pairs = append(to.Pairs, PairTally{
			Pair: p.Names[:], Counts: []string{first.RatString(), second.RatString()}, Both: both.Sub(both, either).RatString(),
		})
	}
	return nil
}

// correlateQuestion asks how what covers the cells depends on a selector.
type correlateQuestion Query

func (r *correlateQuestion) check() error {
	if r.Marginals == "" {
		return nil
	}
	if r.Marginals == byPlacements || r.Marginals == byHeights {
		return bad("{marginals} is %s with {correlate}, want %s, %s or %s",
			r.Marginals, byPieces, byOrientations, byKinds)
	}
	return checkMarginals(r.Marginals)
}

func (r *correlateQuestion) answer(ctx context.Context, w *work, s *subject, to *Queried) error {
	m := s.model
	if m.IsAbstract() {
		return bad("{correlate} is about the cells of a board, and a cover has none")
	}
	words := query.Of(m)
	options, err := words.Options(r.Correlate)
	if two, _ := words.Pair(r.Correlate); err != nil && two != nil {
		return bad("{correlate} is %.60q, which are two words for placements, %.40q and %.40q: want one, or {pairs} for both", r.Correlate, two.Names[0], two.Names[1])
	}
	if err != nil {
		return bad("{correlate}: %w", err)
	}
	kept, err := keptOf(m, words, r.Of)
	if err != nil {
		return err
	}
	set, err := (*Query)(r).solutions(ctx, w, s, count.ForMarginals, to)
	if err != nil {
		return err
	}
	alone, err := set.Marginals(ctx)
	if err != nil {
		return err
	}
	both, err := having(ctx, set, alone, options)
	if err != nil {
		return err
	}
	g := groupsOf(m, cmp.Or(r.Marginals, usualGroups(m)), kept)
	to.Groups, to.Event, to.Cells = g.names, both.Total.RatString(), cellTallies(m)
	for i, o := range options { // the cells that all of the placements cover
		cells := m.Placements[o].Cells
		if i == 0 {
			to.Marked = slices.Clone(cells)
		}
		to.Marked = slices.DeleteFunc(to.Marked, func(c int) bool { return !slices.Contains(cells, c) })
	}
	each, together, all := g.tally(m, alone.Of), g.tally(m, both.Of), alone.Total
	for c := range to.Cells {
		t := &to.Cells[c]
		t.By, t.Alone = g.named(together[c]), g.named(each[c])
		excess := make([]*big.Rat, len(g.names)) // the share of both less the product of the shares
		for k := range excess {
			excess[k] = new(big.Rat)
			if all.Sign() != 0 {
				product := new(big.Rat).Mul(each[c][k], both.Total)
				product.Quo(product, all)
				excess[k].Quo(excess[k].Sub(together[c][k], product), all)
			}
		}
		t.Excess = g.named(excess)
	}
	return nil
}

// usualGroups are by pieces. One piece alone covers whatever is covered, so that only its
// orientations can depend on anything.
func usualGroups(m *tiling.Model) string {
	oriented := func(i int) bool { return m.Orientation(i) != m.Orientation(0) }
	for i := range m.Placements {
		if len(m.Puzzle.Pieces) == 1 && oriented(i) {
			return byOrientations
		}
	}
	return byPieces
}
