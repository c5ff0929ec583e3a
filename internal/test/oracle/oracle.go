// Package oracle is a slow and obvious solver. The tests of every engine compare with it, on random
// covers that this package also makes.
//
// # Purpose
//
// We trust a fast engine because it agrees with the oracle on thousands of small covers. So a
// reader must see at once that the oracle is right. It goes through the options, continues both
// without and with each of them, and asks the definition, [cover.Problem.IsSolution], at every
// leaf. There is one short cut: it stops once an item is used more than its Max, because no
// further option can change that.
//
//	dominoes on 2x3    ab?   yes ────────────────── no
//	                         bc? (b is over 1: no)    bc?  yes ──── no
//	                         de?  yes ── no           …    …        …
//	                         …    leaf {ab,de,cf}: IsSolution? yes
//
// # Non-goals
//
// No speed and no cleverness. This package must not use code of the engines, or both would
// make the same mistakes.
//
// # Size and cost
//
// At worst 2^options steps. More than [maxSteps] are an error, so that no test hangs. The covers of
// [Random] are solved in less than a millisecond.
package oracle

import (
	"errors"
	"fmt"
	"slices"

	"github.com/pavage/pavage/cover"
)

const maxSteps = 1 << 20 // which take about a second

// ErrTooBig is returned for a problem that needs more than 2^20 steps.
var ErrTooBig = errors.New("too big for the oracle")

// Solutions returns all solutions of p, sorted lexicographically, so that tests can compare them.
// Each solution is an ascending list of option indices, never nil.
func Solutions(p *cover.Problem) ([][]int, error) { return Within(p, maxSteps) }

// Within is Solutions with another limit of steps.
func Within(p *cover.Problem, steps int) ([][]int, error) {
	solutions, _, err := solve(p, steps)
	return solutions, err
}

// Count returns the number of solutions of p.
func Count(p *cover.Problem) (int, error) {
	solutions, err := Solutions(p)
	return len(solutions), err
}

type search struct {
	problem     *cover.Problem
	steps, most int
	taken       []int
	used        []int             // how often each item is used
	coloured    map[cover.Use]int // the number of chosen options that have each use with a colour
	found       [][]int
}

func solve(p *cover.Problem, most int) ([][]int, int, error) {
	if err := p.Validate(); err != nil {
		return nil, 0, err
	}
	s := &search{problem: p, most: most, used: make([]int, len(p.Items)), coloured: map[cover.Use]int{}}
	s.decide(0)
	if s.steps > most {
		return nil, s.steps, fmt.Errorf("%w: more than %d steps for %d options", ErrTooBig, most, len(p.Options))
	}
	slices.SortFunc(s.found, slices.Compare[[]int])
	return s.found, s.steps, nil
}

func (s *search) decide(o int) {
	if s.steps++; s.steps > s.most {
		return
	}
	if o == len(s.problem.Options) {
		if s.problem.IsSolution(s.taken) {
			s.found = append(s.found, append([]int{}, s.taken...))
		}
		return
	}
	s.decide(o + 1)
	if s.use(o, 1) {
		s.taken = append(s.taken, o)
		s.decide(o + 1)
		s.taken = s.taken[:len(s.taken)-1]
	}
	s.use(o, -1)
}

// use adds the uses of option o, or removes them, and reports whether all items are within their
// Max.
func (s *search) use(o, sign int) bool {
	kept := true
	for _, u := range s.problem.Options[o] {
		before := s.coloured[u]
		if u.Colour != 0 {
			s.coloured[u] += sign
		}
		if u.Colour == 0 || before+s.coloured[u] == 1 { // the first with this colour, or the last
			s.used[u.Item] += sign * int(u.Times)
		}
		most := s.problem.Items[u.Item].Max
		kept = kept && (most == cover.Unbounded || s.used[u.Item] <= most)
	}
	return kept
}
