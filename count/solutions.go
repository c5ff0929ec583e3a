package count

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
)

// A lister calls yield once for every solution, in any order, but never concurrently. It passes the
// ascending options in a reused slice. If yield returns false, the lister returns nil. It reports
// to o.Progress. The limit o.Memory is for the diagram, too.
type lister func(ctx context.Context, o Options, yield func(options []int) bool) error

// listShare is the progress, from 0 to 1, when the list is complete and the diagram begins.
const listShare = 0.9

// compileListed builds the diagram from a list of the solutions. The variables are in the first
// order of the problem, even if a sweep in this order would have too wide states. The error is an
// error of the lister, or an error of Compile other than ErrTooWide.
func compileListed(ctx context.Context, p *cover.Problem, o Options, list lister) (*Compiled, error) {
	options, err := variables(ctx, p)
	if err != nil {
		return nil, err
	}
	w := newWork(o.Progress)
	c := &collector{}
	c.List, err = bdd.NewList(len(options), bdd.Limits{Bytes: o.Memory, Progress: c.track(w)})
	if err != nil {
		return nil, err
	}
	o.Progress = w.part(listShare, Progress{})
	variable := inverse(options, len(p.Options))
	var set []int
	var refused error
	err = list(ctx, o, func(options []int) bool {
		set = set[:0]
		for _, o := range options {
			v := variable[o]
			if v == noVariable {
				refused = fmt.Errorf("option %d was listed, although it is in no solution", o)
				return false
			}
			set = append(set, v)
		}
		slices.Sort(set)
		refused = c.Add(set)
		return refused == nil
	})
	if err := errors.Join(refused, err); err != nil {
		return nil, err
	}
	c.sorted = w.part(1, Progress{Done: w.shown.Done})
	d, err := c.Diagram(ctx)
	if err != nil {
		return nil, err
	}
	return compiled(ctx, p, d, options, o, w, Result{Bytes: c.bytes})
}

func variables(ctx context.Context, p *cover.Problem) ([]int, error) {
	if len(p.Orders) > 0 {
		return automaton.Variables(p, p.Orders[0]), nil
	}
	a, err := automaton.Compile(ctx, p)
	if err == nil && a.Feasible {
		return a.Variables, nil
	}
	if err != nil && !errors.Is(err, ErrTooWide) {
		return nil, err
	}
	orders, err := automaton.Orders(ctx, p)
	if err != nil {
		return nil, err
	}
	return automaton.Variables(p, orders[0]), nil
}

const noVariable = -1

func inverse(options []int, size int) []int {
	variable := slices.Repeat([]int{noVariable}, size)
	for v, o := range options {
		variable[o] = v
	}
	return variable
}

type collector struct {
	*bdd.List
	bytes  int64          // largest number of bytes held by the list and its diagram
	sorted func(Progress) // reports the progress of the diagram; nil if there are no reports
}

func (c *collector) track(w *work) func(bdd.Progress) {
	return func(p bdd.Progress) {
		c.bytes = p.Bytes
		if c.sorted != nil {
			now := w.shown
			now.Fraction = float64(p.Step) / float64(p.Steps)
			c.sorted(now)
		}
	}
}
