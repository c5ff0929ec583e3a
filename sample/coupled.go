package sample

import (
	"context"
	"iter"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/engine/dimer"
)

// coupled draws from a count.Coupling: draws have no rank.
type coupled struct {
	*count.Coupling
	threads int
	told    func(sweeps int64) // nil: nobody is told
}

var _ Sampler = (*coupled)(nil)

// Check implements Sampler.
func (c *coupled) Check() error {
	if c.Count() != nil {
		return ErrEmpty
	}
	return nil
}

// Draws implements Sampler. The options are ascending. Some draws are made ahead, one by each
// thread.
func (c *coupled) Draws(ctx context.Context, src rand.Source, n uint64) iter.Seq2[Draw, error] {
	return func(yield func(Draw, error) bool) {
		for ; n > 0 && c.Check() == nil; n -= min(n, uint64(c.threads)) {
			for _, d := range c.some(ctx, src, int(min(n, uint64(c.threads)))) {
				if !yield(d.Draw, d.err) || d.err != nil {
					return
				}
			}
		}
	}
}

// Unique implements Sampler: draws are repeated until one is new. If there are not so many, the error
// wraps ErrRepeats.
func (c *coupled) Unique(ctx context.Context, src rand.Source, n uint64, bytes int64) iter.Seq2[Draw, error] {
	if c.Check() != nil && n > 0 {
		return none(tooMany(n, c.Count()))
	}
	return unseen(c.Draws(ctx, src, math.MaxUint64), n, bytes, mostRepeats)
}

type coupledDraw struct {
	Draw
	err error
}

// some makes so many draws at once.
func (c *coupled) some(ctx context.Context, src rand.Source, n int) []coupledDraw {
	if err := ctx.Err(); err != nil {
		return []coupledDraw{{err: err}}
	}
	draws := make([]coupledDraw, n)
	told := c.told
	if told != nil && n > 1 {
		var one sync.Mutex
		told = func(sweeps int64) {
			one.Lock()
			defer one.Unlock()
			c.told(sweeps)
		}
	}
	var wait sync.WaitGroup
	for i := range draws {
		key := dimer.Key(src)
		wait.Go(func() { draws[i].Options, draws[i].err = c.Draw(ctx, key, told) })
	}
	wait.Wait()
	return draws
}
