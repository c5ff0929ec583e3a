package evidence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/verify"
)

// CubeCheck is what cubes have shown, all of which agree.
type CubeCheck struct {
	Cubes       int
	Solutions   int64 // of all cubes
	Least, Most int64 // of one
	Fixed       int   // options fixed, of all cubes
	Of          int   // options of the solutions drawn
	InDiagram   bool  // each cube is counted in the diagram as well
	Elapsed     time.Duration
}

// Share is such that if cubes of more than that share of the solutions were
// counted wrongly, a wrong one would have been met with the confidence.
func (c *CubeCheck) Share(confidence float64) float64 {
	return 1 - math.Pow(1-confidence, 1/float64(c.Cubes))
}

// confidence is what Share is told with.
const confidence = 0.95

// spots looks at cubes, and at residues.
func (v *verifier) spots(ctx context.Context) error {
	source := v.o.Source
	if source == nil {
		source = sample.Fresh()
	}
	rng := rand.New(source)
	err := v.cubes(ctx, rng)
	if err != nil || v.Disagreement != "" {
		return err
	}
	return v.residues(ctx, rng)
}

func (v *verifier) cubes(ctx context.Context, rng *rand.Rand) error {
	if v.Result.Count.Sign() == 0 {
		v.leaveOpen("There is no solution around which a part could be counted again.")
		return nil
	}
	b := &board{verifier: v, small: cmp.Or(v.o.Small, DefaultSmall)}
	solutions, err := b.draw(ctx, rng, cmp.Or(v.o.Cubes, DefaultCubes))
	if isLimit(err) {
		v.leaveOpen("No parts were counted by SAT, for no samples can be drawn: %v.", err)
		return nil
	}
	if err != nil || v.Disagreement != "" {
		return err
	}
	start := time.Now()
	cubes := make([]cube, len(solutions))
	for i, s := range solutions {
		cubes[i] = cube{order: s}
	}
	if err := b.each(ctx, cubes); err != nil {
		return err
	}
	v.conclude(cubes, b.compiled != nil, time.Since(start))
	return nil
}

// board has what cubes are counted with.
type board struct {
	*verifier
	small    int64
	compiled *count.Compiled // nil if there is no diagram
	variable []int
}

// draw draws solutions, the options of each in random order.
func (b *board) draw(ctx context.Context, rng *rand.Rand, n int) ([][]int, error) {
	o := b.o.Count
	o.Progress = b.stage("preparing to draw")
	made, err := count.ForDrawing(ctx, b.problem, o, count.AutoMethod)
	if err != nil {
		return nil, err
	}
	var all [][]int
	if h := made.History; h != nil {
		for way, err := range sample.NewWalk(h).Draws(ctx, rng, uint64(n)) {
			if err != nil {
				return nil, err
			}
			all = append(all, slices.Clone(way.Options))
		}
	} else {
		b.compiled, b.variable = made.Compiled, variables(made.Compiled, len(b.problem.Options))
		b.compareDiagram(b.compiled)
		for draw := range sample.FromCounts(b.compiled.Diagram, b.compiled.Counts).Draws(rng) {
			all = append(all, b.optionsOf(draw.Set))
			if len(all) == n {
				break
			}
		}
	}
	for _, options := range all {
		rng.Shuffle(len(options), func(i, k int) { options[i], options[k] = options[k], options[i] })
	}
	return all, nil
}

func (b *board) optionsOf(set []int) []int {
	options := make([]int, len(set))
	for i, x := range set {
		options[i] = b.compiled.Options[x]
	}
	return options
}

// cube is the solutions that have the first options of one drawn in common.
type cube struct {
	order []int // the options of the solution drawn, shuffled
	fixed int   // so many of them
	want  int64 // solutions, by an engine
}

// each counts every cube in all ways, a few at a time.
func (b *board) each(ctx context.Context, cubes []cube) error {
	report := b.stage(Checking)
	threads := b.o.Count.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	var wg sync.WaitGroup
	next, done := 0, 0
	for range min(threads, len(cubes)) {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(cubes) || ctx.Err() != nil {
					return
				}
				if err := b.cube(ctx, &cubes[i]); err != nil {
					cancel(err)
					return
				}
				mu.Lock()
				if done++; report != nil {
					report(count.Progress{Fraction: float64(done) / float64(len(cubes)), States: int64(done)})
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	var d disagreement
	if err := context.Cause(ctx); errors.As(err, &d) {
		b.differ("%s", string(d))
		return nil
	} else if err != nil {
		return err
	}
	return nil
}

// disagreement is the error that ends the work on cubes.
type disagreement string

func (d disagreement) Error() string { return string(d) }

// cube finds how much of a cube to fix, and counts what is left by SAT and in
// the diagram.
func (b *board) cube(ctx context.Context, c *cube) error {
	if err := b.fix(ctx, c); err != nil {
		return err
	}
	fixed := c.order[:c.fixed]
	r, err := verify.Count(ctx, b.problem, verify.Options{With: fixed})
	if err != nil && !errors.Is(err, verify.ErrWrong) {
		return err
	}
	if err != nil || r.Solutions != c.want {
		return disagreement(fmt.Sprintf("with options %v an engine counts %d, SAT %d (%v)", fixed, c.want, r.Solutions, err))
	}
	if b.compiled == nil {
		return nil
	}
	set := make([]int, len(fixed))
	for i, o := range fixed {
		set[i] = b.variable[o]
	}
	slices.Sort(set)
	n, err := b.compiled.Diagram.CountHolding(ctx, b.compiled.Counts, set)
	if err == nil && n.Cmp(big.NewInt(c.want)) != 0 {
		err = disagreement(fmt.Sprintf("with options %v an engine counts %d, the diagram %v", fixed, c.want, n))
	}
	return err
}

// fix finds the fewest options to fix so that the cube is small. From all of them
// on it leaves a few more free until there are too many solutions, each time a
// quarter, so that no count on the way is much larger than wanted; then it halves
// the interval.
func (b *board) fix(ctx context.Context, c *cube) error {
	n := len(c.order)
	most := func(free int) (bool, error) { // whether so many may be free
		count, err := b.count(ctx, c.order[:n-free])
		if err != nil || count.Cmp(big.NewInt(b.small)) > 0 {
			return false, err
		}
		c.fixed, c.want = n-free, count.Int64()
		return true, nil
	}
	low, high := 0, n+1 // low may be free, high may not
	if ok, err := most(0); !ok || err != nil {
		return cmp.Or(err, error(disagreement(fmt.Sprintf("an engine counts no solution with all options of one: %v", c.order))))
	}
	for free := 1; free <= n; free = max(free+1, free*5/4) {
		ok, err := most(free)
		if err != nil {
			return err
		}
		if !ok {
			high = free
			break
		}
		low = free
	}
	for high-low > 1 {
		middle := (low + high) / 2
		ok, err := most(middle)
		if err != nil {
			return err
		}
		if ok {
			low = middle
		} else {
			high = middle
		}
	}
	_, err := most(low)
	return err
}

// count counts the solutions with some options, by an engine.
func (b *board) count(ctx context.Context, fixed []int) (*big.Int, error) {
	rest := b.problem.Residual(fixed)
	if rest == nil {
		return new(big.Int), nil
	}
	o := b.o.Count
	o.Engine, o.Threads, o.Progress, o.Planned = count.Auto, 1, nil, nil
	r, err := count.Count(ctx, rest.Problem, o)
	if err != nil {
		return nil, err
	}
	return r.Count, nil
}

func (v *verifier) conclude(cubes []cube, inDiagram bool, elapsed time.Duration) {
	if v.Disagreement != "" {
		return
	}
	c := &CubeCheck{Cubes: len(cubes), Least: math.MaxInt64, InDiagram: inDiagram, Elapsed: elapsed}
	for _, x := range cubes {
		c.Solutions += x.want
		c.Least, c.Most = min(c.Least, x.want), max(c.Most, x.want)
		c.Fixed += x.fixed
		c.Of += len(x.order)
	}
	v.Cubes = c
	also := ""
	if inDiagram {
		also = ", and in the decision diagram"
	}
	v.establish("Around %d fair samples, parts of %d to %d solutions, %d in all, have as many by a SAT solver as by an engine%s. If %.1f%% of all solutions were in parts counted wrongly, one would have been met with probability %.0f%%.",
		c.Cubes, c.Least, c.Most, c.Solutions, also, 100*c.Share(confidence), 100*confidence)
}
