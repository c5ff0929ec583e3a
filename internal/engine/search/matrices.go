package search

import "slices"

func (m *matrices) walkers(c *pool) (all []worker) {
	var memo *memo
	if c.visit == nil && !c.forgetful && m.remembers() {
		memo = newMemo(m)
	}
	for range c.Threads {
		all = append(all, &walker{matrices: m, account: c.account(), visit: c.visit, memo: memo})
	}
	return all
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
	options, uses := len(m.all), 0
	for _, o := range m.all {
		uses += len(m.single.of(o)) + len(m.multi.of(o))
	}
	row := int64((options+blockBits-1)/blockBits) * (blockBits / 8)
	depth := int64(options)
	if m.excludeThemselves() {
		depth = min(depth, int64(m.rows)) // none is left of a row
	}
	walker := 2*int64(m.rows)*row + depth*(row+2*int64(len(m.open))+4*int64(m.choices()))
	return int64(walkers)*walker + 4*int64(options+2*uses)
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
	for _, o := range m.all {
		rows := slices.Concat(m.single.of(o), m.multi.of(o))
		if !slices.ContainsFunc(rows, func(r uint16) bool { return asks[r] }) {
			return len(m.all)
		}
		for _, r := range rows {
			of[item[r]]++
			most = max(most, of[item[r]])
		}
	}
	return most
}
