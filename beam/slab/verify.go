package slab

import (
	"context"
	"fmt"
	"slices"

	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
)

// Verify reads every byte of a slab, and reports what is wrong with it. It compares all that r has.
func Verify[K key.Key](ctx context.Context, from Source, file string, r *Ref, h Head) error {
	s, err := Open[K](ctx, from, file, r, h)
	if err != nil {
		return err
	}
	if size, err := from.Size(ctx, file); err != nil || size != r.Bytes {
		return s.otherSize(size, err)
	}
	reader := s.Range(ctx, Bounds[K]{})
	defer reader.Close()
	var states int64
	var m marks[K]
	sum := make([]uint64, reader.Limbs+1)
	for {
		keys, counts, err := reader.Next()
		if err != nil {
			return err
		}
		if len(keys) == 0 {
			break
		}
		m.see(states, keys)
		states += int64(len(keys))
		addAll(sum, counts, reader.Limbs)
	}
	switch {
	case states != r.States || limb.Int(sum).Cmp(s.root.sum) != 0:
		return s.damaged(r.Root, "its states have other sums than its root")
	case !slices.Equal(m.list(), r.Marks):
		return s.damaged(r.Root, "it has other marks than its reference")
	case s.BytesRead() != r.Bytes:
		return s.damaged(r.Root, "there are bytes in it that belong to no page")
	}
	return nil
}

// otherSize is the error about a file of another size, or about one whose size is not told.
func (s *Slab[K]) otherSize(size int64, err error) error {
	if err != nil {
		return err
	}
	return s.damaged(min(size, s.ref.Bytes), fmt.Sprintf("it has %d bytes, want %d", size, s.ref.Bytes))
}
