package sample_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"testing"
	"testing/synctest"

	"github.com/pavage/pavage/compiled"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/sample"
)

// everySource returns sources of 6x6 dominoes of every kind, by name.
func everySource(t *testing.T) map[string]*sample.Source {
	t.Helper()
	m := puzzletest.Inline(t, "6x6", "domino=any")
	weights := make([]*big.Rat, len(m.Problem.Options))
	for o := range weights {
		weights[o] = big.NewRat(int64(o%4+1), int64(o%3+2))
	}
	all := map[string]*sample.Source{}
	for name, r := range map[string]sample.Request{
		"diagram":          {Method: sample.ByDiagram},
		"levels":           {Method: sample.BySweep},
		"weighted diagram": {Method: sample.ByDiagram, Weights: weights},
		"weighted levels":  {Method: sample.BySweep, Weights: weights},
		"coupling":         {Method: sample.ByCoupling},
		"shuffling":        {Method: sample.ByShuffling},
		"trees":            {Method: sample.ByTrees},
		"classes":          {Group: m.Group(true).Symmetries()},
	} {
		s, err := sample.From(t.Context(), m.Problem, r, count.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all[name] = s
	}
	c, err := count.Compile(t.Context(), m.Problem, count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path := t.TempDir() + "/a.pavage"
	about := &compiled.About{Title: "6x6", Options: len(m.Problem.Options), Digest: compiled.Digest(m.Problem)}
	if err := compiled.WriteFile(t.Context(), path, about, c); err != nil {
		t.Fatal(err)
	}
	f, err := compiled.Open(t.Context(), path, compiled.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	all["file"] = sample.Of(f, "")
	larger := puzzletest.Inline(t, "10x12", "domino=any")
	whole, err := count.Remember(t.Context(), larger.Problem, count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := count.Remember(t.Context(), larger.Problem, count.Options{Limits: count.Limits{Memory: whole.Bytes() / 3}})
	if err != nil || again.Whole() {
		t.Fatalf("whole levels, %v", err)
	}
	all["levels computed again"] = sample.Of(again, "")
	return all
}

// TestThreads: the draws of a seed are the same for any number of threads, with and without
// replacement.
func TestThreads(t *testing.T) {
	for name, s := range everySource(t) {
		for way, of := range map[string]func(n uint64) iter.Seq2[sample.Draw, error]{
			"draws":  func(n uint64) iter.Seq2[sample.Draw, error] { return s.Draws(t.Context(), sample.Seeded(3), n) },
			"unique": func(n uint64) iter.Seq2[sample.Draw, error] { return s.Unique(t.Context(), sample.Seeded(3), n, 0) },
		} {
			n := uint64(200)
			var want []string
			for _, s.Threads = range []int{1, 2, 3, 8} {
				var got []string
				for d, err := range of(n) {
					if err != nil {
						t.Fatalf("%s, %s: %v", name, way, err)
					}
					got = append(got, fmt.Sprint(d.Rank, d.Options))
				}
				if want == nil {
					want = got
				}
				if len(got) != int(n) || fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s, %s: %d draws with %d threads differ from those with 1", name, way, len(got), s.Threads)
				}
			}
		}
	}
}

// TestThreadsEnd: draws that stop early or whose context ends leave no goroutine: synctest.Test
// fails if a goroutine is left.
func TestThreadsEnd(t *testing.T) {
	for name, s := range everySource(t) {
		s.Threads = 8
		synctest.Test(t, func(t *testing.T) {
			for range s.Draws(t.Context(), sample.Seeded(3), 5000) {
				break
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var last error
			for _, err := range s.Draws(ctx, sample.Seeded(3), 5000) {
				cancel()
				last = err
			}
			if !errors.Is(last, context.Canceled) {
				t.Errorf("%s: %v", name, last)
			}
		})
	}
}

var errBroken = errors.New("broken")

// broken is a set without the ranks from broken.from on.
type broken struct {
	count.Set
	from int64
}

func (b broken) Unrank(ctx context.Context, ranks []*big.Int) iter.Seq2[[]int, error] {
	return func(yield func([]int, error) bool) {
		for _, r := range ranks {
			options, err := count.At(ctx, b.Set, r)
			if r.Int64() >= b.from {
				options, err = nil, errBroken
			}
			if !yield(options, err) || err != nil {
				return
			}
		}
	}
}

// TestThreadsError: an error comes after the draws before it, and no draw comes after it.
func TestThreadsError(t *testing.T) {
	c := compile(t, "6x6", "domino=any") // 6728 tilings
	for _, threads := range []int{1, 2, 3, 8} {
		s := sample.Of(broken{c, 6725}, "")
		s.Threads = threads
		var want, got []string
		for d := range draws(t, sample.Of(c, ""), 1, 5000) {
			if d.Rank.Int64() >= 6725 {
				break
			}
			want = append(want, fmt.Sprint(d.Options))
		}
		ended := 0
		for d, err := range s.Draws(t.Context(), sample.Seeded(1), 5000) {
			if err != nil {
				if ended++; !errors.Is(err, errBroken) {
					t.Error(err)
				}
				continue
			}
			got = append(got, fmt.Sprint(d.Options))
		}
		if ended != 1 || len(want) < 100 || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%d threads: %d draws, then %d errors, want %d draws", threads, len(got), ended, len(want))
		}
	}
}
