package job

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"

	"github.com/pavage/pavage/render"
)

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
