package job

import (
	"context"
	"math/big"
	"slices"
	"strconv"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/query"
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
	kept, err := keptOf(m, query.Of(m), r.Of)
	if err != nil {
		return err
	}
	if r.Marginals == byHeights {
		if err := m.Puzzle.Board.CheckHeights(m.Placements); err != nil {
			return err
		}
	}
	set, err := (*Query)(r).solutions(ctx, w, s, count.ForMarginals, to)
	if err != nil {
		return err
	}
	marginals, err := set.Marginals(ctx)
	if err != nil {
		return err
	}
	if r.Marginals == byHeights {
		return to.meanHeights(m, marginals.Of, marginals.Total)
	}
	if r.Marginals == byPlacements {
		to.Cells = cellTallies(m)
		for i, value := range marginals.Of {
			if !kept[i] {
				continue
			}
			t := PlacementTally{Number: i, Count: value.RatString()}
			if m.IsAbstract() {
				t.Items = m.Words(i)
			} else {
				board, p := m.Puzzle.Board, m.Placements[i]
				t.Piece, t.Orientation = m.Puzzle.Pieces[p.Piece].Name, m.Orientation(i)+1
				for _, c := range p.Cells {
					t.Cells = append(t.Cells, board.Lattice.Coordinates(board.Cells[c]))
					to.Cells[c].By[strconv.Itoa(i)] = t.Count
				}
			}
			to.Placements = append(to.Placements, t)
		}
		return nil
	}
	g := groupsOf(m, r.Marginals, kept)
	to.Groups, to.Cells = g.names, cellTallies(m)
	for c, sums := range g.tally(m, marginals.Of) {
		to.Cells[c].By = g.named(sums)
	}
	if all := marginals.Total.RatString(); all != "0" && r.Marginals == byPieces && len(g.names) == 1 {
		if !slices.ContainsFunc(to.Cells, func(c CellTally) bool { return c.By[g.names[0]] != all }) {
			w.note(Remark, "one piece covers every cell of every tiling: marginals by "+byOrientations+" tell more")
		}
	}
	return nil
}

// meanHeights fills in the mean heights of the tilings: see [tiling.Board.Heights].
func (q *Queried) meanHeights(m *tiling.Model, marginals []*big.Rat, total *big.Rat) error {
	if total.Sign() == 0 {
		return nil
	}
	shares := make([]*big.Rat, len(marginals))
	for i, v := range marginals {
		shares[i] = new(big.Rat).Quo(v, total)
	}
	h, err := m.Puzzle.Board.Heights(m.Placements, shares)
	if err != nil {
		return err
	}
	for k, c := range h.Corners {
		q.Heights = append(q.Heights, HeightTally{Corner: []int{c.Y, c.X}, Height: h.Values[k].RatString()})
	}
	q.MeanHeights = h
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

// keptOf are, by placement, those that the selectors name; without selectors all.
func keptOf(m *tiling.Model, words *query.Index, selectors []string) ([]bool, error) {
	kept := slices.Repeat([]bool{len(selectors) == 0}, len(m.Problem.Options))
	for _, text := range selectors {
		named, err := words.Options(text)
		if err != nil {
			return nil, bad("{of}: %w", err)
		}
		for _, i := range named {
			kept[i] = true
		}
	}
	return kept, nil
}
