package job

import (
	"cmp"
	"context"

	"github.com/pavage/pavage/count"
)

// Estimate asks what counting a puzzle is expected to take, and does not count.
type Estimate struct {
	Puzzle Puzzle `json:"puzzle"`

	Conditions
}

// Kind implements [Request].
func (*Estimate) Kind() Kind { return "estimate" }

// Check implements [Request].
func (r *Estimate) Check() error { return cmp.Or(r.Conditions.check(), r.Puzzle.check()) }

// Run does the work.
func (r *Estimate) Run(ctx context.Context, l Limits, w Watch) (*Estimation, error) {
	return run[Estimation](ctx, r, l, w)
}

func (r *Estimate) do(ctx context.Context, w *work) (Answer, error) {
	m, err := w.conditioned(ctx, &r.Puzzle, &r.Conditions)
	if err != nil {
		return nil, err
	}
	e, err := count.Estimate(ctx, m.Problem, w.options(Estimating))
	if err != nil {
		return nil, err
	}
	answer := &Estimation{
		Title: m.Puzzle.Title, Items: len(m.Problem.Items), Options: len(m.Problem.Options),
		Search: searchForecast(e.Search), Dimer: dimerForecast(e.Dimer),
		Sooner: e.Sooner(), Conditions: r.Puzzle.told(&r.Conditions),
	}
	if f := e.Sweep; f != nil {
		answer.Sweep = &SweepEstimate{
			States: f.States, Error: f.Error, Exact: f.Exact, Levels: f.Levels,
			Bytes: f.Bytes, Seconds: f.Seconds, Orders: orders(m, e.Orders), Bounds: boundsOf(e.Bounds),
		}
		for i, n := range f.Levels {
			if n > f.Levels[answer.Sweep.Peak] {
				answer.Sweep.Peak = i
			}
		}
	}
	return answer, nil
}

// Estimation is the answer to [Estimate].
type Estimation struct {
	Title   string          `json:"title"`
	Items   int             `json:"items"`
	Options int             `json:"options"`
	Sweep   *SweepEstimate  `json:"sweep,omitempty" doc:"absent where no order of the items has states that are narrow enough, and where determinants are the only engine for so many cells"`
	Search  *SearchForecast `json:"search,omitempty"`
	Dimer   *DimerForecast  `json:"dimer,omitempty" doc:"absent where there are no determinants"`
	Sooner  bool            `json:"sooner,omitempty" doc:"a count is expected to take less than the estimate took"`

	Conditions *Conditions `json:"conditions,omitempty" doc:"those of the request: it is about a count of the tilings that keep them"`
}

// SweepEstimate is what a sweep is expected to take.
type SweepEstimate struct {
	States  float64   `json:"states"`
	Error   float64   `json:"error" doc:"relative standard error of the states"`
	Exact   int       `json:"exact" doc:"levels up to this one are certain, the others are expected from them"`
	Levels  []float64 `json:"levels" null:"if bounds cannot be met" doc:"states by level"`
	Peak    int       `json:"peak" doc:"the largest level"`
	Bytes   float64   `json:"bytes"`
	Seconds float64   `json:"seconds"`
	Orders  []Order   `json:"orders" doc:"that of the sweep first"`
	Bounds  *Bounds   `json:"bounds,omitempty" doc:"bounds on copies that multiply the states; absent where they cost little"`
}
