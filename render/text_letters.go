package render

import (
	"encoding/binary"
	"iter"

	"github.com/pavage/pavage/tiling"
)

// lettering are the letters of placements. Where they go depends on the cells of a placement
// alone, so each is looked at once.
type lettering struct {
	known map[string][]letter // by the cells
	key   []byte
	seen  []bool
}

// letter is the place of a part's letter.
type letter struct {
	layer int
	at    point       // the part's anchor
	cell  tiling.Cell // of the part, nearest to it
}

// mostLettered limits how many placements are remembered, to some megabytes.
const mostLettered = 1 << 15

// lettersIn are the letters of a layer, each with its text.
func (d *drawer) lettersIn(layer int) iter.Seq2[letter, string] {
	return func(yield func(letter, string) bool) {
		if !d.options.Letters {
			return
		}
		for k, pl := range d.placements {
			for _, l := range d.lettersOf(k) {
				if l.layer == layer && !yield(l, d.labels[pl.Piece]) {
					return
				}
			}
		}
	}
}

// lettersOf are the places of the letters of placement k.
func (d *drawer) lettersOf(k int) []letter {
	l := &d.letters
	l.key = l.key[:0]
	for _, c := range d.placements[k].Cells {
		l.key = binary.LittleEndian.AppendUint32(l.key, uint32(c))
	}
	if all, known := l.known[string(l.key)]; known {
		return all
	}
	var all []letter
	l.seen = append(l.seen[:0], make([]bool, len(d.owner))...)
	for _, i := range d.placements[k].Cells {
		c := d.puzzle.Board.Cells[i]
		layer := d.layerOf(l.seen, c[0])
		if !layer[c[1]*d.columns()+c[2]] {
			p := part{k, d.spread(c, layer)}
			all = append(all, letter{c[0], d.anchor(p, false), d.nearest(p)})
		}
	}
	if l.known == nil || len(l.known) == mostLettered {
		l.known = map[string][]letter{}
	}
	l.known[string(l.key)] = all
	return all
}

// layerOf is the part of what is kept by layer, row and column that is one layer's.
func (s *scene) layerOf(all []bool, layer int) []bool {
	n := s.rows() * s.columns()
	return all[layer*n : (layer+1)*n]
}
