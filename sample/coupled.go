package sample

import (
	"cmp"
	"context"
	"iter"
	"math/rand/v2"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/engine/dimer"
)

// coupled draws from a count.Coupling. Its draws have no rank.
type coupled struct {
	*count.Coupling
	told func(sweeps int64) // nil: no reports
}

// bundles yields single draws with ascending options.
func (c *coupled) bundles(_ context.Context, src rand.Source, n uint64) iter.Seq[Bundle] {
	return func(yield func(Bundle) bool) {
		for ; n > 0; n-- {
			key := dimer.Key(src)
			b := Bundle{1, func(ctx context.Context) ([]Draw, error) {
				options, err := c.Draw(ctx, key, c.told)
				if err := cmp.Or(ctx.Err(), err); err != nil {
					return nil, err
				}
				return []Draw{{Options: options}}, nil
			}}
			if !yield(b) {
				return
			}
		}
	}
}
