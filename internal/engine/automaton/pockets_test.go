package automaton

import (
	"math/rand/v2"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/test/puzzletest"
)

// TestPocketsLoseNothing compares, in every order, the counts with and without pruning of pockets.
// (A flood that leaked through covered items once lost solutions on all boards but those swept by
// rows.)
func TestPocketsLoseNothing(t *testing.T) {
	boards := [][]string{
		{"4x10", "L5", "P5", "U5", "V5", "N5", "I5", "Y5", "Z5"},
		{"4x10", "L5", "P5", "U5", "V5", "N5", "F5", "Y5", "Z5"},
		{"5x8", "L5", "P5", "U5", "V5", "N5", "I5", "Y5", "Z5"},
		{"5x5", "I4", "T4", "O4=0..1", "L3", "I3=0..1", "L4=0..2", "S4=0..1"},
	}
	for _, pieces := range boards {
		p := puzzletest.Inline(t, pieces[0], pieces[1:]...).Problem
		first := -1
		orders, err := Orders(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		for k, order := range orders {
			with, without := withAndWithoutPockets(t, p, order)
			if first < 0 {
				first = without
			}
			if with != first || without != first {
				t.Errorf("%v order %d: %d with pockets pruned, %d without, order 0 %d", pieces, k, with, without, first)
			}
		}
	}
}

func withAndWithoutPockets(t *testing.T, p *cover.Problem, order []int) (with, without int) {
	t.Helper()
	a, err := Compile(t.Context(), p, order)
	if err != nil {
		t.Fatal(err)
	}
	with, pruned := swept(a)
	a.pockets = nil
	without, all := swept(a)
	if pruned >= all {
		t.Errorf("pockets pruned nothing: %d states, %d without", pruned, all)
	}
	return with, without
}

// swept returns the number of solutions of an automaton with keys of one word, and the number of
// states of all levels, by a table of states in place of sorted levels.
func swept(a *Automaton) (count, states int) {
	level := map[[1]uint64]int{Root[[1]uint64](a): 1}
	for step := range a.Steps() {
		t := NewTransition[[1]uint64](a, step)
		next := map[[1]uint64]int{}
		for state, ways := range level {
			for i := range t.Streams {
				if image, ok := t.Streams[i].Image(state, t.Window); ok && (t.Keep == nil || t.Keep(image)) {
					next[image] += ways
				}
			}
		}
		level = next
		states += len(level)
	}
	for _, ways := range level {
		count += ways
	}
	return count, states
}

// BenchmarkPockets tests states, half of whose window is covered, for pockets.
func BenchmarkPockets(b *testing.B) {
	a, err := Compile(b.Context(), puzzletest.Inline(b, "6x10", "pentominoes").Problem)
	if err != nil {
		b.Fatal(err)
	}
	v := a.pockets.view(a.Steps() / 2)
	r := rand.New(rand.NewPCG(1, 2))
	windows := make([]uint64, 1<<12)
	for i := range windows {
		windows[i] = r.Uint64() & key.LowBits(a.Window)
	}
	for b.Loop() {
		for _, w := range windows {
			v.alive(w, 0b1010<<v.flagAt)
		}
	}
}

// TestEdgesAreAlike: of the pairs that right trominoes cover, the same kinds are left everywhere.
func TestEdgesAreAlike(t *testing.T) {
	p := puzzletest.Inline(t, "12x12", "L3=any").Problem
	a, err := Compile(t.Context(), p, p.Orders[0])
	if err != nil {
		t.Fatal(err)
	}
	if a.pockets == nil || len(a.pockets.offsets) != 2 {
		t.Fatalf("pockets %v, want edges along and down", a.pockets)
	}
	for i := 13; i < 9*12; i++ {
		if !a.pockets.like(i, i%12+12) {
			t.Errorf("pockets of levels %d and %d differ", i, i%12+12)
		}
	}
}
