package render

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// The stack of a cube board is seen along the diagonal of the cubes, so the outline of a cube is a
// regular hexagon. Corner (z,y,x) of a cell is drawn at the point (x-y, x+y-2z) of a triangular
// lattice. The hexagon is four units high, from its lowest to its highest corner. A visible face of
// a cube consists of two triangles of this lattice. Each triangle has an upright side:
//
//	       p                   triangle{p, +1}: p, p+(1,1), p+(0,2)
//	    ╱  │  ╲                triangle{p, -1}: p, p+(0,2), p+(-1,1)
//	 a  -1 │ +1  e
//	 │ ╲   │   ╱ │             top:     {p,+1} {p,-1}
//	 │+1 ╲ │ ╱ -1│             row:     {a,+1} {b,-1}    a = p+(-1,1)
//	 │   ╱ b ╲   │             column:  {e,-1} {b,+1}    b = p+(0,2)
//	 │ ╱-1 │ +1╲ │                                       e = p+(1,1)
//	  ╲    │    ╱
//	     ╲ │ ╱
//
// If several faces contain a triangle, it belongs to the foremost. So hidden faces are not painted.

// Directions of the visible faces: to the next layer, row and column.
const (
	lookTop = iota
	lookRow
	lookColumn
	looks
)

var lookStep = [looks]tiling.Cell{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}

// shadow is the share of black in the colour of a face. The light comes from above and the left.
var shadow = [looks]float64{0, 0.16, 0.34}

// triangle has an upright side from top to top+(0,2), and lies right (+1) or left (-1) of it.
type triangle struct {
	top  point
	side int
}

// face identifies the visible sides that lie in one plane and belong to cells of one owner.
type face struct{ owner, look, plane int }

var nothing = face{owner: hole}

func (s *scene) seen() map[triangle]face {
	front := slices.Clone(s.puzzle.Board.Cells)
	slices.SortStableFunc(front, func(a, b tiling.Cell) int { return cmp.Compare(b[0]+b[1]+b[2], a[0]+a[1]+a[2]) })
	all := make(map[triangle]face)
	for _, c := range front {
		if !s.solid(c) {
			continue
		}
		for look, halves := range halves(c) {
			if s.solid(c.Plus(lookStep[look])) {
				continue // the neighbour hides this face
			}
			f := face{s.at(c), look, c[look]}
			for _, t := range halves {
				if _, hidden := all[t]; !hidden {
					all[t] = f
				}
			}
		}
	}
	return all
}

func (s *scene) solid(c tiling.Cell) bool {
	return s.placed(c) || s.boardOnly() && s.at(c) != hole
}

func halves(c tiling.Cell) [looks][2]triangle {
	p := point{c[2] - c[1], c[2] + c[1] - 2*c[0] - 2}
	a, b, e := point{p.x - 1, p.y + 1}, point{p.x, p.y + 2}, point{p.x + 1, p.y + 1}
	return [looks][2]triangle{{{p, +1}, {p, -1}}, {{a, +1}, {b, -1}}, {{e, -1}, {b, +1}}}
}

func (t triangle) sides() (edges [3]edge, beyond [3]triangle) {
	p := t.top
	bottom, apex := point{p.x, p.y + 2}, point{p.x + t.side, p.y + 1}
	up := triangle{point{p.x + t.side, p.y - 1}, -t.side}
	down := triangle{point{p.x + t.side, p.y + 1}, -t.side}
	over := triangle{p, -t.side}
	if t.side > 0 {
		return [3]edge{{p, apex}, {apex, bottom}, {bottom, p}}, [3]triangle{up, down, over}
	}
	return [3]edge{{p, bottom}, {bottom, apex}, {apex, p}}, [3]triangle{over, down, up}
}

// stackEdges returns the borders of faces, indexed by placement and direction of the face, and the
// outline of each placement. The last entries are for the cells without a placement.
func (s *scene) stackEdges() (faces [][looks][]edge, outlines [][]edge) {
	faces, outlines = make([][looks][]edge, s.empty()+1), make([][]edge, s.empty()+1)
	all := s.seen()
	for t, f := range all {
		owner := min(f.owner, s.empty())
		edges, beyond := t.sides()
		for k, n := range beyond {
			g, ok := all[n]
			if !ok {
				g = nothing
			}
			if g != f {
				faces[owner][f.look] = append(faces[owner][f.look], edges[k])
			}
			if min(g.owner, s.empty()) != owner {
				outlines[owner] = append(outlines[owner], edges[k])
			}
		}
	}
	return faces, outlines
}

func (d *drawing) stackScale() (x, y float64) { return d.side * math.Sqrt(3) / 2, d.side / 2 }

func (d *drawing) stackFrame(s *scene) frame {
	x, y := d.stackScale()
	around := float64(s.rows() + s.columns())
	up := float64(2 * s.layers())
	return frame{width: around * x, height: (around + up) * y, origin: [2]float64{float64(s.rows()) * x, up * y}}
}

func (d *drawing) stack(s *scene, colours []pen.Colour) {
	x, y := d.stackScale()
	faces, outlines := s.stackEdges()
	d.Group(pen.Group{Line: thin * d.side})
	for k := range faces {
		for look, edges := range faces[k] {
			if len(edges) > 0 {
				fill := s.fill(k, colours).Mix(pen.Black, shadow[look])
				d.path(edges, x, y, pen.Path{Fill: &fill, Title: s.nameOf(k)})
			}
		}
	}
	d.CloseGroup()
	d.Group(pen.Group{Unfilled: true, Line: thick * d.side})
	for _, edges := range outlines {
		d.path(edges, x, y, pen.Path{})
	}
	d.CloseGroup()
}

// View selects what is drawn beside the stack of a cube board: "layers", "sides", or "stack" for
// nothing. "" means "layers".
type View string

const (
	layerView = "layers" // all layers, from the bottom up
	// sideView is the board as seen from above, from the front and from the right.
	sideView  = "sides"
	stackView = "stack"
)

var viewWords = map[View]string{
	layerView: " First the stack as seen from above, then its layers from the bottom up.",
	sideView:  " First the stack, then its sides as seen from above, from the front and from the right.",
	stackView: " The stack is seen from above.",
}

// Choices returns the values of a View except "".
func (View) Choices() []string { return []string{layerView, sideView, stackView} }

// sideScenes returns the three sides of a stack, each as a scene of one layer of squares, placed as
// in engineering drawings:
//
//	┌─────┐            seen from above, row 0 is at the top of the picture
//	│ top │
//	└─────┘
//	┌─────┐ ┌─────┐    in these two pictures, layer 0 is at the bottom
//	│front│ │right│
//	└─────┘ └─────┘
func (s *scene) sideScenes(side float64) []figure {
	depth, rows, columns := s.layers(), s.rows(), s.columns()
	seen := func(caption string, x, y, rows, columns, depth int, at func(y, x, far int) tiling.Cell) figure {
		return figure{
			scene: s.seenFrom(rows, columns, depth, at), caption: caption, width: float64(columns) * side, height: float64(rows) * side,
			x: float64(1+x) * side, y: float64(y) * side,
		}
	}
	return []figure{
		seen("top", 0, 0, rows, columns, depth, func(y, x, far int) tiling.Cell { return tiling.Cell{depth - 1 - far, y, x} }),
		seen("front", 0, rows+1, depth, columns, rows, func(y, x, far int) tiling.Cell { return tiling.Cell{depth - 1 - y, rows - 1 - far, x} }),
		seen("right", columns+1, rows+1, depth, rows, columns, func(y, x, far int) tiling.Cell { return tiling.Cell{depth - 1 - y, rows - 1 - x, columns - 1 - far} }),
	}
}

// seenFrom returns a side as a scene. The function at returns the cell at a row and a column
// of the side, and at a distance from the front.
func (s *scene) seenFrom(rows, columns, depth int, at func(y, x, far int) tiling.Cell) *scene {
	puzzle := *s.puzzle
	puzzle.Board = &tiling.Board{Lattice: tiling.Square}
	v := &scene{puzzle: &puzzle, lattice: tiling.Square, placements: s.placements, size: [3]int{1, rows, columns}}
	for i := range rows * columns {
		owner := hole
		for far := 0; far < depth && owner == hole; far++ {
			if c := at(i/columns, i%columns, far); s.solid(c) {
				owner = s.at(c)
			}
		}
		v.owner = append(v.owner, owner)
	}
	if s.clues != nil {
		v.clues = &clues{} // the sides show no clues, since the layers show them
	}
	return v
}

// exploded returns the scene with gaps between layers. The number apart is a gap's height in cells.
func (s *scene) exploded(apart int) (*scene, error) {
	switch {
	case apart == 0:
		return s, nil
	case apart < 0 || apart >= tiling.MaxVolume:
		return nil, fmt.Errorf("%w: the layers are %d cells apart, expected 0 to %d cells",
			ErrInvalid, apart, tiling.MaxVolume-1)
	case !s.stacked():
		return nil, fmt.Errorf("%w: a flat board has no layers that can be lifted, expected a solid board", ErrInvalid)
	}
	board := *s.puzzle.Board
	board.Size[0] = (board.Size[0]-1)*(1+apart) + 1
	board.Cells, board.Names = make([]tiling.Cell, len(board.Cells)), nil
	for i, c := range s.puzzle.Board.Cells {
		board.Cells[i] = tiling.Cell{c[0] * (1 + apart), c[1], c[2]}
	}
	puzzle := *s.puzzle
	puzzle.Board = &board
	if s.clues != nil {
		return puzzleScene(&puzzle)
	}
	return newScene(&puzzle, s.placements)
}
