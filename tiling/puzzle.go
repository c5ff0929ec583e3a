package tiling

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/wording"
)

// Puzzle is a board and the pieces to tile the board with. Validate and Model check a puzzle.
type Puzzle struct {
	Title  string
	Board  *Board
	Pieces []Piece

	// Colours[k-1] is the name of colour k. Allow has all pairs of colours that may meet, sorted.
	// The colours of a pair may be equal. A cell without a colour may meet every cell.
	Colours []string
	Allow   []Pair

	Groups []PieceGroup // bounds on copies of several pieces together

	Place, Forbid []Part // placements that must be used, and placements that must not be used

	// Walls and Joined have pairs of neighbours, as ascending indices into Board.Cells. No placement
	// covers both cells of a pair in Walls. One placement covers both cells of a pair in Joined.
	Walls, Joined [][2]int

	Regions []Region // regions have no cell in common; sorted by first cell

	// Board does not have the cells that Setting, with a value for each of Parameters, leaves free.
	Parameters *Parameters // nil if the puzzle was not read from a file
	Setting    Setting
}

// Pair is a colour of a piece and a colour of the board that may meet. The first colour is 1.
type Pair struct{ Piece, Board int }

// PieceGroup bounds the sum of the copies of several pieces. A tiling uses Min to Max copies of
// them; Max may be cover.Unbounded. Pieces has indices into Puzzle.Pieces, ascending.
type PieceGroup struct {
	Pieces   []int
	Min, Max int
}

// Part describes the placements of a piece that cover all of Cells. Piece is an index into
// Puzzle.Pieces, and Cells has indices into Board.Cells, ascending. A part of Puzzle.Place requires
// one of these placements, and excludes all other placements that cover a cell of Cells. A part of
// Puzzle.Forbid excludes these placements; without Cells, it excludes all placements of the piece.
//
//	board  a b c     place {domino, a}     leaves  ab ad, which cover a, and bc de ef be cf,
//	       d e f                           which do not cover a
//	                 place {domino, a b}   leaves  ab de ef cf
//	                 forbid {domino, a b}  leaves  bc de ef ad be cf
type Part struct {
	Piece int
	Cells []int
}

// Placement is a piece, as an index into Puzzle.Pieces, and the cells that it covers, as ascending
// indices into Board.Cells. Two placements may differ only in their marks.
type Placement struct {
	Piece int
	Cells []int
	Marks string // a digit for each of Cells; empty if the piece has no marks
}

// Validate returns an error about the first mistake, or nil. The error wraps ErrPuzzle.
func (p *Puzzle) Validate() error {
	if err := p.validateParts(); err != nil {
		return &Error{Text: err.Error()}
	}
	return nil
}

func (p *Puzzle) validateParts() error {
	if err := CheckTitle(p.Title); err != nil {
		return err
	}
	if err := p.Board.Validate(); err != nil {
		return fmt.Errorf("board: %w", err)
	}
	if len(p.Pieces) == 0 {
		return fmt.Errorf("the puzzle has no pieces, expected at least one piece")
	}
	if err := p.validateColours(); err != nil {
		return err
	}
	r := NewRoster(p.Board.Lattice, len(p.Colours))
	for _, piece := range p.Pieces {
		if err := r.Add(piece); err != nil {
			return err
		}
	}
	return cmp.Or(p.validateGroups(), p.validatePairs(), p.validatePlaces(), p.CheckRegions())
}

// CheckTitle returns an error if title is not printable or has more than [MaxTitleRunes] runes.
func CheckTitle(title string) error {
	if !wording.Printable(title, MaxTitleRunes) {
		return fmt.Errorf("bad title %s, expected one line of at most %d printable characters",
			wording.Quote(title), MaxTitleRunes)
	}
	return nil
}

// The limits of groups are checked before memory is allocated.
const (
	MaxGroups  = 1000    // largest number of groups of a puzzle
	MaxMembers = 1 << 18 // largest number of pieces in all groups of a puzzle together
)

// Copies returns the bounds in the form of [Piece.Copies].
func (g PieceGroup) Copies() string { return Piece{Min: g.Min, Max: g.Max}.Copies() }

func (p *Puzzle) validateGroups() error {
	other := *p
	other.Groups = nil
	for i, g := range p.Groups {
		if err := other.AddGroup(g); err != nil {
			return fmt.Errorf("group %d: %w", i+1, err)
		}
	}
	return nil
}

// AddGroup appends g to p.Groups. It returns an error if g is not valid, if copies of its pieces
// cannot meet the bounds of g, or if [MaxGroups] or [MaxMembers] would be exceeded.
func (p *Puzzle) AddGroup(g PieceGroup) error {
	members := len(g.Pieces)
	for _, other := range p.Groups {
		members += len(other.Pieces)
	}
	switch {
	case len(p.Groups) == MaxGroups:
		return fmt.Errorf("too many groups, expected at most %d", MaxGroups)
	case members > MaxMembers:
		return fmt.Errorf("groups have too many pieces together, expected at most %d", MaxMembers)
	}
	if len(g.Pieces) == 0 {
		return fmt.Errorf("the group has no piece, expected at least one piece")
	}
	for i, k := range g.Pieces {
		switch {
		case k < 0 || k >= len(p.Pieces):
			return fmt.Errorf("the piece number is %d, expected a number from 0 to %d", k, len(p.Pieces)-1)
		case i > 0 && g.Pieces[i-1] >= k:
			return fmt.Errorf("piece %d comes after piece %d, expected sorted and distinct pieces", k, g.Pieces[i-1])
		}
	}
	if err := checkCopies(g.Min, g.Max); err != nil {
		return err
	}
	least, most := 0, 0 // sums of Min and of Max of the group's pieces
	for _, k := range g.Pieces {
		least += p.Pieces[k].Min
		most = min(cover.Unbounded, most+p.Pieces[k].Max)
	}
	switch {
	case g.Min > most:
		return fmt.Errorf("the group requires %s copies, but its pieces allow a total of at most %d; expected fewer copies of the group or more copies of its pieces", g.Copies(), most)
	case g.Max < least:
		return fmt.Errorf("the group allows %s copies, but its pieces require a total of at least %d; expected more copies of the group or fewer copies of its pieces", g.Copies(), least)
	}
	p.Groups = append(p.Groups, g)
	return nil
}

// mapGroups appends the images of the groups' items to s, which has the images of the items of
// cells and pieces. It returns nil if s does not map each group to a group with the same bounds.
func (p *Puzzle) mapGroups(s cover.Symmetry) cover.Symmetry {
	cells := len(p.Board.Cells)
	taken := make([]bool, len(p.Groups))
	for _, g := range p.Groups {
		image := PieceGroup{Min: g.Min, Max: g.Max}
		for _, k := range g.Pieces {
			image.Pieces = append(image.Pieces, s[cells+k]-cells)
		}
		slices.Sort(image.Pieces)
		to := -1
		for i, h := range p.Groups {
			if !taken[i] && h.Min == g.Min && h.Max == g.Max && slices.Equal(h.Pieces, image.Pieces) {
				to = i
				break
			}
		}
		if to < 0 {
			return nil
		}
		taken[to] = true
		s = append(s, cells+len(p.Pieces)+to)
	}
	return s
}
