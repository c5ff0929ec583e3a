// Package count counts the solutions of an exact cover without listing them.
//
// [Count] returns the number of solutions, [Estimate] forecasts what that takes, and [Solve] makes a [Set], all
// solutions without a list, of which package sample draws.
//
// # Purpose
//
// [Distinct] counts up to symmetry, [ByCopies] by numbers of pieces, and [Each] lists the solutions one
// by one. A Set is a decision diagram, the levels of a sweep or a planar graph; it answers how many
// solutions each option is in. With weights in [Options] a solution counts by the product of its options'
// weights. Two packages do the work. One merges equal states, the other goes through all partial covers:
//
//	cover.Problem ─┬─► automaton.Automaton ─┬─► sweep: two levels, and
//	               │   levels of states,    │   each state's number of pasts
//	               │   equal ones merged    └─► diagram: the arcs between
//	               │                            all levels, bdd.Build
//	               │
//	               └─► search.Space ────────┬─► search: the sum of the
//	                   partial covers,      │   weights of those that are whole
//	                   depth first          └─► diagram: a list of these,
//	                                            bdd.List
//
// A call takes a context, the problem, its own arguments and [Options]: [Limits] of
// the machine, and a [Watch] that is told of progress and plans.
//
// # The engines
//
//   - sweep keeps two levels of states. Its sums have any size, in limbs of 64 bits
//     that widen with the largest count. It is the fastest where states merge, and
//     takes the memory of the largest level.
//   - search goes through the tree of partial covers. Of the options of one item, a
//     piece or a cell, that are images of each other it tries one, for all. It takes
//     hardly any memory. It is the fastest for sets of pieces that are used once, whose
//     states hardly merge: 8x8 pentominoes and a square have 152 million states and 3.3
//     million choices to try.
//   - diagram builds the canonical ZDD. Its variables are the options in the problem's
//     first order. It is made of the arcs between all levels, 8 bytes each while it is
//     built and as much a node in the end, or of a list of the solutions if these are
//     few.
//   - dimer takes determinants (package internal/engine/dimer): where each option covers two cells,
//     all cells are to be covered, no bound binds, and the cells are a planar graph of two
//     colours. Dominoes and lozenges on boards of any size are such problems: 100x100 takes
//     0.2 s, and no memory to speak of.
//   - auto plans. Sets of pieces that are used once are searched at once if random
//     probes say that this is short. Otherwise it begins with a sweep, whose first levels tell
//     what the rest will cost. If the rest is long, probes tell what a search would cost.
//     The engine that is expected to finish first goes on. If it takes longer than expected,
//     and by what it has done so far the other would be done before, that has its turn; both
//     keep their places. If a sweep runs out of memory or is too wide, the search counts. See
//     bench/engines.md for how far it is from the best engine on all known counts.
//
// A plan counts states and tries, and not seconds. So the same problem has the same
// plan on every machine, whatever else runs there and with any number of threads.
//
// The sweep takes the order of items that promises fewest states. For dominoes that
// is along the diagonals (20x20: 13.6 million states; along the rows 61.0 million).
// The diagram takes the problem's first order, on a board along its lines. The order
// of its variables is part of its meaning: diagrams of one board can be combined, and
// their sizes be compared with those of other programs.
//
// Sweep and diagram share the automaton, but not the arithmetic: the sweep adds up
// from the root down, the diagram from ⊤ up. The search shares nothing with either.
//
// # Non-goals
//
// No geometry (package tiling), no random numbers (package sample), no float
// on the way to a count: weights are made whole numbers, see weights.go.
//
// # References
//
// Knuth, TAOCP 4A, 7.1.4 and 4B, 7.2.2.1; see also packages internal/engine/sweep
// and internal/engine/search.
package count

import (
	"context"
	"errors"
	"fmt"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
)

// Count counts the solutions of a problem, which it validates first, by an
// engine; "" is Auto. Errors wrap cover.ErrInvalid, cover.ErrMemory, ErrTooWide,
// errEngine, or are ctx's.
func Count(ctx context.Context, p *cover.Problem, e Engine, o Options) (*Result, error) {
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	return countValid(ctx, p, e, o)
}

// countValid is Count of a problem that is known to be valid, or would be if
// it had no duplicate options: quotients have them, and no engine minds.
func countValid(ctx context.Context, p *cover.Problem, e Engine, o Options) (*Result, error) {
	if o.Explain {
		return explained(ctx, p, e, o)
	}
	switch e {
	case "", Auto:
		return newPlanner(p, o, toCount, usual).auto(ctx)
	case Sweep:
		return countBySweep(ctx, p, o)
	case Search:
		return searched(ctx, p, o)
	case Diagram:
		c, err := compileValid(ctx, p, o)
		if err != nil {
			return nil, err
		}
		return &c.Result, nil
	case Dimer:
		d, err := readDimers(ctx, p, nil, o)
		if err != nil {
			return nil, fmt.Errorf("engine %s: %w", Dimer, err)
		}
		return d.count(ctx, o, "primes")
	}
	return nil, fmt.Errorf("%w %q, want one of %q", errEngine, e, Engines())
}

// feasible compiles a valid problem. The automaton of a problem that cannot
// meet its bounds is nil.
func feasible(ctx context.Context, p *cover.Problem, inFirstOrder bool) (*automaton.Automaton, error) {
	if Unbalanced(p) {
		return nil, nil
	}
	a, err := compile(ctx, p, inFirstOrder)
	if err != nil || !a.Feasible {
		return nil, err
	}
	return a, nil
}

// compile takes the best order, or the problem's first if that is asked for
// and its states are not too wide.
func compile(ctx context.Context, p *cover.Problem, inFirstOrder bool) (*automaton.Automaton, error) {
	if inFirstOrder && len(p.Orders) > 0 {
		a, err := automaton.Compile(ctx, p, p.Orders[0])
		if !errors.Is(err, ErrTooWide) {
			return a, err
		}
	}
	return automaton.Compile(ctx, p)
}
