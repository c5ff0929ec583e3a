package render

import (
	"math"

	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// Pictures of large boards on pixels. A cell of few pixels has no room for lines: it is a spot of colour,
// and the picture a mosaic.
//
//	cells of 40 pixels, as elsewhere       cells of a pixel
//	┌───────┬───┐
//	│       │   │                          AAB
//	├───────┤   │                          CCB
//	└───────┴───┘

// tinyCell is the side of a cell, in pixels, below which it has no outline: one of 0.075 cells would be
// a third of a pixel wide, and only make the colours dull.
const tinyCell = 5

// pixelSide is how many pixels the side of a picture has at most if nothing says how large a cell is.
const pixelSide = 1 << 12

// tiny reports whether cells are too small for lines.
func (d *drawing) tiny() bool { return d.options.Format.Pixels && d.side < tinyCell }

// shrink makes cells smaller, a whole number of pixels, if a picture of that size would be too large. It
// does so only if nothing said how large they are, and reports whether it did.
func (d *drawing) shrink(width, height float64) bool {
	most := float64(pixelSide)
	if d.options.Pixels > 0 {
		most = min(most, math.Sqrt(float64(d.options.Pixels)))
	}
	if !d.options.fits || max(width, height) <= most {
		return false
	}
	d.side = max(1, math.Floor(d.side*most/max(width, height)))
	return true
}

// mosaic draws a layer of tiny cells.
func (d *drawing) mosaic(s *scene, layer int, colours []pen.Colour) {
	x, y := d.scale(s)
	for c := range s.cells(layer) {
		fill := s.fill(s.at(c), colours)
		if i := s.at(c) - s.empty() - 1; i >= 0 && s.puzzle.Board.Colours != nil && s.puzzle.Board.Colours[i] > 0 {
			fill = s.tint(s.puzzle.Board.Colours[i])
		}
		d.spot(s, c, x, y, fill)
	}
}

// spot is a cell without an outline.
func (d *drawing) spot(s *scene, c tiling.Cell, x, y float64, fill pen.Colour) {
	var corners [6]pen.Point
	outline := corners[:0]
	for _, p := range s.lattice.Outline(c) {
		outline = append(outline, pen.Point{X: float64(p.X) * x, Y: float64(p.Y) * y})
	}
	d.Path(pen.Path{Outlines: [][]pen.Point{outline}, Fill: &fill, Crisp: true})
}

// line is the width of a line of so many cells; tiny cells have none.
func (d *drawing) line(cells float64) float64 {
	if d.tiny() {
		return 0
	}
	return cells * d.cell()
}
