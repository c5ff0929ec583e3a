package command

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
)

// explain is the flag --explain: tell how the engine was chosen.
type explain struct {
	wanted bool
	last   *count.Plan   // of a run under way, nil if there is none yet
	model  *tiling.Model // whose orders have names; may be nil
}

func (e *explain) flag(flags *pflag.FlagSet) {
	flags.BoolVar(&e.wanted, "explain", false, "write to standard error what each engine was expected to take, and why one was chosen")
}

// ask makes a count tell what is explained.
func (e *explain) ask(o *count.Options) {
	if e.wanted {
		o.Explain, o.Planned = true, func(p *count.Plan) { e.last = p }
	}
}

// write writes what the planner expected, why it chose, and what it took:
//
//	engine  search, since it is expected to be done before the rest of the sweep
//	sweep   about 150 million states, 14 s
//	order   by rows
//	search  about 3.7 million tries, 0.83 s
//	took    5,077,918 tries, 1.1 s
func (e *explain) write(w io.Writer, r *count.Result) error {
	if !e.wanted {
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	e.writePlan(t, r.Plan)
	fmt.Fprintf(t, "took\t%s, %s\n", taken(r), humanTime(r.Plan.Seconds))
	return t.Flush()
}

// writeLast writes the plan of a run that did not come to its end.
func (e *explain) writeLast(w io.Writer) {
	if !e.wanted {
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if e.last == nil {
		fmt.Fprintln(t, "engine\tnone was chosen yet")
	} else {
		e.writePlan(t, e.last)
	}
	t.Flush() // what comes next is an error already
}

func (e *explain) writePlan(w io.Writer, p *count.Plan) {
	sweep, search := "sweep", "search"
	if p.Engine == count.Diagram {
		sweep, search = "levels", "list"
	}
	fmt.Fprintf(w, "engine\t%s, since %s\n", way(p), p.Reason)
	if p.Sweep == nil && p.Search == nil {
		return // nothing was there to be chosen
	}
	fmt.Fprintf(w, "%s\t%s\n", sweep, expected(p.Sweep, "state"))
	writeOrders(w, e.model, p.Orders)
	fmt.Fprintf(w, "%s\t%s\n", search, expected(p.Search, "try"))
}

// writeSource writes why tilings are drawn from a diagram or by a walk, and what
// that took so far.
func (e *explain) writeSource(w io.Writer, s *sample.Source) error {
	switch {
	case !e.wanted:
		return nil
	case s.Classes != nil:
		return e.write(w, s.Result)
	case s.Method == sample.ByDiagram:
		_, err := fmt.Fprintf(w, "method  diagram, since %s\n", s.Reason)
		return errors.Join(err, e.write(w, s.Result))
	}
	_, err := fmt.Fprintf(w, "method  walk, since %s\ntook    %s, %s bytes\n", s.Reason, number(grouped(s.Result.States), "state"), grouped(s.Result.Bytes))
	return err
}

// way is the engine, and of a diagram what it was made from.
func way(p *count.Plan) string {
	switch {
	case p.Engine != count.Diagram:
		return string(p.Engine)
	case p.Listed:
		return "diagram from a list of the solutions"
	}
	return "diagram from the levels of the frontier"
}

// expected writes a forecast. Those of a search, and of a sweep that has only
// begun, are more often too low than too high: in effect lower bounds.
func expected(f *count.Forecast, unit string) string {
	if f == nil {
		return "no forecast"
	}
	return fmt.Sprintf("about %s, %s", number(human(f.States), unit), humanTime(f.Seconds))
}

func taken(r *count.Result) string {
	switch {
	case r.Engine == count.Search:
		return number(grouped(r.Tries), "try")
	case r.Nodes == 0:
		return number(grouped(r.States), "state")
	case r.States == 0:
		return number(grouped(r.Nodes), "node")
	}
	return number(grouped(r.States), "state") + ", " + number(grouped(r.Nodes), "node")
}

// number writes how many there are of something.
func number(n, unit string) string {
	switch {
	case n == "1":
	case unit == "try":
		unit = "tries"
	default:
		unit += "s"
	}
	return n + " " + unit
}

// grouped writes n with a comma between thousands.
func grouped(n int64) string {
	digits := fmt.Sprint(n)
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// human writes a number of 0 or more to two digits, as one says it: 150
// million, 39,000, 7.2e+16.
func human(x float64) string {
	x = twoDigits(x)
	switch {
	case x < 1e6:
		return grouped(int64(math.Round(x)))
	case x >= 1e15:
		return fmt.Sprintf("%.2g", x)
	}
	for _, n := range []struct {
		size float64
		name string
	}{{1e12, "trillion"}, {1e9, "billion"}, {1e6, "million"}} {
		if x >= n.size {
			return fmt.Sprintf("%s %s", plain(x/n.size), n.name)
		}
	}
	return ""
}

// humanTime writes seconds to two digits in the unit that fits.
func humanTime(s float64) string {
	s = twoDigits(s)
	switch {
	case s < 1:
		return plain(twoDigits(1000*s)) + " ms"
	case s < 120:
		return plain(s) + " s"
	case s < 2*3600:
		return plain(twoDigits(s/60)) + " minutes"
	case s < 48*3600:
		return plain(twoDigits(s/3600)) + " hours"
	case s < 365.25*24*3600:
		return plain(twoDigits(s/3600/24)) + " days"
	}
	return human(s/3600/24/365.25) + " years"
}

func twoDigits(x float64) float64 {
	if x <= 0 || x > 1e300 { // rounding must not reach infinity
		return x
	}
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return math.Round(x/unit) * unit
}

// plain writes a number of two digits without an exponent.
func plain(x float64) string {
	text := fmt.Sprintf("%.3f", x)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

// planJSON is a plan in the object of count --json.
type planJSON struct {
	Engine string      `json:"engine"`
	Reason string      `json:"reason"`
	Sweep  *sweepJSON  `json:"sweep,omitempty"`
	Search *searchJSON `json:"search,omitempty"`
	Orders []orderJSON `json:"orders"` // of a sweep, the one it took first, then others that were looked into
}

type sweepJSON struct {
	States  float64 `json:"states"`
	Seconds float64 `json:"seconds"`
}

type searchJSON struct {
	Tries   float64 `json:"tries"`
	Seconds float64 `json:"seconds"`
	Error   float64 `json:"error"` // relative standard error of the tries; 0: not known
}

func (e *explain) object(p *count.Plan) *planJSON {
	if !e.wanted {
		return nil
	}
	o := &planJSON{Engine: string(p.Engine), Reason: p.Reason, Orders: ordersJSON(e.model, p.Orders)}
	if f := p.Sweep; f != nil {
		o.Sweep = &sweepJSON{f.States, f.Seconds}
	}
	if f := p.Search; f != nil {
		o.Search = &searchJSON{f.States, f.Seconds, f.Error}
	}
	return o
}
