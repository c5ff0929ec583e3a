package render

import (
	"slices"

	"github.com/pavage/pavage/tiling"
)

// spot is a place on a canvas.
type spot struct{ y, x int }

// line is a side of a cell in characters. Those of a floor are part of the cell above it and
// have its colour behind them.
type line struct {
	char  rune
	spots []spot
}

// floor is the character of a side that lies within a line of text.
const floor = '_'

// sketch is a cell in characters: its sides in their order, what lies between them, and where its
// letter begins.
type sketch struct {
	sides  []line
	inside []spot
	label  spot
}

// sketchOf draws a cell that is no square by its corners; of a cell of another form nothing is drawn.
//
//	 ╱ ╲       hexagon: 3 lines of which neighbours share     ╱╲     ______   triangle: 3 lines,
//	│   │      one, columns 4 apart                          ╱  ╲    ╲    ╱   columns 3 apart;
//	 ╲ ╱                                                    ╱____╲    ╲  ╱    '_' lies in the
//	                                                                   ╲╱     line above
func sketchOf(outline []tiling.Corner) (s sketch) {
	switch {
	case len(outline) == 6:
		x, y := 2*outline[5].X, outline[0].Y/3*2
		side := func(char rune, dy, dx int) line { return line{char, []spot{{y + dy, x + dx}}} }
		return sketch{
			sides: []line{side('╲', 0, 3), side('│', 1, 4), side('╱', 2, 3), side('╲', 2, 1), side('│', 1, 0), side('╱', 0, 1)},
			inside: []spot{
				{y, x + 2}, {y + 1, x + 1}, {y + 1, x + 2}, {y + 1, x + 3}, {y + 2, x + 2},
			},
			label: spot{y + 1, x + 2},
		}
	case len(outline) == 3 && outline[0].Y == outline[1].Y:
		return sketchTriangle(3*outline[0].X, 3*outline[0].Y, false)
	case len(outline) == 3:
		return sketchTriangle(3*outline[2].X, 3*outline[0].Y, true)
	}
	return s
}

// sketchTriangle draws a triangle that points up or down and whose box begins at line y and column x.
func sketchTriangle(x, y int, up bool) sketch {
	s := sketch{label: spot{y + 1, x + 2}}
	left, right, level := line{char: '╱'}, line{char: '╲'}, line{char: floor}
	bottom := y + 2
	if !up {
		left.char, right.char, bottom = right.char, left.char, y-1
	}
	for i := range 3 {
		wide := i // half of what lies between the sides
		if !up {
			wide = 2 - i
		}
		left.spots = append(left.spots, spot{y + i, x + 2 - wide})
		right.spots = append(right.spots, spot{y + i, x + 3 + wide})
		for k := x + 3 - wide; k <= x+2+wide; k++ {
			s.inside = append(s.inside, spot{y + i, k})
		}
	}
	for k := x; k <= x+5; k++ {
		level.spots = append(level.spots, spot{bottom, k})
	}
	s.sides = []line{right, level, left}
	if !up {
		s.sides = []line{level, right, left}
	}
	return s
}

// sketched draws a layer whose cells are no squares: first what lies within cells, then the
// sides between owners, then letters.
func (d *drawer) sketched(layer int) canvas {
	sketches := d.sketchesOf(layer)
	least, most := extentOf(sketches)
	b := sheet{canvas: d.room(layer, most.y-least.y+1, most.x-least.x+1), origin: least}
	for _, line := range b.canvas {
		for x := range line {
			line[x] = blanks[0]
		}
	}
	for c, s := range sketches {
		b.paint(s.inside, d.at(c), ' ')
		for k, step := range d.sideSteps(c) {
			if !d.border(c, plus(c, step)) {
				b.paint(s.sides[k].spots, d.at(c), ' ')
			}
		}
	}
	for i, shaded := range d.shaded {
		c := tiling.Cell{i / (d.rows() * d.columns()), i / d.columns() % d.rows(), i % d.columns()}
		if shaded && c[0] == layer {
			b.paint(sketchOf(d.lattice.Outline(c)).inside, hole, shade)
		}
	}
	// What is slanted goes over the ends of a floor
	for _, floors := range []bool{true, false} {
		for c, s := range sketches {
			for k, step := range d.sideSteps(c) {
				switch side := s.sides[k]; {
				case (side.char == floor) != floors:
				case d.seam(c, plus(c, step)):
					side.char = dashed[side.char]
					b.draw(side)
				case d.border(c, plus(c, step)):
					b.draw(side)
				}
			}
		}
	}
	for c, text := range d.texts(layer) {
		b.write(sketches[c].label, text)
	}
	for _, l := range d.letters.by[layer] {
		b.write(sketches[l.cell].label, l.text)
	}
	return b.canvas
}

// sketchesOf are those of the cells of a layer, and of its places off the board.
func (d *drawer) sketchesOf(layer int) map[tiling.Cell]sketch {
	if s := d.sketches[layer]; s != nil {
		return s
	}
	sketches := map[tiling.Cell]sketch{}
	for _, c := range slices.Concat(d.puzzle.Board.Cells, d.openPlaces) {
		if c[0] == layer {
			sketches[c] = sketchOf(d.lattice.Outline(c))
		}
	}
	d.sketches[layer] = sketches
	return sketches
}

// extentOf are the least and the greatest line and column of cells.
func extentOf(sketches map[tiling.Cell]sketch) (least, most spot) {
	first := true
	for _, s := range sketches {
		for _, side := range s.sides {
			for _, at := range side.spots {
				if first {
					least, most, first = at, at, false
				}
				least = spot{min(least.y, at.y), min(least.x, at.x)}
				most = spot{max(most.y, at.y), max(most.x, at.x)}
			}
		}
	}
	return least, most
}

// sheet is a canvas whose first line and column are those of its origin.
type sheet struct {
	canvas
	origin spot
}

func (b sheet) at(s spot) *cellText { return &b.canvas[s.y-b.origin.y][s.x-b.origin.x] }

// paint gives spots to an owner.
func (b sheet) paint(spots []spot, owner int, char rune) {
	for _, s := range spots {
		*b.at(s) = cellText{char, owner}
	}
}

// draw draws a side.
func (b sheet) draw(side line) {
	for _, s := range side.spots {
		at := b.at(s)
		if at.char = side.char; side.char != floor {
			at.owner = hole
		}
	}
}

// write puts a text on the sheet.
func (b sheet) write(s spot, text string) { b.letter(s.y-b.origin.y, s.x-b.origin.x, text) }
