package sweep

import (
	"context"
	"slices"

	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// cuts divides the keys of the next level into ranges of about chunk arcs, by means of a sample.
func (s *Step[K]) cuts(ctx context.Context, chunk int, b *budget) ([]Bounds[K], error) {
	chunk = max(chunk, perChunk*len(s.Streams))
	if s.from.n <= chunk/max(1, len(s.Streams)) {
		return []Bounds[K]{{}}, nil
	}
	stride := max(1, min(chunk/perChunk, s.from.n/perChunk), s.from.n*len(s.Streams)/maxSample)
	sample, err := s.sample(ctx, stride, b)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(sample, key.Compare)
	below := key.Low[K](s.Grain())
	cuts := []Bounds[K]{{}}
	each := max(1, chunk/stride)
	for i := each; i < len(sample); i += each {
		last := &cuts[len(cuts)-1]
		if x := key.Without(sample[i], below); !last.HasLo || key.Less(last.Lo, x) {
			last.Hi, last.HasHi = x, true
			cuts = append(cuts, Bounds[K]{Lo: x, HasLo: true})
		}
	}
	return cuts, nil
}

const (
	perChunk = 8
	// maxSample bounds the number of sampled keys. Sorting 2·maxSample keys needs 0.3 s.
	maxSample = 1 << 20
)

func (s *Step[K]) sample(ctx context.Context, stride int, b *budget) ([]K, error) {
	w := interrupt.Context(ctx)
	var sample []K
	if every := s.source.Stride(); stride%every > 0 {
		stride += every - stride%every
	}
	for i := 0; i < s.from.n; i += stride {
		k := s.from.blocks.key(s.from.block(i), s.source.Sample(i))
		for m := range s.Streams {
			if err := w.Look(); err != nil {
				return nil, err
			}
			if image, ok := s.Streams[m].Image(k, s.Window); ok {
				sample = append(sample, image)
			}
		}
	}
	// The cuts need at most the memory of the sample. Both are freed after the step.
	var k K
	return sample, b.lend(2 * int64(cap(sample)*len(k)) * wordBytes)
}
