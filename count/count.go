// Package count counts the solutions of an exact cover without listing them.
//
// # Purpose
//
// [Count] gives the number of solutions, [Distinct] the number up to symmetry. [Each]
// lists the solutions one by one. [Compile] makes the decision diagram of all of them,
// [Rank] a diagram or the levels of a sweep: package sample draws from either, and they
// tell [Ranked.Marginals]: in how many solutions each option is. [ByCopies] counts by
// numbers of pieces. [Options] may have weights: then solutions count by the product of
// their options' weights. [Estimate] tells what a count would take. Two packages do the
// work. One merges states that are alike, the other goes through all partial covers:
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
//   - dimer takes determinants (package internal/dimer): where each option covers two cells,
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
// on the way to a count: weights are made whole numbers, see [WholeWeights].
//
// # References
//
// Knuth, TAOCP 4A, 7.1.4 and 4B, 7.2.2.1; see also packages internal/sweep
// and internal/search.
package count

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"runtime"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/automaton"
	"github.com/pavage/pavage/internal/sweep"
)

// Engine names a way of counting.
type Engine string

// The engines. Auto leaves the choice to Count.
const (
	Auto    Engine = "auto"
	Sweep   Engine = "sweep"
	Search  Engine = "search"
	Diagram Engine = "diagram"
	Dimer   Engine = "dimer"
)

// Engines are all values an Engine may have, Auto first.
func Engines() []Engine { return []Engine{Auto, Sweep, Search, Diagram, Dimer} }

var (
	// ErrMemory is wrapped when Limits.Memory would be passed.
	ErrMemory = sweep.ErrMemory
	// ErrTooWide is wrapped when no order of the items has states of at most
	// 511 bits.
	ErrTooWide = automaton.ErrTooWide
	// ErrEngine is wrapped when an engine is not one of Engines.
	ErrEngine = errors.New("unknown engine")
	// ErrRank is wrapped when a rank is not at least 0 and below the count.
	ErrRank = errors.New("rank out of range")
	// ErrMember is wrapped when options that are ranked are no solution.
	ErrMember = errors.New("not a member")
)

// Options are what every call of this package takes beside its arguments: what
// it may use, and who is told. The zero value is good.
type Options struct {
	Limits
	Watch
	// Weights, if not nil, are those of the options, each at least 0, nil for 1. The
	// weight of a solution is the product of its options'. For Rank and Remember alone.
	Weights []*big.Rat
	// Engine, if not "", is the one that Rank and ByCopies are to take: Auto, Sweep or
	// Diagram.
	Engine Engine
}

// Limits are what a piece of work may use of the machine.
type Limits struct {
	Threads int   // goroutines; 0: one a core. More than there are cores are as good as these
	Memory  int64 // bytes for levels, arcs and nodes; 0: no limit
	// Disk, if not empty, is a directory where a sweep that counts keeps levels
	// that do not fit in Memory. Of Auto's sweeps only one that a search would take
	// longer than goes there.
	Disk string
}

// threads is the number of goroutines, no more than there are cores to run them: a
// plan and the memory of a search would count on what is not there.
func (l Limits) threads() int {
	cores := runtime.GOMAXPROCS(0)
	if l.Threads > 0 {
		return min(l.Threads, cores)
	}
	return cores
}

// Besides is the memory that is left beside so many bytes, at least 1; 0 if there is no limit.
func (l Limits) Besides(bytes int64) int64 {
	if l.Memory <= 0 {
		return 0
	}
	return max(1, l.Memory-bytes)
}

// Watch is who is told how a piece of work goes. Calls do not overlap.
type Watch struct {
	// Progress, if not nil, is told now and then how far the work is.
	Progress func(Progress)
	// Planned, if not nil, is told each plan that Result.Plan might become: when
	// an engine has been chosen or changed, and as forecasts get better. Seconds
	// are 0.
	Planned func(*Plan)
	// Explain asks for whole plans: forecasts of both engines also where nothing
	// had to be chosen, and the orders that a sweep had to choose from.
	Explain bool
}

// Result is a count and what it took.
type Result struct {
	Count  *big.Int
	Engine Engine // the engine that counted
	States int64  // of all levels of a sweep; of a search: the partial covers it branched on
	Tries  int64  // choices that a search tried; 0 for a sweep
	Arcs   int64  // between the states of a sweep, those to pruned states included
	Nodes  int64  // of the reduced diagram, terminals included; 0 for a sweep
	Primes int    // modulo which determinants were found
	// Products are multiplications modulo primes, as the structure of the matrix has them.
	Products int64
	Disk     int64 // bytes of levels written to disk
	Bytes    int64 // a bound on the bytes held at once, by our own accounting
	Plan     *Plan // of Auto and of diagrams; nil if the engine was given, but for Watch.Explain
}

// Compiled is the diagram of all solutions of a problem.
type Compiled struct {
	Diagram *bdd.Diagram
	Counts  *bdd.Counts // number of solutions below each node
	Options []int       // variable v of the diagram is option Options[v]
	Result  Result
}

// OptionsOf are the options of a set of variables, in its order.
func (c *Compiled) OptionsOf(set []int) []int {
	options := make([]int, len(set))
	for i, v := range set {
		options[i] = c.Options[v]
	}
	return options
}

// Variables are those of so many options, -1 for one that has none.
func (c *Compiled) Variables(options int) []int { return inverse(c.Options, options) }

// Count counts the solutions of a problem, which it validates first, by an
// engine; "" is Auto. Errors wrap cover.ErrInvalid, ErrMemory, ErrTooWide,
// ErrEngine, or are ctx's.
func Count(ctx context.Context, p *cover.Problem, e Engine, o Options) (*Result, error) {
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	return countValid(ctx, p, e, o)
}

// countValid is Count of a problem that is known to be valid, or would be if
// it had no duplicate options: quotients have them, and no engine minds.
func countValid(ctx context.Context, p *cover.Problem, e Engine, o Options) (*Result, error) {
	if o.Explain && (e == Sweep || e == Search) {
		return explained(ctx, p, e, o)
	}
	switch e {
	case "", Auto:
		return auto(ctx, p, o)
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
		return countByDimers(ctx, p, o)
	}
	return nil, fmt.Errorf("%w %q, want one of %q", ErrEngine, e, Engines())
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

// memoryError makes the diagram's error of a full memory one of ours.
func memoryError(err error) error {
	if errors.Is(err, bdd.ErrLimit) {
		return fmt.Errorf("%w: %w", ErrMemory, err)
	}
	return err
}
