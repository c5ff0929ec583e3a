package render

import (
	"fmt"
	"io"
	"math/big"

	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// CornerHeights are numbers at the corners of cells, see [tiling.Heights], and the placements whose
// outlines are drawn over them: those of the tiling whose heights they are, or none where they are means.
type CornerHeights struct {
	*tiling.Heights
	Over []tiling.Placement
}

// AddHeights adds a panel of heights on p's board. A cell has the mean of the heights of its corners
// as its number, and so its colour; where there is room, heights are written at the corners.
//
//	0───-1────0       2x2, both dominoes lie
//	│         │
//	1────2────1
//	│         │
//	0───-1────0
func (h *Heat) AddHeights(p *tiling.Puzzle, name string, heights CornerHeights) {
	at := make(map[tiling.Corner]*big.Rat, len(heights.Corners))
	for k, c := range heights.Corners {
		at[c] = heights.Values[k]
	}
	values := make([]*big.Rat, len(p.Board.Cells))
	known := map[[6]*big.Rat]*big.Rat{} // by the heights around: those of a tiling are few
	for i, c := range p.Board.Cells {
		var around [6]*big.Rat
		outline := p.Board.Lattice.Outline(c)
		for k, corner := range outline {
			around[k] = at[corner]
		}
		if known[around] == nil {
			known[around] = mean(around[:len(outline)])
		}
		values[i] = known[around]
	}
	h.Plain = true
	h.Panels = append(h.Panels, HeatPanel{Name: name, Values: values})
	h.Heights = append(h.Heights, heights)
}

func mean(values []*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for _, v := range values {
		sum.Add(sum, v)
	}
	return sum.Quo(sum, big.NewRat(int64(len(values)), 1))
}

// heightsOf draws the heights of tilings of dominoes or lozenges, a panel for each: see
// [tiling.Board.Heights], which says where there are none.
func heightsOf(w io.Writer, p *tiling.Puzzle, tilings [][]tiling.Placement, o PictureOptions) error {
	heat := Heat{Legend: "heights"}
	for k, t := range tilings {
		if _, err := newScene(p, t); err != nil {
			return err
		}
		h, err := p.Board.Heights(t, nil)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrInvalid, err)
		}
		name := ""
		if len(tilings) > 1 {
			name = fmt.Sprintf("tiling %d", k+1)
		}
		heat.AddHeights(p, name, CornerHeights{h, t})
	}
	return HeatMap(w, p, heat, o)
}

// written are the numbers that a panel writes.
func (h Heat) written(panel int) []*big.Rat {
	if h.Heights != nil {
		return h.Heights[panel].Values
	}
	return h.Panels[panel].Values
}

// heights writes the heights at the corners, over the outlines of the placements.
func (d *heatDrawing) heights(panel int) {
	x, y := d.scale(d.scene)
	h, r := d.heat.Heights[panel], d.rangeOf(panel)
	if len(h.Over) > 0 {
		d.outlines(h.Over, x, y)
	}
	if d.numberSize == 0 {
		return
	}
	at := make([]pen.Point, len(h.Corners))
	for k, c := range h.Corners {
		at[k] = pen.Point{X: float64(c.X) * x, Y: float64(c.Y) * y}
	}
	if len(h.Over) > 0 { // lines meet there
		width := max(float64(d.heat.longest(d.decimals))*letterWidth, 1) * d.numberSize
		d.Dots(pen.Dots{At: at, Width: 1.15 * width, Colour: pen.White})
	}
	for k, v := range h.Values {
		ink := pen.Black
		if len(h.Over) == 0 {
			ink = readable(d.colours.at(r.place(v)))
		}
		d.text(at[k].X, at[k].Y, d.numberSize, ink, d.heat.short(v, d.decimals))
	}
}

// outlines draws those of placements.
func (d *heatDrawing) outlines(placements []tiling.Placement, x, y float64) {
	s, err := newScene(d.scene.puzzle, placements)
	if err != nil {
		return // whoever found the heights has met the error
	}
	var all []edge
	of, _, _ := s.layerEdges(0)
	for k := range s.placements {
		all = append(all, of[k]...)
	}
	d.path(all, x, y, pen.Path{Bare: true, Line: thick * d.cell()})
}
