package automaton

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
)

// compiledAgain compiles for the order that an automaton reports, and wants an equal automaton.
func compiledAgain(t *testing.T, name string, p *cover.Problem, a *Automaton) {
	t.Helper()
	again, err := Compile(t.Context(), p, a.ItemOrder())
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	same := again.Print() == a.Print() && again.Feasible == a.Feasible && again.Steps() == a.Steps() &&
		slices.Equal(again.Order, a.Order) && slices.Equal(again.Variables, a.Variables)
	if !same {
		t.Fatalf("%s: another automaton, of order %v, not %v", name, again.Order, a.Order)
	}
	if !slices.Equal(again.ItemOrder(), a.ItemOrder()) {
		t.Fatalf("%s: compiled for %v, it reports %v", name, a.ItemOrder(), again.ItemOrder())
	}
}

// compiledAnyhow calls compiledAgain for the automata of a problem by every way to compile.
func compiledAnyhow(t *testing.T, name string, p *cover.Problem) (kinds []string) {
	t.Helper()
	candidates, err := Candidates(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range candidates {
		compiledAgain(t, name, p, c.Automaton)
	}
	for _, compile := range []func(context.Context, *cover.Problem) (*Automaton, error){
		func(ctx context.Context, p *cover.Problem) (*Automaton, error) { return Compile(ctx, p) },
	} {
		a, err := compile(t.Context(), p)
		if errors.Is(err, ErrTooWide) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		compiledAgain(t, name, p, a)
		kinds = append(kinds, kindsOf(p, a)...)
	}
	return kinds
}

// kindsOf returns the kinds of an automaton.
func kindsOf(p *cover.Problem, a *Automaton) (kinds []string) {
	has := func(kind string, is bool) {
		if is {
			kinds = append(kinds, kind)
		}
	}
	has("with fields", a.Coloured())
	has("with lone steps", slices.Contains(a.Order, -1))
	has("that cannot meet its bounds", !a.Feasible)
	has("without an item", len(a.ItemOrder()) == 0)
	has("of a problem without orders", len(p.Orders) == 0)
	has("that counts items which are used once", len(p.Orders) == 0 && a.Feasible &&
		slices.ContainsFunc(a.counters, func(c counter) bool { return c.kind == flag }))
	has("that drops pockets", a.pockets != nil)
	return kinds
}

// TestCompiledAgain: any automaton can be made again from its problem and the order it reports.
func TestCompiledAgain(t *testing.T) {
	seen := map[string]int{}
	tell := func(kinds []string) {
		for _, k := range kinds {
			seen[k]++
		}
	}
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		for _, random := range []struct {
			name string
			make func(*rand.Rand) *cover.Problem
		}{{"cover", oracle.Random}, {"colours", oracle.RandomColoured}, {"grid", oracle.RandomGrid}, {"matching", oracle.RandomMatching}} {
			p := random.make(rng)
			tell(compiledAnyhow(t, random.name, p))
			p.Orders = nil
			tell(compiledAnyhow(t, random.name+" without orders", p))
		}
	}
	for _, board := range [][]string{
		{"6x10", "pentominoes"},
		{"9x9", "tetrominoes", "I5=0..9", "monomino=any"},
		{"4x16", "O4=0..1", "domino=any"},
		{"4x9", "W5", "L4", "monomino=any"},
		{"5x300", "I5=any", "X5=2000"}, // too wide, and its bounds cannot be met
		{"40x40", "I3=any", "domino=any", "monomino=2.."},
	} {
		p := puzzletest.Inline(t, board[0], board[1:]...).Problem
		tell(compiledAnyhow(t, board[0], p))
		if board[0] != "40x40" {
			p.Orders = nil
			tell(compiledAnyhow(t, board[0]+" without orders", p))
		}
	}
	for _, kind := range []string{
		"with fields", "with lone steps", "that cannot meet its bounds", "without an item", "of a problem without orders",
		"that counts items which are used once", "that drops pockets",
	} {
		if seen[kind] < 4 {
			t.Errorf("only %d automata %s", seen[kind], kind)
		}
	}
}
