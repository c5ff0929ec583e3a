package count

import (
	"context"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/cover"
)

// CompileLess is the diagram of those solutions that, of each group of bounds in not, break one
// bound or more: all solutions, less those that keep a whole group. It has the variables of
// Compile. Errors are those of Compile and cover.Problem.WithBounds.
func CompileLess(ctx context.Context, p *cover.Problem, not [][]cover.Bound, o Options) (*Compiled, error) {
	c, err := Compile(ctx, p, o)
	if err != nil || len(not) == 0 {
		return c, err
	}
	store, err := bdd.NewStore(c.Diagram.Vars(), bdd.Limits{Bytes: o.Memory})
	if err != nil {
		return nil, memoryError(err)
	}
	left, err := store.Import(ctx, c.Diagram)
	if err != nil {
		return nil, memoryError(err)
	}
	effort := c.Result
	variables := c.Variables(len(p.Options))
	for _, group := range not {
		q, err := p.WithBounds(ctx, group)
		if err != nil {
			return nil, err
		}
		beside := o
		beside.Memory = o.Besides(store.Bytes())
		part, err := Compile(ctx, q, beside)
		if err != nil {
			return nil, err
		}
		effort.States, effort.Arcs = effort.States+part.Result.States, effort.Arcs+part.Result.Arcs
		if left, err = less(ctx, store, left, part, variables); err != nil {
			return nil, memoryError(err)
		}
	}
	d, err := store.Freeze(ctx, left)
	if err != nil {
		return nil, memoryError(err)
	}
	return compiled(ctx, d, c.Options, o, newWork(nil), effort)
}

// less takes the sets of a diagram out of a family. Its variables become those of the same
// options.
func less(ctx context.Context, s *bdd.Store, from bdd.Family, part *Compiled, variables []int) (bdd.Family, error) {
	to := make([]int, len(part.Options))
	for v, o := range part.Options {
		to[v] = variables[o]
	}
	f, err := s.ImportAs(ctx, part.Diagram, to)
	if err != nil {
		return 0, err
	}
	return s.Difference(ctx, from, f)
}
