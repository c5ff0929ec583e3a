package search

import (
	"cmp"
	"context"
	"math/big"
	"sync"
)

// Hunt is a search that counts and can pause. While it does, its walkers keep their places.
type Hunt struct {
	ctx     context.Context
	space   *Space
	pool    *pool
	walk    func()
	begun   bool
	done    chan struct{}
	release func() bool
}

// Hunt makes a search ready to count. It must be ended.
func (s *Space) Hunt(ctx context.Context, o Options) *Hunt { return s.hunt(ctx, o, nil) }

func (s *Space) hunt(ctx context.Context, o Options, visit func([]int32, uint64) bool) *Hunt {
	c := newPool(s, max(1, o.Threads), o.Progress)
	c.greedy = o.greedy
	return &Hunt{
		ctx: ctx, space: s, pool: c, done: make(chan struct{}),
		walk:    func() { s.walk(c, o, visit) },
		release: context.AfterFunc(ctx, c.stop),
	}
}

// walk is that of all walkers of a pool.
func (s *Space) walk(c *pool, o Options, visit func([]int32, uint64) bool) {
	if s.chart != nil {
		s.chart.walk(c, visit)
		return
	}
	var memo *memo
	if visit == nil && !o.forgetful && s.remembers() {
		memo = newMemo(s)
	}
	var walkers sync.WaitGroup
	for k := range c.walkers {
		w := &walker{space: s, pool: c, visit: visit, memo: memo}
		walkers.Go(func() {
			if k == 0 {
				w.begin()
			}
			for p := c.next(); p != nil; p = c.next() {
				w.open(p)
			}
		})
	}
	walkers.Wait()
}

// Run goes on until the hunt has made about so many tries since it began, or to the end if that
// is 0. At the end it returns the count, and before it ErrLimit and what was done so far.
func (h *Hunt) Run(tries int64) (Result, error) {
	c := h.pool
	if h.space.never {
		c.finish()
		return Result{Count: new(big.Int)}, h.ctx.Err()
	}
	c.goOn(tries)
	if !h.begun {
		h.begun = true
		go func() {
			h.walk()
			close(h.done)
		}()
	}
	select {
	case <-h.done:
	case <-c.quiet:
		return c.result(), cmp.Or(h.ctx.Err(), ErrLimit)
	}
	r := c.result()
	if c.satisfied {
		return r, nil
	}
	if err := h.ctx.Err(); err != nil {
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
	if h.begun {
		<-h.done
	}
}

// result is what was done so far.
func (c *pool) result() Result {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := Result{Count: c.sum.big(), Nodes: c.nodes, Tries: c.tries, given: c.given}
	r.Count.Lsh(r.Count, uint(len(c.space.free)))
	return r
}
