package clues

import (
	"context"
	"math"
	"slices"
)

// Step is a decision of a solver: an option of the solution is chosen, or an option that is not in
// the solution is crossed out.
type Step struct {
	Option int
	Grade  Grade // the rule that decided the option
}

// Steps returns steps by which a person may find the solution, if the chosen clues exclude all
// other solutions. The steps choose all options of the solution and, between them, cross out
// options by looking ahead. If an option uses an item or clue more often than is still
// allowed, it is crossed out without a step. Steps depend only on the problem, the solution and the
// chosen clues. A guess always chooses an option of the solution. The error is the error of ctx.
func (f *Finder) Steps(ctx context.Context, chosen []int) ([]Step, error) {
	s := newSolver(ctx, f, setOf(len(f.clues), chosen))
	var steps []Step
	s.run(Hard, func(step Step) { steps = append(steps, step) })
	return steps, s.err
}

// GradeOf returns the grade of the hardest step, Easy if there is none.
func GradeOf(steps []Step) Grade {
	g := Easy
	for _, s := range steps {
		g = max(g, s.Grade)
	}
	return g
}

// stuck returns nil if the chosen clues lead a solver of grade g, Easy or Medium, to the solution.
// Otherwise it returns one gap: the clues that would decide an option where the solver is stuck.
// For Medium, the gap also has the clues that would decide an option after another option is tried.
func (f *Finder) stuck(ctx context.Context, chosen set, g Grade) ([]set, error) {
	s := newSolver(ctx, f, chosen)
	if s.run(g, func(Step) {}) || s.err != nil {
		return nil, s.err
	}
	gap := newSet(len(f.clues))
	s.addForcing(gap)
	if g == Medium {
		for _, o := range s.byItems() {
			s.survives(o, func() { s.addForcing(gap) })
		}
	}
	return []set{gap}, s.err
}

// run calls step for each decision by the rules up to g, and reports whether all options are
// decided.
func (s *solver) run(g Grade, step func(Step)) bool {
	for {
		shown := len(s.taken)
		if !s.settle() {
			return false // here, settle fails only because of an error, which is in s.err
		}
		for _, o := range s.taken[shown:] {
			step(Step{int(o), Easy})
		}
		if s.open.isEmpty() {
			return true
		}
		o, rule := s.lookAhead(g), Medium
		if o < 0 {
			o, rule = s.guess(g), Hard
		}
		if o < 0 {
			return false
		}
		step(Step{int(o), rule})
		if s.finder.isIn[o] {
			s.take(o)
		} else {
			s.open.remove(int(o))
		}
	}
}

// lookAhead returns an open option from which settle derives a contradiction. It returns -1 if no
// open option does this, or if g is Easy. A turn tries each open option. If a turn ends with fewer
// open options than it began with, another turn follows.
func (s *solver) lookAhead(g Grade) int32 {
	if g < Medium {
		return -1
	}
	for {
		for k, o := range s.turn {
			if s.open.has(int(o)) && !s.survives(o, func() {}) {
				s.turn = s.turn[k+1:]
				return o
			}
		}
		if open := s.open.size(); open != s.turned {
			s.turned, s.turn = open, s.byItems()
			continue
		}
		return -1
	}
}

// byItems returns the open options outside the solution. First come the options of the item that
// the open options use least, and so on.
func (s *solver) byItems() (options []int32) {
	left := make([]int, len(s.items))
	items := make([]int, len(s.items))
	for i := range s.items {
		items[i], left[i] = i, s.items[i].left(s.open, math.MaxInt)
	}
	slices.SortStableFunc(items, func(i, k int) int { return left[i] - left[k] })
	rest := slices.Clone(s.open)
	for _, i := range items {
		for _, r := range s.items[i].rows {
			for _, o := range rest.shared(r.options) {
				if rest.remove(o); !s.finder.isIn[o] {
					options = append(options, int32(o))
				}
			}
		}
	}
	return options
}

// survives reports whether settle finds no contradiction after option o is chosen. If so, it calls
// there() before it restores s.place.
func (s *solver) survives(o int32, there func()) bool {
	s.saved.copy(s.place)
	shown := len(s.taken)
	s.take(o)
	kept := s.settle()
	if kept {
		there()
	}
	s.place.copy(s.saved)
	s.taken = s.taken[:shown]
	return kept
}

// guess returns the open option of the solution with the item that the open options use least. If
// no option of the solution is open, it returns the first open option. Below Hard it returns -1.
func (s *solver) guess(g Grade) int32 {
	if g < Hard {
		return -1
	}
	best, fewest := int32(s.open.members()[0]), math.MaxInt
	for _, o := range s.finder.solution {
		if !s.open.has(o) {
			continue
		}
		for _, u := range s.finder.problem.Options[o] {
			if left := s.items[u.Item].left(s.open, math.MaxInt); left < fewest {
				best, fewest = int32(o), left
			}
		}
	}
	return best
}

// addForcing adds clues to a set: each clue that alone would decide an open option now.
func (s *solver) addForcing(to set) {
	for k, c := range s.finder.clues {
		if to.has(k) {
			continue
		}
		it := newItem(c.Min, c.Max, s.finder.given[k])
		used, left := 0, it.left(s.open, math.MaxInt)
		for _, o := range s.taken {
			for _, r := range it.rows {
				if r.options.has(int(o)) {
					used += int(r.times)
				}
			}
		}
		spare := min(c.Max-used, used+left-c.Min) // options with more uses of the clue are decided
		if spare < 0 || slices.ContainsFunc(it.rows, func(r row) bool {
			return int(r.times) > spare && s.open.common(r.options, 1) > 0
		}) {
			to.add(k)
		}
	}
	s.err = s.looks.Work(len(s.finder.clues) * len(s.open))
}
