package count

import (
	"context"
	"errors"
	"math/big"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/dimer"
)

// Coupling is the set of all solutions of a problem of planar dimers, for fair draws by
// coupling from the past: see dimer.Coupling. Coupling does not count, so boards may have any
// size: a draw of 100x100 dominoes runs for 0.2 s.
type Coupling struct {
	unanswered
	chain *dimer.Coupling // nil if there is no solution
}

const (
	// coupledBreadth is the largest breadth of a sweep, in cells, at which a plan is made
	// before Solve chooses coupling. (The Aztec diamond of order 22: 3·10^8 states. Planning
	// runs for a second on 100x100, for a minute on 300x300.)
	coupledBreadth = 44
	// coupledStates is the largest forecast of states at which Solve prefers a walk. (24x24
	// dominoes: forecast 4.4·10^8, half of which are met, in 6 s and 4.8 GB. 26x26: 1.9·10^9. A
	// draw by coupling runs for a few milliseconds.)
	coupledStates = 1 << 29
)

// Couple prepares draws by coupling. The error wraps ErrNotDimers, with the reason, if there
// are none for the problem; other errors are Count's.
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

// Couples reports in couples whether Solve prepares draws by coupling: if asked is set, or if
// states, the forecast of a sweep, or the breadth of the board is too large for a walk. It
// returns the seconds of one draw and the bytes of the chains. known is false if the forecast of seconds is
// unreliable, as for boards with large holes. couples is false if the problem is not of planar
// dimers.
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

// Count returns 0 if there is no solution, and nil otherwise: the number is not computed.
func (c *Coupling) Count() *big.Int {
	if c.chain == nil {
		return new(big.Int)
	}
	return nil
}

// Draw returns the ascending options of the solution that key, 32 random bytes, leads to. It
// calls progress, unless it is nil, before each run of the chains with the number of sweeps.
// Draw fails with ErrUnanswered if there is no solution.
func (c *Coupling) Draw(ctx context.Context, key [32]byte, progress func(sweeps int64)) ([]int, error) {
	if c.chain == nil {
		return nil, ErrUnanswered
	}
	return c.chain.Draw(ctx, key, progress)
}

func (c *Coupling) Bytes() int64 {
	if c.chain == nil {
		return 0
	}
	return c.chain.Bytes()
}

func (c *Coupling) Report() *Result { return &Result{Count: c.Count(), Bytes: c.Bytes()} }
