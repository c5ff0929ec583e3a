package verify

import (
	"context"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"

	"github.com/pavage/pavage/internal/kit/interrupt"
)

// solver is gini v1.0.4 with protection against its traps. We ran into each of them;
// solver_test.go has a test for each.
//
//	gini                                          solver
//	solving on after UNSAT may reach a false      refuted is for good, gini is not
//	model, which ends in log.Fatalf               asked again
//	so may Untest, if what it learns is wrong     the bottom scope has a guard, so
//	at level 0                                    that nothing fails at level 0
//	Test after an Untest that returned -1         no push reaches gini before the
//	panics                                        scope at fault is left
//	Test that completes a model checks it, and    a spare variable is never decided,
//	may end in log.Fatalf; it takes a microsecond so no Test completes a model
//	Solve, Try and Stop have others               not used
//	Activate panics on an empty clause            not used; the empty clause refutes
//	a variable that makes the tables grow         all variables are made at the start
//	also makes others, which were not asked for
//
// The literals that Test returns are not kept: on the way back from deeper scopes gini learns
// clauses, and these make more literals true in a scope than at its beginning. Ask isTrue and
// isOpen instead.
//
// A solver is used by one goroutine.
type solver struct {
	gini    *gini.Gini
	vars    int
	refuted bool // there is no model, for good
	scopes  int  // of gini
	broken  bool // the innermost scope is known to have no model
	refused int  // pushes since then, which gini does not know
}

// Variables beside those of the formula.
const (
	guard  = 1 + iota // of the bottom scope
	spare             // never decided
	extras = iota
)

// giniOption and giniLiteral are the bytes that gini takes for an option and a literal of a formula, ends of
// clauses included. What it learns later comes on top. Bytes that newSolver took (and held
// afterwards) for each literal were
//
//	dominoes, 40x40        32.4 (29.5)      0 to 3 of 100,000 options   32.0 (28.8)
//	monominoes, 30x30      31.7 (31.2)      0 or 1 of them              30.3 (26.9)
//	pentominoes, 8x8       28.9 (19.9)      1 or more of them          246.5 (229.6)
//
// A variable takes about 230 bytes, most of them for its two lists of watches. The last
// formula is one long clause: each of its literals is a variable. Where there are more
// clauses, a helper has seven literals or more, which pay for it.
const giniOption, giniLiteral = 232, 32

// newSolver makes a solver that has the formula. It looks at ctx every 2^14 literals; the
// error is ctx's.
func newSolver(ctx context.Context, c *CNF) (*solver, error) {
	s := &solver{gini: gini.NewVc(c.Vars+extras, c.Clauses), vars: c.Vars}
	looks := interrupt.Context(ctx)
	for s.gini.MaxVar() < z.Var(c.Vars+extras) {
		s.gini.Lit()
	}
	first := 0
	for k, l := range c.Lits {
		if err := looks.Look(); err != nil {
			return nil, err
		}
		if l == 0 {
			s.add(c.Lits[first:k])
			first = k + 1
		}
	}
	return s, nil
}

func literal(l int32) z.Lit {
	if l < 0 {
		return z.Var(-l).Neg()
	}
	return z.Var(l).Pos()
}

func (s *solver) add(clause []int32) {
	if len(clause) == 0 {
		s.refuted = true
	}
	if s.refuted {
		return
	}
	for _, l := range clause {
		s.gini.Add(literal(l))
	}
	s.gini.Add(z.LitNull)
}

// begin opens the bottom scope. It reports false if unit propagation finds
// that there is no model.
func (s *solver) begin() bool {
	if !s.refuted && s.scopes == 0 {
		s.refuted = !s.test(int32(s.vars + guard))
	}
	return !s.refuted
}

// push opens a scope in which the literal is true, with all that follows from
// it by unit propagation. It reports false if that is a contradiction; the
// scope has then to be popped all the same.
func (s *solver) push(l int32) bool {
	if !s.begin() || s.broken {
		s.refused++
		return false
	}
	return s.test(l)
}

func (s *solver) test(l int32) bool {
	s.scopes++
	s.gini.Assume(literal(l))
	verdict, _ := s.gini.Test(nil)
	return verdict != -1
}

// pop closes the innermost scope. It reports false if the one around it has no
// model, as is then known: nothing can be pushed before that is popped too.
func (s *solver) pop() bool {
	switch {
	case s.refused > 0:
		s.refused--
	case s.scopes > 1:
		s.scopes--
		s.broken = s.gini.Untest() == -1
		s.refuted = s.broken && s.scopes == 1
	}
	return !s.broken && !s.refuted
}

func (s *solver) isTrue(v int32) bool  { return s.gini.Value(z.Var(v).Pos()) }
func (s *solver) isFalse(v int32) bool { return s.gini.Value(z.Var(v).Neg()) }

func (s *solver) isOpen(v int32) bool { return !s.isTrue(v) && !s.isFalse(v) }
