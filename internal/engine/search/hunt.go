package search

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"sync"
)

// ErrLimit is returned when Options.Tries are over.
var ErrLimit = errors.New("the search takes more tries than allowed")

// Result is a count and what it took.
type Result struct {
	Count *big.Int
	Nodes int64 // branches decided
	Tries int64 // choices tried, most of which fail at once
}

// Count counts the solutions of the problem. It ends with ctx's error soon
// after ctx does.
func (s *Space) Count(ctx context.Context, o Options) (Result, error) {
	h := s.Hunt(ctx, o)
	defer h.End()
	return h.Run(o.Tries)
}

// Solutions calls yield with every solution of the problem, an ascending list
// of options, in no particular order, until yield returns false. Calls do not
// overlap; the list is only good for the call. With symmetries in the problem,
// solutions are found once for each orbit and moved.
func (s *Space) Solutions(ctx context.Context, o Options, yield func(options []int) bool) (Result, error) {
	h := s.huntAll(ctx, o, yield)
	defer h.End()
	return h.Run(o.Tries)
}

// Hunt is a search that counts and can pause. While it does, its walkers keep their places.
type Hunt struct {
	ctx     context.Context
	space   *Space
	pool    *pool
	release func() bool
}

// Hunt makes a search ready to count. It must be ended.
func (s *Space) Hunt(ctx context.Context, o Options) *Hunt { return s.hunt(ctx, o, nil) }

// huntAll is a Hunt that visits, see Solutions.
func (s *Space) huntAll(ctx context.Context, o Options, yield func(options []int) bool) *Hunt {
	var mu sync.Mutex
	e := &expander{space: s, yield: yield}
	return s.hunt(ctx, o, func(path []int32, _ uint64) bool {
		mu.Lock()
		defer mu.Unlock()
		return !e.ended && e.expand(path)
	})
}

func (s *Space) hunt(ctx context.Context, o Options, visit visit) *Hunt {
	c := newPool(o, visit)
	return &Hunt{ctx: ctx, space: s, pool: c, release: context.AfterFunc(ctx, c.stop)}
}

// Run goes on until the hunt has made about so many tries since it began, or to the end if that
// is 0. At the end it returns the count, and before it ErrLimit and what was done so far.
func (h *Hunt) Run(tries int64) (Result, error) {
	c := h.pool
	if h.space.never {
		c.finish()
		return Result{Count: new(big.Int)}, h.ctx.Err()
	}
	over := c.run(h.space.engine, tries)
	c.mu.Lock()
	r := Result{Count: c.sum.big(), Nodes: c.nodes, Tries: c.tries}
	c.mu.Unlock()
	r.Count.Lsh(r.Count, uint(len(h.space.free)))
	switch err := h.ctx.Err(); {
	case !over:
		return r, cmp.Or(err, ErrLimit)
	case c.satisfied:
		return r, nil
	case err != nil:
		return r, err
	}
	c.finish()
	return r, nil
}

// Share is the part of the tree that is done, 0..1, if each choice had as much below it as
// its sisters.
func (h *Hunt) Share() float64 {
	h.pool.mu.Lock()
	defer h.pool.mu.Unlock()
	return min(1, h.pool.done)
}

// End ends the hunt, wherever it is. Nothing of it is left when End returns.
func (h *Hunt) End() {
	h.release()
	h.pool.stop()
	h.pool.wait()
}
