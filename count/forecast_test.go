package count

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
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

// TestFirstLook: no order is given up before its states have cost about the same as the automata
// of the other orders would.
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
	p := problem(t, tetrominoes12)
	plan, err := Estimate(t.Context(), p, Options{Limits: Limits{Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{1, 4} {
		s, err := space(t.Context(), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		hopeless := with(func(l *limits) { l.hopeless = plan.Search.cost / 100 })
		o := Options{Limits: Limits{Threads: threads, Memory: s.Bytes(4)}}
		_, err = newPlanner(p, o, toCount, hopeless).auto(context.Background())
		if !errors.Is(err, cover.ErrMemory) || !strings.Contains(err.Error(), "years") {
			t.Errorf("%d threads: %v, want %v and years", threads, err, cover.ErrMemory)
		}
	}
}
