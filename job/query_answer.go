package job

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"

	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
)

// Queried is the answer to [Query], beside tilings. A number that counts tilings has any
// number of digits, and is a string.
type Queried struct {
	Title  string   `json:"title"`
	Count  string   `json:"count,omitempty" doc:"how many tilings keep the conditions; left out with weights, if it was not counted"`
	Weight string   `json:"weight,omitempty" doc:"with weights: the sum of the weights of all tilings, such as 7 or 3/2; then the other counts are sums of weights too"`
	Ranks  []string `json:"ranks,omitempty" doc:"of the tilings that were given, in their order"`

	Groups     []string         `json:"groups,omitempty" doc:"the names in by, in their order; not with marginals by placements"`
	Cells      []CellTally      `json:"cells,omitempty" doc:"of the board, with marginals and correlate"`
	Placements []PlacementTally `json:"placements,omitempty" doc:"with marginals by placements"`
	Heights    []HeightTally    `json:"heights,omitempty" doc:"with marginals by heights: of the corners of the board"`
	Event      string           `json:"event,omitempty" doc:"with correlate: how many tilings have one of the placements"`
	Pieces     []string         `json:"pieces,omitempty" doc:"the names in copies, in their order"`
	ByCopies   []CopiesTally    `json:"by_copies,omitempty" doc:"how many tilings have these numbers of copies; none has others"`
	Pairs      []PairTally      `json:"pairs,omitempty"`
	PerCell    string           `json:"per_cell,omitempty" doc:"with entropy: the natural logarithm of count or, with weights, of weight (the free energy: the logarithm of the partition function), divided by the number of cells of the board, to 20 digits after the decimal point, all of them correct; absent if no tiling has a weight above 0, and for a cover"`
	Expected   []Expected       `json:"expected,omitempty" doc:"with entropy and weights: expected copies of each piece in a tiling that is drawn by weight"`
	Entropy    *Entropy         `json:"entropy,omitempty" doc:"the entropy of a tiling that is drawn uniformly or, with weights, by its weight"`

	Written Whole   `json:"written" doc:"how many tilings were written beside the answer"`
	Method  string  `json:"method" doc:"diagram, levels or dimer"`
	Reason  string  `json:"reason,omitempty" doc:"why that method"`
	Effort  Effort  `json:"effort"`
	Bytes   int64   `json:"bytes" doc:"a bound on what the work held"`
	Seconds float64 `json:"seconds"`

	Conditions *Conditions `json:"conditions,omitempty" doc:"those of the request, and of a compiled file: other tilings are not asked about"`
	Derived    string      `json:"derived,omitempty" doc:"how the family of a compiled file was made, if it is not the tilings of a puzzle under conditions"`

	Puzzle *tiling.Puzzle `json:"-"` // to be drawn
	Marked []int          `json:"-"` // cells that all placements of correlate's selector cover

	MeanHeights *tiling.Heights `json:"-"` // what Heights tells
}

// CellTally is what covers one cell of the board in how many tilings.
type CellTally struct {
	Cell []int             `json:"cell" doc:"row, column; on a cube board layer, row, column"`
	By   map[string]string `json:"by" doc:"in how many tilings the cell is covered by the piece, the orientation, the kind or the placement of that name; with correlate: only in tilings that have one of the placements asked about"`

	Alone  map[string]string `json:"alone,omitempty" doc:"with correlate: the same in all tilings"`
	Excess map[string]string `json:"excess,omitempty" doc:"with correlate: by/count - alone/count * event/count; 0 if the two do not depend on each other"`
}

// HeightTally is the mean height of a corner.
type HeightTally struct {
	Corner []int  `json:"corner" doc:"row, column: of squares from the first corner of the first cell; of triangles a column is half a side wide"`
	Height string `json:"height" doc:"the mean over all tilings, exact, such as 1 or 3/2"`
}

// PlacementTally is in how many tilings a placement is.
type PlacementTally struct {
	Number      int      `json:"number" doc:"of the placement, or of the option of a cover, from 0"`
	Piece       string   `json:"piece,omitempty"`
	Orientation int      `json:"orientation,omitempty" doc:"of the piece, from 1"`
	Cells       [][]int  `json:"cells,omitempty"`
	Items       []string `json:"items,omitempty" doc:"of an option of a cover"`
	Count       string   `json:"count"`
}

// PairTally is in how many tilings two selectors occur: at least one placement of each.
type PairTally struct {
	Pair   []string `json:"pair" doc:"the placements A and B, as the question has them"`
	Counts []string `json:"counts" doc:"how many tilings have one of A, and how many have one of B"`
	Both   string   `json:"both" doc:"how many have both"`
}

// CopiesTally is how many tilings have so many copies of some pieces.
type CopiesTally struct {
	Copies map[string]int `json:"copies" doc:"by the names of the pieces, or the words for the placements"`
	Count  string         `json:"count"`
}

// Expected is how many copies of a piece a tiling has on average, if it is drawn by its
// weight.
type Expected struct {
	Piece  string `json:"piece"`
	Copies string `json:"copies" doc:"exact, such as 7 or 3/2"`
}

// Entropy is Shannon's entropy -Σ p·log p of the distribution that gives a tiling the probability p:
// 1/count without weights, and weight of the tiling/total weight with weights.
type Entropy struct {
	Nats    float64 `json:"nats"`
	Bits    float64 `json:"bits"`
	PerCell string  `json:"per_cell,omitempty" doc:"nats divided by the number of cells of the board, to 20 digits after the decimal point, all of them correct; absent for a cover"`
}

// Drawable returns an error that wraps ErrNoTiling if there is no tiling, so that there is
// nothing to draw.
func (q *Queried) Drawable() error {
	if cmp.Or(q.Count, q.Weight) != "0" {
		return nil
	}
	return noTiling(q.Conditions, q.Derived)
}

// Heat are the cells of an answer as a heat-map, a panel for each group that has a
// placement: shares of marginals, or what correlate found. ok is false if the answer has
// none.
func (q *Queried) Heat() (h render.Heat, ok bool) {
	if q.MeanHeights != nil {
		h.Legend = "mean heights"
		h.AddHeights(q.Puzzle, "", render.CornerHeights{Heights: q.MeanHeights})
		return h, true
	}
	if len(q.Groups) == 0 {
		return h, false
	}
	h.Count, h.Signed = number(q.Count), q.Event != ""
	if q.Weight != "" {
		h.Count, h.Of = number(q.Weight), "(total weight)"
	}
	if h.Signed {
		h.Count, h.Legend = nil, "share of both less the product of the shares"
	}
	for _, name := range q.Groups {
		panel := render.HeatPanel{Name: name, Marked: q.Marked}
		for _, c := range q.Cells {
			all := number(cmp.Or(q.Weight, q.Count))
			switch {
			case q.Event != "":
				panel.Values = append(panel.Values, number(c.Excess[name]))
			case all == nil || all.Sign() == 0:
				panel.Values = append(panel.Values, nil)
			default:
				panel.Values = append(panel.Values, all.Quo(number(c.By[name]), all))
			}
		}
		h.Panels = append(h.Panels, panel)
	}
	return h, true
}

// Bars are the tilings by numbers of copies as a chart, with a bar for each row. ok is
// false if the answer has none.
func (q *Queried) Bars() (b render.Bars, ok bool) {
	if len(q.ByCopies) == 0 {
		return b, false
	}
	b.Title, b.Axis = q.Title, "copies of "+strings.Join(q.Pieces, ", ")
	for _, row := range q.ByCopies {
		var words []string
		for _, name := range q.Pieces {
			words = append(words, strconv.Itoa(row.Copies[name]))
		}
		b.Labels = append(b.Labels, strings.Join(words, " "))
		b.Values = append(b.Values, number(row.Count).Num())
	}
	return b, true
}

// number reads a number of an answer, nil if it is none.
func number(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}
	return r
}
