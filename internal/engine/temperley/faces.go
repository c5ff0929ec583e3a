package temperley

import (
	"context"
	"errors"
	"slices"

	"github.com/pavage/pavage/internal/engine/planar"
)

func (b *board) recognise(ctx context.Context) ([]int8, error) {
	if err := b.checkDegrees(); err != nil {
		return nil, err
	}
	err := b.linkCycles()
	if errors.Is(err, errAmbiguous) {
		return b.recogniseDrawn(ctx)
	}
	if err != nil {
		return nil, err
	}
	return b.kinds()
}

func (b *board) recogniseDrawn(ctx context.Context) ([]int8, error) {
	embedding, err := b.Graph().Embed(ctx)
	if err != nil {
		return nil, err
	}
	of, faces := embedding.Faces()
	err = errors.New("no face of the board can be the outer face, with squares as all other faces")
	for _, outer := range b.outer(of, faces) {
		var kind []int8
		if err = b.linkFaces(embedding, of, outer); err == nil {
			kind, err = b.kinds()
		}
		if err == nil || ctx.Err() != nil {
			return kind, err
		}
	}
	return nil, err
}

// outer returns the candidates for the outer face: the only face that is no square or, if all are
// squares, the faces at one edge vertex of fewer than four darts.
func (b *board) outer(of []int32, faces int) (outer []int32) {
	long := make([]int32, faces)
	for _, face := range of {
		long[face]++
	}
	for face, n := range long {
		if n != 4 {
			outer = append(outer, int32(face))
		}
	}
	switch {
	case len(outer) == 1:
		return outer
	case len(outer) > 1:
		return nil
	}
	for v := range int32(b.edgeVertices()) {
		if darts := b.at(v); len(darts) < 4 {
			for _, e := range darts {
				outer = append(outer, of[2*e], of[2*e+1])
			}
			return outer
		}
	}
	return nil
}

func (b *board) linkFaces(m *planar.Embedding, of []int32, outer int32) error {
	b.clear()
	for v := range int32(b.edgeVertices()) {
		all := b.at(v)
		for i, e := range all {
			// A walk around a face: w0 leaves v, w1 enters another edge vertex, w2 leaves it, w3 enters v.
			w0 := 2*e + int32(b.colour)
			if of[w0] == outer {
				continue
			}
			w1 := m.After(w0)
			w2 := m.After(w1)
			w3 := m.After(w2)
			if err := b.link(v, i, slices.Index(all, w3>>1), w1>>1, w2>>1); err != nil {
				return err
			}
		}
		if err := b.checkLinks(v); err != nil {
			return err
		}
	}
	return nil
}
