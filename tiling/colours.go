package tiling

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/pavage/pavage/internal/kit/wording"
)

// Cells of the board and of pieces may have colours. Puzzle.Allow lists pairs of colours that go
// together. A cell of a placement can cover only a board cell whose colour goes with its own. A
// cell without a colour goes with every cell. Two orientations may differ only in their colours. If
// both fit on the same cells, this is one placement:
//
//	board  w b w b     the domino  w b  can begin at (0,0) and at (0,2),
//	                   and its other orientation  b w  at (0,1)

const (
	maxColours = 256
)

// Compare orders pairs by the colour of the piece, then by the colour of the board.
func (p Pair) Compare(q Pair) int {
	return cmp.Or(cmp.Compare(p.Piece, q.Piece), cmp.Compare(p.Board, q.Board))
}

// validateColours checks all colours except the colours of pieces, which Roster.Add checks.
func (p *Puzzle) validateColours() error {
	if len(p.Colours) > maxColours {
		return fmt.Errorf("the puzzle has %d colours, expected at most %d", len(p.Colours), maxColours)
	}
	for i, name := range p.Colours {
		if err := CheckColourName(name); err != nil {
			return err
		}
		if slices.Contains(p.Colours[:i], name) {
			return fmt.Errorf("two colours have the name %s, expected different names", wording.Quote(name))
		}
	}
	for i, pair := range p.Allow {
		switch {
		case min(pair.Piece, pair.Board) < 1 || max(pair.Piece, pair.Board) > len(p.Colours):
			return fmt.Errorf("a pair has the colours %d and %d, expected colour numbers from 1 to %d",
				pair.Piece, pair.Board, len(p.Colours))
		case i > 0 && p.Allow[i-1].Compare(pair) >= 0:
			return fmt.Errorf("pair %v comes after pair %v, expected sorted and distinct pairs of colours", pair, p.Allow[i-1])
		}
	}
	if err := CheckColours(p.Board.Colours, len(p.Board.Cells), len(p.Colours)); err != nil {
		return fmt.Errorf("board: %w", err)
	}
	return nil
}

// CheckColourName returns an error if name is not a valid name of a colour.
func CheckColourName(name string) error {
	if name == "" || !wording.Printable(name, MaxNameRunes) {
		return fmt.Errorf("bad name %s of a colour, expected 1 to %d printable characters",
			wording.Quote(name), MaxNameRunes)
	}
	return nil
}

func (b *Board) colour(cell int) int {
	if b.Colours == nil {
		return 0
	}
	return b.Colours[cell]
}

type matcher struct {
	board  []int  // colours of the board's cells; nil if all colours go together
	may    []bool // whether colours go together, indexed by piece colour · stride + board colour
	stride int
}

func newMatcher(p *Puzzle) *matcher {
	m := &matcher{board: p.Board.Colours, stride: len(p.Colours) + 1}
	m.may = make([]bool, m.stride*m.stride)
	for c := range m.stride { // cells without a colour go with every colour
		m.may[c], m.may[c*m.stride] = true, true
	}
	for _, pair := range p.Allow {
		m.may[pair.Piece*m.stride+pair.Board] = true
	}
	return m
}

func (m *matcher) goes(colours, cells []int) bool {
	if m.board == nil || colours == nil {
		return true
	}
	for i, c := range cells {
		if !m.may[colours[i]*m.stride+m.board[c]] {
			return false
		}
	}
	return true
}

// tinted is a shape whose cells may have a colour and a mark, which is a digit.
type tinted struct {
	shape   Shape
	colours []int
	marks   string
}

// key returns different strings for different values of t. It is faster than fmt.Sprint.
func (t tinted) key() string {
	key := make([]byte, 0, 4*len(t.shape))
	key = binary.AppendUvarint(key, uint64(len(t.shape)))
	for _, c := range t.shape {
		for _, v := range c {
			key = binary.AppendVarint(key, int64(v))
		}
	}
	for _, c := range t.colours {
		key = binary.AppendUvarint(key, uint64(c))
	}
	return string(key) + "\n" + t.marks
}

func (l *Lattice) tint(cells []Cell, colours []int, marks string) tinted {
	t := tinted{shape: l.Shape(cells...)}
	if colours == nil && marks == "" {
		return t
	}
	// Bring colours and marks into the order in which Lattice.Shape sorts the cells.
	order := make([]int, len(cells))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return compareCells(cells[i], cells[j]) })
	digits := make([]byte, 0, len(marks))
	for _, i := range order {
		if colours != nil {
			t.colours = append(t.colours, colours[i])
		}
		if marks != "" {
			digits = append(digits, marks[i])
		}
	}
	t.marks = string(digits)
	return t
}

func compareTinted(a, b tinted) int {
	return cmp.Or(compareShapes(a.shape, b.shape), slices.Compare(a.colours, b.colours), cmp.Compare(a.marks, b.marks))
}

func (l *Lattice) tints(t tinted, g []motion) []tinted {
	images := make([]tinted, 0, len(g))
	for _, m := range g {
		images = append(images, l.tint(l.moved(m, t.shape), t.colours, t.marks))
	}
	slices.SortFunc(images, compareTinted)
	return slices.CompactFunc(images, func(a, b tinted) bool { return compareTinted(a, b) == 0 })
}

// CheckColours returns an error unless colours is nil or has one colour for each cell, where each
// colour is a number from 0 to the number of known colours.
func CheckColours(colours []int, cells, known int) error {
	if colours == nil {
		return nil
	}
	if len(colours) != cells {
		return fmt.Errorf("%d colours for %d cells, expected one colour for each cell", len(colours), cells)
	}
	for _, c := range colours {
		if c < 0 || c > known {
			return fmt.Errorf("a cell has the colour %d, expected a colour number from 0 to %d", c, known)
		}
	}
	return nil
}
