package differential

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
)

// mostRechecks limits the shrinking of one disagreement.
const mostRechecks = 2000

// shrink makes a case smaller for as long as the check disagrees with itself: one cut after
// another, each the first that disagrees. It returns the smallest case with its error.
func (h *Harness) shrink(ctx context.Context, k *Check, c *Case, err error) (*Case, error) {
	rechecks := 0
	for smaller := true; smaller; {
		smaller = false
		for _, cut := range c.cuts() {
			if rechecks++; rechecks > mostRechecks {
				return c, err
			}
			if because := h.recheck(ctx, k, cut); because != nil {
				smaller, c, err = true, cut, because
				break
			}
		}
	}
	return c, err
}

// recheck runs the check on a case that was cut, whose reference must be good.
func (h *Harness) recheck(ctx context.Context, k *Check, c *Case) error {
	if !k.Scope.has(c) || c.Problem.Validate() != nil {
		return nil
	}
	s, err := h.reference(ctx, c, Tally{})
	if err != nil {
		return nil
	}
	return h.check(ctx, k, s)
}

// cuts are slightly smaller cases, the most promising first, and the bare cover of a puzzle
// or of a padded cover. Some are invalid.
func (c *Case) cuts() (all []*Case) {
	bare := *c
	bare.puzzle, bare.model, bare.padding = nil, nil, nil
	switch {
	case c.puzzle != nil:
		for _, p := range c.puzzle.cuts() {
			smaller := *c
			if smaller.setPuzzle(p) == nil {
				all = append(all, &smaller)
			}
		}
		return append(all, &bare)
	case c.padding != nil:
		return []*Case{&bare}
	}
	for _, p := range coverCuts(c.Problem) {
		smaller := *c
		smaller.Problem = p
		all = append(all, &smaller)
	}
	return all
}

// parts are the ranges that are tried to be left out of n things: halves,
// quarters and so on, down to one.
func parts(n int) (all []pair) {
	for size := n / 2; size >= 1; size /= 2 {
		for from := 0; from < n; from += size {
			all = append(all, pair{from, min(from+size, n)})
		}
	}
	return all
}

// coverCuts leave out options, an item, the hints, or a multiplicity.
func coverCuts(p *cover.Problem) (all []*cover.Problem) {
	if len(p.Symmetries) > 0 {
		all = append(all, changed(p))
	}
	if len(p.Options) == 1 {
		q := changed(p)
		q.Options = nil
		all = append(all, q)
	}
	for _, part := range parts(len(p.Options)) {
		q := changed(p)
		q.Options = slices.Delete(q.Options, part[0], part[1])
		all = append(all, q)
	}
	for i := range p.Items {
		all = append(all, withoutItem(p, i))
	}
	for k := range p.Orders {
		q := changed(p)
		q.Orders = slices.Delete(q.Orders, k, k+1)
		all = append(all, q)
	}
	return append(all, simplerNumbers(p)...)
}

// withoutItem leaves out an item, and options that used nothing else.
func withoutItem(p *cover.Problem, item int) *cover.Problem {
	q := changed(p)
	q.Items = slices.Delete(q.Items, item, item+1)
	unordered(q, item)
	for k, o := range q.Options {
		o = slices.DeleteFunc(o, func(u cover.Use) bool { return u.Item == item })
		for at := range o {
			if o[at].Item > item {
				o[at].Item--
			}
		}
		q.Options[k] = o
	}
	for _, order := range q.Orders {
		for at := range order {
			if order[at] > item {
				order[at]--
			}
		}
	}
	q.Options = slices.DeleteFunc(q.Options, func(o cover.Option) bool { return len(o) == 0 })
	return q
}

// simplerNumbers returns changed problems: with one use once instead of several times, without one
// coloured use, or with bounds of an item nearer to 0.
func simplerNumbers(p *cover.Problem) (all []*cover.Problem) {
	for k, o := range p.Options {
		for at, u := range o {
			switch {
			case u.Times > 1:
				q := changed(p)
				q.Options[k][at].Times--
				all = append(all, q)
			case u.Colour != 0:
				q := changed(p)
				q.Options[k] = slices.Delete(q.Options[k], at, at+1)
				all = append(all, q)
			}
		}
	}
	for i, item := range p.Items {
		if item.Min > 1 {
			all = append(all, bounded(p, i, item.Min-1, item.Max))
		}
		if item.Max > max(2, item.Min) && item.Max != cover.Unbounded {
			all = append(all, bounded(p, i, item.Min, item.Max-1))
		}
	}
	return all
}

// cuts leave out a piece, lines of the board or a cell, or make a cell ordinary.
func (p *puzzle) cuts() (all []*puzzle) {
	add := func(cut func(q *puzzle)) {
		q := p.clone()
		cut(q)
		all = append(all, q)
	}
	for i := range p.shapes {
		if len(p.shapes) > 1 {
			add(func(q *puzzle) { q.shapes = slices.Delete(q.shapes, i, i+1) })
		}
	}
	for axis := range p.size {
		for _, part := range parts(p.size[axis]) {
			all = append(all, p.withoutLines(axis, part))
		}
	}
	for i, b := range p.cells {
		switch b {
		case '#':
			add(func(q *puzzle) { q.cells[i] = '.' })
		case 'o':
			add(func(q *puzzle) { q.cells[i] = '.' })
			add(func(q *puzzle) { q.cells[i] = '#' })
		}
	}
	return all
}

// withoutLines leaves out the lines part[0] to part[1]-1 along an axis.
func (p *puzzle) withoutLines(axis int, part pair) *puzzle {
	q := p.clone()
	q.size[axis] -= part[1] - part[0]
	q.cells = nil
	for i, c := range p.places() {
		if c[axis] < part[0] || c[axis] >= part[1] {
			q.cells = append(q.cells, p.cells[i])
		}
	}
	return q
}

// TestShrink has a check that any option of three items upsets: one is left,
// of a cover or of a puzzle.
func TestShrink(t *testing.T) {
	three := Check{Name: "three", Every: 1, run: func(_ context.Context, s *subject) error {
		for _, o := range s.Problem.Options {
			if len(o) >= 3 {
				return errors.New("an option of three items")
			}
		}
		return nil
	}}
	boards := three
	boards.Scope = Puzzles
	done := map[Kind]int{}
	for seed := range uint64(100) {
		c, err := FromSeed(seed)
		if err != nil {
			t.Fatal(err)
		}
		h := &Harness{Checks: []Check{three}}
		if c.puzzle != nil && seed%2 == 0 {
			h.Checks[0] = boards
		}
		for _, d := range h.Case(t.Context(), c, nil, Tally{}) {
			done[c.Kind]++
			p := d.Shrunk.Problem
			more := len(p.Items) != 3 || len(p.Orders)+len(p.Symmetries) > 0
			if len(p.Options) != 1 || d.Shrunk.puzzle == nil && more {
				t.Errorf("seed %d was shrunk to\n%v", seed, d)
			}
		}
	}
	if len(done) < 4 {
		t.Errorf("only %v came up", done)
	}
}
