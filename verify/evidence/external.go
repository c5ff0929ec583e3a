package evidence

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/verify"
)

// SolverCheck is the answer of another program for the formula.
type SolverCheck struct {
	Command  string  `json:"command"`
	Count    string  `json:"count,omitempty"` // "" if the program does not count
	Model    bool    `json:"model"`           // whether the solver printed a solution that is right
	Excluded int64   `json:"excluded"`        // number of solutions that clauses excluded
	Seconds  float64 `json:"seconds"`
}

const mostExcluded = 100_000

// external asks another program. A model counter must find the count. A SAT solver must find a
// solution, and no solution after clauses exclude all solutions that the search lists.
func (v *verifier) external(ctx context.Context) error {
	start := time.Now()
	formula, err := verify.Encode(ctx, v.problem, v.o.Count.Memory)
	if err != nil {
		return err
	}
	a, err := v.ask(ctx, formula, "asking the solver")
	if err != nil {
		return err
	}
	v.Solver = &SolverCheck{Command: v.o.Solver, Model: a.Model != nil}
	if a.Count != nil {
		v.Solver.Count = a.Count.String()
	}
	switch n := v.Result.Count; {
	case a.Count != nil && a.Count.Cmp(n) != 0:
		return differ("the engine %s counts %v, but the solver counts %v", v.Result.Engine, n, a.Count)
	case a.Satisfiable && n.Sign() == 0:
		return differ("the engine %s counts %v, but the solver finds a solution", v.Result.Engine, n)
	case !a.Satisfiable && n.Sign() > 0:
		return differ("the engine %s counts %v, but the solver finds no solution", v.Result.Engine, n)
	case a.Count != nil:
		v.confirm("The solver counts the same number of models of the formula.")
	case !a.Satisfiable:
		v.confirm("The solver finds that there is no solution.")
	default:
		if a.Model != nil {
			v.establish("The solver finds a solution, which was checked by its cells and copies.")
		}
		err = v.askForMore(ctx, formula)
	}
	v.Solver.Seconds = time.Since(start).Seconds()
	return err
}

func (v *verifier) ask(ctx context.Context, formula *verify.CNF, doing string) (*verify.Answer, error) {
	v.stage(doing)
	a, err := verify.Ask(ctx, v.o.Solver, v.problem, formula)
	if errors.Is(err, verify.ErrWrong) {
		err = differ("the solver's answer is not a solution: %v", err)
	}
	return a, err
}

func (v *verifier) askForMore(ctx context.Context, formula *verify.CNF) error {
	n := v.Result.Count
	if !n.IsInt64() || n.Int64() > mostExcluded {
		return fmt.Errorf("%w: the solver does not count, and a proof by another solution would have to exclude more than %d solutions", verify.ErrUndecided, mostExcluded)
	}
	var listed [][]int // solutions that the search finds; it stops after one more solution than the count
	wrong := 0
	err := count.Each(ctx, v.problem, count.Listing{Memory: v.o.Count.Memory}, func(options []int) bool {
		if !v.problem.IsSolution(options) {
			wrong++
		}
		listed = append(listed, slices.Clone(options))
		return int64(len(listed)) <= n.Int64()
	})
	if err != nil {
		return err
	}
	if int64(len(listed)) > n.Int64() {
		return differ("the engine %s counts %v, but a search lists more solutions", v.Result.Engine, n)
	}
	slices.SortFunc(listed, slices.Compare)
	listed = slices.CompactFunc(listed, slices.Equal)
	if wrong > 0 || n.Cmp(big.NewInt(int64(len(listed)))) != 0 {
		return differ("the engine %s counts %v, but a search lists %d different solutions, and %d sets that are not solutions", v.Result.Engine, n, len(listed), wrong)
	}
	if err := formula.Exclude(ctx, v.problem, slices.Values(listed)); err != nil {
		return err
	}
	a, err := v.ask(ctx, formula, "asking the solver for another solution")
	switch {
	case err != nil:
		return err
	case a.Model != nil && slices.ContainsFunc(listed, func(l []int) bool { return slices.Equal(l, a.Model) }):
		return fmt.Errorf("%w: the solver was asked for another solution, but printed a solution that was excluded: options %v", verify.ErrExternal, a.Model)
	case a.Satisfiable:
		which := ", but does not print the solution"
		if a.Model != nil {
			which = fmt.Sprintf(": options %v", a.Model)
		}
		return differ("the engine %s counts %v, but the solver finds one more solution%s", v.Result.Engine, n, which)
	}
	v.Solver.Excluded = int64(len(listed))
	v.confirm("Of %s, all are listed, the cells and copies of each are right, and no two are equal; with all of them excluded the solver finds no other one.", wording.Plural(int64(len(listed)), "solution"))
	return nil
}
