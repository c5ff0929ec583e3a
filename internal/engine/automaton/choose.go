package automaton

import (
	"context"
	"errors"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/key"
)

// Candidate is an order of a problem with its automaton.
type Candidate struct {
	*Automaton
	Index int // index of the order in the result of Orders
}

const mostCandidates = 6

// Candidates returns the automata of the cheapest orders, at most six, the cheapest first. Of
// several equivalent automata, as for rows and columns on a square board, it returns only one. For
// an infeasible problem it returns none. It fails with the errors of Compile.
func Candidates(ctx context.Context, p *cover.Problem) ([]Candidate, error) {
	_, laid, _, err := layOutOrders(ctx, p)
	if err != nil {
		return nil, err
	}
	var all []Candidate
	seen := map[uint64]bool{}
	for _, l := range laid {
		if len(all) == mostCandidates {
			break
		}
		a, err := l.finish(ctx, manyStates)
		if err != nil {
			return nil, err
		}
		if like := a.likeness(); !seen[like] {
			seen[like] = true
			all = append(all, Candidate{a, l.index})
		}
	}
	return all, nil
}

// Cost is an order and the expected cost of its sweep. Only costs of one problem are comparable.
type Cost struct {
	Index int // index of the order in the result of Orders
	Cost  float64
}

// Costs returns the orders of a problem, the cheapest first, but only one for each cost. Compile
// uses the first. For an infeasible problem it returns none. It fails with the errors of Compile.
func Costs(ctx context.Context, p *cover.Problem) ([]Cost, error) {
	_, laid, _, err := layOutOrders(ctx, p)
	var all []Cost
	for _, l := range laid {
		if n := len(all); n == 0 || l.guess != all[n-1].Cost {
			all = append(all, Cost{l.index, l.guess})
		}
	}
	return all, err
}

func layOutOrders(ctx context.Context, p *cover.Problem) (orders [][]int, all []laidOut, infeasible *Automaton, err error) {
	if orders, err = Orders(ctx, p); err != nil {
		return nil, nil, nil, err
	}
	all, infeasible, err = layOutAll(ctx, p, orders)
	return orders, all, infeasible, err
}

const farDearer = 16

// OtherOrder returns an order whose automaton differs from the automaton of Compile: the cheapest
// such order in the result of Orders, if it costs at most farDearer times the least cost, or else
// the order of Compile with items swapped in pairs. If that order has the same automaton or is too
// wide, or if the problem is infeasible, it returns nil. It fails with the errors of Compile.
func OtherOrder(ctx context.Context, p *cover.Problem) ([]int, error) {
	orders, laid, _, err := layOutOrders(ctx, p)
	if err != nil || len(laid) == 0 {
		return nil, err
	}
	best, err := laid[0].finish(ctx, manyStates)
	if err != nil {
		return nil, err
	}
	for _, l := range laid[1:] {
		if l.guess > farDearer*laid[0].guess {
			break
		}
		if other, err := l.finish(ctx, manyStates); err != nil {
			return nil, err
		} else if other.likeness() != best.likeness() {
			return orders[l.index], nil
		}
	}
	swapped := slices.Clone(orders[laid[0].index])
	for i := 1; i < len(swapped); i += 2 {
		swapped[i-1], swapped[i] = swapped[i], swapped[i-1]
	}
	other, err := Compile(ctx, p, swapped)
	if errors.Is(err, ErrTooWide) {
		return nil, nil
	}
	if err != nil || other.likeness() == best.likeness() {
		return nil, err
	}
	return swapped, nil
}

// likeness returns a hash of the moves. The order of the moves within a step does not matter.
func (a *Automaton) likeness() (h uint64) {
	for _, s := range a.steps {
		var moves uint64
		for i := range s.moves.count() {
			var print uint64
			for _, word := range s.moves.of(i) {
				print = key.Mix(print, word)
			}
			moves += print
		}
		h = key.Mix(h, moves)
	}
	return h
}
