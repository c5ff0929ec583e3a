package search

import (
	"math/rand/v2"
	"slices"
)

func (m *matrices) walkers(c *pool) (all []worker) {
	var memo *memo
	if c.visit == nil && !c.forgetful && m.remembers() {
		memo = newMemo(m)
	}
	for range c.Threads {
		all = append(all, &walker{matrices: m, pool: c, visit: c.visit, memo: memo})
	}
	return all
}

func (m *matrices) crowds(rng *rand.Rand) crowds {
	return &prober{rng: rng, w: &walker{matrices: m}}
}

func (m *matrices) bytes(walkers int) int64 {
	held := m.walkerBytes(walkers)
	if m.remembers() {
		held += memoBytes
	}
	return held
}

// walkerBytes is bytes without a memo. Each walker has a matrix of all options, and below it ever
// smaller ones; and at every depth a set of active options, the open rows, and a list of choices.
func (m *matrices) walkerBytes(walkers int) int64 {
	row := int64((m.options+blockBits-1)/blockBits) * (blockBits / 8)
	depth := int64(m.options)
	if m.excludeThemselves() {
		depth = min(depth, int64(m.rows)) // none is left of a row
	}
	walker := 2*int64(m.rows)*row + depth*(row+2*int64(len(m.open))+4*int64(m.choices()))
	uses := len(m.single.rows) + len(m.multi.rows)
	return int64(walkers)*walker + 4*int64(m.options+2*uses)
}

// choices is a bound on the choices of a branch: the options of an item, or
// all if some may follow where no item asks for any. (60x60 and two sorts of
// monominoes, at most one a cell: lists of choices take 100 MB.)
func (m *matrices) choices() int {
	asks := make([]bool, m.rows)
	for _, r := range m.open {
		asks[r] = true
	}
	item := make([]int32, m.rows) // a row of the item, or where it is counted
	for r := range item {
		item[r] = int32(r)
		if k := m.item[r]; k >= 0 {
			item[r] = -1 - k
		}
	}
	for _, c := range m.shades {
		item[c.row], asks[c.row] = int32(c.item), asks[c.item]
	}
	of := make(map[int32]int) // by item
	most := 0
	for o := range int32(m.options) {
		rows := slices.Concat(m.single.of(o), m.multi.of(o))
		if !slices.ContainsFunc(rows, func(r uint16) bool { return asks[r] }) {
			return m.options
		}
		for _, r := range rows {
			of[item[r]]++
			most = max(most, of[item[r]])
		}
	}
	return most
}
