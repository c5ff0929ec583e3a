package search

import (
	"context"
	"math/big"
	"slices"

	"github.com/pavage/pavage/cover"
)

// Picks is a cover of which many parts are counted: some of its sets of options are left out, and
// of each other set exactly one option is taken. All parts share one matrix. A part begins as a walk
// that has lost the options of the sets left out and whose open rows include the rows of the others.
// (10 of 35 hexominoes on 6x10: 8 ms to compile a part as a cover of its own, 0.1 ms so.)
type Picks struct {
	*matrices
	matrix *matrix
	sets   []picked
}

// picked is a set of options.
type picked struct {
	columns []block
	row     int // of all its options and no other; -1: no option is left
}

// CompilePicks makes a validated problem ready. It returns nil if a set of options is not the set of
// all options that use some item of 0..1 or 1..1, or if some options are bound by nothing. The symmetries of
// p, if any, must take each set to itself.
func CompilePicks(ctx context.Context, p *cover.Problem, sets [][]int) (*Picks, error) {
	c, err := newCompiler(ctx, p, false)
	if err != nil || c.never || len(c.free) > 0 {
		return nil, err
	}
	m, err := c.matrices()
	if err != nil {
		return nil, err
	}
	stop := func() bool { return ctx.Err() != nil }
	m.prune(stop)
	s := &Picks{matrices: m, matrix: &matrix{options: m.all}}
	s.matrix.fill(m, stop)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	of := slices.Repeat([]int{-1}, len(p.Options))
	for k, set := range sets {
		for _, o := range set {
			of[o] = k
		}
		s.sets = append(s.sets, picked{columns: make([]block, s.matrix.blocks), row: -1})
	}
	for column, option := range m.all {
		if k := of[c.options[option]]; k >= 0 {
			s.sets[k].columns[column/blockBits].set(column)
		}
	}
	for k := range s.sets {
		set := &s.sets[k]
		if count(set.columns) == 0 {
			continue
		}
		for r := range m.rows {
			if r < m.singleRows() && slices.Equal(s.matrix.row(uint16(r)), set.columns) {
				set.row = r
			}
		}
		if set.row < 0 {
			return nil, nil
		}
	}
	return s, nil
}

// singleRows is the number of rows of items used at most once. They are the first.
func (m *matrices) singleRows() int {
	n := slices.IndexFunc(m.item, func(item int32) bool { return item >= 0 })
	if n < 0 {
		n = m.rows
	}
	if len(m.shades) > 0 {
		n = min(n, int(m.shades[0].row))
	}
	return n
}

// Bytes is a bound on the memory of a number of pickers.
func (s *Picks) Bytes(pickers int) int64 { return s.walkerBytes(pickers) }

// Picker counts parts, one at a time.
type Picker struct {
	picks   *Picks
	walker  *walker
	root    frame
	release func() bool
	most    sum // no more solutions than one more are wanted
	before  sum
}

// Picker begins to count parts. It must be ended.
func (s *Picks) Picker(ctx context.Context) *Picker {
	p := &Picker{picks: s}
	pool := newPool(Options{Threads: 1}, func([]int32, uint64) bool {
		n := p.walker.sum.minus(p.before)
		return n.hi < p.most.hi || n.hi == p.most.hi && n.lo <= p.most.lo
	})
	p.walker = &walker{matrices: s.matrices, account: pool.account()}
	p.release = context.AfterFunc(ctx, pool.stop)
	return p
}

// End ends the picker.
func (p *Picker) End() { p.release() }

// Count counts the solutions with one option of each set that is in, or returns some number greater
// than most. most is nil if there is no bound. If the context of the picker has ended, the result
// has no meaning.
func (p *Picker) Count(in []bool, most *big.Int) Result {
	w, f, s := p.walker, &p.root, p.picks
	p.most = sum{^uint64(0), ^uint64(0)}
	if most != nil && most.BitLen() <= 64 {
		p.most = sum{lo: most.Uint64()}
	}
	f.matrix, f.weight, f.active = s.matrix, 1, s.matrix.all(f.active)
	f.open, f.bounds = append(f.open[:0], s.open...), f.bounds[:0]
	for _, c := range s.counted {
		f.bounds = append(f.bounds, c.bound)
	}
	for k, set := range s.sets {
		switch {
		case !in[k]:
			drop(f.active, set.columns)
		case set.row < 0:
			return Result{Count: new(big.Int)}
		case !slices.Contains(f.open, uint16(set.row)):
			f.open = append(f.open, uint16(set.row))
		}
	}
	p.before, w.ended = w.sum, false
	tries, nodes := w.tries, w.nodes
	w.begin(f)
	if !w.stopped() {
		w.try(0, nothing, 1)
	}
	return Result{Count: w.sum.minus(p.before).big(), Nodes: w.nodes - nodes, Tries: w.tries - tries}
}
