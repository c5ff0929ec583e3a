package count

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
)

func inline(t testing.TB, board string, pieces ...string) *cover.Problem {
	t.Helper()
	return puzzletest.Inline(t, board, pieces...).Problem
}

// TestDiagramSizes: the reduced diagrams have the sizes that others report
// for the same order of the variables, terminals included.
func TestDiagramSizes(t *testing.T) {
	for _, c := range []struct {
		pieces []string
		nodes  int64
		count  string
	}{
		{[]string{"domino=any"}, 2300, "12988816"},
		{[]string{"monomino=any", "domino=any", "trominoes=any"}, 512_227, "92109458286284989468604"},
	} {
		r, err := Count(context.Background(), inline(t, "8x8", c.pieces...), Diagram, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Nodes != c.nodes || r.Count.String() != c.count {
			t.Errorf("%v: %d nodes, count %v, want %d, %s", c.pieces, r.Nodes, r.Count, c.nodes, c.count)
		}
	}
}

// TestTurned: a board and the same board turned have equal counts by every
// engine, with counters of every kind.
func TestTurned(t *testing.T) {
	for _, c := range [][]string{
		{"5x12", "12x5", "pentominoes"},
		{"4x9", "9x4", "tetrominoes=any"},
		{"3x4x2", "2x3x4", "I3=any", "domino=1..5", "L3=2.."},
		{"16x8", "8x16", "monomino=any", "domino=any", "L3=any"},
	} {
		var counts []string
		for _, board := range c[:2] {
			for _, e := range []Engine{Sweep, Diagram} {
				r, err := Count(context.Background(), inline(t, board, c[2:]...), e, Options{})
				if err != nil {
					t.Fatal(err)
				}
				counts = append(counts, r.Count.String())
			}
		}
		for _, got := range counts[1:] {
			if got != counts[0] || got == "0" {
				t.Errorf("%v: sweep and diagram, turned sweep and diagram: %v", c, counts)
				break
			}
		}
	}
}

// TestPermuted: the count of a random cover does not depend on the order of
// its items and options, nor on the number of threads.
func TestPermuted(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 5))
		p := oracle.Random(rng)
		want, err := oracle.Count(p)
		if err != nil {
			t.Fatal(err)
		}
		for threads := range 3 {
			rng.Shuffle(len(p.Options), func(i, j int) { p.Options[i], p.Options[j] = p.Options[j], p.Options[i] })
			for _, o := range p.Orders {
				rng.Shuffle(len(o), func(i, j int) { o[i], o[j] = o[j], o[i] })
			}
			r, err := Count(context.Background(), p, Auto, Options{Limits: Limits{Threads: 1 + threads}})
			if err != nil || r.Count.Cmp(big.NewInt(int64(want))) != 0 {
				t.Fatalf("seed %d, %d threads: %v, %v, want %d\n%s", seed, 1+threads, r, err, want, text(p))
			}
		}
	}
}

// TestSplit: N = N(with an option) + N(without it).
func TestSplit(t *testing.T) {
	p := inline(t, "6x6", "tetrominoes=any", "domino=0..4")
	whole := countOf(t, p)
	for _, o := range []int{0, 17, len(p.Options) / 2, len(p.Options) - 1} {
		without := &cover.Problem{Items: p.Items, Orders: p.Orders}
		without.Options = append(append(without.Options, p.Options[:o]...), p.Options[o+1:]...)
		// With it: a new item that only this option covers, and must.
		with := &cover.Problem{Orders: p.Orders}
		with.Items = append(append(with.Items, p.Items...), cover.Item{Min: 1, Max: 1})
		with.Options = append(with.Options, p.Options...)
		with.Options[o] = append(append(cover.Option{}, p.Options[o]...), cover.Use{Item: len(p.Items), Times: 1})
		sum := new(big.Int).Add(countOf(t, with), countOf(t, without))
		if sum.Cmp(whole) != 0 {
			t.Errorf("option %d: %v in all, with and without add up to %v", o, whole, sum)
		}
	}
}

func countOf(t *testing.T, p *cover.Problem) *big.Int {
	t.Helper()
	r, err := Count(context.Background(), p, Auto, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Count
}

func TestErrors(t *testing.T) {
	p := inline(t, "8x8", "tetrominoes=any")
	ctx := context.Background()
	if _, err := Count(ctx, p, "abacus", Options{}); !errors.Is(err, errEngine) {
		t.Errorf("engine abacus: %v", err)
	}
	if _, err := Count(ctx, &cover.Problem{Options: []cover.Option{{}}}, Auto, Options{}); !errors.Is(err, cover.ErrInvalid) {
		t.Errorf("an option without items: %v", err)
	}
	for _, e := range []Engine{Sweep, Diagram} {
		if _, err := Count(ctx, p, e, Options{Limits: Limits{Memory: 1 << 20}}); !errors.Is(err, cover.ErrMemory) {
			t.Errorf("%s in 1 MiB: %v", e, err)
		}
	}
}

// TestCancel: every engine stops a few looks after the context's end.
func TestCancel(t *testing.T) {
	p := inline(t, "12x12", "tetrominoes=any")
	for _, e := range []Engine{Sweep, Diagram} {
		ctx := testkit.AfterLooks(t, 1000)
		_, err := Count(ctx, p, e, Options{})
		if !errors.Is(err, context.DeadlineExceeded) || ctx.Late() > 100 { // each part of a level looks once more
			t.Errorf("%s: %v, %d more looks", e, err, ctx.Late())
		}
	}
}

// TestProgress: the fraction rises to exactly 1 and never falls.
func TestProgress(t *testing.T) {
	for _, e := range []Engine{Sweep, Diagram} {
		last, calls := 0.0, 0
		report := func(p Progress) {
			if p.Fraction < last || p.Fraction > 1 || p.Step > p.Steps {
				t.Errorf("%s: %+v after %v", e, p, last)
			}
			last = p.Fraction
			calls++
		}
		if _, err := Count(context.Background(), inline(t, "6x6", "tetrominoes=any"), e, Options{Watch: Watch{Progress: report}}); err != nil {
			t.Fatal(err)
		}
		if last != 1 || calls < 36 {
			t.Errorf("%s: ended at %v after %d calls", e, last, calls)
		}
	}
}

// TestTrivial covers: nothing to do, nothing to do it with, and bounds that
// nothing can meet.
func TestTrivial(t *testing.T) {
	one := cover.Option{{Item: 0, Times: 1}}
	for _, c := range []struct {
		p    cover.Problem
		want int64
	}{
		{cover.Problem{}, 1},
		{cover.Problem{Items: []cover.Item{{Min: 0, Max: cover.Unbounded}}}, 1},
		{cover.Problem{Items: []cover.Item{{Min: 1, Max: 1}}}, 0},
		{cover.Problem{Items: []cover.Item{{Min: 3, Max: cover.Unbounded}}, Options: []cover.Option{one}}, 0},
		{cover.Problem{Items: []cover.Item{{Min: 0, Max: 0}}, Options: []cover.Option{one}}, 1},
		{cover.Problem{Items: []cover.Item{{Min: 0, Max: 1}}, Options: []cover.Option{one}}, 2},
		{cover.Problem{Items: []cover.Item{{Min: 2, Max: 2}}, Options: []cover.Option{{{Item: 0, Times: 2}}}}, 1},
		{cover.Problem{
			Items:   []cover.Item{{Min: 1, Max: cover.Unbounded}},
			Options: []cover.Option{one, {{Item: 0, Times: cover.MaxTimes}}},
		}, 3},
	} {
		for _, e := range []Engine{Sweep, Diagram} {
			r, err := Count(context.Background(), &c.p, e, Options{})
			if err != nil || r.Count.Cmp(big.NewInt(c.want)) != 0 {
				t.Errorf("%s of %s: %v, %v, want %d", e, fmt.Sprintf("%+v", c.p), r, err, c.want)
			}
		}
	}
}
