package slab

import (
	"context"
	"fmt"
	"slices"

	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
)

const (
	LeafStates = leafStates
	MaxLeaves  = maxLeaves
	MaxMarks   = maxMarks
)

func FormatKey[K key.Key](k K) string { return formatKey(k) }

// Verify reads every byte of a slab, and reports an error in it. It compares all fields of r.
func Verify[K key.Key](ctx context.Context, from interface {
	Source
	Size(ctx context.Context, name string) (int64, error)
}, file string, r *Ref, h Head,
) error {
	s, err := Open[K](ctx, from, file, r, h)
	if err != nil {
		return err
	}
	size, err := from.Size(ctx, file)
	if err != nil {
		return err
	}
	if size != r.Bytes {
		return s.damaged(min(size, r.Bytes), fmt.Sprintf("it has %d bytes, want %d", size, r.Bytes))
	}
	reader := s.Range(ctx, Bounds[K]{})
	defer reader.Close()
	states, m := int64(0), marks[K]{stride: 1}
	sum := make([]uint64, reader.Limbs+1)
	for {
		keys, counts, err := reader.Next()
		if err != nil {
			return err
		}
		if len(keys) == 0 {
			break
		}
		for _, k := range keys {
			m.see(states, k)
			states++
		}
		for count := range slices.Chunk(counts, reader.Limbs) {
			limb.Add(sum, count)
		}
	}
	switch {
	case states != r.States || limb.Int(sum).Cmp(s.sum) != 0:
		return s.damaged(r.Root, "its states have other sums than its root")
	case !slices.Equal(m.list(), r.Marks):
		return s.damaged(r.Root, "it has other marks than its reference")
	case s.BytesRead() != r.Bytes:
		return s.damaged(r.Root, "there are bytes in it that belong to no page")
	}
	return nil
}
