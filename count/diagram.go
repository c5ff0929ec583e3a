package count

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/big"
	"slices"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/limb"
	"github.com/pavage/pavage/internal/engine/sweep"
	"github.com/pavage/pavage/internal/kit/limit"
)

// Compile builds the diagram of all solutions. Errors are those of Count.
func Compile(ctx context.Context, p *cover.Problem, o Options) (*Compiled, error) {
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	return compileValid(ctx, p, o)
}

// compileSwept reduces the arcs between the levels of the frontier.
func compileSwept(ctx context.Context, p *cover.Problem, o Options) (*Compiled, error) {
	a, err := feasible(ctx, p, true)
	if err != nil {
		return nil, err
	}
	if a == nil {
		return impossible(ctx, p, o)
	}
	w := newWork(o.Progress)
	m := newMeter(foreseen(a), w.part(expandShare, Progress{}))
	// Levels are narrow beside the arcs between all of them.
	forLevels := o.Memory / 4
	spec := &levels{
		automaton: a, meter: m, work: w,
		run: sweep.Start(a, sweep.Config{Keep: sweep.KeepArcs, Threads: o.threads(), Memory: forLevels, Progress: m.within}),
	}
	d, err := bdd.Build(ctx, spec, bdd.Limits{Bytes: o.Memory - forLevels, Progress: spec.track})
	if err != nil {
		return nil, err
	}
	e := spec.effort
	return compiled(ctx, p, d, a.Variables, o, w, Result{States: e.States, Arcs: e.Arcs, Bytes: e.Bytes + spec.bytes})
}

// Family is the family of sets of a diagram, in memory or in a file, as a Set: variable v of the
// diagram is option Options[v]. It ranks and unranks; other questions need a Compiled.
type Family struct {
	unanswered
	Options []int

	of       bdd.Counted
	count    *big.Int
	variable map[int]int // by option
}

// NewFamily returns the family of a diagram. Errors of Unrank and Rank may be those of its file.
func NewFamily(of bdd.Counted, options []int) *Family {
	s := &Family{Options: options, of: of, count: of.Count(), variable: make(map[int]int, len(options))}
	for v, o := range options {
		s.variable[o] = v
	}
	return s
}

// Count implements Set.
func (s *Family) Count() *big.Int { return new(big.Int).Set(s.count) }

// Weight implements Set.
func (s *Family) Weight() *big.Rat { return new(big.Rat).SetInt(s.count) }

// Ranks implements Set.
func (s *Family) Ranks() *big.Int { return s.Count() }

// Batch implements Set. For one rank alone a call of Unrank costs 0.3 µs more.
func (s *Family) Batch() (first, most int) { return 64, 64 }

// Unrank implements Set.
func (s *Family) Unrank(ctx context.Context, ranks []*big.Int) iter.Seq2[[]int, error] {
	return func(yield func([]int, error) bool) {
		err, last := checkRanks(ranks, s.count), 0
		left := make([]uint64, s.of.Width()) // of a rank, on the way down
		for _, rank := range ranks {
			var set []int
			if err = cmp.Or(err, ctx.Err()); err == nil {
				limb.Set(left, rank)
				set, err = s.of.Unrank(left, make([]int, 0, last))
			}
			if err != nil {
				yield(nil, err)
				return
			}
			last = len(set)
			for i, v := range set {
				set[i] = s.Options[v]
			}
			if !yield(set, nil) {
				return
			}
		}
	}
}

// Rank implements Set.
func (s *Family) Rank(ctx context.Context, options []int) (*big.Int, error) {
	set := make([]int, len(options))
	for i, o := range options {
		v, ok := s.variable[o]
		if !ok {
			return nil, notMember(options)
		}
		set[i] = v
	}
	slices.Sort(set)
	rank, err := s.of.Rank(set)
	if errors.Is(err, bdd.ErrMember) {
		err = notMember(options)
	}
	return rank, cmp.Or(ctx.Err(), err)
}

func notMember(options []int) error { return fmt.Errorf("%w: %v", ErrMember, options) }

// Bytes implements Set.
func (s *Family) Bytes() int64 { return s.of.Bytes() }

// Report implements Set.
func (s *Family) Report() *Result {
	return &Result{Count: s.Count(), Engine: Diagram, Nodes: int64(s.of.Size()), Bytes: s.Bytes()}
}

// OptionsOf returns the options of a set of variables, in its order.
func (s *Family) OptionsOf(set []int) []int {
	options := make([]int, len(set))
	for i, v := range set {
		options[i] = s.Options[v]
	}
	return options
}

// Variables returns the variables of options, ascending: of those that have one.
func (s *Family) Variables(options []int) (variables []int) {
	for _, o := range options {
		if v, ok := s.variable[o]; ok {
			variables = append(variables, v)
		}
	}
	slices.Sort(variables)
	return variables
}

// Compiled is the diagram of all solutions of a problem, in memory, with its counts.
type Compiled struct {
	*Family
	Diagram *bdd.Diagram
	Counts  *bdd.Counts // number of solutions below each node
	Result  Result

	problem *cover.Problem
	memory  int64 // bytes that diagram, counts and an answer may take; 0 is no limit
}

// OfDiagram counts the sets of a diagram whose variable v is option options[v] of a problem, within
// memory bytes; 0 is no limit. Whether they are solutions the caller knows. Of the Result
// only Count, Engine, Nodes and Bytes are there. The error wraps ErrMemory or is ctx's.
func OfDiagram(ctx context.Context, p *cover.Problem, d *bdd.Diagram, options []int, memory int64) (*Compiled, error) {
	return compiled(ctx, p, d, options, Options{Limits: Limits{Memory: memory}}, newWork(nil), Result{})
}

// compiled counts the diagram's sets; effort is what it took so far.
func compiled(ctx context.Context, p *cover.Problem, d *bdd.Diagram, options []int, o Options, w *work, effort Result) (*Compiled, error) {
	counts, err := d.Weigh(ctx, nil, limit.Left(o.Memory, d.Bytes()))
	if err != nil {
		return nil, err
	}
	w.finish()
	c := &Compiled{Family: NewFamily(d.With(counts), options), Diagram: d, Counts: counts, Result: effort, problem: p, memory: o.Memory}
	c.Result.Count, c.Result.Engine, c.Result.Nodes = c.Count(), Diagram, int64(d.Size())
	c.Result.Bytes = max(effort.Bytes, c.Bytes())
	return c, nil
}

// Report implements Set.
func (c *Compiled) Report() *Result { return &c.Result }

// Marginals implements Set.
func (c *Compiled) Marginals(ctx context.Context) (*Marginals, error) {
	return c.plain().Marginals(ctx)
}

// Without implements Set.
func (c *Compiled) Without(ctx context.Context, options []int) (Sums, error) {
	return c.plain().Without(ctx, options)
}

// Ordered implements Set.
func (c *Compiled) Ordered(ctx context.Context, heaviest bool) iter.Seq2[[]int, error] {
	return c.plain().Ordered(ctx, heaviest)
}

// Select returns the solutions that keep bounds on options, within memory bytes; 0 is no limit.
func (c *Compiled) Select(ctx context.Context, bounds []cover.Bound, memory int64) (*Compiled, error) {
	d, left := c.Diagram, limit.Left(memory, c.Result.Bytes)
	for _, b := range bounds {
		high, within := b.Max, left
		if high == cover.Unbounded {
			high = math.MaxInt
		}
		if d != c.Diagram {
			within = limit.Left(left, d.Bytes())
		}
		var err error
		if d, err = d.Select(ctx, c.Variables(b.Options), b.Min, high, bdd.Limits{Bytes: within}); err != nil {
			return nil, err
		}
	}
	options := c.Options // and nothing else of c from here on
	return OfDiagram(ctx, c.problem, d, options, memory)
}

// impossible is the diagram of no solution, over the same variables as if
// there were some.
func impossible(ctx context.Context, p *cover.Problem, o Options) (*Compiled, error) {
	options, err := variables(ctx, p)
	if err != nil {
		return nil, err
	}
	d, err := bdd.Empty(len(options))
	if err != nil {
		return nil, err
	}
	return compiled(ctx, p, d, options, o, newWork(o.Progress), Result{})
}

// expandShare of the time of a compilation goes into the levels, the rest
// into the reduction (8x8 monominoes, dominoes, trominoes: 0.7 and 0.3).
const expandShare = 0.7

// levels is the specification of the diagram: layer i is step i of the run.
type levels struct {
	automaton *automaton.Automaton
	run       sweep.Run
	meter     *meter
	work      *work
	reduced   func(Progress) // told how far the reduction is; nil before it
	effort    sweep.Effort
	bytes     int64 // most bytes that bdd.Build has held
}

func (l *levels) Vars() int   { return len(l.automaton.Variables) }
func (l *levels) Layers() int { return l.automaton.Steps() }

// A step without an option is an arc without a variable, in both packages.
const _ = uint(automaton.Skip-bdd.NoVar) + uint(bdd.NoVar-automaton.Skip)

// Expand implements bdd.Spec.
func (l *levels) Expand(ctx context.Context, i int) (bdd.Layer, error) {
	arcs, err := l.run.Step(ctx)
	if err != nil {
		return bdd.Layer{}, err
	}
	l.effort = l.run.Effort()
	l.meter.next(l.effort.States)
	layer := bdd.Layer{Next: arcs.Next, Start: arcs.Start, Arcs: make([]bdd.Arc, len(arcs.Child))}
	last := i+1 == l.Layers()
	for k, child := range arcs.Child {
		if last {
			child = 0 // states of the last level differ in counters only: all are ⊤
		}
		layer.Arcs[k] = bdd.Arc{Var: arcs.Variable[k], Child: child}
	}
	if last {
		layer.Next = min(1, arcs.Next)
		l.run = nil // its levels make room for the reduction
	}
	return layer, nil
}

// track follows the reduction.
func (l *levels) track(p bdd.Progress) {
	l.bytes = max(l.bytes, p.Bytes)
	reduced := p.Step - l.Layers()
	if reduced == 1 {
		l.reduced = l.work.part(1, Progress{Done: l.meter.shown.Done})
	}
	if reduced > 0 && l.reduced != nil {
		l.reduced(Progress{Fraction: float64(reduced) / float64(l.Layers()), Done: l.meter.shown.Done, Unit: States})
	}
}
