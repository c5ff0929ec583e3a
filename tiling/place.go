package tiling

import (
	"fmt"
	"slices"

	"github.com/pavage/pavage/internal/kit/wording"
)

// MaxParts limits the parts of placements that a puzzle asks for or forbids.
const MaxParts = 4096

// isMarked reports whether some placements are asked for or forbidden.
func (p *Puzzle) isMarked() bool { return len(p.Place)+len(p.Forbid) > 0 }

// hasMore names the first thing that the puzzle has besides board and pieces, "" if there
// is none.
func (p *Puzzle) hasMore() string {
	switch {
	case len(p.Colours) > 0:
		return "colours"
	case len(p.Groups) > 0:
		return "groups"
	case p.isMarked():
		return "places"
	}
	return ""
}

// validateMarks checks the parts that p asks for and forbids; board and pieces are valid.
func (p *Puzzle) validateMarks() error {
	if len(p.Place)+len(p.Forbid) > MaxParts {
		return fmt.Errorf("%d places and forbidden places, want at most %d",
			len(p.Place)+len(p.Forbid), MaxParts)
	}
	for i, part := range p.Place {
		err := p.checkPart(part)
		if err == nil && len(part.Cells) == 0 {
			err = fmt.Errorf("no cells, want at least one")
		}
		if err != nil {
			return fmt.Errorf("place %d: %w", i+1, err)
		}
	}
	for i, part := range p.Forbid {
		if err := p.checkPart(part); err != nil {
			return fmt.Errorf("forbid %d: %w", i+1, err)
		}
	}
	if i, err := p.clash(); err != nil {
		return fmt.Errorf("place %d: %w", i+1, err)
	}
	return nil
}

// checkPart says what is wrong with a part by itself.
func (p *Puzzle) checkPart(part Part) error {
	if part.Piece < 0 || part.Piece >= len(p.Pieces) {
		return fmt.Errorf("piece %d, want a number from 0 to %d", part.Piece, len(p.Pieces)-1)
	}
	for i, c := range part.Cells {
		switch {
		case c < 0 || c >= len(p.Board.Cells):
			return fmt.Errorf("cell %d, want a number from 0 to %d", c, len(p.Board.Cells)-1)
		case i > 0 && part.Cells[i-1] >= c:
			return fmt.Errorf("cell %d after cell %d, want cells sorted and distinct",
				c, part.Cells[i-1])
		}
	}
	if piece := p.Pieces[part.Piece]; len(part.Cells) > len(piece.Shape) {
		return fmt.Errorf("%d cells of the piece %s, want at most %d",
			len(part.Cells), wording.Quote(piece.Name), len(piece.Shape))
	}
	return nil
}

// marks tell which placements a puzzle leaves.
type marks struct {
	place  map[int][]Part    // by each of its cells
	forbid map[[2]int][]Part // by piece and first cell, -1 if every placement is forbidden
}

// newMarks is nil for a puzzle that leaves all placements.
func newMarks(p *Puzzle) *marks {
	if !p.isMarked() {
		return nil
	}
	m := &marks{map[int][]Part{}, map[[2]int][]Part{}}
	for _, part := range p.Place {
		for _, c := range part.Cells {
			m.place[c] = append(m.place[c], part)
		}
	}
	for _, part := range p.Forbid {
		key := [2]int{part.Piece, -1}
		if len(part.Cells) > 0 {
			key[1] = part.Cells[0]
		}
		m.forbid[key] = append(m.forbid[key], part)
	}
	return m
}

// leaves reports whether a placement of a piece, its cells ascending, may be used.
func (m *marks) leaves(piece int, cells []int) bool {
	if m == nil {
		return true
	}
	if m.forbid[[2]int{piece, -1}] != nil {
		return false
	}
	for _, c := range cells {
		for _, part := range m.place[c] {
			if part.Piece != piece || !containsAll(cells, part.Cells) {
				return false
			}
		}
		for _, part := range m.forbid[[2]int{piece, c}] {
			if containsAll(cells, part.Cells) {
				return false
			}
		}
	}
	return true
}

// containsAll reports whether all of some are among the cells; both ascend.
func containsAll(cells, some []int) bool {
	for _, c := range some {
		i, found := slices.BinarySearch(cells, c)
		if !found {
			return false
		}
		cells = cells[i+1:]
	}
	return true
}

// alone reports whether a piece has parts of its own, so that it may have other places
// than pieces of the same shape.
func (p *Puzzle) alone(piece int) bool {
	own := func(part Part) bool { return part.Piece == piece }
	return slices.ContainsFunc(p.Place, own) || slices.ContainsFunc(p.Forbid, own)
}

// asked are the cells that Place wants covered.
func (p *Puzzle) asked() map[int]bool {
	cells := map[int]bool{}
	for _, part := range p.Place {
		for _, c := range part.Cells {
			cells[c] = true
		}
	}
	return cells
}

// isPartial reports whether some placements of a shape may be left and others not, for
// another reason than the shape of the board.
func (p *Puzzle) isPartial() bool { return p.Board.Colours != nil || p.isMarked() }
