package search

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
)

// alone is a lead so large that nothing runs ahead of a list.
const alone = 1 << 62

// TestGuide compares the guide with a list: all solutions, and those after each solution.
func TestGuide(t *testing.T) {
	for seed := range *covers / 2 {
		rng := rand.New(rand.NewPCG(seed, 17))
		p := []func(*rand.Rand) *cover.Problem{oracle.Random, oracle.RandomGrid, oracle.RandomColoured}[seed%3](rng)
		solutions, err := oracle.Solutions(p)
		if errors.Is(err, oracle.ErrTooBig) || len(solutions) > 300 {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var want [][]int
		if err := eachWith(t.Context(), p, Listing{}, alone, collect(&want)); err != nil {
			t.Fatal(err)
		}
		rng.Shuffle(len(solutions), func(i, j int) { solutions[i], solutions[j] = solutions[j], solutions[i] })
		for k := -1; k < len(want); k += 1 + rng.IntN(5) {
			after := []int(nil)
			if k >= 0 {
				after = append([]int{}, want[k]...)
			}
			if got := guided(t, p, solutions, after); !slices.EqualFunc(got, want[k+1:], slices.Equal) {
				t.Fatalf("seed %d: behind %v come %v, want %v", seed, after, got, want[k+1:])
			}
		}
	}
}

// collect returns a yield that appends copies to all.
func collect(all *[][]int) func([]int) bool {
	return func(options []int) bool {
		*all = append(*all, slices.Clone(options))
		return true
	}
}

func guided(t *testing.T, p *cover.Problem, solutions [][]int, after []int) (got [][]int) {
	t.Helper()
	q := *p
	q.Symmetries = nil
	s, m, err := compileList(t.Context(), &q)
	if err != nil {
		t.Fatal(err)
	}
	if s.never {
		return nil
	}
	a := &ahead{}
	for _, options := range solutions {
		a.find(options)
	}
	if err := s.eachKnown(t.Context(), m, a.solutions, after, collect(&got)); err != nil {
		t.Fatal(err)
	}
	return got
}

// TestGuideUnmet: a list that is no solution is not handed over beside one, but is an error.
func TestGuideUnmet(t *testing.T) {
	p := model(t, "{board: 2x3, pieces: [{name: domino, copies: any}]}")
	s, m, err := compileList(t.Context(), &cover.Problem{Items: p.Items, Options: p.Options})
	if err != nil {
		t.Fatal(err)
	}
	wrong := [][]int32{{0, 2, 6}, {0, 1}, {1, 2}}
	if err := s.eachKnown(t.Context(), m, wrong, nil, func([]int) bool { return true }); !errors.Is(err, errUnmet) {
		t.Errorf("error %v", err)
	}
}

// TestGuideCancelled: a guide of many solutions ends soon after its context.
func TestGuideCancelled(t *testing.T) {
	p := model(t, "{board: 6x6, pieces: [{name: domino, copies: any}]}")
	s, m, err := compileList(t.Context(), &cover.Problem{Items: p.Items, Options: p.Options})
	if err != nil {
		t.Fatal(err)
	}
	a := &ahead{room: mostAhead}
	if err := eachWith(t.Context(), p, Listing{}, alone, a.find); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	n := 0
	err = s.eachKnown(ctx, m, a.solutions, nil, func([]int) bool { n++; return true })
	if !errors.Is(err, context.Canceled) || n > 0 {
		t.Errorf("%d of %d solutions, error %v", n, len(a.solutions), err)
	}
}

// TestAheadKeepsOrder: a list is the same with and without symmetries, wherever a caller resumes or
// ends it.
func TestAheadKeepsOrder(t *testing.T) {
	for _, puzzle := range []string{
		"{board: 3x20, pieces: [pentominoes]}",
		"{board: 4x15, pieces: [pentominoes]}",
		"{board: 6x6, pieces: [{name: domino, copies: any}]}", // too many solutions for the memory
		"{board: 5x5, cover: at-most, pieces: [{name: I3, copies: 0..3}, X5]}",
	} {
		p := model(t, puzzle)
		var want [][]int
		if err := eachWith(t.Context(), p, Listing{}, alone, collect(&want)); err != nil {
			t.Fatal(err)
		}
		checkAhead(t, p, Listing{}, want, len(want)+1)
		for k := 0; k < len(want); k += 1 + len(want)/3 {
			checkAhead(t, p, Listing{After: want[k]}, want[k+1:], len(want))
			checkAhead(t, p, Listing{Number: uint64(k + 1)}, want[:k+1], k+1)
			checkAhead(t, p, Listing{}, want[:k+1], k+1)
		}
		if t.Failed() {
			t.Fatal(puzzle)
		}
	}
}

// checkAhead compares a list that begins to run ahead at once, ended after limit solutions.
func checkAhead(t *testing.T, p *cover.Problem, l Listing, want [][]int, limit int) {
	t.Helper()
	n := 0
	err := eachWith(t.Context(), p, l, 1, func(options []int) bool {
		if n >= len(want) || !slices.Equal(options, want[n]) {
			t.Errorf("solution %d is %v", n, options)
			return false
		}
		n++
		return n < limit
	})
	if err != nil || n != len(want) {
		t.Errorf("%d solutions, error %v, want %d", n, err, len(want))
	}
}

// TestAheadTakesTurns: with symmetries a list needs fewer tries. If nothing can be saved, nothing
// runs ahead.
func TestAheadTakesTurns(t *testing.T) {
	p := model(t, "{board: 5x12, pieces: [pentominoes]}")
	want := make([]int, 12)
	for _, test := range []struct {
		l     Listing
		begun bool
	}{
		{Listing{}, true},
		{Listing{Number: 1 << 40}, true},
		{Listing{Number: 10}, false},
		{Listing{Memory: 1 << 10}, false},
	} {
		a := newAhead(p, test.l, 1, 1<<8)
		a.visit(want)
		for tries := int64(1); tries < 5 && !a.turn(t.Context(), 1e-4, tries); tries++ {
		}
		if begun := a.hunt != nil; begun != test.begun {
			t.Errorf("%+v: begun %v", test.l, begun)
		}
		a.close()
	}
	if a := newAhead(&cover.Problem{}, Listing{}, 1, 0); a.turn(t.Context(), 1e-4, 1<<40) || a.hunt != nil {
		t.Error("ahead without symmetries")
	}
	a := newAhead(p, Listing{}, 1, 0)
	tries := int64(1)
	for ; tries < 1e7 && !a.turn(t.Context(), 1e-4, tries); tries += 1000 {
	}
	if len(a.solutions) != 4040 || tries > 300_000 {
		t.Errorf("%d solutions after %d tries of the list, want 4040", len(a.solutions), tries)
	}
	a.close()
}

// TestAheadFull: where there is no room the list goes on alone.
func TestAheadFull(t *testing.T) {
	p := model(t, "{board: 5x12, pieces: [pentominoes]}")
	a := newAhead(p, Listing{}, 1, 0)
	a.room = 10_000
	for tries := int64(1); tries < 1e6; tries += 1000 {
		if a.turn(t.Context(), 1e-4, tries) {
			t.Fatal("all are found")
		}
	}
	if a.turn(t.Context(), 1e-4, 1<<40) || a.hunt == nil || a.next != never {
		t.Error("all are found")
	}
}

// TestAheadCancel: a list that is cancelled at any solution ends, and so does the hunt ahead of
// it.
func TestAheadCancel(t *testing.T) {
	p := model(t, "{board: 5x12, pieces: [pentominoes]}")
	for _, at := range []int{1, 3, 100, 1500, 3000} {
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		err := eachWith(ctx, p, Listing{}, 1, func([]int) bool {
			if n++; n == at {
				cancel()
			}
			return true
		})
		if !errors.Is(err, context.Canceled) || n > at+2048 {
			t.Errorf("cancelled at %d: %d solutions, error %v", at, n, err)
		}
		cancel()
	}
}
