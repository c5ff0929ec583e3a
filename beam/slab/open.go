package slab

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/big"
	"sync/atomic"

	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
)

// Slab is a slab whose root was read. Several goroutines may read ranges of it.
type Slab[K key.Key] struct {
	from  Source
	file  string
	ref   *Ref
	head  Head
	root  root[K]
	bytes atomic.Int64 // that were read
}

// BytesRead is how many bytes of the file were read so far, by Open and all readers.
func (s *Slab[K]) BytesRead() int64 { return s.bytes.Load() }

// Open reads the root of a slab. It must be the one that r names, of the run and level of h.
func Open[K key.Key](ctx context.Context, from Source, file string, r *Ref, h Head) (*Slab[K], error) {
	s := &Slab[K]{from: from, file: file, ref: r, head: h}
	length := r.Bytes - r.Root
	if !r.Possible() || length > mostRoot[K]() {
		return nil, s.damaged(r.Root, "its reference has impossible numbers")
	}
	if h.Prime < 2 || h.Prime > limb.MaxModulus {
		return nil, fmt.Errorf("slab: residues modulo %d", h.Prime)
	}
	b, err := s.read(ctx, r.Root, length)
	if err != nil {
		return nil, err
	}
	if nameOf(b) != r.Name {
		return nil, s.damaged(r.Root, "its root has another hash than its name")
	}
	wrong := ""
	if s.root, wrong = cutRoot[K](b, &h); wrong != "" {
		return nil, s.damaged(r.Root, wrong)
	}
	return s, s.agrees()
}

// agrees compares the root with the reference.
func (s *Slab[K]) agrees() error {
	all := whole(s.root.children, s.head.Prime)
	kept, ok := new(big.Int).SetString(s.ref.Sum, 10)
	switch {
	case all.states != s.ref.States || all.residue != s.ref.Residue || all.bits != s.ref.Bits || !ok || kept.Cmp(s.root.sum) != 0:
		return s.damaged(s.ref.Root, "its root has other sums than its reference")
	case limb.Residue(limb.Of(kept, limbsOf(kept.BitLen())), s.head.Prime) != all.residue:
		return s.damaged(s.ref.Root, "its sum and its residue do not agree")
	case s.root.end() != s.ref.Root:
		return s.damaged(s.ref.Root, "its pages do not end where its root begins")
	}
	return nil
}

// damaged is the error about a place of the file.
func (s *Slab[K]) damaged(place int64, cause string) error {
	return fmt.Errorf("%w: %s: at byte %d: %s", ErrDamaged, s.file, place, cause)
}

// read reads a part of the file, in a read of its own.
func (s *Slab[K]) read(ctx context.Context, from, length int64) ([]byte, error) {
	f := stream[K]{slab: s, at: from, end: from + length}
	defer f.close()
	return f.read(ctx, length, nil)
}

// page reads an inner page, in a read of its own.
func (s *Slab[K]) page(ctx context.Context, c *child[K], place int64) (page[K], error) {
	if err := s.fits(c, place); err != nil {
		return page[K]{}, err
	}
	b, err := s.read(ctx, place, c.length)
	if err != nil {
		return page[K]{}, err
	}
	return s.cut(b, c, place)
}

// fits says that an inner page is listed with a length that none has, before memory is taken for it.
func (s *Slab[K]) fits(c *child[K], place int64) error {
	if c.length > mostPage[K]() {
		return s.damaged(place, "an inner page is too large")
	}
	return nil
}

// cut is the inner page of these bytes, if it is the one that c lists.
func (s *Slab[K]) cut(b []byte, c *child[K], place int64) (page[K], error) {
	if sha256.Sum256(b) != c.sum {
		return page[K]{}, s.damaged(place, "an inner page has another hash than is listed")
	}
	p, wrong := cutPage[K](b, s.head.Prime)
	if wrong != "" {
		return p, s.damaged(place, wrong)
	}
	all := whole(p.children, s.head.Prime)
	if all.first != c.first || all.states != c.states || all.bits != c.bits || all.residue != c.residue {
		return p, s.damaged(place, "an inner page has other sums than are listed")
	}
	return p, nil
}
