package worker

import (
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
)

type decoder struct {
	pieces map[string]int // index of a piece, by name
	cells  map[string]int // index of a cell, by its coordinates in JSON
}

func newDecoder(p *tiling.Puzzle) *decoder {
	d := &decoder{pieces: map[string]int{}, cells: map[string]int{}}
	for i, piece := range p.Pieces {
		d.pieces[piece.Name] = i
	}
	if p.Board != nil {
		for i, at := range p.Board.Lattice.Written(p.Board.Cells) {
			d.cells[fmt.Sprint(at)] = i
		}
	}
	return d
}

func (d *decoder) tiling(line []byte) (render.Tiling, error) {
	var from render.TilingJSON
	if err := json.Unmarshal(line, &from); err != nil {
		return render.Tiling{}, fmt.Errorf("a tiling in the store cannot be read: %w", err)
	}
	t := render.Tiling{Options: from.Options, Cursor: from.Cursor}
	t.Rank, _ = new(big.Int).SetString(from.Rank, 10) // nil if the line has no rank
	t.SweepRank, _ = new(big.Int).SetString(from.SweepRank, 10)
	for _, p := range from.Placements {
		piece, ok := d.pieces[p.Piece]
		placement := tiling.Placement{Piece: piece, Marks: p.Marks}
		for _, at := range p.Cells {
			cell, known := d.cells[fmt.Sprint(at)]
			ok = ok && known
			placement.Cells = append(placement.Cells, cell)
		}
		if !ok {
			return render.Tiling{}, fmt.Errorf("a tiling in the store has a placement of the piece %.60q that the puzzle does not have", p.Piece)
		}
		t.Placements = append(t.Placements, placement)
	}
	return t, nil
}
