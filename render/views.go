package render

import (
	"fmt"

	"github.com/pavage/pavage/tiling"
)

// View is what is drawn of a cube board beside the stack of cubes: "layers", "sides", or
// "stack" for the stack alone. The empty View is "layers".
type View string

const (
	layerView View = "layers" // each layer, from the bottom up
	// The board as seen from above, from the front and from the right
	sideView  View = "sides"
	stackView View = "stack" // nothing: the stack is alone
)

// ViewChoices are what a View may be, as help has them.
var ViewChoices = []View{layerView, sideView, stackView}

// sideScene is what is seen of a stack from far away: a scene of one layer of squares. The three of
// them stand as drawings of machines have it, each beside the edge that it shares with the next:
//
//	┌─────┐            row 0 is at the top of what is seen from above, and
//	│ top │            so is at the back
//	└─────┘
//	┌─────┐ ┌─────┐    layer 0 is at the bottom of the two others
//	│front│ │right│
//	└─────┘ └─────┘
type sideScene struct {
	*scene
	name string
	x, y float64 // in cells
}

// sideScenes are the three sides.
func (s *scene) sideScenes() []sideScene {
	depth, rows, columns := s.layers(), s.rows(), s.columns()
	return []sideScene{
		{s.seenFrom(rows, columns, depth, func(y, x, far int) tiling.Cell { return tiling.Cell{depth - 1 - far, y, x} }), "top", 0, 0},
		{s.seenFrom(depth, columns, rows, func(y, x, far int) tiling.Cell { return tiling.Cell{depth - 1 - y, rows - 1 - far, x} }), "front", 0, float64(rows + 1)},
		{s.seenFrom(depth, rows, columns, func(y, x, far int) tiling.Cell { return tiling.Cell{depth - 1 - y, rows - 1 - x, columns - 1 - far} }), "right", float64(columns + 1), float64(rows + 1)},
	}
}

// seenFrom is a side: at is the cell of the stack that is so far behind a place of the side.
func (s *scene) seenFrom(rows, columns, depth int, at func(y, x, far int) tiling.Cell) *scene {
	puzzle := *s.puzzle
	puzzle.Board = &tiling.Board{Lattice: tiling.Square}
	v := &scene{puzzle: &puzzle, lattice: tiling.Square, placements: s.placements, size: [3]int{1, rows, columns}}
	v.dotted = make([]bool, rows*columns)
	for i := range v.dotted {
		owner := hole
		for far := 0; far < depth && owner == hole; far++ {
			if c := at(i/columns, i%columns, far); s.solid(c) {
				owner = s.at(c)
			}
		}
		v.owner = append(v.owner, owner)
	}
	return v
}

// sidesSize is the room that the three sides take, with what is written below them.
func (d *drawing) sidesSize(s *scene) (width, height float64) {
	return float64(s.columns()+1+s.rows()) * d.cell(), float64(s.rows()+s.layers()+2) * d.cell()
}

// exploded is the scene with its layers so many cells apart.
func (s *scene) exploded(apart int) (*scene, error) {
	switch {
	case apart == 0:
		return s, nil
	case apart < 0 || apart >= tiling.MaxVolume:
		return nil, fmt.Errorf("%w: layers %d cells apart, want 0..%d",
			ErrInvalid, apart, tiling.MaxVolume-1)
	case !s.stacked():
		return nil, fmt.Errorf("%w: a flat board has no layers to be lifted", ErrInvalid)
	}
	board := *s.puzzle.Board
	board.Size[0] = (board.Size[0]-1)*(1+apart) + 1
	board.Cells, board.Names = make([]tiling.Cell, len(board.Cells)), nil
	for i, c := range s.puzzle.Board.Cells {
		board.Cells[i] = tiling.Cell{c[0] * (1 + apart), c[1], c[2]}
	}
	puzzle := *s.puzzle
	puzzle.Board = &board
	return newScene(&puzzle, s.placements)
}

// asStack is what the stack is drawn from.
func (s *scene) asStack() *scene {
	if s.lifted == nil {
		return s
	}
	return s.lifted
}
