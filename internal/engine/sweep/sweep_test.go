package sweep

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
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
)

func problem(t testing.TB, board string, pieces ...string) *cover.Problem {
	t.Helper()
	return puzzletest.Inline(t, board, pieces...).Problem
}

// trace goes through all levels and returns the total, the effort and, level by level, all keys and
// arcs as text.
func trace(t testing.TB, a *automaton.Automaton, c Config) (*big.Int, Effort, string) {
	t.Helper()
	var text strings.Builder
	r := Start(a, c)
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
	if c.Value == nil {
		return nil, e, text.String()
	}
	return r.Total(), e, text.String()
}

// TestThreadsAndChunks: levels and arcs do not depend on the number of threads and the size of
// tasks.
func TestThreadsAndChunks(t *testing.T) {
	p := problem(t, "5x7", "tetrominoes=any", "domino=0..3", "monomino=2..")
	a, err := automaton.Compile(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	total, effort, levels := trace(t, a, Config{Value: Count{}, Keep: KeepArcs, Threads: 1})
	for _, c := range []Config{
		{Threads: 1, chunk: 7}, {Threads: 2, chunk: 50}, {Threads: 3, chunk: 8}, {Threads: 8, chunk: 1000},
	} {
		c.Value, c.Keep = Count{}, KeepArcs
		gotTotal, gotEffort, gotTrace := trace(t, a, c)
		if gotTotal.Cmp(total) != 0 || gotEffort != effort || gotTrace != levels {
			t.Errorf("%d threads, tasks of %d arcs: %v %+v, want %v %+v (same arcs: %v)",
				c.Threads, c.chunk, gotTotal, gotEffort, total, effort, gotTrace == levels)
		}
	}
}

// TestWideKeys stretches the window of random covers over several words by items that are always
// covered and never matter.
func TestWideKeys(t *testing.T) {
	words := map[int]int{}
	for seed := range uint64(testkit.Size(120, 300)) {
		p := randomCover(seed, 3)
		want, err := oracle.Count(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, apart := range []int{0, 30, 65, 120, 190, 260} {
			wide, order := stretch(p, apart)
			a, err := automaton.Compile(context.Background(), wide, order)
			if errors.Is(err, automaton.ErrTooWide) {
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
			total, _, _ := trace(t, a, Config{Value: Count{}, Threads: 1, chunk: 3})
			if total.Cmp(big.NewInt(int64(want))) != 0 {
				t.Errorf("seed %d apart %d (%d words): %v, want %d", seed, apart, a.Words, total, want)
			}
		}
	}
	for _, w := range key.Widths() {
		if words[w] == 0 {
			t.Errorf("no cover had keys of %d words: %v", w, words)
		}
	}
}

// randomCover returns a random cover. Every third cover has colours if it is small.
func randomCover(seed, stream uint64) *cover.Problem {
	rng := rand.New(rand.NewPCG(seed, stream))
	p := oracle.Random(rng)
	if seed%3 == 2 {
		painted := oracle.Paint(rng, p)
		if _, err := oracle.Within(painted, 1<<12); err == nil {
			return painted
		}
	}
	return p
}

// stretch puts padding items, each covered by an option of its own, after the first swept item of
// the order.
func stretch(p *cover.Problem, padding int) (*cover.Problem, []int) {
	order := slices.Clone(swept(p))
	wide := &cover.Problem{Items: slices.Clone(p.Items), Options: slices.Clone(p.Options), Colours: p.Colours}
	for range padding {
		item := len(wide.Items)
		wide.Items = append(wide.Items, cover.Item{Min: 1, Max: 1})
		wide.Options = append(wide.Options, cover.Option{{Item: item, Times: 1}})
		order = slices.Insert(order, min(1, len(order)), item)
	}
	return wide, order
}

// swept returns the first order of the problem or, if it has none, the items used at most once.
func swept(p *cover.Problem) []int {
	if len(p.Orders) > 0 {
		return p.Orders[0]
	}
	var items []int
	for i, it := range p.Items {
		if it.Max == 1 {
			items = append(items, i)
		}
	}
	return items
}

// TestLimbsWiden counts 2^k coverings, for k over 64, 128 and 192: k pairs of monominoes of two
// kinds.
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
		a, err := automaton.Compile(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		total, _, _ := trace(t, a, Config{Value: Count{}})
		if want := new(big.Int).Lsh(big.NewInt(1), uint(n)); total.Cmp(want) != 0 {
			t.Errorf("%d items: %v, want %v", n, total, want)
		}
	}
}

func TestLimitsAndCancellation(t *testing.T) {
	p := problem(t, "8x8", "tetrominoes=any")
	a, err := automaton.Compile(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	r := Start(a, Config{Value: Count{}, Memory: 1 << 20})
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
	if _, err := Start(a, Config{}).Step(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	huge := problem(t, "20x200", "domino=any")
	if _, err := automaton.Compile(context.Background(), huge, huge.Orders[1]); err != nil {
		t.Errorf("200 columns: %v", err)
	}
	wide := problem(t, "5x300", "I5=any")
	if _, err := automaton.Compile(context.Background(), wide, wide.Orders[1]); !errors.Is(err, automaton.ErrTooWide) {
		t.Errorf("300 columns of I5: %v, want ErrTooWide", err)
	}
}
