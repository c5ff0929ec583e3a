package render

import (
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"

	"github.com/pavage/pavage/tiling"
)

// Heat has exact numbers for the cells of a board, in panels, such as the share of the tilings in
// which each piece covers a cell. Floating-point numbers are used only to choose colours.
//
//	domino lying     domino standing     of 3 tilings of 2x3
//	67 67 67         33 33 33            in percent
//	67 67 67         33 33 33
type Heat struct {
	Panels []HeatPanel
	// Count is the number that a share of 1 stands for: the count, or the total weight; nil: unknown.
	Count  *big.Rat
	Of     string // name of the counted things, a plural that ends in s; "": tilings
	Legend string // meaning of the numbers; "": shares of Count
	// Signed numbers may be below 0, such as correlations. 0 is in the middle of the scale.
	Signed bool
	// Plain numbers are not shares, such as heights. The scale goes from the least to the greatest.
	Plain bool
	Scale HeatScale
	Own   bool // whether each panel has its own scale

	Heights []CornerHeights // for each panel; nil: the numbers belong to cells

	tens int // exponent of the power of ten that multiplies signed numbers in texts: see withTens
}

// HeatPanel is a picture of the board with a number in each cell.
type HeatPanel struct {
	Name   string
	Values []*big.Rat // for each board cell; nil: no number
	Marked []int      // indices of board cells to draw with a frame
}

// HeatScale selects the numbers with the first and last colour: "auto", "zero", "mean", "fit" or
// "full"; "" is "auto". Signed numbers have these colours at -m and m, where m is the largest
// absolute value or, with "full", 1.
type HeatScale string

const (
	// autoScale is aroundMean for a large board whose numbers are all near their mean, else fromZero.
	autoScale = "auto"
	fromZero  = "zero" // from 0 to the largest number
	// From two standard deviations below the mean to two above, within the range of the numbers.
	aroundMean = "mean"
	fromLeast  = "fit"  // from the least number to the largest
	fullScale  = "full" // from 0 to 1
)

// Choices returns the values of a HeatScale except "".
func (HeatScale) Choices() []string {
	return []string{autoScale, fromZero, aroundMean, fromLeast, fullScale}
}

const (
	maxPanels    = 1000
	maxHeatCells = 1 << 20 // numbers in all panels together
)

func (h Heat) check(p *tiling.Puzzle) error {
	if err := checkChoice("scale", h.Scale); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if n := len(h.Panels); n < 1 || n > maxPanels {
		return fmt.Errorf("%w: %d panels, expected 1 to %d panels", ErrInvalid, n, maxPanels)
	}
	if n := len(h.Heights); n != 0 && n != len(h.Panels) {
		return fmt.Errorf("%w: heights of %d panels are given, expected heights of %d panels", ErrInvalid, n, len(h.Panels))
	}
	cells := len(p.Board.Cells)
	if cells*len(h.Panels) > maxHeatCells {
		return fmt.Errorf("%w: %d panels of %d cells each, expected at most %d cells in all",
			ErrInvalid, len(h.Panels), cells, maxHeatCells)
	}
	for k, panel := range h.Panels {
		if len(panel.Values) != cells {
			return fmt.Errorf("%w: panel %d: %d values for %d cells, expected one value for each cell", ErrInvalid, k, len(panel.Values), cells)
		}
		for c, v := range panel.Values {
			if v != nil && v.Sign() < 0 && !h.Signed && !h.Plain {
				return fmt.Errorf("%w: panel %d: the share of cell %d is below 0", ErrInvalid, k, c)
			}
		}
		for _, c := range panel.Marked {
			if c < 0 || c >= cells {
				return fmt.Errorf("%w: panel %d: cell %d is marked, but the board has only %d cells", ErrInvalid, k, c, cells)
			}
		}
	}
	return nil
}

type heatRange struct {
	low, high *big.Rat
	// greatest is the greatest number or, if Signed is set, absolute value; nil: no numbers.
	greatest *big.Rat

	below, above bool // whether there are numbers below low, and above high
}

// numbers returns the numbers of panels, or their absolute values if h.Signed is set. If unmarked
// is set, it skips marked cells.
func (h Heat) numbers(unmarked bool, panels ...HeatPanel) (all []*big.Rat) {
	for _, panel := range panels {
		for c, v := range panel.Values {
			switch {
			case v == nil || unmarked && slices.Contains(panel.Marked, c):
			case h.Signed:
				all = append(all, new(big.Rat).Abs(v))
			default:
				all = append(all, v)
			}
		}
	}
	return all
}

// ranges returns the range of each panel and, last, of all panels together.
func (h Heat) ranges() []heatRange {
	var all []heatRange
	whole := h.rangeOf(h.numbers(false, h.Panels...))
	for k, panel := range h.Panels {
		var corners []*big.Rat // heights with colours of the scale; heights over a tiling are drawn on white
		if h.Heights != nil && len(h.Heights[k].Over) == 0 {
			corners = h.Heights[k].Values
		}
		all = append(all, h.rangeOf(h.numbers(false, panel)).reaching(corners))
		whole = whole.reaching(corners)
	}
	return append(all, whole)
}

func (h Heat) rangeOf(numbers []*big.Rat) heatRange {
	if len(numbers) == 0 {
		return h.ends(nil, nil)
	}
	least, most := slices.MinFunc(numbers, (*big.Rat).Cmp), slices.MaxFunc(numbers, (*big.Rat).Cmp)
	r := h.ends(least, most)
	if h.Scale == aroundMean && !h.Signed && !h.Plain {
		r.around(least, numbers)
	}
	return r
}

func (r *heatRange) around(least *big.Rat, numbers []*big.Rat) {
	mean, deviation := meanDeviation(numbers)
	low, high := new(big.Rat), new(big.Rat)
	if low.SetFloat64(mean-2*deviation) == nil || high.SetFloat64(mean+2*deviation) == nil {
		return // a number is not a finite float
	}
	below, above := low.Cmp(least) > 0, high.Cmp(r.high) < 0
	if !below {
		low = least
	}
	if !above {
		high = r.high
	}
	if low.Cmp(high) < 0 { // otherwise all numbers round to the same float
		r.low, r.high, r.below, r.above = low, high, below, above
	}
}

func meanDeviation(numbers []*big.Rat) (mean, deviation float64) {
	all, n := make([]float64, len(numbers)), float64(max(len(numbers), 1))
	for i, v := range numbers {
		all[i], _ = new(big.Float).SetPrec(64).SetRat(v).Float64()
		mean += all[i]
	}
	mean /= n
	for _, f := range all {
		deviation += float64((f - mean) * (f - mean))
	}
	return mean, math.Sqrt(deviation / n)
}

// Limits of autoScale: the least number of cells of a large board, and the largest quotient of
// standard deviation and mean for numbers near their mean. Measured for dominoes: the quotient is
// 0.15 on a square of side 16 and 0.06 on a square of side 100, where nearly all cells would have
// one colour on a scale from 0. It is above 1 on an Aztec diamond.
const (
	largeHeat = 256
	nearMean  = 0.25
)

func (h Heat) withScale() Heat {
	if h.Scale != "" && h.Scale != autoScale {
		return h
	}
	h.Scale = fromZero
	mean, deviation := meanDeviation(h.numbers(false, h.Panels...))
	if len(h.Panels[0].Values) >= largeHeat && deviation > 1e-9*mean && deviation <= nearMean*mean && !h.Own && !h.Signed && !h.Plain {
		h.Scale = aroundMean
	}
	return h
}

func (r heatRange) reaching(numbers []*big.Rat) heatRange {
	for _, v := range numbers {
		if v.Cmp(r.low) < 0 {
			r.low = v
		}
		if v.Cmp(r.high) > 0 {
			r.high = v
		}
	}
	return r
}

func (h Heat) ends(least, most *big.Rat) heatRange {
	r := heatRange{low: new(big.Rat), high: big.NewRat(1, 1), greatest: most}
	if h.Plain {
		if most != nil {
			r.low, r.high = least, most
		}
		if r.low.Cmp(r.high) == 0 {
			r.high = new(big.Rat).Add(r.low, big.NewRat(1, 1))
		}
		return r
	}
	if most != nil && h.Scale != fullScale && most.Sign() > 0 {
		r.high = most
	}
	switch {
	case h.Signed:
		r.low = new(big.Rat).Neg(r.high)
	case most != nil && h.Scale == fromLeast && least.Cmp(r.high) < 0:
		r.low = least
	}
	return r
}

func (r heatRange) place(v *big.Rat) float64 {
	float := func(v *big.Rat) *big.Float { return new(big.Float).SetPrec(128).SetRat(v) }
	low, high := float(r.low), float(r.high)
	at := float(v)
	f, _ := at.Quo(at.Sub(at, low), high.Sub(high, low)).Float64()
	return f
}

func (h Heat) scale() colourScale {
	if h.Signed || h.Plain {
		return signedScale()
	}
	return shareScale()
}

// withTens sets tens to the least multiple of 3 that makes the greatest signed number 1 or more, if
// it is below 0.1. It ignores the large numbers of marked cells unless all other numbers are 0.
func (h Heat) withTens() Heat {
	r := h.rangeOf(h.numbers(true, h.Panels...))
	if r.greatest == nil || r.greatest.Sign() == 0 {
		r = h.rangeOf(h.numbers(false, h.Panels...))
	}
	if !h.Signed || r.greatest == nil || r.greatest.Sign() == 0 || r.greatest.Cmp(big.NewRat(1, 10)) >= 0 {
		return h
	}
	size := log10(r.greatest.Num()) - log10(r.greatest.Denom())
	// The 1e-9 allows for rounding: a power of 1000 must become 1.
	h.tens = 3 * max(1, int(math.Ceil(-size/3-1e-9)))
	return h
}

// CornerHeights has heights at the corners of cells. Over is the tiling to outline; nil for means.
type CornerHeights struct {
	*tiling.Heights
	Over []tiling.Placement
}

// AddHeights adds a panel of heights. The number of a cell is the mean height of its corners.
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
	// A tiling has few different heights, so the means are stored by the heights around a cell.
	known := map[[6]*big.Rat]*big.Rat{}
	for i, c := range p.Board.Cells {
		var around [6]*big.Rat
		outline := p.Board.Lattice.Outline(c)
		for k, corner := range outline {
			around[k] = at[corner]
		}
		if known[around] == nil {
			values := around[:len(outline)]
			sum := new(big.Rat)
			for _, v := range values {
				sum.Add(sum, v)
			}
			known[around] = sum.Quo(sum, big.NewRat(int64(len(values)), 1))
		}
		values[i] = known[around]
	}
	h.Plain = true
	h.Panels = append(h.Panels, HeatPanel{Name: name, Values: values})
	h.Heights = append(h.Heights, heights)
}

// Heights draws a panel of heights for each tiling. Not all tilings have heights: see
// [tiling.Board.Heights]. Errors are as for Picture.
func Heights(w io.Writer, p *tiling.Puzzle, tilings [][]tiling.Placement, o PictureOptions) error {
	if _, err := o.checked(); err != nil {
		return err
	}
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
