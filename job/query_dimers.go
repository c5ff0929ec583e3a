package job

import (
	"cmp"
	"context"
	"errors"

	"github.com/pavage/pavage/count"
)

// determine makes a family by determinants, if they have the answer and are asked for, or if there are
// determinants and they are expected to take less than a diagram or levels.
func (r *Query) determine(ctx context.Context, s *subject, f *family, to *Queried) (done bool, err error) {
	q, err := r.question()
	if err != nil || !q.determined() || s.stock != nil || len(s.not) > 0 || f.options.Engine != "" && r.Method != queryDimer {
		return false, err
	}
	wanted := len(r.Pairs) == 0 // the marginals are
	d, err := count.Determine(ctx, s.model.Problem, wanted, f.options)
	switch {
	case errors.Is(err, count.ErrNotDimers):
		return false, bad("{method} is %s: %w", queryDimer, err)
	case errors.Is(err, ErrMemory) && cmp.Or(r.Method, AutoMethod) == AutoMethod:
		return false, nil
	case d == nil || err != nil:
		return false, aboutWeights(err)
	}
	to.Method, to.Reason = queryDimer, "determinants take less than a diagram or levels"
	if r.Method == queryDimer {
		to.Reason = "they were asked for"
	}
	to.Effort, to.Bytes = Effort{Primes: d.Primes, Products: d.Products}, d.Bytes
	f.all = d
	f.tell(to)
	return true, nil
}
