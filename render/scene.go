package render

import (
	"fmt"
	"iter"
	"slices"

	"github.com/pavage/pavage/tiling"
)

// hole is the owner of what is not on the board.
const hole = -1

// scene says who owns each cell: it is all that the pictures are made from.
// The owners are
//
//	hole                      not on the board
//	0 .. len(placements)-1    a placement
//	empty()                   cells that the placements leave empty
//	empty()+1+i               board cell i, when there are no placements
type scene struct {
	puzzle       *tiling.Puzzle
	lattice      *tiling.Lattice
	upright      int                // steps from a cell that leave its layer
	placements   []tiling.Placement // by first cell, the cells of each ascending
	size         [3]int             // layers, rows, columns
	covered      []int              // the cells of all placements
	by           []int              // see checkPlacements: room for it
	owner        []int              // by layer, row, column
	dotted       []bool             // by layer, row, column: cells with a dot
	colourLabels []string           // see ColourLabels
	// Of the box, off the board, that have a name; sorted
	openPlaces []tiling.Cell
	// The board cell that lies at a place off the board, which wraps; nil if it does not
	beyond func(tiling.Cell) int
	lifted *scene // see asStack; nil: itself
}

// newScene checks that the placements can be drawn on p's board. Every error
// wraps ErrInvalid.
func newScene(p *tiling.Puzzle, t []tiling.Placement) (*scene, error) {
	s, err := boardScene(p)
	if err != nil {
		return nil, err
	}
	if err := s.place(t); err != nil {
		return nil, err
	}
	return s, nil
}

// boardScene is a scene of p's board, before its placements, which place lays.
func boardScene(p *tiling.Puzzle) (*scene, error) {
	if p == nil || p.Board == nil {
		return nil, fmt.Errorf("%w: there is no board", ErrInvalid)
	}
	if p.Board.Lattice == nil {
		return nil, fmt.Errorf("%w: board: no lattice", ErrInvalid)
	}
	s := &scene{puzzle: p, lattice: p.Board.Lattice, upright: 2 * (p.Board.Lattice.Dimensions() - 2), size: p.Board.Size}
	err := s.layBoard()
	if err == nil {
		err = s.layMarks()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: board: %w", ErrInvalid, err)
	}
	return s, nil
}

// place lays placements on the board, in place of those that were there.
func (s *scene) place(t []tiling.Placement) error {
	if err := s.checkPlacements(t); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	s.placements, s.covered = s.placements[:0], s.covered[:0]
	for _, pl := range t {
		first := len(s.covered)
		s.covered = append(s.covered, pl.Cells...)
		cells := s.covered[first:len(s.covered):len(s.covered)]
		slices.Sort(cells)
		s.placements = append(s.placements, tiling.Placement{Piece: pl.Piece, Cells: cells})
	}
	slices.SortFunc(s.placements, func(a, b tiling.Placement) int { return a.Cells[0] - b.Cells[0] })
	for i, c := range s.puzzle.Board.Cells {
		if len(t) > 0 {
			i = -1
		}
		s.owner[s.position(c)] = s.empty() + 1 + i
	}
	for k, pl := range s.placements {
		for _, c := range pl.Cells {
			s.owner[s.position(s.puzzle.Board.Cells[c])] = k
		}
	}
	if s.dotted == nil {
		s.dotted = make([]bool, len(s.owner))
	}
	for i, c := range s.puzzle.Board.Cells {
		if s.boardOnly() {
			s.dotted[s.position(c)] = len(s.puzzle.Board.Optional) > 0 && s.puzzle.Board.Optional[i]
		} else {
			s.dotted[s.position(c)] = s.at(c) == s.empty()
		}
	}
	return nil
}

// layBoard makes every cell of the board empty, and everything else a hole.
func (s *scene) layBoard() error {
	b := s.puzzle.Board
	box := 1
	for _, n := range s.size {
		if n < 1 || n > tiling.MaxVolume || box*n > tiling.MaxVolume {
			return fmt.Errorf("size %dx%dx%d, want 1..%d cells",
				s.size[0], s.size[1], s.size[2], tiling.MaxVolume)
		}
		box *= n
	}
	if n := len(b.Optional); n != 0 && n != len(b.Cells) {
		return fmt.Errorf("%d optional marks for %d cells", n, len(b.Cells))
	}
	s.owner = slices.Repeat([]int{hole}, box)
	for i, c := range b.Cells {
		switch {
		case !s.inside(c):
			return fmt.Errorf("cell %v is outside of size %v", c, s.size)
		case s.at(c) != hole:
			return fmt.Errorf("cell %v occurs twice", c)
		}
		s.owner[s.position(c)] = i + 1
	}
	var err error
	if b.Wrap != tiling.NoWrap {
		s.beyond, err = b.Unrolled()
	}
	return err
}

// checkPlacements reports the first placement that is not of a piece of the puzzle or
// not on its board, or that lies over another or over itself.
func (s *scene) checkPlacements(t []tiling.Placement) error {
	p, cells := s.puzzle, s.puzzle.Board.Cells
	by := append(s.by[:0], make([]int, len(cells))...)
	s.by = by
	for i := range by {
		by[i] = -1
	}
	for k, pl := range t {
		switch {
		case pl.Piece < 0 || pl.Piece >= len(p.Pieces):
			return fmt.Errorf("placement %d is of piece %d, want 0..%d",
				k, pl.Piece, len(p.Pieces)-1)
		case len(pl.Cells) == 0:
			return fmt.Errorf("placement %d has no cells", k)
		}
		for _, c := range pl.Cells {
			switch {
			case c < 0 || c >= len(cells):
				return fmt.Errorf("placement %d covers cell %d, the board has %d cells", k, c, len(cells))
			case by[c] == k:
				return fmt.Errorf("placement %d covers cell %v twice", k, cells[c])
			case by[c] >= 0:
				return fmt.Errorf("placements %d and %d both cover cell %v", by[c], k, cells[c])
			}
			by[c] = k
		}
	}
	return nil
}

// dot reports whether a cell of the board gets a dot.
func (s *scene) dot(c tiling.Cell) bool { return s.dotted[s.position(c)] }

// empty is the owner of the cells that the placements leave empty.
func (s *scene) empty() int { return len(s.placements) }

// boardOnly reports whether there are no placements: each cell owns itself.
func (s *scene) boardOnly() bool { return len(s.placements) == 0 }

func (s *scene) inside(c tiling.Cell) bool {
	for k, n := range s.size {
		if c[k] < 0 || c[k] >= n {
			return false
		}
	}
	return true
}

func (s *scene) position(c tiling.Cell) int {
	return (c[0]*s.size[1]+c[1])*s.size[2] + c[2]
}

// at returns the owner of any cell, hole if it is outside of the box.
func (s *scene) at(c tiling.Cell) int {
	if !s.inside(c) {
		return hole
	}
	return s.owner[s.position(c)]
}

// border reports whether the cells, neighbours on the lattice, are to be
// divided by a line.
func (s *scene) border(a, b tiling.Cell) bool {
	x, y := s.across(a, b)
	return x != y
}

// seam reports whether the board ends between the cells, neighbours on the lattice, and goes on
// elsewhere with the same owner; on the bare board, with whichever.
func (s *scene) seam(a, b tiling.Cell) bool {
	x, y, seams := s.acrossPlaces(a, b)
	return seams && (s.ownerAt(x) == s.ownerAt(y) || s.boardOnly())
}

// across are the owners of neighbours on the lattice. That of one off a board that wraps is the
// owner of the cell that lies there, seen from the other.
func (s *scene) across(a, b tiling.Cell) (x, y int) {
	p, q, _ := s.acrossPlaces(a, b)
	return s.ownerAt(p), s.ownerAt(q)
}

// outside is the place of all that is not on the board.
const outside = -1

// placeOf is the position of a cell of the board, or outside.
func (s *scene) placeOf(c tiling.Cell) int32 {
	if s.at(c) == hole {
		return outside
	}
	return int32(s.position(c))
}

// ownerAt is the owner at a place.
func (s *scene) ownerAt(place int32) int {
	if place == outside {
		return hole
	}
	return s.owner[place]
}

// acrossPlaces are the places whose owners across tells of, whatever the tiling, and whether a
// seam can be between them.
func (s *scene) acrossPlaces(a, b tiling.Cell) (x, y int32, seams bool) {
	x, y = s.placeOf(a), s.placeOf(b)
	if s.beyond == nil || (x == outside) == (y == outside) {
		return x, y, false
	}
	over := func(c tiling.Cell) int32 {
		if i := s.beyond(c); i >= 0 {
			return s.placeOf(s.puzzle.Board.Cells[i])
		}
		return outside
	}
	if x == outside {
		x = over(a)
	} else {
		y = over(b)
	}
	return x, y, x != outside && y != outside
}

// placed reports whether the cell is a placement's.
func (s *scene) placed(c tiling.Cell) bool {
	k := s.at(c)
	return k >= 0 && k < s.empty()
}

// open takes the marks from a cell and from all that hang together with it in
// its layer.
func (s *scene) open(c tiling.Cell, marks []bool) {
	todo := []tiling.Cell{c}
	for len(todo) > 0 {
		c, todo = todo[len(todo)-1], todo[:len(todo)-1]
		if !s.inside(c) || !marks[s.position(c)] {
			continue
		}
		marks[s.position(c)] = false
		for _, step := range s.sideSteps(c) {
			todo = append(todo, plus(c, step))
		}
	}
}

// cells goes through the board's cells in one layer.
func (s *scene) cells(layer int) iter.Seq[tiling.Cell] {
	return func(yield func(tiling.Cell) bool) {
		for at := range s.rows() * s.columns() {
			c := tiling.Cell{layer, at / s.columns(), at % s.columns()}
			if s.at(c) != hole && !yield(c) {
				return
			}
		}
	}
}

// layers is the number of layers, rows and columns their size.
func (s *scene) layers() int  { return s.size[0] }
func (s *scene) rows() int    { return s.size[1] }
func (s *scene) columns() int { return s.size[2] }

// sideSteps are the steps to a cell's neighbours in its layer, in the order of its
// sides. Those above and below come last.
func (s *scene) sideSteps(c tiling.Cell) []tiling.Cell {
	steps := s.lattice.Steps(c)
	return steps[:len(steps)-s.upright]
}

func plus(a, b tiling.Cell) tiling.Cell {
	return tiling.Cell{a[0] + b[0], a[1] + b[1], a[2] + b[2]}
}
