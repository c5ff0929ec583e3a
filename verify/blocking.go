package verify

import (
	"context"
	"slices"

	"github.com/pavage/pavage/cover"
)

// block asks for models until there are no more, and excludes each with a
// clause.
func (e *enumeration) block(ctx context.Context) {
	whole := e.whole()
	c, err := whole.encode(ctx)
	if err != nil {
		e.fail(err)
		return
	}
	t := e.newTally()
	defer t.flush()
	s, alone := newSolver(c), excludesSupersets(e.problem)
	for {
		found, err := s.solve(ctx)
		if err != nil {
			e.fail(err)
			return
		}
		if !found {
			return
		}
		var options []int
		var clause []int32
		for k, o := range whole.open {
			switch v := int32(k + 1); {
			case s.isTrue(v):
				options, clause = append(options, o), append(clause, -v)
			case !alone:
				clause = append(clause, v)
			}
		}
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

// excludesSupersets reports whether no solution is part of another, so that
// the clause against a solution needs only the options that it takes: every
// option uses an item that all solutions use equally often.
func excludesSupersets(p *cover.Problem) bool {
	return !slices.ContainsFunc(p.Options, func(o cover.Option) bool {
		return !slices.ContainsFunc(o, func(u cover.Use) bool { return p.Items[u.Item].Min == p.Items[u.Item].Max })
	})
}
