package sample

import (
	"cmp"
	"context"
	"iter"
	"runtime"

	"github.com/pavage/pavage/internal/kit/ordered"
)

// Bundle is some consecutive draws of a sequence, which are made when Make is called: goroutines
// may make the bundles of a sequence at the same time.
type Bundle struct {
	Size int // number of draws
	// Make returns the draws. With an error, which is the end of the sequence, it returns the draws
	// before the error. It must be called at most once.
	Make func(context.Context) ([]Draw, error)
}

// smallBundle is the size of bundles that need no batch. (A goroutine costs 1 µs for a bundle, and
// 64 draws of classes or lines of JSON cost 30 µs.)
const smallBundle = 64

// failed returns a bundle with only an error.
func failed(err error) Bundle {
	return Bundle{0, func(context.Context) ([]Draw, error) { return nil, err }}
}

// Map yields do of each bundle of the source, in the order of the bundles. It calls do in up to
// s.Threads goroutines. The context of do ends when the caller stops, and no call of do is
// running when Map returns. A result with an error does not end Map: the caller stops there.
func Map[B, T any](ctx context.Context, s *Source, bundles iter.Seq[B], do func(context.Context, B) T) iter.Seq[T] {
	return func(yield func(T) bool) {
		threads := cmp.Or(s.Threads, runtime.GOMAXPROCS(0))
		if r, ok := s.drawer.(*ranked); ok {
			defer r.share(threads)()
		}
		ordered.Map(ctx, threads, bundles, do)(yield)
	}
}

// made is the result of Bundle.Make.
type made struct {
	draws []Draw
	err   error
}

// make makes bundles, in order.
func (s *Source) make(ctx context.Context, bundles iter.Seq[Bundle]) iter.Seq[made] {
	return Map(ctx, s, bundles, func(ctx context.Context, b Bundle) made {
		draws, err := b.Make(ctx)
		return made{draws, err}
	})
}

// each yields the draws of bundles, and an error as the last element.
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
