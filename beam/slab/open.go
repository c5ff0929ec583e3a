package slab

import (
	"context"
	"fmt"
	"math/big"
	"sync/atomic"

	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
)

// Slab is a slab whose root was read. Several goroutines may read ranges of the slab at once.
type Slab[K key.Key] struct {
	from  Source
	file  string
	ref   *Ref
	head  Head
	sum   *big.Int
	pages []child[K]
	bytes atomic.Int64 // bytes that were read
}

// BytesRead returns the number of bytes that Open and all readers have read.
func (s *Slab[K]) BytesRead() int64 { return s.bytes.Load() }

// Open reads the root of a slab, and checks that it agrees with the Ref and the Head.
func Open[K key.Key](ctx context.Context, from Source, file string, r *Ref, h Head) (*Slab[K], error) {
	s := &Slab[K]{from: from, file: file, ref: r, head: h}
	length := r.Bytes - r.Root
	pages := r.States/(leafStates*maxLeaves) + 1
	if !r.Possible() || length > int64(rootHead+4+mostSum)+pages*childBytes[K]() {
		return nil, s.damaged(r.Root, "its reference has impossible numbers")
	}
	if h.Prime < 2 || h.Prime > limb.MaxModulus {
		return nil, fmt.Errorf("slab: the residues are modulo %d, which is out of range", h.Prime)
	}
	b, err := s.read(ctx, r.Root, length)
	if err != nil {
		return nil, err
	}
	if nameOf(b) != r.Name {
		return nil, s.damaged(r.Root, "its root has another hash than its name")
	}
	wrong := ""
	if s.sum, s.pages, wrong = cutRoot[K](b, &h); wrong != "" {
		return nil, s.damaged(r.Root, wrong)
	}
	all := whole(s.pages, h.Prime)
	kept, ok := new(big.Int).SetString(r.Sum, 10)
	switch {
	case all.states != r.States || all.residue != r.Residue || all.bits != r.Bits || !ok || kept.Cmp(s.sum) != 0:
		return nil, s.damaged(r.Root, "its root has other sums than its reference")
	case limb.Residue(limb.Of(kept, limbsOf(kept.BitLen())), h.Prime) != all.residue:
		return nil, s.damaged(r.Root, "its sum and its residue do not agree")
	case lengthOf(s.pages) != r.Root:
		return nil, s.damaged(r.Root, "its pages do not end where its root begins")
	}
	return s, nil
}

func (s *Slab[K]) damaged(place int64, cause string) error {
	return fmt.Errorf("%w: %s: at byte %d: %s", ErrDamaged, s.file, place, cause)
}

func (s *Slab[K]) read(ctx context.Context, from, length int64) ([]byte, error) {
	f := stream[K]{slab: s, at: from, end: from + length}
	defer f.close()
	return f.read(ctx, length, nil)
}
