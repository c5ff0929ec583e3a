package job

import (
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/tiling"
)

// Plan is what the engines were expected to take, and why one was chosen.
type Plan struct {
	Engine string          `json:"engine"`
	Reason string          `json:"reason"`
	Sweep  *SweepForecast  `json:"sweep,omitempty"`
	Search *SearchForecast `json:"search,omitempty"`
	Dimer  *DimerForecast  `json:"dimer,omitempty" doc:"absent where nobody looked, or where there are no determinants"`
	Orders []Order         `json:"orders" doc:"of a sweep, the one it took first, then others that were looked into"`
	Bounds *Bounds         `json:"bounds,omitempty" doc:"bounds on copies that multiply the states of a sweep; absent where they cost little"`

	Listed  bool    `json:"-"` // a diagram: it was made from a list of the solutions
	Seconds float64 `json:"-"` // what the work took; 0 before its end
}

// SweepForecast is what a sweep is expected to take.
type SweepForecast struct {
	States  float64 `json:"states"`
	Seconds float64 `json:"seconds"`
}

// SearchForecast is what a search is expected to take.
type SearchForecast struct {
	Tries   float64 `json:"tries"`
	Seconds float64 `json:"seconds"`
	Error   float64 `json:"error" doc:"relative standard error of the tries; 0: not known"`
}

// DimerForecast is what determinants are expected to take: the primes and products are certain.
type DimerForecast struct {
	Primes   int     `json:"primes"`
	Products int64   `json:"products" doc:"multiplications modulo the primes"`
	Seconds  float64 `json:"seconds"`
}

func dimerForecast(f *count.DimerForecast) *DimerForecast {
	if f == nil {
		return nil
	}
	return &DimerForecast{f.Primes, f.Products, f.Seconds}
}

// Bounds are bounds on copies that multiply the states of a sweep.
type Bounds struct {
	Costs   []BoundCost    `json:"costs" doc:"the dearest first"`
	Without *SweepForecast `json:"without,omitempty" doc:"what a sweep would take if these pieces came in any number: of another count"`
}

// BoundCost is what the bounds of one piece cost.
type BoundCost struct {
	Piece  string `json:"piece"`
	Values int    `json:"values" doc:"states are up to so many times as many"`
}

func boundsOf(b *count.Bounds) *Bounds {
	if b == nil {
		return nil
	}
	o := &Bounds{}
	for _, c := range b.Costs {
		o.Costs = append(o.Costs, BoundCost{c.Name, c.Values})
	}
	if f := b.Without; f != nil {
		o.Without = &SweepForecast{f.States, f.Seconds}
	}
	return o
}

// Order is an order of the cells of a sweep.
type Order struct {
	Order  int     `json:"order"`
	Name   string  `json:"name"`
	States float64 `json:"states"`
}

// explain makes a count tell its plans to the watch: whole ones if that is wanted.
func (w *work) explain(whole bool, m *tiling.Model, o *count.Options) {
	o.Explain = whole
	if w.watch.Plan != nil {
		o.Planned = func(p *count.Plan) { w.watch.Plan(planOf(m, p)) }
	}
}

func planOf(m *tiling.Model, p *count.Plan) *Plan {
	o := &Plan{
		Engine: string(p.Engine), Reason: p.Reason, Orders: orders(m, p.Orders),
		Search: searchForecast(p.Search),
		Dimer:  dimerForecast(p.Dimer), Bounds: boundsOf(p.Bounds), Listed: p.Listed,
		Seconds: p.Seconds,
	}
	if f := p.Sweep; f != nil {
		o.Sweep = &SweepForecast{f.States, f.Seconds}
	}
	return o
}

func searchForecast(f *count.Forecast) *SearchForecast {
	if f == nil {
		return nil
	}
	return &SearchForecast{f.States, f.Seconds, f.Error}
}

func orders(m *tiling.Model, from []count.OrderEstimate) []Order {
	all := []Order{}
	for _, o := range from {
		name := "from neighbour to neighbour"
		if o.Order < len(m.OrderNames) {
			name = m.OrderNames[o.Order]
		}
		all = append(all, Order{o.Order, name, o.States})
	}
	return all
}
