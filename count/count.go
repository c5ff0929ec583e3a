// Package count counts the solutions of an exact cover without listing them.
//
// [Count] returns the number of solutions, [Estimate] forecasts the cost of a count, and [Solve]
// returns a [Set] of all solutions, from which package sample draws.
//
// # Purpose
//
// [Distinct] counts up to symmetry (Burnside's lemma), [ByCopies] counts by numbers of pieces, and
// [Each] lists the solutions one by one. A Set is a decision diagram, the levels of a sweep or a
// planar graph. It can return the number of solutions that have each option. With weights in
// [Options] a solution counts as the product of its options' weights. Two packages do the work.
// Package automaton merges equal states, and package search visits all partial covers:
//
//	cover.Problem ─┬─► automaton.Automaton ─┬─► sweep: two levels, and
//	               │   levels of states,    │   the number of ways to each state
//	               │   equal ones merged    └─► diagram: the arcs between
//	               │                            all levels, bdd.Build
//	               │
//	               └─► search.Space ────────┬─► search: the sum of the
//	                   partial covers,      │   weights of full covers
//	                   depth first          └─► diagram: a list of full
//	                                            covers, bdd.List
//
// First, the problem is simplified and split into parts (cover.Split, parts.go). Each part has its
// own engine, and equal parts are counted once.
//
// Each call has a context, the problem, arguments and [Options]: [Limits] of the machine, and a
// [Watch] with callbacks for progress and plans.
//
// # The engines
//
//   - sweep (frontier-based search, transfer matrix, dynamic programming over a boundary) keeps
//     two levels of states. Its counts have any size: they use more limbs of 64 bits as the
//     largest count grows. It is the fastest where states merge, and needs the memory of the
//     largest level.
//   - search (backtracking, Algorithm X) visits the tree of partial covers. At each node, it
//     tries the options of one item, a piece or a cell. Of options that are images of each other
//     under symmetries, it tries one, and counts it for all. It needs hardly any memory. It is the
//     fastest for sets of pieces that are used once, whose states hardly merge: pentominoes and a
//     square on 8x8 have 152 million states, but a search tries only 3.3 million choices.
//   - diagram builds the canonical ZDD. Its variables are the options in the problem's first
//     order. It is reduced from the arcs between all levels, with 8 bytes for each arc during the
//     build and 8 bytes for each node of the result. If there are few solutions, it is built from
//     a list of them instead.
//   - dimer computes determinants (FKT; package internal/engine/dimer), for problems in which each
//     option covers two cells, all cells must be covered, no bound limits the copies, and the cells
//     are a planar graph, or a torus with the colours of a chessboard. Dominoes and lozenges on
//     boards of any size are such problems: a count on 100x100 runs for 0.2 s.
//   - auto chooses among these. Sets of pieces that are used once are searched at once if random
//     probes predict a short search. Otherwise auto begins with a sweep, whose first levels
//     predict the cost of the rest. If the rest is long, probes predict the cost of a search, and
//     a search is begun, since probes cannot predict how often it finds a subtree in its table.
//     The engine that is expected to finish first continues. If it is slower than expected, so
//     that the other engine would now finish first, the other engine gets a turn, and neither
//     engine loses its work. If a sweep runs out of memory or its states are too wide, the search
//     counts. bench/engines.md compares auto with the best engine for each measured count.
//
// A plan counts states and tries instead of seconds. So the same problem has the same plan on
// every machine, at any load and with any number of threads.
//
// The sweep uses the order of items with the smallest predicted number of states. For dominoes this
// order is along the diagonals: on 20x20 it leads to 13.6 million states, and the order along the
// rows to 61.0 million. The diagram uses the problem's first order, which is along the rows of a
// board. So diagrams of one board can be combined, and their sizes can be compared with those in
// other programs.
//
// Sweep and diagram share the automaton, but not the arithmetic: the sweep adds from the root
// down, the diagram from ⊤ up. The search shares nothing with either.
//
// The package has no geometry (see package tiling) and no source of random numbers (see package
// sample). Counts use no floating point: weights are scaled to integers, see weights.go.
//
// # References
//
// Knuth, TAOCP 4A, 7.1.4 and 4B, 7.2.2.1; see also packages internal/engine/sweep and
// internal/engine/search.
package count

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/kit/wording"
)

// Count checks a problem and counts its solutions with the engine e. An empty e means Auto. The
// error wraps cover.ErrInvalid, cover.ErrMemory, ErrTooWide or errEngine, or is the error of ctx.
func Count(ctx context.Context, p *cover.Problem, e Engine, o Options) (*Result, error) {
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	return countValid(ctx, p, e, o)
}

// countValid is Count for a checked problem. The problem may have equal options.
func countValid(ctx context.Context, p *cover.Problem, e Engine, o Options) (*Result, error) {
	s, err := apart(ctx, p, e, true)
	if err != nil {
		return nil, err
	}
	if s != nil && (e == "" || slices.Contains(Engines(), e)) {
		return countParts(ctx, s, e, o)
	}
	return countPart(ctx, p, e, o)
}

func countParts(ctx context.Context, s *cover.Split, e Engine, o Options) (*Result, error) {
	all := newJoint(s, e, o)
	for q, times := range different(s) {
		r, err := countPart(ctx, q, e, all.next(q))
		if err != nil {
			return nil, err
		}
		if all.add(q, times, r); all.Count.Sign() == 0 {
			break
		}
	}
	all.work.finish()
	if all.Plan != nil {
		plan := *all.Plan
		plan.Seconds = all.seconds
		all.Plan = &plan
	}
	return &all.Result, nil
}

func countPart(ctx context.Context, p *cover.Problem, e Engine, o Options) (*Result, error) {
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
		c, err := compilePart(ctx, p, o)
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
	return nil, fmt.Errorf("%w %q, expected %s", errEngine, e, wording.List(Engines()))
}

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

func compile(ctx context.Context, p *cover.Problem, inFirstOrder bool) (*automaton.Automaton, error) {
	if inFirstOrder && len(p.Orders) > 0 {
		a, err := automaton.Compile(ctx, p, p.Orders[0])
		if !errors.Is(err, ErrTooWide) {
			return a, err
		}
	}
	return automaton.Compile(ctx, p)
}
