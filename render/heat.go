package render

import (
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"

	"github.com/pavage/pavage/tiling"
)

// Heat has panels of exact numbers, one number for each cell of a board. An example is the share of
// the tilings in which a piece covers each cell. Floating-point numbers only choose colours.
//
//	domino lying     domino standing     of 3 tilings of 2x3
//	67 67 67         33 33 33            in percent
//	67 67 67         33 33 33
type Heat struct {
	Panels []HeatPanel
	// Count is the count or total weight of all tilings, whose share is 1; nil if unknown.
	Count  *big.Rat
	Of     string // name of the counted things, a plural that ends in s; "" means tilings
	Legend string // meaning of the numbers; "" means that they are shares of Count
	// Signed means that numbers may be below 0, such as correlations. The middle of the scale is 0.
	Signed bool
	// Plain means that numbers are not shares but, for example, heights. The scale is their range.
	Plain bool
	Scale HeatScale
	Own   bool // whether each panel has its own scale

	Heights []CornerHeights // one for each panel; nil if the numbers belong to cells

	tens int // signed numbers in texts are multiplied by 10^tens: see withTens
}

// HeatPanel has a number for each cell of the board.
type HeatPanel struct {
	Name   string
	Values []*big.Rat // indexed by board cell; nil means no number
	Marked []int      // indices of board cells to draw with a frame
}

// HeatScale selects which numbers have the first and the last colour: "auto", "zero", "mean", "fit"
// or "full". "" means "auto". With signed numbers, -m and m have these colours, where m is the
// largest absolute value or, with "full", 1.
type HeatScale string

const (
	// autoScale means aroundMean for a large board with all numbers near their mean, else fromZero.
	autoScale = "auto"
	fromZero  = "zero" // from 0 to the largest number
	// aroundMean is the part of the range that is within two standard deviations of the mean.
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
	maxHeatCells = 1 << 20 // limit of the numbers in all panels together
)

func (h Heat) check(p *tiling.Puzzle) error {
	if err := checkChoice("scale", h.Scale); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if n := len(h.Panels); n < 1 || n > maxPanels {
		return fmt.Errorf("%w: there are %d panels, expected 1 to %d panels", ErrInvalid, n, maxPanels)
	}
	if n := len(h.Heights); n != 0 && n != len(h.Panels) {
		return fmt.Errorf("%w: heights are given for %d panels, but there are %d panels", ErrInvalid, n, len(h.Panels))
	}
	cells := len(p.Board.Cells)
	if cells*len(h.Panels) > maxHeatCells {
		return fmt.Errorf("%w: there are %d panels with %d cells each, expected at most %d cells in all panels together",
			ErrInvalid, len(h.Panels), cells, maxHeatCells)
	}
	for k, panel := range h.Panels {
		if len(panel.Values) != cells {
			return fmt.Errorf("%w: panel %d has %d values for %d cells, expected one value for each cell", ErrInvalid, k, len(panel.Values), cells)
		}
		for c, v := range panel.Values {
			if v != nil && v.Sign() < 0 && !h.Signed && !h.Plain {
				return fmt.Errorf("%w: panel %d: the share of cell %d is negative, expected at least 0", ErrInvalid, k, c)
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
	// With Heat.Signed, greatest is the greatest absolute value. The field is nil without numbers.
	greatest *big.Rat

	below, above bool // whether some numbers are below low, and whether some are above high
}

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

// ranges returns the range of each panel, and at the end the range of all panels together.
func (h Heat) ranges() []heatRange {
	var all []heatRange
	whole := h.rangeOf(h.numbers(false, h.Panels...))
	for k, panel := range h.Panels {
		var corners []*big.Rat // heights with coloured backgrounds; nil if they are over a tiling
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
		return // the mean or the deviation is not finite
	}
	below, above := low.Cmp(least) > 0, high.Cmp(r.high) < 0
	if !below {
		low = least
	}
	if !above {
		high = r.high
	}
	if low.Cmp(high) < 0 { // otherwise all numbers are equal as floats
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

// A board with largeHeat cells or more is large. Numbers are near their mean if their standard
// deviation is at most nearMean times the mean. For dominoes, the deviation divided by the mean is
// 0.15 on a 16x16 board, 0.06 on a 100x100 board, and above 1 on an Aztec diamond. On a scale from
// 0, nearly all cells of the 100x100 board would have the same colour.
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

// If the greatest absolute value of signed numbers is below 0.1, withTens sets tens to the least
// multiple of 3 for which 10^tens times this value is 1 or more. It ignores marked cells unless all
// other numbers are 0.
func (h Heat) withTens() Heat {
	r := h.rangeOf(h.numbers(true, h.Panels...))
	if r.greatest == nil || r.greatest.Sign() == 0 {
		r = h.rangeOf(h.numbers(false, h.Panels...))
	}
	if !h.Signed || r.greatest == nil || r.greatest.Sign() == 0 || r.greatest.Cmp(big.NewRat(1, 10)) >= 0 {
		return h
	}
	size := log10(r.greatest.Num()) - log10(r.greatest.Denom())
	// 1e-9 allows for rounding errors: if the greatest number is 1/1000, tens must be 3, not 6.
	h.tens = 3 * max(1, int(math.Ceil(-size/3-1e-9)))
	return h
}

// CornerHeights has heights at corners of cells. If they are heights of one tiling, Over is this
// tiling, and pictures outline its placements. If they are means, Over is nil.
type CornerHeights struct {
	*tiling.Heights
	Over []tiling.Placement
}

// AddHeights adds a panel of heights. The number of a cell is the mean height of its corners.
//
//	0───-1────0       2x2, both dominoes are horizontal
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
	// The map has a mean for each list of heights around a cell. A tiling has few such lists.
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
