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

// ErrAmbiguous is wrapped if all candidates together do not lead a solver to the solution.
var ErrAmbiguous = errors.New("all clues together do not lead to the solution")

// Grade is the difficulty of a puzzle: the hardest rule that a solver needs, see [GradeOf].
type Grade int

const (
	Easy   Grade = iota // each step is forced by one item or clue
	Medium              // some options are crossed out by looking ahead
	Hard                // some options are guessed by the solver
)

func (g Grade) String() string { return [...]string{"easy", "medium", "hard"}[g] }

// Finder finds sets of clues for one solution of a cover.
type Finder struct {
	problem  *cover.Problem // without hints
	solution []int          // indices of options, ascending
	clues    []cover.Bound  // the candidates
	isIn     []bool         // whether an option is in the solution, indexed by option
	rows     [][]row        // indexed by item
	given    [][]row        // indexed by candidate
	memory   int64          // limit in bytes for a query; 0 means no limit
}

// New returns a Finder for a solution of p that satisfies each candidate. The Finder and one query
// together may use memory bytes; 0 means no limit. Errors wrap cover.ErrInvalid or cover.ErrMemory.
func New(ctx context.Context, p *cover.Problem, solution []int, candidates []cover.Bound, memory int64) (*Finder, error) {
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	sets := int64(len(p.Items)+len(candidates)) * int64(len(p.Options)) / 8
	if err := limit.Check(memory, sets, "a list of sets of options"); err != nil {
		return nil, err
	}
	if !p.IsSolution(solution) {
		return nil, fmt.Errorf("%w: options %v are not a solution", cover.ErrInvalid, solution)
	}
	// The hints of p are left out: every query would have to adapt them to its bounds.
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
			return nil, fmt.Errorf("%w: the solution does not satisfy clue %d, %q", cover.ErrInvalid, k, c.Name)
		}
		var rows []row
		for i, o := range c.Options {
			rows = addUse(rows, len(p.Options), o, int32(c.TimesOf(i)), 0)
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

// gaps returns gaps that do not meet the chosen clues. It returns nil if the chosen clues lead a
// solver of grade g to the solution.
func (f *Finder) gaps(ctx context.Context, chosen set, g Grade) ([]set, error) {
	// The search for other solutions comes first: it is faster than a solver for Medium.
	var found []set
	err := ctx.Err() // a short query may end before it checks ctx
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

const atOnce = 8

// broken searches for other solutions that satisfy the chosen clues. For each solution that it
// finds, it returns the set of candidates that the solution breaks.
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
