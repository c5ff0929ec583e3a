package search

import (
	"math/bits"
	"slices"
)

type verdict int

const (
	dead     verdict = iota // some item cannot be used often enough
	solved                  // nothing is left to decide
	branched                // there is an item to decide next
)

// A branch is a number of choices << choicesShift, plus the number of a row or one of the constants
// countedItem and slackItem. Among several branches, the walk uses the least.
const (
	choicesShift = 32
	countedItem  = 1 << 24   // plus the index of a counted item
	slackItem    = 1<<25 - 1 // all bounds are satisfied, and any active option may be added
	noBranch     = 1<<63 - 1
)

type frame struct {
	matrix  *matrix
	own     *matrix  // memory for a matrix of this depth; initially nil
	active  []block  // options that may still be chosen
	open    []uint16 // rows of which an option must still be chosen
	bounds  []bound  // indexed by counted item
	branch  uint64
	weight  uint64
	path    int // length of walker.path at this frame
	columns []int32
	next    int     // columns[next] is the present choice
	drops   bool    // whether step removes tried options from the active options
	part    float64 // share of the whole tree below each column
	rest    float64 // share of the whole tree that is below f, and neither done nor given away
	mark
}

type walker struct {
	*matrices
	account
	frames  []*frame
	path    []int32
	taken   []int32 // columns chosen while settling
	looked  int     // number of blocks of rows that settleWide tested
	memo    *memo
	classes [classes]class
	// after, if not nil, is a solution. The walk skips all solutions up to and including this one.
	after map[int32]bool
}

func (m *matrices) walkers(c *pool) (all []worker) {
	var memo *memo
	if c.visit == nil && !c.forgetful && m.remembers() {
		memo = newMemo(m)
	}
	for range c.Threads {
		all = append(all, &walker{matrices: m, account: c.account(), memo: memo})
	}
	return all
}

func (w *walker) do(p parcel) {
	c := p.(*choice)
	w.begin(c.frame)
	w.path = append(w.path, c.path...)
	if !w.stopped() {
		w.try(0, c.column, c.share)
	}
	w.report()
}

func (w *walker) begin(f *frame) {
	w.reach(0)
	w.frames[0], w.path = f, w.path[:0]
}

func (w *walker) reach(d int) {
	for len(w.frames) <= d {
		w.frames = append(w.frames, &frame{})
	}
}

func (w *walker) descend(d, column int) verdict {
	w.tries++
	w.reach(d + 1)
	f, g := w.frames[d], w.frames[d+1]
	g.matrix, g.weight, g.blind = f.matrix, f.weight, f.blind
	g.open = grow(g.open, len(f.open))
	g.active = grow(g.active, len(f.active))
	v := dead
	if len(f.active) == 1 && len(f.bounds) == 0 && column != nothing {
		v = w.settleNarrow(f, g, column)
	} else {
		v = w.settleWide(f, g, column)
	}
	g.path = len(w.path)
	return v
}

// settleNarrow is settleWide for a matrix of one block and no counted items.
func (w *walker) settleNarrow(f, g *frame, column int) verdict {
	s, m := w.matrices, f.matrix
	rows := m.bits
	a0, a1, a2, a3 := f.active[0][0], f.active[0][1], f.active[0][2], f.active[0][3]
	var taken block
	todo, left := f.open, g.open
	a0, a1, a2, a3 = exclude(rows, s.single.of(m.options[column]), a0, a1, a2, a3)
	w.take(g, m.options[column])
	taken.set(column)
	for {
		branch, n, forced := uint64(noBranch), 0, false
		for q, r := range todo {
			c := &rows[r]
			c0, c1, c2, c3 := a0&c[0], a1&c[1], a2&c[2], a3&c[3]
			choices := bits.OnesCount64(c0) + bits.OnesCount64(c1) + bits.OnesCount64(c2) + bits.OnesCount64(c3)
			if choices > 1 {
				left[n] = r
				n++
				branch = min(branch, uint64(choices)<<choicesShift|uint64(r))
				continue
			}
			if choices == 1 {
				column = the(c0, c1, c2, c3)
				a0, a1, a2, a3 = exclude(rows, s.single.of(m.options[column]), a0, a1, a2, a3)
				w.take(g, m.options[column])
				taken.set(column)
				forced = true
				continue
			}
			if c[0]&taken[0]|c[1]&taken[1]|c[2]&taken[2]|c[3]&taken[3] == 0 {
				if len(todo) == len(f.open) {
					toFront(f.open, q)
				}
				return dead
			}
		}
		todo = left[:n]
		if !forced {
			g.open, g.branch = todo, branch
			break
		}
	}
	// Chosen options that are in no row are still active: remove them.
	a0, a1, a2, a3 = a0&^taken[0], a1&^taken[1], a2&^taken[2], a3&^taken[3]
	g.active[0] = block{a0, a1, a2, a3}
	return g.verdict(a0|a1|a2|a3 != 0)
}

func exclude(rows []block, list []uint16, a0, a1, a2, a3 uint64) (b0, b1, b2, b3 uint64) {
	for _, r := range list {
		c := &rows[r]
		a0, a1, a2, a3 = a0&^c[0], a1&^c[1], a2&^c[2], a3&^c[3]
	}
	return a0, a1, a2, a3
}

func the(c0, c1, c2, c3 uint64) int {
	switch {
	case c0 != 0:
		return bits.TrailingZeros64(c0)
	case c1 != 0:
		return 64 + bits.TrailingZeros64(c1)
	case c2 != 0:
		return 128 + bits.TrailingZeros64(c2)
	}
	return 192 + bits.TrailingZeros64(c3)
}

// toFront moves row q, which has no choices, to the front, so that the next try tests it first.
func toFront(open []uint16, q int) {
	r := open[q]
	copy(open[1:q+1], open[:q])
	open[0] = r
}

func (w *walker) take(g *frame, option int32) {
	w.path = append(w.path, option)
	g.weight *= uint64(w.weights[option])
}

func (g *frame) verdict(active bool) verdict {
	if g.branch == noBranch {
		if !active {
			return solved
		}
		g.branch = slackItem
	}
	return branched
}

func (w *walker) settleWide(f, g *frame, column int) verdict {
	copy(g.active, f.active)
	g.bounds = append(g.bounds[:0], f.bounds...)
	w.taken = w.taken[:0]
	if column != nothing {
		w.takeWide(g, column)
	}
	todo, left := f.open, g.open
	for {
		branch, n, forced := uint64(noBranch), 0, false
		for q, r := range todo {
			if q&(rowsPerLook-1) == rowsPerLook-1 {
				if w.looked += rowsPerLook * len(g.active); w.stopped() {
					return dead // the search has stopped, and the result is not used
				}
			}
			row := g.matrix.row(r)
			choices := upTo(int(branch>>choicesShift), g.active, row)
			switch {
			case choices > 1:
				left[n] = r
				n++
				branch = min(branch, uint64(choices)<<choicesShift|uint64(r))
			case choices == 1:
				w.takeWide(g, first(g.active, row))
				forced = true
			case !slices.ContainsFunc(w.taken, func(c int32) bool { return row[c/blockBits].has(int(c)) }):
				if len(todo) == len(f.open) {
					toFront(f.open, q)
				}
				return dead
			}
		}
		todo = left[:n]
		if !forced {
			g.open, g.branch = todo, branch
			break
		}
	}
	for k, b := range g.bounds {
		if b.need == 0 {
			continue
		}
		uses, options, most := g.supply(w.matrices, k)
		if uses < int64(b.need) {
			return dead
		}
		// A solution omits at most options-⌈need/most⌉ of these options. So if one more option is
		// tried, each solution has one of the tried options.
		choices := options - int((b.need+most-1)/most) + 1
		g.branch = min(g.branch, uint64(choices)<<choicesShift|uint64(countedItem+k))
	}
	return g.verdict(count(g.active) > 0)
}

// rowsPerLook is the number of rows between two tests for a stop. It is a power of 2.
const rowsPerLook = 64

func (w *walker) takeWide(g *frame, column int) {
	s, m := w.matrices, g.matrix
	option := m.options[column]
	w.take(g, option)
	w.taken = append(w.taken, int32(column))
	g.active[column/blockBits].clear(column)
	for _, r := range s.single.of(option) {
		drop(g.active, m.row(r))
	}
	for _, r := range s.multi.of(option) {
		b := &g.bounds[s.item[r]]
		b.need = max(0, b.need-s.times[r])
		b.room -= s.times[r]
		for _, r := range s.counted[s.item[r]].rows {
			if s.times[r] > b.room {
				drop(g.active, m.row(r))
			}
		}
	}
}

// supply returns how often the active options together use a counted item, the number of these
// options, and the largest number of uses by one of them.
func (f *frame) supply(s *matrices, item int) (uses int64, options int, most int32) {
	for _, r := range s.counted[item].rows {
		n := common(f.active, f.matrix.row(r))
		uses += int64(n) * int64(s.times[r])
		options += n
		if n > 0 {
			most = max(most, s.times[r])
		}
	}
	return uses, options, most
}

// A share below minShare is not added to done before the whole node is done.
const minShare = 1e-7

func (w *walker) node(d int, share float64) {
	if w.nodes++; (w.nodes&(pollEvery-1) == 0 || w.tries-w.told.tries >= pollTries) && !w.poll() {
		return
	}
	f := w.frames[d]
	if w.memo != nil && w.recall(f) {
		w.done += share
		return
	}
	w.unfold(f)
	if uint32(f.branch) == slackItem && !w.ended {
		w.solution(f.weight)
	}
	if w.ended {
		return
	}
	f.rest, f.part = share, share/float64(len(f.columns))
	if f.part < minShare {
		f.part = 0
	}
	for f.step(w.matrices) {
		if w.pool.hungry() {
			w.give(d)
		}
		if w.after != nil && !w.after[f.option()] {
			continue
		}
		f.rest -= f.part
		w.try(d, f.column(), f.part)
		if w.ended {
			return
		}
	}
	w.done += max(0, f.rest) // rounding may have made f.rest negative
	if w.memo != nil {
		w.remember(f)
	}
}

func (w *walker) try(d, column int, share float64) {
	switch w.descend(d, column) {
	case dead:
		w.done += share
	case solved:
		w.solution(w.frames[d+1].weight)
		w.done += share
	case branched:
		w.node(d+1, share)
	}
	w.path = w.path[:w.frames[d].path]
}

func (w *walker) solution(weight uint64) {
	if w.after != nil {
		if len(w.path) == len(w.after) {
			w.after = nil
		}
		return
	}
	w.sum.add(weight)
	// A visit may last long, so the walker looks for a stop before each visit.
	if w.pool.visit != nil && !w.stopped() && !w.pool.visit(w.path, weight) {
		w.ended = true
	}
}

// worth is the least product for which a new matrix pays: the number of its options times the
// number of blocks that it saves in each row. (For 8x8 pentominoes and the Bedlam cube, searches
// with values from 200 to 500 need equal times. With 0 or 700 they need a tenth more.)
const worth = 300

// compact makes a smaller matrix of the active options, if that pays. It costs as much as 20 tries.
func (w *walker) compact(f *frame) {
	blocks := len(f.active)
	if blocks == 1 {
		return
	}
	target := 1
	for 2*3*target <= blocks {
		target *= 3
	}
	if n := count(f.active); n > target*blockBits || n*(blocks-target) < worth {
		return
	}
	if f.own == nil {
		f.own = &matrix{}
	}
	f.own.options = f.own.options[:0]
	for column := range shared(f.active, f.active) {
		f.own.options = append(f.own.options, f.matrix.options[column])
	}
	f.own.fill(w.matrices, w.stopped)
	f.matrix = f.own
	f.active = f.own.all(f.active)
}

// unfold lists the choices of f in f.columns. If they do not exclude each other, it sets f.drops.
func (w *walker) unfold(f *frame) {
	w.compact(f)
	f.columns, f.next = f.columns[:0], -1
	add := func(row []block) {
		for column := range shared(f.active, row) {
			f.columns = append(f.columns, int32(column))
		}
	}
	item := int(uint32(f.branch))
	f.drops = item >= countedItem
	switch {
	case item == slackItem:
		add(f.active)
	case f.drops:
		for _, r := range w.counted[item-countedItem].rows {
			add(f.matrix.row(r))
		}
	default:
		add(f.matrix.row(uint16(item)))
	}
}

// step goes to the next choice, and reports whether there is one that may succeed. If f.drops is
// set, it removes the previous choice from the active options.
func (f *frame) step(s *matrices) bool {
	f.next++
	if f.next == len(f.columns) || !f.drops || f.next == 0 {
		return f.next < len(f.columns)
	}
	before := int(f.columns[f.next-1])
	f.active[before/blockBits].clear(before)
	item := int(uint32(f.branch))
	if item == slackItem {
		return true
	}
	f.blind = true
	uses, _, _ := f.supply(s, item-countedItem)
	return uses >= int64(f.bounds[item-countedItem].need)
}

func (f *frame) column() int   { return int(f.columns[f.next]) }
func (f *frame) option() int32 { return f.matrix.options[f.columns[f.next]] }

// shareable is the least number of active options of a frame that gives away choices.
const shareable = 32

type choice struct {
	frame  *frame
	path   []int32
	column int // the choice, or nothing if the whole frame is given away
	share  float64
}

func (m *matrices) whole(c *pool) parcel {
	return &choice{frame: m.root(c.stopped.Load), column: nothing, share: 1}
}

// root returns the frame of the whole tree. If stop returned true, its matrix is incomplete.
func (m *matrices) root(stop func() bool) *frame {
	f := &frame{matrix: &matrix{options: m.all}, open: slices.Clone(m.open), weight: 1}
	f.matrix.fill(m, stop)
	f.active = f.matrix.all(nil)
	for _, item := range m.counted {
		f.bounds = append(f.bounds, item.bound)
	}
	return f
}

func (f *frame) copyTo(g *frame) *frame {
	g.matrix, g.branch, g.weight, g.path, g.blind = f.matrix, f.branch, f.weight, f.path, f.blind
	g.active = append(g.active[:0], f.active...)
	g.open = append(g.open[:0], f.open...)
	g.bounds = append(g.bounds[:0], f.bounds...)
	return g
}

func (w *walker) give(d int) {
	for e, f := range w.frames[:d+1] {
		if last := len(f.columns) - 1; f.next < last && (count(f.active) >= shareable || w.pool.greedy) {
			c := &choice{f.copyTo(&frame{}), slices.Clone(w.path[:f.path]), int(f.columns[last]), f.part}
			if f.drops { // these choices are tried before the last choice
				for _, column := range f.columns[f.next:last] {
					c.frame.active[column/blockBits].clear(int(column))
				}
				c.frame.blind = f.blind || uint32(f.branch) != slackItem
			}
			f.columns = f.columns[:last]
			f.rest -= f.part
			w.pool.accept(c)
			for _, f := range w.frames[:e+1] {
				f.keyed = false // another walker counts some of the solutions below
				f.own = nil     // another walker may use the matrix
			}
			return
		}
	}
}
