package verify

import (
	"context"
	"slices"

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

// walk goes depth first through the models of a part. gini says what follows from each
// choice. In a scope, walk takes the item with the fewest open options, of those that must be
// used exactly once, and pushes these options one after another. When all such items are
// settled, it pushes the next open variable as true and then as false. When no variable is
// open there is a model.
type walk struct {
	*tally
	*solver
	part  *part
	rows  [][]int32 // variables of the items to be used once
	unmet []int32   // rows that no option is chosen for, a run for each scope
	list  []int
	ended bool
	nodes int64
}

// flushNodes is how many scopes pass between two flushes: about 3 ms of dominoes, and half a
// second of pentominoes.
const flushNodes = 1 << 12

// run walks the part with a solver that has its formula.
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

// descend walks the present scope. Rows that are not given are met, and variables below
// from are not open.
func (k *walk) descend(unmet []int32, from int32) {
	if k.nodes++; k.nodes%flushNodes == 0 {
		k.flush()
	}
	if k.ended = k.ended || k.stopped.Load(); k.ended {
		return
	}
	start := len(k.unmet)
	if best := k.narrowest(unmet); best >= 0 {
		// From the options of the row that were tried, gini may have learned that another one
		// is true: that one must be tried all the same.
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

// narrowest appends the rows that are unmet still to k.unmet and returns the
// one with fewest open variables, or -1.
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

// decide tries both values of the next open variable, if there is one.
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

// choose walks the scope of one more literal. It returns false if there is nothing left to
// do in the scope around it.
func (k *walk) choose(l int32, unmet []int32, from int32) bool {
	if k.push(l) {
		k.descend(unmet, from)
	}
	return !k.ended && k.pop()
}

// present is the present model as an ascending list of options.
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
