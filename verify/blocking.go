package verify

import (
	"cmp"
	"context"
	"slices"

	"github.com/pavage/pavage/cover"
)

// block asks for models until there are no more, and excludes each by a clause.
func (e *enumeration) block(ctx context.Context) {
	memory := e.options.Memory
	c, s, err := e.whole.load(ctx, memory)
	if err != nil {
		e.fail(err)
		return
	}
	t := e.newTally()
	defer t.flush()
	short := excludesSupersets(e.problem)
	for {
		found, err := s.solve(ctx)
		if err != nil {
			e.fail(err)
		}
		if !found {
			return
		}
		options := e.whole.model(s)
		clause := c.against(options, short)
		if !t.model(options) {
			return
		}
		t.flush()
		if err := cmp.Or(s.block(clause), within(4*int64(len(c.Lits))+s.bytes, memory)); err != nil {
			e.fail(err)
			return
		}
	}
}

// model returns the model that the solver has found, as ascending options.
func (w *part) model(s *solver) []int {
	options := slices.Clone(w.taken)
	for k, o := range w.open {
		if s.isTrue(int32(k + 1)) {
			options = append(options, o)
		}
	}
	slices.Sort(options)
	return options
}

// excludesSupersets reports whether it is certain that no solution is a subset of another.
// Then the clause against a solution needs only the options that it takes. It is certain if
// every option uses an item that all solutions use equally often.
func excludesSupersets(p *cover.Problem) bool {
	return !slices.ContainsFunc(p.Options, func(o cover.Option) bool {
		return !slices.ContainsFunc(o, func(u cover.Use) bool { return p.Items[u.Item].Min == p.Items[u.Item].Max })
	})
}
