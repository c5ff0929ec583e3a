package verify

import (
	"context"
	"slices"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"

	"github.com/pavage/pavage/internal/kit/interrupt"
)

// solver wraps gini v1.0.4 to avoid these problems. Each of them occurred in this program, and has
// a test in solver_test.go.
//
//	gini                                          solver
//	solving on after UNSAT may reach a false      once refuted is set, gini is not
//	model, which ends in log.Fatalf               called again
//	Untest may do the same, if a learned clause   the bottom scope has a guard, so no
//	is false at level 0                           clause is false at level 0
//	Test after an Untest that returned -1         push does not call gini before the
//	panics                                        scope without a model is popped
//	Test that completes a model checks it in a    a spare variable is never decided,
//	microsecond, and may end in log.Fatalf        so no Test completes a model
//	Solve, Try and Stop have other problems       not used
//	Activate panics on an empty clause            not used; an empty clause sets refuted
//	creating a variable for which the tables      all variables are made at the start
//	must grow also creates other variables
//
// The literals that Test returns are not stored: on the way back from deeper scopes gini learns
// clauses that make more literals true. Use isTrue and isOpen. Only one goroutine may use a solver.
type solver struct {
	gini    *gini.Gini
	vars    int
	refuted bool // whether the formula has no model
	scopes  int  // number of gini's scopes
	broken  bool // whether the innermost scope has no model
	refused int  // number of pushes since broken was set, which were not passed to gini
}

const (
	guard  = 1 + iota // guard of the bottom scope
	spare             // a variable that is never decided
	extras = iota
)

// Bytes that gini needs for each option and each literal. The end of a clause counts as a literal;
// learned clauses do not count. The table shows bytes per literal in newSolver (and after it):
//
//	dominoes, 40x40        32.4 (29.5)      0 to 3 of 100,000 options   32.0 (28.8)
//	monominoes, 30x30      31.7 (31.2)      0 or 1 of 100,000 options   30.3 (26.9)
//	pentominoes, 8x8       28.9 (19.9)      1 or more of 100,000       246.5 (229.6)
//
// A variable needs about 230 bytes, most of them for two lists of watches. In the last formula each
// literal has its own variable. In other formulas a helper occurs in seven or more literals, and
// giniLiteral bytes for each of these literals are enough for the helper, too.
const giniOption, giniLiteral = 232, 32

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

// begin opens the bottom scope. It returns false if unit propagation refutes the formula.
func (s *solver) begin() bool {
	if !s.refuted && s.scopes == 0 {
		s.refuted = !s.test(int32(s.vars + guard))
	}
	return !s.refuted
}

// push opens a scope in which the literal and all literals that follow from it are true. It returns
// false if they contradict each other. The scope must be popped in any case.
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

// pop returns false if the outer scope has no model and must be popped next.
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

// walk visits models depth first. Of the items to be used exactly once, it chooses the item with
// the fewest open options and pushes these options one by one. Without such an item, it pushes an
// open variable, and later the negation of the variable.
type walk struct {
	*tally
	*solver
	part  *part
	rows  [][]int32 // variables of the items with bounds 1..1
	unmet []int32   // indices of rows without a chosen option; each scope appends its own list
	list  []int
	ended bool
	nodes int64
}

// A walk flushes its tally after flushNodes scopes: 3 ms for dominoes, 0.5 s for pentominoes.
const flushNodes = 1 << 12

func (k *walk) run(w *part, s *solver) {
	k.solver, k.part = s, w
	k.rows, k.unmet = k.rows[:0], k.unmet[:0]
	for _, r := range w.rows() {
		if r.least == 1 && r.most == 1 {
			k.unmet = append(k.unmet, int32(len(k.rows)))
			k.rows = append(k.rows, variables(r.uses))
		}
	}
	if k.begin() {
		k.descend(k.unmet, 1)
	}
}

// descend visits the models of the innermost scope. A row that is not in the list unmet must have a
// true variable. Open variables must have indices ≥ from.
func (k *walk) descend(unmet []int32, from int32) {
	if k.nodes++; k.nodes%flushNodes == 0 {
		k.flush()
	}
	if k.ended = k.ended || k.stopped.Load(); k.ended {
		return
	}
	start := len(k.unmet)
	if best := k.narrowest(unmet); best >= 0 {
		// By a clause that gini has learned, a later option of the row may be true already.
		unmet = k.unmet[start:]
		for _, v := range k.rows[best] {
			if !k.isFalse(v) && !k.choose(v, unmet, from) {
				break
			}
		}
	} else {
		k.decide(from)
	}
	k.unmet = k.unmet[:start]
}

// narrowest appends to k.unmet the given rows that have no true variable. It returns the one of
// them with the fewest open variables, or -1 if there is none.
func (k *walk) narrowest(unmet []int32) int32 {
	best, least := int32(-1), 0
	for _, i := range unmet {
		n, met := 0, false
		for _, v := range k.rows[i] {
			if k.isOpen(v) {
				n++
			} else if met = k.isTrue(v); met {
				break
			}
		}
		if met {
			continue
		}
		k.unmet = append(k.unmet, i)
		if best < 0 || n < least {
			best, least = i, n
		}
	}
	return best
}

func (k *walk) decide(from int32) {
	for int(from) <= len(k.part.open) && !k.isOpen(from) {
		from++
	}
	if int(from) > len(k.part.open) {
		k.ended = !k.model(k.present())
		return
	}
	if k.choose(from, nil, from+1) {
		k.choose(-from, nil, from+1)
	}
}

// choose visits the models with one more literal. It returns false if no further model is left.
func (k *walk) choose(l int32, unmet []int32, from int32) bool {
	if k.push(l) {
		k.descend(unmet, from)
	}
	return !k.ended && k.pop()
}

func (k *walk) present() []int {
	k.list = append(k.list[:0], k.part.taken...)
	for at, o := range k.part.open {
		if k.isTrue(int32(at + 1)) {
			k.list = append(k.list, o)
		}
	}
	slices.Sort(k.list)
	return k.list
}
