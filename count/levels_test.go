package count

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
)

// unranked is the solutions at some ranks, as they come.
func unranked(t testing.TB, h Set, ranks []*big.Int) [][]int {
	t.Helper()
	var all [][]int
	for options, err := range h.Unrank(context.Background(), ranks) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, options)
	}
	return all
}

func remembered(t testing.TB, p *cover.Problem, o Options) *Levels {
	t.Helper()
	h, err := Remember(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestUnrankListsTheSolutions of random covers, each at one rank, with options
// in the order of the diagram's variables.
func TestUnrankListsTheSolutions(t *testing.T) {
	drawn := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 5))
		p := oracle.Random(rng)
		if seed%3 == 2 {
			p = oracle.Paint(rng, p)
		}
		want, err := oracle.Within(p, 1<<14)
		if errors.Is(err, oracle.ErrTooBig) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		h := remembered(t, p, Options{Limits: Limits{Threads: 1}})
		if h.Count().Cmp(big.NewInt(int64(len(want)))) != 0 {
			t.Fatalf("seed %d: %v solutions, want %d", seed, h.Count(), len(want))
		}
		if len(want) > 0 {
			drawn++
		}
		c, err := compilePart(context.Background(), p, Options{Limits: Limits{Threads: 1}})
		if err != nil {
			t.Fatal(err)
		}
		var ranks []*big.Int
		for r := range want {
			ranks = append(ranks, big.NewInt(int64(r)))
		}
		got := unranked(t, h, ranks)
		for _, options := range got {
			at := -1
			for _, o := range options {
				v := slices.Index(c.Options, o)
				if v <= at {
					t.Fatalf("seed %d: options %v are not in the order of the variables %v", seed, options, c.Options)
				}
				at = v
			}
			slices.Sort(options)
		}
		slices.SortFunc(got, slices.Compare[[]int])
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("seed %d: %v, want %v", seed, got, want)
		}
	}
	if drawn < 100 {
		t.Errorf("only %d covers have solutions", drawn)
	}
}

func TestUnrankErrors(t *testing.T) {
	p := inline(t, "2x3", "domino=any") // 3 tilings
	h := remembered(t, p, Options{})
	for _, r := range []int64{-1, 3, 1 << 40} {
		if _, err := At(context.Background(), h, big.NewInt(r)); !errors.Is(err, ErrRank) {
			t.Errorf("rank %d: %v, want ErrRank", r, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Remember(ctx, p, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	large := inline(t, "14x14", "domino=any")
	if _, err := Remember(context.Background(), large, Options{Limits: Limits{Memory: 20_000}}); !errors.Is(err, cover.ErrMemory) {
		t.Errorf("within 20 kB: %v, want cover.ErrMemory", err)
	}
	h = remembered(t, large, Options{Limits: Limits{Memory: 1 << 20}}) // levels to be made again
	if _, err := At(ctx, h, big.NewInt(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled on the way back: %v", err)
	}
	if _, err := Remember(context.Background(), &cover.Problem{Options: []cover.Option{{{Item: 1}}}}, Options{}); !errors.Is(err, cover.ErrInvalid) {
		t.Errorf("an invalid problem: %v", err)
	}
}

// TestWalkProgress rises to 1, also where levels are made again.
func TestWalkProgress(t *testing.T) {
	p := inline(t, "12x12", "domino=any")
	for _, memory := range []int64{0, 1 << 20} {
		shown, calls := 0.0, 0
		o := Options{Limits: Limits{Memory: memory, Threads: 2}, Watch: Watch{Progress: func(p Progress) {
			calls++
			if p.Fraction < shown || p.Fraction > 1 {
				t.Fatalf("progress %v after %v", p.Fraction, shown)
			}
			shown = p.Fraction
		}}}
		h := remembered(t, p, o)
		if shown > 0.5 {
			t.Errorf("%v is done before the way back", shown)
		}
		unranked(t, h, []*big.Int{big.NewInt(1)})
		if shown != 1 || calls < 100 {
			t.Errorf("%d calls end at %v", calls, shown)
		}
		called := calls
		unranked(t, h, []*big.Int{big.NewInt(2)})
		if calls != called {
			t.Errorf("%d calls after the end", calls-called)
		}
	}
}

// TestSolve: a diagram or levels, and why.
func TestSolve(t *testing.T) {
	for _, c := range []struct {
		board  string
		pieces []string
		memory int64
		walk   bool
		reason string
	}{
		{"2x3", []string{"domino=any"}, 0, false, "the sweep has only 11 states"},
		{"3x3", []string{"domino=any"}, 0, false, "the sweep has only "},
		{"20x20", []string{"domino=any"}, 1 << 26, true, "a diagram would begin with about 2.8e+07 states"},
		{"14x14", []string{"domino=any"}, 2_200_000, true, "not fit in memory"},
		{"14x14", []string{"domino=any"}, 900_000, true, "not fit in memory"},
	} {
		p := inline(t, c.board, c.pieces...)
		d, reason, err := Solve(context.Background(), p, ForRanks, Options{Limits: Limits{Memory: c.memory, Threads: 1}})
		if err != nil {
			t.Errorf("%s: %v", c.board, err)
			continue
		}
		if _, walk := d.(*Levels); walk != c.walk || !strings.Contains(reason, c.reason) {
			t.Errorf("%s: walk %v, since %s; want %v, since %s", c.board, walk, reason, c.walk, c.reason)
		}
	}
}

// TestSharedReport: goroutines may share levels, and may ask for the report while other goroutines
// make levels again.
func TestSharedReport(t *testing.T) {
	h := remembered(t, inline(t, "14x14", "domino=any"), Options{Limits: Limits{Threads: 1, Memory: 1 << 20}})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if _, err := At(t.Context(), h, big.NewInt(7)); err != nil {
				t.Error(err)
			}
		})
		all.Go(func() { h.Report() })
	}
	all.Wait()
}

// TestWithoutNone: options that do not exist are no options to leave out.
func TestWithoutNone(t *testing.T) {
	p := inline(t, "2x3", "domino=any")
	for _, engine := range []Engine{Diagram, Sweep, Dimer} {
		s, _, err := Solve(t.Context(), p, ForWeight, Options{Engine: engine})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []int{-1, len(p.Options)} {
			if _, err := s.Without(t.Context(), []int{o}); !errors.Is(err, ErrMember) {
				t.Errorf("%s, option %d: %v", engine, o, err)
			}
		}
	}
}
