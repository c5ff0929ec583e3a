// Package order finds the order of the items in which a sweep meets few states.
//
// # Purpose
//
// Package automaton computes by a formula which order of a problem promises the fewest states
// ([automaton.Compile]). For some problems that formula is wrong by orders of magnitude, and the
// first levels show it: they are far larger than expected (automaton.Surprises). [Better] is for a
// sweep under way: it sweeps the other orders, without counts, side by side with the order of the
// sweep, and decides whether to change to another order. [Compile] is for a sweep that cannot
// change its order once it has begun: it sweeps some levels first, without counts.
//
//	states      16 Ki     64 Ki     256 Ki
//	rows        ▪▪▪▪▪     ▪▪▪▪▪     ▪▪▪▪▪      the order of the sweep: four times the states expected
//	columns     ▪         ▪▪                   expected to meet far more: dropped
//	diagonals   ▪         ▪▪▪       ▪▪▪▪▪      done with fewer: the sweep begins again with it
//
// # Non-goals
//
// No forecast of time or memory: see package count. No count depends on the order.
//
// # Cost
//
// Better makes at most six automata. It meets at most a quarter of the states that the sweep met.
package order

import (
	"context"
	"errors"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/sweep"
)

const (
	// A sweep changes its order only if it still expects muchBetter times the new order's states.
	muchBetter = 4
	leastTried = 1 << 14
	deeper     = 4
	// The function race drops an order if its expected states are at least inSight times the argument least.
	inSight = 4
	// LookAgain is the factor by which the number of states met grows between two comparisons.
	LookAgain = 8
	mostTried = 1 << 18
)

// Other is the order to which a sweep changes.
type Other struct {
	automaton.Candidate
	States float64 // expected number of states
	Given  int     // index of the order from which the sweep changes
}

// Better returns an order much better than the order of a run whose levels surprise (see
// automaton.Surprises), or nil. It sweeps other orders side by side with the order of the run.
// Together they meet at most a quarter of the states that the run has met. For bars of all lengths:
//
//	       by forecast alone                   with Better
//	2x23   33.6e6 states  0.81 s               7,914 states  0.02 s
//	3x14   17.9e6         0.39 s              23,240         0.03 s
//	5x12   over 1e9       not done in 90 s   923,800         0.09 s
func Better(ctx context.Context, p *cover.Problem, c sweep.Config, a *automaton.Automaton, run sweep.Run) (*Other, error) {
	all, err := automaton.Candidates(ctx, p)
	if err != nil {
		return nil, err
	}
	own, given := newTrial(a, c), 0
	var others []*trial
	for _, x := range all {
		if slices.Equal(x.Order, a.Order) {
			given = x.Index
			continue
		}
		others = append(others, newTrial(x.Automaton, c))
		others[len(others)-1].index = x.Index
	}
	met := float64(run.Effort().States)
	rest := a.Remaining(run.Level(), run.States())
	best, states, err := race(ctx, own, others, met, met+rest, rest/muchBetter)
	if err != nil || best == nil {
		return nil, err
	}
	return &Other{Candidate: automaton.Candidate{Automaton: best.a, Index: best.index}, States: states, Given: given}, nil
}

// race returns the order with the fewest expected states, and their number. If no number is below
// the bound least, it returns nil. The argument met is the number of states that the run has met,
// and now is the number that it expects in all. The trial own has the order of the run. If it
// expects too few states, the numbers of unfinished orders are raised by the same factor.
func race(ctx context.Context, own *trial, others []*trial, met, now, least float64) (*trial, float64, error) {
	for share := float64(leastTried); ; share *= deeper {
		if err := own.sweep(ctx, int64(share)); err != nil {
			return nil, 0, err
		}
		surprise := max(1, now/own.expected())
		var best *trial
		var left []*trial
		bound := least
		for _, x := range others {
			if err := x.sweep(ctx, int64(min(share, least))); err != nil {
				return nil, 0, err
			}
			states := x.expected()
			if !x.ended() {
				states *= surprise
			}
			if states < least*inSight {
				left = append(left, x)
			}
			if states < bound {
				best, bound = x, states
			}
		}
		others = left
		if met < 4*deeper*share*float64(len(others)) || len(others) == 0 {
			return best, bound, nil
		}
	}
}

// Compile is like automaton.Compile, but calls Better if levels are larger than expected.
func Compile(ctx context.Context, p *cover.Problem, c sweep.Config) (*automaton.Automaton, error) {
	a, err := automaton.Compile(ctx, p)
	if err != nil || !a.Feasible {
		return a, err
	}
	x := newTrial(a, c)
	for next := int64(0); ; next = LookAgain * x.run.Effort().States {
		surprised := func(level, states int) bool {
			return x.run.Effort().States >= next && a.Surprises(level, states)
		}
		if met, err := x.until(ctx, mostTried, surprised); err != nil || !met {
			return a, err
		}
		other, err := Better(ctx, p, c, a, x.run)
		if err != nil {
			return nil, err
		}
		if other != nil {
			return other.Automaton, nil
		}
	}
}

type trial struct {
	a     *automaton.Automaton
	index int // index of the order in the result of automaton.Orders
	run   sweep.Run
	grown int64 // states of the present level divided by the states of the level before, rounded up
	full  bool  // memory ran out
}

func newTrial(a *automaton.Automaton, c sweep.Config) *trial {
	return &trial{a: a, grown: 1, run: sweep.Start(a, sweep.Config{Threads: c.Threads, Memory: c.Memory})}
}

// sweep makes steps until the next step would exceed this number of states, or memory runs out.
func (x *trial) sweep(ctx context.Context, states int64) error {
	_, err := x.until(ctx, states, func(int, int) bool { return false })
	return err
}

// until is like sweep, but ends and returns true if wanted returns true for a level.
func (x *trial) until(ctx context.Context, states int64, wanted func(level, states int) bool) (met bool, err error) {
	for !x.full && !x.ended() && x.run.Effort().States+x.grown*int64(x.run.States()) <= states {
		before := x.run.States()
		if _, err := x.run.Step(ctx); errors.Is(err, sweep.ErrMemory) {
			x.full = true
			return false, nil
		} else if err != nil {
			return false, err
		}
		x.grown = int64(1 + x.run.States()/before)
		if wanted(x.run.Level(), x.run.States()) {
			return true, nil
		}
	}
	return false, nil
}

func (x *trial) ended() bool { return x.run.Level() == x.a.Steps() || x.run.States() == 0 }

func (x *trial) expected() float64 {
	met := float64(x.run.Effort().States)
	if x.ended() {
		return met
	}
	return met + x.a.Remaining(x.run.Level(), x.run.States())
}
