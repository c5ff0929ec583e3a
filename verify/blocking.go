package verify

import (
	"context"
	"slices"

	"github.com/pavage/pavage/cover"
)

// block asks for models until there are no more, and excludes each with a
// clause.
func (e *enumeration) block(ctx context.Context) {
	c, err := e.whole.encode(ctx)
	if err != nil {
		e.fail(err)
		return
	}
	t := e.newTally()
	defer t.flush()
	s, short := newSolver(c), excludesSupersets(e.problem)
	for {
		found, err := s.solve(ctx)
		if err != nil {
			e.fail(err)
		}
		if !found {
			return
		}
		options, clause := e.whole.exclude(s, short)
		if !t.model(options) {
			return
		}
		t.flush()
		if err := s.block(clause); err != nil {
			e.fail(err)
			return
		}
	}
}

// exclude returns the model that the solver has found, as ascending options,
// and the clause against it, of the options that it takes or of all.
func (w *part) exclude(s *solver, short bool) (options []int, clause []int32) {
	options = slices.Clone(w.taken)
	for k, o := range w.open {
		switch v := int32(k + 1); {
		case s.isTrue(v):
			options, clause = append(options, o), append(clause, -v)
		case !short:
			clause = append(clause, v)
		}
	}
	slices.Sort(options)
	return options, clause
}

// excludesSupersets reports whether no solution is part of another, so that
// the clause against a solution needs only the options that it takes: every
// option uses an item that all solutions use equally often.
func excludesSupersets(p *cover.Problem) bool {
	return !slices.ContainsFunc(p.Options, func(o cover.Option) bool {
		return !slices.ContainsFunc(o, func(u cover.Use) bool { return p.Items[u.Item].Min == p.Items[u.Item].Max })
	})
}
