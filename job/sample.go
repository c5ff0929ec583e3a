package job

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"slices"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/query"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
)

// Sample asks for random tilings of a puzzle: uniformly, or in proportion to weights.
// Watch.Tiling takes the tilings.
type Sample struct {
	Puzzle   Puzzle   `json:"puzzle"`
	Number   Whole    `json:"number" query:"n" doc:"how many tilings" example:"10"`
	Seed     *Whole   `json:"seed,omitempty" flag:"N" doc:"begin the random numbers with N, 0 to 2^64-1: the same seed draws the same tilings; without it every draw is new" example:"7"`
	Method   string   `json:"method,omitempty" doc:"what tilings are drawn from: auto, diagram, walk or coupling; auto if there is none" example:"auto"`
	Distinct Distinct `json:"distinct,omitempty" doc:"draw classes of tilings, up to the symmetries of the board: usual, rotations or all" example:"usual"`
	Unique   bool     `json:"unique,omitempty" flag:"" doc:"draw without replacement: no tiling comes twice"`
	Weights  []string `json:"weights,omitempty" query:"weight" flag:"PLACEMENTS=WEIGHT" doc:"the weight of these placements, such as domino=3/2; tilings are drawn in proportion to the product of the weights of their placements" example:"[\"X5=3/2\"]"`
	Ranked   bool     `json:"ranked,omitempty" doc:"tilings need ranks: the method auto draws none by coupling"`
	Explain  bool     `json:"explain,omitempty" query:"-" doc:"answer with the plan too"`

	Conditions
}

// AutoMethod leaves the choice to the program.
const AutoMethod = string(sample.Auto)

// Methods are the values of Sample.Method.
func Methods() []string {
	var all []string
	for _, m := range sample.Methods() {
		all = append(all, string(m))
	}
	return all
}

// coupled reports whether draws by coupling are asked for.
func (r *Sample) coupled() bool { return sample.Method(r.Method) == sample.ByCoupling }

// Kind implements [Request].
func (*Sample) Kind() Kind { return "sample" }

// Check implements [Request].
func (r *Sample) Check() error {
	switch {
	case r.Method != "" && !slices.Contains(Methods(), r.Method):
		return bad("{method} is %.40q, want one of %q", r.Method, Methods())
	case r.Distinct != "" && sample.Method(r.Method) == sample.ByWalk:
		return bad("{distinct} draws from diagrams, want {method} auto or diagram with it")
	case r.coupled() && r.Distinct != "":
		return bad("{method} coupling draws single tilings, want none of {distinct}")
	case r.coupled() && r.Ranked:
		return bad("{method} coupling draws tilings without ranks, want no {ranked}")
	case r.coupled() && len(r.Weights) > 0:
		return bad("{method} coupling draws all tilings alike, want no {weights}")
	case r.Distinct != "" && len(r.Weights) > 0:
		return bad("both {distinct} and {weights} given, want one or the other")
	}
	return cmp.Or(checkWeights(r.Weights), r.Distinct.check(), r.Conditions.check(), r.Puzzle.check())
}

// maxWeights is how many weights a request may have: each may take as long as it takes to look
// at all placements.
const maxWeights = 1000

func checkWeights(texts []string) error {
	if len(texts) > maxWeights {
		return bad("{weights} are %d, want at most %d", len(texts), maxWeights)
	}
	return nil
}

// weightsOf reads the weights of placements, by option; nil without any.
func weightsOf(m *tiling.Model, texts []string) ([]*big.Rat, error) {
	weights, err := query.Weights(m, texts)
	if err != nil {
		return nil, bad("{weights}: %w", err)
	}
	return weights, nil
}

// aboutWeights makes an error about weights one of the request.
func aboutWeights(err error) error {
	if errors.Is(err, count.ErrWeights) {
		return bad("{weights}: %w", err)
	}
	return err
}

// aboutDraws does so, and makes one about the method.
func aboutDraws(err error) error {
	if errors.Is(err, count.ErrNotDimers) {
		return bad("{method} coupling: %w", err)
	}
	return aboutWeights(err)
}

// key implements keyer.
func (r Sample) key(p *sought) (any, bool) {
	r.Puzzle, r.Method, r.Distinct = p.digest(painted), unlessAuto(r.Method), p.upTo(r.Distinct)
	return r, r.Seed != nil
}

// predict implements Predict.
func (r *Sample) predict(ctx context.Context, m *tiling.Model) Forecast {
	s, err := r.Distinct.symmetry(ctx, m)
	if err != nil {
		return Forecast{}
	}
	method, draw := sample.Method(cmp.Or(r.Method, AutoMethod)), drawSeconds
	var p count.Prediction
	if method != sample.ByWalk && method != sample.ByCoupling {
		p = count.Predict(ctx, m.Problem, count.Diagram)
	}
	if method == sample.ByWalk || method == sample.Auto && s == nil && p.Walks() {
		if walk := count.Predict(ctx, m.Problem, count.Sweep); walk.Engine != "" { // else no time is left
			p, draw = walk, walkSeconds
			p.Bytes += walkBytes * p.States
		}
	}
	if method == sample.ByCoupling || method == sample.Auto && s == nil && len(r.Weights) == 0 && !r.Ranked {
		if each, bytes, known, couples := count.Couples(ctx, m.Problem, method == sample.ByCoupling, p.States); couples {
			return Forecast{Seconds: (each + drawSeconds) * float64(r.Number), Bytes: bytes, Least: bytes, Known: known}
		}
	}
	f := forecast(p, s.elements())
	f.Seconds += draw * float64(r.Number)
	return f
}

// What a walk takes: bytes a state, and seconds a tiling (0.1 ms of 20x20 dominoes).
const (
	walkBytes   = 16
	walkSeconds = 2e-4
)

// Sampled is the answer to [Sample], beside the tilings. Before the first of them
// it tells what they are drawn from.
type Sampled struct {
	Title   string `json:"title"`
	Count   string `json:"count,omitempty" doc:"of all tilings; none if they were not counted, as for draws by coupling"`
	Classes string `json:"classes,omitempty" doc:"of tilings, with distinct"`
	Weight  string `json:"weight,omitempty" doc:"of all tilings together, with weights: a number, or two as in 3/2"`
	Drawn   Whole  `json:"drawn"`
	Method  string `json:"method"`
	Reason  string `json:"reason,omitempty" doc:"why that method"`
	Engine  string `json:"engine,omitempty"`
	Plan    *Plan  `json:"plan,omitempty"`
	Effort  Effort `json:"effort"`
	Bytes   int64  `json:"bytes" doc:"a bound on what the work held"`

	Conditions *Conditions `json:"conditions,omitempty" doc:"those of the request, and of a compiled file: other tilings are not drawn"`
	Derived    string      `json:"derived,omitempty" doc:"how the family of a compiled file was made, if it is not the tilings of a puzzle under conditions"`
}
