package command

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/job"
)

func (v *countVerb) writeEstimate(e *job.Estimation) error {
	// The text has forecasts for the engines, the orders of the sweep, and the parts of a cover:
	//
	//	sweep   about 790 million states (±1000%) in 145 levels; levels 0 to 25 are exact
	//	        level 74 is the largest, 18 million states; 840 MB, 27 s
	//	order   by rows: 790 million states; by diagonals: 2.3 billion states
	//	search  about 2.2e+16 tries, 49 years
	//	dimer   4 primes, 23,476 products, 1 ms       (where there are determinants)
	//	parts   2 of 72 items and 2,056 options       (for a cover with parts)
	t := tabwriter.NewWriter(v.Out, 0, 0, 2, ' ', 0)
	if s := e.Sweep; s == nil && e.Dimer != nil {
		fmt.Fprintln(t, "sweep\tno forecast: on a board of this size determinants are faster")
	} else if s == nil {
		fmt.Fprintln(t, "sweep\tno order of the items has states of 511 bits or less")
	} else {
		fmt.Fprintf(t, "sweep\t%s\n", expectedStates(s))
		if len(s.Levels) > 0 {
			fmt.Fprintf(t, "\tlevel %d is the largest, %s; %s, %s\n",
				s.Peak, human.Count(human.Number(s.Levels[s.Peak]), "state"), human.Bytes(s.Bytes), human.Time(s.Seconds))
		}
		writeOrders(t, s.Orders)
		writeBounds(t, s.Bounds)
	}
	fmt.Fprintf(t, "search\t%s\n", expectedTries(e.Search))
	writeDimer(t, e.Dimer)
	writeCoverParts(t, e.Parts)
	if e.Sooner {
		fmt.Fprintln(t, "count\tis expected to take less time than this estimate did")
	}
	return t.Flush()
}

func expectedStates(s *job.SweepEstimate) string {
	levels := len(s.Levels)
	if levels == 0 {
		return "no states, since the bounds of some item cannot be met"
	}
	if s.Exact == levels-1 {
		return fmt.Sprintf("%s in %s, all exact", human.Count(human.Grouped(int64(s.States)), "state"), human.Count(human.Grouped(int64(levels)), "level"))
	}
	return fmt.Sprintf("about %s (±%.0f%%) in %d levels; levels 0 to %d are exact",
		human.Count(human.Number(s.States), "state"), max(1, 100*s.Error), levels, s.Exact)
}

// writeOrders writes the orders. It numbers orders of the same name.
func writeOrders(w io.Writer, orders []job.Order) {
	if len(orders) == 0 {
		return
	}
	texts := make([]string, len(orders))
	named := map[string]int{}
	for i, o := range orders {
		texts[i] = o.Name
		if named[o.Name]++; named[o.Name] > 1 {
			texts[i] += fmt.Sprintf(" (%d)", named[o.Name])
		}
		if len(orders) > 1 {
			texts[i] += ": " + human.Count(human.Number(o.States), "state")
		}
	}
	fmt.Fprintf(w, "order\t%s\n", strings.Join(texts, "; "))
}
