package tiling

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/pavage/pavage/internal/kit/wording"
)

// MaxParts is the largest number of parts of a puzzle, and of its walls and joined pairs together.
const MaxParts = 4096

// PartError is an error about an entry of one of the lists place, forbid, walls and joined.
type PartError struct {
	List  string // "place", "forbid", "walls" or "joined"
	Index int    // index in the list, from 0
	Text  string
}

// Error names the entry by its number, from 1.
func (e *PartError) Error() string { return fmt.Sprintf("%s %d: %s", e.List, e.Index+1, e.Text) }

func errPart(list string, index int, format string, args ...any) error {
	return &PartError{list, index, fmt.Sprintf(format, args...)}
}

func (p *Puzzle) validatePlaces() error {
	for i, part := range slices.Concat(p.Place, p.Forbid) {
		list, index := "place", i
		if i >= len(p.Place) {
			list, index = "forbid", i-len(p.Place)
		}
		err := p.checkPart(part)
		switch {
		case i == MaxParts:
			err = fmt.Errorf("the keys \"place\" and \"forbid\" have %d entries together, expected at most %d", len(p.Place)+len(p.Forbid), MaxParts)
		case err == nil && len(part.Cells) == 0 && list == "place":
			err = fmt.Errorf("the place has no cells, expected at least one cell in the key \"covers\" or \"cells\"")
		}
		if err != nil {
			return errPart(list, index, "%v", err)
		}
	}
	return p.clash()
}

func (p *Puzzle) checkPart(part Part) error {
	if part.Piece < 0 || part.Piece >= len(p.Pieces) {
		return fmt.Errorf("the piece number is %d, expected a number from 0 to %d", part.Piece, len(p.Pieces)-1)
	}
	for i, c := range part.Cells {
		switch {
		case c < 0 || c >= len(p.Board.Cells):
			return fmt.Errorf("the cell number is %d, expected a number from 0 to %d", c, len(p.Board.Cells)-1)
		case i > 0 && part.Cells[i-1] >= c:
			return fmt.Errorf("cell %d comes after cell %d, expected sorted and distinct cells",
				c, part.Cells[i-1])
		}
	}
	if piece := p.Pieces[part.Piece]; len(part.Cells) > len(piece.Shape) {
		return fmt.Errorf("%d cells are given for the piece %s, expected at most %d cells",
			len(part.Cells), wording.Quote(piece.Name), len(piece.Shape))
	}
	return nil
}

func (p *Puzzle) validatePairs() error {
	if len(p.Walls)+len(p.Joined) == 0 {
		return nil
	}
	neighbours := p.Board.Neighbours()
	lists := map[[2]int]string{} // for each pair of cells met so far, "walls" or "joined"
	for i, pair := range slices.Concat(p.Walls, p.Joined) {
		list, index := "walls", i
		if i >= len(p.Walls) {
			list, index = "joined", i-len(p.Walls)
		}
		cells := p.Board.Cells
		switch {
		case i == MaxParts:
			return errPart(list, index, "%d walls and joined pairs, expected at most %d", len(p.Walls)+len(p.Joined), MaxParts)
		case min(pair[0], pair[1]) < 0 || max(pair[0], pair[1]) >= len(cells) || pair[0] >= pair[1]:
			return errPart(list, index, "cells %d and %d, expected two numbers from 0 to %d, ascending", pair[0], pair[1], len(cells)-1)
		case !slices.Contains(neighbours[pair[0]], pair[1]):
			return errPart(list, index, "cells %s and %s are no neighbours, expected two cells that share a side",
				p.Board.CellName(cells[pair[0]]), p.Board.CellName(cells[pair[1]]))
		case lists[pair] == list:
			return errPart(list, index, "cells %s and %s are given twice, expected each pair once",
				p.Board.CellName(cells[pair[0]]), p.Board.CellName(cells[pair[1]]))
		case lists[pair] != "":
			return errPart(list, index, "cells %s and %s have a wall between them, so they cannot be joined",
				p.Board.CellName(cells[pair[0]]), p.Board.CellName(cells[pair[1]]))
		}
		lists[pair] = list
	}
	return nil
}

type rules struct {
	place  map[int][]Part    // for each cell, the parts of Puzzle.Place that have the cell
	forbid map[[2]int][]Part // by piece and first cell of the part; -1 stands for no cell
	walls  map[int][]int     // for each cell, the neighbours beyond walls that have a greater index
	joined map[int][]int     // for each cell, the cells joined to it
}

// newRules returns nil if the puzzle has no place, forbidden place, wall or joined pair.
func newRules(p *Puzzle) *rules {
	if len(p.Place)+len(p.Forbid)+len(p.Walls)+len(p.Joined) == 0 {
		return nil
	}
	m := &rules{map[int][]Part{}, map[[2]int][]Part{}, map[int][]int{}, map[int][]int{}}
	for _, pair := range p.Walls {
		m.walls[pair[0]] = append(m.walls[pair[0]], pair[1])
	}
	for _, pair := range p.Joined {
		m.joined[pair[0]] = append(m.joined[pair[0]], pair[1])
		m.joined[pair[1]] = append(m.joined[pair[1]], pair[0])
	}
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

func (m *rules) leaves(piece int, cells []int) bool {
	covered := func(c int) bool {
		_, found := slices.BinarySearch(cells, c)
		return found
	}
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
		apart := func(c int) bool { return !covered(c) }
		if slices.ContainsFunc(m.walls[c], covered) || slices.ContainsFunc(m.joined[c], apart) {
			return false
		}
	}
	return true
}

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

// alone reports whether Place or Forbid has the piece. If so, no other piece shares its places.
func (p *Puzzle) alone(piece int) bool {
	own := func(part Part) bool { return part.Piece == piece }
	return slices.ContainsFunc(p.Place, own) || slices.ContainsFunc(p.Forbid, own)
}

// Asked returns the cells that Place or Joined require to be covered, even if they are optional.
func (p *Puzzle) Asked() map[int]bool {
	cells := map[int]bool{}
	for _, part := range p.Place {
		for _, c := range part.Cells {
			cells[c] = true
		}
	}
	for _, pair := range p.Joined {
		cells[pair[0]], cells[pair[1]] = true, true
	}
	return cells
}

// Misplaced returns a *[PartError] about the first mistake in Walls, Joined, Place and Forbid, or
// nil if there is none. Mistakes are parts that no placement of the piece fits, parts that conflict
// with other parts, and parts that need more copies than the piece may have. Board and pieces must
// be valid. If there are too many places to try, Misplaced returns nil, but Model returns an error.
func (p *Puzzle) Misplaced() error {
	return cmp.Or(p.validatePairs(), p.validatePlaces(), p.unfound(context.Background(), "forbid"), p.unfound(context.Background(), "place"))
}

// Given returns the parts of Place in two lists. Parts with all cells of a placement become
// placements, without duplicates. The other parts are returned unchanged.
func (p *Puzzle) Given() (whole []Placement, parts []Part) {
	for _, part := range p.Place {
		if !p.isWhole(part) {
			parts = append(parts, part)
			continue
		}
		placement := Placement{Piece: part.Piece, Cells: part.Cells, Marks: p.onlyMarks(part)}
		if !slices.ContainsFunc(whole, func(w Placement) bool { return slices.Equal(w.Cells, part.Cells) }) {
			whole = append(whole, placement)
		}
	}
	return whole, parts
}

// onlyMarks returns the marks of the placement that covers the cells of a part, or "" if several
// placements do. On a board that wraps, it returns "", since the cells may cross the border.
func (p *Puzzle) onlyMarks(part Part) (marks string) {
	piece := p.Pieces[part.Piece]
	if piece.Marks == "" || p.Board.Wrap != NoWrap {
		return ""
	}
	cells := make([]Cell, len(part.Cells))
	for i, c := range part.Cells {
		cells[i] = p.Board.Cells[c]
	}
	shape := p.Board.Lattice.Shape(cells...)
	for _, turned := range piece.Turned() {
		switch {
		case !slices.Equal(turned.Shape, shape):
		case marks != "":
			return ""
		default:
			marks = turned.Marks
		}
	}
	return marks
}

func (p *Puzzle) isWhole(part Part) bool { return len(part.Cells) == len(p.Pieces[part.Piece].Shape) }

// clash returns an error about the first part of Place that conflicts with an earlier part, or that
// needs one more copy than the piece may have.
func (p *Puzzle) clash() error {
	type claim struct {
		index int
		whole bool
	}
	claims := map[int]claim{} // for each cell, the part of Place that has the cell
	copies := make([][][]int, len(p.Pieces))
	for i, part := range p.Place {
		whole := p.isWhole(part)
		for _, c := range part.Cells {
			before, met := claims[c]
			if met {
				other := p.Place[before.index]
				if other.Piece != part.Piece || whole && before.whole && !slices.Equal(other.Cells, part.Cells) {
					return errPart("place", i, "cell %s is covered by %s, and by %s in an earlier place, expected one placement that covers it",
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
			return errPart("place", i, "%d places of the piece %s, expected at most %d, its copies", len(copies[part.Piece]), wording.Quote(piece.Name), piece.Max)
		}
	}
	return nil
}

// unfound returns an error about the first part of a list that no placement fits. For the list
// "place", it tries only placements that no other part, wall or joined pair excludes. For "forbid",
// it ignores the parts that have fewer cells than the piece.
func (p *Puzzle) unfound(ctx context.Context, list string) error {
	parts, marked := p.Place, list == "place"
	if !marked {
		parts = p.Forbid
	}
	if len(parts) == 0 {
		return nil
	}
	l := newLayout(ctx, p, 0)
	if !marked {
		l.rules = nil
	}
	l.only = map[int]bool{}
	unmet := map[[2]int][]int{} // for a piece and a first cell, the parts that no placement fits so far
	for i, part := range parts {
		if len(part.Cells) > 0 && (marked || p.isWhole(part)) {
			l.only[part.Piece] = true
			key := [2]int{part.Piece, part.Cells[0]}
			unmet[key] = append(unmet[key], i)
		}
	}
	if err := l.measure(); err != nil {
		return nil // Model returns this error
	}
	cells := make([]int, 0, l.cells)
	for k, w := range l.pieces {
		if w == nil {
			continue
		}
		var err error
		if cells, err = l.fill(w, cells); err != nil {
			return nil
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
		return nil
	}
	first := slices.Min(left)
	name := wording.Quote(p.Pieces[parts[first].Piece].Name)
	forbidden := func(f Part) bool {
		return f.Piece == parts[first].Piece && containsAll(parts[first].Cells, f.Cells)
	}
	if marked && slices.ContainsFunc(p.Forbid, forbidden) {
		return errPart(list, first, "the key \"forbid\" excludes all placements of the piece %s that cover these cells, expected a placement that may be used", name)
	}
	if p.isWhole(parts[first]) {
		return errPart(list, first, "no placement of the piece %s has these cells, expected a placement that fits and may be used", name)
	}
	return errPart(list, first, "no placement of the piece %s that may be used covers these cells, expected cells that one can cover", name)
}
