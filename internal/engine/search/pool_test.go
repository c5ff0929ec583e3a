package search

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/testkit"
)

const (
	sixByTen  = "{board: 6x10, pieces: [pentominoes]}"
	trominoes = "{board: 9x9, pieces: [{name: L3, copies: any}]}"
	hopeless  = "{board: 12x12, pieces: [{name: domino, copies: any}]}" // 5e16 tries
)

// compiled returns a space in matrices, even if a chart would be faster.
func compiled(t testing.TB, p *cover.Problem) *Space {
	t.Helper()
	c, err := newCompiler(context.Background(), p, false)
	if err != nil {
		t.Fatal(err)
	}
	if c.never {
		return c.Space
	}
	m, err := c.matrices()
	if err != nil {
		t.Fatal(err)
	}
	m.prune(func() bool { return false })
	return c.Space
}

func inMatrices(s *Space) *matrices { return s.engine.(*matrices) }

func mustCount(t testing.TB, s *Space, o Options) Result {
	t.Helper()
	r, err := hunt(t.Context(), s, o, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// sharing is an engine that counts the parcels that are walked.
type sharing struct {
	engine
	parcels atomic.Int64
}

func (s *sharing) walkers(c *pool) (all []worker) {
	for _, w := range s.engine.walkers(c) {
		all = append(all, sharer{w, s})
	}
	return all
}

type sharer struct {
	worker
	of *sharing
}

func (s sharer) do(p parcel) {
	s.of.parcels.Add(1)
	s.worker.do(p)
}

// TestThreads: walkers that exchange parcels do the work of a single walker together. With a memo,
// they get the same count from fewer nodes, whose number varies.
func TestThreads(t *testing.T) {
	for _, test := range []struct {
		puzzle string
		want   int64
	}{
		{sixByTen, 9356},
		{"{board: 6x6, pieces: [{set: tetrominoes, copies: any}]}", 178939},
		{"{board: 7x7, cover: at-most, pieces: [{name: a, box: 4x4, copies: 0..7}, {name: b, box: 3x3, copies: 1..7}, {name: c, box: 2x3, copies: 0..7}]}", 93507},
	} {
		s := compiled(t, model(t, test.puzzle))
		shared, trees := &sharing{engine: s.engine}, int64(1)
		s.engine = shared
		alone := mustCount(t, s, Options{Threads: 1, forgetful: true})
		if alone.Count.Int64() != test.want {
			t.Errorf("%s: %v, want %d", test.puzzle, alone.Count, test.want)
		}
		for _, threads := range []int{8, 3, 2}[:testkit.Size(1, 3)] {
			r := mustCount(t, s, Options{Threads: threads, forgetful: true})
			if r.Count.Cmp(alone.Count) != 0 || r.Nodes != alone.Nodes || r.Tries != alone.Tries {
				t.Errorf("%s: %d threads do %+v, one does %+v", test.puzzle, threads, r, alone)
			}
			trees += 2
			if m := mustCount(t, s, Options{Threads: threads}); m.Count.Cmp(alone.Count) != 0 || m.Nodes >= alone.Nodes {
				t.Errorf("%s: %d threads with a memo do %+v, without %+v", test.puzzle, threads, m, alone)
			}
		}
		if shared.parcels.Load() == trees { // on a busy machine a thread may find nothing left to do
			t.Errorf("%s: nothing was shared", test.puzzle)
		}
	}
}

// TestCancel ends walks that would last years, and walks that visit.
func TestCancel(t *testing.T) {
	s := compiled(t, model(t, hopeless))
	before := runtime.NumGoroutine()
	for _, threads := range []int{1, 8} {
		// Each calls its second argument once the work has begun.
		for name, run := range map[string]func(context.Context, func()) error{
			"count": func(ctx context.Context, cancel func()) error {
				_, err := hunt(ctx, s, Options{Threads: threads, forgetful: true, Progress: func(float64, int64, int64) { cancel() }}, 0, nil)
				return err
			},
			"solutions": func(ctx context.Context, cancel func()) error {
				_, err := hunt(ctx, s, Options{Threads: threads}, 0, func([]int) bool { cancel(); return true })
				return err
			},
			"a visit lasts": func(ctx context.Context, cancel func()) error {
				_, err := hunt(ctx, s, Options{Threads: threads}, 0, func([]int) bool { cancel(); <-ctx.Done(); return true })
				return err
			},
			"each": func(ctx context.Context, cancel func()) error {
				return Each(ctx, model(t, hopeless), Listing{}, func([]int) bool { cancel(); return true })
			},
			"cancelled before": func(ctx context.Context, cancel func()) error {
				cancel()
				_, err := hunt(ctx, s, Options{Threads: threads, forgetful: true}, 0, nil)
				return err
			},
		} {
			ctx, cancel := context.WithCancel(t.Context())
			if err := run(ctx, cancel); !errors.Is(err, context.Canceled) {
				t.Errorf("%s, %d threads: %v", name, threads, err)
			}
		}
	}
	testkit.Until(t, "no goroutine is left", func() bool { return runtime.NumGoroutine() <= before })
}

// TestEnough: a visitor that returned false is not called again, though other walkers have found
// solutions.
func TestEnough(t *testing.T) {
	s := compiled(t, model(t, trominoes))
	for _, threads := range []int{1, 2, 8} {
		for _, enough := range []int32{1, 1000} {
			var calls atomic.Int32
			r, err := hunt(t.Context(), s, Options{Threads: threads}, 0, func([]int) bool { return calls.Add(1) < enough })
			if err != nil || calls.Load() != enough {
				t.Errorf("%d threads: %d calls, %v, want %d", threads, calls.Load(), err, enough)
			}
			if r.Nodes > 100_000 {
				t.Errorf("%d threads: went on for %d nodes", threads, r.Nodes)
			}
		}
	}
}

// TestLimit gives up after a number of tries.
func TestLimit(t *testing.T) {
	s := compiled(t, model(t, hopeless))
	for _, threads := range []int{1, 3} {
		r, err := hunt(t.Context(), s, Options{Threads: threads, forgetful: true}, 50_000, nil)
		if !errors.Is(err, ErrLimit) || r.Tries < 50_000 || r.Tries > 100_000 {
			t.Errorf("%d threads: %d tries, %v", threads, r.Tries, err)
		}
	}
}

// TestProgress: the share of the tree never falls and ends at 1.
func TestProgress(t *testing.T) {
	never := &cover.Problem{Items: []cover.Item{{Min: 1, Max: 1}}}
	for name, p := range map[string]*cover.Problem{
		"6x10": model(t, sixByTen), "trominoes": model(t, trominoes), "3x20": model(t, "{board: 3x20, pieces: [pentominoes]}"),
		"trivial": model(t, "{board: 1x2, pieces: [domino]}"), "never": never, "nothing": {},
	} {
		s := compiled(t, p)
		for _, threads := range []int{1, 3} {
			var last float64
			var nodes int64
			calls := 0
			mustCount(t, s, Options{Threads: threads, Progress: func(share float64, n, _ int64) {
				if share < last || share > 1 || n < nodes {
					t.Errorf("%s: %v of %d nodes after %v of %d", name, share, n, last, nodes)
				}
				last, nodes, calls = share, n, calls+1
			}})
			if last != 1 {
				t.Errorf("%s, %d threads: ended at %v after %d calls", name, threads, last, calls)
			}
		}
	}
}
