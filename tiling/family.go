package tiling

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/pavage/pavage/cover"
)

// Family is a set of pieces with which to tile boxes of any size. A flat box is a rectangle.
type Family struct {
	Pieces   []Piece
	Lattice  *Lattice
	Optional bool // every cell may stay empty

	// swaps has permutations of the axes that do not change the number of tilings of a box. Some such
	// permutations may be missing, for example with one-sided pieces.
	swaps [][3]int
}

// NewFamily returns the family of a puzzle on a full box. Either all or no cells may stay empty.
func NewFamily(p *Puzzle) (*Family, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	switch b := p.Board; {
	case b.Wrap != NoWrap:
		return nil, &Error{Text: fmt.Sprintf("the board wraps (%s), expected a board that does not wrap for counts of many sizes", b.Wrap)}
	case len(b.Cells) < b.Size[0]*b.Size[1]*b.Size[2]:
		return nil, &Error{Text: "the board has holes, so its size cannot vary; expected a full rectangle or box, such as 2x3"}
	case len(p.Colours)+len(p.Groups)+len(p.Place)+len(p.Forbid)+len(p.Walls)+len(p.Joined)+len(p.Regions) > 0:
		return nil, &Error{Text: "the puzzle has colours, groups, places, walls or regions, which have no meaning on boards of other sizes; expected a board and pieces alone"}
	case slices.Contains(b.Optional, !b.Optional[0]):
		return nil, &Error{Text: "only some cells of the board may stay empty, which has no meaning on boards of other sizes; expected all cells or none"}
	}
	f := &Family{Pieces: p.Pieces, Lattice: p.Board.Lattice, Optional: p.Board.Optional[0]}
	want := f.images(identity)
	for _, m := range f.Lattice.motions {
		axis, ok := f.Lattice.swap(m.motion)
		if ok && !slices.Contains(f.swaps, axis) && slices.Equal(f.images(m.motion), want) {
			f.swaps = append(f.swaps, axis)
		}
	}
	return f, nil
}

// Unbounded reports whether every piece may have any number of copies.
func (f *Family) Unbounded() bool {
	return !slices.ContainsFunc(f.Pieces, func(p Piece) bool { return p.Min > 0 || p.Max != cover.Unbounded })
}

// Puzzle returns the puzzle on a box. The size has the numbers of layers, rows and columns.
func (f *Family) Puzzle(size [3]int) (*Puzzle, error) {
	if err := CheckBox(size, maxSizeCells); err != nil {
		return nil, &Error{Text: fmt.Sprintf("size %s has %v", f.SizeName(size), err)}
	}
	b := NewBoard(f.Lattice, size)
	b.Optional = slices.Repeat([]bool{f.Optional}, len(b.Cells))
	p := &Puzzle{Board: b, Pieces: f.Pieces}
	return p, p.Validate()
}

// SizeName returns a size in the form of a puzzle file, such as 2x3.
func (f *Family) SizeName(size [3]int) string { return f.Lattice.SizeName(size) }

// images applies a motion to the orientations of all pieces, and describes the results by sorted
// texts: one for each orientation if all pieces are unbounded, or else one for each piece.
func (f *Family) images(t motion) []string {
	var all []string
	for _, p := range f.Pieces {
		var of []string
		for _, o := range p.tints() {
			of = append(of, f.Lattice.tint(f.Lattice.moved(t, o.shape), nil, o.marks).key())
		}
		if !f.Unbounded() {
			slices.Sort(of)
			of = []string{fmt.Sprint(of, p.Min, p.Max)}
		}
		all = append(all, of...)
	}
	slices.Sort(all)
	return all
}

// Section is a box without its length along an axis: Size[Axis] is 0. Boxes that differ only in
// this length have the same section.
type Section struct {
	Size [3]int
	Axis int // 0 for layers, 1 for rows, 2 for columns
}

// Area returns the number of cells of the section.
func (s Section) Area() int {
	size := s.Box(1)
	return size[0] * size[1] * size[2]
}

// Box returns the size of the box that has the section and the given length along the axis.
func (s Section) Box(height int) [3]int {
	size := s.Size
	size[s.Axis] = height
	return size
}

// Section permutes the sides of a box by each permutation in f.swaps. These boxes have a section
// for each axis. Section returns one of the least area, and the length of its box along its axis.
func (f *Family) Section(size [3]int) (s Section, height int) {
	best := func(t Section, h int) bool {
		return height == 0 || cmp.Or(cmp.Compare(t.Area(), s.Area()), slices.Compare(t.Size[:], s.Size[:]), cmp.Compare(t.Axis, s.Axis)) < 0
	}
	for _, axis := range f.swaps {
		image := [3]int{size[axis[0]], size[axis[1]], size[axis[2]]}
		for a, h := range image {
			if a < f.Lattice.firstAxis() {
				continue
			}
			t := Section{image, a}
			t.Size[a] = 0
			if best(t, h) {
				s, height = t, h
			}
		}
	}
	return s, height
}

// Strip is a box that contains all placements which begin in its first two periods. The axis of the
// section runs along the box, and a period is a slice of length 1 across the axis.
type Strip struct {
	Model  *Model
	Order  []int // indices of the cells, period by period
	Period int   // number of cells of a period
}

// Repeats reports whether slices of length 1 across s.Axis are all alike. On triangles they differ.
func (f *Family) Repeats(s Section) bool {
	var step Cell
	step[s.Axis] = 1
	return f.Lattice.isTranslation(step)
}

// Strip returns the strip of a section. The limit memory is in bytes; 0 means no limit.
func (f *Family) Strip(ctx context.Context, s Section, memory int64) (*Strip, error) {
	if !f.Repeats(s) {
		return nil, &Error{Text: fmt.Sprintf("boards of all lengths cannot be counted at once, because neighbouring %ss on the %s lattice differ", f.Lattice.axis(s.Axis), f.Lattice)}
	}
	shown := s.Box(f.reach(s) + 1)
	if err := CheckBox(shown, MaxBoxCells); err != nil {
		return nil, &Error{Text: fmt.Sprintf("a section of %d cells is too large for a count of boards of all lengths at once: the count needs a board of %s, which has %v",
			s.Area(), f.SizeName(shown), err)}
	}
	puzzle, err := f.Puzzle(shown)
	if err != nil {
		return nil, err
	}
	m, err := puzzle.ModelWithin(ctx, memory)
	if err != nil {
		return nil, err
	}
	axes := [3]int{s.Axis, (s.Axis + 1) % 3, (s.Axis + 2) % 3}
	if s.Size[axes[1]] < s.Size[axes[2]] {
		axes[1], axes[2] = axes[2], axes[1]
	}
	return &Strip{m, puzzle.Board.sorted(along(axes)), s.Area()}, nil
}

// reach returns the largest length along s.Axis of an orientation that fits the section; 1 if none.
func (f *Family) reach(s Section) int {
	reach := 1
	for _, p := range f.Pieces {
		for _, o := range p.Orientations() {
			size := o.Size()
			fits := true
			for a, side := range s.Size {
				fits = fits && (a == s.Axis || size[a] <= side)
			}
			if fits {
				reach = max(reach, size[s.Axis])
			}
		}
	}
	return reach
}
