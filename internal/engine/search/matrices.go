package search

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
	if m.exclusive {
		depth = min(depth, int64(m.rows)) // none is left of a row
	}
	walker := 2*int64(m.rows)*row + depth*(row+2*int64(len(m.open))+4*int64(m.choices))
	return int64(walkers)*walker + 4*int64(options+2*uses)
}
