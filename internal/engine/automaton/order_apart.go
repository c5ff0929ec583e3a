package automaton

import (
	"context"
	"slices"

	"github.com/pavage/pavage/cover"
)

// A problem without orders does not say which of its items are cells and which are pieces, if
// these are used at most once as well. To sweep a piece is to keep it in the window from the
// first to the last of its placements, with all cells between: 4x16 packings of three squares
// had 130,894 states for 2,430. So some sets of items are tried as flags, and the forecast decides.
//
//	cells   a b c d e f g h        pieces   P   Q
//	options a b P,  b c P,  … g h P         each has one piece: pieces share no option with
//	        a b e Q, b c f Q, …             one another, but with most of the cells

const (
	// mostApart flags fit into a word.
	mostApart = 64
	// mostMeetings of items in options are looked at to find them.
	mostMeetings = 1 << 24
	// apartHandicap is by how much the forecast of an order without them must be better. (Langford
	// pairs to 7: a third of the typical sets, and 1,761 states for 1,366; packings: a hundredth.)
	apartHandicap = 4
)

// ordersToCount are Orders and, of a problem without orders or colours, the walks of its
// items without some that are apart; so many of them are Orders' own.
func ordersToCount(ctx context.Context, p *cover.Problem) (orders [][]int, own int, err error) {
	orders, err = Orders(ctx, p)
	if own = len(orders); err != nil || len(p.Orders) > 0 || p.Coloured() {
		return orders, own, err
	}
	swept := sweepable(p)
	sets, err := apart(ctx, p, swept)
	for _, set := range sets {
		rest := slices.DeleteFunc(slices.Clone(swept), func(i int) bool { return slices.Contains(set, i) })
		walks, err := walksOf(ctx, p, rest)
		if err != nil {
			return nil, 0, err
		}
		orders = append(orders, walks...)
	}
	return orders, own, err
}

// apart are sets of items no two of which share an option: the first items of the problem,
// the last ones, and those with most neighbours.
func apart(ctx context.Context, p *cover.Problem, swept []int) (sets [][]int, err error) {
	near, err := neighbours(ctx, p, swept)
	if err != nil || near == nil {
		return nil, err
	}
	last, most := slices.Clone(swept), slices.Clone(swept)
	slices.Reverse(last)
	slices.SortStableFunc(most, func(i, j int) int { return len(near[j]) - len(near[i]) })
	for _, x := range []struct {
		items []int
		skip  bool // those that share an option with one that was taken
	}{{swept, false}, {last, false}, {most, true}} {
		set := independent(x.items, near, x.skip)
		slices.Sort(set)
		if len(set) < len(swept) && len(set) <= mostApart && worthwhile(set, near, len(swept)) &&
			!slices.ContainsFunc(sets, func(s []int) bool { return slices.Equal(s, set) }) {
			sets = append(sets, set)
		}
	}
	return sets, nil
}

// worthwhile reports that a set has an item which shares options with half of all items.
func worthwhile(set []int, near [][]int32, items int) bool {
	return slices.ContainsFunc(set, func(i int) bool { return 2*len(near[i]) >= items })
}

// independent takes items one by one up to the first that shares an option with one that was
// taken; or skips it.
func independent(items []int, near [][]int32, skip bool) (set []int) {
	met := map[int32]bool{}
	for _, i := range items {
		if met[int32(i)] {
			if skip {
				continue
			}
			break
		}
		set = append(set, i)
		for _, j := range near[i] {
			met[j] = true
		}
	}
	return set
}

// neighbours are by item those that it shares options with; nil if they are too many to find.
func neighbours(ctx context.Context, p *cover.Problem, swept []int) ([][]int32, error) {
	cells := sweptItems(p, swept)
	meetings := 0
	for _, c := range cells {
		if meetings += len(c) * len(c); meetings > mostMeetings || len(c) > maxSpanned {
			return nil, nil
		}
	}
	l, err := countLinks(ctx, cells, len(p.Items))
	if err != nil {
		return nil, err
	}
	near := make([][]int32, len(p.Items))
	for i := range l {
		for _, x := range l[i] {
			near[i] = append(near[i], x.to)
			near[x.to] = append(near[x.to], int32(i))
		}
	}
	return near, nil
}
