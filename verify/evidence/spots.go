package evidence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/verify"
)

// SpotCheck reports spots whose solutions were counted by all methods with equal results.
type SpotCheck struct {
	Spots     int     `json:"number"`
	Solutions int64   `json:"tilings" doc:"in all spots together"`
	Least     int64   `json:"least" doc:"tilings of one spot"`
	Most      int64   `json:"most"`
	Fixed     int     `json:"fixed_placements" doc:"in all spots together"`
	Of        int     `json:"of_placements"` // total number of options of the solutions drawn
	InDiagram bool    `json:"in_diagram"`    // whether each spot is also counted in the diagram
	Seconds   float64 `json:"seconds"`
}

const confidence = 0.95

func (v *verifier) spots(ctx context.Context, rng *rand.Rand) error {
	b := &board{verifier: v, small: cmp.Or(v.o.Small, DefaultSmall)}
	if v.Result.Count.Cmp(big.NewInt(b.small)) <= 0 {
		return v.whole(ctx)
	}
	spots, err := b.draw(ctx, rng, cmp.Or(v.o.Spots, DefaultSpots))
	if err != nil {
		return v.leaveOut("No spots were counted by a SAT solver, because no samples can be drawn", err)
	}
	if len(spots) == 0 {
		return differ("the engine %s counts %v, but no solution can be drawn", v.Result.Engine, v.Result.Count)
	}
	start := time.Now()
	done, err := v.each(ctx, len(spots), func(ctx context.Context, i int) error { return b.check(ctx, &spots[i]) })
	switch {
	case errors.As(err, new(disagreement)):
		return err
	case err != nil:
		v.leaveOpen("Only %d of %d spots were checked.", done, len(spots))
		return v.leaveOut("The check of the next spot did not end", err)
	}
	c := &SpotCheck{Spots: len(spots), Least: math.MaxInt64, InDiagram: b.compiled != nil}
	for _, x := range spots {
		c.Solutions += x.want
		c.Least, c.Most = min(c.Least, x.want), max(c.Most, x.want)
		c.Fixed += min(x.decided, x.taken)
		c.Of += x.taken
	}
	c.Seconds = time.Since(start).Seconds()
	v.Spots = c
	// If more than this share of the solutions were in spots that are counted wrongly, one of these
	// spots would have been drawn with a probability above confidence.
	share := 1 - math.Pow(1-confidence, 1/float64(c.Spots))
	by := "a SAT solver and an engine"
	if c.InDiagram {
		by = "a SAT solver, an engine and the decision diagram"
	}
	v.establish("The spots around %s have %d to %d solutions, %d in all. In each spot, %s count the same number. If %.1f%% of all solutions were in spots that are counted wrongly, one of these spots would have been met with probability %.0f%%.",
		wording.Plural(int64(c.Spots), "fair sample"), c.Least, c.Most, c.Solutions, by, 100*share, 100*confidence)
	return nil
}

func (v *verifier) whole(ctx context.Context) error {
	v.stage(checking)
	r, err := verify.Count(ctx, v.problem, verify.Options{Threads: v.threads(), Memory: v.o.Count.Memory})
	switch {
	case errors.Is(err, verify.ErrWrong):
		return differ("%v", err)
	case err != nil:
		return v.leaveOut("The solutions were not counted by a SAT solver", err)
	case v.Result.Count.Cmp(big.NewInt(r.Solutions)) != 0:
		return differ("the engine %s counts %v, but a SAT solver counts %d", v.Result.Engine, v.Result.Count, r.Solutions)
	}
	v.confirm("A SAT solver lists the same number of solutions, %d. The cells and copies of each solution are right.", r.Solutions)
	return nil
}

type board struct {
	*verifier
	small    int64
	compiled *count.Compiled // nil if there is no diagram
}

func (b *board) draw(ctx context.Context, rng *rand.Rand, n int) ([]spot, error) {
	o := b.o.Count
	o.Progress = b.stage("preparing to draw")
	from, err := sample.From(ctx, b.problem, sample.Request{}, o)
	if err != nil {
		return nil, err
	}
	if c, diagram := from.Set.(*count.Compiled); diagram {
		b.compiled = c
		if err := b.compareDiagram(c); err != nil {
			return nil, err
		}
	} else if n := from.Count(); n.Cmp(b.Result.Count) != 0 {
		return nil, differ("the engine %s counts %v, but the levels from which samples are drawn count %v", b.Result.Engine, b.Result.Count, n)
	} else if b.Result.Engine != count.Sweep {
		b.confirm("A sweep has the same count.")
	}
	// With a diagram, each solution is shuffled before the next one is drawn. With the levels of a
	// sweep, all are drawn before the first shuffle. They are drawn in batches, whose size depends
	// on the memory, but a seed must give the same spots with any memory.
	together := 1
	if b.compiled == nil {
		together = n
	}
	var all []spot
	for drawn := 0; drawn < n; drawn += together {
		var solutions [][]int
		for d, err := range from.Draws(ctx, rng, uint64(together)) {
			if err != nil {
				return nil, err
			}
			solutions = append(solutions, d.Options)
		}
		for _, s := range solutions {
			all = append(all, b.around(s, rng))
		}
	}
	return all, nil
}

func (b *board) around(solution []int, rng *rand.Rand) spot {
	c := spot{options: slices.Clone(solution), taken: len(solution)}
	if r := b.problem.Residual(solution); r != nil {
		c.options = append(c.options, r.Options...)
	}
	for _, list := range [][]int{c.options[:c.taken], c.options[c.taken:]} {
		rng.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	}
	return c
}

// spot is the set of the solutions that have the first options of a drawn solution. If too many
// solutions have all options of the drawn solution, the spot also excludes options that still fit:
// the next ones in the field options.
type spot struct {
	options []int // options of the drawn solution, then options that still fit; both are shuffled
	taken   int   // number of options of the drawn solution
	decided int   // number of options, from the first on, that the spot has or excludes
	want    int64 // number of solutions of the spot, as counted by an engine
}

// of returns the first m options: first the ones that the spot has, then the excluded ones.
func (c *spot) of(m int) (with, without []int) {
	k := min(m, c.taken)
	return c.options[:k], c.options[k:m]
}

func (c *spot) String() string {
	with, without := c.of(c.decided)
	if len(without) == 0 {
		return fmt.Sprintf("with options %v", with)
	}
	return fmt.Sprintf("with options %v and none of %v", with, without)
}

func (b *board) check(ctx context.Context, c *spot) error {
	if err := b.decide(ctx, c); err != nil {
		return err
	}
	with, barred := c.of(c.decided)
	p, renumbered := b.without(with, barred)
	r, err := verify.Count(ctx, p, verify.Options{With: renumbered, Memory: b.share(b.threads() + 1)})
	switch {
	case errors.Is(err, verify.ErrWrong):
		return differ("%v: %v", c, err)
	case err != nil:
		return err
	}
	if err := c.compare("a SAT solver", big.NewInt(r.Solutions)); err != nil || b.compiled == nil {
		return err
	}
	set, none := b.compiled.Variables(with), b.compiled.Variables(barred)
	held, err := b.compiled.Diagram.CountHolding(ctx, b.compiled.Counts, set, none)
	if err != nil {
		return err
	}
	return c.compare("the decision diagram", held)
}

func (c *spot) compare(other string, n *big.Int) error {
	if n.Cmp(big.NewInt(c.want)) != 0 {
		return differ("%v an engine counts %d, but %s counts %v", c, c.want, other, n)
	}
	return nil
}

// decide finds the least number of decided options that leaves a small spot. It reduces the number
// in steps of 1, since a count with far too few decided options may cost far more than the others.
func (b *board) decide(ctx context.Context, c *spot) error {
	small := func(m int) (bool, error) {
		with, barred := c.of(m)
		n, err := b.count(ctx, with, barred)
		if isLimit(err) && m < len(c.options) {
			return false, nil // the spot is not small
		}
		if err != nil || n.Cmp(big.NewInt(b.small)) > 0 {
			return false, err
		}
		c.want, c.decided = n.Int64(), m
		return true, nil
	}
	ok, err := small(c.taken)
	if !ok && err == nil && c.taken < len(c.options) {
		ok, err = small(len(c.options))
	}
	if !ok && err == nil {
		c.decided = len(c.options)
		return differ("%v an engine counts more than %d solutions, although these options leave no choice", c, b.small)
	}
	for ok && err == nil && c.decided > 0 {
		ok, err = small(c.decided - 1)
	}
	if err == nil && c.want == 0 {
		return differ("%v an engine counts no solution, but there is a solution", c)
	}
	return err
}

func (b *board) count(ctx context.Context, with, barred []int) (*big.Int, error) {
	p, with := b.without(with, barred)
	rest := p.Residual(with)
	if rest == nil {
		return new(big.Int), nil
	}
	o := b.o.Count
	o.Threads, o.Watch = 1, count.Watch{}
	o.Memory = b.share(b.threads() + 1) // one share is for the set of samples
	r, err := count.Count(ctx, rest.Problem, count.Auto, o)
	if err != nil {
		return nil, err
	}
	return r.Count, nil
}

// without removes the barred options, and returns the new numbers of the options in the list with.
func (b *board) without(with, barred []int) (p *cover.Problem, renumbered []int) {
	p = &cover.Problem{Items: b.problem.Items, Colours: b.problem.Colours, Orders: b.problem.Orders}
	number := make([]int, len(b.problem.Options))
	for _, o := range barred {
		number[o] = -1
	}
	for o, option := range b.problem.Options {
		if number[o] == 0 {
			number[o] = len(p.Options)
			p.Options = append(p.Options, option)
		}
	}
	for _, o := range with {
		renumbered = append(renumbered, number[o])
	}
	return p, renumbered
}
