package search

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

// TestHunt: a search that rests again and again makes the same tries as a search that never rests,
// with any number of walkers, and its share of the tree rises.
func TestHunt(t *testing.T) {
	before := runtime.NumGoroutine()
	for name, s := range map[string]*Space{
		"matrices": compiled(t, model(t, sixByTen)), "chart": charted(t, model(t, "{board: 5x12, pieces: [pentominoes]}")),
	} {
		alone := mustCount(t, s, Options{Threads: 1, forgetful: true})
		for _, threads := range []int{1, 2, 8} {
			rests, r := restless(t, s, threads, alone.Tries/30)
			if r.Count.Cmp(alone.Count) != 0 || r.Tries != alone.Tries || r.Nodes != alone.Nodes {
				t.Errorf("%s, %d threads, %d rests: %+v, without %+v", name, threads, rests, r, alone)
			}
			if rests < 3 {
				t.Errorf("%s, %d threads: %d rests", name, threads, rests)
			}
		}
	}
	testkit.Until(t, "no goroutine is left", func() bool { return runtime.NumGoroutine() <= before })
}

// restless searches with a rest after each given number of tries.
func restless(t *testing.T, s *Space, threads int, tries int64) (rests int, r Result) {
	t.Helper()
	h := s.Hunt(t.Context(), Options{Threads: threads, forgetful: true}, nil)
	defer h.End()
	share := 0.0
	for limit := tries; ; limit = r.Tries + tries {
		var err error
		if r, err = h.Run(limit); err == nil {
			return rests, r
		}
		rests++
		now := h.Share()
		if !errors.Is(err, ErrLimit) || now < share || now > 1 || r.Tries < limit || r.Tries > limit+100_000*int64(threads) {
			t.Fatalf("%d threads, up to %d tries: %+v, %v, a share of %g after %g", threads, limit, r, err, now, share)
		}
		share = now
	}
}

// TestHuntEnds: a hunt that rests can be ended, and so can a hunt that never began; a context ends
// both.
func TestHuntEnds(t *testing.T) {
	s := compiled(t, model(t, hopeless))
	before := runtime.NumGoroutine()
	for _, threads := range []int{1, 8} {
		s.Hunt(t.Context(), Options{Threads: threads}, nil).End()
		h := s.Hunt(t.Context(), Options{Threads: threads, forgetful: true}, nil)
		if _, err := h.Run(10_000); !errors.Is(err, ErrLimit) {
			t.Errorf("%d threads: %v", threads, err)
		}
		h.End()
		ctx, cancel := context.WithCancel(t.Context())
		h = s.Hunt(ctx, Options{Threads: threads, forgetful: true, Progress: func(float64, int64, int64) { cancel() }}, nil)
		if _, err := h.Run(0); !errors.Is(err, context.Canceled) {
			t.Errorf("%d threads, cancelled: %v", threads, err)
		}
		h.End()
	}
	testkit.Until(t, "no goroutine is left", func() bool { return runtime.NumGoroutine() <= before })
}

// TestRunAlone: as long as walkers work one at a time, tries and shares are the same for any
// number of them, with a memo too; then all of them go on to the same count.
func TestRunAlone(t *testing.T) {
	for name, s := range map[string]*Space{
		"matrices": compiled(t, model(t, sixByTen)), "chart": charted(t, model(t, "{board: 5x12, pieces: [pentominoes]}")),
	} {
		count := mustCount(t, s, Options{Threads: 1}).Count
		var first Result
		var share float64
		for _, threads := range []int{1, 2, 8} {
			h := s.Hunt(t.Context(), Options{Threads: threads}, nil)
			defer h.End()
			for _, tries := range []int64{1, 20_000, 40_000} {
				if _, err := h.RunAlone(tries); !errors.Is(err, ErrLimit) {
					t.Fatalf("%s, %d threads, %d tries: %v", name, threads, tries, err)
				}
			}
			r, err := h.RunAlone(50_000)
			if !errors.Is(err, ErrLimit) {
				t.Fatalf("%s, %d threads: %+v, %v", name, threads, r, err)
			}
			if threads == 1 {
				first, share = r, h.Share()
			}
			if r.Tries != first.Tries || r.Nodes != first.Nodes || r.Count.Cmp(first.Count) != 0 || h.Share() != share {
				t.Errorf("%s, %d threads: %+v and a share of %g, with one %+v and %g", name, threads, r, h.Share(), first, share)
			}
			if r, err := h.Run(0); err != nil || r.Count.Cmp(count) != 0 {
				t.Errorf("%s, %d threads: %+v, %v, want %v", name, threads, r, err, count)
			}
		}
	}
}
