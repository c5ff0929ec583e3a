package clues

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/limit"
)

// ErrAmbiguous is wrapped if even all candidates together do not lead to the solution: there is
// another solution that keeps them, or a solver of the wanted grade does not find this one.
var ErrAmbiguous = errors.New("all clues together do not lead to the solution")

// Grade is the difficulty of a puzzle: the hardest rule that a solver needs, see [GradeOf].
type Grade int

// The grades, from easy to hard.
const (
	Easy   Grade = iota // each step is forced by one item or clue
	Medium              // and some options are crossed out by looking ahead
	Hard                // and there are guesses
)

func (g Grade) String() string { return [...]string{"easy", "medium", "hard"}[g] }

// Finder finds sets of clues for one solution of a cover.
type Finder struct {
	problem  *cover.Problem // without hints
	solution []int          // ascending
	clues    []cover.Bound  // the candidates
	isIn     []bool         // by option: the solution has it
	rows     [][]row        // by item
	given    [][]row        // by clue
	memory   int64          // bytes for a query; 0: no limit
}

// New returns a Finder for a solution of p. The clues are the candidates, and the solution keeps
// each of them. The Finder and a query need at most some bytes of memory; 0 means no limit. The error
// wraps cover.ErrInvalid or cover.ErrMemory, or is ctx's.
func New(ctx context.Context, p *cover.Problem, solution []int, candidates []cover.Bound, memory int64) (*Finder, error) {
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	sets := int64(len(p.Items)+len(candidates)) * int64(len(p.Options)) / 8
	if err := limit.Check(memory, sets, "the sets of options"); err != nil {
		return nil, err
	}
	if !p.IsSolution(solution) {
		return nil, fmt.Errorf("%w: options %v are no solution", cover.ErrInvalid, solution)
	}
	// The hints serve counts of the whole problem; here they would be adapted in every query.
	f := &Finder{
		problem:  &cover.Problem{Items: p.Items, Options: p.Options, Colours: p.Colours},
		solution: slices.Sorted(slices.Values(solution)), clues: candidates,
		isIn: make([]bool, len(p.Options)), memory: limit.Left(memory, sets),
	}
	if _, err := f.problem.WithBounds(ctx, candidates); err != nil {
		return nil, err
	}
	for k, c := range candidates {
		if !c.IsKept(f.solution) {
			return nil, fmt.Errorf("%w: the solution does not keep clue %d, %q", cover.ErrInvalid, k, c.Name)
		}
		var rows []row
		for i, o := range c.Options {
			times := int32(1)
			if c.Times != nil {
				times = int32(c.Times[i])
			}
			rows = addUse(rows, len(p.Options), o, times, 0)
		}
		f.given = append(f.given, rows)
	}
	for _, o := range solution {
		f.isIn[o] = true
	}
	var err error
	f.rows, err = rowsOf(ctx, p)
	return f, err
}

// gaps returns nothing if the chosen clues lead a solver of the grade to the solution. Otherwise it
// returns gaps: from each of them, every set of clues that leads there has a member, and the chosen
// clues have none.
func (f *Finder) gaps(ctx context.Context, chosen set, g Grade) ([]set, error) {
	// Another solution is found sooner than a solver that looks ahead is stuck.
	var found []set
	err := ctx.Err() // queries may be too short to look
	if g > Easy && err == nil {
		found, err = f.broken(ctx, chosen)
	}
	if g < Hard && len(found) == 0 && err == nil {
		found, err = f.stuck(ctx, chosen, g)
	}
	if err != nil {
		return nil, err
	}
	for _, gap := range found {
		if gap.size() == 0 {
			return nil, fmt.Errorf("%w, for a solver that is allowed %s steps", ErrAmbiguous, g)
		}
	}
	return found, nil
}

// atOnce is the largest number of solutions that a query lists.
const atOnce = 8

// broken returns for some of the other solutions that keep the chosen clues the clues that this one
// breaks. It returns nothing only if there is no such solution.
func (f *Finder) broken(ctx context.Context, chosen set) ([]set, error) {
	var bounds []cover.Bound
	for _, k := range chosen.members() {
		bounds = append(bounds, f.clues[k])
	}
	q, err := f.problem.WithBounds(ctx, bounds)
	if err != nil {
		return nil, err
	}
	some, err := count.Some(ctx, q, atOnce, count.Options{Limits: count.Limits{Threads: 1, Memory: f.memory}})
	var found []set
	for _, other := range some {
		if !slices.Equal(other, f.solution) {
			found = append(found, f.brokenBy(other))
		}
	}
	return found, err
}

func (f *Finder) all() set {
	s := newSet(len(f.clues))
	for k := range f.clues {
		s.add(k)
	}
	return s
}

func (f *Finder) brokenBy(other []int) set {
	s := newSet(len(f.clues))
	for k, c := range f.clues {
		if !c.IsKept(other) {
			s.add(k)
		}
	}
	return s
}
