package frontier

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/oracle"
	"github.com/pavage/pavage/internal/puzzletest"
)

func problem(t testing.TB, board string, pieces ...string) *cover.Problem {
	t.Helper()
	return puzzletest.Inline(t, board, pieces...).Problem
}

// trace goes through all levels and returns the total, the effort and, level
// after level, all keys and arcs as text.
func trace(t testing.TB, a *Automaton, c Config) (*big.Int, Effort, string) {
	t.Helper()
	var text strings.Builder
	r := a.Run(c)
	for range a.Steps() {
		arcs, err := r.Step(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if arcs != nil {
			fmt.Fprintln(&text, *arcs)
		}
	}
	e := r.Effort()
	e.Bytes = 0
	if !c.Counts {
		return nil, e, text.String()
	}
	return r.Total(), e, text.String()
}

// TestPocketsLoseNothing compares, in every order, the count with pockets
// pruned and without. (A flood that leaked through covered items once lost
// solutions on all boards but those swept by rows.)
func TestPocketsLoseNothing(t *testing.T) {
	boards := [][]string{
		{"4x10", "L5", "P5", "U5", "V5", "N5", "I5", "Y5", "Z5"},
		{"4x10", "L5", "P5", "U5", "V5", "N5", "F5", "Y5", "Z5"},
		{"5x8", "L5", "P5", "U5", "V5", "N5", "I5", "Y5", "Z5"},
		{"5x5", "I4", "T4", "O4=0..1", "L3", "I3=0..1", "L4=0..2", "S4=0..1"},
	}
	for _, pieces := range boards {
		p := problem(t, pieces[0], pieces[1:]...)
		var first *big.Int
		orders, err := Orders(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		for k, order := range orders {
			with, without := withAndWithoutPockets(t, p, order)
			if first == nil {
				first = without
			}
			if with.Cmp(first) != 0 || without.Cmp(first) != 0 {
				t.Errorf("%v order %d: %v with pockets pruned, %v without, order 0 %v", pieces, k, with, without, first)
			}
		}
	}
}

func withAndWithoutPockets(t *testing.T, p *cover.Problem, order []int) (with, without *big.Int) {
	t.Helper()
	a, err := Compile(context.Background(), p, order)
	if err != nil {
		t.Fatal(err)
	}
	with, pruned, _ := trace(t, a, Config{Counts: true})
	a.pockets = nil
	without, all, _ := trace(t, a, Config{Counts: true})
	if pruned.States >= all.States {
		t.Errorf("pockets pruned nothing: %+v, %+v without", pruned, all)
	}
	return with, without
}

// TestThreadsAndChunks: levels and arcs are the same whatever the number of
// threads and the size of the tasks.
func TestThreadsAndChunks(t *testing.T) {
	p := problem(t, "6x7", "tetrominoes=any", "domino=0..3", "monomino=2..")
	a, err := Compile(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	total, effort, levels := trace(t, a, Config{Counts: true, Arcs: true, Threads: 1})
	for _, c := range []Config{
		{Threads: 1, chunk: 7}, {Threads: 2, chunk: 50}, {Threads: 3, chunk: 8}, {Threads: 8, chunk: 1000},
	} {
		c.Counts, c.Arcs = true, true
		gotTotal, gotEffort, gotTrace := trace(t, a, c)
		if gotTotal.Cmp(total) != 0 || gotEffort != effort || gotTrace != levels {
			t.Errorf("%d threads, tasks of %d arcs: %v %+v, want %v %+v (same arcs: %v)",
				c.Threads, c.chunk, gotTotal, gotEffort, total, effort, gotTrace == levels)
		}
	}
}

// TestWideKeys stretches the window of random covers over several words by
// items that are always covered and never matter.
func TestWideKeys(t *testing.T) {
	words := map[int]int{}
	for seed := range uint64(300) {
		p := oracle.Random(rand.New(rand.NewPCG(seed, 3)))
		want, err := oracle.Count(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, apart := range []int{0, 30, 65, 120, 190} {
			wide, order := stretch(p, apart)
			a, err := Compile(context.Background(), wide, order)
			if errors.Is(err, ErrTooWide) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			words[a.Words]++
			if !a.Feasible {
				if want != 0 {
					t.Errorf("seed %d apart %d: infeasible, want %d", seed, apart, want)
				}
				continue
			}
			total, _, _ := trace(t, a, Config{Counts: true, Threads: 1, chunk: 3})
			if total.Cmp(big.NewInt(int64(want))) != 0 {
				t.Errorf("seed %d apart %d (%d words): %v, want %d", seed, apart, a.Words, total, want)
			}
		}
	}
	for w := 1; w <= MaxWords; w++ {
		if words[w] == 0 {
			t.Errorf("no cover had keys of %d words: %v", w, words)
		}
	}
}

// stretch puts padding items, each covered by an option of its own, behind
// the first swept item of the order.
func stretch(p *cover.Problem, padding int) (*cover.Problem, []int) {
	order := slices.Clone(sweepable(p))
	wide := &cover.Problem{Items: slices.Clone(p.Items), Options: slices.Clone(p.Options)}
	for range padding {
		item := len(wide.Items)
		wide.Items = append(wide.Items, cover.Item{Min: 1, Max: 1})
		wide.Options = append(wide.Options, cover.Option{{Item: item, Times: 1}})
		order = slices.Insert(order, min(1, len(order)), item)
	}
	return wide, order
}

// TestLimbsWiden counts 2^k coverings, k past 64, 128 and 192: k pairs of
// monominoes of two kinds.
func TestLimbsWiden(t *testing.T) {
	for _, n := range []int{1, 60, 63, 64, 65, 127, 128, 129, 200, 300} {
		p := &cover.Problem{}
		for i := range n {
			p.Items = append(p.Items, cover.Item{Min: 1, Max: 1})
			p.Options = append(p.Options, cover.Option{{Item: i, Times: 1}})
		}
		kind := len(p.Items)
		p.Items = append(p.Items, cover.Item{Max: cover.Unbounded})
		for i := range n {
			p.Options = append(p.Options, cover.Option{{Item: i, Times: 1}, {Item: kind, Times: 1}})
		}
		a, err := Compile(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		total, _, _ := trace(t, a, Config{Counts: true})
		if want := new(big.Int).Lsh(big.NewInt(1), uint(n)); total.Cmp(want) != 0 {
			t.Errorf("%d items: %v, want %v", n, total, want)
		}
	}
}

func TestLimitsAndCancellation(t *testing.T) {
	p := problem(t, "8x8", "tetrominoes=any")
	a, err := Compile(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	r := a.Run(Config{Counts: true, Memory: 1 << 20})
	for range a.Steps() {
		if _, err = r.Step(context.Background()); err != nil {
			break
		}
	}
	if !errors.Is(err, ErrMemory) {
		t.Errorf("with 1 MiB: %v, want ErrMemory", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := a.Run(Config{}).Step(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	huge := problem(t, "20x200", "domino=any")
	if _, err := Compile(context.Background(), huge, huge.Orders[1]); err != nil {
		t.Errorf("200 columns: %v", err)
	}
	wide := problem(t, "5x300", "I5=any")
	if _, err := Compile(context.Background(), wide, wide.Orders[1]); !errors.Is(err, ErrTooWide) {
		t.Errorf("300 columns of I5: %v, want ErrTooWide", err)
	}
}
