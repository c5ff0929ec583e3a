package count

import (
	"context"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
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
		run: sweep.Start(a, sweep.Config{Arcs: true, Threads: o.threads(), Memory: forLevels, Progress: m.within}),
	}
	d, err := bdd.Build(ctx, spec, bdd.Limits{Bytes: o.Memory - forLevels, Progress: spec.track})
	if err != nil {
		return nil, err
	}
	e := spec.effort
	return compiled(ctx, d, a.Variables, o, w, Result{States: e.States, Arcs: e.Arcs, Bytes: e.Bytes + spec.bytes})
}

// OfDiagram counts the sets of a diagram whose variable v is option options[v], within so many
// bytes of memory; 0 is no limit. Whether they are solutions the caller knows. Of the Result
// only Count, Engine, Nodes and Bytes are there. The error wraps ErrMemory or is ctx's.
func OfDiagram(ctx context.Context, d *bdd.Diagram, options []int, memory int64) (*Compiled, error) {
	return compiled(ctx, d, options, Options{Limits: Limits{Memory: memory}}, newWork(nil), Result{})
}

// compiled counts the diagram's sets; effort is what it took so far.
func compiled(ctx context.Context, d *bdd.Diagram, options []int, o Options, w *work, effort Result) (*Compiled, error) {
	counts, err := d.CountsWithin(ctx, limit.Left(o.Memory, d.Bytes()))
	if err != nil {
		return nil, err
	}
	w.finish()
	effort.Count, effort.Engine, effort.Nodes = counts.At(d.Root()), Diagram, int64(d.Size())
	effort.Bytes = max(effort.Bytes, d.Bytes()+counts.Bytes())
	return &Compiled{Diagram: d, Counts: counts, Options: options, Result: effort}, nil
}

// bytes are those of the diagram and its counts.
func (c *Compiled) bytes() int64 { return c.Diagram.Bytes() + c.Counts.Bytes() }

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
	return compiled(ctx, d, options, o, newWork(o.Progress), Result{})
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
