package verify

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// formula makes a CNF of clauses as DIMACS writes them.
func formula(vars int, clauses ...[]int32) *CNF {
	c := &CNF{Vars: vars}
	for _, clause := range clauses {
		c.add(clause...)
	}
	return c
}

// pigeons is the pigeonhole principle: n+1 pigeons have no n holes, one each.
// Resolution needs exponentially many steps for it (Haken 1985).
func pigeons(n int) *CNF {
	c := &CNF{Vars: (n + 1) * n}
	in := func(pigeon, hole int) int32 { return int32(pigeon*n + hole + 1) }
	for hole := range n {
		var all []int32
		for pigeon := range n + 1 {
			all = append(all, in(pigeon, hole))
		}
		c.pairs(all)
	}
	for pigeon := range n + 1 {
		var some []int32
		for hole := range n {
			some = append(some, in(pigeon, hole))
		}
		c.add(some...)
	}
	return c
}

// loaded is a solver that has the formula.
func loaded(c *CNF) *solver { return must(newSolver(context.Background(), c)) }

// solve reports whether there is a model, by gini alone. isTrue then reports the values in it,
// until the next call of another method.
func (s *solver) solve(ctx context.Context) (found bool, err error) {
	for !s.refuted {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		switch s.gini.Try(50 * time.Millisecond) {
		case 1:
			return true, nil
		case -1:
			s.refuted = true
		}
	}
	return false, nil
}

// block adds a clause to the clauses of the formula.
func (s *solver) block(clause []int32) error {
	s.add(clause)
	return nil
}

func wantSolve(t *testing.T, s *solver, want bool) {
	t.Helper()
	if got, err := s.solve(t.Context()); got != want || err != nil {
		t.Fatalf("solve returns %v, %v, want %v", got, err, want)
	}
}

// TestRefutedForGood asks again after an answer after which gini must not be
// asked: it may find a false model then, and end the process.
func TestRefutedForGood(t *testing.T) {
	for n := 2; n < 6; n++ {
		s := loaded(pigeons(n))
		for range 20 {
			wantSolve(t, s, false)
			if err := s.block([]int32{1, 2}); err != nil {
				t.Fatal(err)
			}
		}
		if s.begin() || s.push(1) || s.pop() {
			t.Error("a refuted formula has a scope")
		}
	}
	s := loaded(formula(2, []int32{1}, []int32{-1}, []int32{2}))
	wantSolve(t, s, false)
	wantSolve(t, s, false)
}

// TestEmptyClause solves a formula with the empty clause, on which gini's Activate panics.
func TestEmptyClause(t *testing.T) {
	wantSolve(t, loaded(formula(1, []int32{})), false)
	s := loaded(formula(2, []int32{1, 2}))
	wantSolve(t, s, true)
	if err := s.block(nil); err != nil {
		t.Fatal(err)
	}
	wantSolve(t, s, false)
	if loaded(formula(1, nil)).begin() {
		t.Error("the empty clause can be met")
	}
}

// TestValueAfterPop checks that more variables are true after a scope than before it.
func TestValueAfterPop(t *testing.T) {
	s := loaded(formula(3, []int32{1, 2}, []int32{1, -2}, []int32{-1, 3}))
	if !s.begin() || !s.isOpen(1) || !s.isOpen(3) {
		t.Fatal("1 and 3 are not open")
	}
	if s.push(-1) || !s.pop() {
		t.Fatal("-1 is no contradiction, or nothing is left without it")
	}
	if !s.isTrue(1) || !s.isTrue(3) || s.isFalse(1) {
		t.Error("1 and 3 are not true, as follows from the contradiction")
	}
}

// TestBrokenScope pushes where gini would panic: into a scope after a pop that has returned that
// it has no model.
func TestBrokenScope(t *testing.T) {
	s := loaded(formula(3,
		[]int32{-3, 1, 2}, []int32{-3, 1, -2}, []int32{-3, -1, 2}, []int32{-3, -1, -2})) // 3 is false
	if !s.push(3) || s.push(1) || s.pop() {
		t.Fatal("3 and 1 go together, or 3 alone")
	}
	for range 3 {
		if s.push(2) || s.push(-2) || s.pop() || s.pop() {
			t.Fatal("a broken scope was mended")
		}
	}
	if !s.pop() || !s.isFalse(3) || !s.push(1) {
		t.Error("without 3 nothing is left")
	}
	for range 3 {
		if !s.pop() {
			t.Error("the bottom scope is broken, or can be popped")
		}
	}
}

// TestRefutedInScope has no model, as comes out only when scopes are left:
// gini learns that at level 0, and goes wrong there.
func TestRefutedInScope(t *testing.T) {
	s := loaded(formula(2, []int32{1, 2}, []int32{1, -2}, []int32{-1, 2}, []int32{-1, -2}))
	if !s.begin() || s.push(1) || s.pop() {
		t.Fatal("there is a model")
	}
	for range 3 {
		if s.begin() || s.push(2) || s.pop() {
			t.Fatal("there is a model after all")
		}
	}
	wantSolve(t, s, false)
}

// TestSpare keeps gini's Test from completing a model, on which it would check
// all clauses and might end the process.
func TestSpare(t *testing.T) {
	s := loaded(formula(2, []int32{1, 2}))
	if !s.push(1) {
		t.Fatal("no model")
	}
	s.gini.Assume(literal(-2))
	if verdict, _ := s.gini.Test(nil); verdict != 0 || s.isOpen(1) || s.isOpen(2) {
		t.Fatalf("gini returns %d for a model, want 0: undecided", verdict)
	}
}

// TestRandomScopes holds random walks through the scopes of random formulas to
// the truth: each model is met exactly once.
func TestRandomScopes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	unsolvable := 0
	for range 400 {
		vars := 6 + rng.IntN(8)
		c := &CNF{Vars: vars}
		for range int(float64(vars) * (1.5 + 3*rng.Float64())) {
			clause := make([]int32, 2+rng.IntN(2))
			for k := range clause {
				clause[k] = int32(1+rng.IntN(vars)) * int32(1-2*rng.IntN(2))
			}
			c.add(clause...)
		}
		want := bruteForce(c)
		met := 0
		s, order := loaded(c), rng.Perm(vars)
		var descend func()
		descend = func() {
			for _, v := range order {
				v := int32(v + 1)
				if !s.isOpen(v) {
					continue
				}
				for _, l := range []int32{v, -v} {
					if s.push(l) {
						descend()
					}
					if !s.pop() {
						return
					}
				}
				return
			}
			met++
		}
		if s.begin() {
			descend()
		}
		if met != want {
			t.Fatalf("%d models met, want %d, of %v", met, want, c.Lits)
		}
		if want == 0 {
			unsolvable++
		}
	}
	if unsolvable < 20 {
		t.Errorf("only %d formulas had no model", unsolvable)
	}
}

// bruteForce counts the models of a formula of few variables.
func bruteForce(c *CNF) int {
	n := 0
	for a := range 1 << c.Vars {
		if holds(c, func(v int32) bool { return a>>(v-1)&1 == 1 }) {
			n++
		}
	}
	return n
}

func holds(c *CNF, isTrue func(v int32) bool) bool {
	met := false
	for _, l := range c.Lits {
		switch {
		case l == 0 && !met:
			return false
		case l == 0:
			met = false
		case l > 0 && isTrue(l), l < 0 && !isTrue(-l):
			met = true
		}
	}
	return true
}
