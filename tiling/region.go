package tiling

import (
	"fmt"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/wording"
)

// Cells of pieces may have digits as marks, such as the pips of dominoes. Placements may differ
// only in their marks. For each cell, the cover has an item without an upper bound, and a placement
// with the digit k on the cell uses the item k times. Symmetries permute the items like the cells.
//
//	cells  a b     domino 3-5     options  a b 3-5 marks=a*3 marks=b*5
//	                                       a b 3-5 marks=a*5 marks=b*3

// Region has cells, as ascending indices into Board.Cells, and bounds on the sum of their marks.
type Region struct {
	Name     string
	Cells    []int
	Min, Max int
}

// MaxSum is the largest sum of the marks on a board, and limits the bounds of a sum.
const MaxSum = 9 * MaxCells

// Sum returns the bounds in the form of a puzzle file; see [Piece.Copies].
func (r Region) Sum() string { return Piece{Min: r.Min, Max: r.Max}.Copies() }

// IsFree reports whether every sum is allowed.
func (r Region) IsFree() bool { return r.Min == 0 && r.Max == cover.Unbounded }

func (p *Puzzle) hasMarks() bool {
	return slices.ContainsFunc(p.Pieces, func(p Piece) bool { return p.Marks != "" })
}

// ValidRegionName reports whether a region may have the name. The name "." means no region.
func ValidRegionName(name string) bool { return ValidName(name) && name != "." }

// CheckRegions returns an error if p.Regions is not valid. Board and pieces must be valid.
func (p *Puzzle) CheckRegions() error {
	names, marked := map[string]bool{}, p.hasMarks()
	in := make([]bool, len(p.Board.Cells))
	for i, r := range p.Regions {
		name := wording.Quote(r.Name)
		switch {
		case !ValidRegionName(r.Name):
			return fmt.Errorf("bad name %s of a region, expected %s, and not the name '.', which means no region", name, NameForm)
		case names[r.Name]:
			return fmt.Errorf("two regions have the name %s, expected different names", name)
		case len(r.Cells) == 0:
			return fmt.Errorf("region %s has no cell, expected at least one cell", name)
		case r.Min < 0 || r.Max < r.Min || r.Min > MaxSum || r.Max > MaxSum && r.Max != cover.Unbounded:
			return fmt.Errorf("region %s has the sum %d..%d, expected 0 ≤ least ≤ most ≤ %d", name, r.Min, r.Max, MaxSum)
		case !marked && !r.IsFree():
			return fmt.Errorf("region %s has a sum, but no piece has marks; expected pieces such as {name: 3-5, shape: \"35\"} or the set double-six", name)
		}
		names[r.Name] = true
		for k, c := range r.Cells {
			switch {
			case c < 0 || c >= len(in):
				return fmt.Errorf("region %s has the cell number %d, expected a number from 0 to %d", name, c, len(in)-1)
			case k > 0 && r.Cells[k-1] >= c:
				return fmt.Errorf("region %s has cell %d after cell %d, expected sorted and distinct cells", name, c, r.Cells[k-1])
			case in[c]:
				return fmt.Errorf("cell %s is in region %s and in another region, expected each cell in at most one region", p.Board.CellName(p.Board.Cells[c]), name)
			}
			in[c] = true
		}
		if i > 0 && p.Regions[i-1].Cells[0] > r.Cells[0] {
			return fmt.Errorf("region %s comes after region %s, expected regions sorted by their first cells", name, wording.Quote(p.Regions[i-1].Name))
		}
	}
	return nil
}

// markItem returns the index of the item for the mark of the first cell.
func (p *Puzzle) markItem() int { return len(p.Board.Cells) + len(p.Pieces) + len(p.Groups) }

func (p *Puzzle) appendMarkItems(items []cover.Item) []cover.Item {
	if p.hasMarks() {
		for _, c := range p.Board.Cells {
			items = append(items, cover.Item{Name: "marks=" + p.Board.CellName(c), Max: cover.Unbounded})
		}
	}
	for _, r := range p.Regions {
		if !r.IsFree() {
			items = append(items, cover.Item{Name: "sum=" + r.Name, Min: r.Min, Max: r.Max})
		}
	}
	return items
}

// sumItems returns, for each cell, the index of the item for the sum of the marks on its region, or
// 0 if there is no such item. It returns nil if there are no items for sums.
func (p *Puzzle) sumItems() (items []int) {
	next := p.markItem() + len(p.Board.Cells)
	for _, r := range p.Regions {
		if r.IsFree() {
			continue
		}
		if items == nil {
			items = make([]int, len(p.Board.Cells))
		}
		for _, c := range r.Cells {
			items[c] = next
		}
		next++
	}
	return items
}

// mapRegions appends the images of the items for marks and sums to s, which has the images of all
// earlier items. It returns nil if s does not map each region to a region with the same bounds.
func (p *Puzzle) mapRegions(s cover.Symmetry) cover.Symmetry {
	if s == nil {
		return nil
	}
	first := p.markItem()
	if p.hasMarks() {
		for c := range p.Board.Cells {
			s = append(s, first+s[c])
		}
	}
	if len(p.Regions) == 0 {
		return s
	}
	in := make([]int, len(p.Board.Cells)) // for each cell, 1 + index of its region; 0 if none
	for k, r := range p.Regions {
		for _, c := range r.Cells {
			in[c] = k + 1
		}
	}
	sums := p.sumItems()
	for _, r := range p.Regions {
		to := in[s[r.Cells[0]]]
		if slices.ContainsFunc(r.Cells, func(c int) bool { return in[s[c]] != to }) || to == 0 {
			return nil
		}
		image := p.Regions[to-1]
		if len(image.Cells) != len(r.Cells) || image.Min != r.Min || image.Max != r.Max {
			return nil
		}
		if !r.IsFree() {
			s = append(s, sums[image.Cells[0]])
		}
	}
	return s
}
