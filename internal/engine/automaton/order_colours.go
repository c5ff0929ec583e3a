package automaton

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// In a cover with colours, options often share only coloured items, such as the edges between the
// cells of a board. An edge is open if only one of its cells is decided. Few edges shall be open:
//
//	┌─┬─┬─┐    a, b and c are decided, and the 3 edges below them are open. The next item is one
//	│a│b│c│    that opens the fewest edges; among several, it is the one that was reached last, so
//	├─┼─┼─┤    the order goes straight on, along the short side of a board.
//	│ │ │ │
//
// Remaining ties are broken at random, and the best of some tries is kept.

func colouredOrders(ctx context.Context, p *cover.Problem) ([][]int, error) {
	coloured := p.ColouredItems()
	swept := slices.DeleteFunc(slices.Clone(sweepable(p)), func(i int) bool { return coloured[i] })
	if len(swept) == 0 {
		return [][]int{{}}, nil
	}
	var orders [][]int
	sets := [][]int{swept}
	nets, err := newNets(ctx, p, swept, coloured)
	if err != nil {
		return nil, err
	}
	if local := nets.local(swept); len(local) < len(swept) {
		sets = append(sets, local)
	}
	for _, set := range sets {
		g, err := newGraph(ctx, p, set)
		if err != nil {
			return nil, err
		}
		best, err := bestOrders(ctx, set, g, nets)
		if err != nil {
			return nil, err
		}
		orders = append(orders, best...)
	}
	return orders, nil
}

type nets struct {
	pins  [][]int32 // for each coloured item, the swept items that share an option with it
	of    [][]int32 // for each swept item, the coloured items that share an option with it
	width []float64 // number of bits for the colours of each item
}

// newNets ignores options of more than maxBits cells, since its lists might need too much memory.
func newNets(ctx context.Context, p *cover.Problem, swept []int, coloured []bool) (*nets, error) {
	n := &nets{pins: make([][]int32, len(p.Items)), of: make([][]int32, len(p.Items)), width: make([]float64, len(p.Items))}
	cells := sweptItems(p, swept)
	type user struct{ option, colour int32 }
	users := make([][]user, len(p.Items))
	for o, option := range p.Options {
		for _, u := range option {
			if coloured[u.Item] && len(cells[o]) <= maxBits {
				users[u.Item] = append(users[u.Item], user{int32(o), u.Colour})
			}
		}
	}
	looks := interrupt.Context(ctx)
	seen := make([]int, len(p.Items))
	for x, users := range users {
		colours := map[int32]bool{}
		for _, u := range users {
			if err := looks.Work(1 + len(cells[u.option])); err != nil {
				return nil, err
			}
			colours[u.colour] = true
			for _, i := range cells[u.option] {
				if seen[i] != x+1 {
					seen[i] = x + 1
					n.pins[x] = append(n.pins[x], i)
					n.of[i] = append(n.of[i], int32(x))
				}
			}
		}
		n.width[x] = math.Log2(float64(max(2, len(colours))))
	}
	return n, nil
}

// local returns the swept items that share options with few coloured items. If their numbers of
// coloured items are sorted, the widest gap, a factor of two or more, divides few from many.
func (n *nets) local(swept []int) []int {
	var sizes []int
	for _, i := range swept {
		if len(n.of[i]) > 0 {
			sizes = append(sizes, len(n.of[i]))
		}
	}
	slices.Sort(sizes)
	most, widest := math.MaxInt, 2.0
	for k := 1; k < len(sizes); k++ {
		if gap := float64(sizes[k]) / float64(sizes[k-1]); gap >= widest && sizes[k] > 4 {
			most, widest = sizes[k-1], gap
		}
	}
	return slices.DeleteFunc(slices.Clone(swept), func(i int) bool { return len(n.of[i]) > most })
}

const (
	orderTries = 6
	bestKept   = 2
	// mostLooks limits the coloured items that are inspected for one order. They need up to 0.5 s.
	mostLooks = 1 << 25
)

func bestOrders(ctx context.Context, swept []int, g *graph, n *nets) ([][]int, error) {
	t := newTrial(swept, g, n)
	uses := 0
	for _, i := range swept {
		uses += len(t.of[i])
	}
	if uses*len(swept) > mostLooks { // upper bound on the inspected items for one order
		return [][]int{g.walk(swept, t.farthest(swept[0]))}, nil
	}
	type try struct {
		order []int
		cost  float64
	}
	var all []try
	one := t.farthest(swept[0])
	for _, end := range []int{one, t.farthest(one)} {
		for range orderTries {
			order, cost, err := t.run(ctx, end)
			if err != nil {
				return nil, err
			}
			all = append(all, try{order, cost})
		}
	}
	slices.SortStableFunc(all, func(a, b try) int { return cmp.Compare(a.cost, b.cost) })
	var best [][]int
	for _, x := range all {
		if len(best) < bestKept && !slices.ContainsFunc(best, func(o []int) bool { return slices.Equal(o, x.order) }) {
			best = append(best, x.order)
		}
	}
	return best, nil
}

type trial struct {
	*graph
	*nets
	swept   []int
	isSwept []bool
	random  uint64

	picked  []bool
	reached []int   // number of the step that reached each item, counted from 1; 0 if none did
	opened  []bool  // whether each item is a neighbour of a picked item
	pinned  []int   // for each coloured item, number of swept items that share an option with it
	left    []int   // number of these swept items that are not picked
	open    float64 // expected bits of a state
	waiting []int   // items that are reached but not picked
}

func newTrial(swept []int, g *graph, n *nets) *trial {
	t := &trial{graph: g, nets: n, swept: swept, isSwept: make([]bool, len(n.of))}
	for _, i := range swept {
		t.isSwept[i] = true
	}
	t.pinned = make([]int, len(n.of))
	for x, pins := range n.pins {
		for _, i := range pins {
			if t.isSwept[i] {
				t.pinned[x]++
			}
		}
	}
	return t
}

func (t *trial) run(ctx context.Context, start int) (order []int, cost float64, err error) {
	t.picked, t.opened, t.reached = make([]bool, len(t.of)), make([]bool, len(t.of)), make([]int, len(t.of))
	t.open, t.waiting, t.left = 0, t.waiting[:0], slices.Clone(t.pinned)
	looks := interrupt.Context(ctx)
	rest := t.swept
	for next := start; ; {
		t.pick(next, len(order)+1)
		order = append(order, next)
		cost += math.Exp2(min(maxTypical, t.open))
		if err := looks.Work(1 + len(t.waiting)); err != nil {
			return nil, 0, err
		}
		if len(t.waiting) > 0 {
			next = t.best()
			continue
		}
		for len(rest) > 0 && t.picked[rest[0]] {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			return order, cost, nil
		}
		next = rest[0]
	}
}

func (t *trial) pick(i, now int) {
	t.open += t.opens(i)
	t.picked[i] = true
	if k := slices.Index(t.waiting, i); k >= 0 {
		t.waiting = slices.Delete(t.waiting, k, k+1)
	}
	reach := func(j int) {
		if t.isSwept[j] && !t.picked[j] && t.reached[j] == 0 {
			t.reached[j] = now
			t.waiting = append(t.waiting, j)
		}
	}
	for _, j := range t.near[i] {
		t.opened[j] = true
		reach(j)
	}
	for _, x := range t.of[i] {
		t.left[x]--
		if len(t.pins[x]) <= maxSpanned {
			for _, j := range t.pins[x] {
				reach(int(j))
			}
		}
	}
}

func (t *trial) opens(i int) (bits float64) {
	if t.opened[i] {
		bits--
	}
	for _, j := range t.near[i] {
		if !t.picked[j] && !t.opened[j] {
			bits++
		}
	}
	for _, x := range t.of[i] {
		switch first, last := t.left[x] == t.pinned[x], t.left[x] == 1; {
		case first && !last:
			bits += t.width[x]
		case last && !first:
			bits -= t.width[x]
		}
	}
	return bits
}

func (t *trial) best() int {
	best, least, when, lot := t.waiting[0], math.Inf(1), 0, uint64(0)
	for _, i := range t.waiting {
		bits := t.opens(i)
		t.random = key.Mix(t.random, uint64(i))
		if bits < least || bits == least && (t.reached[i] > when || t.reached[i] == when && t.random > lot) {
			best, least, when, lot = i, bits, t.reached[i], t.random
		}
	}
	return best
}

func (t *trial) farthest(from int) int {
	seen, used := make([]bool, len(t.of)), make([]bool, len(t.pins))
	queue := []int{from}
	seen[from] = true
	for k := 0; k < len(queue); k++ {
		reach := func(j int) {
			if t.isSwept[j] && !seen[j] {
				seen[j] = true
				queue = append(queue, j)
			}
		}
		for _, j := range t.near[queue[k]] {
			reach(j)
		}
		for _, x := range t.of[queue[k]] {
			if used[x] {
				continue
			}
			used[x] = true
			for _, j := range t.pins[x] {
				reach(int(j))
			}
		}
	}
	return queue[len(queue)-1]
}
