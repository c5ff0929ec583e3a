package worker

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
)

// taker returns a function that hands tilings of a puzzle, lines of JSON, to a
// watch. Output gets them as they are. For Tiling, which draws pictures, they are
// decoded.
func taker(of *job.Puzzle, w job.Watch) (func([]byte) error, error) {
	if w.Output != nil {
		return func(lines []byte) error { _, err := w.Output.Write(lines); return err }, nil
	}
	p := &tiling.Puzzle{}
	if !of.IsCover() {
		var err error
		if p, err = of.Read(); err != nil {
			return nil, err
		}
	}
	d := newDecoder(p)
	begun := false
	return func(lines []byte) error {
		if !begun && w.Begin != nil {
			if err := w.Begin(p); err != nil {
				return err
			}
		}
		begun = true
		for line := range bytes.Lines(lines) {
			t, err := d.tiling(line)
			if err == nil && w.Tiling != nil {
				err = w.Tiling(t)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// decoder reads tilings that render has written as JSON.
type decoder struct {
	pieces map[string]int // by name
	cells  map[string]int // by coordinates, in the form of the JSON
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
		return render.Tiling{}, fmt.Errorf("a tiling of the store cannot be read: %w", err)
	}
	t := render.Tiling{Options: from.Options, Cursor: from.Cursor, Rank: number(from.Rank), WalkRank: number(from.WalkRank)}
	for _, p := range from.Placements {
		piece, ok := d.pieces[p.Piece]
		placement := tiling.Placement{Piece: piece}
		for _, at := range p.Cells {
			cell, known := d.cells[fmt.Sprint(at)]
			ok = ok && known
			placement.Cells = append(placement.Cells, cell)
		}
		if !ok {
			return render.Tiling{}, fmt.Errorf("a tiling of the store has a placement of %.60q that is not of the puzzle", p.Piece)
		}
		t.Placements = append(t.Placements, placement)
	}
	return t, nil
}

func number(text string) *big.Int {
	if n, ok := new(big.Int).SetString(text, 10); ok {
		return n
	}
	return nil
}
