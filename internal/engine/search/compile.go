package search

import (
	"context"

	"github.com/pavage/pavage/cover"
)

// Compile makes a validated problem ready for counting. Options that nothing
// binds are left out and remembered as powers of two. If the problem has
// symmetries, the options of some item are cut down to one of each orbit. It
// fails with ErrTooLarge if more than 65535 items bind, or with the error of
// cover.Problem.Images for a symmetry that is none, or ctx's.
func Compile(ctx context.Context, p *cover.Problem) (*Space, error) {
	c := newCompiler(ctx, p)
	if err := c.bundle(bundlesSave); err != nil {
		return nil, err
	}
	return c.compile(ctx, true)
}

// compile chooses an engine: matrices, or a chart if charts are wanted.
func (c *compiler) compile(ctx context.Context, charts bool) (*Space, error) {
	if err := c.prepare(ctx, false); err != nil || c.never {
		return c.Space, err
	}
	d := &draft{compiler: c, space: *c.Space}
	if charts {
		d.begin(ctx)
		// Such a walk takes less time than a forecast of the search in the matrices.
		if d.done && d.make(ctx) && d.walk < smallWalk {
			return d.use(), ctx.Err()
		}
	}
	m, err := c.matrices()
	if err != nil {
		return nil, err
	}
	c.prune(m)
	if d.isBetter(ctx, c.Space) {
		return d.use(), ctx.Err()
	}
	return c.Space, ctx.Err()
}

// compileList makes a problem ready for a list in the order of the matrices, with free options.
func compileList(ctx context.Context, p *cover.Problem) (*Space, *matrices, error) {
	c := newCompiler(ctx, p)
	if err := c.prepare(ctx, true); err != nil || c.never {
		return c.Space, nil, err
	}
	m, err := c.matrices()
	if err != nil {
		return nil, nil, err
	}
	return c.Space, m, ctx.Err()
}

// maxPrune limits the work of prune, in blocks looked at: about 50 ms.
const maxPrune = 1 << 24

// pruneAgain is the share of the options that must have gone for another round.
// (6x10 pentominoes: 266 of 2,032 go in the first, 10 in the second, which took
// 6 of 190 ms.)
const pruneAgain = 4

// prune leaves out the options that at the start already leave some item
// without a way to be used, such as placements that wall off a cell. Of 8x8
// pentominoes and a square 1,920 of 2,327 are left, and a sixth of the tries
// is saved; in space there are few such, and nothing is lost but some
// milliseconds.
func (c *compiler) prune(m *matrices) {
	work := m.options * m.options / blockBits * m.rows
	for gone := m.options; gone > m.options/pruneAgain && work <= maxPrune; {
		before := *m
		w := &walker{matrices: &before}
		w.start(before.root())
		m.options, m.single, m.multi = 0, lists{}, lists{}
		var options []int32
		var weights []uint32
		for k, o := range c.options {
			if w.descend(0, k) != dead {
				m.add(before.single.of(int32(k)), before.multi.of(int32(k)))
				options = append(options, o)
				if c.weights != nil {
					weights = append(weights, c.weights[k])
				}
			}
			w.path = w.path[:0]
		}
		gone = before.options - m.options
		c.options, c.weights, m.weights = options, weights, weights
	}
}
