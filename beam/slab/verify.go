package slab

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/pavage/pavage/internal/key"
	"github.com/pavage/pavage/internal/limb"
)

// Verify reads every byte of a slab, and says what is wrong with it. It compares all that r says.
func Verify[K key.Key](ctx context.Context, from Source, file string, r *Ref, h Head) error {
	all := &counted{Source: from}
	s, err := Open[K](ctx, all, file, r, h)
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
		return s.damaged(r.Root, "its states have other sums than its root says")
	case !slices.Equal(m.list(), r.Marks):
		return s.damaged(r.Root, "it has other marks than are kept of it")
	case all.bytes != r.Bytes:
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

// counted is a source that counts the bytes that are read.
type counted struct {
	Source
	bytes int64
}

func (c *counted) Range(ctx context.Context, name string, from, length int64) (io.ReadCloser, error) {
	r, err := c.Source.Range(ctx, name, from, length)
	if err != nil {
		return nil, err
	}
	return &countedRead{r, c}, nil
}

type countedRead struct {
	io.ReadCloser
	of *counted
}

func (r *countedRead) Read(b []byte) (int, error) {
	n, err := r.ReadCloser.Read(b)
	r.of.bytes += int64(n)
	return n, err
}
