package count

import (
	"context"
	"math/big"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/estimate"
	"github.com/pavage/pavage/internal/engine/sweep"
)

// countBySweep keeps two levels and the number of ways to each state.
func countBySweep(ctx context.Context, p *cover.Problem, o Options) (*Result, error) {
	s, err := beginSweep(ctx, p, o)
	if err != nil {
		return nil, err
	}
	return s.finish(ctx)
}

// sweeper is a sweep under way. That of a problem which cannot meet its bounds
// has no run and is done.
type sweeper struct {
	automaton *automaton.Automaton
	run       sweep.Run
	meter     *meter
	blocks    int64 // that the states of all levels so far lie in, but for levels that were jumped
	change    *change
}

// newSweeper begins a sweep whose order will not change: the problem's first, or the best.
func newSweeper(ctx context.Context, p *cover.Problem, o Options, inFirstOrder bool) (*sweeper, error) {
	if inFirstOrder {
		a, err := feasible(ctx, p, true)
		return sweepOf(a, o), err
	}
	a, err := inBestOrder(ctx, p, o)
	return sweepOf(a, o), err
}

// inBestOrder is the automaton of the order that a count by sweep ends in, nil if the problem
// cannot meet its bounds.
func inBestOrder(ctx context.Context, p *cover.Problem, o Options) (*automaton.Automaton, error) {
	if Unbalanced(p) {
		return nil, nil
	}
	a, err := estimate.Compile(ctx, p, sweep.Config{Threads: o.threads(), Memory: o.Memory})
	if err != nil || !a.Feasible {
		return nil, err
	}
	return a, nil
}

// beginSweep begins a sweep in the order that is taken for the best, until levels show
// another one to be better.
func beginSweep(ctx context.Context, p *cover.Problem, o Options) (*sweeper, error) {
	if Unbalanced(p) {
		return &sweeper{}, nil
	}
	a, err := automaton.CompileToCount(ctx, p)
	if err != nil || !a.Feasible {
		return &sweeper{}, err
	}
	s := sweepOf(a, o)
	s.change = &change{problem: p, options: o, next: firstLook * int64(len(p.Options))}
	return s, nil
}

func sweepOf(a *automaton.Automaton, o Options) *sweeper {
	if a == nil {
		return &sweeper{}
	}
	s := &sweeper{automaton: a, meter: newMeter(foreseen(a), o.Progress)}
	s.run = sweep.Start(a, s.config(o))
	return s
}

func (s *sweeper) config(o Options) sweep.Config {
	return sweep.Config{Counts: true, Jump: true, Threads: o.threads(), Memory: o.Memory, Disk: o.Disk, Progress: s.meter.within}
}

// tellTo makes the rest of the sweep the next part of some work.
func (s *sweeper) tellTo(w *work) {
	if s.run != nil {
		s.meter.report = w.part(1, s.meter.shown)
	}
}

// done reports that no step is left, or no state.
func (s *sweeper) done() bool {
	return s.run == nil || s.run.Level() == s.automaton.Steps() || s.run.States() == 0
}

func (s *sweeper) step(ctx context.Context) error {
	if _, err := s.run.Step(ctx); err != nil {
		return err
	}
	if !s.run.Jumping() {
		s.blocks += int64(s.run.Blocks())
	}
	met := s.states()
	if s.change != nil {
		met += s.change.before
	}
	s.meter.next(met)
	return s.change.look(ctx, s)
}

// states are those of all levels so far.
func (s *sweeper) states() int64 {
	if s.run == nil {
		return 0
	}
	return s.run.Effort().States
}

// effort is what the sweep has done so far.
func (s *sweeper) effort() (e sweep.Effort) {
	if s.run != nil {
		e = s.run.Effort()
	}
	return e
}

// carried are the states of levels that were not jumped.
func (s *sweeper) carried() int64 { return s.states() - s.effort().Jumped }

// finish goes on to the end.
func (s *sweeper) finish(ctx context.Context) (*Result, error) {
	for !s.done() {
		if err := s.step(ctx); err != nil {
			return nil, err
		}
	}
	return s.result(), nil
}

func (s *sweeper) result() *Result {
	if s.run == nil {
		return &Result{Count: new(big.Int), Engine: Sweep}
	}
	s.meter.finish()
	e := s.run.Effort()
	return &Result{Count: s.run.Total(), Engine: Sweep, States: e.States, Arcs: e.Arcs, Disk: e.Disk, Bytes: e.Bytes}
}
