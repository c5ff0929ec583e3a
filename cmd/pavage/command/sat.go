package command

import (
	"context"
	"math/big"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/verify"
)

// engineSAT is the engine that package count has not: it lists all tilings with a
// SAT solver.
const engineSAT = "sat"

func (v *countVerb) checkSAT() error {
	if v.config.Engine == engineSAT && (v.explain.wanted || v.forecast) {
		return usage("engine is sat, of which nothing is forecast, want another one, or neither --explain nor --estimate")
	}
	return nil
}

// countSAT is count --engine sat.
func (v *countVerb) countSAT(ctx context.Context, m *tiling.Model, b *bar) (*counted, error) {
	o := v.options(nil)
	p := *m.Problem
	c := &counted{Result: &count.Result{Engine: engineSAT}}
	if v.distinct != "" {
		c.reflections, c.group = v.distinct.reflections(m.Puzzle.Board.Lattice), v.distinct.group(m)
		p.Symmetries = c.group.Symmetries()
	}
	r, err := verify.Count(ctx, &p, verify.Options{Threads: o.Threads, Classes: v.distinct != "", Progress: func(p verify.Progress) {
		b.report(count.Progress{Fraction: p.Fraction, Done: p.Solutions, Unit: count.Solutions})
	}})
	c.Count = big.NewInt(r.Solutions)
	if c.group != nil {
		c.distinct = &count.DistinctResult{Count: big.NewInt(r.Listed), Total: c.Result}
	}
	return c, err
}
