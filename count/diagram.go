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

// Compile builds the diagram of all solutions. It returns the errors of Count.
func Compile(ctx context.Context, p *cover.Problem, o Options) (*Compiled, error) {
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	return compileValid(ctx, p, o)
}

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
	// The rest of the memory is for the arcs between the levels, which need more than the levels.
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
	return compiled(ctx, p, d, a.Variables, o, w, Result{Effort: Effort{States: e.States}, Arcs: e.Arcs, Bytes: e.Bytes + spec.bytes})
}

// Family is a Set with a diagram, in memory or in a file. Its variable v is option Options[v].
type Family struct {
	unanswered
	Options []int

	of       bdd.Counted
	ranks    *big.Int
	variable map[int]int
	slack    int // index of the first slack option, behind the options of the problem
}

// NewFamily returns the family of a diagram. For a file, Unrank and Rank also return read errors.
func NewFamily(of bdd.Counted, options []int) *Family {
	s := &Family{Options: options, of: of, ranks: of.Count(), variable: make(map[int]int, len(options)), slack: math.MaxInt}
	for v, o := range options {
		s.variable[o] = v
	}
	return s
}

func (s *Family) Count() *big.Int { return s.Ranks() }

func (s *Family) Weight() *big.Rat { return new(big.Rat).SetInt(s.ranks) }

func (s *Family) Ranks() *big.Int { return new(big.Int).Set(s.ranks) }

// Batch returns small numbers, since large batches would save at most 0.3 µs for each rank.
func (s *Family) Batch() (first, most int, alone bool) { return 64, 256, false }

const roomSets = 32

func (s *Family) Unrank(ctx context.Context, ranks []*big.Int) iter.Seq2[[]int, error] {
	return func(yield func([]int, error) bool) {
		err := checkRanks(ranks, s.ranks)
		left := make([]uint64, s.of.Width()) // remainder of the rank on the path down
		var room []int                       // backing array for the sets of the next ranks
		for i, rank := range ranks {
			var set []int
			if err = cmp.Or(err, ctx.Err()); err == nil {
				limb.Set(left, rank)
				set, err = s.of.Unrank(left, room)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if n := len(set); n <= cap(room) {
				room = room[n:n]
			} else { // room was too small, so Unrank has allocated the set
				room = make([]int, 0, n*min(roomSets, len(ranks)-i-1))
			}
			if !yield(s.OptionsOf(slices.Clip(set)), nil) {
				return
			}
		}
	}
}

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

func (s *Family) Bytes() int64 { return s.of.Bytes() }

func (s *Family) Report() *Result {
	return &Result{Count: s.Count(), Engine: Diagram, Effort: Effort{Nodes: int64(s.of.Size())}, Bytes: s.Bytes()}
}

// OptionsOf overwrites the variables in set with their options of the problem, and returns these
// options.
func (s *Family) OptionsOf(set []int) []int {
	options := set[:0]
	for _, v := range set {
		if o := s.Options[v]; o < s.slack {
			options = append(options, o)
		}
	}
	return options
}

// Variables returns the variables of options, ascending. It skips options that have no variable.
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
	Counts  *bdd.Counts // for each node, the sum of the weights of the sets below it
	Result  Result

	problem *cover.Problem
	weights *wholeWeights
	memory  int64 // limit in bytes for answers, without diagram and counts; 0 means no limit
}

// OfDiagram returns the Compiled of a diagram of solutions of p, in which variable v is options[v].
// The limit memory is in bytes; 0 means no limit. The Result has only Count, Engine, Nodes and
// Bytes. The error wraps cover.ErrMemory or is the error of ctx.
func OfDiagram(ctx context.Context, p *cover.Problem, d *bdd.Diagram, options []int, memory int64) (*Compiled, error) {
	return compiled(ctx, p, d, options, Options{Limits: Limits{Memory: memory}}, newWork(nil), Result{})
}

func compiled(ctx context.Context, p *cover.Problem, d *bdd.Diagram, options []int, o Options, w *work, effort Result) (*Compiled, error) {
	c := &Compiled{Family: &Family{Options: options}, Diagram: d, Result: effort, problem: p}
	one := &wholeWeights{Problem: p, options: len(p.Options), Scale: big.NewInt(1)}
	c, err := c.valued(ctx, one, nil, limit.Left(o.Memory, d.Bytes()))
	if err != nil {
		return nil, err
	}
	w.finish()
	c.Result.Count, c.Result.Engine, c.Result.Nodes = c.Ranks(), Diagram, int64(d.Size())
	c.Result.Bytes = max(effort.Bytes, c.Bytes())
	return c, nil
}

func (c *Compiled) weigh(ctx context.Context, w *wholeWeights, memory int64) (*Compiled, error) {
	s, err := c.valued(ctx, w, w.of(c.Options), limit.Left(memory, c.Bytes()))
	if err == nil {
		s.slack = w.options
	}
	return s, err
}

// valued returns a copy of c with other weights. The limit memory is for its counts and answers.
func (c *Compiled) valued(ctx context.Context, w *wholeWeights, byVariable []*big.Int, memory int64) (*Compiled, error) {
	counts, err := c.Diagram.Weigh(ctx, byVariable, memory)
	if err != nil {
		return nil, err
	}
	s := *c
	s.Family = NewFamily(c.Diagram.With(counts), c.Options)
	s.Counts, s.weights, s.memory = counts, w, limit.Left(memory, counts.Bytes())
	return &s, nil
}

func (c *Compiled) Report() *Result { return &c.Result }

func (c *Compiled) Count() *big.Int { return new(big.Int).Set(c.Result.Count) }

func (c *Compiled) Weight() *big.Rat { return new(big.Rat).SetFrac(c.ranks, c.weights.Scale) }

// Marginals computes all marginals in one pass over the nodes.
func (c *Compiled) Marginals(ctx context.Context) (*Marginals, error) {
	sums, err := c.Diagram.Marginals(ctx, c.Counts, c.memory)
	if err != nil {
		return nil, err
	}
	return c.weights.marginals(c.ranks, sums, c.Options), nil
}

// Without computes the counts again with weight 0 for the given options.
func (c *Compiled) Without(ctx context.Context, options []int) (Sums, error) {
	w, err := c.weights.without(options)
	if err != nil {
		return nil, err
	}
	return c.valued(ctx, w, w.of(c.Options), c.memory)
}

// Rank returns ErrUnanswered if the solutions have weights.
func (c *Compiled) Rank(ctx context.Context, options []int) (*big.Int, error) {
	if c.weights.Weights != nil {
		return c.unanswered.Rank(ctx, options)
	}
	return c.Family.Rank(ctx, options)
}

func (c *Compiled) Ordered(ctx context.Context, heaviest bool) iter.Seq2[[]int, error] {
	ordered := c.Diagram.Worst
	if heaviest {
		ordered = c.Diagram.Best
	}
	return func(yield func([]int, error) bool) {
		for one, err := range ordered(ctx, c.weights.of(c.Options), c.memory) {
			if !yield(c.OptionsOf(append([]int{}, one.Set...)), err) || err != nil {
				return
			}
		}
	}
}

// Select returns the solutions that satisfy all bounds. It drops weights. Memory 0 means no limit.
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
	options := c.Options
	return OfDiagram(ctx, c.problem, d, options, memory)
}

// Combine returns the result of op on the solutions in two diagrams of the same problem. It drops
// weights. Memory 0 means no limit. The options of c keep their order. Each new option comes after
// the option of c that precedes it in the other diagram.
func (c *Compiled) Combine(ctx context.Context, op bdd.Operation, with *Compiled, memory int64) (*Compiled, error) {
	here := map[int]bool{}
	for _, o := range c.Options {
		here[o] = true
	}
	behind, last := map[int][]int{}, -1 // new options, indexed by the option of c that precedes them; -1 if none does
	for _, o := range with.Options {
		if here[o] {
			last = o
		} else {
			behind[last] = append(behind[last], o)
		}
	}
	options := slices.Clone(behind[-1])
	for _, o := range c.Options {
		options = append(append(options, o), behind[o]...)
	}
	place := map[int]int{}
	for v, o := range options {
		place[o] = v
	}
	s, err := bdd.NewStore(len(options), bdd.Limits{Bytes: memory})
	if err != nil {
		return nil, err
	}
	var families [2]bdd.Family
	for i, of := range []*Compiled{c, with} {
		to := make([]int, len(of.Options))
		for v, o := range of.Options {
			to[v] = place[o]
		}
		if families[i], err = s.Import(ctx, of.Diagram, to); err != nil {
			return nil, err
		}
	}
	f, err := s.Combine(ctx, op, families[0], families[1])
	if err != nil {
		return nil, err
	}
	d, err := s.Freeze(ctx, f)
	if err != nil {
		return nil, err
	}
	return OfDiagram(ctx, c.problem, d, options, memory)
}

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

// expandShare is Progress.Fraction when the levels are complete and the reduction begins.
const expandShare = 0.7

// levels is the bdd.Spec of the diagram. Layer i of the diagram is step i of the sweep.
type levels struct {
	automaton *automaton.Automaton
	run       sweep.Run
	meter     *meter
	work      *work
	reduced   func(Progress) // reports progress of the reduction; nil until it begins
	effort    sweep.Effort
	bytes     int64 // largest number of bytes that bdd.Build has held
}

func (l *levels) Vars() int   { return len(l.automaton.Variables) }
func (l *levels) Layers() int { return l.automaton.Steps() }

// An arc without a variable is a step without an option, so bdd.NoVar must equal automaton.Skip.
const _ = uint(automaton.Skip-bdd.NoVar) + uint(bdd.NoVar-automaton.Skip)

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
			child = 0 // all states of the last level become the node ⊤
		}
		layer.Arcs[k] = bdd.Arc{Var: arcs.Variable[k], Child: child}
	}
	if last {
		layer.Next = min(1, arcs.Next)
		l.run = nil // release the levels before the reduction
	}
	return layer, nil
}

func (l *levels) track(p bdd.Progress) {
	l.bytes = max(l.bytes, p.Bytes)
	reduced := p.Step - l.Layers()
	if reduced == 1 {
		l.reduced = l.work.part(1, Progress{Done: l.meter.shown.Done})
	}
	if reduced > 0 && l.reduced != nil {
		l.reduced(Progress{Fraction: float64(reduced) / float64(l.Layers()), Done: l.meter.shown.Done, Unit: "states"})
	}
}
