package search

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"sync"
)

// ErrLimit is returned by Run when its tries are over.
var ErrLimit = errors.New("the search takes more tries than allowed")

// Result is a count and what it took.
type Result struct {
	Count *big.Int
	Nodes int64 // branches decided
	Tries int64 // choices tried, most of which fail at once
}

// Hunt is a search that can pause. While it does, its walkers keep their places.
type Hunt struct {
	ctx     context.Context
	space   *Space
	pool    *pool
	release func() bool
}

// Hunt makes a search ready to count, which ends soon after ctx does. It must be ended. If yield
// is not nil, it is called with every solution of the problem, an ascending list of options, in no
// particular order, until it returns false. Calls do not overlap; the list is only good for the
// call. With symmetries in the problem, solutions are found once for each orbit and moved.
func (s *Space) Hunt(ctx context.Context, o Options, yield func(options []int) bool) *Hunt {
	var visit visit
	if yield != nil {
		var mu sync.Mutex
		e := &expander{space: s, yield: yield}
		visit = func(path []int32, _ uint64) bool {
			mu.Lock()
			defer mu.Unlock()
			return !e.ended && e.expand(path)
		}
	}
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
	c.mu.Lock()
	c.limit, c.resting = tries, false
	c.wake.Broadcast()
	if !c.begun {
		c.begun = true
		go c.walk(h.space.engine)
	}
	for !c.over && !c.quietNow() {
		c.quiet.Wait()
	}
	over, r := c.over, Result{Count: c.sum.big(), Nodes: c.nodes, Tries: c.tries}
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
	c := h.pool
	c.mu.Lock()
	defer c.mu.Unlock()
	c.halt()
	for c.begun && !c.over {
		c.quiet.Wait()
	}
}
