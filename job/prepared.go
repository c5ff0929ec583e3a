package job

import (
	"cmp"
	"context"
	"time"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/tiling"
)

// Prepared is a [Count] that is done elsewhere: the problem to be counted, and the part of the
// answer that is known without the count.
//
//	Count ──► Prepare ──► Problem ──► many machines ──► a number ──► Counted
type Prepared struct {
	Problem *cover.Problem

	request *Count
	model   *tiling.Model
	work    *work
}

// Prepare reads the puzzle and the conditions of a request that is then counted elsewhere. Its
// errors are those of Run. Distinct, Explain and Formula ask for more than one count, so they must
// not be there.
func (r *Count) Prepare(ctx context.Context, l Limits, w Watch) (*Prepared, error) {
	k := &work{limits: l, watch: w, begun: time.Now()}
	if err := cmp.Or(r.Check(), r.checkPlain()); err != nil {
		return nil, err
	}
	m, err := k.conditioned(ctx, &r.Puzzle, &r.Conditions)
	if err != nil {
		return nil, explained(ctx, err)
	}
	return &Prepared{Problem: m.Problem, request: r, model: m, work: k}, nil
}

// checkPlain reports what only Run can answer.
func (r *Count) checkPlain() error {
	for _, f := range []struct {
		given bool
		name  string
	}{{r.Distinct != "", "distinct"}, {r.Explain, "explain"}, {r.Formula, "formula"}} {
		if f.given {
			return bad("{" + f.name + "} does not go with a count on many machines, want none")
		}
	}
	return nil
}

// Counted is the answer as Run gives it, for a count and what it took. Its seconds are those
// since Prepare.
func (p *Prepared) Counted(r *count.Result) *Counted {
	answer := p.work.counted(p.model, r)
	answer.Conditions = p.request.Puzzle.told(&p.request.Conditions)
	return answer
}
