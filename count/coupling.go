package count

import (
	"context"
	"errors"
	"math/big"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/dimer"
)

// Coupling is all solutions of a problem of planar dimers, for fair draws by coupling from the past:
// see dimer.Coupling. It counts nothing, so boards may have any size: 100x100 dominoes take
// 0.2 s a draw.
type Coupling struct {
	unanswered
	chain *dimer.Coupling // nil: there is no solution
}

const (
	// coupledBreadth is how many cells a sweep has to remember before couplings are taken without a plan.
	// (The Aztec diamond of order 22: 3·10^8 states. To plan 100x100 takes a second, 300x300 a
	// minute.)
	coupledBreadth = 44
	// coupledStates are forecast for the largest walks. (24x24 dominoes: 4.4·10^8, half of which are
	// met, in 6 s and 4.8 GB. 26x26: 1.9·10^9. A draw by coupling takes a few milliseconds.)
	coupledStates = 1 << 29
)

// Couple prepares draws by coupling. The error wraps ErrNotDimers and says why there are none, or is
// one of Count.
func Couple(ctx context.Context, p *cover.Problem, o Options) (*Coupling, error) {
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	g, err := dimer.Read(ctx, p)
	if err != nil {
		return nil, err
	}
	return couple(ctx, g, o)
}

func couple(ctx context.Context, g *dimer.Graph, o Options) (*Coupling, error) {
	chain, err := dimer.NewCoupling(ctx, g, dimer.Config{Threads: o.Threads, Memory: o.Memory})
	if err != nil && !errors.Is(err, dimer.ErrNoMatching) {
		return nil, err
	}
	return &Coupling{chain: chain}, nil
}

// Couples returns how long a draw takes if Solve prepares draws by coupling: if they are asked
// for, or where a walk would begin with this many states. known is false if the forecast is of
// little use, as for boards with large holes. Of other problems couples is false.
func Couples(ctx context.Context, p *cover.Problem, asked bool, states float64) (seconds float64, bytes int64, known, couples bool) {
	g, err := dimer.Read(ctx, p)
	if err != nil || !asked && states <= coupledStates && g.Breadth() <= coupledBreadth {
		return 0, 0, false, false
	}
	c, err := dimer.NewCoupling(ctx, g, dimer.Config{})
	if err != nil {
		return 0, 0, false, false
	}
	seconds, known = c.Forecast()
	return seconds, c.Bytes(), known, true
}

// Count returns 0 if there is no solution, and nil if there are some: how many is not known.
func (c *Coupling) Count() *big.Int {
	if c.chain == nil {
		return new(big.Int)
	}
	return nil
}

// Draw returns the options, ascending, of the solution that a key of random bits leads to, and calls
// progress, unless it is nil, with the number of sweeps before each run of the chains. It fails
// with ErrUnanswered if there is no solution.
func (c *Coupling) Draw(ctx context.Context, key [32]byte, progress func(sweeps int64)) ([]int, error) {
	if c.chain == nil {
		return nil, ErrUnanswered
	}
	return c.chain.Draw(ctx, key, progress)
}

// Bytes implements Set.
func (c *Coupling) Bytes() int64 {
	if c.chain == nil {
		return 0
	}
	return c.chain.Bytes()
}

// Report implements Set.
func (c *Coupling) Report() *Result { return &Result{Count: c.Count(), Bytes: c.Bytes()} }
