package job

import (
	"context"
	"math/big"
	"slices"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
)

// keepsOne reports whether a tiling keeps all bounds of one of the groups.
func keepsOne(groups [][]cover.Bound, options []int) bool {
	return slices.ContainsFunc(groups, func(bounds []cover.Bound) bool {
		return !slices.ContainsFunc(bounds, func(b cover.Bound) bool { return !b.IsKept(options) })
	})
}

// sourceLess makes what tilings are drawn from: those of a model that keep none of the groups.
func sourceLess(ctx context.Context, m *tiling.Model, not [][]cover.Bound, r sample.Request, o count.Options) (*sample.Source, error) {
	if len(not) == 0 {
		return sample.From(ctx, m.Problem, r, o)
	}
	c, err := count.CompileLess(ctx, m.Problem, not, o)
	if err != nil {
		return nil, err
	}
	return sourceOf(ctx, m, c, r.Weights, "tilings in which pieces touch are those of two diagrams, of one and not of the other", o)
}

// sourceOf draws the tilings of a diagram, by weight if there are weights.
func sourceOf(ctx context.Context, m *tiling.Model, c *count.Compiled, weights []*big.Rat, reason string, o count.Options) (*sample.Source, error) {
	if weights == nil {
		return sample.Of(c, reason), nil
	}
	o.Weights = weights
	ranked, err := c.Ranked(ctx, m.Problem, o)
	if err != nil {
		return nil, err
	}
	return sample.OfRanked(ranked, len(m.Problem.Options), reason), nil
}

// countLess counts the tilings of a model that keep none of the groups, by inclusion and exclusion: the
// sum over the sets S of groups of the tilings that keep all groups in S, with a minus where S has an
// odd number of groups. All these counts are up to the same symmetries.
//
//	two groups A, B      count = all - keep A - keep B + keep A and B
func (r *Count) countLess(ctx context.Context, w *work, m *tiling.Model, not [][]cover.Bound, c *checkpoint) (*Counted, error) {
	answer, err := r.count(ctx, w, m, c)
	if err != nil || len(not) == 0 {
		return answer, err
	}
	for set := 1; set < 1<<len(not); set++ {
		var bounds []cover.Bound
		sign := int64(1)
		for k, group := range not {
			if set>>k&1 > 0 {
				bounds, sign = append(bounds, group...), -sign
			}
		}
		part, err := m.WithBounds(ctx, bounds)
		if err != nil {
			return nil, err
		}
		plain := *r
		plain.Explain, plain.Formula = false, false
		counted, err := plain.count(ctx, &work{limits: w.limits, begun: w.begun}, part, c)
		if err != nil {
			return nil, err
		}
		answer.add(counted, sign)
	}
	answer.Seconds = w.seconds()
	return answer, nil
}

// add adds another count, or takes it away.
func (c *Counted) add(other *Counted, sign int64) {
	c.Count = added(c.Count, other.Count, sign)
	c.Effort.States += other.Effort.States
	c.Effort.Tries += other.Effort.Tries
	c.Effort.Nodes += other.Effort.Nodes
	c.Effort.Primes += other.Effort.Primes
	c.Effort.Products += other.Effort.Products
	c.Disk, c.Peak = c.Disk+other.Disk, max(c.Peak, other.Peak)
	if d, e := c.Distinct, other.Distinct; d != nil {
		d.Count = added(d.Count, e.Count, sign)
		for i := range d.Fix {
			d.Fix[i].Count = added(d.Fix[i].Count, e.Fix[i].Count, sign)
		}
	}
}

// added is a count and another one, or less the other one.
func added(a, b string, sign int64) string {
	x, _ := new(big.Int).SetString(a, 10)
	y, _ := new(big.Int).SetString(b, 10)
	return x.Add(x, y.Mul(y, big.NewInt(sign))).String()
}
