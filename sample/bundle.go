package sample

import (
	"cmp"
	"context"
	"iter"
	"runtime"

	"github.com/pavage/pavage/internal/kit/ordered"
)

// Bundle is a number of consecutive draws. Goroutines may make several bundles at the same time.
type Bundle struct {
	Size int // number of draws
	// Make returns the draws up to the first error, and this error. Call it at most once.
	Make func(context.Context) ([]Draw, error)
}

// A bundle of smallBundle draws needs 30 µs, so that the 1 µs to start a goroutine matters little.
const smallBundle = 64

func failed(err error) Bundle {
	return Bundle{0, func(context.Context) ([]Draw, error) { return nil, err }}
}

// Map yields the result of do for each bundle of the source, in order, from up to s.Threads
// goroutines. The context of do ends when the caller stops, and no call of do is running when Map
// returns. Map goes on after a result with an error, unless the caller stops.
func Map[B, T any](ctx context.Context, s *Source, bundles iter.Seq[B], do func(context.Context, B) T) iter.Seq[T] {
	return func(yield func(T) bool) {
		threads := cmp.Or(s.Threads, runtime.GOMAXPROCS(0))
		if r, ok := s.drawer.(*ranked); ok {
			defer r.share(threads)()
		}
		ordered.Map(ctx, threads, bundles, do)(yield)
	}
}

type made struct {
	draws []Draw
	err   error
}

func (s *Source) make(ctx context.Context, bundles iter.Seq[Bundle]) iter.Seq[made] {
	return Map(ctx, s, bundles, func(ctx context.Context, b Bundle) made {
		draws, err := b.Make(ctx)
		return made{draws, err}
	})
}

func (s *Source) each(ctx context.Context, bundles iter.Seq[Bundle]) iter.Seq2[Draw, error] {
	return func(yield func(Draw, error) bool) {
		for m := range s.make(ctx, bundles) {
			for _, d := range m.draws {
				if !yield(d, nil) {
					return
				}
			}
			if m.err != nil {
				yield(Draw{}, m.err)
				return
			}
		}
	}
}
