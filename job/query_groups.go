package job

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/pavage/pavage/tiling"
)

// By what marginals are told.
const (
	byPieces       = "pieces"
	byOrientations = "orientations"
	byKinds        = "kinds"
	byPlacements   = "placements"
	byHeights      = "heights"
)

// MarginalWords are the values of Query.Marginals.
func MarginalWords() []string {
	return []string{byPieces, byOrientations, byKinds, byPlacements, byHeights}
}

// groups puts placements into groups that have names: those of a piece, those of one
// orientation, or those of a kind, which are an orientation and one of two colours of a
// chessboard under the first cell:
//
//	e o e o      domino:1 even   starts on e and lies     ==.. ..==
//	o e o e      domino:1 odd    starts on o and lies     .==.
type groups struct {
	names []string
	of    []int // by placement, -1 for none
}

// groupsOf are the groups of the placements of a model that are kept. It has a board.
func groupsOf(m *tiling.Model, by string, kept []bool) *groups {
	g := &groups{of: make([]int, len(m.Placements))}
	known := map[string]int{}
	if by == byPieces && !slices.Contains(kept, false) { // also one that fits nowhere
		for _, p := range m.Puzzle.Pieces {
			g.number(known, p.Name)
		}
	}
	if by == byKinds { // the two of an orientation stand together
		for i := range m.Placements {
			if kept[i] {
				g.number(known, nameOfOrientation(m, i)+kindEven)
				g.number(known, nameOfOrientation(m, i)+kindOdd)
			}
		}
	}
	for i, p := range m.Placements {
		if !kept[i] {
			g.of[i] = -1
			continue
		}
		switch by {
		case byPieces:
			g.of[i] = g.number(known, m.Puzzle.Pieces[p.Piece].Name)
		case byKinds:
			g.of[i] = g.number(known, nameOfOrientation(m, i)+parity(m, p))
		default:
			g.of[i] = g.number(known, nameOfOrientation(m, i))
		}
	}
	return g
}

// number is that of the group with a name, a new one if there is none.
func (g *groups) number(known map[string]int, name string) int {
	n, found := known[name]
	if !found {
		n = len(g.names)
		known[name] = n
		g.names = append(g.names, name)
	}
	return n
}

// nameOfOrientation is what a selector calls the orientation of a placement.
func nameOfOrientation(m *tiling.Model, placement int) string {
	return fmt.Sprintf("%s:%d", m.Puzzle.Pieces[m.Placements[placement].Piece].Name, m.Orientation(placement)+1)
}

const (
	kindEven = " even"
	kindOdd  = " odd"
)

// parity is the colour of a chessboard under the first cell of a placement.
func parity(m *tiling.Model, p tiling.Placement) string {
	sum := 0
	for _, x := range m.Puzzle.Board.Cells[p.Cells[0]] {
		sum += x
	}
	if sum%2 == 0 {
		return kindEven
	}
	return kindOdd
}

// tally sums up, for each cell and each group, what the placements of the group that
// cover the cell have.
func (g *groups) tally(m *tiling.Model, values []*big.Rat) [][]*big.Rat {
	cells := make([][]*big.Rat, len(m.Puzzle.Board.Cells))
	for c := range cells {
		cells[c] = make([]*big.Rat, len(g.names))
		for k := range cells[c] {
			cells[c][k] = new(big.Rat)
		}
	}
	for i, p := range m.Placements {
		if g.of[i] < 0 {
			continue
		}
		for _, c := range p.Cells {
			sum := cells[c][g.of[i]]
			sum.Add(sum, values[i])
		}
	}
	return cells
}
