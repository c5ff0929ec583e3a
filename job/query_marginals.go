package job

import (
	"context"
	"math/big"
	"slices"
	"strconv"

	"github.com/pavage/pavage/tiling"
)

// marginalsQuestion asks what covers each cell.
type marginalsQuestion Query

func (r *marginalsQuestion) check() error { return checkMarginals(r.Marginals) }

func checkMarginals(by string) error {
	if !slices.Contains(MarginalWords(), by) {
		return bad("{marginals} is %.40q, want one of %q", by, MarginalWords())
	}
	return nil
}

func (r *marginalsQuestion) answer(ctx context.Context, w *work, s *subject, to *Queried) error {
	m := s.model
	if m.IsAbstract() && r.Marginals != byPlacements {
		return bad("{marginals} is %s, and a cover has neither pieces nor cells, want %s", r.Marginals, byPlacements)
	}
	f, err := (*Query)(r).family(ctx, w, s, to)
	if err != nil {
		return err
	}
	marginals, err := f.ranked.Marginals(ctx)
	if err != nil {
		return err
	}
	if r.Marginals == byPlacements {
		to.Placements = placementTallies(m, marginals.Of)
		to.Cells = cellsByPlacement(m, marginals.Of)
		return nil
	}
	g := groupsOf(m, r.Marginals)
	to.Groups, to.Cells = g.names, cellTallies(m)
	for c, sums := range g.tally(m, marginals.Of) {
		to.Cells[c].By = g.named(sums)
	}
	return nil
}

// cellTallies are those of the board's cells, still empty.
func cellTallies(m *tiling.Model) []CellTally {
	if m.IsAbstract() {
		return nil
	}
	board := m.Puzzle.Board
	cells := make([]CellTally, len(board.Cells))
	for c, at := range board.Cells {
		cells[c] = CellTally{Cell: board.Lattice.Coordinates(at), By: map[string]string{}}
	}
	return cells
}

// named are values by the names of the groups.
func (g *groups) named(values []*big.Rat) map[string]string {
	by := make(map[string]string, len(values))
	for k, v := range values {
		by[g.names[k]] = v.RatString()
	}
	return by
}

// cellsByPlacement has at each cell the placements that cover it.
func cellsByPlacement(m *tiling.Model, values []*big.Rat) []CellTally {
	cells := cellTallies(m)
	for i, p := range m.Placements {
		for _, c := range p.Cells {
			cells[c].By[strconv.Itoa(i)] = values[i].RatString()
		}
	}
	return cells
}

func placementTallies(m *tiling.Model, values []*big.Rat) []PlacementTally {
	all := make([]PlacementTally, len(values))
	for i, v := range values {
		all[i] = PlacementTally{Number: i, Count: v.RatString()}
		if m.IsAbstract() {
			all[i].Items = m.Problem.Words(i)
			continue
		}
		board, p := m.Puzzle.Board, m.Placements[i]
		all[i].Piece, all[i].Orientation = m.Puzzle.Pieces[p.Piece].Name, m.Orientation(i)+1
		for _, c := range p.Cells {
			all[i].Cells = append(all[i].Cells, board.Lattice.Coordinates(board.Cells[c]))
		}
	}
	return all
}
