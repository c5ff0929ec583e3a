package sample

import (
	"context"
	"iter"
	"math/rand/v2"
	"sync"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/engine/dimer"
)

// coupled draws from a count.Coupling. Its draws have no rank.
type coupled struct {
	*count.Coupling
	threads int
	told    func(sweeps int64) // nil: no reports
}

// draws yields draws with ascending options. It makes up to c.threads draws at the same time,
// one in each goroutine.
func (c *coupled) draws(ctx context.Context, src rand.Source, n uint64) iter.Seq2[Draw, error] {
	return func(yield func(Draw, error) bool) {
		for ; n > 0; n -= min(n, uint64(c.threads)) {
			for _, d := range c.some(ctx, src, int(min(n, uint64(c.threads)))) {
				if !yield(d.Draw, d.err) || d.err != nil {
					return
				}
			}
		}
	}
}

type coupledDraw struct {
	Draw
	err error
}

// some makes n draws concurrently.
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
