package tiling

import (
	"fmt"
	"slices"

	"github.com/pavage/pavage/cover"
)

// Limits of groups, held before memory is taken.
const (
	MaxGroups  = 1000    // of a puzzle
	MaxMembers = 1 << 18 // of all groups of a puzzle together
)

// Copies is the bounds as a puzzle file has them; see [Piece.Copies].
func (g PieceGroup) Copies() string { return Piece{Min: g.Min, Max: g.Max}.Copies() }

// validateGroups checks the groups of p, whose pieces are valid.
func (p *Puzzle) validateGroups() error {
	if len(p.Groups) > MaxGroups {
		return fmt.Errorf("%d groups, want at most %d", len(p.Groups), MaxGroups)
	}
	members := 0
	for i, g := range p.Groups {
		if err := p.CheckGroup(g); err != nil {
			return fmt.Errorf("group %d: %w", i+1, err)
		}
		if members += len(g.Pieces); members > MaxMembers {
			return fmt.Errorf("groups of more than %d pieces together, want at most that many", MaxMembers)
		}
	}
	return nil
}

// CheckGroup returns an error if the puzzle cannot have the group: the puzzle does not have one of
// the pieces, the pieces are not sorted, or no numbers of copies satisfy the bounds.
func (p *Puzzle) CheckGroup(g PieceGroup) error {
	if len(g.Pieces) == 0 {
		return fmt.Errorf("no piece in the group, want at least one")
	}
	for i, k := range g.Pieces {
		switch {
		case k < 0 || k >= len(p.Pieces):
			return fmt.Errorf("piece %d, want a number from 0 to %d", k, len(p.Pieces)-1)
		case i > 0 && g.Pieces[i-1] >= k:
			return fmt.Errorf("piece %d after piece %d, want pieces sorted and distinct", k, g.Pieces[i-1])
		}
	}
	if err := checkCopies(g.Min, g.Max); err != nil {
		return err
	}
	least, most := p.together(g)
	switch {
	case g.Min > most:
		return fmt.Errorf("%s copies in all of pieces that may have at most %d, want bounds that can be kept", g.Copies(), most)
	case g.Max < least:
		return fmt.Errorf("%s copies in all of pieces that must have at least %d, want bounds that can be kept", g.Copies(), least)
	}
	return nil
}

// together are the bounds that the pieces of a group have by themselves.
func (p *Puzzle) together(g PieceGroup) (least, most int) {
	for _, k := range g.Pieces {
		least += p.Pieces[k].Min
		most = min(cover.Unbounded, most+p.Pieces[k].Max)
	}
	return least, most
}

// groupsOf lists for each piece the groups that it is in, ascending.
func (p *Puzzle) groupsOf() [][]int {
	of := make([][]int, len(p.Pieces))
	for i, g := range p.Groups {
		for _, k := range g.Pieces {
			of[k] = append(of[k], i)
		}
	}
	return of
}

// groupItems returns the items that count the copies of groups. The name of such an item is no
// valid name of a piece: see ValidName.
func (p *Puzzle) groupItems() (items []cover.Item) {
	for i, g := range p.Groups {
		items = append(items, cover.Item{Name: fmt.Sprintf("group=%d", i+1), Min: g.Min, Max: g.Max})
	}
	return items
}

// mapGroups appends where the groups go if cells and pieces go where s says. It is nil if they
// do not go to groups of the same bounds. Of groups that are equal, the first goes to the first.
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
