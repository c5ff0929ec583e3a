package differential

import (
	"context"
	"errors"
	"math/big"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/verify"
)

// mostVariables keeps the cover of a formula small.
const mostVariables = 40

// checkClauses counts the models of the formula through a cover that has nothing in common with the problem:
//
//	variable v     item v 1..1, used by the options v and not-v
//	clause ¬1∨2    item   1.. , used by the options not-1 and 2
//
// The number of models is the number of solutions, since each helper has one value in a solution.
func checkClauses(ctx context.Context, s *subject) error {
	if !s.listed {
		return nil
	}
	formula, err := verify.Encode(ctx, s.Problem, 0)
	if err != nil {
		return err
	}
	if formula.Vars > mostVariables {
		return nil
	}
	q := coverOfClauses(formula)
	s.note("formulas counted")
	err = s.counts(ctx, "models of the clauses", q, s.want)
	if errors.Is(err, count.ErrTooWide) { // a clause is a counter
		s.note("formulas too wide to sweep")
		var n *big.Int
		if n, err = s.count(ctx, q, way{count.Search, alone}); err == nil {
			err = s.same("models of the clauses, by search", n, s.want)
		}
	}
	return err
}

// coverOfClauses is the cover of a formula: the options of variable v are 2v-2 for true and 2v-1
// for false, which has an item of its own so that no two options are equal.
func coverOfClauses(formula *verify.CNF) *cover.Problem {
	p := &cover.Problem{Orders: [][]int{nil}}
	for range formula.Vars {
		item := addItem(p, 1, 1)
		own := addItem(p, 0, cover.Unbounded)
		p.Options = append(p.Options,
			cover.Option{{Item: item, Times: 1}},
			cover.Option{{Item: item, Times: 1}, {Item: own, Times: 1}})
		p.Orders[0] = append(p.Orders[0], item)
	}
	clause := -1
	for _, l := range formula.Lits {
		if clause < 0 {
			clause = addItem(p, 1, cover.Unbounded)
		}
		if l == 0 {
			clause = -1
			continue
		}
		o := 2*max(l, -l) - 2
		if l < 0 {
			o++
		}
		p.Options[o] = append(p.Options[o], cover.Use{Item: clause, Times: 1})
	}
	return p
}
