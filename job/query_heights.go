package job

import (
	"math/big"

	"github.com/pavage/pavage/tiling"
)

// HeightTally is the mean height of a corner.
type HeightTally struct {
	Corner []int  `json:"corner" doc:"row, column: of squares from the first corner of the first cell; of triangles a column is half a side wide"`
	Height string `json:"height" doc:"the mean over all tilings, exact, such as 1 or 3/2"`
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
