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

// lister calls yield with every solution of a problem, an ascending set of
// options each, in any order, none twice and one at a time; the slice may be
// reused. It ends, without an error of its own, when yield returns false. Of
// the options, whose Progress it tells, Memory is the whole run's.
type lister func(ctx context.Context, o Options, yield func(options []int) bool) error

// listShare of the time of a compilation goes into the listing, the rest into
// the diagram (8x8 pentominoes and a square: 2 s and 0.2 s).
const listShare = 0.9

// compileListed makes the diagram that compileSwept makes, of solutions that
// are listed: for problems with few solutions beside the states of a frontier.
// As variables it takes those of the problem's first order, however wide its
// states would be. Errors are those of Compile but for ErrTooWide, and the
// lister's.
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
				refused = fmt.Errorf("option %d was listed, which fits in no solution", o)
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

// variables are the options in the order of the diagram's variables.
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

// noVariable is an option's that can be in no solution.
const noVariable = -1

// inverse is the variable of every option.
func inverse(options []int, size int) []int {
	variable := slices.Repeat([]int{noVariable}, size)
	for v, o := range options {
		variable[o] = v
	}
	return variable
}

// collector is a list of sets of variables, and how far its diagram is.
type collector struct {
	*bdd.List
	bytes  int64          // the most that the list and its diagram have held
	sorted func(Progress) // told how far the diagram is; nil: nobody
}

// track follows the diagram, whose memory includes the list's.
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
