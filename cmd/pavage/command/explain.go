package command

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/job"
)

// writeTaken writes the engine and the reason for its choice, the forecasts, the work and the time
// that the count has needed, and the parts of a cover:
//
//	engine  search, since a search is expected to be done before the rest of the sweep
//	sweep   about 150 million states, 14 s
//	order   by rows
//	search  about 3.7 million tries, 0.83 s
//	dimer   4 primes, 23,476 products, 1 ms       (where there are determinants)
//	took    5,077,918 tries, 1.1 s
//	parts   2 of 72 items and 2,056 options, 9356 solutions each, by search
func writeTaken(w io.Writer, p *job.Plan, engine string, e job.Effort, parts []job.CoverPart) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	writePlan(t, p)
	fmt.Fprintf(t, "took\t%s, %s\n", taken(engine, e), human.Time(p.Seconds))
	writeCoverParts(t, parts)
	return t.Flush()
}

const shownParts = 10

func writeCoverParts(w io.Writer, parts []job.CoverPart) {
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b job.CoverPart) int { return b.Options - a.Options })
	for k, p := range parts {
		if k == shownParts {
			fmt.Fprintf(w, "\tand %d kinds of smaller parts\n", len(parts)-k)
			return
		}
		name, result := "", ""
		if k == 0 {
			name = "parts"
		}
		if p.Count != "" {
			result = ", " + human.Count(p.Count, "solution")
			if p.Times > 1 {
				result += " each"
			}
			result += ", by " + p.Engine
		}
		fmt.Fprintf(w, "%s\t%d of %s and %s%s\n", name, p.Times, human.Count(human.Grouped(int64(p.Items)), "item"),
			human.Count(human.Grouped(int64(p.Options)), "option"), result)
	}
}

func writeLastPlan(w io.Writer, p *job.Plan) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if p == nil {
		fmt.Fprintln(t, "engine\tnone was chosen yet")
	} else {
		writePlan(t, p)
	}
	t.Flush() // the next write reports the error
}

func writePlan(w io.Writer, p *job.Plan) {
	fmt.Fprintf(w, "engine\t%s, since %s\n", way(p), p.Reason)
	if p.Sweep != nil || p.Search != nil { // otherwise no sweep or search was considered
		fmt.Fprintf(w, "sweep\t%s\n", expectedStatesOf(p.Sweep))
		writeOrders(w, p.Orders)
		writeBounds(w, p.Bounds)
		fmt.Fprintf(w, "search\t%s\n", expectedTries(p.Search))
	}
	writeDimer(w, p.Dimer)
}

func writeDimer(w io.Writer, f *job.DimerForecast) {
	if f != nil {
		fmt.Fprintf(w, "dimer\t%s, %s\n", determinants(f.Primes, f.Products), human.Time(f.Seconds))
	}
}

func determinants(primes int, products int64) string {
	return human.Count(human.Grouped(int64(primes)), "prime") + ", " + human.Count(human.Grouped(products), "product")
}

const mostBounds = 4

// writeBounds names the pieces whose bounds increase the number of states of a sweep most, and
// writes the forecast of a sweep without these bounds:
//
//	bounds  on copies multiply the states: F5 up to 4 times, I5 up to 4 times, and 10 more
//	        without these bounds (a different count): about 58,000 states, 4.1 ms
func writeBounds(w io.Writer, b *job.Bounds) {
	if b == nil {
		return
	}
	var named []string
	for _, c := range b.Costs[:min(mostBounds, len(b.Costs))] {
		named = append(named, fmt.Sprintf("%s up to %d times", c.Name, c.Values))
	}
	if more := len(b.Costs) - len(named); more > 0 {
		named = append(named, fmt.Sprintf("and %d more", more))
	}
	fmt.Fprintf(w, "bounds\ton copies multiply the states: %s\n", strings.Join(named, ", "))
	if b.Without != nil {
		fmt.Fprintf(w, "\twithout these bounds (a different count): %s\n", expectedStatesOf(b.Without))
	}
}

func way(p *job.Plan) string {
	switch {
	case p.Engine != "diagram":
		return string(p.Engine)
	case p.Listed:
		return "diagram from a search"
	}
	return "diagram from a sweep"
}

// A forecast of a search, or of a sweep that has only begun, could be far too low.
const noForecast = "no forecast"

func expectedStatesOf(f *job.SweepForecast) string {
	if f == nil {
		return noForecast
	}
	return expected(f.States, "state", f.Seconds)
}

func expectedTries(f *job.SearchForecast) string {
	if f == nil {
		return noForecast
	}
	return expected(f.Tries, "try", f.Seconds)
}

func expected(n float64, unit string, seconds float64) string {
	return fmt.Sprintf("about %s, %s", human.Count(human.Number(n), unit), human.Time(seconds))
}

func taken(engine string, e job.Effort) string {
	switch {
	case engine == "search":
		return human.Count(human.Grouped(e.Tries), "try")
	case engine == "dimer":
		return determinants(e.Primes, e.Products)
	case e.Nodes == 0:
		return human.Count(human.Grouped(e.States), "state")
	case e.States == 0:
		return human.Count(human.Grouped(e.Nodes), "node")
	}
	return human.Count(human.Grouped(e.States), "state") + ", " + human.Count(human.Grouped(e.Nodes), "node")
}
