package sample

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/big"
	"math/rand/v2"
	"sync"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/dimer"
)

// Coupled draws uniform solutions of planar dimers by coupling from the past: see
// dimer.Coupling. It counts nothing, so draws have no rank, and boards may have any size:
// 100x100 dominoes take 0.2 s a draw.
//
// A Coupled is safe for concurrent use, but for the sources it is given.
type Coupled struct {
	coupling *dimer.Coupling // nil: there is no solution
	threads  int
	told     func(sweeps int64)
}

var _ Sampler = (*Coupled)(nil)

// Count is 0 if there is no solution, and nil if there are some: how many is not known.
func (c *Coupled) Count() *big.Int {
	if c.coupling == nil {
		return new(big.Int)
	}
	return nil
}

// Check implements Sampler.
func (c *Coupled) Check() error {
	if c.coupling == nil {
		return ErrEmpty
	}
	return nil
}

// Draws implements Sampler. The options are ascending. Some draws are made ahead, one by each
// thread.
func (c *Coupled) Draws(ctx context.Context, src rand.Source, n uint64) iter.Seq2[Draw, error] {
	return func(yield func(Draw, error) bool) {
		for ; n > 0 && c.coupling != nil; n -= min(n, uint64(c.threads)) {
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
func (c *Coupled) Unique(ctx context.Context, src rand.Source, n uint64, bytes int64) iter.Seq2[Draw, error] {
	if c.coupling == nil && n > 0 {
		return none(tooMany(n, c.Count()))
	}
	return unseen(c.Draws(ctx, src, math.MaxUint64), n, bytes, mostRepeats)
}

type coupledDraw struct {
	Draw
	err error
}

// some makes so many draws at once.
func (c *Coupled) some(ctx context.Context, src rand.Source, n int) []coupledDraw {
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
		wait.Go(func() { draws[i].Options, draws[i].err = c.coupling.Draw(ctx, key, told) })
	}
	wait.Wait()
	return draws
}

const (
	// coupledBreadth is how many cells a sweep has to remember before couplings are taken without a plan.
	// (The Aztec diamond of order 22: 3·10^8 states. To plan 100x100 takes a second, 300x300 a
	// minute.)
	coupledBreadth = 44
	// coupledStates are foreseen of the largest walks. (24x24 dominoes: 4.4·10^8, half of which are
	// met, in 6 s and 4.8 GB. 26x26: 1.9·10^9. A draw by coupling takes a few milliseconds.)
	coupledStates = 1 << 29
)

// coupled makes a source of draws by coupling.
func coupled(ctx context.Context, g *dimer.Graph, o count.Options, reason string) (*Source, error) {
	result := &count.Result{}
	c := &Coupled{threads: max(1, o.Threads)}
	var err error
	c.coupling, err = dimer.NewCoupling(ctx, g, dimer.Config{Threads: o.Threads, Memory: o.Memory})
	switch {
	case errors.Is(err, dimer.ErrNoMatching):
		result.Count = c.Count()
	case err != nil:
		return nil, err
	default:
		result.Bytes = c.coupling.Bytes()
	}
	return &Source{Sampler: c, Method: ByCoupling, Reason: reason, Result: result}, nil
}

// Couples says how long a draw takes if From draws what needs no rank by coupling: if that is asked for, or
// where a walk would begin with so many states. known is false if that says little, as for boards
// with large holes. Of other problems couples is false.
func Couples(ctx context.Context, p *cover.Problem, m Method, states float64) (seconds float64, bytes int64, known, couples bool) {
	g, err := dimer.Read(ctx, p)
	if err != nil || m != ByCoupling && states <= coupledStates && g.Breadth() <= coupledBreadth {
		return 0, 0, false, false
	}
	c, err := dimer.NewCoupling(ctx, g, dimer.Config{})
	if err != nil {
		return 0, 0, false, false
	}
	seconds, known = c.Forecast()
	return seconds, c.Bytes(), known, true
}

// ErrNotDimers is wrapped where draws by coupling are asked for and the problem is none of planar
// dimers. The error says in a line why.
var ErrNotDimers = dimer.ErrNotDimers

// byCoupling is the source that was asked for.
func byCoupling(ctx context.Context, p *cover.Problem, o count.Options) (*Source, error) {
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	g, err := dimer.Read(ctx, p)
	if err != nil {
		return nil, err
	}
	return coupled(ctx, g, o, asked)
}

// unranked makes the source that suits draws that need no rank. Where a walk or a diagram is within
// reach it is taken, as it was before there were couplings, so that a seed gives the same draws.
func unranked(ctx context.Context, p *cover.Problem, o count.Options) (*Source, error) {
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	g, err := dimer.Read(ctx, p)
	if errors.Is(err, dimer.ErrNotDimers) {
		return ranked(ctx, p, o, nil)
	}
	if err != nil {
		return nil, err
	}
	if wide := g.Breadth(); wide > coupledBreadth {
		s, err := coupled(ctx, g, o, fmt.Sprintf("a sweep would remember about %d cells at once", wide))
		if !errors.Is(err, dimer.ErrNotDimers) {
			return s, err
		}
		return ranked(ctx, p, o, nil) // not planar, or some pairs of cells have more options than others
	}
	return ranked(ctx, p, o, g)
}

// ranked makes a source by a diagram or a walk, unless the problem has a graph and a walk would take too
// long.
func ranked(ctx context.Context, p *cover.Problem, o count.Options, g *dimer.Graph) (*Source, error) {
	var instead *Source
	c, err := count.RankUnless(ctx, p, o, func(reason string) (bool, error) {
		if g == nil || count.Predict(ctx, p, count.Sweep).States <= coupledStates {
			return false, nil
		}
		var err error
		if instead, err = coupled(ctx, g, o, reason); errors.Is(err, dimer.ErrNotDimers) {
			return false, nil
		}
		return err == nil, err
	})
	if errors.Is(err, count.ErrMemory) && g != nil {
		if s, err := coupled(ctx, g, o, "levels did not fit in memory"); !errors.Is(err, dimer.ErrNotDimers) {
			return s, err
		}
	}
	switch {
	case err != nil:
		return nil, err
	case instead != nil:
		return instead, nil
	case c.History != nil:
		return ofLevels(c.History, c.Reason), nil
	}
	return Of(c.Compiled, c.Reason), nil
}
