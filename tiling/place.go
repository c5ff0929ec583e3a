package tiling

import (
	"context"
	"fmt"
	"maps"
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

// Misplaced returns an error for the first place or forbidden place that must be a mistake: its
// cells are not a placement of the piece, it excludes another place, or the piece has more places
// than copies. It also returns the list of the part, "place" or "forbid", and its index in this
// list. (Validate and Model return the same errors, but not the part.) The board, the pieces and
// the indices of the parts must be valid. Misplaced lays out only the pieces of these parts. It
// accepts a puzzle with too many places to try: Model refuses it.
func (p *Puzzle) Misplaced() (list string, index int, err error) {
	if !p.isMarked() {
		return "", 0, nil
	}
	if i, err := p.clash(); err != nil {
		return "place", i, err
	}
	if i, err := p.unfound(context.Background(), p.Forbid, false); err != nil {
		return "forbid", i, err
	}
	i, err := p.unfound(context.Background(), p.Place, true)
	return "place", i, err
}

// isWhole reports whether the part is all of a placement.
func (p *Puzzle) isWhole(part Part) bool { return len(part.Cells) == len(p.Pieces[part.Piece].Shape) }

// clash finds the first place that excludes one before it, or is one copy too many.
func (p *Puzzle) clash() (int, error) {
	type claim struct {
		index int
		whole bool
	}
	claims := map[int]claim{} // by cell
	copies := make([][][]int, len(p.Pieces))
	for i, part := range p.Place {
		whole := p.isWhole(part)
		for _, c := range part.Cells {
			before, met := claims[c]
			if met {
				other := p.Place[before.index]
				if other.Piece != part.Piece || whole && before.whole && !slices.Equal(other.Cells, part.Cells) {
					return i, fmt.Errorf("the cell %s is asked for %s and for %s before, want one placement for it",
						p.Board.CellName(p.Board.Cells[c]), wording.Quote(p.Pieces[part.Piece].Name), wording.Quote(p.Pieces[other.Piece].Name))
				}
			}
			if !met || whole {
				claims[c] = claim{i, whole}
			}
		}
		known := func(cells []int) bool { return slices.Equal(cells, part.Cells) }
		if !whole || slices.ContainsFunc(copies[part.Piece], known) {
			continue
		}
		copies[part.Piece] = append(copies[part.Piece], part.Cells)
		if piece := p.Pieces[part.Piece]; len(copies[part.Piece]) > piece.Max {
			return i, fmt.Errorf("%d places of the piece %s, want at most %d, its copies", len(copies[part.Piece]), wording.Quote(piece.Name), piece.Max)
		}
	}
	return 0, nil
}

// unfound finds the first of the parts that no placement covers. Of forbidden ones, only whole
// placements have to be there; places must be there after others are forbidden.
func (p *Puzzle) unfound(ctx context.Context, parts []Part, marked bool) (int, error) {
	if len(parts) == 0 {
		return 0, nil
	}
	l := newLayout(ctx, p, 0)
	if !marked {
		l.marks = nil
	}
	l.only = map[int]bool{}
	unmet := map[[2]int][]int{} // by piece and first cell, the parts that no placement has covered yet
	for i, part := range parts {
		if len(part.Cells) > 0 && (marked || p.isWhole(part)) {
			l.only[part.Piece] = true
			key := [2]int{part.Piece, part.Cells[0]}
			unmet[key] = append(unmet[key], i)
		}
	}
	if err := l.measure(); err != nil {
		return 0, nil // the model will say so
	}
	cells := make([]int, 0, l.cells)
	for k, w := range l.pieces {
		if w == nil {
			continue
		}
		var err error
		if cells, err = l.fill(w, cells); err != nil {
			return 0, nil
		}
		for _, place := range w.cells {
			for _, c := range place {
				if of := unmet[[2]int{k, c}]; len(of) > 0 {
					covered := func(i int) bool { return containsAll(place, parts[i].Cells) }
					unmet[[2]int{k, c}] = slices.DeleteFunc(of, covered)
				}
			}
		}
	}
	left := slices.Concat(slices.Collect(maps.Values(unmet))...)
	if len(left) == 0 {
		return 0, nil
	}
	first := slices.Min(left)
	name := wording.Quote(p.Pieces[parts[first].Piece].Name)
	if p.isWhole(parts[first]) {
		return first, fmt.Errorf("no placement of the piece %s has these cells, want one that fits and may be used", name)
	}
	return first, fmt.Errorf("no placement of the piece %s covers this and may be used, want cells that one can cover", name)
}
