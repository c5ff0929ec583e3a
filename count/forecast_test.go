package count

import (
	"context"
	"errors"
	"testing"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/sweep"
)

// TestCostOfManyMoves: of hundreds of moves most fit few states, and a state does not cost more
// for them.
func TestCostOfManyMoves(t *testing.T) {
	p := problem(t, "{board: 6x6, pieces: [{set: heptominoes, copies: any}]}")
	a, err := automaton.Compile(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if cost := sweep.StateCost(a.Words, a.MeanMoves()-1); a.MeanMoves() < 300 || cost < 3e-7 || cost > 1e-6 {
		t.Errorf("a state of %.0f moves costs %g s, want some 6e-7", a.MeanMoves(), cost)
	}
}

// TestFirstLook: no order is given up before its states have cost about as much as the automata of
// the others would.
func TestFirstLook(t *testing.T) {
	p := bars(t, "4x8", 8, "any")
	s, err := beginSweep(t.Context(), p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	surprised := false // before that
	for !s.done() && !s.change.changed() {
		surprised = surprised || s.automaton.Surprises(s.run.Level(), s.run.States())
		if err := s.step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if least := int64(firstLook * len(p.Options)); !surprised || s.change.before < least {
		t.Errorf("surprised %v, given up after %d states, want no look before %d", surprised, s.change.before, least)
	}
}

// TestHopelessForAnyThreads: whether a search is begun does not depend on the number of threads.
func TestHopelessForAnyThreads(t *testing.T) {
	p := problem(t, "{board: 8x9x18, pieces: [{name: slab, box: 8x9x9, copies: 2, motions: fixed}]}")
	r, err := newPlanner(p, Options{Limits: Limits{Threads: 1}}, toCount, usual).auto(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{1, 4} {
		hopeless := with(func(l *limits) { l.hopeless = r.Plan.Search.cost / 2 })
		_, err := newPlanner(p, Options{Limits: Limits{Threads: threads}}, toCount, hopeless).auto(context.Background())
		if !errors.Is(err, ErrTooWide) {
			t.Errorf("%d threads: %v, want %v", threads, err, ErrTooWide)
		}
	}
}
