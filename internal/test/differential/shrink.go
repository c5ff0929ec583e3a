package differential

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/pavage/pavage/cover"
)

// shrinkTime is what the shrinker may take by default: a slow disagreement
// stays large.
const shrinkTime = 20 * time.Second

// shrink makes a case smaller for as long as the check disagrees with itself,
// one cut after another, each the first that does: pieces and cells of a
// puzzle, options and items of a cover. A check that needs no board is also
// shrunk as a cover. What it returns with is the last disagreement.
func (h *Harness) shrink(ctx context.Context, k *Check, c *Case, err error) (*Case, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(h.Shrink, shrinkTime))
	defer cancel()
	for {
		smaller, because := h.firstCut(ctx, k, c)
		if smaller == nil {
			break
		}
		c, err = smaller, because
	}
	if (c.puzzle != nil || c.padding != nil) && k.Scope != Puzzles && k.Scope != SmallPuzzles {
		bare := *c
		bare.puzzle, bare.model, bare.padding = nil, nil, nil
		if because := h.recheck(ctx, k, &bare); because != nil {
			return h.shrink(ctx, k, &bare, because)
		}
	}
	return c, err
}

func (h *Harness) firstCut(ctx context.Context, k *Check, c *Case) (*Case, error) {
	for _, smaller := range c.cuts() {
		if ctx.Err() != nil {
			break
		}
		if because := h.recheck(ctx, k, smaller); because != nil && ctx.Err() == nil {
			return smaller, because
		}
	}
	return nil, nil
}

// recheck runs the check on a case that was cut, whose reference must be good.
func (h *Harness) recheck(ctx context.Context, k *Check, c *Case) error {
	if c.Problem.Validate() != nil {
		return nil
	}
	s, err := h.reference(ctx, c, Tally{})
	if err != nil {
		return nil
	}
	return h.check(ctx, k, s)
}

// cuts are slightly smaller cases, the most promising first. Some are invalid.
func (c *Case) cuts() (all []*Case) {
	if c.padding != nil {
		for _, p := range c.padding.cuts() {
			smaller := *c
			smaller.setPadding(p)
			all = append(all, &smaller)
		}
		return all
	}
	if c.puzzle == nil {
		for _, p := range coverCuts(c.Problem) {
			smaller := *c
			smaller.Problem = p
			all = append(all, &smaller)
		}
		return all
	}
	for _, p := range c.puzzle.cuts() {
		smaller := *c
		if smaller.setPuzzle(p) == nil {
			all = append(all, &smaller)
		}
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

// simplerNumbers have one use once instead of more, one with a colour not at all, or an
// item's bounds nearer to 0.
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

// cuts leave out a piece, lines of the board, a cell of it or of a piece, or
// make one ordinary.
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
	if p.atMost {
		add(func(q *puzzle) { q.atMost = false })
	}
	if p.motions != "" {
		add(func(q *puzzle) { q.motions = "" })
	}
	for i, s := range p.shapes {
		all = append(all, p.simplerShape(i, s)...)
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

func (p *puzzle) simplerShape(i int, s shape) (all []*puzzle) {
	add := func(simpler shape) {
		q := p.clone()
		q.shapes[i] = simpler
		all = append(all, q)
	}
	if len(s.cells) > 1 {
		for at := range s.cells {
			t := s
			t.name, t.known = "q", false
			if i > 0 {
				t.name += string(rune('0' + i))
			}
			t.cells = slices.Delete(slices.Clone(s.cells), at, at+1)
			add(t)
		}
	}
	if s.motions != "" {
		t := s
		t.motions = ""
		add(t)
	}
	if s.least > 0 || s.most != unlimited {
		t := s
		t.least, t.most = 0, unlimited
		add(t)
	}
	return all
}
