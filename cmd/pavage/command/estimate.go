package command

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/tiling"
)

// estimate is count --estimate: what counting is expected to take, and no count.
func (v *countVerb) estimate(ctx context.Context, m *tiling.Model) error {
	e, err := count.Estimate(ctx, m.Problem, v.options(nil))
	if err != nil {
		return err
	}
	if v.json {
		return writeJSON(v.Out, estimateObject(m, e))
	}
	return writeEstimate(v.Out, m, e)
}

// checkEstimate reports flags that ask for what an estimate does not have.
func (v *countVerb) checkEstimate() error {
	for _, flag := range []string{"mcc", "distinct", "explain", "engine", "modulo", "checkpoint", "checkpoint-every"} {
		if v.forecast && v.given(flag) {
			return usage("both --estimate and --%s given, want one or the other: an estimate is of the count of all tilings, by each engine", flag)
		}
	}
	return nil
}

// writeEstimate writes a line of what is expected of each engine, and how the
// order of the sweep was chosen:
//
//	sweep   about 1.1 billion states (±18%) in 145 levels, those to 9 made
//	        at most 18 million in one, level 74; 840 MB, 27 s
//	order   by rows: 1.1 billion states; by diagonals: 3.3 billion states
//	search  about 2.2e+16 tries, 49 years
func writeEstimate(w io.Writer, m *tiling.Model, e *count.Estimation) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if s := e.Sweep; s == nil {
		fmt.Fprintln(t, "sweep\tno order of the items has states of 255 bits or less")
	} else {
		fmt.Fprintf(t, "sweep\t%s\n", expectedStates(s))
		if len(s.States) > 0 {
			fmt.Fprintf(t, "\tat most %s in a level, number %d; %s, %s\n",
				human(s.States[s.Peak]), s.Peak, humanBytes(s.Bytes), humanTime(s.Seconds))
		}
		writeOrders(t, m, s.Orders)
	}
	fmt.Fprintf(t, "search\t%s\n", expected(e.Search, "try"))
	return t.Flush()
}

func expectedStates(s *count.SweepEstimate) string {
	levels := len(s.States)
	if levels == 0 {
		return "no states, since the bounds of some item cannot be met"
	}
	if s.Exact == levels-1 {
		return fmt.Sprintf("%s in %s, which were made", number(grouped(int64(s.Total)), "state"), number(grouped(int64(levels)), "level"))
	}
	return fmt.Sprintf("about %s (±%.0f%%) in %d levels, those to %d made",
		number(human(s.Total), "state"), max(1, 100*s.Error), levels, s.Exact)
}

// humanBytes writes bytes to two digits in the unit that fits.
func humanBytes(b float64) string {
	for _, unit := range []string{"bytes", "kB", "MB", "GB", "TB"} {
		if b = twoDigits(b); b < 1000 {
			return plain(b) + " " + unit
		}
		b /= 1000
	}
	return plain(twoDigits(b)) + " PB"
}

// writeOrders writes the orders of a sweep that were looked into, the one that
// was chosen first.
func writeOrders(w io.Writer, m *tiling.Model, orders []count.OrderEstimate) {
	if len(orders) == 0 {
		return
	}
	texts := make([]string, len(orders))
	for i, o := range orders {
		texts[i] = orderName(m, o.Order)
		if len(orders) > 1 {
			texts[i] += ": " + number(human(o.States), "state")
		}
	}
	fmt.Fprintf(w, "order\t%s\n", strings.Join(texts, "; "))
}

// orderName says how an order goes through the board, as far as it is known.
func orderName(m *tiling.Model, order int) string {
	if m == nil {
		return fmt.Sprintf("number %d", order+1)
	}
	if order >= len(m.OrderNames) {
		return "from neighbour to neighbour"
	}
	return m.OrderNames[order]
}

// estimationJSON is the object of count --estimate --json.
type estimationJSON struct {
	Title   string             `json:"title"`
	Items   int                `json:"items"`
	Options int                `json:"options"`
	Sweep   *sweepEstimateJSON `json:"sweep,omitempty"`
	Search  *searchJSON        `json:"search,omitempty"`
}

type sweepEstimateJSON struct {
	States  float64     `json:"states"`
	Error   float64     `json:"error"` // relative standard error of the states
	Exact   int         `json:"exact"` // levels up to this one are certain
	Levels  []float64   `json:"levels"`
	Peak    int         `json:"peak"` // the largest level
	Bytes   float64     `json:"bytes"`
	Seconds float64     `json:"seconds"`
	Orders  []orderJSON `json:"orders"` // that of the sweep first
}

type orderJSON struct {
	Order  int     `json:"order"`
	Name   string  `json:"name"`
	States float64 `json:"states"`
}

func estimateObject(m *tiling.Model, e *count.Estimation) estimationJSON {
	o := estimationJSON{Title: m.Puzzle.Title, Items: len(m.Problem.Items), Options: len(m.Problem.Options)}
	if s := e.Sweep; s != nil {
		o.Sweep = &sweepEstimateJSON{
			States: s.Total, Error: s.Error, Exact: s.Exact, Levels: s.States, Peak: s.Peak,
			Bytes: s.Bytes, Seconds: s.Seconds, Orders: ordersJSON(m, s.Orders),
		}
	}
	if f := e.Search; f != nil {
		o.Search = &searchJSON{f.States, f.Seconds, f.Error}
	}
	return o
}

func ordersJSON(m *tiling.Model, orders []count.OrderEstimate) []orderJSON {
	all := []orderJSON{}
	for _, o := range orders {
		all = append(all, orderJSON{o.Order, orderName(m, o.Order), o.States})
	}
	return all
}
